//! Requests to weights for stable-diffusion.cpp's server, by a stand-in of the server: pictures, edits, films,
//! progress, and weights that come and are chosen while the service runs.

use serde_json::{Value, json};

use crate::{
    make,
    setup::{Account, until},
    shelf::Shelf,
};

/// A picture of 16 by 8 pixels.
const WIDE: &[u8] = include_bytes!("wide.png");

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
    let out = shelf.place.path("out").display().to_string();
    let server = &shelf.world.server;
    let (_, said, _) = server.command(&[
        "generate", "sdxl-1-0", "a fox", "--param", "steps=1", "--out", &out,
    ]);
    assert!(said.contains("\nby    Toy toy (sd-server-toy)\n"), "{said}");
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
    // Otherwise the memory for attention grows with the square of the frames, and their decoder takes tens of GB.
    let arguments = shelf.place.log("arguments");
    assert!(
        arguments[0].contains("--diffusion-fa --vae-conv-direct"),
        "{arguments:?}"
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

#[cfg(feature = "studio")]
#[tokio::test]
async fn a_film_with_sound_keeps_it_unless_its_entry_says_that_it_is_silent() {
    let shelf = Shelf::new();
    for role in ["audio_vae", "embeddings_connectors"] {
        let file = shelf.file(role);
        shelf.entry(role, "kind = \"part\"", role, &file, "");
        shelf.import(&file);
    }
    let parts = "uses = [\"audio_vae\", \"embeddings_connectors\"]";
    for (name, slug, sound) in [
        ("talkie", "video-gen-1-0", true),
        ("silent", "wan-2-2-ti2v-5b", false),
    ] {
        let settings = format!("steps = 1\nfps = 8\nframes_step = 8\nsound = {sound}");
        let account = shelf.large_weights(name, (slug, "video"), parts, &settings).await;
        let job = make(
            &account.http,
            &json!({ "model": slug, "prompt": "a fox", "duration": 4 }),
        )
        .await;
        assert_eq!(job["served_by"], format!("sd-server-{name}"), "{job}");
        let arguments = shelf.place.log("arguments").pop().unwrap();
        assert!(arguments.contains("--embeddings-connectors "), "{arguments}");
        assert_eq!(arguments.contains("--audio-vae "), sound, "{arguments}");
        assert_eq!(shelf.asked()["video_frames"], 33);
        let url = job["output"]["assets"][0]["url"].as_str().unwrap();
        let film = reqwest::get(url).await.unwrap().bytes().await.unwrap();
        let has = |name: &[u8; 4]| film.windows(4).any(|four| four == name);
        assert_eq!((has(b"avc1"), has(b"mp4a")), (true, sound));
        assert_eq!(job["output"]["metadata"]["duration_seconds"], 4.125, "{job}");
    }
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
