use std::path::{Path, PathBuf};

use atelier_film::{Limits, Rate, Reader, Tags, Video, Writer};
use serde_json::json;

use super::*;
use atelier_protocol::Input;
use atelier_retouch::faces::Face;
use atelier_retouch::samples::{canvas, portrait};

const FRAMES: usize = 5;

/// The performer's displacement in a frame, in pixels to the right and down.
fn gone(number: usize) -> (f32, f32) {
    let t = number as f32 / (FRAMES - 1) as f32;
    (12.0 * (std::f32::consts::PI * t).sin(), 6.0 * t)
}

/// A film in which a portrait moves as a whole.
fn performance(folder: &Path) -> PathBuf {
    let picture = canvas(&portrait(folder));
    let path = folder.join("driving.mp4");
    let mut video = Video::new(256, 256);
    video.rate = Rate::whole(12);
    let mut film = Writer::create(&path, video, None, Tags::default()).unwrap();
    let mut frame = Canvas::new(picture.frame);
    for number in 0..FRAMES {
        let (dx, dy) = gone(number);
        for (at, pixel) in frame.pixels.iter_mut().enumerate() {
            let (x, y) = ((at % 256) as f32 + 0.5, (at / 256) as f32 + 0.5);
            let [r, g, b] = picture.sample(x - dx, y - dy).to_bytes();
            *pixel = [r, g, b, 1];
        }
        film.frame(Picture::Rgbx(frame.pixels.as_flattened())).unwrap();
    }
    film.finish().unwrap();
    path
}

fn request(folder: &Path, params: &Value, inputs: &[(&str, &Path)]) -> Request {
    let input = |(parameter, path): &(&str, &Path)| Input {
        parameter: (*parameter).into(),
        path: (*path).into(),
        media_type: "video/mp4".into(),
        seconds: None,
    };
    Request {
        task: "motion-transfer".into(),
        params: params.as_object().unwrap().clone(),
        inputs: inputs.iter().map(input).collect(),
        seed: 1,
        out: folder.to_owned(),
    }
}

/// Returns the position of the face in each frame of a film.
fn faces(path: &Path) -> Vec<(f32, f32)> {
    let mut film = Reader::open(path, &Limits::default()).unwrap();
    let mut places = Vec::new();
    while let Some(frame) = film.next(None).unwrap() {
        let face = Face::in_picture(&canvas_of(&frame.picture), None).expect("a face");
        places.push((face.x + 0.5 * face.side, face.y + 0.5 * face.side));
    }
    places
}

#[test]
fn the_figure_goes_where_the_performer_goes_in_its_own_size() {
    let folder = tempfile::tempdir().unwrap();
    let driving = performance(folder.path());
    let picture = portrait(folder.path());
    let inputs = [
        ("image_urls", picture.as_path()),
        ("video_url", driving.as_path()),
    ];
    let moved = |params: Value| {
        let response = crate::run_task(&request(folder.path(), &params, &inputs), &mut |_| {}).unwrap();
        assert_eq!(response.metadata["laid_over_by"], json!("their faces"));
        assert_eq!(response.metadata["moves"], json!("the figure that stands out"));
        faces(&response.files[0])
    };
    let large = moved(json!({ "width": 320, "height": 320, "steps": 3 }));
    assert_eq!(large.len(), FRAMES);
    for (number, place) in large.iter().enumerate() {
        let (dx, dy) = gone(number);
        let (x, y) = (place.0 - large[0].0, place.1 - large[0].1);
        // The picture is a quarter larger than the video.
        assert!(
            (x - 1.25 * dx).abs() < 4.5 && (y - 1.25 * dy).abs() < 4.5,
            "{number}: {x}, {y} for {dx}, {dy}"
        );
    }
    let twice = moved(json!({ "driving_multiplier": 2 }));
    let half = FRAMES / 2;
    let (x, full) = (twice[half].0 - twice[0].0, 2.0 * gone(half).0);
    assert!((x - full).abs() < 6.0, "{x} for {full}");
    // Expressions alone leave the head in place.
    let still = moved(json!({ "animation_region": "exp" }));
    assert!((still[half].0 - still[0].0).abs() < 4.0, "{still:?}");
}

