//! The embedded engines: media made on the CPU, without weights and without a network. A library that
//! knows nothing of jobs, accounts or HTTP: a [`Request`] goes in, files and a [`Response`] come out.
//!
//! Everything is deterministic: the same request with the same seed gives the same bytes.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub mod audio;
pub mod decode;
pub mod encode;
mod faces;
pub mod image;
pub mod thumbnail;
pub mod tools;
pub mod video;

/// What an engine names itself in the metadata of the files it makes.
pub const ENGINE: &str = concat!("atelier draft ", env!("CARGO_PKG_VERSION"));

/// One thing to make.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Which engine is asked: one of [`TASKS`].
    pub task: String,
    /// The model's validated parameters, defaults filled in. URLs stand here too, but only `inputs` is read.
    pub params: Map<String, Value>,
    /// The files that the parameters name, fetched and probed.
    pub inputs: Vec<Input>,
    /// Where all chance comes from, unless `params` has a `seed`.
    pub seed: u64,
    /// An existing folder for the files made.
    pub out: PathBuf,
}

impl Request {
    /// The inputs of one parameter, in order.
    pub fn inputs_of<'a>(&'a self, parameter: &'a str) -> impl Iterator<Item = &'a Input> + 'a {
        self.inputs
            .iter()
            .filter(move |input| input.parameter == parameter)
    }
}

/// A local file that a parameter names.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Input {
    pub parameter: String,
    pub path: PathBuf,
    /// As read from its bytes, such as `image/png`.
    pub media_type: String,
}

/// What was made.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Response {
    pub files: Vec<PathBuf>,
    /// For the generation's `output.metadata`.
    #[serde(default)]
    pub metadata: Map<String, Value>,
}

/// Why nothing was made.
#[derive(Debug, Clone, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "kind", content = "message", rename_all = "snake_case")]
pub enum Error {
    /// An input or parameter cannot be used; the message tells its owner what is wrong and what would do.
    #[error("{0}")]
    InvalidInput(String),
    /// What was made must not be shown.
    #[error("{0}")]
    ContentPolicy(String),
    /// Anything else.
    #[error("{0}")]
    Failed(String),
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Failed(format!("a work file could not be read or written: {error}"))
    }
}

/// A task's implementation. `progress` is told how much is done, 0 to 1.
type Task = fn(&Request, &mut dyn FnMut(f32)) -> Result<Response, Error>;

/// Every task there is, and what runs it.
pub const TASKS: &[(&str, Task)] = &[
    ("image", image::run),
    ("thumbnail", thumbnail::run),
    ("upscale", tools::upscale::run),
    ("enhancer", tools::enhancer::run),
    ("background-removal", tools::cutout::run),
    ("inpaint", tools::inpaint::run),
    ("relight", tools::relight::run),
    ("camera-angle", tools::camera::run),
    ("music", audio::music::run),
    ("music-section", audio::section::run),
    ("speech", audio::speech::run),
    ("video", video::run),
    ("video-edit", video::run),
    ("sound-effects", audio::effects::run),
    ("video-to-audio", audio::film::run),
    ("stems", audio::stems::run),
    ("voice-conversion", audio::voice::converted),
    ("voice-clone", audio::voice::cloned),
    ("dubbing", audio::dubbing::run),
    ("layers", tools::layers::run),
    ("motion-transfer", video::edit::puppet::run),
    ("control-to-video", video::edit::control::run),
    ("lip-sync", video::edit::speaking::run),
    ("video-inpaint", video::edit::mend::run),
    ("video-upscale", video::edit::enlarge::run),
    ("audio-to-video", video::frames::heard::run),
];

/// Whether some engine here can do this task.
pub fn serves(task: &str) -> bool {
    TASKS.iter().any(|(name, _)| *name == task)
}

/// Runs one request to its end.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let (_, task) = TASKS
        .iter()
        .find(|(name, _)| *name == request.task)
        .ok_or_else(|| Error::Failed(format!("no embedded engine does `{}`", request.task)))?;
    let mut response = task(request, progress)?;
    let engine = response.metadata.entry("engine");
    engine.or_insert_with(|| ENGINE.into());
    Ok(response)
}
