//! The content of films, measured on decoded frames.

use std::process::Command;

use atelier_film::{I420, Limits, Reader};
use serde_json::{Value, json};

use atelier_protocol::{Error, Input, Request, Response};

mod guests;

struct Made {
    response: Response,
    bytes: Vec<u8>,
    frames: Vec<I420>,
    folder: tempfile::TempDir,
}

/// Makes a small film: 2 s of 192 × 108 at 12 frames a second, unless the parameters say otherwise.
fn made(prompt: &str, more: &Value) -> Made {
    made_with(prompt, more, &[])
}

/// The same with files, each for a parameter.
fn made_with(prompt: &str, more: &Value, files: &[(&str, &std::path::Path)]) -> Made {
    let folder = tempfile::tempdir().unwrap();
    let mut params =
        json!({ "prompt": prompt, "width": 192, "height": 108, "duration": 2, "fps": 12, "seed": 5 });
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    let response = run_with(&params, folder.path(), files).unwrap();
    let path = &response.files[0];
    let mut reader = Reader::open(path, &Limits::default()).unwrap();
    let mut frames = Vec::new();
    while let Some(frame) = reader.next(None).unwrap() {
        frames.push(frame.picture);
    }
    Made {
        bytes: std::fs::read(path).unwrap(),
        response,
        frames,
        folder,
    }
}

fn run(params: &Value, out: &std::path::Path) -> Result<Response, Error> {
    run_with(params, out, &[])
}

fn run_with(
    params: &Value,
    out: &std::path::Path,
    files: &[(&str, &std::path::Path)],
) -> Result<Response, Error> {
    let input = |(parameter, path): &(&str, &std::path::Path)| Input {
        parameter: (*parameter).to_owned(),
        path: path.to_path_buf(),
        media_type: String::new(),
        seconds: None,
    };
    let request = Request {
        task: "video".into(),
        params: params.as_object().unwrap().clone(),
        inputs: files.iter().map(input).collect(),
        seed: 1,
        out: out.to_owned(),
    };
    super::run(&request, &mut |_| {})
}

fn luma(frame: &I420) -> f64 {
    let y = frame.planes().y;
    y.iter().map(|v| f64::from(*v)).sum::<f64>() / y.len() as f64
}

/// Mean differences of the luma of consecutive frames.
fn steps(frames: &[I420]) -> Vec<f64> {
    frames
        .windows(2)
        .map(|pair| {
            let (a, b) = (pair[0].planes().y, pair[1].planes().y);
            let sum: u64 = a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
            sum as f64 / a.len() as f64
        })
        .collect()
}

/// How far a part of the picture (left, top, width, height) has moved from one frame to another, in pixels right
/// and down: the shift with the best match.
fn shift(a: &I420, b: &I420, (left, top, width, height): (i32, i32, i32, i32)) -> (i32, i32) {
    let (a_y, b_y) = (a.planes().y, b.planes().y);
    let at = |plane: &[u8], x: i32, y: i32| i64::from(plane[y as usize * a.width + x as usize]);
    let mut best = (i64::MAX, (0, 0));
    for down in -12..=12 {
        for right in -24..=24 {
            let inside = left + right >= 0
                && top + down >= 0
                && left + right + width <= a.width as i32
                && top + down + height <= a.height as i32;
            if !inside {
                continue;
            }
            let mut sum = 0;
            for y in top..top + height {
                for x in left..left + width {
                    sum += (at(a_y, x, y) - at(b_y, x + right, y + down)).pow(2);
                }
            }
            if sum < best.0 {
                best = (sum, (right, down));
            }
        }
    }
    best.1
}

#[test]
fn a_film_is_what_was_asked_for_in_the_eyes_of_other_programs() {
    let film = made("a boat on a lake at sunset", &json!({ "duration": 3, "fps": 24 }));
    assert_eq!(film.frames.len(), 72);
    assert_eq!(film.response.metadata["frames"], json!(72));
    assert_eq!(film.response.metadata["duration_seconds"], json!(3.0));
    let place = |kind: &[u8]| film.bytes.windows(4).position(|window| window == kind).unwrap();
    assert!(
        place(b"moov") < place(b"mdat"),
        "it starts before it has come whole"
    );
    let Some(ffprobe) = atelier_found::program("ffprobe") else {
        return;
    };
    let told = Command::new(ffprobe)
        .args(["-v", "error", "-of", "json", "-show_streams", "-count_frames"])
        .arg(&film.response.files[0])
        .output()
        .unwrap();
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    let stream = &told["streams"][0];
    assert_eq!(
        (
            &stream["codec_name"],
            &stream["profile"],
            &stream["width"],
            &stream["height"]
        ),
        (&json!("h264"), &json!("High"), &json!(192), &json!(108))
    );
    assert_eq!(
        (&stream["nb_read_frames"], &stream["r_frame_rate"]),
        (&json!("72"), &json!("24/1"))
    );
    drop(film.folder);
}

