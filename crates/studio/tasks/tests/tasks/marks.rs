//! What the tasks `watermark` and `watermark-reading` do with films.
#![allow(clippy::unwrap_used, reason = "test helpers may fail the test")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use atelier_film::{I420, Limits, Picture, Rate, Reader, Sound, Tags, Video, Writer};
use atelier_protocol::{Input, Request, Response};
use atelier_tasks::run;
use serde_json::{Value, json};

const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
const ID: &str = "019ab000b0c07d0e8f00112233445566";
const MILLISECONDS: u64 = 0x019a_b000_b0c0;

/// A frame of a film: hills of noise that move by two pixels a frame.
fn frame(number: usize, (width, height): (usize, usize)) -> I420 {
    let hash = |x: usize, y: usize| {
        let mixed = (x.wrapping_mul(0x9e37_79b1) ^ y.wrapping_mul(0x85eb_ca77)).wrapping_mul(0xc2b2_ae3d);
        (mixed >> 16 & 0xff) as f32
    };
    let mut frame = I420::new(width, height);
    for y in 0..height {
        for x in 0..width {
            let at = x + 2 * number;
            let rough = hash(at / 3, y / 3) * 0.2 + hash(at / 24, y / 24) * 0.3;
            frame.data[y * width + x] = (60.0 + rough + 0.1 * y as f32) as u8;
        }
    }
    frame.data[width * height..].fill(120);
    frame
}

fn film(path: &Path, size: (usize, usize), frames: usize, sound: bool) {
    let video = Video {
        rate: Rate::whole(24),
        quantizer: 20,
        ..Video::new(size.0 as u32, size.1 as u32)
    };
    let tags = Tags {
        title: "Hills".into(),
        encoder: "tests".into(),
        comment: "AI-generated".into(),
        xmp: Some("<x:xmpmeta>hills</x:xmpmeta>".into()),
    };
    let sound = sound.then_some(Sound::Stereo { rate: 48_000 });
    let mut writer = Writer::create(path, video, sound.clone(), tags).unwrap();
    for number in 0..frames {
        writer.frame(Picture::I420(frame(number, size).planes())).unwrap();
        if sound.is_some() {
            let tone = (0..4_000).map(|at| (at as f32 * 0.02).sin() * 0.3);
            writer.samples(&tone.collect::<Vec<_>>()).unwrap();
        }
    }
    writer.finish().unwrap();
}

fn asked(task: &str, file: &Path, out: &Path) -> Response {
    let request = Request {
        task: task.into(),
        params: json!({ "key": KEY, "id": ID }).as_object().cloned().unwrap(),
        inputs: vec![Input {
            parameter: "file".into(),
            path: file.into(),
            media_type: "video/mp4".into(),
            seconds: None,
        }],
        seed: 0,
        out: out.into(),
    };
    run(&request, &mut |_| {}).unwrap()
}

/// What became of a film, and the marked file.
fn marked(file: &Path, out: &Path) -> (Value, Option<PathBuf>) {
    let mut response = asked("watermark", file, out);
    (response.metadata["watermark"].clone(), response.files.pop())
}

fn psnr(one: &Path, other: &Path) -> f64 {
    let open = |path: &Path| Reader::open(path, &Limits::default()).unwrap();
    let (mut one, mut other) = (open(one), open(other));
    let (mut squares, mut values) = (0_u64, 0);
    while let (Some(a), Some(b)) = (one.next(None).unwrap(), other.next(None).unwrap()) {
        assert!((a.time - b.time).abs() < 1e-3);
        let pairs = a.picture.data.iter().zip(&b.picture.data);
        squares += pairs.map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2)).sum::<u64>();
        values += a.picture.data.len();
    }
    10.0 * (255.0_f64.powi(2) * values as f64 / squares.max(1) as f64).log10()
}

#[test]
fn a_marked_film_tells_its_origin_and_keeps_its_sound_times_and_notes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.mp4");
    film(&path, (320, 240), 30, true);
    let (said, file) = marked(&path, folder.path());
    let file = file.unwrap();
    assert_eq!(said, "written");
    let sound = |path: &Path| {
        let film = Reader::open(path, &Limits::default()).unwrap();
        assert_eq!(
            (film.facts().width, film.facts().height, film.facts().frames),
            (320, 240, 30)
        );
        film.coded_sound(10.0).unwrap().unwrap()
    };
    assert!(sound(&path) == sound(&file));
    let psnr = psnr(&path, &file);
    assert!(psnr > 38.0, "{psnr}");
    let bytes = fs::read(&file).unwrap();
    for note in ["<x:xmpmeta>hills</x:xmpmeta>", "Hills", "tests", "AI-generated"] {
        assert!(
            bytes.windows(note.len()).any(|part| part == note.as_bytes()),
            "{note}"
        );
    }
    let found = asked("watermark-reading", &file, folder.path()).metadata["found"].clone();
    assert_eq!(
        (&found["milliseconds"], &found["tail"]),
        (&json!(MILLISECONDS), &json!(6)),
        "{found}"
    );
    let none = asked("watermark-reading", &path, folder.path()).metadata["found"].clone();
    assert_eq!(none, Value::Null);
    // The same film gives the same bytes.
    let again = marked(&path, folder.path()).1.unwrap();
    assert!(bytes == fs::read(again).unwrap());
}

#[test]
fn the_mark_of_a_moving_film_survives_compression_at_crf_28() {
    let Some(ffmpeg) = atelier_found::program("ffmpeg") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.mp4");
    film(&path, (480, 320), 40, false);
    let file = marked(&path, folder.path()).1.unwrap();
    let worse = folder.path().join("worse.mp4");
    let coding = ["-c:v", "libx264", "-crf", "28", "-pix_fmt", "yuv420p"];
    let mut command = Command::new(ffmpeg);
    command.args(["-v", "error", "-nostdin", "-y", "-i"]).arg(&file);
    let output = command.args(coding).arg(&worse).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(fs::metadata(&worse).unwrap().len() < fs::metadata(&file).unwrap().len() / 2);
    let found = asked("watermark-reading", &worse, folder.path()).metadata["found"].clone();
    assert_eq!(found["milliseconds"], MILLISECONDS, "{found}");
}

#[test]
fn what_cannot_be_marked_says_why_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.mp4");
    film(&path, (320, 240), 4, false);
    let whole = fs::read(&path).unwrap();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    let says = |bytes: &[u8], why: &str| {
        fs::write(&path, bytes).unwrap();
        assert_eq!(marked(&path, &out), (why.into(), None));
        assert_eq!(fs::read_dir(&out).unwrap().count(), 0, "{why}");
    };
    // The box of a signed manifest.
    let id = [
        0xd8, 0xfe, 0xc3, 0xd6, 0x1b, 0x0e, 0x48, 0x3c, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7e, 0xc4, 0x81,
    ];
    says(&[&whole[..], b"\0\0\0\x1cuuid", &id, b"more"].concat(), "signed");
    says(&whole[..whole.len() / 2], "unsupported");
    says(b"\x1a\x45\xdf\xa3 not an MP4 at all", "unsupported");
    let quick = [&whole[..8], b"qt  ", &whole[12..]].concat();
    says(&quick, "unsupported");
    film(&path, (320, 160), 4, false);
    says(&fs::read(&path).unwrap(), "too_plain");
}
