use std::path::{Path, PathBuf};

use atelier_film::{I420, Limits, Picture, Rate, Reader, Sound, Tags, Video, Writer};
use serde_json::{Map, Value, json};

use super::run;
use atelier_protocol::{Error, Input, Request, Response};

const W: usize = 192;
const H: usize = 144;

/// The content of a source.
#[derive(Clone, Copy, PartialEq)]
enum Shows {
    /// A red disc that moves from left to right.
    Moving,
    /// The disc in the middle, under the noise of a camera.
    Standing,
}

fn picture(shows: Shows, number: u32, frames: u32) -> Vec<u8> {
    let middle = match shows {
        Shows::Moving => 24.0 + (W as f32 - 48.0) * number as f32 / frames as f32,
        Shows::Standing => W as f32 / 2.0,
    };
    let mut rgb = Vec::with_capacity(W * H * 3);
    for y in 0..H {
        for x in 0..W {
            let inside = (x as f32 - middle).hypot(y as f32 - 72.0) < 22.0;
            let k = (x * 31 + y * 57) as u32 + number * 7_919;
            let noise = match shows {
                Shows::Moving => 0,
                Shows::Standing => (k.wrapping_mul(2_654_435_761) >> 30) as u8,
            };
            let ground = [90 + (y / 3) as u8, 150 - (y / 4) as u8, 190 - (x / 6) as u8];
            let color = if inside { [205, 40, 30] } else { ground };
            rgb.extend(color.map(|v| v + noise));
        }
    }
    rgb
}

fn source(folder: &Path, shows: Shows, frames: u32, rate: u32, sound: bool) -> PathBuf {
    let path = folder.join("source.mp4");
    let mut video = Video::new(W as u32, H as u32);
    video.rate = Rate::whole(rate);
    let setting = sound.then_some(Sound::Stereo { rate: 48_000 });
    let mut film = Writer::create(&path, video, setting, Tags::default()).unwrap();
    if sound {
        let samples = 48_000 * frames / rate;
        // A rising tone, which falls when reversed.
        let tone = |i: u32| {
            let t = i as f32 / 48_000.0;
            (t * (300.0 + 400.0 * t) * std::f32::consts::TAU).sin() * 0.3
        };
        let tone: Vec<f32> = (0..samples).flat_map(|i| [tone(i), tone(i)]).collect();
        film.samples(&tone).unwrap();
    }
    for number in 0..frames {
        film.frame(Picture::Rgb(&picture(shows, number, frames))).unwrap();
    }
    film.finish().unwrap();
    path
}

/// An edit of a film, with more fields.
fn edited_with(
    folder: &Path,
    film: &Path,
    prompt: &str,
    more: &Value,
) -> Result<(Response, Vec<I420>), Error> {
    let mut params = Map::new();
    params.insert("prompt".into(), json!(prompt));
    params.insert("audio_setting".into(), json!("auto"));
    params.extend(more.as_object().cloned().unwrap_or_default());
    let mut inputs = vec![Input {
        parameter: "video_url".into(),
        path: film.to_owned(),
        media_type: "video/mp4".into(),
        seconds: None,
    }];
    for name in ["image_urls", "mask_url"] {
        inputs.extend(params.get(name).and_then(Value::as_str).map(|path| Input {
            parameter: name.into(),
            path: path.into(),
            media_type: "image/png".into(),
            seconds: None,
        }));
    }
    let request = Request {
        task: "video-edit".into(),
        params,
        inputs,
        seed: 5,
        out: folder.to_owned(),
    };
    let response = run(&request, &mut |_| {})?;
    let mut film = Reader::open(&response.files[0], &Limits::default()).unwrap();
    let mut frames = Vec::new();
    while let Some(frame) = film.next(None).unwrap() {
        frames.push(frame.picture);
    }
    Ok((response, frames))
}

fn edited(shows: Shows, frames: u32, prompt: &str) -> (Response, Vec<I420>) {
    let folder = tempfile::tempdir().unwrap();
    let film = source(folder.path(), shows, frames, 24, false);
    edited_with(folder.path(), &film, prompt, &json!({})).unwrap()
}

