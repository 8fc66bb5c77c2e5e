//! The progress of a request and its partial images, as its server reports them over a websocket. The end of a request
//! is read from the server's history, so without a socket only these are missing.

use std::{collections::BTreeMap, convert::Infallible, future::pending};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures::StreamExt as _;
use reqwest::{StatusCode, Upgraded, header};
use serde_json::Value;
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Message,
        handshake::derive_accept_key,
        protocol::{Role, WebSocketConfig},
    },
};

use super::server::Server;
use crate::{Context, PartialImage};

/// The longest message, in bytes. Messages may contain previews.
const MAX_MESSAGE: usize = 32 << 20;
/// The weight of the nodes that do most of the work; other nodes have a weight of 1.
const WORK: f64 = 30.0;

/// The websocket of one request, and its progress.
pub(super) struct Watch {
    id: String,
    socket: Option<WebSocketStream<Upgraded>>,
    progress: Progress,
    context: Context,
    /// Whether the server has announced the end of the request, which is then about to appear in its history.
    pub has_ended: bool,
}

impl Watch {
    /// `nodes` are the request's nodes with their types.
    pub(super) async fn open<'a>(
        server: &Server,
        id: &str,
        nodes: impl Iterator<Item = (&'a str, &'a str)>,
        context: &Context,
    ) -> Self {
        let progress = Progress::new(nodes);
        let socket = match connect(server, id).await {
            Ok(socket) => Some(socket),
            Err(why) => {
                tracing::info!(
                    request = id,
                    why,
                    "no progress: the websocket could not be opened"
                );
                None
            }
        };
        Self {
            id: id.to_owned(),
            socket,
            progress,
            context: context.clone(),
            has_ended: false,
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.socket.is_some()
    }

    /// Passes progress on, for as long as this future is polled.
    pub(super) async fn listen(&mut self) -> Infallible {
        loop {
            self.until_news().await;
        }
    }

    /// Passes progress on until there is a reason to poll the server: the request has ended, or the socket is closed.
    pub(super) async fn until_news(&mut self) {
        while let Some(socket) = &mut self.socket {
            match socket.next().await {
                Some(Ok(Message::Text(text))) => {
                    if self.read(&text) && !self.has_ended {
                        self.has_ended = true;
                        return;
                    }
                }
                Some(Ok(Message::Binary(message))) => {
                    if self.context.wants_partial_images()
                        && let Some(image) = preview(&message)
                    {
                        self.context.partial_image(image);
                    }
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => {
                    tracing::debug!(request = self.id, "a websocket was closed");
                    self.socket = None;
                    return;
                }
            }
        }
        pending::<()>().await;
    }

    /// Reads a message. Returns whether it announces the end of the request.
    fn read(&mut self, text: &str) -> bool {
        let Ok(message) = serde_json::from_str::<Value>(text) else {
            return false;
        };
        let data = &message["data"];
        if data.get("prompt_id").and_then(Value::as_str) != Some(&self.id) {
            return false;
        }
        let kind = message["type"].as_str().unwrap_or_default();
        let ends = ["execution_success", "execution_error", "execution_interrupted"];
        if ends.contains(&kind) || kind == "executing" && data["node"].is_null() {
            return true;
        }
        if let Some(done) = self.progress.read(kind, data) {
            self.context.progress(done);
        }
        false
    }
}

/// Reads a binary message: a picture after its type and its format, if the type is that of a preview.
fn preview(message: &[u8]) -> Option<PartialImage> {
    const PREVIEW: [u8; 4] = 1_u32.to_be_bytes();
    let (kind, rest) = message.split_first_chunk()?;
    let (_format, picture) = rest.split_first_chunk::<4>()?;
    (*kind == PREVIEW).then(|| PartialImage::new(picture)).flatten()
}

/// Opens the socket for one request, with the same client and key as all other requests to the server.
async fn connect(server: &Server, id: &str) -> Result<WebSocketStream<Upgraded>, String> {
    // Matches the answer to this handshake; it is not a secret.
    let key = STANDARD.encode(&id.as_bytes()[..16.min(id.len())]);
    let request = server
        .get(&format!("ws?clientId={id}"))
        .map_err(|failure| failure.message)?;
    let answer = request
        .header(header::CONNECTION, "Upgrade")
        .header(header::UPGRADE, "websocket")
        .header(header::SEC_WEBSOCKET_VERSION, "13")
        .header(header::SEC_WEBSOCKET_KEY, &key)
        .send()
        .await
        .map_err(|error| error.to_string())?;
    if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
        return Err(format!("status {}", answer.status().as_u16()));
    }
    let accepted = answer.headers().get(header::SEC_WEBSOCKET_ACCEPT);
    if accepted.is_none_or(|accepted| accepted.as_bytes() != derive_accept_key(key.as_bytes()).as_bytes()) {
        return Err("the answer does not match the handshake".to_owned());
    }
    let upgraded = answer.upgrade().await.map_err(|error| error.to_string())?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE));
    Ok(WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(config)).await)
}

