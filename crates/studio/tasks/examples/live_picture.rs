//! Makes a film of one picture, or from one to another, to look at and to measure:
//! `cargo run --release --example live_picture -- FOLDER PROMPT SECONDS RESOLUTION FIRST [LAST]`.

#![expect(clippy::print_stdout, reason = "an example prints to its terminal")]

use std::time::Instant;

use atelier_protocol::{Input, Request};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, prompt, seconds, resolution, pictures @ ..] = arguments.as_slice() else {
        return Err("usage: live_picture FOLDER PROMPT SECONDS RESOLUTION FIRST [LAST]".into());
    };
    let params = json!({
        "prompt": prompt, "duration": seconds.parse::<f64>()?, "resolution": resolution, "aspect_ratio": "16:9",
    });
    let Value::Object(params) = params else {
        return Err("the parameters must be an object".into());
    };
    std::fs::create_dir_all(folder)?;
    let request = Request {
        task: "video".into(),
        params,
        inputs: pictures
            .iter()
            .map(|path| Input {
                parameter: "image_urls".into(),
                path: path.into(),
                media_type: "image/png".into(),
                seconds: None,
            })
            .collect(),
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
