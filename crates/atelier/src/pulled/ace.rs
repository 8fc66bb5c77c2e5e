//! acestep.cpp's server: music by ACE-Step.

use atelier_weights::{Entry, Installed};
use serde_json::{Map, Value, json};

/// The value of an entry's `runtime`, and the name of the profile.
pub(super) const RUNTIME: &str = "acestep-cpp";
/// The name of the program.
pub(super) const FILE: &str = "ace-server";
pub(super) const MUSIC: &str = "music";
pub(super) const HEALTH: &str = "/health";
/// The most steps that a request sends.
const MOST_STEPS: u64 = 100;
/// Sound is decoded in pieces of 20 s: by default they are twice as long, and take 7 GB.
const PIECES: [&str; 2] = ["--vae-chunk", "512"];
/// The program ends if lyrics and outline have more tokens together. By default it is half of this, which lyrics of
/// 4,096 characters can exceed in some scripts.
const TOKENS: [&str; 2] = ["--max-seq", "16384"];

/// The program's variable for the device that it must use. It ends if it does not find it, but only in its first job.
const BACKEND: &str = "GGML_BACKEND";
/// The devices by what the name of the runtime's entry contains.
const BACKENDS: [(&str, &str); 4] = [
    ("-cpu-", "CPU"),
    ("-vulkan-", "Vulkan0"),
    ("-cuda-", "CUDA0"),
    ("-rocm-", "ROCm0"),
];

/// The profile for a task, if it can be asked for.
pub(super) fn profile(task: &str) -> Option<&'static str> {
    (task == MUSIC).then_some(RUNTIME)
}

/// The arguments: the program finds weights by itself in their folder, so they must all be there.
pub(super) fn arguments(entry: &Entry, model: &Installed) -> Option<Vec<String>> {
    if !entry.uses.is_empty() {
        return None;
    }
    let folder = model.folder.display().to_string();
    let arguments = [
        &["--models", &folder, "--host", "127.0.0.1", "--port", "{port}"],
        &PIECES[..],
        &TOKENS,
    ];
    Some(arguments.concat().into_iter().map(str::to_owned).collect())
}

pub(super) fn variable(runtime: &Entry) -> Option<(String, String)> {
    let named = |(part, _): &&(&str, &str)| runtime.name.contains(part);
    let (_, backend) = BACKENDS.iter().find(named)?;
    Some((BACKEND.to_owned(), (*backend).to_owned()))
}

/// Returns the changes of the entry's settings to requests.
pub(super) fn body(entry: &Entry) -> Value {
    let whole = |name: &str| entry.settings.get(name).and_then(Value::as_u64);
    let mut steps = json!({ "from": "steps", "most": whole("max_steps").unwrap_or(MOST_STEPS) });
    if let Some(native) = whole("steps") {
        steps["native"] = native.into();
    }
    let mut body = Map::from_iter([("inference_steps".to_owned(), steps)]);
    // Distilled weights follow the prompt without guidance.
    let scale = entry.settings.get("cfg_scale").and_then(Value::as_f64);
    if scale == Some(1.0) {
        body.insert("guidance_scale".to_owned(), json!({ "drop": true }));
    }
    Value::Object(body)
}
