//! Engines: what makes the media. One trait, one module per kind of engine, and the routes that say which
//! engine serves which model.

use std::{fmt, path::PathBuf, sync::Arc};

use async_trait::async_trait;
use atelier_domain::{Failure, FileFacts, GenerationId, MediaKind};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

mod attempt;
pub mod breaker;
pub mod comfyui;
pub mod draft;
pub mod echo;
mod endpoint;
pub mod http;
mod onnx;
pub mod routes;
mod size;
#[cfg(test)]
mod testing;

pub use attempt::attempt;
pub use breaker::{Breaker, Position};
pub use comfyui::{ComfyEngine, ComfyOptions, Graph};
pub use draft::{DraftEngine, DraftOptions};
pub use echo::EchoEngine;
pub use endpoint::Endpoint;
pub use http::{HttpEngine, HttpOptions};
pub use onnx::OnnxEngine;
pub use routes::{Route, RouteError, Routes, Target};

/// One attempt at one generation, as an engine sees it.
#[derive(Debug, Clone)]
pub struct Job {
    pub id: GenerationId,
    pub attempt: u32,
    pub model: String,
    /// What the route asks of the engine, such as `image` or `upscale`.
    pub task: String,
    /// What to make.
    pub kind: MediaKind,
    /// Validated, defaults filled in, under the model's own names and beside them under the standard names
    /// of their roles (`prompt`, `duration`, `aspect_ratio` or `width` and `height`, …): an engine reads
    /// these and need not know what a model calls its fields.
    pub params: Map<String, Value>,
    /// The files that the parameters name, fetched and probed.
    pub inputs: Vec<Input>,
    /// Derived from the job's id: a repeated attempt makes the same thing.
    pub seed: u64,
    /// What the route says beyond the engine.
    pub asked: Asked,
    /// What an earlier attempt of this engine remembered (see [`Context::remember`]): a request that may still run.
    pub resume: Option<String>,
    /// This attempt's own empty folder, removed afterwards. Outputs are written here.
    pub scratch: PathBuf,
}

/// What a route says to its engine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// The engine's own name of the model.
    pub target: Option<String>,
    /// The graph that makes its things, of engines that run graphs.
    pub workflow: Option<String>,
    /// What is laid over the engine's request template, or over the graph.
    pub body: Option<Value>,
}

/// A local file that a parameter names.
#[derive(Debug, Clone)]
pub struct Input {
    /// The standard name of the parameter's role, such as `image_urls`; its own name where it has no role.
    pub parameter: String,
    pub path: PathBuf,
    pub facts: FileFacts,
}

/// What an attempt made.
#[derive(Debug, Clone, Default)]
pub struct Made {
    /// Media files in order; JSON files are side files (word times).
    pub files: Vec<MadeFile>,
    /// What the engine has to say about how it made them.
    pub metadata: Map<String, Value>,
}

/// One file that an attempt made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MadeFile {
    /// A regular file below the job's scratch folder.
    Path(PathBuf),
    /// Bytes that are part of the program: what is the same for every job need not be written for each.
    Bytes(&'static [u8]),
}

/// What an engine may use while it runs.
#[derive(Clone)]
pub struct Context {
    /// Cancelled when nobody wants the result any more: cancellation, deadline, lost lease, shutdown.
    pub cancel: CancellationToken,
    progress: Arc<dyn Fn(f64) + Send + Sync>,
    memory: Option<Arc<dyn Memory>>,
    has_alternative: bool,
}

/// Keeps an attempt's word to the attempts after it, durably.
#[async_trait]
pub trait Memory: Send + Sync {
    async fn remember(&self, request: &str) -> Result<(), Failure>;
}

impl Context {
    pub fn new(cancel: CancellationToken, progress: impl Fn(f64) + Send + Sync + 'static) -> Self {
        Self {
            cancel,
            progress: Arc::new(progress),
            memory: None,
            has_alternative: false,
        }
    }

    /// With a place for what must survive a crash.
    pub fn with_memory(self, memory: Arc<dyn Memory>) -> Self {
        Self {
            memory: Some(memory),
            ..self
        }
    }

    /// Where another engine may get the job's next attempt.
    pub fn with_alternative(self, has_alternative: bool) -> Self {
        Self {
            has_alternative,
            ..self
        }
    }

    /// Whether it is better to give up than to wait for an engine that is gone: another one stands by.
    pub fn has_alternative(&self) -> bool {
        self.has_alternative
    }

    /// Notes the request that this attempt has made elsewhere, durably: an attempt after a crash finds it in
    /// [`Job::resume`] and need not make another.
    pub async fn remember(&self, request: &str) -> Result<(), Failure> {
        match &self.memory {
            Some(memory) => memory.remember(request).await,
            None => Ok(()),
        }
    }

    /// Tells how much is done, 0 to 1.
    pub fn progress(&self, done: f64) {
        (self.progress)(done.clamp(0.0, 1.0));
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("cancelled", &self.cancel.is_cancelled())
            .finish_non_exhaustive()
    }
}

/// Something that makes media.
#[async_trait]
pub trait Engine: Send + Sync + fmt::Debug {
    /// The name it is routed to by, and its lane in the queue.
    fn name(&self) -> &str;

    /// Whether it can do a task for a kind of output. Of an engine that others run the operator's routes say what it makes.
    fn serves(&self, _task: &str, _kind: MediaKind) -> bool {
        true
    }

    /// How many jobs it runs at a time.
    fn concurrency(&self) -> usize;

    /// Whether others run it, so that it may be out of order while its jobs are not: then jobs go elsewhere when it
    /// fails time after time.
    fn is_remote(&self) -> bool {
        false
    }

    /// Whether it writes files: then the job's scratch folder exists.
    fn needs_scratch(&self) -> bool {
        true
    }

    /// Runs one attempt to its end. A dropped future must leave nothing running. Callers go through [`attempt()`], which marks what
    /// engines of others make.
    async fn run(&self, job: Job, context: Context) -> Result<Made, Failure>;

    /// Whether it can be asked now: what an operator is told, either way.
    async fn reach(&self) -> Result<String, String> {
        Ok("part of this program".to_owned())
    }

    /// What keeps it from doing what a route asks, as far as can be told without doing it.
    async fn check(&self, _asked: &Asked) -> Vec<String> {
        Vec::new()
    }

    /// Ends a request that an attempt remembered and that nobody wants any more.
    async fn abandon(&self, _request: &str) {}

    /// Gives back what it holds (child processes), once, at shutdown.
    async fn close(&self) {}
}
