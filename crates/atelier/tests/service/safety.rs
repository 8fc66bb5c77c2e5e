//! The safety check by trained weights, in a running service: what a job made is examined before anybody sees it.

use atelier_film::{Picture, Rate, Tags, Video, Writer};
use atelier_testkit::Http;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::setup::{World, until};

const CONFIG: &str = "[metrics]\nlisten = \"\"\n[limits]\nrequests_per_minute = 60000\n";

/// A graph with scores of two classes: `red` is near 1 where a picture is red, and near 0 elsewhere.
const REDNESS: &[u8] = include_bytes!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../studio/onnx/tests/redness.onnx"
));
const RED: [u8; 3] = [210, 20, 20];
const BLUE: [u8; 3] = [20, 40, 200];

/// A service whose operator has an entry for a safety check, without its weights.
fn world(config: &str) -> World {
    let world = World::prepare(&format!("{CONFIG}{config}"));
    let folder = world.server.data().join("models.d");
    std::fs::create_dir_all(&folder).unwrap();
    let digest = hex::encode(Sha256::digest(REDNESS));
    let text = format!(
        r#"name = "redness"
title = "Redness"
kind = "model"
summary = "Knows red pictures."
status = "unverified"
missing = "it belongs to a test"
serves = [{{ task = "safety" }}]
runtime = "onnx"
[licence]
id = "MIT"
page = "https://example.com/licence"
commercial = "yes"
[[files]]
role = "graph"
name = "redness.onnx"
size = {}
sha256 = "{digest}"
url = "https://example.com/releases/download/1.0/redness.onnx"
[graph]
kind = "scores"
layout = "nhwc"
color = "bgr"
activation = "softmax"
size = {{ fixed = [16, 16] }}
classes = ["other", "red"]
refuse = ["red"]
refuse_at = 0.8
[probe]
sample = "picture"
expect = {{ kind = "scores" }}
"#,
        REDNESS.len()
    );
    std::fs::write(folder.join("redness.toml"), text).unwrap();
    world
}

/// Installs the weights while the service runs.
fn import(world: &World) {
    let file = world.server.data().join("brought.onnx");
    std::fs::write(&file, REDNESS).unwrap();
    world.server.json(&["models", "import", file.to_str().unwrap()]);
}

async fn enlarged(http: &Http, color: [u8; 3]) -> Value {
    let mut picture = Vec::new();
    let mut encoder = png::Encoder::new(&mut picture, 32, 32);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&color.repeat(32 * 32)).unwrap();
    writer.finish().unwrap();
    let upload = http.upload(picture, "picture.png").await.json();
    let request = json!({ "model": "upscale", "image_urls": [upload["data"]["url"]] });
    http.wait(&http.create(&request).await).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn weights_for_the_safety_check_examine_every_picture_as_soon_as_they_are_here() {
    let mut world = world("");
    world.server.start();
    let account = world.account(10_000);
    let http = &account.http;
    let before = enlarged(http, RED).await;
    assert_eq!(before["status"], "completed", "{before}");
    assert_eq!(before["output"]["metadata"]["safety"], Value::Null);

    import(&world);
    until("results are examined", async || {
        !enlarged(http, BLUE).await["output"]["metadata"]["safety"].is_null()
    })
    .await;
    let passed = enlarged(http, BLUE).await;
    assert_eq!(
        passed["output"]["metadata"]["safety"],
        json!({ "weights": "Redness", "score": 0.0 }),
        "{passed}"
    );
    let credits = || async { http.get("/balance").await.json()["data"]["credits"].clone() };
    let had = credits().await;
    let refused = enlarged(http, RED).await;
    assert_eq!(
        (&refused["status"], &refused["error"]["code"], &refused["output"]),
        (&json!("failed"), &json!("content_policy_violation"), &Value::Null),
        "{refused}"
    );
    assert_eq!(credits().await, had, "a refused result costs nothing");
}

/// Three seconds of one colour.
fn film(color: [u8; 3]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.mp4");
    let mut video = Video::new(160, 120);
    video.rate = Rate::whole(10);
    let mut film = Writer::create(&path, video, None, Tags::default()).unwrap();
    for _ in 0..30 {
        film.frame(Picture::Rgb(&color.repeat(160 * 120))).unwrap();
    }
    film.finish().unwrap();
    std::fs::read(path).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_policy_without_the_check_leaves_it_to_requests_that_ask_for_it() {
    let mut world = world("[policy]\nsafety = \"off\"\n");
    import(&world);
    world.server.start();
    let account = world.account(10_000);
    let http = &account.http;
    let passed = enlarged(http, RED).await;
    assert_eq!(passed["status"], "completed", "{passed}");
    assert_eq!(passed["output"]["metadata"]["safety"], Value::Null);

    // Nothing red has the colour of skin: only the weights can refuse it.
    let url = http.upload(film(RED), "film.mp4").await.json()["data"]["url"].clone();
    for (asks, status) in [(true, "failed"), (false, "completed")] {
        let request = json!({ "model": "video-edit-1-0", "video_url": url, "prompt": "mirrored",
            "params": { "resolution": "720p", "enable_safety_checker": asks } });
        let id = http.create(&request).await;
        let mut job = http.wait(&id).await;
        while job["status"] == "processing" {
            job = http.wait(&id).await;
        }
        assert_eq!(job["status"], status, "{job}");
        if asks {
            assert_eq!(job["error"]["code"], "content_policy_violation", "{job}");
        }
    }
}
