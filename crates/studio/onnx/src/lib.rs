//! The picture tools with trained models: ONNX graphs that the operator has, run by the runtime in the program or by an
//! ONNX Runtime that the operator provides. A model is a folder with `model.onnx` and `model.json`, which describes its
//! inputs and outputs. This crate knows nothing of jobs
//! or accounts; the service runs it in a child process with limits.
//!
//! A model that finds subjects or depth replaces the embedded tool's own estimate; the rest of the tool is the same.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock, PoisonError},
};

use atelier_protocol::Input;
pub use atelier_protocol::{Error, Request, Response};
use atelier_retouch::{
    DEPTH, LICENSE, MASK, WEIGHTS,
    decode::{self, Picture},
    encode::{Provenance, SourceType, Weights, write_png_with},
};
use serde_json::{Value, json};

mod graph;
mod manifest;
mod pixels;
mod safety;
mod session;

use graph::Graph;
pub use manifest::{Kind, Manifest};
pub use safety::TASK as SAFETY;
pub use session::{Device, Runtime};

/// The parameter, beyond the model's own, that names the model's folder.
pub const TARGET: &str = "$target";

/// The tasks, and the kind of model that each requires.
const TASKS: [(&str, Kind); 5] = [
    ("background-removal", Kind::Mask),
    ("camera-angle", Kind::Depth),
    ("inpaint", Kind::Image),
    ("relight", Kind::Depth),
    ("upscale", Kind::Image),
];

/// The task of trained voices, which have a crate of their own.
const SPEECH: &str = "speech";

/// The largest picture that an upscaled one may be, in pixels.
const MAX_RESULT: usize = 256_000_000;

/// The places where this process finds the library and the models.
#[derive(Debug)]
pub struct Places {
    pub runtime: Runtime,
    pub device: Device,
    /// ONNX Runtime's shared library, if the operator provides it.
    pub library: Option<PathBuf>,
    /// A library that lets ONNX Runtime use a GPU.
    pub provider: Option<PathBuf>,
    /// The folder of models' folders.
    pub models: PathBuf,
}

static PLACES: OnceLock<Places> = OnceLock::new();
/// The model that was used last.
static LOADED: Mutex<Option<Graph>> = Mutex::new(None);

/// Sets the places. A process calls it once, before its first request; later calls change nothing.
pub fn use_places(places: Places) {
    let _ = PLACES.set(places);
}

/// Runs one request to its end.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let target = request.params.get(TARGET).and_then(Value::as_str);
    let target = target
        .ok_or_else(|| Error::Failed("the route has no `target` with the model's folder".to_owned()))?;
    if request.task == SPEECH {
        if places()?.device == Device::Gpu {
            let why = "`device = gpu`: voices are run by rten, on the CPU only";
            return Err(Error::Failed(why.to_owned()));
        }
        return atelier_speech::run(&places()?.models, target, request, progress);
    }
    let served = TASKS.iter().find(|(name, _)| *name == request.task);
    let kind = match served {
        Some((_, kind)) => *kind,
        None if request.task == SAFETY => Kind::Scores,
        None => {
            return Err(Error::Failed(format!(
                "no model serves the task `{}`",
                request.task
            )));
        }
    };
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let graph = graph(&mut loaded, target)?;
    if graph.manifest.kind != kind {
        return Err(Error::Failed(format!(
            "the model `{target}` makes {}, but `{}` requires {}",
            graph.manifest.kind.name(),
            request.task,
            kind.name(),
        )));
    }
    progress(0.1);
    let (runtime, device) = (graph.runtime(), graph.device());
    // The file names the model, whichever function writes it.
    let request = &named(request, target, &graph.manifest);
    let mut response = match request.task.as_str() {
        SAFETY => safety::check(request, graph, progress)?,
        "upscale" => upscale(request, &source(request, "image_urls")?, graph, progress)?,
        "inpaint" => inpaint(request, source(request, "image_urls")?, graph)?,
        _ => with_plane(request, &source(request, "image_urls")?, graph, progress)?,
    };
    let facts = [("runtime", json!(runtime)), ("device", json!(device))];
    response
        .metadata
        .extend(facts.map(|(name, value)| (name.to_owned(), value)));
    if let Some(weights) = Weights::of(request) {
        weights.note(&mut response.metadata);
    }
    progress(1.0);
    Ok(response)
}