/// The progress of a graph: the weighted sum of its nodes' progress.
#[derive(Debug)]
struct Progress {
    weights: BTreeMap<String, f64>,
    done: BTreeMap<String, f64>,
    current: Option<String>,
    most: f64,
}

impl Progress {
    fn new<'a>(nodes: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let weight = |class: &str| {
            let works = class.contains("Sampler") && !class.contains("Select") || class.contains("WithModel");
            if works { WORK } else { 1.0 }
        };
        Self {
            weights: nodes.map(|(id, class)| (id.to_owned(), weight(class))).collect(),
            done: BTreeMap::new(),
            current: None,
            most: 0.0,
        }
    }

    /// Reads a message. Returns how much is done if it is more than before.
    fn read(&mut self, kind: &str, data: &Value) -> Option<f64> {
        let share = |state: &Value| {
            let (value, max) = (state["value"].as_f64()?, state["max"].as_f64()?);
            (max > 0.0).then(|| (value / max).clamp(0.0, 1.0))
        };
        match kind {
            "execution_cached" => {
                let cached = data["nodes"].as_array().into_iter().flatten();
                self.done
                    .extend(cached.filter_map(|node| Some((node.as_str()?.to_owned(), 1.0))));
            }
            "executing" => {
                // Nodes run one at a time, so the previous one is done.
                let node = data["node"].as_str().map(str::to_owned);
                if let Some(before) = std::mem::replace(&mut self.current, node) {
                    self.done.insert(before, 1.0);
                }
            }
            "progress" => {
                self.done.insert(data["node"].as_str()?.to_owned(), share(data)?);
            }
            "progress_state" => {
                for (node, state) in data["nodes"].as_object()? {
                    let is_finished = state["state"] == "finished";
                    let share = if is_finished { Some(1.0) } else { share(state) };
                    self.done.extend(share.map(|share| (node.clone(), share)));
                }
            }
            "executed" => {
                self.done.insert(data["node"].as_str()?.to_owned(), 1.0);
            }
            _ => return None,
        }
        let all: f64 = self.weights.values().sum();
        let weight = |node: &String| self.weights.get(node).copied().unwrap_or_default();
        let done: f64 = self.done.iter().map(|(node, share)| weight(node) * share).sum();
        let done = done / all;
        (done > self.most).then(|| {
            self.most = done;
            done
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::PNG;

    #[test]
    fn only_messages_with_a_preview_are_partial_images() {
        let message = |kind: u32, picture: &[u8]| {
            let head = [kind.to_be_bytes(), 2_u32.to_be_bytes()];
            preview(&[head.as_flattened(), picture].concat())
        };
        assert_eq!(message(1, PNG), PartialImage::new(PNG));
        assert_eq!(message(1, b"text"), None);
        // A text that belongs to a node.
        assert_eq!(message(3, PNG), None);
        assert_eq!(preview(&[0, 0, 0, 1]), None);
    }

    #[test]
    fn progress_follows_the_nodes_and_mostly_the_sampler() {
        let nodes = [
            ("m", "Loader"),
            ("k", "KSampler"),
            ("d", "VAEDecode"),
            ("s", "SaveImage"),
        ];
        let mut progress = Progress::new(nodes.into_iter());
        // Three nodes of weight 1 and one of weight 30.
        let of = |done: f64| Some(done / 33.0);
        let steps = [
            ("execution_start", json!({}), None),
            ("execution_cached", json!({"nodes": ["m"]}), of(1.0)),
            ("executing", json!({"node": "k"}), None),
            ("progress", json!({"node": "k", "value": 5, "max": 10}), of(16.0)),
            (
                "progress_state",
                json!({"nodes": {"k": {"value": 8, "max": 10, "state": "running"}}}),
                of(25.0),
            ),
            ("progress", json!({"node": "k", "value": 2, "max": 10}), None),
            ("executing", json!({"node": "d"}), of(31.0)),
            ("executing", json!({"node": "s"}), of(32.0)),
            ("executed", json!({"node": "s"}), of(33.0)),
            ("progress", json!({"node": "k", "value": 1, "max": 0}), None),
        ];
        for (kind, data, expected) in steps {
            assert_eq!(progress.read(kind, &data), expected, "{kind} {data}");
        }
    }
}
