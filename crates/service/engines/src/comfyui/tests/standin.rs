//! A stand-in for a ComfyUI server.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
};

use axum::{
    Json, Router,
    body::Body,
    extract::{Multipart, Path, Query, Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use futures::{SinkExt as _, StreamExt as _};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{Message, handshake::derive_accept_key, protocol::Role},
};
use uuid::Uuid;

use crate::testing::{PNG, StandIn};

/// The fate of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    Succeeds {
        files: usize,
    },
    /// The server answers the request only after the test has received progress.
    SucceedsAfterProgress,
    Fails,
    /// The socket is closed. The request ends after a few polls.
    DropsSocket,
    HasNoSocket,
    /// The connection breaks before the request is answered.
    BreaksOff,
    /// The request is accepted and then forgotten.
    Forgets,
    /// The request runs forever.
    Waits,
}

pub(super) struct Comfy {
    pub url: String,
    /// The test notifies this when it has received progress.
    pub heard: Arc<Notify>,
    /// The stand-in notifies this when it has answered a request.
    pub taken: Arc<Notify>,
    shared: Arc<Shared>,
    _server: StandIn,
}

struct Shared {
    then: Then,
    heard: Arc<Notify>,
    taken: Arc<Notify>,
    state: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    prompts: Vec<Value>,
    uploads: BTreeMap<String, Vec<u8>>,
    history: HashMap<String, Value>,
    queues: BTreeMap<&'static str, Vec<String>>,
    sockets: HashMap<String, mpsc::UnboundedSender<Value>>,
    questions: usize,
    log: Vec<String>,
    is_gone: bool,
}

impl Comfy {
    pub(super) async fn start(then: Then) -> Self {
        let (heard, taken) = (Arc::<Notify>::default(), Arc::<Notify>::default());
        let shared = Arc::new(Shared {
            then,
            heard: Arc::clone(&heard),
            taken: Arc::clone(&taken),
            state: Mutex::default(),
        });
        let router = Router::new()
            .route("/ws", get(socket))
            .route("/upload/image", post(upload))
            .route("/prompt", post(prompt))
            .route("/history/{id}", get(history))
            .route("/queue", get(queue).post(dequeue))
            .route("/interrupt", post(interrupt))
            .route("/view", get(view))
            .route("/system_stats", get(stats))
            .route("/object_info", get(|| async { Json(object_info()) }))
            .with_state(Arc::clone(&shared));
        let server = StandIn::serve(router).await;
        Self {
            url: server.url.clone(),
            heard,
            taken,
            shared,
            _server: server,
        }
    }

    pub(super) fn prompts(&self) -> Vec<Value> {
        self.shared.state.lock().unwrap().prompts.clone()
    }

    pub(super) fn uploads(&self) -> BTreeMap<String, Vec<u8>> {
        self.shared.state.lock().unwrap().uploads.clone()
    }

    /// The requests to change the queue, and what they did.
    pub(super) fn log(&self) -> Vec<String> {
        self.shared.state.lock().unwrap().log.clone()
    }

    /// Makes this the only request in a queue.
    pub(super) fn put(&self, queue: &'static str, id: &str) {
        let mut known = self.shared.state.lock().unwrap();
        known.queues.insert(queue, vec![id.to_owned()]);
    }

    /// Stops answering and closes all sockets.
    pub(super) fn stop(&self) {
        let mut known = self.shared.state.lock().unwrap();
        known.is_gone = true;
        known.sockets.clear();
    }
}

/// An answer whose connection breaks.
fn broken() -> Response {
    let lost = std::io::Error::other("the connection is gone");
    let body = Body::from_stream(futures::stream::iter([Err::<Vec<u8>, _>(lost)]));
    body.into_response()
}

