//! The onnx engine: picture tools with trained models that the operator has, run by ONNX Runtime in child processes with limits, as
//! the embedded engines are. A route's `target` names the model's folder.

use std::time::Duration;

use async_trait::async_trait;
use atelier_domain::{Failure, FailureCode, MediaKind};

use crate::{Context, DraftEngine, DraftOptions, Engine, Job, Made};

/// The parameter that names the model's folder to a host.
const TARGET: &str = "$target";

/// How long the next attempt waits where there is no other route.
const PAUSE: Duration = Duration::from_secs(1);

/// See the module's documentation.
#[derive(Debug)]
pub struct OnnxEngine {
    name: String,
    hosts: DraftEngine,
    /// What is known of its models at start: what an operator is told, either way.
    health: Result<String, String>,
}

impl OnnxEngine {
    /// `hosts` says how its processes are started and which tasks they run; `health` is shown to an operator who asks.
    pub fn new(name: String, hosts: DraftOptions, health: Result<String, String>) -> Self {
        Self {
            name,
            hosts: DraftEngine::new(hosts),
            health,
        }
    }
}

/// A model that cannot be run says nothing of the job: the next route may well serve it.
fn elsewhere(failure: Failure) -> Failure {
    if failure.code != FailureCode::GenerationFailed || failure.is_retryable() {
        return failure;
    }
    tracing::warn!(why = failure.message, "a model cannot be run");
    Failure::retry(failure.code, failure.message, PAUSE)
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
        if let Some(target) = job.asked.target.take() {
            job.params.insert(TARGET.to_owned(), target.into());
        }
        let mut made = self.hosts.run(job, context).await.map_err(elsewhere)?;
        made.metadata
            .insert("engine".to_owned(), self.name.clone().into());
        Ok(made)
    }

    async fn reach(&self) -> Result<String, String> {
        self.health.clone()
    }

    async fn close(&self) {
        self.hosts.close().await;
    }
}