fn means(frame: &I420) -> [f64; 3] {
    let planes = frame.planes();
    [planes.y, planes.u, planes.v].map(|p| p.iter().map(|v| f64::from(*v)).sum::<f64>() / p.len() as f64)
}

/// The horizontal position of the disc, 0 to 1: the centre of the red pixels.
fn disc(frame: &I420) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for (i, v) in frame.planes().v.iter().enumerate() {
        let k = (f64::from(*v) - 170.0).max(0.0);
        sum += k * (i % (frame.width / 2)) as f64;
        weight += k;
    }
    sum / weight / (frame.width / 2) as f64
}

fn difference(a: &[u8], b: &[u8]) -> f64 {
    let sum: u64 = a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / a.len() as f64
}

fn list<'a>(response: &'a Response, name: &str) -> Vec<&'a str> {
    let all = response.metadata.get(name).and_then(Value::as_array);
    all.into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn light_and_colours_are_as_the_words_say() {
    let (_, plain) = edited(Shows::Moving, 4, "mirror it");
    let (response, night) = edited(Shows::Moving, 4, "make it night");
    let (before, after) = (means(&plain[2]), means(&night[2]));
    assert!(after[0] < 0.5 * before[0], "{after:?} of {before:?}");
    assert!(after[1] > 128.0, "night is blue: {after:?}");
    assert_eq!(list(&response, "edits"), ["night"]);
    let (_, sepia) = edited(Shows::Moving, 4, "in sepia");
    for frame in &sepia {
        let [_, u, v] = means(frame);
        assert!(u < 124.0 && v > 130.0, "brown: {u} {v}");
    }
    let (_, grey) = edited(Shows::Moving, 4, "black and white");
    let chroma = &grey[1].data[W * H..];
    assert!(chroma.iter().all(|v| v.abs_diff(128) <= 3));
}

#[test]
fn what_stands_still_does_not_flicker_in_any_kind_of_style() {
    for style in [
        "oil painting",
        "pencil drawing",
        "woodblock print",
        "low poly",
        "pixel art",
    ] {
        let (response, frames) = edited(Shows::Standing, 8, style);
        assert_eq!(list(&response, "not_done"), [""; 0], "{style}");
        let worst = frames[1..]
            .windows(2)
            .map(|pair| difference(&pair[0].data, &pair[1].data))
            .fold(0.0, f64::max);
        println!("{style}: {worst:.2}");
        assert!(worst < 1.3, "{style}: {worst} of 255 from frame to frame");
    }
}

#[test]
fn a_style_is_seen() {
    let (_, plain) = edited(Shows::Moving, 2, "mirror it");
    let (_, drawn) = edited(Shows::Moving, 2, "a pencil drawing");
    let [light, u, v] = means(&drawn[0]);
    assert!(light > means(&plain[0])[0] + 20.0, "paper is light: {light}");
    assert!(
        (u - 128.0).abs() < 6.0 && (v - 128.0).abs() < 6.0,
        "graphite is grey: {u} {v}"
    );
}

#[test]
fn a_film_runs_backwards_faster_and_slower() {
    let (_, forward) = edited(Shows::Moving, 24, "brighter");
    assert_eq!(forward.len(), 24);
    assert!(disc(&forward[2]) < 0.35 && disc(&forward[21]) > 0.65);
    let (response, backward) = edited(Shows::Moving, 24, "play it in reverse");
    assert_eq!(backward.len(), 24);
    let places: Vec<f64> = backward.iter().map(disc).collect();
    assert!(places.windows(2).all(|pair| pair[0] > pair[1]), "{places:?}");
    assert_eq!(list(&response, "edits"), ["backwards"]);
    let (_, fast) = edited(Shows::Moving, 24, "at 2x speed");
    assert_eq!(fast.len(), 12);
    assert!((disc(&fast[6]) - disc(&forward[12])).abs() < 0.03);
    let (response, slow) = edited(Shows::Moving, 24, "in slow motion");
    assert_eq!(
        (slow.len(), &response.metadata["duration_seconds"]),
        (48, &json!(2.0))
    );
    let (_, part) = edited(Shows::Moving, 24, "only the last 0.5 seconds");
    assert_eq!(part.len(), 12);
    assert!((disc(&part[0]) - disc(&forward[12])).abs() < 0.03);
}

