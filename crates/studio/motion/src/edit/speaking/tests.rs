use std::path::{Path, PathBuf};

use atelier_film::{I420, Limits, Picture, Reader, Tags, Video, Writer};
use serde_json::{Value, json};

use super::*;
use atelier_protocol::Input;
use atelier_retouch::faces::Mouth;
use atelier_retouch::samples::{canvas, portrait};

/// Two and a half seconds: a vowel from 0.5 to 1.0 s and a louder one from 1.5 to 2.1 s, otherwise silence.
fn recording(folder: &Path) -> PathBuf {
    let path = folder.join("said.wav");
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: 16_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut wav = hound::WavWriter::create(&path, spec).unwrap();
    for i in 0..40_000 {
        let t = i as f32 / 16_000.0;
        let loud = loudness(t);
        // The harmonics of 120 Hz near the formants of an open vowel.
        let vowel: f32 = (1..40)
            .map(|k| {
                let hz = 120.0 * k as f32;
                let near = |formant: f32| (-((hz - formant) / 160.0).powi(2)).exp();
                (near(750.0) + 0.6 * near(1_250.0) + 0.1 * near(2_600.0))
                    * (std::f32::consts::TAU * hz * t).sin()
            })
            .sum();
        wav.write_sample((6_000.0 * loud * vowel) as i16).unwrap();
    }
    wav.finalize().unwrap();
    path
}

fn loudness(t: f32) -> f32 {
    match t {
        t if (0.5..1.0).contains(&t) => 0.5,
        t if (1.5..2.1).contains(&t) => 1.0,
        _ => 0.0,
    }
}

fn request(folder: &Path, params: &Value, inputs: &[(&str, &Path, &str)]) -> Request {
    let input = |(parameter, path, media_type): &(&str, &Path, &str)| Input {
        parameter: (*parameter).into(),
        path: (*path).into(),
        media_type: (*media_type).into(),
        seconds: None,
    };
    Request {
        task: "lip-sync".into(),
        params: params.as_object().unwrap().clone(),
        inputs: inputs.iter().map(input).collect(),
        seed: 1,
        out: folder.to_owned(),
    }
}

fn frames(path: &Path) -> Vec<I420> {
    let mut film = Reader::open(path, &Limits::default()).unwrap();
    let mut frames = Vec::new();
    while let Some(frame) = film.next(None).unwrap() {
        frames.push(frame.picture);
    }
    frames
}

/// The difference from another frame, in a square around a place and outside it.
fn differences(a: &I420, b: &I420, (x, y): (f32, f32), reach: f32) -> (f32, f32) {
    let (mut inside, mut outside) = ((0.0, 0.0), (0.0, 0.0));
    for at in 0..a.width * a.height {
        let (u, v) = ((at % a.width) as f32, (at / a.width) as f32);
        let sum = if (u - x).abs() < reach && (v - y).abs() < reach {
            &mut inside
        } else {
            &mut outside
        };
        *sum = (sum.0 + f32::from(a.data[at].abs_diff(b.data[at])), sum.1 + 1.0);
    }
    (inside.0 / inside.1, outside.0 / outside.1)
}

fn correlation(a: &[f32], b: &[f32]) -> f32 {
    let mean = |row: &[f32]| row.iter().sum::<f32>() / row.len() as f32;
    let (ma, mb) = (mean(a), mean(b));
    let sum = |f: &dyn Fn(f32, f32) -> f32| -> f32 { a.iter().zip(b).map(|(x, y)| f(x - ma, y - mb)).sum() };
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt().max(1e-6)
}

#[test]
fn a_portrait_opens_its_mouth_with_the_loudness_and_moves_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let (picture, said) = (portrait(folder.path()), recording(folder.path()));
    let inputs = [
        ("image_urls", picture.as_path(), "image/jpeg"),
        ("audio_url", said.as_path(), "audio/wav"),
    ];
    let params = json!({ "width": 256, "height": 256, "prompt": "an astronaut", "steps": 20 });
    let response = crate::run_task(&request(folder.path(), &params, &inputs), &mut |_| {}).unwrap();
    assert_eq!(response.metadata["face"], json!("found by its features"));
    assert_eq!(response.metadata["without_effect"], json!(["steps"]));
    let film = Reader::open(&response.files[0], &Limits::default()).unwrap();
    assert!((film.facts().seconds - 2.5).abs() < 0.05 && film.facts().has_sound);
    let shown = frames(&response.files[0]);
    let face = Face::in_picture(&canvas(&picture), None).unwrap();
    let place = (face.mouth.x, face.mouth.y + 0.05 * face.side);
    let measured: Vec<(f32, f32)> = shown
        .iter()
        .map(|frame| differences(frame, &shown[2], place, 0.25 * face.side))
        .collect();
    let opened: Vec<f32> = measured.iter().map(|of| of.0).collect();
    let heard: Vec<f32> = (0..shown.len())
        .map(|n| loudness((n as f32 + 0.5) / 25.0))
        .collect();
    let alike = correlation(&opened, &heard);
    assert!(alike > 0.8, "{alike}: {opened:?}");
    assert!(
        opened[45] > 1.08 * opened[22] && opened[22] > 4.0 * opened[32].max(0.2),
        "{opened:?}"
    );
    // Outside the lower face, frames are the same except for coding.
    assert!(measured.iter().all(|of| of.1 < 1.2), "{measured:?}");
}

