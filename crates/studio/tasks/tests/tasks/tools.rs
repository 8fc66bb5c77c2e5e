//! The six picture tools, from a request to the file: what they keep, what they change, and what they refuse.

#![expect(clippy::unwrap_used, reason = "a failed setup fails the test")]

use std::io::Cursor;
use std::path::{Path, PathBuf};

use atelier_protocol::{Error, Input, Request, Response};
use atelier_retouch::decode::{self, Picture};
use atelier_retouch::encode::{Provenance, SourceType, write_png};
use atelier_retouch::samples::subject;
use atelier_tasks::run;
use image::{DynamicImage, ImageFormat, RgbImage, RgbaImage};
use serde_json::{Value, json};
use tempfile::TempDir;

const TOOLS: [&str; 6] = [
    "upscale",
    "enhancer",
    "background-removal",
    "inpaint",
    "relight",
    "camera-angle",
];

/// A folder for one request's files.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Runs a tool on a picture; `inpaint` gets a mask with a white square in the middle.
    fn run(&self, tool: &str, params: &Value, picture: &Path) -> Result<Response, Error> {
        let input = |parameter: &str, path: &Path| Input {
            parameter: parameter.into(),
            path: path.into(),
            media_type: "image/png".into(),
            seconds: None,
        };
        let mut inputs = vec![input("image_urls", picture)];
        if tool == "inpaint" {
            let shape = decode::read(picture).map_or((64, 64), |p| (p.width, p.height));
            let mask = self.0.path().join("mask.png");
            save(&mask, &square(shape.0, shape.1));
            inputs.push(input("mask_url", &mask));
        }
        let out = self.0.path().join("out");
        std::fs::create_dir_all(&out).unwrap();
        let request = Request {
            task: tool.into(),
            params: params.as_object().unwrap().clone(),
            inputs,
            seed: 1,
            out,
        };
        run(&request, &mut |_| {})
    }

    /// The picture that a tool makes, and its response.
    fn made(&self, tool: &str, params: &Value, picture: &Path) -> (Picture, Response) {
        let response = self
            .run(tool, params, picture)
            .unwrap_or_else(|error| panic!("{tool}: {error}"));
        assert_eq!(response.files.len(), 1, "{tool}");
        (decode::read(&response.files[0]).unwrap(), response)
    }
}

/// White in the centre; on each side, a quarter of the width and height is black.
fn square(width: usize, height: usize) -> Picture {
    let mut mask = Picture::filled(width, height, [0, 0, 0, 255]);
    for y in height / 4..height - height / 4 {
        for x in width / 4..width - width / 4 {
            mask.rgba[4 * (y * width + x)..4 * (y * width + x) + 3].fill(255);
        }
    }
    mask
}

fn save(path: &Path, picture: &Picture) {
    let provenance = Provenance {
        tool: "test",
        source: SourceType::Composite,
    };
    write_png(path, picture, provenance).unwrap();
}

/// A figure in front of a blurred background.
fn figure() -> Picture {
    subject(160, 128, 2).0
}

fn encoded(picture: &Picture, format: ImageFormat) -> Vec<u8> {
    let (w, h) = (picture.width as u32, picture.height as u32);
    let rgba = RgbaImage::from_raw(w, h, picture.rgba.clone()).unwrap();
    let image = match format {
        ImageFormat::Jpeg => DynamicImage::ImageRgb8(DynamicImage::ImageRgba8(rgba).to_rgb8()),
        _ => DynamicImage::ImageRgba8(rgba),
    };
    let mut out = Cursor::new(Vec::new());
    image.write_to(&mut out, format).unwrap();
    out.into_inner()
}

/// The mean difference of the colours of two pictures, in steps of a byte.
fn difference(a: &Picture, b: &Picture) -> f64 {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let sum: u64 = a
        .rgba
        .iter()
        .zip(&b.rgba)
        .map(|(a, b)| u64::from(a.abs_diff(*b)))
        .sum();
    sum as f64 / a.rgba.len() as f64
}

