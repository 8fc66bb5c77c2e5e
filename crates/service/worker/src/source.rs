//! The source of jobs and the target of their results: the store of this service ([`crate::local`]), or a service on
//! another machine ([`crate::remote`]).
//!
//! The methods name their boxed futures. `async_trait` adds bounds under which the compiler proves anew for each method
//! that everything it holds is `Send`: with it, this crate takes 1.7 times as long to compile.

use std::{fmt, sync::Arc, time::Duration};

use atelier_app::attempts::Attempt;
use atelier_domain::{Failure, FailureCode, GenerationId};
use atelier_engines::{Engine, Job, Made};
use atelier_media::Scratch;
use futures::future::BoxFuture;
use tokio::time::Instant;

use crate::work_folder::WorkFolder;

/// Jobs that were claimed together.
#[derive(Debug)]
pub(crate) struct Claimed {
    pub(crate) orders: Vec<Arc<dyn Order>>,
    /// Their leases began no earlier than this.
    pub(crate) since: Instant,
}

pub(crate) trait Source: fmt::Debug + Send + Sync {
    /// How long a lease lasts. A worker that cannot renew it stops the job before it ends.
    fn lease(&self) -> Duration;
    /// Whether a worker learns that it has lost a job only when it renews the lease.
    fn must_ask(&self) -> bool;
    /// Whether what a job makes can be stored. Until then, jobs wait in the queue.
    fn stores(&self) -> BoxFuture<'_, bool>;
    /// Takes up to `max` jobs for an engine.
    fn claim<'a>(&'a self, engine: &'a dyn Engine, max: usize) -> BoxFuture<'a, Result<Claimed, String>>;
    /// Waits until there may be jobs for the engine.
    fn wait<'a>(&'a self, engine: &'a dyn Engine) -> BoxFuture<'a, ()>;
    /// Renews the leases of these attempts and reports their progress. Returns those that have lost their jobs.
    fn renew<'a>(&'a self, held: &'a [Arc<Attempt>]) -> BoxFuture<'a, Result<Vec<Arc<Attempt>>, String>>;
    /// Puts running jobs back where they were in the queue, with this attempt not counted.
    fn give_back(&self, held: Vec<(GenerationId, i64)>) -> BoxFuture<'_, Result<(), String>>;
}

/// One claimed job.
pub(crate) trait Order: fmt::Debug + Send + Sync {
    fn id(&self) -> GenerationId;
    /// Raised by the claim.
    fn epoch(&self) -> i64;
    fn model(&self) -> &str;
    /// How long the job may still take.
    fn left(&self) -> Duration;
    /// How it fails if it takes longer.
    fn timed_out(&self) -> Failure;
    /// Whether pictures of the unfinished result may be shown: nobody will check the finished one.
    fn shows_partial_images(&self) -> bool;
    /// The attempt begins.
    fn began(&self);
    /// Returns the job for the engine, with the input files, and whether another engine can run the job.
    fn job<'a>(
        &'a self,
        engine: &'a dyn Engine,
        scratch: &'a WorkFolder,
    ) -> BoxFuture<'a, Result<(Job, bool), Failure>>;
    /// Durably remembers a request that an engine has sent to a provider.
    fn remember<'a>(&'a self, engine: &'a str, request: &'a str) -> BoxFuture<'a, Result<(), Failure>>;
    /// Stores the files of the attempt durably. If they find no place, `scratch` has a note of that.
    fn store<'a>(&'a self, made: Made, scratch: &'a Scratch) -> BoxFuture<'a, Result<(), Failure>>;
    /// Counts the result of the attempt, once, and returns what is left to write. `Ok`: the files are stored.
    fn end<'a>(&'a self, engine: &'a str, result: Result<(), Failure>) -> Box<dyn End + 'a>;
    /// The attempt no longer holds its job.
    fn lost<'a>(&'a self, engine: &'a dyn Engine) -> BoxFuture<'a, ()>;
    /// The end of the attempt was written, and the job took too long.
    fn late<'a>(&'a self, engine: &'a dyn Engine) -> BoxFuture<'a, ()>;
}

/// The end of one attempt, about to be written. Writing may be tried as often as it takes.
pub(crate) trait End: Send {
    /// After an error, nothing or everything was written; both can be tried again.
    fn write(&mut self) -> BoxFuture<'_, Result<Outcome, String>>;
}

/// The outcome of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Completed,
    Failed(Option<FailureCode>),
    /// It is back in the queue.
    Retried,
    /// The worker no longer held it: the result is discarded.
    Stale,
}

impl Outcome {
    /// The label in metrics.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed(code) => code.map_or("failed", FailureCode::as_str),
            Self::Retried => "retried",
            Self::Stale => "stale",
        }
    }
}
