//! The safety check by trained weights, in a running service: what a job made is examined before anybody sees it.

use std::{path::Path, process::Command};

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
const SKIN: [u8; 3] = [224, 172, 140];

/// A service whose operator has an entry for a safety check, without its weights.
fn world(config: &str) -> World {
    let world = World::prepare(&format!("{CONFIG}{config}"));
    describe(&world);
    world
}

/// Writes the entry of a safety check.
pub(crate) fn describe(world: &World) {
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
}

/// Installs the weights of the safety check, also while the service runs.
pub(crate) fn import(world: &World) {
    let file = world.server.data().join("brought.onnx");
    std::fs::write(&file, REDNESS).unwrap();
    world.server.json(&["models", "import", file.to_str().unwrap()]);
}

async fn enlarged(http: &Http, color: [u8; 3]) -> Value {
    enlarged_picture(http, 32, |_, _| color).await
}

/// A finished job that enlarges a square picture twice.
async fn enlarged_picture(http: &Http, side: u32, color: impl Fn(u32, u32) -> [u8; 3]) -> Value {
    let mut picture = Vec::new();
    let mut encoder = png::Encoder::new(&mut picture, side, side);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    let pixels = (0..side * side).flat_map(|at| color(at % side, at / side));
    writer.write_image_data(&pixels.collect::<Vec<u8>>()).unwrap();
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
    let decisions = world.server.json(&["policy", "decisions"]);
    let decision = &decisions[0];
    assert_eq!(
        (&decision["rule"], &decision["stage"], &decision["decision"]),
        (&json!("safety"), &json!("result"), &json!("refused")),
        "{decisions}"
    );
    assert_eq!(decision["generation"], refused["id"], "{decisions}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pictures_that_a_job_uses_are_examined_before_it_runs_if_the_settings_say_so() {
    let mut world = world("[policy]\nsafety_inputs = \"on\"\n");
    import(&world);
    world.server.start();
    let account = world.account(10_000);
    let passed = enlarged(&account.http, BLUE).await;
    assert_eq!(passed["status"], "completed", "{passed}");
    let credits = account.credits().await;
    let refused = enlarged(&account.http, RED).await;
    assert_eq!(
        (&refused["error"]["code"], &refused["error"]["message"]),
        (
            &json!("content_policy_violation"),
            &json!("`image_urls` names a picture that the safety check of this service refuses")
        ),
        "{refused}"
    );
    assert_eq!(account.credits().await, credits, "a refused job costs nothing");
    let decisions = world.server.json(&["policy", "decisions"]);
    let parts = ["rule", "stage", "decision"].map(|name| decisions[0][name].as_str().unwrap());
    assert_eq!(parts, ["safety", "input", "refused"]);
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

/// The score that Python's ONNX Runtime gives to the first file of a job.
async fn score_by_python(python: &Path, graph: &Path, world: &World, job: &Value) -> f64 {
    let url = job["output"]["assets"][0]["url"].as_str().unwrap();
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    let file = world.server.data().join("examined.png");
    std::fs::write(&file, world.anonymous().get(&format!("/{path}")).await.bytes).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/service/open_nsfw.py");
    let told = Command::new(python)
        .arg(script)
        .arg(graph)
        .arg(file)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&told.stdout).trim().to_owned();
    text.parse()
        .unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&told.stderr)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_nsfw_gives_the_scores_of_its_makers_preparation_and_refuses_by_them() {
    let (Some(graph), Some(python)) = (
        atelier_testkit::open_nsfw(),
        atelier_testkit::program("onnx-python"),
    ) else {
        return;
    };
    let mut world = World::prepare(&format!("{CONFIG}[policy]\nsafety_refuse_at = 0.1\n"));
    world.server.json(&["models", "import", graph.to_str().unwrap()]);
    let probed = world.server.json(&["models", "probe", "open-nsfw"]);
    let row = &probed[0];
    assert_eq!(
        (&row["result"], &row["runtime"], &row["reason"]),
        (&json!("ok"), &json!("rten"), &Value::Null),
        "{row}"
    );
    assert!(row["memory_bytes"].as_u64().unwrap() > 24_000_000, "{row}");

    world.server.start();
    let account = world.account(10_000);
    // Its score by Lanczos is less than half of that by the linear filter of the makers.
    let squares = |x, y| {
        if (x / 2 + y / 2) % 2 == 0 {
            SKIN
        } else {
            [180, 130, 100]
        }
    };
    let passed = [
        enlarged_picture(&account.http, 320, squares).await,
        enlarged(&account.http, BLUE).await,
    ];
    let mut scores = Vec::new();
    for job in &passed {
        let safety = &job["output"]["metadata"]["safety"];
        assert_eq!(safety["weights"], "Open NSFW", "{job}");
        let (own, other) = (
            safety["score"].as_f64().unwrap(),
            score_by_python(&python, &graph, &world, job).await,
        );
        assert!((own - other).abs() < 0.005, "{own} instead of {other}");
        scores.push(own);
    }
    assert!(scores[0] > 2.0 * scores[1], "{scores:?}");

    let refused = enlarged(&account.http, SKIN).await;
    assert_eq!(
        (&refused["status"], &refused["error"]["code"]),
        (&json!("failed"), &json!("content_policy_violation")),
        "{refused}"
    );
}
