//! What weights for stable-diffusion.cpp's server do of a request, by a stand-in of the server: pictures, edits, films,
//! progress, and weights that come and are chosen while the service runs.

use std::{fs, path::Path, process::Command};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{
    Place, make,
    setup::{Account, PROGRAM, World, until},
};

const CONFIG: &str = "[metrics]\nlisten = \"\"\n[limits]\nrequests_per_minute = 60000\n\
                      [outbound]\nallow_private = true\n[devices.cpu]\nmemory_mb = 1000\n";
/// A picture of 16 by 8 pixels.
const WIDE: &[u8] = include_bytes!("wide.png");

/// A service, the stand-in as the program of a pulled runtime, and weights that it does not read.
struct Shelf {
    place: Place,
    world: World,
}

impl Shelf {
    /// The running service, which has the program and no weights.
    fn new() -> Self {
        let mut shelf = Self::empty(CONFIG);
        shelf.program("log");
        shelf.world.server.start();
        shelf
    }

    /// The service that does not run, and has no program.
    fn empty(config: &str) -> Self {
        let place = Place::new();
        fs::write(place.path("sd_server.py"), include_str!("sd_server.py")).unwrap();
        let world = World::prepare(config);
        fs::create_dir_all(world.server.data().join("models.d")).unwrap();
        Self { place, world }
    }

    /// The program, whose requests are lines in this log. Another log makes it another version.
    fn program(&self, log: &str) {
        self.program_for("cpu", log, "");
    }

    /// The program for a kind of device, which does this first.
    fn program_for(&self, device: &str, log: &str, first: &str) {
        let path = |name: &str| self.place.path(name).display().to_string();
        let (arguments, server, log) = (path("arguments"), path("sd_server.py"), path(log));
        let script =
            format!("#!/bin/sh\necho \"$@\" >> {arguments}\n{first}\nexec python3 {server} \"$4\" {log}\n");
        let archive = self.place.pack("sd-server", &script);
        let target = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
        let facts = format!("kind = \"runtime\"\ntarget = \"{target}\"");
        self.entry(
            &format!("sd-server-{device}-toy"),
            &facts,
            "runtime",
            &archive,
            "",
        );
        self.import(&archive);
    }

    fn entry(&self, name: &str, facts: &str, role: &str, file: &Path, settings: &str) {
        let bytes = fs::read(file).unwrap();
        let name_of_file = file.file_name().unwrap().to_str().unwrap();
        let text = format!(
            r#"
name = "{name}"
title = "Toy {name}"
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
{settings}
"#,
            bytes.len(),
            hex::encode(Sha256::digest(&bytes)),
        );
        let entries = self.world.server.data().join("models.d");
        fs::write(entries.join(format!("{name}.toml")), text).unwrap();
    }

    fn import(&self, file: &Path) {
        let server = &self.world.server;
        server.json(&["models", "import", file.to_str().unwrap()]);
    }

    /// Weights for a model and a task, imported while the service runs. Returns when they serve it.
    async fn weights(&self, name: &str, slug: &str, task: &str, settings: &str) -> Account {
        self.large_weights(name, (slug, task), "", settings).await
    }

    /// The same with what they need.
    async fn large_weights(
        &self,
        name: &str,
        (slug, task): (&str, &str),
        needs: &str,
        settings: &str,
    ) -> Account {
        // A file of safetensors without tensors; the spaces make files differ.
        let file = self.place.path(&format!("{name}.safetensors"));
        let header = format!("{{}}{}", " ".repeat(8 * name.len()));
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        fs::write(&file, bytes).unwrap();
        let facts = format!(
            "kind = \"model\"\nruntime = \"sd-server\"\nserves = [{{ model = \"{slug}\", task = \"{task}\" }}]\n{needs}"
        );
        self.entry(name, &facts, "diffusion_model", &file, settings);
        self.import(&file);
        let account = self.world.account(100_000);
        self.serves(&account, slug, &format!("sd-server-{name}")).await;
        account
    }