fn places() -> Result<&'static Places, Error> {
    let places = PLACES.get();
    places.ok_or_else(|| Error::Failed("the folder of models is not set".to_owned()))
}

/// The request with what the file is to say about the model: as the service says, else as the model's description does,
/// else by the name of the folder.
fn named(request: &Request, target: &str, manifest: &Manifest) -> Request {
    let mut request = request.clone();
    if Weights::of(&request).is_none() {
        let folder = Path::new(target)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        let name = manifest.name.clone().unwrap_or_else(|| folder.into_owned());
        let params = &mut request.params;
        params.insert(WEIGHTS.to_owned(), json!(name));
        params.extend(
            manifest
                .license
                .iter()
                .map(|license| (LICENSE.to_owned(), json!(license))),
        );
    }
    request
}

/// The model in a folder, loaded unless it was used last.
fn graph<'a>(loaded: &'a mut Option<Graph>, target: &str) -> Result<&'a mut Graph, Error> {
    let places = places()?;
    let folder = places.models.join(target);
    if loaded.as_ref().is_none_or(|graph| graph.folder != folder) {
        *loaded = None;
        *loaded = Some(Graph::load(places, &folder)?);
    }
    loaded
        .as_mut()
        .ok_or_else(|| Error::Failed("the model could not be loaded".to_owned()))
}

fn source(request: &Request, parameter: &str) -> Result<Picture, Error> {
    let input = request
        .inputs_of(parameter)
        .next()
        .ok_or_else(|| Error::InvalidInput(format!("`{parameter}` is missing; a picture is required")))?;
    decode::read(&input.path)
}

/// Runs the embedded tool with what the model sees.
fn with_plane(
    request: &Request,
    picture: &Picture,
    graph: &mut Graph,
    progress: &mut dyn FnMut(f32),
) -> Result<Response, Error> {
    let plane = graph.plane(picture)?;
    progress(0.5);
    let path = request.out.join("seen.png");
    let bytes = plane
        .values
        .iter()
        .map(|value| (255.0 * value).round() as u8)
        .collect();
    image::GrayImage::from_raw(plane.width as u32, plane.height as u32, bytes)
        .ok_or_else(|| Error::Failed("the model's picture has a wrong size".to_owned()))?
        .save(&path)
        .map_err(|error| Error::Failed(format!("a work file could not be written: {error}")))?;
    let parameter = if graph.manifest.kind == Kind::Mask {
        MASK
    } else {
        DEPTH
    };
    let mut request = request.clone();
    request.inputs.push(Input {
        parameter: parameter.to_owned(),
        path: path.clone(),
        media_type: "image/png".to_owned(),
        seconds: None,
    });
    let response = atelier_tasks::run(&request, &mut |done| progress(0.5 + 0.5 * done));
    std::fs::remove_file(&path)?;
    response
}

fn upscale(
    request: &Request,
    picture: &Picture,
    graph: &mut Graph,
    progress: &mut dyn FnMut(f32),
) -> Result<Response, Error> {
    let factor = request
        .params
        .get("factor")
        .and_then(Value::as_f64)
        .unwrap_or(2.0);
    let (width, height) = (
        (picture.width as f64 * factor).round() as usize,
        (picture.height as f64 * factor).round() as usize,
    );
    if width * height > MAX_RESULT {
        return Err(Error::InvalidInput(format!(
            "the result would be {width} × {height}; up to {MAX_RESULT} pixels can be made"
        )));
    }
    let mut large = graph.picture(picture, None, &mut |done| progress(0.1 + 0.6 * done))?;
    // A model with half the factor runs twice.
    if large.width < width {
        large = graph.picture(&large, None, &mut |done| progress(0.7 + 0.2 * done))?;
    }
    let mut made = pixels::resized(&large, width, height);
    if !picture.is_opaque() {
        pixels::take_alpha(&mut made, &pixels::resized(picture, width, height));
    }
    made.icc.clone_from(&picture.icc);
    let mut response = written(request, &made)?;
    response.metadata.insert("factor".to_owned(), json!(factor));
    Ok(response)
}

