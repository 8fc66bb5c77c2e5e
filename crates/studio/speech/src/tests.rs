use std::fs;

use super::*;

fn request(params: Value) -> Request {
    let Value::Object(params) = params else {
        unreachable!()
    };
    Request {
        task: "speech".to_owned(),
        params,
        inputs: vec![],
        seed: 1,
        out: PathBuf::new(),
    }
}

/// A folder with a `lock.json` and without files.
fn folder(lock: &Value) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lock.json"), lock.to_string()).unwrap();
    folder
}

fn lock(runtime: &str, family: &str) -> Value {
    json!({
        "entry": {
            "title": "A voice", "runtime": runtime, "uses": [],
            "settings": {
                "family": family, "sample_rate": 22_050, "voice": "en_US-joe-medium", "language": "en_US",
                "noise_scale": 0.667, "length_scale": 1.0, "noise_w": 0.8,
            },
        },
        "files": [{ "role": "graph", "name": "voice.onnx", "sha256": "", "size": 1 }],
        "origins": [],
    })
}

#[test]
fn a_folder_is_checked_by_its_lock_file() {
    let missing = folder(&lock("speech", "piper"));
    let why = check(missing.path()).unwrap().unwrap_err();
    assert!(why.ends_with("voice.onnx is missing"), "{why}");
    fs::write(missing.path().join("voice.onnx"), "").unwrap();
    assert_eq!(check(missing.path()), Some(Ok(())));
    let unknown = check(folder(&lock("speech", "kitten")).path())
        .unwrap()
        .unwrap_err();
    assert!(unknown.contains("unknown variant `kitten`"), "{unknown}");
    assert_eq!(check(folder(&lock("onnx", "piper")).path()), None);
    assert_eq!(check(tempfile::tempdir().unwrap().path()), None);
}

#[test]
fn weights_that_cannot_be_loaded_leave_the_job_to_the_next_route() {
    let models = tempfile::tempdir().unwrap();
    let asked = request(json!({ "text": "Hello" }));
    let error = run(models.path(), "nowhere", &asked, &mut |_| {}).unwrap_err();
    assert!(
        matches!(&error, Error::Failed(why) if why.contains("nowhere/lock.json")),
        "{error}"
    );
}

#[test]
fn parameters_without_effect_are_listed() {
    let asked = request(json!({
        "text": "Hello", "prompt": "Hello", "voice": "Wren", "stability": 0.5, "speed": 1, "timestamps": true,
        "output_format": "mp3",
        "$target": "kokoro", "language_code": null,
    }));
    assert_eq!(without_effect(&asked, kokoro::HEEDED), ["stability"]);
    let asked = request(json!({ "text": "Hello", "output_format": "wav", "noise_scale": 0.3 }));
    assert_eq!(
        without_effect(&asked, kokoro::HEEDED),
        ["noise_scale", "output_format"]
    );
    assert_eq!(without_effect(&asked, piper::HEEDED), ["output_format"]);
}

#[test]
fn the_speed_has_limits() {
    let percent = |params: Value| (100.0 * speed(&request(params), 0.5..=2.0)).round() as u32;
    for (asked, spoken) in [(0.25, 50), (1.25, 125), (2.0, 200), (4.0, 200)] {
        assert_eq!(percent(json!({ "speed": asked })), spoken);
    }
    assert_eq!(percent(json!({})), 100);
}
