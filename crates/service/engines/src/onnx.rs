//! The onnx engine: picture tools with the operator's trained models. ONNX Runtime runs them in child processes with
//! limits, like the embedded engines. A route's `target` names the model's folder.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use atelier_domain::{Failure, FailureCode, MediaKind};

use crate::{Context, DraftEngine, DraftOptions, Engine, Job, Made};

/// The parameters that tell a host the model's folder, and what files say made them: the title and the licence.
const TARGET: &str = "$target";
const WEIGHTS: &str = "$weights";
const LICENSE: &str = "$license";

/// The delay before the next attempt if there is no other route.
const DELAY: Duration = Duration::from_secs(1);

/// Keeps weights from being removed while a job runs on them.
pub trait Leases: Send + Sync + fmt::Debug {
    /// Holds the weights of this name until the result is dropped; `None` for a folder of the operator's own. `Err`
    /// says why they cannot be used. Blocks while it reads and writes files.
    fn lease(&self, target: &str) -> Result<Option<Box<dyn Send>>, String>;
}

/// An engine with the operator's ONNX models.
#[derive(Debug)]
pub struct OnnxEngine {
    name: String,
    hosts: DraftEngine,
    leases: Arc<dyn Leases>,
    /// The state of its models at start, as a message for operators in both cases.
    health: Result<String, String>,
}

impl OnnxEngine {
    /// `hosts` says how its processes start and which tasks they run. `health` is shown to operators.
    pub fn new(
        name: String,
        hosts: DraftOptions,
        leases: Arc<dyn Leases>,
        health: Result<String, String>,
    ) -> Self {
        Self {
            name,
            hosts: DraftEngine::new(hosts),
            leases,
            health,
        }
    }

    async fn lease(&self, target: &str) -> Result<Option<Box<dyn Send>>, Failure> {
        let (leases, asked) = (Arc::clone(&self.leases), target.to_owned());
        let held = tokio::task::spawn_blocking(move || leases.lease(&asked)).await;
        held.unwrap_or_else(|error| Err(error.to_string()))
            .map_err(|why| {
                tracing::warn!(target, why, "weights cannot be used");
                let message = "the weights that make this model's results are not on this server now";
                Failure::retry(FailureCode::GenerationFailed, message, DELAY)
            })
    }
}

/// If a model cannot be run, the job may still be fine: the next route may serve it.
fn elsewhere(failure: Failure) -> Failure {
    if failure.code != FailureCode::GenerationFailed || failure.is_retryable() {
        return failure;
    }
    tracing::warn!(why = failure.message, "a model cannot be run");
    Failure::retry(failure.code, failure.message, DELAY)
}

#[async_trait]
impl Engine for OnnxEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn serves(&self, task: &str, kind: MediaKind) -> bool {
        self.hosts.serves(task, kind)
    }

    fn concurrency(&self) -> usize {
        self.hosts.concurrency()
    }

    async fn run(&self, mut job: Job, context: Context) -> Result<Made, Failure> {
        let mut held = None;
        if let Some(target) = job.options.target.take() {
            held = self.lease(&target).await?;
            job.params.insert(TARGET.to_owned(), target.into());
        }
        if let Some(weights) = &job.options.weights {
            job.params
                .insert(WEIGHTS.to_owned(), weights.title.as_str().into());
            job.params
                .insert(LICENSE.to_owned(), weights.license.as_str().into());
        }
        let made = self.hosts.run(job, context).await;
        drop(held);
        let mut made = made.map_err(elsewhere)?;
        made.metadata
            .insert("engine".to_owned(), self.name.clone().into());
        Ok(made)
    }

    async fn health(&self) -> Result<String, String> {
        self.health.clone()
    }

    async fn close(&self) {
        self.hosts.close().await;
    }
}
