//! The protocol between the service and the embedded engines: a [`Request`] goes in, files and a [`Response`] or an
//! [`Error`] come out. This crate is all that the service knows of them; it draws nothing.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The name that the embedded engines give in the metadata of the files they make.
pub const ENGINE: &str = concat!("atelier draft ", env!("CARGO_PKG_VERSION"));

/// One thing to make.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The name of the task, such as `image` or `upscale`.
    pub task: String,
    /// The model's validated parameters with defaults filled in. URLs are among them, but only `inputs` is read.
    pub params: Map<String, Value>,
    /// The files that the parameters name, fetched and probed.
    pub inputs: Vec<Input>,
    /// The seed of all randomness, unless `params` has a `seed`.
    pub seed: u64,
    /// An existing folder for the files to make.
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
    /// The type that its bytes show, such as `image/png`.
    pub media_type: String,
    /// How long its samples last, if that was measured. A price may depend on it: a file that decodes to more is
    /// refused.
    #[serde(default)]
    pub seconds: Option<f64>,
}

/// The result of a task.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Response {
    pub files: Vec<PathBuf>,
    /// Goes into the generation's `output.metadata`.
    #[serde(default)]
    pub metadata: Map<String, Value>,
}

/// Why a task made nothing.
#[derive(Debug, Clone, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "kind", content = "message", rename_all = "snake_case")]
pub enum Error {
    /// An input or parameter cannot be used; the message says what is wrong and what is allowed.
    #[error("{0}")]
    InvalidInput(String),
    /// The result must not be shown.
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

/// The implementation of a task. It reports how much is done, from 0 to 1, to its second argument.
pub type Run = fn(&Request, &mut dyn FnMut(f32)) -> Result<Response, Error>;

/// A task's name and what runs it.
pub type Task = (&'static str, Run);

/// Runs a request by the table of tasks, and enters the engine's name into the metadata unless the task did.
pub fn run(tasks: &[Task], request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let (_, task) = tasks
        .iter()
        .find(|(name, _)| *name == request.task)
        .ok_or_else(|| Error::Failed(format!("no embedded engine serves the task `{}`", request.task)))?;
    let mut response = task(request, progress)?;
    response.metadata.entry("engine").or_insert_with(|| ENGINE.into());
    Ok(response)
}
