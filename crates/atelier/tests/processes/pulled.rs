//! Pulled weights that a pulled program runs.

use std::{fs, path::Path};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{Place, make, setup::World};

/// The worker as the program of a pulled runtime, with weights that it does not read.
#[tokio::test]
async fn pulled_weights_serve_their_model_by_a_pulled_program() {
    let place = Place::new();
    let script = format!(
        "#!/bin/sh\necho \"$@\" > {0}\npwd > {1}\nexec python3 {2} \"$4\" {3} 0.1\n",
        place.path("arguments").display(),
        place.path("folder").display(),
        place.path("worker.py").display(),
        place.path("log").display()
    );
    let archive = place.pack("sd-server", &script);
    // A file of safetensors without tensors.
    let weights = place.path("toy.safetensors");
    fs::write(&weights, b"\x02\0\0\0\0\0\0\0{}").unwrap();
    let mut world = World::prepare("[metrics]\nlisten = \"\"\n[limits]\nrequests_per_minute = 60000\n");
    let entries = world.server.data().join("models.d");
    fs::create_dir_all(&entries).unwrap();
    let write = |name: &str, facts: &str, role: &str, file: &Path| {
        let bytes = fs::read(file).unwrap();
        let name_of_file = file.file_name().unwrap().to_str().unwrap();
        let text = format!(
            r#"
name = "{name}"
title = "Toy"
summary = "For tests."
status = "unverified"
missing = "It is a toy."
licence = {{ id = "MIT", page = "https://example.com/licence", commercial = "yes" }}
{facts}
[[files]]
role = "{role}"
name = "{name_of_file}"
size = {}
sha256 = "{}"
url = "https://github.com/a/b/releases/download/v1/{name_of_file}"
[settings]
steps = 3
cfg_scale = 1.5
multiple_of = 16
"#,
            bytes.len(),
            hex::encode(Sha256::digest(&bytes)),
        );
        fs::write(entries.join(format!("{name}.toml")), text).unwrap();
    };
    let target = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
    let runtime = format!("kind = \"runtime\"\ntarget = \"{target}\"");
    write("sd-server-cpu-toy", &runtime, "runtime", &archive);
    let model = "kind = \"model\"\nruntime = \"sd-server\"\n\
                 serves = [{ model = \"flux-1-schnell\", task = \"image\" }, { model = \"sora\", task = \"video\" }]";
    write("toy", model, "diffusion_model", &weights);
    for file in [&archive, &weights] {
        world.server.json(&["models", "import", file.to_str().unwrap()]);
    }
    world.server.start();
    let account = world.account(1_000);
    let job = make(
        &account.http,
        &json!({ "model": "flux-1-schnell", "prompt": "a fox", "aspect_ratio": "16:9" }),
    )
    .await;
    let served = (&job["status"], &job["served_by"]);
    assert_eq!(served, (&json!("completed"), &json!("sd-server-toy")), "{job}");
    let arguments = fs::read_to_string(place.path("arguments")).unwrap();
    let file = world.server.data().join("models/toy/toy.safetensors");
    assert!(
        arguments.contains(&format!("--diffusion-model {}", file.display())),
        "{arguments}"
    );
    let folder = fs::canonicalize(world.server.data().join("models/sd-server-cpu-toy")).unwrap();
    assert_eq!(
        place.log("folder"),
        [folder.display().to_string()],
        "the real program reads all below its folder for each job"
    );
    let log = place.log("log");
    let asked = log.iter().find_map(|line| line.strip_prefix("body "));
    let asked: Value = serde_json::from_str(asked.unwrap()).unwrap();
    assert_eq!(asked["sample_params"]["guidance"], json!({ "txt_cfg": 1.5 }));
    assert_eq!(
        asked["sample_params"]["sample_steps"], 3,
        "the weights' own, not the model's default: {asked}"
    );
    assert_eq!(
        (&asked["width"], &asked["height"]),
        (&json!(1360), &json!(768)),
        "{asked}"
    );
}