#[test]
fn every_tool_keeps_the_size_and_tools_read_every_format() {
    let picture = figure();
    let formats = [
        ImageFormat::Png,
        ImageFormat::Jpeg,
        ImageFormat::WebP,
        ImageFormat::Gif,
    ];
    // All tools read files by the same code, so one format for each is enough.
    for (tool, format) in TOOLS.into_iter().zip(formats.into_iter().cycle()) {
        let folder = Folder::new();
        let path = folder.file("picture", &encoded(&picture, format));
        let (made, response) = folder.made(tool, &json!({}), &path);
        let factor = if tool == "upscale" { 2 } else { 1 };
        assert_eq!(
            (made.width, made.height),
            (160 * factor, 128 * factor),
            "{tool} of {format:?}"
        );
        assert_eq!(response.metadata["width"], 160 * factor);
        let bytes = std::fs::read(&response.files[0]).unwrap();
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{tool}");
        assert!(
            String::from_utf8_lossy(&bytes).contains("digitalsourcetype"),
            "{tool}"
        );
    }
}

#[test]
fn a_photograph_with_rotation_metadata_comes_out_upright() {
    let jpeg = encoded(&figure(), ImageFormat::Jpeg);
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    exif.extend([6, 0, 0, 0, 0, 0, 0, 0]);
    let mut turned = jpeg[..2].to_vec();
    turned.extend([0xff, 0xe1]);
    turned.extend(u16::try_from(exif.len() + 2).unwrap().to_be_bytes());
    turned.extend(exif);
    turned.extend(&jpeg[2..]);
    let folder = Folder::new();
    let path = folder.file("turned.jpg", &turned);
    for tool in TOOLS {
        let factor = if tool == "upscale" { 2 } else { 1 };
        let (made, _) = folder.made(tool, &json!({}), &path);
        assert_eq!((made.width, made.height), (128 * factor, 160 * factor), "{tool}");
    }
}

#[test]
fn transparency_and_the_colour_profile_are_kept() {
    let mut picture = figure();
    for pixel in picture.rgba.chunks_exact_mut(4).take(160 * 24) {
        pixel[3] = 0;
    }
    let mut profile = vec![3_u8; 256];
    profile[16..20].copy_from_slice(b"RGB ");
    picture.icc = Some(profile);
    let folder = Folder::new();
    let path = folder.0.path().join("clear.png");
    save(&path, &picture);
    for tool in TOOLS {
        let (made, _) = folder.made(tool, &json!({}), &path);
        assert_eq!(made.icc, picture.icc, "{tool}");
        if tool != "camera-angle" {
            let factor = if tool == "upscale" { 2 } else { 1 };
            assert_eq!(
                made.pixel(80 * factor, 4 * factor)[3],
                0,
                "{tool} keeps transparent pixels"
            );
        }
        if tool != "background-removal" {
            assert_eq!(made.pixel(made.width / 2, made.height * 3 / 4)[3], 255, "{tool}");
        }
    }
}

#[test]
fn requests_for_no_change_return_the_picture() {
    let picture = figure();
    let folder = Folder::new();
    let path = folder.0.path().join("picture.png");
    save(&path, &picture);
    for (tool, params) in [
        ("enhancer", json!({ "strength": 0 })),
        ("relight", json!({ "intensity": 0, "ambient": 1 })),
        (
            "camera-angle",
            json!({ "azimuth": 0, "elevation": 0, "roll": 0, "zoom": 1 }),
        ),
    ] {
        assert_eq!(folder.made(tool, &params, &path).0, picture, "{tool}");
    }
}

