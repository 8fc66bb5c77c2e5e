//! The check by a graph whose scores can be foretold: `red` is near 1 where a picture is red and 0 elsewhere.

use std::{fs, path::PathBuf};

use atelier_film::{Picture as Shown, Rate, Tags, Video, Writer};
use tempfile::TempDir;

use super::*;
use crate::{Device, Places, Runtime};

const RED: [u8; 3] = [210, 20, 20];
const BLUE: [u8; 3] = [20, 40, 200];

fn graph(folder: &TempDir, manifest: &Value) -> Graph {
    let bytes = include_bytes!("../../tests/redness.onnx");
    fs::write(folder.path().join("model.onnx"), bytes).unwrap();
    fs::write(folder.path().join("model.json"), manifest.to_string()).unwrap();
    let places = Places {
        runtime: Runtime::Rten,
        device: Device::Cpu,
        library: None,
        provider: None,
        models: PathBuf::from("/"),
    };
    Graph::load(&places, folder.path()).unwrap()
}

fn manifest() -> Value {
    json!({
        "kind": "scores", "layout": "nhwc", "color": "bgr", "activation": "softmax",
        "size": { "fixed": [16, 16], "scaled": [32, 32] },
        "classes": ["other", "red"], "refuse": ["red"], "refuse_at": 0.8,
    })
}

/// A file with a picture of one colour, all around and in its middle half.
fn picture(folder: &TempDir, name: &str, around: [u8; 3], middle: [u8; 3]) -> Input {
    let path = folder.path().join(name);
    let inside = |at: u32| (16..48).contains(&at);
    let pixels = image::RgbImage::from_fn(64, 64, |x, y| {
        image::Rgb(if inside(x) && inside(y) { middle } else { around })
    });
    pixels.save(&path).unwrap();
    input(path, "image/png")
}

/// A file with a video of this many seconds of each colour.
fn video(folder: &TempDir, parts: &[([u8; 3], f64)]) -> Input {
    let path = folder.path().join("film.mp4");
    let mut video = Video::new(64, 64);
    video.rate = Rate::whole(8);
    let mut film = Writer::create(&path, video, None, Tags::default()).unwrap();
    for (color, seconds) in parts {
        for _ in 0..(8.0 * seconds) as usize {
            film.frame(Shown::Rgb(&color.repeat(64 * 64))).unwrap();
        }
    }
    film.finish().unwrap();
    input(path, "video/mp4")
}

fn input(path: PathBuf, media_type: &str) -> Input {
    Input {
        parameter: FILES.to_owned(),
        path,
        media_type: media_type.to_owned(),
        seconds: None,
    }
}

fn checked(graph: &mut Graph, inputs: Vec<Input>, params: &Value) -> Result<Response, Error> {
    let request = Request {
        task: TASK.to_owned(),
        params: params.as_object().unwrap().clone(),
        inputs,
        seed: 0,
        out: PathBuf::from("/nowhere"),
    };
    check(&request, graph, &mut |_| {})
}

fn is_refused(result: Result<Response, Error>) -> bool {
    match result {
        Ok(_) => false,
        Err(Error::ContentPolicy(message)) => message.contains("found red in the result"),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn a_picture_is_refused_for_the_score_of_its_middle() {
    let folder = tempfile::tempdir().unwrap();
    let mut graph = graph(&folder, &manifest());
    let plain = picture(&folder, "plain.png", RED, BLUE);
    let passed = checked(&mut graph, vec![plain.clone()], &json!({})).unwrap();
    assert_eq!(
        (&passed.metadata["score"], &passed.metadata["looks"]),
        (&json!(0.0), &json!(1))
    );
    assert!(passed.files.is_empty());

    // Of several files, one is enough.
    let red = picture(&folder, "red.png", BLUE, RED);
    assert!(is_refused(checked(&mut graph, vec![plain, red], &json!({}))));
}

#[test]
fn the_score_from_which_on_results_are_refused_can_be_set() {
    let folder = tempfile::tempdir().unwrap();
    let mut graph = graph(&folder, &manifest());
    // 20 × (145 − 45 − 91) / 255 is a score of 0.67, less what the surroundings add at the edge.
    let doubtful = picture(&folder, "doubtful.png", BLUE, [145, 45, 91]);
    let passed = checked(&mut graph, vec![doubtful.clone()], &json!({})).unwrap();
    let score = passed.metadata["score"].as_f64().unwrap();
    assert!((0.5..0.67).contains(&score), "{score}");
    let strict = json!({ "refuse_at": 0.5 });
    assert!(is_refused(checked(&mut graph, vec![doubtful], &strict)));
}

#[test]
fn a_video_is_refused_for_two_looks_and_passes_with_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut graph = graph(&folder, &manifest());
    let mut refused =
        |parts: &[([u8; 3], f64)]| is_refused(checked(&mut graph, vec![video(&folder, parts)], &json!({})));
    assert!(!refused(&[(BLUE, 2.0)]));
    // A look every half second, the first at 0.
    assert!(!refused(&[(BLUE, 1.0), (RED, 0.5), (BLUE, 1.0)]));
    assert!(refused(&[(BLUE, 1.0), (RED, 1.0), (BLUE, 1.0)]));
    // A video that is too short for two looks is refused for one.
    assert!(refused(&[(RED, 0.375)]));
}

#[test]
fn weights_without_a_refused_class_cannot_check() {
    let folder = tempfile::tempdir().unwrap();
    let mut manifest = manifest();
    manifest["refuse"] = json!([]);
    let mut graph = graph(&folder, &manifest);
    let error = checked(&mut graph, vec![], &json!({})).unwrap_err().to_string();
    assert!(error.contains("`refuse` is empty"), "{error}");
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut graph = graph(&folder, &manifest());
    let path = folder.path().join("broken.mp4");
    fs::write(&path, "no film").unwrap();
    let error = checked(&mut graph, vec![input(path, "video/mp4")], &json!({})).unwrap_err();
    assert!(matches!(error, Error::InvalidInput(_)), "{error}");
}