/// The model fills what the mask shows white; no other pixel changes.
fn inpaint(request: &Request, mut picture: Picture, graph: &mut Graph) -> Result<Response, Error> {
    let mask = source(request, "mask_url")?;
    let mask = pixels::resized(&mask, picture.width, picture.height);
    let is_missing: Vec<bool> = mask.rgba.chunks_exact(4).map(|pixel| pixel[0] >= 128).collect();
    if !is_missing.contains(&true) {
        return Err(Error::InvalidInput(
            "the mask has no white pixels; paint the part to replace white".to_owned(),
        ));
    }
    let (left, top, width, height) = match graph.manifest.size.fixed {
        Some(fixed) if graph.manifest.crop => surroundings(&is_missing, &picture, fixed),
        _ => (0, 0, picture.width, picture.height),
    };
    let part = |of: &Picture| pixels::part(of, left, top, width, height);
    let filled = graph.picture(&part(&picture), Some(&part(&mask)), &mut |_| {})?;
    let filled = pixels::resized(&filled, width, height);
    for (at, _) in is_missing.iter().enumerate().filter(|(_, missing)| **missing) {
        let (x, y) = (at % picture.width - left, at / picture.width - top);
        let from = 4 * (y * width + x);
        picture.rgba[4 * at..4 * at + 3].copy_from_slice(&filled.rgba[from..from + 3]);
    }
    written(request, &picture)
}

/// The part of a picture that a graph of a fixed size gets: all that is missing, as much again around it, and no less
/// than the graph's own size, as far as the picture reaches. Left, top, width and height.
fn surroundings(
    is_missing: &[bool],
    picture: &Picture,
    [wide, high]: [usize; 2],
) -> (usize, usize, usize, usize) {
    let places = || is_missing.iter().enumerate().filter(|(_, missing)| **missing);
    let span = |of: fn(usize, usize) -> usize| {
        let along = || places().map(|(at, _)| of(at, picture.width));
        (along().min().unwrap_or(0), along().max().unwrap_or(0) + 1)
    };
    let (left, right) = span(|at, width| at % width);
    let (top, bottom) = span(|at, width| at / width);
    // One scale for both sides keeps the shapes of things.
    let scale = (2.0 * (right - left) as f64 / wide as f64)
        .max(2.0 * (bottom - top) as f64 / high as f64)
        .max(1.0);
    let cut = |from: usize, to: usize, side: usize, whole: usize| {
        let side = ((side as f64 * scale).round() as usize).min(whole);
        let start = usize::midpoint(from, to)
            .saturating_sub(side / 2)
            .min(whole - side);
        (start, side)
    };
    let (x, width) = cut(left, right, wide, picture.width);
    let (y, height) = cut(top, bottom, high, picture.height);
    (x, y, width, height)
}

/// Writes the result of a tool whose pixels a trained model made.
fn written(request: &Request, picture: &Picture) -> Result<Response, Error> {
    let path = request.out.join("image-1.png");
    let provenance = Provenance {
        tool: &request.task,
        source: SourceType::CompositeTrained,
    };
    let unnamed = Weights {
        title: "a trained model",
        license: None,
    };
    write_png_with(
        &path,
        picture,
        provenance,
        Weights::of(request).unwrap_or(unnamed),
    )?;
    let mut response = Response {
        files: vec![path],
        ..Response::default()
    };
    let facts = [
        ("engine", json!("onnx")),
        ("width", json!(picture.width)),
        ("height", json!(picture.height)),
    ];
    response
        .metadata
        .extend(facts.map(|(name, value)| (name.to_owned(), value)));
    Ok(response)
}

/// The tasks of models. [`SAFETY`] is the service's own.
pub const SERVED: [&str; TASKS.len() + 1] = {
    let mut names = [SPEECH; TASKS.len() + 1];
    let mut at = 0;
    while at < TASKS.len() {
        names[at] = TASKS[at].0;
        at += 1;
    }
    names
};

/// Reads a model's folder without running it.
pub fn check(folder: &Path) -> Result<(), String> {
    if let Some(checked) = atelier_speech::check(folder) {
        return checked;
    }
    Manifest::read(folder)?;
    let graph = folder.join(manifest::GRAPH);
    if graph.is_file() {
        Ok(())
    } else {
        Err(format!("{} is missing", graph.display()))
    }
}

#[cfg(test)]
mod tests;
