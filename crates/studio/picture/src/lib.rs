//! Pictures from words, and words applied to pictures.
//!
//! A prompt is parsed by a small grammar (`prompt`), composed into layers under one light (`scene`), painted in
//! units independent of resolution (`draw`) and finished in a style (`style`). Nothing here is a trained model.

pub mod draw;
pub mod edit;
mod file;
pub mod grade;
mod inpaint;
pub mod layers;
pub mod light;
mod masked;
pub mod moving;
mod parts;
pub mod prompt;
pub mod scene;
mod size;
pub mod style;
pub mod subjects;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_edits;
#[cfg(test)]
mod tests_faces;
#[cfg(test)]
mod tests_relations;
#[cfg(test)]
mod tests_requests;

use std::path::PathBuf;

use rayon::prelude::*;
use serde_json::{Map, Value, json};

use atelier_protocol::{Error, Request, Response, Task};

use atelier_retouch::chance::Rng;
use draw::Frame;
use edit::Reference;
use prompt::meaning::Terrain;
use prompt::{Mention, Prompt};
use scene::Cuts;
use style::{Desk, Style};

pub use atelier_retouch::chance;
pub use atelier_retouch::rgb as color;
pub use size::dimensions;

/// The tasks that this crate serves.
pub const TASKS: &[Task] = &[("image", run), ("inpaint", inpaint::run)];

/// The largest number of variations of one request.
const MOST_VARIATIONS: u64 = 15;

/// One picture, eight bits a channel, rows from the top.
#[derive(Debug, Clone)]
pub struct Rendered {
    pub width: usize,
    pub height: usize,
    /// Red, green, blue.
    pub rgb: Vec<u8>,
    /// The understood words and the positions of things.
    pub metadata: Map<String, Value>,
}

/// Draws one variation of a prompt at any size. The same arguments give the same bytes.
pub fn render(prompt: &str, seed: u64, variation: u64, width: usize, height: usize) -> Rendered {
    draw(&Prompt::read(prompt), &[], seed, variation, width, height)
}

/// Draws one variation of a prompt applied to pictures: the first is edited, the second lends its colours.
pub fn render_from(
    prompt: &str,
    references: &[PathBuf],
    seed: u64,
    variation: u64,
    width: usize,
    height: usize,
) -> Result<Rendered, Error> {
    let references = references
        .iter()
        .map(|path| Reference::read(path))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(draw(
        &Prompt::read(prompt),
        &references,
        seed,
        variation,
        width,
        height,
    ))
}

/// The style that a prompt asks for, or the default for its content.
fn style_of(prompt: &Prompt) -> Style {
    prompt.style.unwrap_or_else(|| {
        let poster = !prompt.quotes.is_empty() && prompt.terrain.is_empty();
        if poster {
            Style::Vector
        } else if prompt.has(Terrain::City) {
            // A brush would smear the windows.
            Style::Photo
        } else {
            Style::Gouache
        }
    })
}

