//! Makes short films of every kind, and a strip of frames of each, to look at:
//! `cargo run --release --example video_sheet -- FOLDER [RESOLUTION [SECONDS [PROMPT…]]]`.
//! Prints how long each took. Your own prompts are filmed from words alone.

#![expect(clippy::print_stdout, reason = "an example prints to its terminal")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use atelier_film::{Limits, Reader, color};
use atelier_protocol::{Input, Request};
use atelier_retouch::encode::{Frame, PngRows};
use serde_json::json;

/// The inputs of a film besides words: pictures by their number below, films by their number in the sheet.
enum Of {
    Words,
    /// The first frame, or the first and the last frame.
    Frames(&'static [usize]),
    /// The subjects, and the film whose camera to follow.
    References(&'static [usize], Option<usize>),
    Edit(usize, Option<usize>),
}

const PICTURES: [&str; 5] = [
    "a mountain lake with pines and a cabin, photo",
    "a mountain lake with pines and a cabin in autumn at sunset, photo",
    "a ginger cat on a plain light background, photo",
    "a red car on a plain light background, photo",
    "a beach with palm trees at noon, photo",
];

/// Cameras, subjects, weather, changes, styles, shots; animated pictures; references; edits.
const FILMS: [(Of, &str); 24] = [
    (
        Of::Words,
        "three boats on a lake below a mountain at sunrise, slow pan right",
    ),
    (
        Of::Words,
        "a red car drives along a road through hills, tracking shot",
    ),
    (Of::Words, "a woman walks on a beach at golden hour, tilt up"),
    (Of::Words, "a city skyline from day to night, time-lapse"),
    (Of::Words, "a fox walks through a snowy forest, falling snow"),
    (
        Of::Words,
        "a stormy sea with a ship, thunder and lightning, handheld",
    ),
    (
        Of::Words,
        "a hot air balloon over mountains at golden hour, crane up",
    ),
    (Of::Words, "a bowl of oranges on a table, orbit around it"),
    (
        Of::Words,
        "a campfire beside a tent in a forest at night, dolly in",
    ),
    (Of::Words, "a horse gallops across a meadow, watercolor"),
    (
        Of::Words,
        "a castle on a hill in the rain, pencil drawing, zoom in",
    ),
    (
        Of::Words,
        "shot 1: a harbor in the fog. shot 2: a desert with camels at sunset. shot 3: a city at night in the rain",
    ),
    (
        Of::Frames(&[0]),
        "the camera moves slowly to the right, the water ripples",
    ),
    (Of::Frames(&[0]), "from day to night, it starts to snow"),
    (Of::Frames(&[0, 1]), "the summer turns to autumn"),
    (
        Of::References(&[2], None),
        "@Image1 walks along a beach at sunset",
    ),
    (
        Of::References(&[2, 3], None),
        "character1 sits beside character2 on a meadow, dolly in",
    ),
    (
        Of::References(&[], Some(0)),
        "a lighthouse on a cliff at dusk, waves",
    ),
    (Of::Edit(0, None), "as an oil painting"),
    (Of::Edit(1, None), "make it night with heavy rain"),
    (Of::Edit(2, None), "replace the background with snowy mountains"),
    (Of::Edit(4, Some(4)), "replace the background with @Image1"),
    (
        Of::Edit(6, None),
        "in autumn, add the title \u{201c}Aloft\u{201d}, crop to 1:1",
    ),
    (Of::Edit(4, None), "ink drawing, slow motion"),
];
const SHOWN: usize = 6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(
        arguments
            .next()
            .ok_or("usage: video_sheet FOLDER [RESOLUTION [SECONDS [PROMPT…]]]")?,
    );
    let resolution = arguments.next().unwrap_or_else(|| "480p".to_owned());
    let seconds = arguments.next().unwrap_or_else(|| "5".to_owned());
    let own: Vec<String> = arguments.collect();
    std::fs::create_dir_all(&folder)?;
    if !own.is_empty() {
        for (number, prompt) in own.iter().enumerate() {
            film(&folder, number, prompt, &[], (&resolution, &seconds))?;
        }
        return Ok(());
    }
    let pictures: Vec<PathBuf> = (0..PICTURES.len())
        .map(|number| picture(&folder, number))
        .collect::<Result<_, _>>()?;
    let mut films: Vec<PathBuf> = Vec::new();
    for (number, (of, prompt)) in FILMS.iter().enumerate() {
        let all = |field: &'static str, numbers: &[usize]| -> Vec<(&'static str, PathBuf)> {
            numbers
                .iter()
                .map(|number| (field, pictures[*number].clone()))
                .collect()
        };
        let inputs = match of {
            Of::Words => Vec::new(),
            Of::Frames(frames) => all("image_urls", frames),
            Of::References(guests, camera) => {
                let mut inputs = all("reference_image_urls", guests);
                inputs.extend(camera.map(|number| ("reference_video_urls", films[number].clone())));
                inputs
            }
            Of::Edit(number, picture) => {
                let mut inputs = vec![("video_url", films[*number].clone())];
                inputs.extend(picture.map(|number| ("image_urls", pictures[number].clone())));
                inputs
            }
        };
        films.push(film(&folder, number, prompt, &inputs, (&resolution, &seconds))?);
    }
    Ok(())
}