#[test]
fn a_video_that_is_shorter_than_the_recording_goes_back_and_forth_and_its_face_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let said = recording(folder.path());
    let picture = canvas(&portrait(folder.path()));
    let path = folder.path().join("given.mp4");
    let mut video = Video::new(320, 256);
    video.rate = Rate::whole(10);
    let mut film = Writer::create(&path, video, None, Tags::default()).unwrap();
    let mut frame = Canvas::new(Frame::new(320, 256));
    for number in 0..8_usize {
        for (at, pixel) in frame.pixels.iter_mut().enumerate() {
            let (x, y) = (at % 320, at / 320);
            *pixel = match x.checked_sub(4 * number).filter(|x| *x < 256) {
                Some(x) => picture.pixels[y * 256 + x],
                None => [80, 90, 110, 1],
            };
        }
        film.frame(Picture::Rgbx(frame.pixels.as_flattened())).unwrap();
    }
    film.finish().unwrap();
    let inputs = [
        ("video_url", path.as_path(), "video/mp4"),
        ("audio_url", said.as_path(), "audio/wav"),
    ];
    let response = crate::run_task(&request(folder.path(), &json!({}), &inputs), &mut |_| {}).unwrap();
    assert_eq!(response.metadata["face"], json!("found by its features"));
    let shown = frames(&response.files[0]);
    let given = frames(&path);
    assert_eq!(shown.len(), 25);
    // Silent at first: the frames are the video's own. Frame 12 is the fourth on the way back.
    assert!(differences(&shown[2], &given[2], (0.0, 0.0), 1.0).1 < 2.0);
    assert!(differences(&shown[12], &given[3], (0.0, 0.0), 1.0).1 < 2.0);
    // At 1.8 s there is speech: the mouth follows the face, and the rest of the frame is the video's.
    let face = Face::in_picture(&picture, None).unwrap();
    let number = 18;
    let own = number % 8;
    let place = (face.mouth.x + 4.0 * own as f32, face.mouth.y + 0.05 * face.side);
    let (inside, outside) = differences(&shown[number], &given[own], place, 0.25 * face.side);
    assert!(inside > 4.0 && outside < 2.0, "{inside} and {outside}");
}

#[test]
fn shapes_are_closed_in_silence_and_the_wider_the_brighter_the_vowel() {
    let tone = |hz: [f32; 2]| -> Vec<f32> {
        (0..16_000)
            .map(|i| {
                let t = i as f32 / 16_000.0;
                let on = if (0.3..0.6).contains(&t) { 0.3 } else { 0.0 };
                on * hz
                    .iter()
                    .map(|hz| (std::f32::consts::TAU * hz * t).sin())
                    .sum::<f32>()
            })
            .collect()
    };
    let of = |hz: [f32; 2]| {
        let shapes = shapes(
            &atelier_sound::file::Audio::mono(16_000, tone(hz)),
            Rate::whole(25),
            25,
        );
        assert!(shapes[4].open < 0.05 && shapes[23].open < 0.05, "{shapes:?}");
        shapes[13]
    };
    let (ah, ee, oo) = (of([780.0, 1_200.0]), of([300.0, 2_300.0]), of([310.0, 850.0]));
    assert!(ah.open > 1.5 * ee.open, "{ah:?} {ee:?}");
    assert!(ee.wide > 0.3 && oo.wide < 0.0, "{ee:?} {oo:?}");
    let silence = atelier_sound::file::Audio::mono(16_000, vec![0.0; 16_000]);
    assert!(
        shapes(&silence, Rate::whole(25), 25)
            .iter()
            .all(|shape| shape.open < 0.01)
    );
}

#[test]
fn what_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let said = recording(folder.path());
    let blank = folder.path().join("blank.png");
    let provenance = atelier_retouch::encode::Provenance {
        tool: "test",
        source: SourceType::Composite,
    };
    let plain = decode::Picture::filled(96, 96, [120, 130, 140, 255]);
    atelier_retouch::encode::write_png(&blank, &plain, provenance).unwrap();
    let broken = folder.path().join("broken.mp4");
    std::fs::write(&broken, b"\0\0\0\x18ftypisom nothing").unwrap();
    let audio = ("audio_url", said.as_path(), "audio/wav");
    for (name, inputs) in [
        (
            "image_urls",
            vec![audio, ("image_urls", blank.as_path(), "image/png")],
        ),
        (
            "video_url",
            vec![audio, ("video_url", broken.as_path(), "video/mp4")],
        ),
        ("audio_url", vec![("image_urls", blank.as_path(), "image/png")]),
        ("audio_url", vec![("audio_url", broken.as_path(), "audio/wav")]),
        ("video_url", vec![audio]),
    ] {
        let error = crate::run_task(&request(folder.path(), &json!({}), &inputs), &mut |_| {}).unwrap_err();
        assert!(
            matches!(&error, Error::InvalidInput(message) if message.contains(name)),
            "{name}: {error}"
        );
    }
}

#[test]
fn a_mouth_in_profile_opens_as_far_as_the_head_reaches() {
    let mut plain = Canvas::new(Frame::new(200, 200));
    plain.pixels.fill([200, 160, 140, 255]);
    let face = Face {
        x: 40.0,
        y: 20.0,
        side: 120.0,
        mouth: Mouth {
            x: 100.0,
            y: 110.0,
            half: 20.0,
            lift: 0.0,
            teeth: 0.0,
            room: (90.0, 4.0),
        },
    };
    let shape = Shape { open: 1.0, wide: 0.0 };
    let mut out = Canvas::new(plain.frame);
    Opened::new(&plain, face, shape).draw(&mut out);
    // On one colour, only what is visible between the lips differs.
    let drawn = |x: usize| (0..200).any(|y| out.pixels[200 * y + x] != plain.pixels[200 * y + x]);
    let columns: Vec<usize> = (0..200).filter(|x| drawn(*x)).collect();
    let (first, last) = (columns[0], columns[columns.len() - 1]);
    assert!((81..=84).contains(&first), "{first}");
    assert!((100..=104).contains(&last), "{last}");
}
