//! Engines, which make the media: one trait, one module for each kind of engine, and the routes from models to engines.

use std::{fmt, path::PathBuf, sync::Arc, time::Duration};

use async_trait::async_trait;
use atelier_domain::{Failure, FailureCode, FileFacts, GenerationId, MediaKind, MediaType};
use atelier_media::{Scratch, scratch::ScratchError};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

mod attempt;
pub mod breaker;
pub mod comfyui;
mod coverage;
pub mod credentials;
pub mod draft;
pub mod echo;
pub mod http;
mod joined;
mod marking;
mod onnx;
mod partial;
mod process;
mod remote;
pub mod routes;
mod safety;
#[cfg(test)]
mod testing;
mod weights;

pub use atelier_processes::{DeviceState, ProgramState, scheduler::Residence};
pub use attempt::{attempt, becomes_part, without_prompt};
pub use breaker::{Breaker, Position};
pub use comfyui::{ComfyEngine, ComfyOptions, Graph};
pub use coverage::Coverage;
pub use credentials::{Credentials, CredentialsOptions};
pub use draft::{DraftEngine, DraftOptions};
pub use echo::EchoEngine;
pub use http::{HttpEngine, HttpOptions};
pub use joined::JoinedEngine;
pub use marking::{Marking, Seen, Written};
pub use onnx::{Leases, OnnxEngine};
pub use partial::PartialImage;
pub use process::{Connect, Connection, HttpProbe, ProcessEngine, ProcessOptions};
pub use remote::{Endpoint, EndpointError};
pub use routes::{Newcomers, Route, RouteError, Routes, Target};
pub use safety::{Safety, SafetyCheck, SafetyPolicy};
pub use weights::{Serving, Weights};

/// One attempt at one generation, as an engine sees it.
#[derive(Debug, Clone)]
pub struct Job {
    pub id: GenerationId,
    pub attempt: u32,
    pub model: String,
    /// The task that the route names, such as `image` or `upscale`.
    pub task: String,
    /// The kind of output.
    pub kind: MediaKind,
    /// The validated parameters with their defaults. Each has its own name in the model and, in addition, the
    /// standard name of its role (`prompt`, `duration`, `aspect_ratio` or `width` and `height`, …), so that engines
    /// need not know the names of each model.
    pub params: Map<String, Value>,
    /// The request's own fields, for reports about what an engine does with it.
    pub asked: Vec<Asked>,
    /// The input files that the parameters name, downloaded and probed.
    pub inputs: Vec<Input>,
    /// Derived from the job's id, so that every attempt makes the same output.
    pub seed: u64,
    /// The route's options for the engine.
    pub options: RouteOptions,
    /// A request that an earlier attempt of this engine remembered (see [`Context::remember`]). It may still run.
    pub resume: Option<String>,
    /// An empty folder for this attempt and its output files, removed afterwards. Code that writes there reserves room.
    pub scratch: Scratch,
}

/// One field of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The model's own name of it.
    pub name: String,
    /// The standard name of its role, or its own name.
    pub standard: String,
    /// Whether it differs from the model's default.
    pub is_chosen: bool,
}

impl Asked {
    /// Whether a template that takes a field of this name takes this one.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name == name || self.standard == name
    }
}

/// The options of a route for its engine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RouteOptions {
    /// The engine's name of the model.
    pub target: Option<String>,
    /// The graph to run, for engines that run graphs.
    pub workflow: Option<String>,
    /// Laid over the engine's request template, or over the graph.
    pub body: Option<Value>,
    /// The weights on this machine that the engine runs.
    pub weights: Option<Arc<Weights>>,
}

/// An input file that a parameter names.
#[derive(Debug, Clone)]
pub struct Input {
    /// The standard name of the parameter's role, such as `image_urls`, or its own name if it has no role.
    pub parameter: String,
    pub path: PathBuf,
    pub facts: FileFacts,
}

/// The result of an attempt.
#[derive(Debug, Clone, Default)]
pub struct Made {
    /// The media files in order. JSON files are side files, such as word times.
    pub files: Vec<MadeFile>,
    /// The engine's metadata about the files.
    pub metadata: Map<String, Value>,
}

/// An output file of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MadeFile {
    /// A regular file below the job's scratch folder.
    Path(PathBuf),
    /// Bytes that are part of the program, so the same file need not be written for every job.
    Bytes(&'static [u8]),
}

impl MadeFile {
    /// The path of a media file: of neither a side file nor a part of the program.
    pub fn medium(&self) -> Option<&PathBuf> {
        let Self::Path(path) = self else { return None };
        let is_side_file = path
            .extension()
            .is_some_and(|extension| extension == MediaType::Json.extension());
        (!is_side_file).then_some(path)
    }
}

/// The delay before the next attempt after a failure of the scratch folder.
const UNSTORED_DELAY: Duration = Duration::from_secs(2);

/// The failure of a job whose files cannot be written now. It is ours, so a later attempt may succeed.
pub(crate) fn unwritten(error: &ScratchError) -> Failure {
    tracing::error!(%error, "a file of a job could not be written");
    let message = "the output files could not be stored: the service has no room for them now";
    Failure::retry(FailureCode::GenerationFailed, message, UNSTORED_DELAY).resuming()
}

