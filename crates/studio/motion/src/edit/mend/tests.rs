use std::path::{Path, PathBuf};

use atelier_film::{I420, Limits, Picture, Reader, Tags, Video, Writer};
use serde_json::{Value, json};

use atelier_protocol::{Error, Input, Request, Response};

const SIZE: (usize, usize) = (160, 96);
const FRAMES: usize = 20;

/// A wall with a pattern that never repeats, seen by a camera that has moved `shift` pixels to the right.
fn wall(shift: f32) -> I420 {
    let (width, height) = SIZE;
    let mut frame = I420::new(width, height);
    for y in 0..height {
        for x in 0..width {
            let (u, v) = (x as f32 + shift, y as f32);
            let value = 120.0
                + 40.0 * (0.11 * u + 0.5 * (0.07 * v).sin()).sin()
                + 30.0 * (0.17 * v + 0.05 * u).cos()
                + 18.0 * (0.31 * u - 0.23 * v).sin();
            frame.data[y * width + x] = value as u8;
        }
    }
    frame
}

/// The obstructing square in a frame: it moves to the left as the camera moves to the right.
fn square(number: usize) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
    let left = 110 - 4 * number;
    (left..left + 24, 36..60)
}

fn film(path: &Path, frames: impl Iterator<Item = I420>) -> PathBuf {
    let mut video = Video::new(SIZE.0 as u32, SIZE.1 as u32);
    video.quantizer = 14;
    let mut film = Writer::create(path, video, None, Tags::default()).unwrap();
    for frame in frames {
        film.frame(Picture::I420(frame.planes())).unwrap();
    }
    film.finish().unwrap();
    path.to_owned()
}

/// A frame with another luma in a rectangle.
fn with(mut frame: I420, (across, down): (std::ops::Range<usize>, std::ops::Range<usize>), luma: u8) -> I420 {
    for y in down {
        for x in across.clone() {
            frame.data[y * SIZE.0 + x] = luma;
        }
    }
    frame
}

fn taken_out(out: &Path, video: PathBuf, mask: Option<(PathBuf, &str)>) -> Result<Response, Error> {
    let input = |parameter: &str, path: PathBuf, media_type: &str| Input {
        parameter: parameter.into(),
        path,
        media_type: media_type.into(),
        seconds: None,
    };
    let mut inputs = vec![input("video_url", video, "video/mp4")];
    inputs.extend(mask.map(|(path, media_type)| input("mask_url", path, media_type)));
    let params: Value = json!({ "prompt": "a wall", "width": SIZE.0, "height": SIZE.1, "passes": 2 });
    let request = Request {
        task: "video-inpaint".into(),
        params: params.as_object().unwrap().clone(),
        inputs,
        seed: 3,
        out: out.to_owned(),
    };
    crate::run_task(&request, &mut |_| {})
}

fn frames(path: &Path) -> Vec<I420> {
    let mut film = Reader::open(path, &Limits::default()).unwrap();
    let mut frames = Vec::new();
    while let Some(frame) = film.next(None).unwrap() {
        frames.push(frame.picture);
    }
    frames
}

/// Mean difference of luma in a part of two frames, and outside it.
fn differences(
    a: &I420,
    b: &I420,
    (across, down): (std::ops::Range<usize>, std::ops::Range<usize>),
) -> (f64, f64) {
    let (mut inside, mut outside) = ((0.0, 0.0), (0.0, 0.0));
    for y in 0..SIZE.1 {
        for x in 0..SIZE.0 {
            let at = y * SIZE.0 + x;
            let difference = f64::from(a.data[at].abs_diff(b.data[at]));
            let near = (across.start - 3..across.end + 3).contains(&x)
                && (down.start - 3..down.end + 3).contains(&y);
            let sum = if near { &mut inside } else { &mut outside };
            *sum = (sum.0 + difference, sum.1 + 1.0);
        }
    }
    (inside.0 / inside.1, outside.0 / outside.1)
}

