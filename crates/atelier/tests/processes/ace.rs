//! Weights for acestep.cpp's server, by a stand-in of the server: songs, what they cannot follow, progress.

use std::fs;

use serde_json::{Value, json};

use crate::{
    make,
    setup::{Account, until},
    shelf::{CONFIG, Shelf},
};

const ENGINE: &str = "acestep-cpp-song";

/// A service with the stand-in and weights for songs.
async fn shelf() -> (Shelf, Account) {
    let mut shelf = Shelf::empty(CONFIG);
    fs::write(shelf.place.path("ace_server.py"), include_str!("ace_server.py")).unwrap();
    let path = |name: &str| shelf.place.path(name).display().to_string();
    let (arguments, server, log) = (path("arguments"), path("ace_server.py"), path("log"));
    let script = format!("#!/bin/sh\necho \"$@\" >> {arguments}\nexec python3 {server} \"$6\" {log}\n");
    shelf.runtime("acestep-cpp-cpu-toy", "ace-server", &script);
    shelf.world.server.start();
    let settings = "steps = 4\nmax_steps = 20\ncfg_scale = 1.0";
    let serves = ("ace-step-1-5", "music");
    let account = shelf
        .weights_for("acestep-cpp", "song", serves, "", settings)
        .await;
    (shelf, account)
}

/// The requests that the program got: those to `/lm` and `/synth`.
fn asked(shelf: &Shelf) -> (Vec<Value>, Vec<Value>) {
    let log = shelf.place.log("log");
    let log = log
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    log.partition(|asked| asked["path"] == "/lm")
}

#[tokio::test]
async fn a_song_is_composed_and_then_rendered_with_progress() {
    let (shelf, account) = shelf().await;
    let request = json!({
        "model": "ace-step-1-5", "prompt": "calm piano, slowly", "tags": "jazz", "lyrics": "[verse]\nSnow",
        "duration": 10, "bpm": 90, "key_scale": "C major", "time_signature": 3, "language_code": "en", "seed": 5,
        "steps": 4, "guidance_scale": 9, "output_format": "flac",
    });
    let id = account.http.create(&request).await;
    let told = account.http.get(&format!("/generations/{id}/events")).await;
    let told = String::from_utf8(told.bytes.to_vec()).unwrap();
    let data = told.lines().filter_map(|line| line.strip_prefix("data:"));
    let data: Vec<Value> = data.map(|data| serde_json::from_str(data).unwrap()).collect();
    let progress: Vec<_> = data.iter().filter_map(|job| job["progress"].as_f64()).collect();
    assert!(
        progress.iter().any(|done| (0.2..0.8).contains(done)),
        "{progress:?}"
    );
    let job = data.last().unwrap();
    assert_eq!(
        (&job["status"], &job["served_by"]),
        (&json!("completed"), &json!(ENGINE)),
        "{job} {}",
        shelf.world.server.log()
    );
    let metadata = &job["output"]["metadata"];
    assert_eq!(
        metadata["without_effect"],
        json!(["guidance_scale"]),
        "{metadata}"
    );
    assert_eq!(
        metadata["not_done"],
        json!(["`output_format`: wav instead of flac"])
    );
    let (composed, rendered) = asked(&shelf);
    let expected = json!({
        "path": "/lm", "caption": "calm piano, slowly, jazz", "lyrics": "[verse]\nSnow", "duration": 10, "bpm": 90,
        "keyscale": "C major", "timesignature": "3", "vocal_language": "en", "seed": 5, "lm_seed": 5,
        "inference_steps": 4, "output_format": "wav16",
    });
    assert_eq!(composed, [expected]);
    assert_eq!(rendered.len(), 1, "{rendered:?}");
    assert_eq!(
        (
            &rendered[0]["audio_codes"],
            &rendered[0]["lyrics"],
            &rendered[0]["duration"]
        ),
        (&json!("1,2,3"), &json!("[verse]\nSnow"), &json!(10)),
        "what the language model made"
    );
    let assets = job["output"]["assets"].as_array().unwrap();
    assert_eq!(assets.len(), 1, "the latents are no file: {job}");
    let song = reqwest::get(assets[0]["url"].as_str().unwrap())
        .await
        .unwrap()
        .bytes()
        .await
        .unwrap();
    assert_eq!((&song[..4], &song[8..12]), (&b"RIFF"[..], &b"WAVE"[..]));
    // Marks are added to it.
    assert!(song.len() >= 44 + 10 * 48_000 * 4, "ten seconds: {}", song.len());
    let folder = shelf.world.server.data().join("models/song");
    let arguments = shelf.place.log("arguments").pop().unwrap();
    assert!(
        arguments.starts_with(&format!("--models {} ", folder.display())),
        "{arguments}"
    );
}

#[tokio::test]
async fn weights_for_songs_serve_another_model_if_the_operator_says_so() {
    let (shelf, account) = shelf().await;
    let server = &shelf.world.server;
    let chosen = server.json(&["models", "use", "song", "--for", "music-gen"]);
    let without: Vec<&str> = (chosen["without_effect"].as_array().unwrap().iter())
        .map(|name| name.as_str().unwrap())
        .collect();
    for name in ["title", "vocal_gender", "model_version", "persona_id"] {
        assert!(without.contains(&name), "{without:?}");
    }
    for name in [
        "prompt",
        "style",
        "custom_mode",
        "make_instrumental",
        "negative_tags",
    ] {
        assert!(!without.contains(&name), "{without:?}");
    }
    shelf.serves(&account, "music-gen", ENGINE).await;
    for (request, caption, lyrics) in [
        (
            json!({ "prompt": "a song about snow" }),
            "a song about snow",
            None,
        ),
        (
            json!({ "prompt": "rain on a roof", "make_instrumental": true }),
            "rain on a roof",
            Some("[Instrumental]"),
        ),
        (
            json!({ "prompt": "[verse] Snow", "custom_mode": true, "style": "folk", "title": "Snow" }),
            "folk",
            Some("[verse] Snow"),
        ),
    ] {
        let mut request = request;
        request["model"] = json!("music-gen");
        let job = make(&account.http, &request).await;
        assert_eq!(job["served_by"], ENGINE, "{job}");
        let (composed, _) = asked(&shelf);
        let last = composed.last().unwrap();
        assert_eq!(
            (last["caption"].as_str(), last["lyrics"].as_str()),
            (Some(caption), lyrics),
            "{last}"
        );
    }
    server.json(&["models", "rm", "song", "--force"]);
    until("they serve no more", async || {
        let model = account.http.get("/models/ace-step-1-5").await.json();
        model["data"]["served_by"] != ENGINE
    })
    .await;
}
