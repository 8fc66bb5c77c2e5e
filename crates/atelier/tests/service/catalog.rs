//! The catalog in service: what the embedded engine makes of every model that it stands in for.

use serde_json::{Map, Value, json};

use crate::setup::{World, shared};

const DRAFT: &str =
    "[metrics]\nlisten = \"\"\n[limits]\nrequests_per_minute = 60000\ngenerations_per_minute = 60000\n";

/// A grey picture, or a mask of its shape, white in the middle.
fn picture(mask: bool) -> Vec<u8> {
    const SIDE: u32 = 128;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, SIDE, SIDE);
    encoder.set_color(png::ColorType::Grayscale);
    let value = |at: u32| {
        let (x, y) = (at % SIDE, at / SIDE);
        let middle = (48..80).contains(&x) && (48..80).contains(&y);
        match (mask, middle) {
            (true, true) => 255,
            (true, false) => 0,
            (false, _) => (64 + x) as u8,
        }
    };
    let pixels: Vec<u8> = (0..SIDE * SIDE).map(value).collect();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&pixels).unwrap();
    writer.finish().unwrap();
    bytes
}

/// What a described model needs, and the smallest size that it offers.
fn request(model: &Value, image: &str, mask: &str) -> Map<String, Value> {
    let mut request = Map::from_iter([("model".to_owned(), model["slug"].clone())]);
    for parameter in model["parameters"].as_array().unwrap() {
        let name = parameter["name"].as_str().unwrap();
        let value = match name {
            "prompt" => json!("a lighthouse by the sea"),
            "mask_url" if parameter["required"] == true => json!(mask),
            "size" | "resolution" => {
                let options = parameter["options"].as_array().unwrap();
                options.iter().min_by_key(|option| area(option)).unwrap().clone()
            }
            _ if parameter["required"] == true && parameter["type"] == "multi_select" => json!([image]),
            _ => continue,
        };
        request.insert(name.to_owned(), value);
    }
    request
}

/// The pixels of `1024x768`; more than any for what names none.
fn area(option: &Value) -> u64 {
    let (width, height) = sides(option).unwrap_or((1 << 16, 1 << 16));
    width * height
}

fn sides(option: &Value) -> Option<(u64, u64)> {
    let (width, height) = option.as_str()?.split_once('x')?;
    Some((width.parse().ok()?, height.parse().ok()?))
}

#[tokio::test]
async fn every_listed_image_model_makes_a_picture_of_the_size_asked_for_and_says_it_is_a_draft() {
    let world = shared(DRAFT);
    let account = world.account(10_000);
    let image = account.http.upload(picture(false), "image.png").await.json();
    let mask = account.http.upload(picture(true), "mask.png").await.json();
    let [image, mask] = [image, mask].map(|upload| upload["data"]["url"].as_str().unwrap().to_owned());
    let listed = account.http.get("/models?type=image").await.json();
    let mut jobs = Vec::new();
    for summary in listed["data"].as_array().unwrap() {
        let slug = summary["slug"].as_str().unwrap();
        let model = account.http.get(&format!("/models/{slug}")).await.json()["data"].clone();
        assert_eq!(
            (&model["served_by"], &model["draft"]),
            (&json!("draft"), &json!(true)),
            "{slug}"
        );
        if model["vendor"].is_string() {
            let told = summary["description"].as_str().unwrap();
            assert!(told.contains("Served as a draft"), "{slug}: {told}");
            assert!(model["license"]["commercial"].is_string(), "{slug}");
        }
        let request = request(&model, &image, &mask);
        let id = account.http.create(&Value::Object(request.clone())).await;
        jobs.push((slug.to_owned(), request, id));
    }
    assert!(jobs.len() >= 23, "{}", jobs.len());
    for (slug, request, id) in jobs {
        let job = account.http.wait(&id).await;
        assert_eq!(
            (&job["status"], &job["type"], &job["served_by"]),
            (&json!("completed"), &json!("image"), &json!("draft")),
            "{slug}: {job}"
        );
        assert!(job["credits_charged"].as_u64().unwrap() >= 1, "{slug}");
        let assets = job["output"]["assets"].as_array().unwrap();
        assert_eq!((assets.len(), &assets[0]["type"]), (1, &json!("image")), "{slug}");
        let metadata = &job["output"]["metadata"];
        assert!(
            metadata["engine"].as_str().unwrap().contains("draft"),
            "{slug}: {metadata}"
        );
        let (width, height, software) = read(&world, assets[0]["url"].as_str().unwrap()).await;
        assert!(software.contains("atelier draft"), "{slug}: {software}");
        if let Some(asked) = request.get("size").and_then(sides) {
            assert_eq!((width, height), asked, "{slug}");
        }
    }
}

/// Width and height of a picture, and the program that it names.
async fn read(world: &World, url: &str) -> (u64, u64, String) {
    let path = url.strip_prefix(&world.server.origin()).unwrap().to_owned();
    let bytes = world.anonymous().get(&format!("/{path}")).await.bytes;
    let reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .unwrap();
    let info = reader.info();
    let software = info
        .uncompressed_latin1_text
        .iter()
        .filter(|text| text.keyword == "Software")
        .map(|text| text.text.clone())
        .collect();
    (info.width.into(), info.height.into(), software)
}

#[tokio::test]
async fn without_drafts_only_what_a_real_engine_serves_is_listed() {
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