#[test]
fn what_is_behind_the_figure_stays() {
    let folder = tempfile::tempdir().unwrap();
    let driving = performance(folder.path());
    let picture = portrait(folder.path());
    let inputs = [
        ("image_urls", picture.as_path()),
        ("video_url", driving.as_path()),
    ];
    let response = crate::run_task(&request(folder.path(), &json!({}), &inputs), &mut |_| {}).unwrap();
    let mut film = Reader::open(&response.files[0], &Limits::default()).unwrap();
    let first = film.next(None).unwrap().unwrap().picture;
    let mut last = None;
    while let Some(frame) = film.next(None).unwrap() {
        last = Some(frame.picture);
    }
    let last = last.unwrap();
    // The upper corners show the wall.
    let (mut sum, mut count) = (0.0, 0.0);
    for y in 0..40 {
        for x in (0..50).chain(200..230) {
            sum += f64::from(first.data[y * 256 + x].abs_diff(last.data[y * 256 + x]));
            count += 1.0;
        }
    }
    assert!(sum / count < 2.5, "{}", sum / count);
}

#[test]
fn a_video_can_be_the_source_and_what_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let driving = performance(folder.path());
    let inputs = [
        ("source_video_url", driving.as_path()),
        ("video_url", driving.as_path()),
    ];
    let params = json!({ "audio_priority": "source" });
    let response = crate::run_task(&request(folder.path(), &params, &inputs), &mut |_| {}).unwrap();
    assert_eq!(response.metadata["frames"], json!(FRAMES));
    assert_eq!(response.metadata["sound"], json!("none: the source has no sound"));
    let broken = folder.path().join("broken.mp4");
    std::fs::write(&broken, b"\0\0\0\x18ftypisom nothing").unwrap();
    let picture = portrait(folder.path());
    for (name, params, inputs) in [
        ("image_urls", json!({}), vec![("video_url", driving.as_path())]),
        (
            "image_urls",
            json!({}),
            vec![("video_url", driving.as_path()), ("image_urls", broken.as_path())],
        ),
        (
            "video_url",
            json!({}),
            vec![("video_url", broken.as_path()), ("image_urls", picture.as_path())],
        ),
        ("video_url", json!({}), vec![("image_urls", picture.as_path())]),
        (
            "animation_region",
            json!({ "animation_region": "hat" }),
            vec![
                ("video_url", driving.as_path()),
                ("image_urls", picture.as_path()),
            ],
        ),
        (
            "driving_multiplier",
            json!({ "driving_multiplier": 9 }),
            vec![
                ("video_url", driving.as_path()),
                ("image_urls", picture.as_path()),
            ],
        ),
    ] {
        let error = crate::run_task(&request(folder.path(), &params, &inputs), &mut |_| {}).unwrap_err();
        assert!(
            matches!(&error, Error::InvalidInput(message) if message.contains(name)),
            "{name}: {error}"
        );
    }
}

#[test]
fn misled_motion_is_smoothed_until_nothing_folds_over_and_gentle_motion_stays() {
    let jump = Plane::from_fn(40, 30, |x, _| if x < 20 { 0.0 } else { 90.0 });
    let (across, down) = unfolded(jump, Plane::new(40, 30), 8.0);
    let steepest = (0..30)
        .flat_map(|y| (1..40).map(move |x| (x, y)))
        .map(|(x, y)| (across.at(x, y) - across.at(x - 1, y)).abs())
        .fold(0.0, f32::max);
    assert!(
        steepest <= 4.001 && across.at(39, 15) > across.at(0, 15),
        "{steepest}"
    );
    assert!(down.max() == 0.0);
    let gentle = Plane::from_fn(40, 30, |x, y| 2.0 * x as f32 - 1.5 * y as f32);
    let (across, _) = unfolded(gentle.clone(), Plane::new(40, 30), 8.0);
    assert_eq!(across.data, gentle.data);
}
