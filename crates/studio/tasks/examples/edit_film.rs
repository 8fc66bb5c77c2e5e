//! Edits a film by words, to look at and to measure:
//! `cargo run --release --example edit_film -- FOLDER FILM PROMPT [RESOLUTION] [PICTURE]`.

#![expect(clippy::print_stdout, reason = "an example prints to its terminal")]

use std::time::Instant;

use atelier_protocol::{Input, Request};
use serde_json::{Map, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, film, prompt, more @ ..] = arguments.as_slice() else {
        return Err("usage: edit_film FOLDER FILM PROMPT [RESOLUTION] [PICTURE]".into());
    };
    let mut params = Map::new();
    params.insert("prompt".into(), json!(prompt));
    params.insert("audio_setting".into(), json!("auto"));
    if let Some(resolution) = more.first() {
        params.insert("resolution".into(), json!(resolution));
    }
    let mut inputs = vec![Input {
        parameter: "video_url".into(),
        path: film.into(),
        media_type: "video/mp4".into(),
        seconds: None,
    }];
    inputs.extend(more.get(1).map(|picture| Input {
        parameter: "image_urls".into(),
        path: picture.into(),
        media_type: "image/png".into(),
        seconds: None,
    }));
    std::fs::create_dir_all(folder)?;
    let request = Request {
        task: "video-edit".into(),
        params,
        inputs,
        seed: 1,
        out: folder.into(),
    };
    let start = Instant::now();
    let response = atelier_tasks::run(&request, &mut |_| {})?;
    println!(
        "{:.1} s: {}",
        start.elapsed().as_secs_f64(),
        response.files[0].display()
    );
    println!("{}", serde_json::to_string_pretty(&response.metadata)?);
    Ok(())
}