#[test]
fn films_move_in_every_frame_and_never_jump() {
    for prompt in [
        "three boats on a lake below a mountain",
        "a fox walks through a forest, falling snow, pan right",
        "a city at night in the rain",
        "the sun sets over the sea",
        "fish underwater",
        "a bowl of oranges on a table",
        "a train in a meadow, oil painting",
    ] {
        let film = made(prompt, &json!({}));
        let steps = steps(&film.frames);
        let mut sorted = steps.clone();
        sorted.sort_by(f64::total_cmp);
        let (least, middle, most) = (sorted[0], sorted[sorted.len() / 2], sorted[sorted.len() - 1]);
        assert!(least > 0.02, "{prompt} stands still: {steps:?}");
        assert!(most < 4.0 * middle + 0.6, "{prompt} jumps: {steps:?}");
        // Light may change fast, but not from one frame to the next.
        for around in steps.windows(3) {
            let beside = around[0].max(around[2]);
            assert!(around[1] < 1.7 * beside + 0.5, "{prompt} jumps: {steps:?}");
        }
    }
}

#[test]
fn the_camera_goes_where_it_is_told() {
    let hills = "mountains and hills at noon";
    let far = (60, 20, 72, 40);
    let moved = |camera: &str, part| {
        let film = made(&format!("{hills}, {camera}"), &json!({}));
        shift(&film.frames[9], &film.frames[14], part)
    };
    let (right, down) = moved("pan left", far);
    assert!(right >= 3 && down.abs() <= 1, "pan left: {right}, {down}");
    let (right, down) = moved("pan right", far);
    assert!(right <= -3 && down.abs() <= 1, "pan right: {right}, {down}");
    let (right, down) = moved("tilt up", far);
    assert!(down >= 2 && right.abs() <= 1, "tilt up: {right}, {down}");
    let (left_side, right_side) = (
        moved("zoom in", (20, 30, 50, 40)),
        moved("zoom in", (122, 30, 50, 40)),
    );
    assert!(
        right_side.0 - left_side.0 >= 2,
        "zoom in: {left_side:?}, {right_side:?}"
    );
    let (left_side, right_side) = (
        moved("zoom out", (20, 30, 50, 40)),
        moved("zoom out", (122, 30, 50, 40)),
    );
    assert!(
        right_side.0 - left_side.0 <= -2,
        "zoom out: {left_side:?}, {right_side:?}"
    );
    assert_eq!(moved("static shot", far), (0, 0));
}

#[test]
fn what_is_near_passes_faster_than_what_is_far() {
    let film = made(
        "a meadow below mountains, the camera trucks right",
        &json!({ "duration": 3 }),
    );
    let (a, b) = (&film.frames[15], &film.frames[18]);
    let (far, near) = (shift(a, b, (60, 22, 72, 22)), shift(a, b, (60, 84, 72, 22)));
    assert!(near.0 < far.0 - 2, "near {near:?}, far {far:?}");
}

#[test]
fn light_holds_still_unless_it_is_said_to_change() {
    for prompt in [
        "a barn in a field, static shot",
        "a village by a lake, watercolor, static shot",
    ] {
        let lumas: Vec<f64> = made(prompt, &json!({})).frames.iter().map(luma).collect();
        let worst = lumas
            .windows(2)
            .map(|pair| (pair[0] - pair[1]).abs())
            .fold(0.0, f64::max);
        assert!(worst < 0.7, "{prompt} flickers by {worst}: {lumas:?}");
    }
    let lumas: Vec<f64> = made("a harbor from day to night", &json!({}))
        .frames
        .iter()
        .map(luma)
        .collect();
    assert!(
        lumas[0] > 1.5 * lumas[lumas.len() - 1],
        "it does not get dark: {lumas:?}"
    );
}

#[test]
fn shots_follow_each_other_in_equal_parts() {
    let film = made("shot 1: a desert at noon. shot 2: a forest at night.", &json!({}));
    let steps = steps(&film.frames);
    let cut = steps
        .iter()
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(b.1))
        .unwrap();
    assert_eq!(cut.0, 11, "the cut is between the two seconds: {steps:?}");
    assert_eq!(film.response.metadata["shots"].as_array().unwrap().len(), 2);
    assert_eq!(film.response.metadata["shots"][1]["light"], json!("night"));
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_one_another_film() {
    let brief = json!({ "duration": 0.5 });
    let first = made("birds over a beach", &brief);
    assert_eq!(first.bytes, made("birds over a beach", &brief).bytes);
    let other = made("birds over a beach", &json!({ "duration": 0.5, "seed": 6 }));
    assert_ne!(first.bytes, other.bytes);
}

#[test]
fn what_must_not_be_seen_is_left_out() {
    let film = made(
        "a harbor at noon",
        &json!({ "negative_prompt": "boats, fog", "duration": 0.2 }),
    );
    let placed = film.response.metadata["shots"][0]["placed"]
        .as_array()
        .unwrap()
        .clone();
    assert!(placed.iter().all(|thing| thing["name"] != "boat"), "{placed:?}");
}

#[test]
fn values_that_cannot_be_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for (params, named) in [
        (json!({ "prompt": "a sea", "resolution": "9000p" }), "resolution"),
        (json!({ "prompt": "a sea", "aspect_ratio": "1" }), "aspect_ratio"),
        (json!({ "prompt": "a sea", "duration": -3 }), "duration"),
        (json!({ "prompt": "a sea", "fps": 0 }), "fps"),
        (
            json!({ "prompt": "a sea", "camera_motion": "Loop" }),
            "camera_motion",
        ),
    ] {
        let error = run(&params, folder.path()).unwrap_err();
        assert!(
            matches!(&error, Error::InvalidInput(message) if message.contains(named)),
            "{params}: {error}"
        );
    }
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        0,
        "nothing is left behind"
    );
}
