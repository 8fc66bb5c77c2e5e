//! The catalog in use: the embedded engines serve every model.

use std::{path::Path, process::Command};

use atelier_testkit::{Http, program};
use serde_json::{Map, Value, json};

use crate::setup::{World, shared};

const DRAFT: &str =
    "[metrics]\nlisten = \"\"\n[limits]\nrequests_per_minute = 60000\ngenerations_per_minute = 60000\n";

/// The URLs of input files.
#[derive(Debug)]
struct Inputs {
    image: String,
    mask: String,
    video: String,
    /// A video of a person who speaks.
    speaker: String,
    audio: String,
}

impl Inputs {
    /// A drawn portrait with a mask of its size, a second of video, spoken words, and the portrait that speaks.
    async fn make(world: &World, http: &Http, ffmpeg: &Path) -> Self {
        // With a seed, because a face may be drawn that nothing finds.
        let portrait = json!({
            "model": "sdxl-turbo", "prompt": "a portrait of a woman", "size": "512x512", "seed": 1,
        });
        let words = json!({
            "model": "tts-v3",
            "text": "The harbour is quiet tonight. A small light moves across the water.",
        });
        let (image, audio) = (first_file(http, &portrait).await, first_file(http, &words).await);
        let folder = tempfile::tempdir().unwrap();
        let work = |name: &str| folder.path().join(name).display().to_string();
        let (seen, said) = (work("seen.png"), work("said.mp3"));
        std::fs::write(&seen, download(world, &image).await).unwrap();
        std::fs::write(&said, download(world, &audio).await).unwrap();
        let pattern = ["-f", "lavfi", "-i", "testsrc=size=192x128:rate=12:duration=1"];
        let tone = ["-f", "lavfi", "-i", "sine=220:duration=1"];
        let video = film(ffmpeg, &work("film.mp4"), &[pattern, tone].concat());
        let still = ["-loop", "1", "-r", "12", "-t", "1", "-i", &seen, "-i", &said];
        let small = ["-t", "1", "-vf", "scale=192:192"];
        let speaker = film(ffmpeg, &work("speaker.mp4"), &[&still[..], &small].concat());
        Self {
            image,
            mask: stored(http, picture_of_a_mask(), "mask.png").await,
            video: stored(http, video, "film.mp4").await,
            speaker: stored(http, speaker, "speaker.mp4").await,
            audio,
        }
    }

    /// A file that a parameter accepts.
    fn for_parameter(&self, model: &Value, parameter: &Value) -> &str {
        let kind = parameter["accepts"][0].as_str().unwrap_or("image");
        match kind.split('/').next() {
            _ if parameter["name"] == "mask_url" => &self.mask,
            Some("video") if has_people(model) => &self.speaker,
            Some("video") => &self.video,
            Some("audio") => &self.audio,
            _ => &self.image,
        }
    }
}

/// A video that ffmpeg makes from these inputs.
fn film(ffmpeg: &Path, path: &str, inputs: &[&str]) -> Vec<u8> {
    let made = Command::new(ffmpeg)
        .args(["-v", "error"])
        .args(inputs)
        .args(["-pix_fmt", "yuv420p", "-shortest", path])
        .status();
    assert!(made.unwrap().success());
    std::fs::read(path).unwrap()
}

fn does(model: &Value, task: &str) -> bool {
    let tasks = model["capabilities"]["tasks"].as_array();
    tasks.is_some_and(|tasks| tasks.iter().any(|of| of == task))
}

/// Whether the videos of a model show a person who speaks.
fn has_people(model: &Value) -> bool {
    ["lip-sync", "dubbing", "motion-transfer"]
        .iter()
        .any(|task| does(model, task))
}

async fn stored(http: &Http, bytes: Vec<u8>, name: &str) -> String {
    let upload = http.upload(bytes, name).await.json();
    upload["data"]["url"].as_str().unwrap().to_owned()
}

async fn first_file(http: &Http, request: &Value) -> String {
    let job = http.wait(&http.create(request).await).await;
    let url = job["output"]["assets"][0]["url"].as_str();
    url.unwrap_or_else(|| panic!("{job}")).to_owned()
}

/// A mask that is white in the middle.
fn picture_of_a_mask() -> Vec<u8> {
    const SIDE: u32 = 512;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, SIDE, SIDE);
    encoder.set_color(png::ColorType::Grayscale);
    let is_middle = |at: u32| (192..320).contains(&at);
    let value = |at: u32| u8::from(is_middle(at % SIDE) && is_middle(at / SIDE)) * 255;
    let pixels: Vec<u8> = (0..SIDE * SIDE).map(value).collect();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&pixels).unwrap();
    writer.finish().unwrap();
    bytes
}

