//! A server of small files that stand for trained weights, and entries of the index that name them.

use std::net::SocketAddr;

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::{IntoResponse as _, Response},
};
use sha2::{Digest as _, Sha256};
use tokio::{net::TcpListener, sync::watch, task::JoinHandle};

/// A licence that needs no acceptance, as a table of TOML.
pub const PERMISSIVE: &str = r#"{ id = "MIT", page = "https://example.com/mit", commercial = "yes" }"#;
/// A licence that must be accepted.
pub const OWN_TERMS: &str = concat!(
    r#"{ id = "LicenseRef-Own", name = "Own terms", page = "https://example.com/own", "#,
    r#"commercial = "conditions", note = "Below a revenue." }"#,
);

/// Serves `/NAME.onnx` for every name, and nothing for names that begin with `gone`. Runs until dropped.
#[derive(Debug)]
pub struct WeightsServer {
    address: SocketAddr,
    held: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl WeightsServer {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (held, holding) = watch::channel(false);
        let router = Router::new().fallback(answer).with_state(holding);
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address, held, task }
    }

    /// From now on, no file is sent until [`release`](Self::release); what the server has is still answered.
    pub fn hold(&self) {
        self.held.send_replace(true);
    }

    pub fn release(&self) {
        self.held.send_replace(false);
    }

    /// The text of an entry that serves `upscale`, with one file here.
    pub fn entry(&self, name: &str, licence: &str) -> String {
        let bytes = file(name);
        let (size, sha256) = (bytes.len(), hex::encode(Sha256::digest(&bytes)));
        format!(
            r#"name = "{name}"
title = "The weights {name}"
kind = "model"
summary = "Weights for tests."
status = "verified"
serves = [{{ model = "upscale", task = "upscale" }}]
runtime = "onnx"
licence = {licence}
graph = {{ kind = "image" }}
needs = {{ memory_mb = 400, vram_mb = 0, disk_mb = 1 }}

[[files]]
role = "graph"
name = "{name}.onnx"
size = {size}
sha256 = "{sha256}"
url = "http://{}/{name}.onnx"
"#,
            self.address
        )
    }
}

impl Drop for WeightsServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The bytes that stand for these weights.
fn file(name: &str) -> Vec<u8> {
    name.bytes().cycle().take(50_000).collect()
}

async fn answer(
    State(mut held): State<watch::Receiver<bool>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let name = uri.path().trim_start_matches('/').trim_end_matches(".onnx");
    if name.starts_with("gone") {
        return StatusCode::NOT_FOUND.into_response();
    }
    let bytes = file(name);
    if method == Method::HEAD {
        return ([(header::CONTENT_LENGTH, bytes.len())], Body::empty()).into_response();
    }
    held.wait_for(|held| !held).await.unwrap();
    let range = headers.get(header::RANGE).and_then(|range| range.to_str().ok());
    let range = range.and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
    let Some((from, last)) = range else {
        return bytes.into_response();
    };
    let from: usize = from.parse().unwrap();
    let last = last.parse().unwrap_or(usize::MAX).min(bytes.len() - 1);
    let content_range = format!("bytes {from}-{last}/{}", bytes.len());
    let part = bytes[from..=last].to_vec();
    (
        StatusCode::PARTIAL_CONTENT,
        [(header::CONTENT_RANGE, content_range)],
        part,
    )
        .into_response()
}