#[test]
fn an_edit_has_the_first_fifteen_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let film = source(folder.path(), Shows::Moving, 160, 10, false);
    let (response, frames) =
        edited_with(folder.path(), &film, "mirrored", &json!({ "duration": 5 })).unwrap();
    assert_eq!(
        (frames.len(), &response.metadata["duration_seconds"]),
        (150, &json!(15.0))
    );
}

#[test]
fn a_film_is_cropped_and_scaled_and_else_keeps_its_shape() {
    let folder = tempfile::tempdir().unwrap();
    let film = source(folder.path(), Shows::Moving, 2, 24, false);
    for (prompt, fields, size) in [
        ("brighter", json!({}), (192, 144)),
        (
            "brighter",
            json!({ "aspect_ratio": "16:9", "resolution": "288p" }),
            (384, 288),
        ),
        ("brighter", json!({ "aspect_ratio": "1:1" }), (144, 144)),
        (
            "crop to 9:16",
            json!({ "aspect_ratio": "16:9", "resolution": "160p" }),
            (160, 284),
        ),
        ("brighter", json!({ "width": 160, "height": 96 }), (160, 96)),
    ] {
        let (_, frames) = edited_with(folder.path(), &film, prompt, &fields).unwrap();
        assert_eq!((frames[0].width, frames[0].height), size, "{prompt} {fields}");
    }
}

#[test]
fn lettering_is_seen_where_it_belongs_and_nowhere_else() {
    let (_, plain) = edited(Shows::Standing, 24, "fade");
    let (response, titled) = edited(Shows::Standing, 24, "fade, add the subtitle \"hello there\"");
    assert_eq!(list(&response, "edits"), ["text: hello there"]);
    let rows = |frame: &I420, from: usize, to: usize| frame.data[from * W..to * W].to_vec();
    let (a, b) = (&plain[12], &titled[12]);
    assert!(difference(&rows(a, 0, 100), &rows(b, 0, 100)) < 0.6);
    let foot = rows(b, 120, 144);
    assert!(difference(&rows(a, 120, 144), &foot) > 1.5);
    assert!(foot.iter().any(|v| *v > 210), "white letters");
    // They fade in, and the film fades in from black.
    assert!(means(&titled[0])[0] < 40.0 && means(&titled[23])[0] < 40.0);
}

#[test]
fn weather_moves_by_itself_and_the_light_stays_even() {
    for weather in ["rain", "snowing", "fog"] {
        let (response, frames) = edited(Shows::Standing, 8, &format!("add {weather}"));
        assert_eq!(list(&response, "not_done"), [""; 0]);
        let moved = difference(&frames[2].data, &frames[7].data);
        assert!(moved > 0.2, "{weather}: {moved}");
        let light: Vec<f64> = frames.iter().map(|f| means(f)[0]).collect();
        let spread = light.iter().copied().fold(0.0, f64::max) - light.iter().copied().fold(255.0, f64::min);
        assert!(spread < 2.5, "{weather}: {light:?}");
    }
}

#[test]
fn the_sources_sound_is_kept_packet_by_packet_or_goes_with_the_picture() {
    let folder = tempfile::tempdir().unwrap();
    let film = source(folder.path(), Shows::Moving, 24, 24, true);
    let packets = |path: &Path| {
        let film = Reader::open(path, &Limits::default()).unwrap();
        film.coded_sound(1.0).unwrap().unwrap().packets
    };
    let own = packets(&film);
    for (prompt, setting) in [("sepia", "auto"), ("sepia", "origin"), ("2x speed", "origin")] {
        let fields = json!({ "audio_setting": setting });
        let (response, _) = edited_with(folder.path(), &film, prompt, &fields).unwrap();
        let kept = packets(&response.files[0]);
        assert!(own.starts_with(&kept[..kept.len() - 1]), "{prompt} {setting}");
        assert_eq!(response.metadata["sound"], "the source's own stream");
    }
    let (response, _) = edited_with(folder.path(), &film, "2x speed", &json!({})).unwrap();
    let sound = atelier_sound::file::decode(&response.files[0]).unwrap();
    assert!((sound.seconds() - 0.5).abs() < 0.03, "{}", sound.seconds());
    let (response, _) = edited_with(folder.path(), &film, "mute it", &json!({})).unwrap();
    let muted = Reader::open(&response.files[0], &Limits::default()).unwrap();
    assert!(!muted.facts().has_sound);
}