/// The required parameters of a model, with the smallest size, a square shape and the shortest duration.
fn request(model: &Value, inputs: &Inputs) -> Map<String, Value> {
    let slug = &model["slug"];
    let mut request = Map::from_iter([("model".to_owned(), slug.clone())]);
    for parameter in model["parameters"].as_array().unwrap() {
        let name = parameter["name"].as_str().unwrap();
        let is_needed = parameter["required"] == true || is_one_of_several_needed(model, parameter);
        let value = match name {
            "prompt" => json!("a lighthouse by the sea"),
            "size" | "resolution" => least(parameter, size),
            "target_language" => json!("en"),
            // An unmarked object must stand out, which nothing in the test video does.
            "mask_url" if slug == "void-video-inpaint" => json!(inputs.mask),
            // Square ones have the fewest pixels.
            "aspect_ratio" if offers(parameter, "1:1") => json!("1:1"),
            "duration" | "num_frames" => least(parameter, |option| option.as_f64().unwrap_or(f64::MAX)),
            _ if is_needed && !parameter["accepts"].is_null() => files(model, parameter, inputs),
            _ if is_needed && parameter["default"].is_null() => plainest(model, parameter),
            _ => continue,
        };
        request.insert(name.to_owned(), value);
    }
    request
}

fn offers(parameter: &Value, option: &str) -> bool {
    let options = parameter["options"].as_array();
    options.is_some_and(|options| options.contains(&json!(option)))
}

/// Whether a rule requires one of several parameters and this is the one to choose: pictures if possible.
fn is_one_of_several_needed(model: &Value, parameter: &Value) -> bool {
    let rules = model["rules"].as_array().unwrap();
    let sentences = rules.iter().filter_map(Value::as_str);
    let mut asked = sentences.filter(|rule| rule.starts_with("At least one of "));
    asked.any(|rule| {
        let named: Vec<&str> = rule.split('`').skip(1).step_by(2).collect();
        let chosen = named
            .iter()
            .find(|name| name.starts_with("image"))
            .or(named.first());
        chosen.is_some_and(|chosen| parameter["name"] == **chosen)
    })
}

fn files(model: &Value, parameter: &Value, inputs: &Inputs) -> Value {
    let file = json!(inputs.for_parameter(model, parameter));
    if parameter["type"] != "multi_select" {
        return file;
    }
    let least = schema_of(model, parameter)["minItems"]
        .as_u64()
        .unwrap_or(1)
        .max(1);
    Value::Array(vec![file; least as usize])
}

/// An allowed value.
fn plainest(model: &Value, parameter: &Value) -> Value {
    let longest = schema_of(model, parameter)["maxLength"]
        .as_u64()
        .unwrap_or(u64::MAX);
    match parameter["type"].as_str().unwrap() {
        "number" => json!(parameter["min"].as_f64().unwrap_or(2.0)),
        "select" => parameter["options"][0].clone(),
        _ if longest <= 3 => json!("de"),
        _ => json!("The sea is calm tonight."),
    }
}

fn schema_of<'a>(model: &'a Value, parameter: &Value) -> &'a Value {
    &model["json_schema"]["properties"][parameter["name"].as_str().unwrap()]
}

/// The smallest option, or the smallest number.
fn least(parameter: &Value, measure: impl Fn(&Value) -> f64) -> Value {
    let options = parameter["options"].as_array();
    let least = options.and_then(|options| {
        options
            .iter()
            .min_by(|one, other| measure(one).total_cmp(&measure(other)))
    });
    let least = least.or(Some(&parameter["min"]).filter(|least| !least.is_null()));
    least.unwrap_or(&parameter["default"]).clone()
}

/// The number of pixels of `1024x768`, or the square of `480p`, `1K` or `2`.
fn size(option: &Value) -> f64 {
    if let Some((width, height)) = sides(option) {
        return (width * height) as f64;
    }
    let text = option.as_str().map_or_else(|| option.to_string(), str::to_owned);
    let number = text.trim_end_matches(|last: char| !last.is_ascii_digit());
    let thousands = if text.ends_with(['k', 'K']) { 1_000.0 } else { 1.0 };
    let side = number
        .parse::<f64>()
        .map_or(f64::MAX, |number| number * thousands);
    side * side
}

fn sides(option: &Value) -> Option<(u64, u64)> {
    let (width, height) = option.as_str()?.split_once('x')?;
    Some((width.parse().ok()?, height.parse().ok()?))
}

/// The kind of file that a model makes.
fn kind(model: &Value) -> &str {
    match model["type"].as_str().unwrap() {
        "tool" => "image",
        kind => kind,
    }
}

