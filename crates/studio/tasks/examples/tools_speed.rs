//! Measures how long each picture tool takes on twelve megapixels, and the peak memory.
//!
//! `cargo run --release --example tools_speed -- FOLDER`

use std::path::{Path, PathBuf};
use std::time::Instant;

use atelier_protocol::{Input, Request};
use atelier_retouch::decode::Picture;
use atelier_retouch::encode::{Provenance, SourceType, write_png};
use atelier_retouch::samples::subject;
use atelier_retouch::upscale::{Kind, enlarge};
use atelier_tasks::run;
use serde_json::{Value, json};

#[expect(clippy::print_stdout, reason = "an example prints its measurements")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: tools_speed FOLDER")?);
    std::fs::create_dir_all(&folder)?;
    let (picture, mask) = (folder.join("picture.png"), folder.join("mask.png"));
    if !picture.exists() {
        save(&picture, &enlarge(&subject(1000, 750, 5).0, 4, Kind::Photo))?;
        let mut hole = Picture::filled(4000, 3000, [0, 0, 0, 255]);
        for y in 900..1675 {
            hole.rgba[4 * (y * 4000 + 1700)..4 * (y * 4000 + 2475)].fill(255);
        }
        save(&mask, &hole)?;
    }
    let only = std::env::args().nth(2);
    let tasks: [(&str, Value); 7] = [
        ("upscale", json!({ "factor": 2, "mode": "photo" })),
        ("enhancer", json!({ "strength": 0.5 })),
        ("background-removal", json!({})),
        ("inpaint", json!({ "seed": 1 })),
        ("relight", json!({ "direction": "left" })),
        ("camera-angle", json!({ "azimuth": 20, "elevation": 8 })),
        ("upscale", json!({ "factor": "4" })),
    ];
    for (task, params) in tasks {
        if only.as_deref().is_some_and(|only| only != task) {
            continue;
        }
        let input = |parameter: &str, path: &Path| Input {
            parameter: parameter.into(),
            path: path.into(),
            media_type: "image/png".into(),
            seconds: None,
        };
        let request = Request {
            task: task.into(),
            params: params.as_object().cloned().unwrap_or_default(),
            inputs: vec![input("image_urls", &picture), input("mask_url", &mask)],
            seed: 1,
            out: folder.clone(),
        };
        let (start, before) = (Instant::now(), processor());
        run(&request, &mut |_| {})?;
        println!(
            "{task} {params}: {:.2} s, {:.2} s of processor time, peak so far {} MiB",
            start.elapsed().as_secs_f32(),
            processor() - before,
            peak()
        );
    }
    Ok(())
}

/// The CPU time of this process in seconds, if the system reports it in hundredths (Linux).
fn processor() -> f32 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f32>().ok()).sum::<f32>() / 100.0
}

/// The peak memory of this process, if the system reports it.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok())
        .unwrap_or(0)
        / 1024
}

fn save(path: &Path, picture: &Picture) -> Result<(), Box<dyn std::error::Error>> {
    Ok(write_png(
        path,
        picture,
        Provenance {
            tool: "sample",
            source: SourceType::Composite,
        },
    )?)
}
