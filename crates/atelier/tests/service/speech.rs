//! Speech of the embedded engine, through the API.

use serde_json::{Value, json};

use crate::setup::{World, shared};

/// The default configuration, except for the limits.
const DRAFT: &str =
    "[metrics]\nlisten = \"\"\n[limits]\nrequests_per_minute = 60000\n[workers]\nconcurrency = 2\n";

async fn bytes(world: &World, url: &Value) -> Vec<u8> {
    let url = url.as_str().unwrap();
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    world.anonymous().get(&format!("/{path}")).await.bytes.to_vec()
}

#[tokio::test]
async fn a_text_is_spoken_and_each_word_has_its_time_and_position() {
    let world = shared(DRAFT);
    let account = world.account(100);
    let text = "Hello there. It costs $5, caf\u{e9} included.";
    let request =
        json!({ "model": "tts-v3", "params": { "text": text, "voice": "Omar", "timestamps": true } });
    let id = account.http.create(&request).await;
    let job = account.http.wait(&id).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(job["output"]["assets"][0]["type"], "audio");
    let spoken = bytes(&world, &job["output"]["assets"][0]["url"]).await;
    assert!(spoken.starts_with(b"ID3"), "an MP3 with tags");
    let times: Value =
        serde_json::from_slice(&bytes(&world, &job["output"]["timestamps"]["url"]).await).unwrap();
    let letters: Vec<char> = text.chars().collect();
    let words = times["words"].as_array().unwrap();
    let mut before = 0.0;
    for word in words {
        let number = |name: &str| word[name].as_f64().unwrap();
        assert!(
            before <= number("start") && number("start") < number("end"),
            "{word}"
        );
        before = number("start");
        let place: String = letters[number("from") as usize..number("to") as usize]
            .iter()
            .collect();
        assert_eq!(word["word"], place.as_str(), "a word is what stands at its place");
    }
    assert_eq!(words.len(), 7, "{times}");
}

#[tokio::test]
async fn a_known_language_is_spoken_and_an_unknown_one_is_refused_with_the_known_ones() {
    let world = shared(DRAFT);
    let account = world.account(100);
    let text = "Guten Tag, wie geht es Ihnen heute?";
    let speak =
        |language: &str| json!({ "model": "tts-v3", "params": { "text": text, "language_code": language } });
    let refused = account.http.post("/generations", &speak("xx")).await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (400, "invalid_request")
    );
    for part in ["language_code", "xx", "de", "zh"] {
        assert!(refused.message().contains(part), "{}", refused.message());
    }
    if atelier_testkit::built("atelier-espeak").is_none() {
        return;
    }
    let id = account.http.create(&speak("de")).await;
    let job = account.http.wait(&id).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(job["output"]["metadata"]["language"], "de");
}