#[test]
fn what_a_moving_thing_hides_is_what_other_frames_show_there_and_the_rest_stays() {
    let folder = tempfile::tempdir().unwrap();
    let shift = |number: usize| 1.5 * number as f32;
    let video = film(
        &folder.path().join("given.mp4"),
        (0..FRAMES).map(|n| with(wall(shift(n)), square(n), 225)),
    );
    let mask = film(
        &folder.path().join("mask.mp4"),
        (0..FRAMES).map(|n| with(I420::new(SIZE.0, SIZE.1), square(n), 235)),
    );
    let response = taken_out(folder.path(), video.clone(), Some((mask, "video/mp4"))).unwrap();
    assert_eq!(response.metadata["mask"], json!("mask_url"));
    assert_eq!(response.metadata["without_effect"], json!(["passes"]));
    let mended = frames(&response.files[0]);
    let given = frames(&video);
    assert_eq!(mended.len(), FRAMES);
    for (number, frame) in mended.iter().enumerate() {
        let (inside, _) = differences(frame, &wall(shift(number)), square(number));
        let (before, _) = differences(&given[number], &wall(shift(number)), square(number));
        let (_, outside) = differences(frame, &given[number], square(number));
        assert!(
            inside < 12.0 && before > 35.0,
            "{number}: {inside} of {before} is left"
        );
        assert!(outside < 2.0, "{number}: {outside} beside it");
    }
    assert!(
        response.metadata["seen_elsewhere"].as_f64().unwrap() > 0.7,
        "{:?}",
        response.metadata
    );
}

#[test]
fn what_no_frame_shows_is_painted_once_and_does_not_flicker() {
    let folder = tempfile::tempdir().unwrap();
    let place = || (60..90, 30..60);
    let video = film(
        &folder.path().join("given.mp4"),
        (0..8).map(|_| with(wall(0.0), place(), 225)),
    );
    let mask = folder.path().join("mask.png");
    let mut picture = atelier_retouch::decode::Picture::filled(SIZE.0, SIZE.1, [0, 0, 0, 255]);
    for y in place().1 {
        for x in place().0 {
            picture.rgba[4 * (y * SIZE.0 + x)..][..3].fill(255);
        }
    }
    let provenance = atelier_retouch::encode::Provenance {
        tool: "test",
        source: atelier_retouch::encode::SourceType::Composite,
    };
    atelier_retouch::encode::write_png(&mask, &picture, provenance).unwrap();
    let response = taken_out(folder.path(), video, Some((mask, "image/png"))).unwrap();
    let mended = frames(&response.files[0]);
    for pair in mended.windows(2) {
        let (inside, _) = differences(&pair[0], &pair[1], place());
        assert!(inside < 1.5, "{inside} from frame to frame");
    }
    // The square was much lighter than the wall.
    let mean = |frame: &I420| {
        let rows = place()
            .1
            .map(|y| frame.data[y * SIZE.0 + 60..y * SIZE.0 + 90].to_vec());
        rows.flatten().map(f64::from).sum::<f64>() / 900.0
    };
    assert!((mean(&mended[4]) - 120.0).abs() < 45.0, "{}", mean(&mended[4]));
    assert_eq!(response.metadata["seen_elsewhere"], json!(0.0));
}

#[test]
fn masks_that_cannot_be_used_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let video = film(&folder.path().join("given.mp4"), (0..3).map(|_| wall(0.0)));
    let black = film(
        &folder.path().join("black.mp4"),
        (0..3).map(|_| I420::new(SIZE.0, SIZE.1)),
    );
    let white = film(
        &folder.path().join("white.mp4"),
        (0..3).map(|_| with(I420::new(SIZE.0, SIZE.1), (0..SIZE.0, 0..SIZE.1), 235)),
    );
    let broken = folder.path().join("broken.mp4");
    std::fs::write(&broken, b"\0\0\0\x18ftypisom nothing").unwrap();
    let plain = film(
        &folder.path().join("plain.mp4"),
        (0..3).map(|_| with(I420::new(SIZE.0, SIZE.1), (0..SIZE.0, 0..SIZE.1), 120)),
    );
    for (video, mask) in [
        (&video, Some(black)),
        (&video, Some(white)),
        (&video, Some(broken)),
        (&plain, None),
    ] {
        let mask = mask.map(|mask| (mask, "video/mp4"));
        let error = taken_out(folder.path(), video.clone(), mask).unwrap_err();
        assert!(
            matches!(&error, Error::InvalidInput(message) if message.contains("mask_url")),
            "{error}"
        );
    }
}
