//! The safety check: trained weights on this machine examine what a job made before anybody sees it. They run in child
//! processes with limits, whichever engine made the files.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use atelier_domain::{Examined, Failure, FailureCode, MediaKind};
use atelier_media::sniff;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::{Context, DraftEngine, DraftOptions, Engine, Input, Job, Made, MadeFile, weights::Weights};

/// The task of weights that serve it, and of the processes that run them.
pub(crate) const TASK: &str = "safety";
/// A request's own wish for the check.
const ASKED: &str = "enable_safety_checker";

/// When results are examined, and what is refused.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SafetyPolicy {
    /// Whether all results are examined, or only those of requests that ask for it.
    pub always: bool,
    /// Whether the pictures among a job's inputs are examined too, before it runs.
    pub inputs: bool,
    /// The score from which on a result is refused; `None` means what the weights' description says.
    pub refuse_at: Option<f64>,
}

/// The engine that examines results.
#[derive(Debug)]
pub struct Safety {
    hosts: DraftEngine,
    policy: SafetyPolicy,
}

impl Safety {
    /// `hosts` says how its processes start.
    pub fn new(hosts: DraftOptions, policy: SafetyPolicy) -> Self {
        Self {
            hosts: DraftEngine::new(hosts),
            policy,
        }
    }

    /// Whether the policy or the request wants results to be examined, by the request's parameters.
    pub(crate) fn is_wanted(&self, params: &Map<String, Value>) -> bool {
        self.policy.always || params.get(ASKED).and_then(Value::as_bool) == Some(true)
    }

    /// The check of a job's result by these weights, if the policy or the request wants it.
    pub(crate) fn check_of(
        self: &Arc<Self>,
        weights: Arc<Weights>,
        engine: &dyn Engine,
        job: &mut Job,
    ) -> Option<SafetyCheck> {
        if !self.is_wanted(&job.params) {
            return None;
        }
        if !engine.is_remote() {
            // The embedded engines have a simpler check, which is for machines without weights.
            job.params.remove(ASKED);
        }
        let job = Job {
            task: TASK.to_owned(),
            params: Map::new(),
            inputs: Vec::new(),
            ..job.clone()
        };
        Some(SafetyCheck {
            safety: Arc::clone(self),
            weights,
            job,
        })
    }

    /// Returns the findings of weights on the pictures and videos among these files: `score` (0 to 1), `looks`,
    /// `runtime` and `device`; `None` if there are none. A score of `refuse_at` or more is a failure; `None` means what
    /// the weights' description says. The job's parameters go to the process.
    pub async fn examine(
        &self,
        job: &Job,
        weights: &str,
        paths: Vec<PathBuf>,
        refuse_at: Option<f64>,
        cancel: CancellationToken,
    ) -> Result<Option<Map<String, Value>>, Failure> {
        let inputs = tokio::task::spawn_blocking(move || {
            paths.iter().filter_map(|path| input_of(path)).collect::<Vec<_>>()
        });
        let inputs = inputs.await.unwrap_or_default();
        if inputs.is_empty() {
            return Ok(None);
        }
        let mut params = job.params.clone();
        params.insert("$target".to_owned(), json!(weights));
        if let Some(refuse_at) = refuse_at {
            params.insert("refuse_at".to_owned(), json!(refuse_at));
        }
        let request = atelier_protocol::Request {
            task: TASK.to_owned(),
            params,
            inputs,
            seed: 0,
            out: job.scratch.path().to_owned(),
        };
        let context = Context::new(cancel, |_| {});
        let answer = self.hosts.on_a_host(job, &request, &context).await?;
        Ok(Some(answer.metadata))
    }

    /// Ends its processes.
    pub async fn close(&self) {
        self.hosts.close().await;
    }
}

/// The check of one job's result.
#[derive(Debug)]
pub struct SafetyCheck {
    safety: Arc<Safety>,
    weights: Arc<Weights>,
    job: Job,
}

impl SafetyCheck {
    /// Examines the pictures among a job's inputs, if the policy says so. One that is refused, or that cannot be
    /// examined, is a failure.
    pub async fn inputs(&self, inputs: &[Input], cancel: CancellationToken) -> Result<(), Failure> {
        let policy = self.safety.policy;
        let is_picture = |input: &&Input| input.facts.media_type.kind() == Some(MediaKind::Image);
        for input in inputs.iter().filter(|input| policy.inputs && is_picture(input)) {
            let (name, paths) = (&self.weights.name, vec![input.path.clone()]);
            let looked = self
                .safety
                .examine(&self.job, name, paths, policy.refuse_at, cancel.clone());
            if let Err(failure) = looked.await {
                return Err(refused_input(&self.job, &input.parameter, failure));
            }
        }
        Ok(())
    }

    /// Examines the pictures and videos among the files and notes the highest score. A result that is refused, or that
    /// cannot be examined, is a failure.
    pub async fn run(self, made: &mut Made, cancel: CancellationToken) -> Result<(), Failure> {
        let paths = made.files.iter().filter_map(|file| match file {
            MadeFile::Path(path) => Some(path.clone()),
            // Bytes of the program itself.
            MadeFile::Bytes(_) => None,
        });
        let (safety, job) = (&self.safety, &self.job);
        let refuse_at = safety.policy.refuse_at;
        let found = safety
            .examine(job, &self.weights.name, paths.collect(), refuse_at, cancel)
            .await;
        let Some(found) = found.map_err(|failure| unexamined(job, failure))? else {
            return Ok(());
        };
        let score = found.get("score").cloned().unwrap_or_default();
        made.metadata.insert(
            "safety".to_owned(),
            json!({ "weights": self.weights.title, "score": score }),
        );
        Ok(())
    }
}

/// A picture or a video, known by its first bytes; `None` for any other file.
fn input_of(path: &Path) -> Option<atelier_protocol::Input> {
    let mut head = Vec::new();
    let file = fs::File::open(path).ok()?;
    file.take(sniff::HEAD as u64).read_to_end(&mut head).ok()?;
    let found = sniff::sniff(&head)?;
    let examined = matches!(found.kind(), Some(MediaKind::Image | MediaKind::Video));
    examined.then(|| atelier_protocol::Input {
        parameter: "files".to_owned(),
        path: path.to_owned(),
        media_type: found.mime().to_owned(),
        seconds: None,
    })
}

/// The failure of a job with an input that is refused, or that could not be examined.
fn refused_input(job: &Job, parameter: &str, failure: Failure) -> Failure {
    if failure.code == FailureCode::ContentPolicyViolation {
        return Failure {
            message: format!("`{parameter}` names a picture that the safety check of this service refuses"),
            refused: Some(Examined::Input),
            ..failure
        };
    }
    tracing::warn!(job = %job.id, why = failure.message, "the safety check of an input failed");
    if failure.is_retryable() {
        return failure;
    }
    Failure::invalid_input(format!(
        "`{parameter}` names a picture that the safety check of this service could not examine"
    ))
}

/// Turns a failed examination into a failure of the job: unexamined results are not given out.
fn unexamined(job: &Job, failure: Failure) -> Failure {
    if failure.code == FailureCode::ContentPolicyViolation {
        return Failure {
            refused: Some(Examined::Result),
            ..failure
        };
    }
    tracing::warn!(job = %job.id, why = failure.message, "the safety check of a result failed");
    if failure.is_retryable() {
        return failure;
    }
    Failure::fail(
        FailureCode::GenerationFailed,
        "the safety check of this service could not examine the result",
    )
}