async fn socket(
    State(shared): State<Arc<Shared>>,
    Query(query): Query<HashMap<String, String>>,
    mut request: Request,
) -> Response {
    if shared.then == Then::HasNoSocket {
        return StatusCode::NOT_FOUND.into_response();
    }
    let headers = request.headers();
    assert_eq!(headers[header::UPGRADE], "websocket");
    assert_eq!(headers[header::SEC_WEBSOCKET_VERSION], "13");
    assert_key(headers);
    let accept = derive_accept_key(headers[header::SEC_WEBSOCKET_KEY].as_bytes());
    let (sender, mut messages) = mpsc::unbounded_channel::<Value>();
    let id = query["clientId"].clone();
    let status =
        json!({"type": "status", "data": {"status": {"exec_info": {"queue_remaining": 0}}, "sid": id}});
    sender.send(status).unwrap();
    shared.state.lock().unwrap().sockets.insert(id, sender);
    let upgrade = hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        let Ok(upgraded) = upgrade.await else { return };
        let mut socket = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, None).await;
        // A preview.
        let _ = socket.send(Message::binary(vec![0, 0, 0, 1, 0, 0, 0, 2])).await;
        loop {
            tokio::select! {
                message = messages.recv() => match message {
                    Some(message) => if socket.send(Message::text(message.to_string())).await.is_err() { return },
                    // Closed without a close message.
                    None => return,
                },
                said = socket.next() => if !matches!(said, Some(Ok(_))) { return },
            }
        }
    });
    let headers = [
        (header::UPGRADE, "websocket".to_owned()),
        (header::CONNECTION, "upgrade".to_owned()),
        (header::SEC_WEBSOCKET_ACCEPT, accept),
    ];
    (StatusCode::SWITCHING_PROTOCOLS, headers).into_response()
}

fn assert_key(headers: &HeaderMap) {
    assert_eq!(headers[header::AUTHORIZATION], "Bearer sesame");
}

async fn upload(State(shared): State<Arc<Shared>>, headers: HeaderMap, mut form: Multipart) -> Json<Value> {
    assert_key(&headers);
    let mut fields = BTreeMap::new();
    let mut file = None;
    while let Some(field) = form.next_field().await.unwrap() {
        let name = field.name().unwrap().to_owned();
        if name == "image" {
            let filename = field.file_name().unwrap().to_owned();
            file = Some((filename, field.bytes().await.unwrap().to_vec()));
        } else {
            fields.insert(name, field.text().await.unwrap());
        }
    }
    let (name, content) = file.unwrap();
    assert_eq!(
        (fields["type"].as_str(), fields["overwrite"].as_str()),
        ("input", "true")
    );
    let path = format!("{}/{name}", fields["subfolder"]);
    shared.state.lock().unwrap().uploads.insert(path, content);
    Json(json!({"name": name, "subfolder": fields["subfolder"], "type": "input"}))
}

async fn prompt(State(shared): State<Arc<Shared>>, headers: HeaderMap, Json(body): Json<Value>) -> Response {
    assert_key(&headers);
    let id = body["prompt_id"].as_str().unwrap().to_owned();
    if Uuid::parse_str(&id).map(|uuid| uuid.hyphenated().to_string()) != Ok(id.clone()) {
        let error = json!({"type": "invalid_prompt_id", "message": "prompt_id must be a valid UUID", "extra_info": {}});
        let said = json!({"error": error, "node_errors": {}});
        return (StatusCode::BAD_REQUEST, Json(said)).into_response();
    }
    let errors = shared.invalid(&body["prompt"]);
    if errors != json!({}) {
        let message = "Prompt outputs failed validation";
        let error = json!({
            "type": "prompt_outputs_failed_validation", "message": message, "details": "", "extra_info": {},
        });
        let said = json!({"error": error, "node_errors": errors});
        return (StatusCode::BAD_REQUEST, Json(said)).into_response();
    }
    shared.state.lock().unwrap().prompts.push(body.clone());
    shared.begin(&id);
    match shared.then {
        Then::BreaksOff => {
            shared.succeed(&id, 1);
            return broken();
        }
        Then::Succeeds { files } => shared.succeed(&id, files),
        Then::SucceedsAfterProgress => {
            shared.heard.notified().await;
            shared.succeed(&id, 1);
        }
        Then::Fails => shared.fail(&id),
        Then::DropsSocket => drop(shared.state.lock().unwrap().sockets.remove(&id)),
        Then::Forgets => {
            let mut known = shared.state.lock().unwrap();
            known.queues.clear();
            known.sockets.clear();
        }
        Then::HasNoSocket | Then::Waits => {}
    }
    shared.taken.notify_one();
    Json(json!({"prompt_id": id, "number": 1, "node_errors": {}})).into_response()
}

