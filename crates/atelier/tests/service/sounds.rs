//! Sounds, stems and voices of the embedded engines, through the API.

use serde_json::{Value, json};

use crate::setup::{Account, World, shared};

/// The default configuration, except for the limits.
const DRAFT: &str =
    "[metrics]\nlisten = \"\"\n[limits]\nrequests_per_minute = 60000\n[workers]\nconcurrency = 2\n";

/// A completed generation and the bytes of its files.
async fn made(world: &World, account: &Account, request: &Value) -> (Value, Vec<Vec<u8>>) {
    let id = account.http.create(request).await;
    let job = account.http.wait(&id).await;
    assert_eq!(
        (&job["status"], &job["served_by"]),
        (&json!("completed"), &json!("draft")),
        "{job}"
    );
    let mut files = Vec::new();
    for asset in job["output"]["assets"].as_array().unwrap() {
        assert_eq!(asset["type"], "audio", "{job}");
        let path = asset["url"]
            .as_str()
            .unwrap()
            .strip_prefix(&world.server.origin())
            .unwrap()
            .to_owned();
        files.push(world.anonymous().get(&format!("/{path}")).await.bytes.to_vec());
    }
    let engine = job["output"]["metadata"]["engine"].as_str().unwrap();
    assert!(engine.contains("draft"), "{job}");
    (job, files)
}

async fn uploaded(account: &Account, bytes: &[u8]) -> Value {
    account.http.upload(bytes.to_vec(), "sound.mp3").await.json()["data"]["url"].clone()
}

#[tokio::test]
async fn a_prompt_becomes_a_sound_that_is_separated_into_stems() {
    let world = shared(DRAFT);
    let account = world.account(200);
    let request = json!({
        "model": "stable-audio-3-sfx",
        "prompt": "a dog barks twice in the rain, then a door slams",
        "params": { "duration": 4 },
    });
    let (job, files) = made(&world, &account, &request).await;
    assert!(files[0].starts_with(b"ID3") && files[0].windows(12).any(|window| window == b"AI_GENERATED"));
    let told = &job["output"]["metadata"];
    assert_eq!(
        told["understood"],
        json!(["dog", "rain", "twice", "door slam"]),
        "{job}"
    );
    assert_eq!(told["duration_seconds"], json!(4.0));

    let url = uploaded(&account, &files[0]).await;
    let (job, stems) = made(
        &world,
        &account,
        &json!({ "model": "demucs-v4", "audio_url": url }),
    )
    .await;
    assert_eq!(stems.len(), 4, "{job}");
    assert!(stems.iter().all(|stem| stem.starts_with(b"RIFF")));

    let request =
        json!({ "model": "mmaudio-large", "prompt": "waves on a beach", "params": { "duration": 2 } });
    let (job, _) = made(&world, &account, &request).await;
    assert_eq!(
        job["output"]["metadata"]["understood"],
        json!(["surf", "beach"]),
        "{job}"
    );
}

#[tokio::test]
async fn a_recording_is_spoken_by_another_voice_and_its_voice_reads_another_text() {
    let world = shared(DRAFT);
    let account = world.account(200);
    let request =
        json!({ "model": "tts-v3", "text": "The boat leaves at noon, and it never waits.", "voice": "Omar" });
    let id = account.http.create(&request).await;
    let job = account.http.wait(&id).await;
    let path = job["output"]["assets"][0]["url"]
        .as_str()
        .unwrap()
        .strip_prefix(&world.server.origin())
        .unwrap();
    let spoken = world.anonymous().get(&format!("/{path}")).await.bytes.to_vec();
    let url = uploaded(&account, &spoken).await;

    let (job, _) = made(
        &world,
        &account,
        &json!({ "model": "chatterbox-voice-conversion", "audio_url": url }),
    )
    .await;
    let pitch = &job["output"]["metadata"]["pitch_hz"];
    assert!(
        (80.0..115.0).contains(&pitch["before"].as_f64().unwrap()),
        "{job}"
    );
    assert!(
        (150.0..200.0).contains(&pitch["after"].as_f64().unwrap()),
        "{job}"
    );

    for model in ["f5-tts", "indextts-2-5", "cosyvoice3-0-5b"] {
        let request = json!({ "model": model, "text": "Nobody expected the letter.", "audio_url": url });
        let (job, _) = made(&world, &account, &request).await;
        let after = job["output"]["metadata"]["pitch_hz"]["after"].as_f64().unwrap();
        assert!((80.0..115.0).contains(&after), "{model}: {job}");
    }
}