fn draw(
    prompt: &Prompt,
    references: &[Reference],
    seed: u64,
    variation: u64,
    width: usize,
    height: usize,
) -> Rendered {
    let frame = Frame::new(width, height);
    let seed = Rng::new(seed ^ variation.wrapping_mul(0x9e37_79b9_7f4a_7c15)).next();
    let first = variation == 0;
    let mut notes = Vec::new();
    let cuts = cuts(prompt, references, frame, (seed, first), &mut notes);
    let edited = match &cuts {
        Some(_) => None,
        None => edit::edit(prompt, references, frame, seed, first),
    };
    let mut metadata;
    let canvas = if let Some(edited) = edited {
        let canvas = match prompt.style {
            Some(style) => style.finish(
                &edited.canvas,
                &edited.canvas,
                &edited.light,
                &edited.figures,
                seed as u32,
                &Desk::default(),
            ),
            None => edited.canvas,
        };
        metadata = Map::new();
        metadata.insert("setting".into(), json!("edit of a reference"));
        metadata.insert("edits".into(), json!(edited.done));
        let style = prompt.style.map_or("as the reference", Style::name);
        metadata.insert("style".into(), json!(style));
        metadata.insert("weather".into(), json!(edited.light.weather.name()));
        metadata.insert("placed".into(), places(&edited.placed, frame));
        notes.extend(edited.not_done);
        canvas
    } else {
        let style = match (&cuts, prompt.style) {
            // An edited photograph stays a photograph.
            (Some(_), None) => Style::Photo,
            _ => style_of(prompt),
        };
        let mut edits = Vec::new();
        if let Some(cuts) = &cuts {
            if cuts.fixed.is_some() {
                edits.push("another background".to_owned());
            }
            let found = |m: &&Mention| {
                m.from
                    .is_some_and(|k| cuts.sprites.get(k).is_some_and(Option::is_some))
            };
            for mention in prompt.mentions.iter().filter(found) {
                let number = mention.from.map_or(0, |k| k + 1);
                edits.push(format!("cut out of reference {number}: {}", mention.name()));
            }
        }
        let moved;
        let prompt = if cuts.as_ref().is_some_and(|cuts| cuts.fixed.is_some()) {
            moved = prompt.clone().without_moved();
            &moved
        } else {
            prompt
        };
        let scene = scene::compose(prompt, style, frame, seed, cuts.unwrap_or_default());
        let painted = scene.painting.paint(frame);
        let canvas = style.finish(
            &painted,
            &painted,
            &scene.light,
            &scene.figures,
            scene.seed,
            &Desk::default(),
        );
        metadata = metadata_of(&scene, style, frame);
        if !edits.is_empty() {
            metadata.insert("edits".into(), json!(edits));
        }
        canvas
    };
    if !notes.is_empty() {
        metadata.insert("not_done".into(), json!(notes));
    }
    let canvas = grade::grade(canvas, prompt);
    let mut rgb = vec![0; canvas.pixels.len() * 3];
    rgb.par_chunks_exact_mut(3)
        .zip(&canvas.pixels)
        .for_each(|(to, from)| to.copy_from_slice(&from[..3]));
    Rendered {
        width,
        height,
        rgb,
        metadata,
    }
}

/// Returns the cutouts of references that the prompt asks for; nothing if it wants the first one edited. Notes say what
/// was not found.
fn cuts(
    prompt: &Prompt,
    references: &[Reference],
    frame: Frame,
    (seed, first): (u64, bool),
    notes: &mut Vec<String>,
) -> Option<Cuts> {
    if references.is_empty() {
        return None;
    }
    let mut cuts = Cuts::default();
    let wanted: Vec<usize> = prompt.mentions.iter().filter_map(|m| m.from).collect();
    if !wanted.is_empty() {
        for (k, reference) in references.iter().enumerate() {
            let sprite = wanted.contains(&k).then(|| reference.sprite()).flatten();
            if sprite.is_none() && wanted.contains(&k) {
                notes.push(format!(
                    "cutting out: no subject stands out in reference {}; it is drawn instead",
                    k + 1
                ));
            }
            cuts.sprites.push(sprite);
        }
        for k in wanted.iter().filter(|k| **k >= references.len()) {
            notes.push(format!("cutting out: there is no reference {}", k + 1));
        }
        return Some(cuts);
    }
    prompt.moved?;
    cuts.fixed = edit::subject(references, frame, seed, first);
    if cuts.fixed.is_none() {
        notes.push("another background: no subject stands out in the first reference".to_owned());
        return None;
    }
    Some(cuts)
}

/// The metadata of a composed scene.
fn metadata_of(scene: &scene::Scene, style: Style, frame: Frame) -> Map<String, Value> {
    let mut metadata = Map::new();
    metadata.insert("setting".into(), json!(scene.setting));
    metadata.insert("style".into(), json!(style.name()));
    metadata.insert("light".into(), json!(scene.light.time.name()));
    metadata.insert("weather".into(), json!(scene.light.weather.name()));
    metadata.insert("placed".into(), places(&scene.placed, frame));
    metadata
}

