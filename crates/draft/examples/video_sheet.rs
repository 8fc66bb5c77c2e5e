//! Makes short films of prompts and a strip of frames of each, to look at:
//! `cargo run --release --example video_sheet -- FOLDER [RESOLUTION [SECONDS [PROMPT…]]]`. Says how long each took.

#![expect(clippy::print_stdout, reason = "an example speaks to its terminal")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use atelier_draft::Request;
use atelier_draft::encode::{Frame, PngRows};
use atelier_film::{Limits, Reader, color};
use serde_json::json;

/// Cameras, subjects, weather, changes, styles, shots.
const PROMPTS: [&str; 24] = [
    "three boats on a lake below a mountain at sunrise, slow pan right",
    "a lighthouse on a cliff at dusk, waves",
    "a city skyline from day to night, time-lapse",
    "a red car drives along a road through hills, tracking shot",
    "a fox walks through a snowy forest, falling snow",
    "a hot air balloon over mountains at golden hour, crane up",
    "a stormy sea with a ship, thunder and lightning, handheld",
    "birds over the sea at sunset",
    "a steam train on a meadow, the camera pans left",
    "a field with a barn, it starts to rain",
    "a village by a lake in winter, dolly in",
    "fish and a whale underwater",
    "a rocket in space above a planet",
    "a campfire beside a tent in a forest at night",
    "a bowl of oranges on a table, orbit around it",
    "the sun sets over the sea, time-lapse",
    "a horse gallops across a meadow, watercolor",
    "a castle on a hill, oil painting, zoom in",
    "a harbor in the fog, static shot",
    "shot 1: a beach with palm trees at noon. shot 2: a desert with camels at sunset. shot 3: a city at night in the rain",
    "hills through the seasons",
    "a woman walks on a beach at golden hour, tilt up",
    "a windmill in a field of tulips, flat vector",
    "abstract sense of calm, pastel",
];
const SHOWN: usize = 6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("name a folder")?);
    let resolution = arguments.next().unwrap_or_else(|| "480p".to_owned());
    let seconds = arguments.next().unwrap_or_else(|| "5".to_owned());
    let mut prompts: Vec<String> = arguments.collect();
    if prompts.is_empty() {
        prompts = PROMPTS.map(str::to_owned).to_vec();
    }
    std::fs::create_dir_all(&folder)?;
    for (number, prompt) in prompts.iter().enumerate() {
        let out = folder.join(format!("{:02}", number + 1));
        std::fs::create_dir_all(&out)?;
        let params = json!({ "prompt": prompt, "resolution": resolution, "duration": seconds, "generate_audio": true });
        let request = Request {
            task: "video".into(),
            params: params.as_object().cloned().unwrap_or_default(),
            inputs: Vec::new(),
            seed: 7,
            out: out.clone(),
        };
        let begun = Instant::now();
        let response = atelier_draft::video::run(&request, &mut |_| {})?;
        let took = begun.elapsed().as_secs_f32();
        let film = response.files.first().ok_or("no film")?;
        let bytes = std::fs::metadata(film)?.len();
        println!(
            "{:02} {took:5.1} s {:7.2} MB  {prompt}",
            number + 1,
            bytes as f32 / 1e6
        );
        strip(film, &folder.join(format!("{:02}.png", number + 1)))?;
    }
    Ok(())
}

/// A strip of frames, evenly over the film, two rows of three.
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
    let provenance = atelier_draft::encode::Provenance {
        tool: "video",
        source: atelier_draft::encode::SourceType::Algorithmic,
    };
    let mut rows = PngRows::create(to, size, provenance)?;
    rows.write(&page)?;
    rows.finish()?;
    Ok(())
}