impl Shared {
    /// Validates a graph against the nodes of this server.
    fn invalid(&self, graph: &Value) -> Value {
        let known = self.state.lock().unwrap();
        let mut errors = serde_json::Map::new();
        for (id, node) in graph.as_object().unwrap() {
            let class = node["class_type"].as_str().unwrap();
            let inputs = &node["inputs"];
            assert!(
                object_info().get(class).is_some(),
                "{class} is not a node of this server"
            );
            let error = match class {
                "EmptyImage" if inputs["width"].as_u64().unwrap() > 16_384 => json!({
                    "type": "value_bigger_than_max",
                    "message": format!("Value {} bigger than max of 16384", inputs["width"]),
                    "details": "width", "extra_info": {"input_name": "width"},
                }),
                "UpscaleModelLoader" if inputs["model_name"] != "tiny.safetensors" => json!({
                    "type": "value_not_in_list", "message": "Value not in list",
                    "details": "model_name: not in ['tiny.safetensors']", "extra_info": {"input_name": "model_name"},
                }),
                "LoadImage" if !known.uploads.contains_key(inputs["image"].as_str().unwrap()) => json!({
                    "type": "custom_validation_failed", "message": "Custom validation failed for node",
                    "details": "image - Invalid image file", "extra_info": {"input_name": "image"},
                }),
                _ => continue,
            };
            let error = json!({"errors": [error], "dependent_outputs": ["save"], "class_type": class});
            errors.insert(id.clone(), error);
        }
        Value::Object(errors)
    }

    fn report(&self, id: &str, kind: &str, mut data: Value) {
        data["prompt_id"] = json!(id);
        let message = json!({"type": kind, "data": data});
        if let Some(socket) = self.state.lock().unwrap().sockets.get(id) {
            // The client may have closed its socket.
            let _ = socket.send(message);
        }
    }

    /// The request runs: half of its first node is done.
    fn begin(&self, id: &str) {
        self.state
            .lock()
            .unwrap()
            .queues
            .insert("queue_running", vec![id.to_owned()]);
        self.report(id, "execution_start", json!({}));
        self.report(id, "execution_cached", json!({"nodes": []}));
        self.report(
            id,
            "executing",
            json!({"node": "picture", "display_node": "picture"}),
        );
        let half = json!({"value": 1, "max": 2, "state": "running"});
        self.report(id, "progress_state", json!({"nodes": {"picture": half}}));
        self.report(id, "progress", json!({"value": 1, "max": 2, "node": "unknown"}));
    }

    /// As a real server does: announces the end, stores it, and announces it again.
    fn end(&self, id: &str, kind: &str, outputs: &Value, message: &Value) {
        self.report(id, kind, message.clone());
        let is_success = kind == "execution_success";
        let entry = json!({
            "prompt": [1, id, {}, {}, ["save"]],
            "outputs": outputs,
            "status": {
                "status_str": if is_success { "success" } else { "error" },
                "completed": is_success,
                "messages": [["execution_start", {"prompt_id": id}], [kind, message]],
            },
        });
        {
            let mut known = self.state.lock().unwrap();
            known.history.insert(id.to_owned(), entry);
            known.queues.clear();
        }
        self.report(id, "executing", json!({"node": null}));
    }

    fn succeed(&self, id: &str, files: usize) {
        let file = |number| json!({"filename": format!("{id} {number}.png"), "subfolder": "atelier", "type": "output"});
        let images: Vec<_> = (1..=files).map(file).collect();
        let preview = json!({"filename": "preview.png", "subfolder": "", "type": "temp"});
        let outputs = json!({"show": {"images": [preview]}, "save": {"images": images}});
        self.report(id, "executed", json!({"node": "save", "output": {}}));
        self.end(id, "execution_success", &outputs, &json!({}));
    }

