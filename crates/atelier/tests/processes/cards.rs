//! Pulled programs for graphics cards: those that find none, and weights that their card cannot hold.

use std::{fs, process::Command};

use serde_json::{Value, json};

use crate::{
    make,
    setup::PROGRAM,
    shelf::{CONFIG, Shelf},
};

#[tokio::test]
async fn a_program_for_a_graphics_card_that_finds_none_serves_nothing_and_says_so() {
    let config = CONFIG.replace("[devices.cpu]", "[devices.gpu]");
    let mut shelf = Shelf::empty(&config);
    let environment = shelf.place.path("environment").display().to_string();
    let first = format!("env > {environment}\necho 'ggml_vulkan: No devices found.' >&2");
    shelf.program_for("vulkan", "log", &first);
    let server = &mut shelf.world.server;
    let mut serve = Command::new(PROGRAM);
    serve.args(["serve", "--listen", &server.address()]);
    serve.arg("--data").arg(server.data());
    serve.env("VK_DRIVER_FILES", "/etc/vulkan/toy.json");
    serve.env("A_SECRET", "hidden");
    server.start_as(serve);
    let account = shelf.weights("toy", "sdxl-1-0", "image", "steps = 1").await;
    let request = json!({ "model": "sdxl-1-0", "prompt": "a fox", "steps": 1 });
    let job = make(&account.http, &request).await;
    assert_eq!(job["attempts"][0]["engine"], "sd-server-toy", "{job}");
    assert_ne!(made_by(&job), Some("sd-server-toy"), "{job}");
    assert!(shelf.place.log("log").is_empty(), "it got no request");
    let log = shelf.world.server.log();
    assert!(
        log.contains("it found no device to compute on and would use the CPU"),
        "{log}"
    );
    let passed = fs::read_to_string(environment).unwrap();
    assert!(
        passed.contains("VK_DRIVER_FILES=/etc/vulkan/toy.json\n"),
        "{passed}"
    );
    assert!(!passed.contains("hidden"), "{passed}");
    // Drivers keep what they have compiled there.
    let shaders = shelf.world.server.data().join("shaders");
    for variable in ["__GL_SHADER_DISK_CACHE_PATH", "MESA_SHADER_CACHE_DIR"] {
        let line = format!("{variable}={}\n", shaders.display());
        assert!(passed.contains(&line), "{passed}");
    }
    assert!(shaders.is_dir());
    let arguments = shelf.place.log("arguments");
    assert!(
        arguments[0].contains("--backend gpu --diffusion-fa --vae-conv-direct"),
        "{arguments:?}"
    );
}

#[tokio::test]
async fn weights_that_their_card_cannot_hold_stay_in_the_main_memory_if_their_entry_allows_it() {
    let config = format!("{CONFIG}[devices.gpu]\nmemory_mb = 500\n");
    let mut shelf = Shelf::empty(&config);
    shelf.program_for("vulkan", "log", "");
    shelf.world.server.start();
    let whole = "needs = { memory_mb = 400, vram_mb = 100 }";
    let large = "needs = { memory_mb = 900, vram_mb = 100 }";
    let too_large = "needs = { memory_mb = 900 }";
    for (name, slug, needs, expected) in [
        ("small", "sdxl-1-0", whole, Some(false)),
        ("large", "z-image-turbo", large, Some(true)),
        ("huge", "qwen-image-2512", too_large, None),
    ] {
        let account = shelf
            .large_weights(name, (slug, "image"), needs, "steps = 1")
            .await;
        let job = make(
            &account.http,
            &json!({ "model": slug, "prompt": "a fox", "steps": 1 }),
        )
        .await;
        let engine = format!("sd-server-{name}");
        assert_eq!(made_by(&job) == Some(&engine), expected.is_some(), "{job}");
        if let Some(offloaded) = expected {
            let arguments = shelf.place.log("arguments").pop().unwrap();
            assert_eq!(arguments.contains("--offload-to-cpu"), offloaded, "{arguments}");
        }
    }
    let log = shelf.world.server.log();
    let why = "it requires 858 MiB on the device `gpu`, which has 500 MiB";
    assert!(log.contains(why), "{log}");
}

/// The engine that made a job's result. Without the embedded engines there may be none.
fn made_by(job: &Value) -> Option<&str> {
    job["served_by"].as_str().filter(|_| job["status"] == "completed")
}