/// The tools that an engine may use during an attempt.
#[derive(Clone)]
pub struct Context {
    /// Cancelled when the result is no longer wanted: cancellation, deadline, lost lease or shutdown.
    pub cancel: CancellationToken,
    progress: Arc<dyn Fn(f64) + Send + Sync>,
    loading: Option<Arc<dyn Fn(Option<Loading>) + Send + Sync>>,
    partial_images: Option<Arc<dyn Fn(PartialImage) + Send + Sync>>,
    memory: Option<Arc<dyn Memory>>,
    has_alternative: bool,
}

/// A job waits for its engine to load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loading {
    /// How long loading took on this machine last time.
    pub estimate: Option<Duration>,
}

/// Durably stores a request for later attempts.
#[async_trait]
pub trait Memory: Send + Sync {
    async fn remember(&self, request: &str) -> Result<(), Failure>;
}

impl Context {
    pub fn new(cancel: CancellationToken, progress: impl Fn(f64) + Send + Sync + 'static) -> Self {
        Self {
            cancel,
            progress: Arc::new(progress),
            loading: None,
            partial_images: None,
            memory: None,
            has_alternative: false,
        }
    }

    /// Adds somebody who wants to know while the job waits for its engine to load.
    pub fn with_loading(self, loading: impl Fn(Option<Loading>) + Send + Sync + 'static) -> Self {
        Self {
            loading: Some(Arc::new(loading)),
            ..self
        }
    }

    /// Reports that the job waits for its engine to load, or no longer does.
    pub fn loading(&self, loading: Option<Loading>) {
        if let Some(tell) = &self.loading {
            tell(loading);
        }
    }

    /// Adds somebody who wants to see the unfinished result.
    pub fn with_partial_images(self, show: impl Fn(PartialImage) + Send + Sync + 'static) -> Self {
        Self {
            partial_images: Some(Arc::new(show)),
            ..self
        }
    }

    /// Whether somebody wants to see the unfinished result.
    pub fn wants_partial_images(&self) -> bool {
        self.partial_images.is_some()
    }

    /// Shows the unfinished result.
    pub fn partial_image(&self, image: PartialImage) {
        if let Some(show) = &self.partial_images {
            show(image);
        }
    }

    /// Adds a store for what must survive a crash.
    pub fn with_memory(self, memory: Arc<dyn Memory>) -> Self {
        Self {
            memory: Some(memory),
            ..self
        }
    }

    /// Replaces the store for what must survive a crash, if there is one.
    pub(crate) fn map_memory(self, change: impl FnOnce(Arc<dyn Memory>) -> Arc<dyn Memory>) -> Self {
        Self {
            memory: self.memory.map(change),
            ..self
        }
    }

    /// Sets whether another engine can run the job's next attempt.
    pub fn with_alternative(self, has_alternative: bool) -> Self {
        Self {
            has_alternative,
            ..self
        }
    }

    /// Whether another engine can run the job. Then it is better to give up than to wait for an engine that is gone.
    pub fn has_alternative(&self) -> bool {
        self.has_alternative
    }

    /// Durably remembers a request that this attempt has sent. After a crash, the next attempt finds it in
    /// [`Job::resume`] and need not send another.
    pub async fn remember(&self, request: &str) -> Result<(), Failure> {
        match &self.memory {
            Some(memory) => memory.remember(request).await,
            None => Ok(()),
        }
    }

    /// Reports how much is done, from 0 to 1.
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

/// An engine.
#[async_trait]
pub trait Engine: Send + Sync + fmt::Debug {
    /// The name that routes use, and the engine's lane in the queue.
    fn name(&self) -> &str;

    /// Whether the engine can do a task for a kind of output. For external engines, the operator's routes decide.
    fn serves(&self, _task: &str, _kind: MediaKind) -> bool {
        true
    }

    /// The trained weights that are part of the program and make the results of a task.
    fn weights(&self, _task: &str) -> Option<Arc<Weights>> {
        None
    }

    /// The most jobs at a time.
    fn concurrency(&self) -> usize;

    /// Whether this is an external engine. It may fail while its jobs are fine, so it has a breaker.
    fn is_remote(&self) -> bool {
        false
    }

    /// Whether remote workers run its jobs, and no worker of the service does.
    fn runs_elsewhere(&self) -> bool {
        false
    }

    /// Whether the engine writes files. Only then does the job's scratch folder always exist.
    fn needs_scratch(&self) -> bool {
        true
    }

    /// Runs one attempt to its end. A dropped future must leave nothing running. Call it through [`attempt()`], which
    /// marks the files of external engines.
    async fn run(&self, job: Job, context: Context) -> Result<Made, Failure>;

    /// Whether the engine can be reached now, as a message for operators in both cases.
    async fn health(&self) -> Result<String, String> {
        Ok("part of this program".to_owned())
    }

    /// The problems with a route's options, as far as they can be found without running a job.
    async fn check(&self, _options: &RouteOptions) -> Vec<String> {
        Vec::new()
    }

    /// Cancels a request that an attempt remembered and that is no longer wanted.
    async fn abandon(&self, _request: &str) {}

    /// Releases resources such as child processes. Called once, at shutdown.
    async fn close(&self) {}
}