#[test]
fn words_move_the_light_and_the_camera_and_unknown_ones_are_reported() {
    let folder = Folder::new();
    let path = folder.0.path().join("picture.png");
    save(&path, &figure());
    let (plain, _) = folder.made("relight", &json!({}), &path);
    let (warm, told) = folder.made(
        "relight",
        &json!({ "prompt": "a sunset from the right, with zebras" }),
        &path,
    );
    assert!(difference(&plain, &warm) > 4.0);
    let redness = |picture: &Picture| -> f64 {
        let pixels = picture.rgba.chunks_exact(4);
        pixels.map(|p| f64::from(p[0]) - f64::from(p[2])).sum::<f64>() / (160.0 * 128.0)
    };
    assert!(
        redness(&warm) > redness(&plain) + 10.0,
        "{} {}",
        redness(&warm),
        redness(&plain)
    );
    assert_eq!(told.metadata["unknown"], json!(["zebras"]));
    let (moved, told) = folder.made(
        "camera-angle",
        &json!({ "prompt": "20 degrees from the left" }),
        &path,
    );
    assert_eq!(
        moved,
        folder.made("camera-angle", &json!({ "azimuth": -20 }), &path).0
    );
    assert_eq!(told.metadata["unknown"], json!([]));
}

#[test]
fn a_subject_is_drawn_into_the_hole_and_outside_no_pixel_changes() {
    let picture = Picture::filled(200, 200, [120, 150, 90, 255]);
    let folder = Folder::new();
    let path = folder.0.path().join("meadow.png");
    save(&path, &picture);
    let (empty, _) = folder.made("inpaint", &json!({ "seed": 3 }), &path);
    let (drawn, told) = folder.made(
        "inpaint",
        &json!({ "prompt": "a red apple and a floompf", "seed": 3 }),
        &path,
    );
    assert!(difference(&empty, &picture) < 1.0);
    assert_eq!(told.metadata["drawn"], json!(["apple"]), "{:?}", told.metadata);
    assert_eq!(told.metadata["unknown"], json!(["floompf"]));
    let mask = square(200, 200);
    let mut red = 0;
    for i in 0..200 * 200 {
        let pixel = &drawn.rgba[4 * i..4 * i + 4];
        if mask.rgba[4 * i] == 0 {
            assert_eq!(pixel, &picture.rgba[4 * i..4 * i + 4]);
        } else if pixel[0] > pixel[1].saturating_add(40) && pixel[0] > pixel[2].saturating_add(40) {
            red += 1;
        }
    }
    assert!((1200..9000).contains(&red), "{red} red pixels of 10000");
    assert_eq!(
        drawn,
        folder
            .made(
                "inpaint",
                &json!({ "prompt": "a red apple and a floompf", "seed": 3 }),
                &path
            )
            .0
    );
}

#[test]
fn a_subject_drawn_in_the_dark_is_darker_than_in_the_light() {
    let folder = Folder::new();
    let lightness = |ground: u8| {
        let path = folder.0.path().join("ground.png");
        save(&path, &Picture::filled(160, 160, [ground, ground, ground, 255]));
        let (drawn, _) = folder.made("inpaint", &json!({ "prompt": "a horse", "seed": 5 }), &path);
        let changed: Vec<u64> = drawn
            .rgba
            .chunks_exact(4)
            .filter(|p| p[..3].iter().any(|v| v.abs_diff(ground) > 12))
            .map(|p| u64::from(p[0]) + u64::from(p[1]) + u64::from(p[2]))
            .collect();
        assert!(changed.len() > 300, "{} pixels", changed.len());
        changed.iter().sum::<u64>() / (3 * changed.len() as u64)
    };
    let (bright, dark) = (lightness(190), lightness(28));
    assert!(dark + 25 < bright, "{dark} and {bright}");
}

/// The error for an input. A result is fine too, if the damage left a whole picture.
fn harmless(tool: &str, result: Result<Response, Error>, what: &str) {
    match result {
        Err(Error::InvalidInput(message)) => assert!(message.len() > 20, "{tool}, {what}: {message}"),
        Ok(_) => {}
        Err(error) => panic!("{tool}, {what}: {error}"),
    }
}