    fn fail(&self, id: &str) {
        let error = json!({
            "node_id": "save", "node_type": "SaveImage", "executed": ["picture"], "exception_type": "OSError",
            "exception_message": "the disk\nis full", "traceback": ["a path of the server's"],
        });
        self.end(id, "execution_error", &json!({}), &error);
    }
}

async fn history(State(shared): State<Arc<Shared>>, Path(id): Path<String>) -> Response {
    let questions = {
        let mut known = shared.state.lock().unwrap();
        if known.is_gone {
            return broken();
        }
        known.questions += 1;
        known.questions
    };
    if questions == 3 && matches!(shared.then, Then::DropsSocket | Then::HasNoSocket) {
        shared.succeed(&id, 1);
    }
    let known = shared.state.lock().unwrap();
    let found = known.history.get(&id);
    Json(found.map_or_else(|| json!({}), |entry| json!({id: entry}))).into_response()
}

async fn queue(State(shared): State<Arc<Shared>>) -> Response {
    let known = shared.state.lock().unwrap();
    if known.is_gone {
        return broken();
    }
    let list = |name| -> Vec<Value> {
        let ids = known.queues.get(name).into_iter().flatten();
        ids.map(|id| json!([1, id, {}, {}, ["save"]])).collect()
    };
    Json(json!({"queue_running": list("queue_running"), "queue_pending": list("queue_pending")}))
        .into_response()
}

async fn dequeue(State(shared): State<Arc<Shared>>, Json(body): Json<Value>) {
    let mut known = shared.state.lock().unwrap();
    known.log.push(body.to_string());
    let gone: Vec<_> = body["delete"].as_array().unwrap().clone();
    if let Some(pending) = known.queues.get_mut("queue_pending") {
        pending.retain(|id| !gone.contains(&json!(id)));
    }
    // The client must interrupt a running request, but only its own.
    if let Some(other) = known.queues.get("queue_running").and_then(|ids| ids.first()) {
        let other = other.clone();
        if !gone.contains(&json!(other)) {
            known.log.push(format!("{other} keeps running"));
        }
    }
}

async fn interrupt(State(shared): State<Arc<Shared>>, Json(body): Json<Value>) {
    let mut known = shared.state.lock().unwrap();
    let id = body["prompt_id"].as_str().unwrap();
    known.log.push(format!("{id} is interrupted"));
}

async fn view(State(shared): State<Arc<Shared>>, Query(query): Query<HashMap<String, String>>) -> Response {
    assert_eq!(
        (query["type"].as_str(), query["subfolder"].as_str()),
        ("output", "atelier")
    );
    let known = shared.state.lock().unwrap();
    let id = query["filename"].split(' ').next().unwrap();
    if known.history.contains_key(id) {
        return PNG.into_response();
    }
    StatusCode::NOT_FOUND.into_response()
}

async fn stats() -> Json<Value> {
    Json(json!({"system": {"comfyui_version": "0.25.0"}, "devices": [{"name": "cpu", "type": "cpu"}]}))
}

fn object_info() -> Value {
    let models = json!(["COMBO", {"multiselect": false, "options": ["tiny.safetensors"]}]);
    let whole = json!(["INT", {"min": 0, "max": 16_384}]);
    json!({
        "LoadImage": {"input": {"required": {"image": [[], {"image_upload": true}]}}, "output": ["IMAGE", "MASK"]},
        "EmptyImage": {"input": {"required": {"width": whole, "color": whole}}, "output": ["IMAGE"]},
        "UpscaleModelLoader": {"input": {"required": {"model_name": models}}, "output": ["UPSCALE_MODEL"]},
        "ImageUpscaleWithModel": {
            "input": {"required": {"upscale_model": ["UPSCALE_MODEL"], "image": ["IMAGE"]}}, "output": ["IMAGE"],
        },
        "SaveImage": {
            "input": {"required": {"images": ["IMAGE"], "filename_prefix": ["STRING", {}]}}, "output": ["IMAGE"],
        },
    })
}