#[test]
fn another_background_is_put_behind_the_subject() {
    let (response, frames) = edited(Shows::Moving, 5, "replace the background with a green screen");
    assert_eq!(
        list(&response, "edits"),
        ["background: a green screen"],
        "{:?}",
        response.metadata
    );
    for frame in &frames {
        let corner = [2, 3].map(|i| i64::from(frame.planes().u[i * W / 2 + 3]));
        let v = frame.planes().v[3 * W / 2 + 3];
        assert!(corner.iter().all(|u| *u < 110) && v < 80, "green: {corner:?} {v}");
        assert!(disc(frame).is_finite(), "the disc is still there");
    }
    let places: Vec<f64> = frames.iter().map(disc).collect();
    assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "{places:?}");
}

#[test]
fn a_mask_keeps_what_is_black() {
    let folder = tempfile::tempdir().unwrap();
    let film = source(folder.path(), Shows::Standing, 3, 24, false);
    let mask = folder.path().join("mask.png");
    let half = image::GrayImage::from_fn(W as u32, H as u32, |x, _| {
        image::Luma([if x < W as u32 / 2 { 0 } else { 255 }])
    });
    half.save(&mask).unwrap();
    let fields = json!({ "mask_url": mask });
    let (_, frames) = edited_with(folder.path(), &film, "make it night", &fields).unwrap();
    let row = &frames[1].data[10 * W..11 * W];
    let mean = |part: &[u8]| part.iter().map(|v| u32::from(*v)).sum::<u32>() / part.len() as u32;
    assert!(mean(&row[..80]) > 2 * mean(&row[112..]), "{row:?}");
}

#[test]
fn what_cannot_be_done_to_footage_is_said() {
    let (response, _) = edited(Shows::Moving, 2, "add a boat, make it sepia, flumber");
    assert_eq!(
        list(&response, "not_done"),
        ["things: boat cannot be put into footage"]
    );
    assert_eq!(list(&response, "unknown"), ["flumber"]);
}

#[test]
fn the_same_seed_makes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let film = source(folder.path(), Shows::Moving, 6, 24, false);
    let bytes = |seed: u64| {
        let fields = json!({ "seed": seed });
        let (response, _) = edited_with(folder.path(), &film, "snowing, oil painting", &fields).unwrap();
        std::fs::read(&response.files[0]).unwrap()
    };
    let first = bytes(3);
    assert!(first == bytes(3), "another file with the same seed");
    assert!(first != bytes(4), "the same file with another seed");
}

#[test]
fn broken_files_and_impossible_wishes_are_refused_with_words() {
    let folder = tempfile::tempdir().unwrap();
    let film = source(folder.path(), Shows::Moving, 6, 24, false);
    let whole = std::fs::read(&film).unwrap();
    let broken = folder.path().join("broken.mp4");
    let refused = |bytes: &[u8], prompt: &str, fields: &Value| {
        std::fs::write(&broken, bytes).unwrap();
        match edited_with(folder.path(), &broken, prompt, fields) {
            Err(Error::InvalidInput(message)) => message,
            other => panic!("{:?}", other.map(|_| "an edit")),
        }
    };
    for length in [0, 20, whole.len() / 8, 700] {
        refused(&whole[..length], "sepia", &json!({}));
    }
    refused(&[7; 4_000], "sepia", &json!({}));
    // A film that claims to last for days.
    let mut endless = whole.clone();
    let at = endless.windows(4).position(|w| w == b"stts").unwrap();
    endless[at + 16..at + 20].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff]);
    assert!(refused(&endless, "sepia", &json!({})).contains("long"));
    assert!(refused(&whole, "from 5 to 9 s", &json!({})).contains("long"));
    assert!(refused(&whole, "sepia", &json!({ "resolution": "9000p" })).contains("resolution"));
}