#[test]
fn truncated_and_damaged_pictures_do_no_harm_to_any_tool() {
    let small = subject(40, 32, 1).0;
    let mut chance = 0x9e37_79b9_u32;
    let mut next = move |below: usize| {
        chance ^= chance << 13;
        chance ^= chance >> 17;
        chance ^= chance << 5;
        chance as usize % below
    };
    for format in [
        ImageFormat::Png,
        ImageFormat::Jpeg,
        ImageFormat::WebP,
        ImageFormat::Gif,
    ] {
        let whole = encoded(&small, format);
        let folder = Folder::new();
        for (turn, tool) in TOOLS.iter().cycle().take(24).enumerate() {
            let mut bytes = whole.clone();
            // Another tool gets the truncated picture in each round.
            if (turn + turn / TOOLS.len()).is_multiple_of(3) {
                bytes.truncate(next(whole.len()));
            } else {
                for _ in 0..=turn / 2 {
                    let at = next(whole.len());
                    bytes[at] ^= 1 << next(8);
                }
            }
            let path = folder.file("damaged", &bytes);
            harmless(
                tool,
                folder.run(tool, &json!({}), &path),
                &format!("{format:?}, turn {turn}"),
            );
        }
    }
}

/// A PNG chunk with its checksum.
fn chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [&kind[..], data].concat();
    let mut crc = u32::MAX;
    for byte in &body {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 * (crc & 1));
        }
    }
    [
        &(data.len() as u32).to_be_bytes()[..],
        &body,
        &(!crc).to_be_bytes(),
    ]
    .concat()
}

fn header(width: u32, height: u32) -> Vec<u8> {
    let data = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(*b"IHDR", &data)].concat()
}

#[test]
fn bombs_and_absurd_sizes_are_refused_by_every_tool() {
    let end = [
        chunk(*b"IDAT", &[0x78, 0x01, 0x03, 0x00, 0, 0, 0, 1]),
        chunk(*b"IEND", &[]),
    ]
    .concat();
    let png = |width, height| [header(width, height), end.clone()].concat();
    let mut gif = encoded(&figure(), ImageFormat::Gif);
    gif[6..10].fill(0xff);
    // A JPEG's frame header contains height, then width.
    let mut jpeg = encoded(&figure(), ImageFormat::Jpeg);
    let frame = jpeg.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    jpeg[frame + 5..frame + 9].fill(0xff);
    let bombs = [
        ("a claim of 4 gigapixels", png(65_535, 65_535)),
        ("a claim of 65 megapixels", png(8_125, 8_000)),
        ("a needle", png(60_000, 4)),
        ("no width", png(0, 16)),
        ("the largest numbers", png(u32::MAX, u32::MAX)),
        ("a GIF of 4 gigapixels", gif),
        ("a JPEG of 4 gigapixels", jpeg),
        ("nothing", Vec::new()),
        ("zeros", vec![0; 4096]),
        ("a page", b"<html><body>not a picture</body></html>".to_vec()),
    ];
    let folder = Folder::new();
    for (what, bytes) in &bombs {
        let path = folder.file("bomb", bytes);
        for tool in TOOLS {
            match folder.run(tool, &json!({}), &path) {
                Err(Error::InvalidInput(message)) => assert!(message.len() > 20, "{message}"),
                other => panic!("{tool} took {what}: {other:?}"),
            }
        }
    }
    let refusal = folder.run("relight", &json!({}), &folder.file("bomb", &bombs[1].1));
    assert!(
        refusal
            .as_ref()
            .is_err_and(|error| error.to_string().contains("64 megapixels")),
        "{refusal:?}"
    );
}

#[test]
fn the_smallest_pictures_go_through_every_tool() {
    for (width, height) in [(1, 1), (1, 40), (33, 2)] {
        let folder = Folder::new();
        let image = RgbImage::from_fn(width, height, |x, y| {
            image::Rgb([(x * 9) as u8, (y * 7) as u8, 90])
        });
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::ImageRgb8(image)
            .write_to(&mut bytes, ImageFormat::Png)
            .unwrap();
        let path = folder.file("tiny.png", &bytes.into_inner());
        for tool in TOOLS {
            harmless(
                tool,
                folder.run(tool, &json!({ "prompt": "a horse from the left" }), &path),
                "tiny",
            );
        }
    }
}
