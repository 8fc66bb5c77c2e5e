//! Trained voices in a running service: they speak what they can, and leave the rest to the draft. Without the cache
//! that `scripts/fetch-weights` fills, this test says so and checks nothing; CI has it.

use atelier_testkit::Http;
use serde_json::{Value, json};

use crate::setup::{World, until};

const CONFIG: &str = "[metrics]\nlisten = \"\"\n[limits]\nrequests_per_minute = 60000\n";

async fn speak(http: &Http, params: &Value) -> Value {
    let request = json!({ "model": "tts-v3", "params": params });
    let job = http.wait(&http.create(&request).await).await;
    assert_eq!(job["status"], "completed", "{job}");
    job
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn imported_voices_speak_their_languages_and_the_draft_speaks_the_others() {
    let (Some(voices), Some(_)) = (
        atelier_testkit::trained_voices(),
        atelier_testkit::built("atelier-espeak"),
    ) else {
        return;
    };
    let mut world = World::prepare(CONFIG);
    let voices = voices.to_str().unwrap();
    world
        .server
        .json(&["models", "import", voices, "--accept-licence"]);
    world.server.start();
    let account = world.account(1_000);
    let model = account.http.get("/models/tts-v3").await.json()["data"].clone();
    assert_eq!(
        (&model["served_by"], &model["weights"]["name"]),
        (&json!("weights"), &json!("kokoro-82m-int8"))
    );

    let text = "Hello there. How are you today?";
    let params = json!({ "text": text, "voice": "Rosalind", "timestamps": true });
    let job = speak(&account.http, &params).await;
    let told = &job["output"]["metadata"];
    assert_eq!(
        (
            &job["served_by"],
            &told["voice"],
            &told["language"],
            &told["word_times"]
        ),
        (
            &json!("weights"),
            &json!("bf_emma"),
            &json!("en-gb"),
            &json!("network")
        ),
        "{job}"
    );
    assert!(job["output"]["timestamps"]["url"].is_string(), "{job}");

    // A language that the weights lack, and one that only a woman speaks.
    for (text, language, voice) in [
        ("Guten Tag, wie geht es Ihnen?", "de", "Rosalind"),
        ("Il fait beau.", "fr", "Omar"),
    ] {
        let params = json!({ "text": text, "language_code": language, "voice": voice });
        let job = speak(&account.http, &params).await;
        let told = &job["output"]["metadata"];
        assert_eq!(
            (&job["served_by"], &told["voice"], &told["language"]),
            (&json!("draft"), &json!(voice), &json!(language)),
            "{job}"
        );
    }

    #[cfg(target_os = "linux")]
    a_killed_process_leaves_its_job_to_the_draft(&world, &account.http).await;
}

#[cfg(target_os = "linux")]
async fn a_killed_process_leaves_its_job_to_the_draft(world: &World, http: &Http) {
    let text = "She opened the window and looked at the people in the street. ".repeat(20);
    let request = json!({ "model": "tts-v3", "params": { "text": text, "voice": "Wren" } });
    let id = http.create(&request).await;
    let path = format!("/generations/{id}");
    // It has begun to speak.
    until("the network is at work", async || {
        http.get(&path).await.json()["data"]["progress"]
            .as_f64()
            .unwrap_or(0.0)
            > 0.0
    })
    .await;
    for host in crate::drawing::children(world.server.pid()) {
        // Those that are idle start again when they are needed.
        std::process::Command::new("kill")
            .args(["-KILL", &host.to_string()])
            .status()
            .unwrap();
    }
    let job = http.wait(&id).await;
    assert_eq!(
        (&job["status"], &job["served_by"]),
        (&json!("completed"), &json!("draft")),
        "{job}"
    );
}