/// A picture to start from.
fn picture(folder: &Path, number: usize) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let out = folder.join(format!("picture-{}", number + 1));
    std::fs::create_dir_all(&out)?;
    let params = json!({ "prompt": PICTURES[number], "resolution": "1K", "aspect_ratio": "16:9", "seed": 3 });
    let request = Request {
        task: "image".into(),
        params: params.as_object().cloned().unwrap_or_default(),
        inputs: Vec::new(),
        seed: 3,
        out,
    };
    let response = atelier_tasks::run(&request, &mut |_| {})?;
    Ok(response.files.into_iter().next().ok_or("no picture")?)
}

/// Makes a film and its strip.
fn film(
    folder: &Path,
    number: usize,
    prompt: &str,
    inputs: &[(&str, PathBuf)],
    (resolution, seconds): (&str, &str),
) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let out = folder.join(format!("{:02}", number + 1));
    std::fs::create_dir_all(&out)?;
    let edits = inputs.iter().any(|(field, _)| *field == "video_url");
    let mut params = json!({ "prompt": prompt, "resolution": resolution, "enable_safety_checker": true });
    if !edits {
        params["duration"] = json!(seconds.parse::<f64>()?);
        params["generate_audio"] = json!(true);
    }
    let input = |(field, path): &(&str, PathBuf)| Input {
        parameter: (*field).to_owned(),
        path: path.clone(),
        media_type: if field.contains("video") {
            "video/mp4"
        } else {
            "image/png"
        }
        .into(),
        seconds: None,
    };
    let request = Request {
        task: if edits { "video-edit" } else { "video" }.into(),
        params: params.as_object().cloned().unwrap_or_default(),
        inputs: inputs.iter().map(input).collect(),
        seed: 7,
        out,
    };
    let begun = Instant::now();
    let response = atelier_tasks::run(&request, &mut |_| {})?;
    let took = begun.elapsed().as_secs_f32();
    let film = response.files.into_iter().next().ok_or("no film")?;
    let bytes = std::fs::metadata(&film)?.len();
    println!(
        "{:02} {took:5.1} s {:7.2} MB  {prompt}",
        number + 1,
        bytes as f32 / 1e6
    );
    for (name, value) in &response.metadata {
        if name == "not_done" {
            println!("     not done: {value}");
        }
    }
    strip(&film, &folder.join(format!("{:02}.png", number + 1)))?;
    Ok(film)
}

/// A strip of frames spaced evenly over the film, in two rows of three.
fn strip(film: &Path, to: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut reader = Reader::open(film, &Limits::default())?;
    let facts = *reader.facts();
    let (w, h) = (facts.width as usize, facts.height as usize);
    let (across, down) = (3, SHOWN / 3);
    let mut page = vec![0; w * across * h * down * 3];
    for shown in 0..SHOWN {
        let time = facts.seconds * (shown as f64 + 0.25) / SHOWN as f64;
        let Some(frame) = reader.at(time)? else { continue };
        let mut rgb = vec![0; w * h * 3];
        color::to_rgb::<3>(frame, &mut rgb);
        for (row, line) in rgb.chunks_exact(w * 3).enumerate() {
            let at = ((shown / across * h + row) * across + shown % across) * w * 3;
            page[at..at + w * 3].copy_from_slice(line);
        }
    }
    let size = Frame {
        width: w * across,
        height: h * down,
        alpha: false,
        icc: None,
    };
    let provenance = atelier_retouch::encode::Provenance {
        tool: "video",
        source: atelier_retouch::encode::SourceType::Algorithmic,
    };
    let mut rows = PngRows::create(to, size, provenance)?;
    rows.write(&page)?;
    rows.finish()?;
    Ok(())
}
