//! Measures what marking costs: the processor time of the task `watermark`, and how much larger the file becomes.
//!
//! `cargo run --release --package atelier-tasks --example marks_speed -- FOLDER [FILE…]`
//!
//! Without files, it draws four pictures of 1K into the folder, those of the bench. It also reads each mark, from the
//! marked file, and from a film after x264 compressed it at `crf` 28, if ffmpeg is installed.

use std::path::{Path, PathBuf};

use atelier_protocol::{Input, Request};
use atelier_tasks::run;
use serde_json::{Value, json};

const PROMPTS: [&str; 4] = [
    "a lighthouse on a cliff at dusk, watercolor",
    "a city street at night in the rain, neon",
    "a red sailing boat on a calm sea at sunrise",
    "a bowl of oranges on a wooden table, photo",
];

#[expect(clippy::print_stdout, reason = "an example prints its measurements")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(
        std::env::args()
            .nth(1)
            .ok_or("usage: marks_speed FOLDER [FILE…]")?,
    );
    let mut files: Vec<PathBuf> = std::env::args().skip(2).map(PathBuf::from).collect();
    if files.is_empty() {
        for (number, prompt) in PROMPTS.iter().enumerate() {
            let drawn = folder.join(format!("drawn-{number}"));
            if !drawn.exists() {
                std::fs::create_dir_all(&drawn)?;
                let params = json!({ "prompt": prompt, "resolution": "1K" });
                let response = run(&request("image", &params, None, &drawn), &mut |_| {})?;
                std::fs::rename(&response.files[0], drawn.join("picture.png"))?;
            }
            files.push(drawn.join("picture.png"));
        }
    }
    for file in files {
        let is_film = file.extension().is_some_and(|extension| extension == "mp4");
        let params = json!({ "key": "5a".repeat(32), "id": "019ab000b0c07d0e8f00112233445566" });
        let times = if is_film { 1 } else { 20 };
        let request = |task, file: &Path| request(task, &params, Some(file), &folder);
        let write = request("watermark", &file);
        let mut metadata = run(&write, &mut |_| {})?.metadata;
        let before = processor();
        for _ in 0..times {
            metadata = run(&write, &mut |_| {})?.metadata;
        }
        let cost = 1_000.0 * (processor() - before) / times as f32;
        let marked = folder.join(if is_film { "marked.mp4" } else { "marked.png" });
        std::fs::rename(folder.join("watermarked"), &marked)?;
        let size = |path: &Path| std::fs::metadata(path).map_or(0, |facts| facts.len());
        println!(
            "{}: {cost:.1} ms, {} bytes, marked {} bytes, {}",
            file.display(),
            size(&file),
            size(&marked),
            metadata["watermark"]
        );
        let read = |file: &Path| -> Result<(), Box<dyn std::error::Error>> {
            let before = processor();
            let found = run(&request("watermark-reading", file), &mut |_| {})?.metadata;
            let cost = 1_000.0 * (processor() - before);
            println!("    {}: {}, {cost:.0} ms", file.display(), found["found"]);
            Ok(())
        };
        read(&marked)?;
        if is_film && let Some(ffmpeg) = atelier_found::program("ffmpeg") {
            for (name, filter) in [("crf-28.mp4", "null"), ("crf-28-half.mp4", "scale=iw/2:ih/2")] {
                let worse = folder.join(name);
                let mut command = std::process::Command::new(&ffmpeg);
                command.args(["-v", "error", "-nostdin", "-y", "-i"]).arg(&marked);
                command.args([
                    "-c:v", "libx264", "-crf", "28", "-pix_fmt", "yuv420p", "-vf", filter,
                ]);
                command.arg(&worse).status()?;
                read(&worse)?;
            }
        }
    }
    Ok(())
}

fn request(task: &str, params: &Value, file: Option<&Path>, out: &Path) -> Request {
    let input = |path: &Path| Input {
        parameter: "file".into(),
        path: path.into(),
        media_type: if path.extension().is_some_and(|e| e == "mp4") {
            "video/mp4"
        } else {
            "image/png"
        }
        .into(),
        seconds: None,
    };
    Request {
        task: task.into(),
        params: params.as_object().cloned().unwrap_or_default(),
        inputs: file.map(input).into_iter().collect(),
        seed: 1,
        out: out.to_owned(),
    }
}

/// The CPU time of this process in seconds, if the system reports it in hundredths (Linux).
fn processor() -> f32 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f32>().ok()).sum::<f32>() / 100.0
}
