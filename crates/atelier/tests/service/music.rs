//! Music of the embedded engine, through the API.

use serde_json::{Value, json};

use crate::setup::{World, shared};

/// The default configuration, except for the limits.
const DRAFT: &str =
    "[metrics]\nlisten = \"\"\n[limits]\nrequests_per_minute = 60000\n[workers]\nconcurrency = 2\n";

/// The bytes of the only file of a job.
async fn file(world: &World, job: &Value) -> Vec<u8> {
    assert_eq!(job["status"], "completed", "{job}");
    let asset = &job["output"]["assets"][0];
    assert_eq!(asset["type"], "audio");
    let url = asset["url"].as_str().unwrap();
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    world.anonymous().get(&format!("/{path}")).await.bytes.to_vec()
}

#[tokio::test]
async fn a_song_is_made_and_a_section_of_it_is_replaced() {
    let world = shared(DRAFT);
    let account = world.account(100);
    let request = json!({
        "model": "music-gen",
        "prompt": "chiptune, 150 bpm, in C major, about a brave robot",
        "params": { "make_instrumental": true, "model_version": "v4" },
    });
    let id = account.http.create(&request).await;
    let job = account.http.wait(&id).await;
    let music = file(&world, &job).await;
    assert!(music.starts_with(b"ID3") && music.windows(12).any(|window| window == b"AI_GENERATED"));
    let told = &job["output"]["metadata"];
    assert_eq!(
        (&told["genre"], &told["key"]),
        (&json!("chiptune"), &json!("C major")),
        "{job}"
    );

    let url = account.http.upload(music, "music.mp3").await.json()["data"]["url"].clone();
    let request = json!({ "model": "music-replace-section", "audio_url": url, "prompt": "solo piano",
        "params": { "start_seconds": 4, "end_seconds": 9, "style": "classical piano" } });
    let id = account.http.create(&request).await;
    let job = account.http.wait(&id).await;
    let replaced = file(&world, &job).await;
    assert!(replaced.starts_with(b"ID3"));
    let tempo = job["output"]["metadata"]["tempo_bpm"].as_f64().unwrap();
    assert!([75.0, 150.0].iter().any(|bpm| (tempo - bpm).abs() < 1.5), "{job}");
}