#[tokio::test]
async fn every_listed_model_makes_a_draft_of_its_kind_without_configuration() {
    let Some(ffmpeg) = program("ffmpeg") else { return };
    let world = shared(DRAFT);
    let account = world.account(100_000);
    let inputs = Inputs::make(&world, &account.http, &ffmpeg).await;
    let listed = account.http.get("/models?limit=200").await.json();
    let mut jobs = Vec::new();
    // Videos take longest and have the longest time limit, so they are last and nothing waits for them.
    let mut summaries = listed["data"].as_array().unwrap().clone();
    summaries.sort_by_key(|summary| summary["type"] == "video");
    for summary in &summaries {
        let slug = summary["slug"].as_str().unwrap();
        let model = account.http.get(&format!("/models/{slug}")).await.json()["data"].clone();
        // The network that finds subjects is part of the program.
        let is_trained = slug == "background-removal";
        assert_eq!(
            (&model["served_by"], &model["draft"], &model["weights"]["title"]),
            (
                &json!("draft"),
                &json!(!is_trained),
                &if is_trained {
                    json!("U-2-Net small")
                } else {
                    json!(null)
                }
            ),
            "{slug}"
        );
        if model["vendor"].is_string() && !is_trained {
            let told = summary["description"].as_str().unwrap();
            assert!(told.contains("Served as a draft"), "{slug}: {told}");
            assert!(model["license"]["commercial"].is_string(), "{slug}");
        }
        let request = Value::Object(request(&model, &inputs));
        let answer = account.http.post("/generations", &request).await;
        assert_eq!(
            answer.status,
            201,
            "{request}: {}",
            String::from_utf8_lossy(&answer.bytes)
        );
        let id = answer.json()["data"]["id"].as_str().unwrap().to_owned();
        jobs.push((model, request, id));
    }
    let all = atelier_catalog::Catalog::builtin().unwrap();
    assert_eq!(jobs.len(), all.iter().len());
    let mut failed = Vec::new();
    for (model, request, id) in jobs {
        let mut job = account.http.wait(&id).await;
        while job["status"] == "processing" {
            job = account.http.wait(&id).await;
        }
        if job["status"] != "completed" {
            failed.push(format!("{request}: {job}"));
            continue;
        }
        let slug = model["slug"].as_str().unwrap();
        assert_eq!(
            (&job["type"], &job["served_by"]),
            (&json!(kind(&model)), &json!("draft")),
            "{slug}: {job}"
        );
        assert!(job["credits_charged"].as_u64().unwrap() >= 1, "{slug}");
        let asset = &job["output"]["assets"][0];
        assert_eq!(asset["type"], json!(kind(&model)), "{slug}");
        let metadata = &job["output"]["metadata"];
        assert!(
            metadata["engine"].as_str().unwrap().contains("draft"),
            "{slug}: {metadata}"
        );
        let bytes = download(&world, asset["url"].as_str().unwrap()).await;
        let says = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
        assert!(
            says(b"atelier draft"),
            "{slug}: its file does not say what made it"
        );
        if let (Some(asked), "image") = (request.get("size").and_then(sides), kind(&model)) {
            assert_eq!(png_size(&bytes), asked, "{slug}");
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

async fn download(world: &World, url: &str) -> Vec<u8> {
    let path = url.strip_prefix(&world.server.origin()).unwrap().to_owned();
    world.anonymous().get(&format!("/{path}")).await.bytes.to_vec()
}

fn png_size(bytes: &[u8]) -> (u64, u64) {
    let reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .unwrap();
    (reader.info().width.into(), reader.info().height.into())
}

#[tokio::test]
async fn the_packages_for_python_and_typescript_have_the_catalogs_parameters() {
    let Some(python) = program("python3") else { return };
    let world = shared(DRAFT);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../clients/generate");
    let checked = Command::new(python)
        .arg(script)
        .arg("--check")
        .env("ATELIER_URL", world.server.origin())
        .env("ATELIER_API_KEY", world.account(1).key)
        .output()
        .unwrap();
    assert!(
        checked.status.success(),
        "{}",
        String::from_utf8_lossy(&checked.stderr)
    );
}

#[tokio::test]
async fn without_drafts_only_models_with_an_engine_are_listed() {
    let settings = format!("{DRAFT}[catalog]\ndraft = \"off\"\n");
    let world = World::start(&format!(
        "routes = [{{ model = \"flux-1-dev\", engine = \"echo\" }}]\n{settings}"
    ));
    let account = world.account(100);
    let listed = account.http.get("/models").await.json();
    assert_eq!(listed["meta"]["total"], 1, "{listed}");
    let model = account.http.get("/models/flux-1-dev").await.json()["data"].clone();
    assert_eq!(
        (&model["served_by"], &model["draft"]),
        (&json!("echo"), &json!(false))
    );
    assert!(!model["description"].as_str().unwrap().contains("draft"));
    assert_eq!(account.http.get("/models/image-gen-4").await.status, 404);
}
