//! The six picture tools through the API: a tool edits an uploaded picture, and the test checks the file.

use atelier_retouch::decode::{self, Picture};
use atelier_retouch::encode::{Provenance, SourceType, write_png};
use serde_json::{Value, json};

use crate::setup::{Account, World, shared};

/// The default configuration, except for the limits.
const DRAFT: &str =
    "[metrics]\nlisten = \"\"\n[limits]\nrequests_per_minute = 60000\n[workers]\nconcurrency = 2\n";

/// A striped ball in front of a soft background, and the pixels of the ball.
fn subject(width: usize, height: usize) -> (Picture, Vec<bool>) {
    let mut picture = Picture::filled(width, height, [0, 0, 0, 255]);
    let mut mask = Vec::new();
    for (at, pixel) in picture.rgba.chunks_exact_mut(4).enumerate() {
        let (x, y) = (
            (at % width) as f32 / width as f32,
            (at / width) as f32 / height as f32,
        );
        let is_ball = (x - 0.5).hypot(y - 0.55) < 0.3;
        let soft = [150.0 + 40.0 * x, 170.0 + 30.0 * y, 200.0];
        let striped = if ((12.0 * y) as u32).is_multiple_of(2) {
            [170.0, 40.0, 30.0]
        } else {
            [140.0, 60.0, 20.0]
        };
        for (to, from) in pixel.iter_mut().zip(if is_ball { striped } else { soft }) {
            *to = from as u8;
        }
        mask.push(is_ball);
    }
    (picture, mask)
}

fn png(picture: &Picture) -> Vec<u8> {
    let file = tempfile::NamedTempFile::new().unwrap();
    let provenance = Provenance {
        tool: "test",
        source: SourceType::Composite,
    };
    write_png(file.path(), picture, provenance).unwrap();
    std::fs::read(file.path()).unwrap()
}

async fn uploaded(account: &Account, bytes: Vec<u8>, name: &str) -> Value {
    let answer = account.http.upload(bytes, name).await.json();
    assert!(answer["data"]["url"].is_string(), "{answer}");
    answer["data"]["url"].clone()
}

/// The picture of a completed generation, and the generation.
async fn made(world: &World, account: &Account, request: &Value) -> (Picture, Value) {
    let id = account.http.create(request).await;
    let job = account.http.wait(&id).await;
    assert_eq!(
        (&job["status"], &job["served_by"]),
        (&json!("completed"), &json!("draft")),
        "{job}"
    );
    let url = job["output"]["assets"][0]["url"].as_str().unwrap();
    let path = url.strip_prefix(&world.server.origin()).unwrap().to_owned();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(
        file.path(),
        world.anonymous().get(&format!("/{path}")).await.bytes,
    )
    .unwrap();
    (decode::read(file.path()).unwrap(), job)
}

#[tokio::test]
async fn each_tool_edits_an_uploaded_picture() {
    let world = shared(DRAFT);
    let account = world.account(200);
    let (picture, mask) = subject(192, 160);
    let url = uploaded(&account, png(&picture), "figure.png").await;

    let (large, job) = made(
        &world,
        &account,
        &json!({ "model": "upscale", "image_urls": [url], "factor": 2 }),
    )
    .await;
    assert_eq!((large.width, large.height), (384, 320));
    assert_eq!(job["credits_charged"], 3);

    let still = json!({ "model": "enhancer", "image_urls": [url], "strength": 0 });
    assert_eq!(made(&world, &account, &still).await.0.rgba, picture.rgba);

    let (cut, _) = made(
        &world,
        &account,
        &json!({ "model": "background-removal", "image_urls": [url] }),
    )
    .await;
    let (mut both, mut either) = (0.0, 0.0);
    for (pixel, truth) in cut.rgba.chunks_exact(4).zip(&mask) {
        both += f32::from(u8::from(pixel[3] > 127 && *truth));
        either += f32::from(u8::from(pixel[3] > 127 || *truth));
    }
    assert!(both / either > 0.85, "{}", both / either);

    let lit = |side: &str| json!({ "model": "relight", "image_urls": [url], "direction": side });
    let lean = |picture: &Picture| -> i64 {
        let side = |i: usize| if i % 192 < 96 { -1 } else { 1 };
        let pixels = picture.rgba.chunks_exact(4).enumerate();
        pixels.map(|(i, p)| side(i) * i64::from(p[1])).sum()
    };
    let (left, right) = (
        made(&world, &account, &lit("left")).await.0,
        made(&world, &account, &lit("right")).await.0,
    );
    assert!(lean(&left) < lean(&right));

    let round = json!({ "model": "camera-angle", "image_urls": [url], "azimuth": 20 });
    let (seen, _) = made(&world, &account, &round).await;
    assert_eq!((seen.width, seen.height), (192, 160));
    assert_ne!(seen.rgba, picture.rgba);

    let mut hole = Picture::filled(192, 160, [0, 0, 0, 255]);
    for y in 20..100 {
        hole.rgba[4 * (192 * y + 8)..4 * (192 * y + 88)].fill(255);
    }
    let mask_url = uploaded(&account, png(&hole), "mask.png").await;
    let fill = json!({
        "model": "inpaint", "image_urls": [url], "mask_url": mask_url,
        "prompt": "a red balloon", "seed": 4,
    });
    let (filled, job) = made(&world, &account, &fill).await;
    for ((new, old), mask) in filled
        .rgba
        .chunks_exact(4)
        .zip(picture.rgba.chunks_exact(4))
        .zip(hole.rgba.chunks_exact(4))
    {
        assert!(
            mask[0] == 255 || new == old,
            "a pixel outside the mask has changed"
        );
    }
    assert_eq!(job["output"]["metadata"]["unknown"], json!([]), "{job}");
    assert!(
        !job["output"]["metadata"]["drawn"].as_array().unwrap().is_empty(),
        "{job}"
    );
}

#[tokio::test]
async fn a_hostile_picture_fails_its_job_with_invalid_input_and_costs_nothing() {
    let world = shared(DRAFT);
    let account = world.account(50);
    let before = account.credits().await;
    let whole = png(&subject(64, 48).0);
    let mut vast = whole.clone();
    vast[16..24].copy_from_slice(&[0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff]);
    let mut broken = whole.clone();
    let middle = broken.len() / 2;
    broken[middle..middle + 40].fill(0xaa);
    for (name, bytes) in [
        ("short.png", whole[..whole.len() / 2].to_vec()),
        ("vast.png", vast),
        ("broken.png", broken),
    ] {
        let url = uploaded(&account, bytes, name).await;
        for model in ["relight", "background-removal"] {
            let id = account
                .http
                .create(&json!({ "model": model, "image_urls": [url] }))
                .await;
            let job = account.http.wait(&id).await;
            assert_eq!(
                (&job["status"], &job["error"]["code"]),
                (&json!("failed"), &json!("invalid_input")),
                "{model} of {name}: {job}"
            );
            assert_eq!(account.credits().await, before, "{job}");
        }
    }
}
