//! What the tasks `watermark` and `watermark-reading` do with WebP files.
#![allow(clippy::unwrap_used, reason = "test helpers may fail the test")]

use std::{fs, path::Path};

use atelier_protocol::{Input, Request, Response};
use atelier_tasks::run;
use image::RgbaImage;
use serde_json::{Value, json};
use webp::Encoder;

const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
const ID: &str = "019ab000b0c07d0e8f00112233445566";
const MILLISECONDS: u64 = 0x019a_b000_b0c0;
const PICTURE: &[u8] = include_bytes!("../../../../../docs/images/lighthouse.jpg");

fn picture() -> RgbaImage {
    image::load_from_memory(PICTURE).unwrap().to_rgba8()
}

fn webp(picture: &RgbaImage, is_lossless: bool, quality: f32) -> Vec<u8> {
    let encoder = Encoder::from_rgba(picture, picture.width(), picture.height());
    encoder.encode_simple(is_lossless, quality).unwrap().to_vec()
}

fn asked(task: &str, file: &Path, out: &Path) -> Response {
    let request = Request {
        task: task.into(),
        params: json!({ "key": KEY, "id": ID }).as_object().cloned().unwrap(),
        inputs: vec![Input {
            parameter: "file".into(),
            path: file.into(),
            media_type: "image/webp".into(),
            seconds: None,
        }],
        seed: 0,
        out: out.into(),
    };
    run(&request, &mut |_| {}).unwrap()
}

/// What became of a file, and the marked file.
fn marked(file: &[u8]) -> (Value, Option<Vec<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.webp");
    fs::write(&path, file).unwrap();
    let mut response = asked("watermark", &path, folder.path());
    let marked = response.files.pop().map(|file| fs::read(file).unwrap());
    (response.metadata["watermark"].clone(), marked)
}

/// The time in the mark of a file.
fn found(file: &[u8]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.webp");
    fs::write(&path, file).unwrap();
    asked("watermark-reading", &path, folder.path()).metadata["found"]["milliseconds"].clone()
}

fn decoded(file: &[u8]) -> RgbaImage {
    image::load_from_memory(file).unwrap().to_rgba8()
}

fn psnr(one: &RgbaImage, other: &RgbaImage) -> f64 {
    assert_eq!(one.dimensions(), other.dimensions());
    let pairs = one.as_raw().iter().zip(other.as_raw());
    let squares: u64 = pairs.map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2)).sum();
    // Alpha does not differ, and does not count.
    let values = one.as_raw().len() as f64 * 0.75;
    10.0 * (255.0_f64.powi(2) * values / squares.max(1) as f64).log10()
}

#[test]
fn a_lossy_file_tells_its_origin_even_after_it_was_compressed_again() {
    let before = webp(&picture(), false, 85.0);
    assert_eq!(found(&before), Value::Null);
    let (said, after) = marked(&before);
    assert_eq!(said, "written");
    let after = after.unwrap();
    assert_eq!(&after[12..16], b"VP8 ");
    assert_eq!(found(&after), MILLISECONDS);
    assert_eq!(found(&webp(&decoded(&after), false, 70.0)), MILLISECONDS);
    let psnr = psnr(&decoded(&before), &decoded(&after));
    assert!(psnr > 38.0, "{psnr}");
    let growth = after.len() as f64 / before.len() as f64;
    assert!(growth < 3.0, "{growth}");
}

#[test]
fn a_file_without_loss_loses_nothing_but_what_the_mark_changes() {
    let before = webp(&picture(), true, 75.0);
    let (said, after) = marked(&before);
    assert_eq!(said, "written");
    let after = after.unwrap();
    assert_eq!(&after[12..16], b"VP8L");
    assert_eq!(found(&after), MILLISECONDS);
    let psnr = psnr(&decoded(&before), &decoded(&after));
    assert!(psnr > 40.0, "{psnr}");
}

#[test]
fn a_transparent_file_stays_transparent_where_it_was() {
    let mut picture = picture();
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        pixel[3] = if (x / 64 + y / 64) % 4 == 0 { 0 } else { 255 };
    }
    let before = webp(&picture, false, 85.0);
    let (said, after) = marked(&before);
    assert_eq!(said, "written");
    let after = after.unwrap();
    assert_eq!(found(&after), MILLISECONDS);
    let alpha = |file: &[u8]| decoded(file).pixels().map(|pixel| pixel[3]).collect::<Vec<_>>();
    assert!(alpha(&before) == alpha(&after));
}

#[test]
fn a_damaged_file_is_not_changed() {
    let whole = webp(&picture(), false, 85.0);
    let (said, after) = marked(&whole[..whole.len() / 2]);
    assert_eq!((said, after), (json!("unsupported"), None));
}
