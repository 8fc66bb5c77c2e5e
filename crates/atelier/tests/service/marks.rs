//! Files of external engines are stored with a mark that a model made them, and without metadata of their servers.

use std::{
    future::ready,
    sync::{Arc, Mutex},
};

use axum::{
    Json, Router,
    extract::Path,
    http::StatusCode,
    routing::{get, post},
};
use serde_json::{Value, json};

use crate::setup::World;

const PNG: &[u8] = include_bytes!("../../../service/engines/assets/echo.png");
pub(crate) const MP4: &[u8] = include_bytes!("../../../service/engines/assets/echo.mp4");
const GRAPH: &str = "{\"7\": {\"class_type\": \"KSampler\"}}";
const TRAINED: &str = "digitalsourcetype/trainedAlgorithmicMedia";

/// A server on loopback. It ends when it is dropped.
pub(crate) struct StandIn {
    pub(crate) url: String,
    task: tokio::task::JoinHandle<()>,
}

impl StandIn {
    async fn serve(router: Router) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, task }
    }

    /// The part of ComfyUI that one picture requires.
    pub(crate) async fn comfy(picture: Vec<u8>) -> Self {
        let queued = Arc::new(Mutex::new(None));
        let queue = {
            let queued = Arc::clone(&queued);
            move |Json(asked): Json<Value>| async move {
                *queued.lock().unwrap() = asked["prompt_id"].as_str().map(str::to_owned);
                Json(json!({"prompt_id": asked["prompt_id"], "number": 1, "node_errors": {}}))
            }
        };
        let history = move |Path(id): Path<String>| async move {
            let is_known = *queued.lock().unwrap() == Some(id.clone());
            let image = json!({"filename": "a.png", "subfolder": "atelier", "type": "output"});
            let entry = json!({
                "outputs": {"save": {"images": [image]}},
                "status": {"status_str": "success", "completed": true, "messages": []},
            });
            Json(if is_known { json!({id: entry}) } else { json!({}) })
        };
        let empty = || async { Json(json!({"queue_running": [], "queue_pending": []})) };
        let router = Router::new()
            .route("/prompt", post(queue))
            .route("/history/{id}", get(history))
            .route("/queue", get(empty))
            .route("/view", get(move || async move { picture }));
        Self::serve(router).await
    }

    /// The part of Replicate that one file requires, with the name that it has there.
    pub(crate) async fn replicate(name: &str, file: Vec<u8>) -> Self {
        let done = json!({"id": "p0", "status": "succeeded", "output": format!("/{name}")});
        let router = Router::new()
            .route(
                "/v1/models/a/b/predictions",
                post(move || async move { (StatusCode::CREATED, Json(done)) }),
            )
            .route(&format!("/{name}"), get(move || ready(file.clone())));
        Self::serve(router).await
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A picture as ComfyUI writes it, with the complete graph.
fn telling() -> Vec<u8> {
    let text = [b"prompt\0", GRAPH.as_bytes()].concat();
    let length = (text.len() as u32).to_be_bytes();
    // The checksum is not checked, because the text is removed.
    let chunk = [&length[..], b"tEXt", &text, b"\0\0\0\0"].concat();
    [&PNG[..33], &chunk, &PNG[33..]].concat()
}

async fn comfy_world(picture: Vec<u8>) -> (StandIn, World) {
    let server = StandIn::comfy(picture).await;
    let world = World::start(&format!(
        "[metrics]\nlisten = \"\"\n[engines.cellar]\nkind = \"comfyui\"\nurl = \"{}\"\n\
         [[routes]]\nmodel = \"sdxl-1-0\"\nengine = \"cellar\"\nworkflow = \"checkpoint.json\"\n",
        server.url
    ));
    (server, world)
}

/// The stored file of a job with this request.
async fn made(world: &World, request: &Value) -> Vec<u8> {
    let account = world.account(1_000);
    let id = account.http.create(request).await;
    let job = account.http.wait(&id).await;
    assert_eq!(job["status"], "completed", "{job}");
    let url = job["output"]["assets"][0]["url"].as_str().unwrap();
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    let file = world.anonymous().get(&format!("/{path}")).await;
    assert_eq!(file.status, 200, "{url}");
    file.bytes.to_vec()
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|found| found == text.as_bytes())
}

#[tokio::test]
async fn a_picture_of_comfyui_loses_its_graph_and_names_its_model() {
    let (server, world) = comfy_world(telling()).await;
    let bytes = made(&world, &json!({"model": "sdxl-1-0", "prompt": "a boat at dawn"})).await;
    for told in [
        TRAINED,
        "<Iptc4xmpExt:AISystemUsed>sdxl-1-0<",
        "a boat at dawn",
        "atelier ",
    ] {
        assert!(contains(&bytes, told), "{told}");
    }
    for secret in ["KSampler", "cellar", &server.url["http://".len()..]] {
        assert!(!contains(&bytes, secret), "{secret}");
    }
    // The pixels are those that the server sent.
    let data = PNG.windows(4).position(|found| found == b"IDAT").unwrap();
    assert!(bytes.starts_with(&PNG[..33]) && bytes.ends_with(&PNG[data..]));
}

#[tokio::test]
async fn a_file_that_cannot_be_marked_is_stored_unchanged() {
    let broken = telling()[..telling().len() - 12].to_vec();
    let (_server, world) = comfy_world(broken.clone()).await;
    let bytes = made(&world, &json!({"model": "sdxl-1-0", "prompt": "a boat"})).await;
    assert!(bytes == broken);
}

#[tokio::test]
async fn a_video_of_a_provider_names_its_model() {
    let server = StandIn::replicate("file.mp4", MP4.to_vec()).await;
    let world = World::start(&format!(
        "[metrics]\nlisten = \"\"\n[engines.cloud]\nkind = \"http\"\nprofile = \"replicate\"\nurl = \"{}\"\n\
         [[routes]]\nmodel = \"wan-2-2-t2v-a14b\"\nengine = \"cloud\"\ntarget = \"a/b\"\n",
        server.url
    ));
    let bytes = made(&world, &json!({"model": "wan-2-2-t2v-a14b", "prompt": "a boat"})).await;
    for told in [TRAINED, "<Iptc4xmpExt:AISystemUsed>wan-2-2-t2v-a14b<"] {
        assert!(contains(&bytes, told), "{told}");
    }
    assert!(!contains(&bytes, "cloud"));
}
