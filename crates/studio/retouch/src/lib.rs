//! The picture tools: classical image processing, and a trained network that finds subjects. Each takes one picture
//! and writes one PNG, `image-1.png`, with the picture's alpha and colour profile.

use serde_json::{Map, Value};

use crate::decode::Picture;
use crate::encode::{Provenance, SourceType, Weights, write_png, write_png_with};
use atelier_protocol::{ENGINE, Error, Request, Response, Task};

pub mod camera;
pub mod canvas;
pub mod chance;
pub mod color;
pub mod cutout;
pub mod decode;
pub mod depth;
pub mod diffuse;
pub mod encode;
pub mod enhancer;
pub mod faces;
pub mod flow;
pub mod guided;
pub mod inpaint;
pub mod layers;
pub mod measure;
pub mod params;
mod plane;
pub mod relight;
pub mod rgb;
#[cfg(feature = "samples")]
pub mod samples;
mod shrink;
pub mod upscale;
mod words;

pub use plane::Plane;

/// The tasks that this crate serves.
pub const TASKS: &[Task] = &[
    ("upscale", upscale::run),
    ("enhancer", enhancer::run),
    ("background-removal", cutout::run),
    ("relight", relight::run),
    ("camera-angle", camera::run),
    ("layers", layers::run),
];

/// Inputs that a trained model may add to the picture, as grey pictures of its shape and any size: where the
/// subject is, and how near things are (white is near). They replace a tool's own estimate.
pub const MASK: &str = "$mask";
pub const DEPTH: &str = "$depth";
/// The parameters that name that trained model and its licence, for the file's note.
pub const WEIGHTS: &str = "$weights";
pub const LICENSE: &str = "$license";

/// The file that a tool makes, in the request's folder.
const OUTPUT: &str = "image-1.png";

/// Reads the picture to edit.
pub fn open(request: &Request) -> Result<Picture, Error> {
    let input = request
        .inputs_of("image_urls")
        .next()
        .ok_or_else(|| Error::InvalidInput("`image_urls` is missing; a picture is required".into()))?;
    decode::read(&input.path)
}

/// Returns the output of a trained model for the picture, 0 to 1, if one was asked.
fn seen(request: &Request, parameter: &str) -> Result<Option<Plane>, Error> {
    let input = request.inputs_of(parameter).next();
    let picture = input.map(|input| decode::read(&input.path)).transpose()?;
    Ok(picture.map(|picture| {
        Plane::from_fn(picture.width, picture.height, |x, y| {
            f32::from(picture.pixel(x, y)[0]) / 255.0
        })
    }))
}

/// Writes the edited picture and returns what was done to it.
pub fn close(
    request: &Request,
    picture: &Picture,
    source: SourceType,
    notes: Map<String, Value>,
) -> Result<Response, Error> {
    close_with(request, picture, source, notes, Weights::of(request))
}

/// The same for a picture that a trained model helped to make.
fn close_with(
    request: &Request,
    picture: &Picture,
    source: SourceType,
    mut notes: Map<String, Value>,
    weights: Option<Weights<'_>>,
) -> Result<Response, Error> {
    let path = request.out.join(OUTPUT);
    let provenance = Provenance {
        tool: &request.task,
        source,
    };
    match weights {
        Some(weights) => {
            write_png_with(&path, picture, provenance, weights)?;
            weights.note(&mut notes);
        }
        None => write_png(&path, picture, provenance)?,
    }
    Ok(Response {
        files: vec![path],
        metadata: metadata(picture.width, picture.height, notes),
    })
}

fn metadata(width: usize, height: usize, mut notes: Map<String, Value>) -> Map<String, Value> {
    notes.insert("engine".into(), ENGINE.into());
    notes.insert("width".into(), width.into());
    notes.insert("height".into(), height.into());
    notes
}
