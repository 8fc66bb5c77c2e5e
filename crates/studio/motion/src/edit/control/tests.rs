use std::path::{Path, PathBuf};

use atelier_film::{Limits, Rate, Reader as FilmReader, Tags, Video, Writer};

use serde_json::Value;

use super::structure::slopes;
use super::*;
use atelier_protocol::Input;
use atelier_retouch::Plane;

const SIZE: (usize, usize) = (192, 128);
const FRAMES: usize = 8;

/// A disc that moves to the right, drawn by each pixel's distance from the disc's edge: negative inside it.
fn control(folder: &Path, name: &str, speed: f32, pixel: &dyn Fn(f32) -> [u8; 3]) -> PathBuf {
    let path = folder.join(format!("{name}.mp4"));
    let mut video = Video::new(SIZE.0 as u32, SIZE.1 as u32);
    video.rate = Rate::whole(12);
    let mut film = Writer::create(&path, video, None, Tags::default()).unwrap();
    for number in 0..FRAMES {
        let rgb: Vec<u8> = (0..SIZE.0 * SIZE.1)
            .flat_map(|at| {
                let (x, y) = ((at % SIZE.0) as f32, (at / SIZE.0) as f32);
                pixel((x - 70.0 - speed * number as f32).hypot(y - 64.0) - 34.0)
            })
            .collect();
        film.frame(Picture::Rgb(&rgb)).unwrap();
    }
    film.finish().unwrap();
    path
}

fn made(folder: &Path, video: PathBuf, params: &Value) -> Result<Response, Error> {
    let request = Request {
        task: "control-to-video".into(),
        params: params.as_object().unwrap().clone(),
        inputs: vec![Input {
            parameter: "video_url".into(),
            path: video,
            media_type: "video/mp4".into(),
            seconds: None,
        }],
        seed: 4,
        out: folder.to_owned(),
    };
    crate::run_task(&request, &mut |_| {})
}

fn lumas(path: &Path) -> Vec<Plane> {
    let mut film = FilmReader::open(path, &Limits::default()).unwrap();
    let mut frames = Vec::new();
    while let Some(frame) = film.next(None).unwrap() {
        let luma = frame.picture.planes().y.to_vec();
        let w = frame.picture.width;
        frames.push(Plane::from_fn(w, frame.picture.height, |x, y| {
            f32::from(luma[y * w + x]) / 255.0
        }));
    }
    frames
}

/// How steep the film is at this distance from the disc's edge, on both sides, relative to elsewhere.
fn steepness(frame: &Plane, number: usize, beside: f32) -> f32 {
    let steep = slopes(&frame.blurred(1.0));
    let (mut on, mut off) = ((0.0, 0.0), (0.0, 0.0));
    for y in 0..SIZE.1 {
        for x in 0..SIZE.0 {
            let away = (x as f32 - 70.0 - 5.0 * number as f32).hypot(y as f32 - 64.0) - 34.0;
            let sum = if (away.abs() - beside).abs() < 3.0 {
                &mut on
            } else {
                &mut off
            };
            *sum = (sum.0 + steep.at(x, y), sum.1 + 1.0);
        }
    }
    (on.0 / on.1) / (off.0 / off.1).max(1e-6)
}

#[test]
fn the_film_has_the_edges_of_its_control_whatever_that_shows_and_is_as_long_as_asked() {
    let folder = tempfile::tempdir().unwrap();
    let params = json!({ "prompt": "a red apple on a beach", "width": SIZE.0, "height": SIZE.1,
        "duration": 0.5, "fps": 12, "steps": 50 });
    for (name, pixel) in controls() {
        let video = control(folder.path(), name, 5.0, pixel);
        let response = made(folder.path(), video, &params).unwrap();
        let told = &response.metadata;
        assert_eq!(
            (&told["frames"], &told["width"]),
            (&json!(6), &json!(SIZE.0)),
            "{name}"
        );
        assert!(told["control"].as_str().unwrap().starts_with(name), "{told:?}");
        assert_eq!(told["without_effect"], json!(["steps"]));
        for (number, frame) in lumas(&response.files[0]).iter().enumerate() {
            // Limbs are thick: their edges lie beside the line.
            let ratio = steepness(frame, number, if name == "poses" { 4.4 } else { 0.0 });
            assert!(ratio > 2.0, "{name}, frame {number}: {ratio}");
        }
    }
}

/// A pixel's value at a distance from the disc's edge.
type Shown = &'static dyn Fn(f32) -> [u8; 3];

/// Returns the picture of each kind of control.
fn controls() -> [(&'static str, Shown); 4] {
    [
        ("edges", &|away| if away.abs() < 1.3 { [255; 3] } else { [0; 3] }),
        ("depth", &|away| {
            [(60.0 + 140.0 / (1.0 + (0.8 * away).exp())) as u8; 3]
        }),
        ("footage", &|away| {
            if away < 0.0 { [200, 150, 60] } else { [40, 90, 70] }
        }),
        ("poses", &|away| {
            if away.abs() < 1.5 { [255, 40, 30] } else { [0; 3] }
        }),
    ]
}

#[test]
fn where_the_control_stands_still_nothing_flickers_and_the_words_choose_the_colours() {
    let folder = tempfile::tempdir().unwrap();
    let video = control(folder.path(), "edges", 0.0, controls()[0].1);
    let mut means = Vec::new();
    for prompt in ["a red apple in the snow", "a blue bird in the snow"] {
        let params = json!({ "prompt": prompt, "width": SIZE.0, "height": SIZE.1, "duration": 1, "fps": 12 });
        let response = made(folder.path(), video.clone(), &params).unwrap();
        // The control has eight frames, the film twelve: it plays back and forth.
        let mut film = FilmReader::open(&response.files[0], &Limits::default()).unwrap();
        assert_eq!(film.facts().frames, 12);
        let mut frames = Vec::new();
        while let Some(frame) = film.next(None).unwrap() {
            frames.push(frame.picture);
        }
        for pair in frames.windows(2) {
            let sum: f64 = pair[0]
                .data
                .iter()
                .zip(&pair[1].data)
                .map(|(a, b)| f64::from(a.abs_diff(*b)))
                .sum();
            assert!(sum / (pair[0].data.len() as f64) < 1.0, "{prompt}: {sum}");
        }
        // Blue and red difference in the middle of the disc.
        let planes = frames[6].planes();
        let at = 32 * (SIZE.0 / 2) + 35;
        means.push((i32::from(planes.u[at]), i32::from(planes.v[at])));
    }
    let (red, blue) = (means[0], means[1]);
    assert!(red.1 > blue.1 + 12 && red.0 < blue.0 - 8, "{means:?}");
}

#[test]
fn what_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.mp4");
    std::fs::write(&broken, b"\0\0\0\x18ftypisom nothing").unwrap();
    let video = control(folder.path(), "edges", 0.0, controls()[0].1);
    for (name, video, params) in [
        ("video_url", broken, json!({ "prompt": "a cat" })),
        (
            "duration",
            video.clone(),
            json!({ "prompt": "a cat", "duration": 0 }),
        ),
        (
            "size",
            video,
            json!({ "prompt": "a cat", "width": 3_000, "height": 2_000 }),
        ),
    ] {
        let error = made(folder.path(), video, &params).unwrap_err();
        assert!(
            matches!(&error, Error::InvalidInput(message) if message.contains(name)),
            "{name}: {error}"
        );
    }
}
