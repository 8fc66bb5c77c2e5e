//! The contributions of references to films, and the sound of films.

use atelier_film::color;
use atelier_sound::file::{Audio, Depth, Format, Tags, decode, encode};

use super::*;
use atelier_retouch::decode::Picture;
use atelier_retouch::encode::{Provenance, SourceType, write_png};

/// A picture of a red ball on a pale wall.
fn ball(folder: &std::path::Path) -> std::path::PathBuf {
    ball_of(folder, "ball.png", [224.0, 30.0, 26.0])
}

fn ball_of(folder: &std::path::Path, name: &str, color: [f32; 3]) -> std::path::PathBuf {
    let mut picture = Picture::filled(240, 200, [216, 220, 226, 255]);
    for y in 0..200_i32 {
        for x in 0..240_i32 {
            let (u, v) = ((x - 120) as f32 / 64.0, (y - 104) as f32 / 64.0);
            if u.hypot(v) < 1.0 {
                let at = 4 * (y * 240 + x) as usize;
                let light = 1.0 - 0.35 * (u + v).max(0.0);
                picture.rgba[at..at + 3].copy_from_slice(&color.map(|value| (value * light) as u8));
            }
        }
    }
    let path = folder.join(name);
    let provenance = Provenance {
        tool: "test",
        source: SourceType::Composite,
    };
    write_png(&path, &picture, provenance).unwrap();
    path
}

/// The number of red pixels, and their horizontal centre.
fn red(frame: &I420) -> (usize, f64) {
    let (count, across, _) = colored(frame, 0);
    (count, across)
}

/// The number of pixels with this much more of a channel than of the others, and their centre.
fn colored(frame: &I420, channel: usize) -> (usize, f64, f64) {
    let mut rgb = vec![0; frame.width * frame.height * 3];
    color::to_rgb::<3>(frame, &mut rgb);
    let places: Vec<usize> = rgb
        .chunks_exact(3)
        .enumerate()
        .filter(|(_, p)| {
            let others = p[(channel + 1) % 3].max(p[(channel + 2) % 3]);
            p[channel] > 90 && u16::from(p[channel]) > 2 * u16::from(others)
        })
        .map(|(i, _)| i)
        .collect();
    let mean = |of: &dyn Fn(usize) -> usize| {
        places.iter().map(|place| of(*place)).sum::<usize>() as f64 / places.len().max(1) as f64
    };
    (
        places.len(),
        mean(&|place| place % frame.width),
        mean(&|place| place / frame.width),
    )
}

#[test]
fn whoever_is_in_a_reference_picture_plays_in_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    let ball = ball(folder.path());
    let files = [("reference_image_urls", ball.as_path())];
    let film = made_with(
        "@Image1 moves from left to right in a snowy field, static shot",
        &json!({}),
        &files,
    );
    assert_eq!(
        film.response.metadata["references"]["cut_out"],
        json!(1),
        "{:?}",
        film.response.metadata
    );
    let (first, last) = (red(&film.frames[2]), red(&film.frames[21]));
    assert!(
        first.0 > 150 && last.0 > 150,
        "it is not to be seen: {first:?}, {last:?}"
    );
    assert!(
        last.1 > first.1 + 15.0,
        "it does not go to the right: {first:?}, {last:?}"
    );
    let lone = made_with("a snowy field", &json!({ "duration": 0.2 }), &files);
    assert!(red(&lone.frames[0]).0 > 150, "who is not named comes too");
    let missing = made_with(
        "character1 and character4 on a beach",
        &json!({ "duration": 0.2 }),
        &files,
    );
    assert!(missing.response.metadata["not_done"].to_string().contains('4'));
}

#[test]
fn a_reference_video_lends_its_camera_and_its_colours() {
    let lender = made("a desert canyon at sunset, pan left", &json!({}));
    let path = lender.response.files[0].clone();
    let film = made_with(
        "mountains and hills at noon",
        &json!({}),
        &[("reference_video_urls", &path)],
    );
    let (right, down) = shift(&film.frames[8], &film.frames[14], (60, 20, 72, 40));
    assert!(
        right >= 2 && down.abs() <= 1,
        "{right}, {down}: {:?}",
        film.response.metadata["references"]
    );
    let warmth = |frame: &I420| {
        let (u, v) = (frame.planes().u, frame.planes().v);
        let mean = |plane: &[u8]| plane.iter().map(|c| f64::from(*c)).sum::<f64>() / plane.len() as f64;
        mean(v) - mean(u)
    };
    let plain = made("mountains and hills at noon", &json!({ "duration": 0.2 }));
    assert!(warmth(&film.frames[0]) > warmth(&plain.frames[0]) + 8.0);
}

