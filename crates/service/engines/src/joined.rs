//! An engine whose jobs run on remote workers, which join this service over HTTPS. The service only keeps its lane.

use std::time::Duration;

use async_trait::async_trait;
use atelier_domain::{Failure, FailureCode};

use crate::{Context, Engine, Job, Made};

/// An engine of the kind `remote`.
#[derive(Debug)]
pub struct JoinedEngine {
    name: String,
}

impl JoinedEngine {
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into() }
    }
}

#[async_trait]
impl Engine for JoinedEngine {
    fn name(&self) -> &str {
        &self.name
    }

    /// Each remote worker has its own number of slots.
    fn concurrency(&self) -> usize {
        0
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn runs_elsewhere(&self) -> bool {
        true
    }

    async fn run(&self, _: Job, _: Context) -> Result<Made, Failure> {
        Err(Failure::retry(
            FailureCode::GenerationFailed,
            "the jobs of this engine run on remote workers",
            Duration::from_secs(2),
        ))
    }

    async fn health(&self) -> Result<String, String> {
        Ok("served by remote workers; `atelier workers list` shows them".to_owned())
    }
}
