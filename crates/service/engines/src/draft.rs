//! The draft engine runs the embedded engines in child processes. A crash there is a failed attempt, and a
//! cancellation kills the process. The service itself never decodes files from clients.
//!
//! A child process ("host") is this same program, started with a hidden command that calls [`host_main`]. The service
//! and the host exchange JSON lines, one request at a time. After a clean job, the host is kept for the next one.

use std::{ffi::OsString, path::PathBuf, process::ExitStatus, sync::Arc, time::Duration};

use async_trait::async_trait;
use atelier_domain::{Failure, FailureCode, MediaKind};
use atelier_media::{Scratch, scratch::ScratchError};
use rustix::{io::Errno, process::Signal};
use tracing::warn;

use crate::{Context, Engine, Job, Made, MadeFile, Weights, unwritten};

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

/// How long a host that has closed its output may take to exit, so that the log shows the real reason.
const EXIT_GRACE: Duration = Duration::from_millis(500);
/// The delay before the next attempt after a host has failed: a shortage may be over by then.
const DELAY: Duration = Duration::from_secs(1);

/// How hosts are started, and their limits.
#[derive(Debug, Clone)]
pub struct DraftOptions {
    /// The absolute path of the host program, usually that of the running program.
    pub program: PathBuf,
    /// The arguments that start it as a host, such as `draft-host`.
    pub args: Vec<OsString>,
    /// The tasks that hosts run.
    pub tasks: Vec<&'static str>,
    /// The trained weights that make the results of some of them.
    pub weights: Vec<(&'static str, Arc<Weights>)>,
    /// The most hosts at a time. Each runs one job.
    pub concurrency: usize,
    /// The memory limit of one host.
    pub memory_limit_bytes: u64,
    /// The most bytes of one job's files together.
    pub output_limit_bytes: u64,
    /// How long an idle host is kept.
    pub idle_timeout: Duration,
}

/// Runs jobs in host processes.
#[derive(Debug)]
pub struct DraftEngine {
    pool: Arc<pool::Pool>,
}

impl DraftEngine {
    /// Starts no process: the first job starts the first host.
    pub fn new(options: DraftOptions) -> Self {
        Self {
            pool: Arc::new(pool::Pool::new(options)),
        }
    }

    /// Runs the request in a host, and keeps the host or ends it.
    pub(crate) async fn on_a_host(
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
        let answer = tokio::select! {
            biased;
            error = job.scratch.until_full() => Err(error),
            answer = context.cancel.run_until_cancelled(exchange) => Ok(answer),
        };
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                slot.end(Duration::ZERO).await;
                return Err(unwritten(&error));
            }
        };
        match answer {
            None => {
                slot.end(Duration::ZERO).await;
                Err(stopped())
            }
            Some(Ok(answer)) => {
                slot.keep();
                answer.map_err(|error| match without_room(&error, &job.scratch) {
                    Some(failure) => failure,
                    None => rejected(error),
                })
            }
            Some(Err(broken)) => {
                let grace = if matches!(broken, Broken::Ended) {
                    EXIT_GRACE
                } else {
                    Duration::ZERO
                };
                let remains = slot.end(grace).await;
                warn!(
                    job = %job.id,
                    attempt = job.attempt,
                    reason = %broken,
                    status = remains.status.map(tracing::field::display),
                    stderr = remains.stderr,
                    "a draft host failed",
                );
                // Some code takes a full disk for impossible.
                if job.scratch.is_disk_full() {
                    job.scratch.note_no_place();
                    return Err(unwritten(&ScratchError::Full));
                }
                Err(broken_host(&broken, remains.status))
            }
        }
    }

    /// Runs the request in a host, and checks the files that it returns.
    pub(crate) async fn make(
        &self,
        job: &Job,
        request: atelier_protocol::Request,
        context: &Context,
    ) -> Result<Made, Failure> {
        let response = self.on_a_host(job, &request, context).await?;
        let limit = self.pool.options().output_limit_bytes;
        let checked =
            tokio::task::spawn_blocking(move || outputs::check(&request.out, &response.files, limit)).await;
        let files = match checked {
            Ok(Ok(files)) => files,
            Ok(Err(error)) => {
                warn!(job = %job.id, attempt = job.attempt, %error, "the files of a draft host cannot be used");
                return Err(error.into());
            }
            // Only the shutdown of the runtime ends this task early.
            Err(_) => return Err(stopped()),
        };
        Ok(Made {
            files: files.into_iter().map(MadeFile::Path).collect(),
            metadata: response.metadata,
        })
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

    fn weights(&self, task: &str) -> Option<Arc<Weights>> {
        let mut weights = self.pool.options().weights.iter();
        weights
            .find(|(of, _)| *of == task)
            .map(|(_, weights)| Arc::clone(weights))
    }

    fn concurrency(&self) -> usize {
        self.pool.options().concurrency.max(1)
    }

    async fn run(&self, job: Job, context: Context) -> Result<Made, Failure> {
        let request = request_of(&job);
        self.make(&job, request, &context).await
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
        seconds: input.facts.duration,
    });
    atelier_protocol::Request {
        task: job.task.clone(),
        params: job.params.clone(),
        inputs: inputs.collect(),
        seed: job.seed,
        out: job.scratch.path().to_owned(),
    }
}

/// The failure of a host that found the disk full, if that is why it made nothing. The system's number of an error is
/// part of its text, however it was wrapped.
fn without_room(error: &atelier_protocol::Error, scratch: &Scratch) -> Option<Failure> {
    let atelier_protocol::Error::Failed(message) = error else {
        return None;
    };
    let says_so = |errno: Errno| message.contains(&format!("(os error {})", errno.raw_os_error()));
    if !says_so(Errno::NOSPC) && !says_so(Errno::DQUOT) && !scratch.is_disk_full() {
        return None;
    }
    scratch.note_no_place();
    Some(unwritten(&ScratchError::Full))
}

/// The failure of a request that a working host rejected.
fn rejected(error: atelier_protocol::Error) -> Failure {
    match error {
        atelier_protocol::Error::InvalidInput(message) => Failure::invalid_input(message),
        atelier_protocol::Error::ContentPolicy(message) => {
            Failure::fail(FailureCode::ContentPolicyViolation, message)
        }
        atelier_protocol::Error::Failed(message) => Failure::fail(FailureCode::GenerationFailed, message),
    }
}

/// The failure of a job whose host failed. It is final only if another attempt would fail in the same way.
fn broken_host(broken: &Broken, status: Option<ExitStatus>) -> Failure {
    use std::os::unix::process::ExitStatusExt as _;

    let signal = status
        .and_then(|status| status.signal())
        .and_then(Signal::from_named_raw);
    match broken {
        Broken::Panicked => Failure::fail(
            FailureCode::GenerationFailed,
            "the embedded engine has a bug that this request triggers",
        ),
        Broken::Ended if signal == Some(Signal::XFSZ) => outputs::OutputError::TooLarge.into(),
        _ => unexpected(),
    }
}

fn unexpected() -> Failure {
    Failure::retry(
        FailureCode::GenerationFailed,
        "the embedded engine stopped unexpectedly; submitting the job again may help",
        DELAY,
    )
}

/// The result of a cancelled attempt. Nobody sees it: the job already has the reason for the cancellation.
fn stopped() -> Failure {
    Failure::retry(
        FailureCode::GenerationFailed,
        "the attempt was stopped",
        Duration::ZERO,
    )
}