#[test]
fn a_reference_sound_becomes_the_track_and_its_beat_is_found() {
    let folder = tempfile::tempdir().unwrap();
    // Clicks twice a second.
    let mut samples = vec![0.0_f32; 44_100 * 4];
    for click in (0..samples.len()).step_by(22_050) {
        for (i, x) in samples[click..click + 1_500].iter_mut().enumerate() {
            *x = 0.7 * (i as f32 * 0.19).sin() * (-(i as f32) / 300.0).exp();
        }
    }
    let wav = folder.path().join("clicks.wav");
    let format = Format::Wav(Depth::Bits16);
    encode(
        &wav,
        &Audio::mono(44_100, samples),
        format,
        &Tags::generated(None),
    )
    .unwrap();
    let prompt = "shot 1: a forest. shot 2: a beach at night.";
    let film = made_with(prompt, &json!({ "duration": 3 }), &[("audio_url", &wav)]);
    let beats = film.response.metadata["references"]["beats"].as_u64().unwrap();
    assert!((6..=9).contains(&beats), "{beats}");
    let heard = decode(&film.response.files[0]).unwrap();
    assert!((heard.seconds() - 3.0).abs() < 0.06, "{}", heard.seconds());
    assert!(heard.peak() > 0.3);
}

#[test]
fn thunder_follows_its_lightning() {
    let film = made(
        "a thunderstorm over a field, static shot",
        &json!({ "duration": 4, "fps": 6, "generate_audio": true }),
    );
    let strokes = film.response.metadata["shots"][0]["lightning"]
        .as_array()
        .unwrap()
        .clone();
    let stroke = strokes[0].as_f64().unwrap();
    let bright: Vec<f64> = film.frames.iter().map(luma).collect();
    let flash = bright
        .iter()
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(b.1))
        .unwrap()
        .0;
    let nearest = strokes
        .iter()
        .map(|stroke| (stroke.as_f64().unwrap() - flash as f64 / 6.0).abs());
    assert!(nearest.fold(9.0, f64::min) < 0.35, "{bright:?} at {strokes:?}");
    let heard = decode(&film.response.files[0]).unwrap();
    assert!((heard.seconds() - 4.0).abs() < 0.06);
    let level = |from: f64, to: f64| {
        let at = |time: f64| ((time * f64::from(heard.rate)) as usize).min(heard.frames());
        let part = &heard.channels[0][at(from)..at(to)];
        (part.iter().map(|x| x * x).sum::<f32>() / part.len().max(1) as f32).sqrt()
    };
    let (before, after) = (level(0.1, stroke + 0.4), level(stroke + 0.5, stroke + 1.4));
    assert!(after > 1.3 * before, "thunder is not heard: {before} {after}");
    assert!(film.response.metadata["sound"]["from"] == json!("the scene"));
}

#[test]
fn guests_are_where_the_words_put_them() {
    let folder = tempfile::tempdir().unwrap();
    let (red, blue) = (
        ball(folder.path()),
        ball_of(folder.path(), "blue.png", [20.0, 40.0, 230.0]),
    );
    let files = [
        ("reference_image_urls", red.as_path()),
        ("reference_image_urls", blue.as_path()),
    ];
    let still = json!({ "duration": 0.2 });
    for prompt in [
        "character1 sits beside character2 on a meadow, dolly in",
        "the thing from image 1 looks at the thing from image 2 in a desert",
    ] {
        let film = made_with(prompt, &still, &files);
        let (one, other) = (colored(&film.frames[0], 0), colored(&film.frames[0], 2));
        assert!(one.0 > 150 && other.0 > 150, "{prompt}: {one:?}, {other:?}");
        assert!((one.1 - other.1).abs() > 20.0, "{prompt}: one hides the other");
    }
    let film = made_with("character1 flies over a snowy field", &still, &files);
    let aloft = colored(&film.frames[0], 0);
    assert!(aloft.0 > 150 && aloft.2 < 54.0, "it does not fly: {aloft:?}");
}
