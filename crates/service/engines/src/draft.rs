//! The draft engine: the embedded engines, run in child processes that can be killed. A crash there is a
//! failed attempt and a cancel is a kill; the service itself never decodes what strangers sent.
//!
//! A child process ("host") is this same program, started with a hidden command that calls [`host_main`].
//! It is spoken to in JSON lines, one request at a time, and kept for the next job after a clean one.

use std::{ffi::OsString, path::PathBuf, process::ExitStatus, sync::Arc, time::Duration};

use async_trait::async_trait;
use atelier_domain::{Failure, FailureCode, MediaKind};
use rustix::process::Signal;
use tracing::warn;

use crate::{Context, Engine, Job, Made, MadeFile};

mod host;
mod limits;
mod outputs;
mod pool;
mod serve;
mod wire;

use host::Broken;
pub use serve::host_main;

/// The name that routes use.
pub const NAME: &str = "draft";

/// How long a host that closed its output may take to end by itself, so that the log has the real reason.
const LAST_BREATH: Duration = Duration::from_millis(500);
/// How long the next attempt waits after a host broke: what starved it may be over by then.
const PAUSE: Duration = Duration::from_secs(1);

/// How hosts are started and what they may use.
#[derive(Debug, Clone)]
pub struct DraftOptions {
    /// The program that becomes a host, absolute: usually the running one.
    pub program: PathBuf,
    /// What makes it one, such as `draft-host`.
    pub args: Vec<OsString>,
    /// The tasks that hosts run.
    pub tasks: Vec<&'static str>,
    /// Hosts at a time; each runs one job.
    pub concurrency: usize,
    /// How much memory one host may write to.
    pub memory_limit_bytes: u64,
    /// How large one job's files may be together.
    pub output_limit_bytes: u64,
    /// How long a host without a job is kept.
    pub idle_timeout: Duration,
}

/// See the module's documentation.
#[derive(Debug)]
pub struct DraftEngine {
    pool: Arc<pool::Pool>,
}

impl DraftEngine {
    /// Starts nothing yet: the first job starts the first host.
    pub fn new(options: DraftOptions) -> Self {
        Self {
            pool: Arc::new(pool::Pool::new(options)),
        }
    }

    /// Has a host run the request and gives the host back or ends it.
    async fn on_a_host(
        &self,
        job: &Job,
        request: &atelier_protocol::Request,
        context: &Context,
    ) -> Result<atelier_protocol::Response, Failure> {
        let mut slot = match context.cancel.run_until_cancelled(self.pool.take()).await {
            None => return Err(stopped()),
            Some(Ok(slot)) => slot,
            Some(Err(error)) => {
                warn!(job = %job.id, attempt = job.attempt, %error, "a draft host could not be started");
                return Err(unexpected());
            }
        };
        let exchange = slot.host().run(request, |done| context.progress(done));
        match context.cancel.run_until_cancelled(exchange).await {
            None => {
                slot.poison(Duration::ZERO).await;
                Err(stopped())
            }
            Some(Ok(answer)) => {
                slot.keep();
                answer.map_err(refused)
            }
            Some(Err(broken)) => {
                let grace = if matches!(broken, Broken::Ended) {
                    LAST_BREATH
                } else {
                    Duration::ZERO
                };
                let remains = slot.poison(grace).await;
                warn!(
                    job = %job.id,
                    attempt = job.attempt,
                    reason = %broken,
                    status = remains.status.map(tracing::field::display),
                    stderr = remains.stderr,
                    "a draft host broke",
                );
                Err(broke(&broken, remains.status))
            }
        }
    }
}

#[async_trait]
impl Engine for DraftEngine {
    fn name(&self) -> &str {
        NAME
    }

    fn serves(&self, task: &str, _kind: MediaKind) -> bool {
        self.pool.options().tasks.contains(&task)
    }

    fn concurrency(&self) -> usize {
        self.pool.options().concurrency.max(1)
    }

    async fn run(&self, job: Job, context: Context) -> Result<Made, Failure> {
        let request = request_of(&job);
        let response = self.on_a_host(&job, &request, &context).await?;
        let limit = self.pool.options().output_limit_bytes;
        let checked =
            tokio::task::spawn_blocking(move || outputs::check(&request.out, &response.files, limit)).await;
        let files = match checked {
            Ok(Ok(files)) => files,
            Ok(Err(error)) => {
                warn!(job = %job.id, attempt = job.attempt, %error, "a draft host's files cannot be used");
                return Err(error.into());
            }
            // The runtime is shutting down; nothing else ends this task.
            Err(_) => return Err(stopped()),
        };
        Ok(Made {
            files: files.into_iter().map(MadeFile::Path).collect(),
            metadata: response.metadata,
        })
    }

    async fn close(&self) {
        self.pool.close().await;
    }
}

fn request_of(job: &Job) -> atelier_protocol::Request {
    let inputs = job.inputs.iter().map(|input| atelier_protocol::Input {
        parameter: input.parameter.clone(),
        path: input.path.clone(),
        media_type: input.facts.media_type.mime().to_owned(),
    });
    atelier_protocol::Request {
        task: job.task.clone(),
        params: job.params.clone(),
        inputs: inputs.collect(),
        seed: job.seed,
        out: job.scratch.clone(),
    }
}

/// The host is well and said no.
fn refused(error: atelier_protocol::Error) -> Failure {
    match error {
        atelier_protocol::Error::InvalidInput(message) => Failure::invalid_input(message),
        atelier_protocol::Error::ContentPolicy(message) => {
            Failure::fail(FailureCode::ContentPolicyViolation, message)
        }
        atelier_protocol::Error::Failed(message) => Failure::fail(FailureCode::GenerationFailed, message),
    }
}

/// The host is not well. Only what another attempt would meet again in the same way ends the job.
fn broke(broken: &Broken, status: Option<ExitStatus>) -> Failure {
    use std::os::unix::process::ExitStatusExt as _;

    let signal = status
        .and_then(|status| status.signal())
        .and_then(Signal::from_named_raw);
    match broken {
        Broken::Panicked => Failure::fail(
            FailureCode::GenerationFailed,
            "the embedded engine has a fault that this request brings out",
        ),
        Broken::Ended if signal == Some(Signal::XFSZ) => outputs::OutputError::TooLarge.into(),
        _ => unexpected(),
    }
}

fn unexpected() -> Failure {
    Failure::retry(
        FailureCode::GenerationFailed,
        "the embedded engine stopped unexpectedly; submitting the job again may help",
        PAUSE,
    )
}

/// What a cancelled attempt ends with. Whoever cancelled it knows why and says so; this is for nobody else.
fn stopped() -> Failure {
    Failure::retry(
        FailureCode::GenerationFailed,
        "the attempt was stopped",
        Duration::ZERO,
    )
}
