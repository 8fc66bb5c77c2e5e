//! Videos of the embedded engine, through the API.

use std::process::Command;

use serde_json::{Value, json};

use crate::setup::shared;

/// The default configuration, except for the limits.
const DRAFT: &str =
    "[metrics]\nlisten = \"\"\n[limits]\nrequests_per_minute = 60000\n[workers]\nconcurrency = 2\n";

#[tokio::test]
async fn a_prompt_becomes_a_video_with_sound() {
    let world = shared(DRAFT);
    let account = world.account(1_000);
    let request = json!({
        "model": "video-fast-2",
        "prompt": "a boat on a lake at sunset, slow pan right",
        "duration_seconds": 4,
        "aspect_ratio": "1:1",
        "params": { "resolution": "480p", "generate_audio": true, "seed": 3 },
    });
    let id = account.http.create(&request).await;
    let mut job = account.http.wait(&id).await;
    while job["status"] == "processing" {
        job = account.http.wait(&id).await;
    }
    assert_eq!(job["status"], "completed", "{job}");
    // 8 credits a second, times 1.25 for the sound.
    assert_eq!(job["credits_charged"], 40, "{job}");
    let asset = &job["output"]["assets"][0];
    assert_eq!(asset["type"], "video");
    let told = &job["output"]["metadata"];
    assert_eq!(
        (&told["width"], &told["height"], &told["frames"], &told["seed"]),
        (&json!(480), &json!(480), &json!(96), &json!(3))
    );
    assert_eq!(told["shots"][0]["camera"], json!(["PanRight"]));
    let url = asset["url"].as_str().unwrap();
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    let film = world.anonymous().get(&format!("/{path}")).await.bytes.to_vec();
    assert_eq!(&film[4..8], b"ftyp");
    let Some(ffprobe) = atelier_testkit::program("ffprobe") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("film.mp4");
    std::fs::write(&file, film).unwrap();
    let probed = Command::new(ffprobe)
        .args(["-v", "error", "-of", "json", "-show_streams", "-show_format"])
        .arg(&file)
        .output()
        .unwrap();
    let probed: Value = serde_json::from_slice(&probed.stdout).unwrap();
    let codecs: Vec<&Value> = [0, 1]
        .map(|stream| &probed["streams"][stream]["codec_name"])
        .to_vec();
    assert_eq!(codecs, [&json!("h264"), &json!("aac")]);
    let seconds: f64 = probed["format"]["duration"].as_str().unwrap().parse().unwrap();
    assert!((seconds - 4.0).abs() < 0.05, "{seconds}");
}
