//! Measures the time, CPU time and memory of films:
//! `cargo run --release --example video_speed -- FOLDER RESOLUTION SECONDS [task=TASK] [FIELD=FILE …] [PROMPT …]`.
//!
//! TASK is `video` by default. FIELD is `video_url`, `image_urls`, `reference_image_urls` or another field for a file.
//! Without prompts, all styles are tried in all weathers and changes. CPU time and memory need Linux.

use std::path::PathBuf;
use std::time::Instant;

use atelier_protocol::{Input, Request};
use atelier_tasks::run;
use serde_json::json;

const STYLES: [&str; 20] = [
    "photo",
    "watercolor",
    "oil painting",
    "gouache",
    "pencil drawing",
    "charcoal drawing",
    "ink drawing",
    "woodblock print",
    "pixel art",
    "low poly",
    "flat vector",
    "isometric",
    "stained glass",
    "neon",
    "halftone",
    "film noir",
    "papercut",
    "blueprint",
    "pointillism",
    "pastel",
];
const WEATHERS: [&str; 6] = [
    "",
    ", rain",
    ", falling snow",
    ", at night",
    ", from day to night",
    ", time-lapse",
];

#[expect(clippy::print_stdout, reason = "an example prints its measurements")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || {
        arguments
            .next()
            .ok_or("usage: video_speed FOLDER RESOLUTION SECONDS …")
    };
    let (folder, resolution, seconds) = (PathBuf::from(next()?), next()?, next()?);
    let (mut inputs, mut prompts, mut task) = (Vec::new(), Vec::new(), None);
    for argument in arguments {
        match argument.split_once('=') {
            Some(("task", name)) => task = Some(name.to_owned()),
            Some((field, file)) => inputs.push(Input {
                parameter: field.to_owned(),
                path: file.into(),
                media_type: media_type(file).to_owned(),
                seconds: None,
            }),
            None => prompts.push(argument),
        }
    }
    let edits = inputs.iter().any(|input| input.parameter == "video_url");
    if prompts.is_empty() {
        let scene = if edits {
            "as a"
        } else {
            "a sailing boat on a lake below mountains, slow pan right,"
        };
        prompts = STYLES
            .iter()
            .flat_map(|style| WEATHERS.map(|weather| format!("{scene} {style}{weather}")))
            .collect();
    }
    std::fs::create_dir_all(&folder)?;
    println!("  wall  processor    peak");
    for prompt in prompts {
        let mut params = json!({ "prompt": prompt, "resolution": resolution });
        if !edits || task.is_some() {
            params["duration"] = json!(seconds.parse::<f64>()?);
        }
        let request = Request {
            task: match &task {
                Some(task) => task.clone(),
                None if edits => "video-edit".into(),
                None => "video".into(),
            },
            params: params.as_object().cloned().unwrap_or_default(),
            inputs: inputs.clone(),
            seed: 1,
            out: folder.clone(),
        };
        std::fs::write("/proc/self/clear_refs", "5")?;
        let (start, before) = (Instant::now(), processor());
        run(&request, &mut |_| {})?;
        println!(
            "{:5.1} s {:7.1} s {:5} MiB  {prompt}",
            start.elapsed().as_secs_f32(),
            processor() - before,
            peak()
        );
    }
    Ok(())
}

fn media_type(file: &str) -> &'static str {
    match file.rsplit('.').next() {
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("wav") => "audio/wav",
        Some("mp3") => "audio/mpeg",
        _ => "video/mp4",
    }
}

/// Seconds of CPU time that this process has used.
fn processor() -> f32 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after.split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f32>().ok()).sum::<f32>() / 100.0
}

/// The peak memory since it was last reset, in MiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().nth(1));
    kib.and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1024
}
