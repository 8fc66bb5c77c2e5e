//! Pictures from words, and words applied to pictures.
//!
//! A prompt is read by a small grammar ([`prompt`]), composed into layers under one light ([`scene`]), painted in
//! units that know no resolution ([`draw`]) and finished in a style ([`style`]). Nothing here is a trained model.

pub(crate) mod chance;
mod color;
mod draw;
mod file;
mod grade;
mod prompt;
mod scene;
mod size;
mod style;
mod subjects;

use serde_json::{Map, Value, json};

use crate::{Error, Request, Response};
use chance::Rng;
use draw::Frame;
use prompt::Prompt;
use style::Style;

pub use size::dimensions;

/// The most variations one request may ask for.
const MOST_VARIATIONS: u64 = 15;

/// One picture, eight bits a channel, rows from the top.
#[derive(Debug, Clone)]
pub struct Rendered {
    pub width: usize,
    pub height: usize,
    /// Red, green, blue.
    pub rgb: Vec<u8>,
    /// What was understood and where it was put.
    pub metadata: Map<String, Value>,
}

/// Draws one variation of a prompt at any size. The same arguments give the same bytes.
pub fn render(prompt: &str, seed: u64, variation: u64, width: usize, height: usize) -> Rendered {
    picture(&Prompt::read(prompt), seed, variation, width, height)
}

fn picture(prompt: &Prompt, seed: u64, variation: u64, width: usize, height: usize) -> Rendered {
    let frame = Frame::new(width, height);
    let style = prompt.style.unwrap_or(Style::Gouache);
    let seed = Rng::new(seed ^ variation.wrapping_mul(0x9e37_79b9_7f4a_7c15)).next();
    let scene = scene::compose(prompt, style, frame, seed);
    let canvas = scene.painting.paint(frame);
    let canvas = style.finish(canvas, &scene.light, scene.seed);
    let canvas = grade::grade(canvas, prompt);
    let rgb = canvas.pixels.iter().flat_map(|p| [p[0], p[1], p[2]]).collect();
    let placed: Vec<Value> = scene
        .placed
        .iter()
        .map(|placed| {
            let part = |v: f32, of: f32| f64::from((v / of * 1000.0).round()) / 1000.0;
            let (l, t, r, b) = placed.area;
            json!({ "name": placed.name, "box": [part(l, frame.w), part(t, frame.h), part(r, frame.w), part(b, frame.h)] })
        })
        .collect();
    let mut metadata = Map::new();
    metadata.insert("setting".into(), json!(scene.setting));
    metadata.insert("style".into(), json!(style.name()));
    metadata.insert("light".into(), json!(format!("{:?}", scene.light.time).to_lowercase()));
    metadata.insert("weather".into(), json!(format!("{:?}", scene.light.weather).to_lowercase()));
    metadata.insert("placed".into(), Value::Array(placed));
    Rendered { width, height, rgb, metadata }
}

/// The task `image`: `n` variations of a prompt, as PNG files.
pub(crate) fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let text = |name: &str, default: &'static str| {
        request.params.get(name).and_then(Value::as_str).unwrap_or(default).to_owned()
    };
    let words = text("prompt", "");
    let (width, height) = dimensions(&text("size", "1:1"), &text("resolution", "2K"))?;
    let count = request.params.get("n").and_then(Value::as_u64).unwrap_or(1).clamp(1, MOST_VARIATIONS);
    let seed = request.params.get("seed").and_then(Value::as_u64).unwrap_or(request.seed);
    let prompt = Prompt::read(&words);
    let mut files = Vec::new();
    let mut pictures = Vec::new();
    for variation in 0..count {
        progress(variation as f32 / count as f32);
        let drawn = picture(&prompt, seed, variation, width, height);
        progress((variation as f32 + 0.85) / count as f32);
        let path = request.out.join(format!("image-{}.png", variation + 1));
        file::write(&path, &drawn, &words)?;
        files.push(path);
        pictures.push(Value::Object(drawn.metadata));
    }
    progress(1.0);
    let mut metadata = Map::new();
    metadata.insert("engine".into(), json!(crate::ENGINE));
    metadata.insert("seed".into(), json!(seed));
    metadata.insert("width".into(), json!(width));
    metadata.insert("height".into(), json!(height));
    metadata.insert("style".into(), json!(prompt.style.unwrap_or(Style::Gouache).name()));
    metadata.insert("understood".into(), json!(prompt.understood));
    metadata.insert("unknown".into(), json!(prompt.unknown));
    metadata.insert("variations".into(), Value::Array(pictures));
    Ok(Response { files, metadata })
}

/// The name of everything that can be drawn, in the table's order.
pub fn subjects_by_name() -> impl Iterator<Item = &'static str> {
    subjects::all().map(subjects::Subject::name)
}