    async fn serves(&self, account: &Account, slug: &str, engine: &str) {
        until(&format!("{slug} is served by {engine}"), async || {
            let model = account.http.get(&format!("/models/{slug}")).await.json();
            model["data"]["served_by"] == engine
        })
        .await;
    }

    async fn serves_no_more(&self, account: &Account, slug: &str, engine: &str) {
        until(&format!("{slug} is not served by {engine}"), async || {
            let model = account.http.get(&format!("/models/{slug}")).await.json();
            model["data"]["served_by"] != engine
        })
        .await;
    }

    /// The last request that the program got.
    fn asked(&self) -> Value {
        let log = self.place.log("log");
        serde_json::from_str(log.last().unwrap()).unwrap()
    }
}

async fn uploaded(account: &Account) -> String {
    let answer = account.http.upload(WIDE.to_vec(), "wide.png").await.json();
    answer["data"]["url"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn weights_that_come_while_the_service_runs_serve_their_model_at_once_with_progress() {
    let shelf = Shelf::new();
    let account = shelf
        .weights(
            "toy",
            "sdxl-1-0",
            "image",
            "steps = 4\ncfg_scale = 5.0\nwidth = 512\nheight = 512",
        )
        .await;
    let request = json!({
        "model": "sdxl-1-0", "prompt": "a fox, slowly", "negative_prompt": "a dog", "steps": 4, "seed": 9,
        "size": "1024x1024",
    });
    let id = account.http.create(&request).await;
    let told = account.http.get(&format!("/generations/{id}/events")).await;
    let told = String::from_utf8(told.bytes.to_vec()).unwrap();
    let data = told.lines().filter_map(|line| line.strip_prefix("data:"));
    let data: Vec<Value> = data.map(|data| serde_json::from_str(data).unwrap()).collect();
    assert!(data.iter().any(|job| job["loading"].is_object()), "{told}");
    let progress: Vec<_> = data.iter().filter_map(|job| job["progress"].as_f64()).collect();
    assert!(progress.is_sorted(), "{progress:?}");
    let between = |least: f64, most: f64| progress.iter().any(|done| (least..most).contains(done));
    assert!(between(0.2, 0.3) && between(0.4, 0.6), "{progress:?}");
    let job = data.last().unwrap();
    assert_eq!(
        (&job["status"], &job["served_by"]),
        (&json!("completed"), &json!("sd-server-toy")),
        "{job}"
    );
    let metadata = &job["output"]["metadata"];
    assert_eq!(
        (&metadata["weights"], &metadata["weights_license"]),
        (&json!("Toy toy"), &json!("MIT"))
    );
    assert_eq!(
        metadata["not_done"],
        json!(["`size`: 512x512 instead of 1024x1024"])
    );
    let asked = shelf.asked();
    assert_eq!(
        (&asked["negative_prompt"], &asked["width"], &asked["seed"]),
        (&json!("a dog"), &json!(512), &json!(9)),
        "{asked}"
    );
    shelf.world.server.json(&["models", "rm", "toy"]);
    shelf.serves_no_more(&account, "sdxl-1-0", "sd-server-toy").await;
}

#[tokio::test]
async fn weights_that_edit_get_all_pictures_as_references_in_the_shape_of_the_first() {
    let shelf = Shelf::new();
    let settings = "references = true\nsteps = 2\ncfg_scale = 2.5";
    let account = shelf
        .weights("edit", "qwen-image-edit-2511", "image", settings)
        .await;
    let picture = uploaded(&account).await;
    let request = json!({
        "model": "qwen-image-edit-2511", "prompt": "night", "image_urls": [picture, picture], "steps": 2, "n": 2,
    });
    let job = make(&account.http, &request).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(job["output"]["assets"].as_array().unwrap().len(), 2, "{job}");
    let asked = shelf.asked();
    assert_eq!(asked["ref_images"].as_array().unwrap().len(), 2, "{asked}");
    assert!(
        asked.get("init_image").is_none() && asked.get("strength").is_none(),
        "{asked}"
    );
    assert_eq!((&asked["width"], &asked["height"]), (&json!(1456), &json!(720)));
    assert!(job["output"]["metadata"].get("not_done").is_none(), "{job}");
}

#[tokio::test]
async fn a_mask_goes_with_the_picture_that_it_belongs_to() {
    let shelf = Shelf::new();
    let account = shelf
        .weights("fill", "flux-1-fill-dev", "image", "steps = 2\nmultiple_of = 16")
        .await;
    let picture = uploaded(&account).await;
    let request = json!({
        "model": "flux-1-fill-dev", "prompt": "a door", "image_urls": [picture], "mask_url": picture, "steps": 2,
    });
    let job = make(&account.http, &request).await;
    assert_eq!(job["status"], "completed", "{job}");
    let asked = shelf.asked();
    assert!(
        asked["mask_image"].is_string() && asked["init_image"].is_string(),
        "{asked}"
    );
    assert_eq!(asked["mask_image"], asked["init_image"], "the same file");
}

#[cfg(feature = "studio")]
#[tokio::test]
async fn a_film_leaves_as_mp4_with_the_frames_that_were_asked_for() {
    let shelf = Shelf::new();
    let settings =
        "steps = 2\nfps = 4\nframes_step = 4\nmax_frames = 9\nsizes = [\"832x480\"]\nfirst_frame = true";
    let account = shelf.weights("film", "wan-2-2-ti2v-5b", "video", settings).await;
    let picture = uploaded(&account).await;
    let request = json!({
        "model": "wan-2-2-ti2v-5b", "prompt": "a fox runs", "duration": 4, "image_urls": [picture], "steps": 2,
    });
    let job = make(&account.http, &request).await;
    assert_eq!(job["status"], "completed", "{job}");
    let asked = shelf.asked();
    let sent = ["path", "video_frames", "fps", "width", "height", "output_format"].map(|name| &asked[name]);
    let expected = json!(["/sdcpp/v1/vid_gen", 9, 4, 832, 480, "avi"]);
    assert_eq!(json!(sent), expected, "{asked}");
    assert!(
        asked["init_image"].is_string() && asked.get("end_image").is_none(),
        "{asked}"
    );
    let metadata = &job["output"]["metadata"];
    let facts = ["frames", "duration_seconds", "width", "height"].map(|name| &metadata[name]);
    assert_eq!(json!(facts), json!([9, 2.25, 64, 48]), "{metadata}");
    let expected = json!([
        "`duration`: 2 instead of 4",
        "`size`: 832x480 instead of 1280x704"
    ]);
    assert_eq!(metadata["not_done"], expected);
    let url = job["output"]["assets"][0]["url"].as_str().unwrap();
    let film = reqwest::get(url).await.unwrap().bytes().await.unwrap();
    assert_eq!(&film[4..8], b"ftyp");
    assert!(film.windows(4).any(|four| four == b"avc1"), "H.264");
}

#[tokio::test]
async fn the_operator_chooses_weights_for_a_model_and_undoes_it() {
    let shelf = Shelf::new();
    let account = shelf
        .weights(
            "turbo",
            "z-image-turbo",
            "image",
            "steps = 1\nmax_steps = 2\ncfg_scale = 1.0",
        )
        .await;
    let server = &shelf.world.server;
    let chosen = server.json(&["models", "use", "turbo", "--for", "gpt-image-2-5-flare"]);
    assert_eq!(chosen["weights"], "turbo");
    let without: Vec<_> = chosen["without_effect"].as_array().unwrap().iter().collect();
    assert!(
        !without.is_empty() && !without.contains(&&json!("prompt")),
        "{chosen}"
    );
    shelf
        .serves(&account, "gpt-image-2-5-flare", "sd-server-turbo")
        .await;
    let shown = account.http.get("/models/gpt-image-2-5-flare").await.json();
    assert_eq!(
        shown["data"]["weights"]["without_effect"],
        chosen["without_effect"]
    );
    let listed = server.json(&["models", "show", "turbo"]);
    assert_eq!(listed["used_for"], json!(["gpt-image-2-5-flare"]));
    let job = make(
        &account.http,
        &json!({ "model": "gpt-image-2-5-flare", "prompt": "a fox" }),
    )
    .await;
    assert_eq!(job["served_by"], "sd-server-turbo", "{job}");
    server.json(&["models", "unuse", "gpt-image-2-5-flare"]);
    shelf
        .serves_no_more(&account, "gpt-image-2-5-flare", "sd-server-turbo")
        .await;
    let (status, _, said) = server.command(&["models", "unuse", "gpt-image-2-5-flare"]);
    assert_ne!(status, 0);
    assert!(
        said.contains("no weights were chosen for `gpt-image-2-5-flare`"),
        "{said}"
    );
    let (status, _, said) = server.command(&["models", "use", "turbo", "--for", "tts-v3"]);
    assert_ne!(status, 0);
    assert!(
        said.contains("cannot serve `tts-v3`: its tasks are image"),
        "{said}"
    );
}

#[tokio::test]
async fn a_new_version_of_the_program_makes_the_next_jobs_of_a_running_service() {
    let shelf = Shelf::new();
    let account = shelf.weights("toy", "sdxl-1-0", "image", "steps = 1").await;
    let request = json!({ "model": "sdxl-1-0", "prompt": "a fox", "steps": 1 });
    make(&account.http, &request).await;
    assert_eq!(shelf.place.log("log").len(), 1);
    shelf.program("newer");
    until("the new version makes a job", async || {
        let job = make(&account.http, &request).await;
        assert_eq!(
            (&job["status"], &job["served_by"]),
            (&json!("completed"), &json!("sd-server-toy")),
            "{job}"
        );
        assert_eq!(job["attempts"].as_array().unwrap().len(), 1, "{job}");
        !shelf.place.log("newer").is_empty()
    })
    .await;
    let loads = shelf.place.log("arguments").len();
    assert_eq!(loads, 2, "one of each version");
}

#[tokio::test]
async fn choices_that_are_made_at_the_same_time_are_all_kept() {
    let shelf = Shelf::new();
    shelf
        .weights("turbo", "z-image-turbo", "image", "steps = 1")
        .await;
    let models = [
        "flux-1-schnell",
        "flux-2-klein-4b",
        "gpt-image-2-5-flare",
        "image-gen-4",
        "qwen-image-2512",
        "sdxl-1-0",
    ];
    let server = &shelf.world.server;
    std::thread::scope(|scope| {
        for model in models {
            scope.spawn(move || server.json(&["models", "use", "turbo", "--for", model]));
        }
    });
    let shown = server.json(&["models", "show", "turbo"]);
    assert_eq!(shown["used_for"], json!(models));
}

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
    assert_ne!(job["served_by"], "sd-server-toy", "{job}");
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
    let arguments = shelf.place.log("arguments");
    assert!(arguments[0].contains("--backend gpu"), "{arguments:?}");
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
        assert_eq!(
            job["served_by"] == format!("sd-server-{name}"),
            expected.is_some(),
            "{job}"
        );
        if let Some(offloaded) = expected {
            let arguments = shelf.place.log("arguments").pop().unwrap();
            assert_eq!(arguments.contains("--offload-to-cpu"), offloaded, "{arguments}");
        }
    }
    let log = shelf.world.server.log();
    let why = "it requires 858 MiB on the device `gpu`, which has 500 MiB";
    assert!(log.contains(why), "{log}");
}