/// The box of each placed thing, as shares of the picture's width and height: left, top, right, bottom.
fn places(placed: &[scene::Placed], frame: Frame) -> Value {
    let part = |v: f32, of: f32| f64::from((v / of * 1000.0).round()) / 1000.0;
    let boxes = placed.iter().map(|placed| {
        let (l, t, r, b) = placed.area;
        json!({ "name": placed.name, "box": [part(l, frame.w), part(t, frame.h), part(r, frame.w), part(b, frame.h)] })
    });
    Value::Array(boxes.collect())
}

/// Request fields that configure trained models and have no effect here.
fn without_effect(request: &Request) -> Vec<&str> {
    const HEARD: [&str; 9] = [
        "prompt",
        "aspect_ratio",
        "size",
        "width",
        "height",
        "resolution",
        "n",
        "seed",
        "image_urls",
    ];
    let pictures = |name: &str| request.params[name].is_array();
    request
        .params
        .keys()
        .map(String::as_str)
        .filter(|name| !HEARD.contains(name) && !pictures(name))
        .collect()
}

/// The task `image`: `n` variations of a prompt, as PNG files.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let words = request
        .params
        .get("prompt")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    let count = request
        .params
        .get("n")
        .and_then(Value::as_u64)
        .unwrap_or(1)
        .clamp(1, MOST_VARIATIONS);
    let seed = request
        .params
        .get("seed")
        .and_then(Value::as_u64)
        .unwrap_or(request.seed);
    let prompt = Prompt::read(&words);
    if request.inputs_of("mask_url").next().is_some() {
        return masked::run(request, count, seed, progress);
    }
    let references: Vec<Reference> = request
        .inputs_of("image_urls")
        .map(|input| Reference::read(&input.path))
        .collect::<Result<_, _>>()?;
    let (width, height) = size::asked(&request.params, references.first().map(Reference::shape))?;
    let mut files = Vec::new();
    let mut pictures = Vec::new();
    for variation in 0..count {
        progress(variation as f32 / count as f32);
        let drawn = draw(&prompt, &references, seed, variation, width, height);
        progress((variation as f32 + 0.85) / count as f32);
        let path = request.out.join(format!("image-{}.png", variation + 1));
        file::write(&path, &drawn, &words, !references.is_empty())?;
        files.push(path);
        pictures.push(Value::Object(drawn.metadata));
    }
    progress(1.0);
    let mut metadata = Map::new();
    metadata.insert("engine".into(), json!(atelier_protocol::ENGINE));
    metadata.insert("seed".into(), json!(seed));
    metadata.insert("width".into(), json!(width));
    metadata.insert("height".into(), json!(height));
    metadata.insert(
        "style".into(),
        pictures
            .first()
            .and_then(|p| p.get("style"))
            .cloned()
            .unwrap_or_default(),
    );
    metadata.insert("understood".into(), json!(prompt.understood));
    metadata.insert("unknown".into(), json!(prompt.unknown));
    let idle = without_effect(request);
    if !idle.is_empty() {
        metadata.insert("without_effect".into(), json!(idle));
    }
    if !references.is_empty() {
        let used: Vec<usize> = (0..references.len())
            .filter(|k| prompt.uses(*k))
            .map(|k| k + 1)
            .collect();
        metadata.insert(
            "references".into(),
            json!({ "given": references.len(), "used": used }),
        );
    }
    if let Some(notes) = pictures.first().and_then(|p| p.get("not_done")) {
        metadata.insert("not_done".into(), notes.clone());
    }
    metadata.insert("variations".into(), Value::Array(pictures));
    Ok(Response { files, metadata })
}

/// The names of everything that can be drawn, in the table's order.
pub fn subjects_by_name() -> impl Iterator<Item = &'static str> {
    subjects::all().map(subjects::Subject::name)
}
