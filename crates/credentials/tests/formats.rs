//! Files of every format are signed, an independent reader finds them valid, and a changed byte does not go unnoticed.
#![expect(clippy::disallowed_methods, reason = "the environment of tests")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Value, json};

use crate::support::{ask, order, program};

mod support;

const FORMATS: [&str; 10] = [
    "png", "jpg", "webp", "gif", "mp4", "mov", "m4a", "wav", "mp3", "flac",
];
/// Prints what the reference library says of a file, or its error.
const READER: &str = "\
import sys, c2pa
for path in sys.argv[1:]:
    try:
        with c2pa.Reader(path) as reader:
            print(reader.get_validation_state())
    except Exception as error:
        print(type(error).__name__)
";

/// Signs a file and returns the copy.
fn sign(path: &Path, inputs: &Value, signer: &Value) -> (Value, PathBuf) {
    let mut order = order(path, signer);
    order["inputs"] = inputs.clone();
    let to = order["to"].as_str().unwrap().into();
    (ask(&order), to)
}

fn read(path: &Path, signer: &Value) -> Value {
    ask(&json!({ "do": "read", "path": path, "own": signer["certificates"] }))
}

/// A second of a moving pattern and a tone, or what of it the format can hold.
fn media(ffmpeg: &Path, folder: &Path, extension: &str) -> PathBuf {
    let path = folder.join(format!("a.{extension}"));
    let mut command = Command::new(ffmpeg);
    command.args([
        "-v",
        "error",
        "-f",
        "lavfi",
        "-i",
        "testsrc=size=96x64:rate=10:duration=1",
    ]);
    command.args(["-f", "lavfi", "-i", "sine=440:duration=1"]);
    match extension {
        "png" | "jpg" | "webp" => command.args(["-map", "0", "-frames:v", "1"]),
        "gif" => command.args(["-map", "0"]),
        "wav" | "mp3" | "flac" | "m4a" | "ogg" => command.args(["-map", "1"]),
        _ => &mut command,
    };
    assert!(command.arg(&path).status().unwrap().success(), "{extension}");
    path
}

#[test]
fn every_format_is_signed_and_valid_for_others_and_a_changed_byte_is_noticed() {
    let (Some(ffmpeg), Some(python)) = (program("ffmpeg"), program("c2pa-python")) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let signer = ask(&json!({ "do": "identity", "name": "atelier at example.org" }));
    let mut paths = Vec::new();
    for extension in FORMATS {
        let path = media(&ffmpeg, folder.path(), extension);
        let before = read(&path, &signer);
        assert_eq!(before["state"], "none", "{extension}: {before}");
        let (answer, signed) = sign(&path, &json!([]), &signer);
        assert_eq!(answer, json!({ "signed": true, "inputs": 0 }), "{extension}");
        let found = read(&signed, &signer);
        assert_eq!(
            (&found["state"], &found["is_own"]),
            (&json!("valid"), &json!(true)),
            "{extension}: {found}"
        );
        let mut bytes = fs::read(&signed).unwrap();
        let changed = folder.path().join(format!("changed.{extension}"));
        // Content lies at the end of some formats and before the manifest in others.
        let original = fs::read(&path).unwrap();
        let part = &original[original.len() / 2..original.len() / 2 + 16];
        let at = bytes.windows(16).position(|window| window == part).unwrap();
        bytes[at] ^= 1;
        fs::write(&changed, bytes).unwrap();
        assert_eq!(read(&changed, &signer)["state"], "invalid", "{extension}");
        paths.extend([signed, changed]);
    }
    let output = Command::new(python)
        .arg("-c")
        .arg(READER)
        .args(&paths)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let said: Vec<_> = said.lines().collect();
    assert_eq!(
        said.len(),
        paths.len(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for (extension, verdicts) in FORMATS.iter().zip(said.chunks(2)) {
        assert_eq!(verdicts[0], "Valid", "{extension}");
        assert_ne!(verdicts[1], "Valid", "{extension}");
        println!("{extension}: signed {}, changed {}", verdicts[0], verdicts[1]);
    }
}

#[test]
fn an_edited_picture_keeps_the_manifest_of_the_one_before_and_other_formats_are_left_alone() {
    let Some(ffmpeg) = program("ffmpeg") else { return };
    let folder = tempfile::tempdir().unwrap();
    let signer = ask(&json!({ "do": "identity", "name": "atelier at example.org" }));
    let (_, first) = sign(&media(&ffmpeg, folder.path(), "jpg"), &json!([]), &signer);
    let inputs = json!([{ "path": first, "title": "image_url", "is_parent": true }]);
    let (answer, second) = sign(&media(&ffmpeg, folder.path(), "png"), &inputs, &signer);
    assert_eq!(answer, json!({ "signed": true, "inputs": 1 }));
    let found = read(&second, &signer);
    let actions: Vec<_> = found["actions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|act| &act["action"])
        .collect();
    assert_eq!(actions, ["c2pa.opened", "c2pa.edited"], "{found}");
    assert_eq!((&found["state"], &found["inputs"]), (&json!("valid"), &json!(1)));

    let (answer, copy) = sign(&media(&ffmpeg, folder.path(), "ogg"), &json!([]), &signer);
    assert_eq!(answer["signed"], false);
    assert!(!copy.exists());
    // Somebody else's certificate of the same name is not the service's own.
    let other = ask(&json!({ "do": "identity", "name": "atelier at example.org" }));
    assert_eq!(read(&second, &other)["is_own"], false);
}

/// Prints the last action of a file's manifest, by the reference library.
const LAST_ACTION: &str = "\
import json, sys, c2pa
with c2pa.Reader(sys.argv[1]) as reader:
    told = json.loads(reader.json())
    manifest = told['manifests'][told['active_manifest']]
    actions = next(a['data']['actions'] for a in manifest['assertions'] if a['label'].startswith('c2pa.actions'))
    print(json.dumps(actions[-1]))
";

#[test]
fn a_manifest_names_the_model_and_the_weights() {
    let (Some(ffmpeg), Some(python)) = (program("ffmpeg"), program("c2pa-python")) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let signer = ask(&json!({ "do": "identity", "name": "atelier at example.org" }));
    let mut order = order(&media(&ffmpeg, folder.path(), "png"), &signer);
    order["agent"] = json!("sdxl-1-0");
    order["description"] = json!("Made by the model sdxl-1-0 with Painter 6B");
    assert_eq!(ask(&order)["signed"], true);
    let mut output = Command::new(python);
    output.args(["-c", LAST_ACTION, order["to"].as_str().unwrap()]);
    let output = output.output().unwrap();
    let action: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    assert_eq!(
        (&action["softwareAgent"]["name"], &action["description"]),
        (
            &json!("sdxl-1-0"),
            &json!("Made by the model sdxl-1-0 with Painter 6B")
        ),
        "{action}"
    );
}

#[test]
fn damaged_files_and_wrong_requests_get_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let damaged = folder.path().join("a.png");
    fs::write(&damaged, [b"\x89PNG\r\n\x1a\n".as_slice(), &[0xff; 300]].concat()).unwrap();
    let found = ask(&json!({ "do": "read", "path": damaged }));
    assert!(
        ["none", "invalid"].contains(&found["state"].as_str().unwrap()),
        "{found}"
    );
    let missing = ask(&json!({ "do": "read", "path": folder.path().join("none.png") }));
    assert!(
        missing["error"].as_str().unwrap().contains("cannot be read"),
        "{missing}"
    );
    let unknown = ask(&json!({ "do": "paint" }));
    assert!(unknown["error"].as_str().unwrap().contains("paint"), "{unknown}");
}
