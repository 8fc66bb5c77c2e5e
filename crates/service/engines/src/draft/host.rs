//! A host process as the service sees it. It starts with this value and ends with it.

use std::{
    collections::VecDeque,
    io,
    process::{ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use atelier_protocol::{Error, Request, Response};
use futures::StreamExt as _;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command},
    time::timeout,
};
use tokio_util::codec::{FramedRead, LinesCodec, LinesCodecError};
use tracing::warn;

use super::{
    DraftOptions,
    limits::Limits,
    wire::{self, MAX_REPORT, Order, Report},
};

/// How many bytes of the end of a host's standard error are kept for the log.
const KEPT_STDERR: usize = 4 << 10;
/// How many characters of an invalid line the log shows.
const SHOWN: usize = 120;
/// How long to wait for a killed process. It ends immediately unless it hangs in the kernel.
const KILL_TIME: Duration = Duration::from_secs(5);

/// A running host. Dropping it kills the process and its children.
#[derive(Debug)]
pub(super) struct Host {
    child: Child,
    orders: ChildStdin,
    reports: FramedRead<ChildStdout, LinesCodec>,
    stderr: Tail,
}

/// Why a host cannot be used again.
#[derive(Debug, thiserror::Error)]
pub(super) enum Broken {
    #[error("it ended before it answered")]
    Ended,
    #[error("its pipe failed: {0}")]
    Pipe(#[from] io::Error),
    #[error("it wrote a line of more than {MAX_REPORT} bytes")]
    TooLong,
    #[error("it wrote an invalid report: {shown:?}: {error}")]
    InvalidReport { shown: String, error: serde_json::Error },
    #[error("the request could not be serialised: {0}")]
    Unserialisable(serde_json::Error),
    #[error("its engine panicked")]
    Panicked,
}

/// The facts known about a host that has ended.
#[derive(Debug)]
pub(super) struct Remains {
    pub(super) status: Option<ExitStatus>,
    /// The end of its standard error.
    pub(super) stderr: String,
}

impl Host {
    /// Starts a host and sets its limits.
    pub(super) async fn start(options: &DraftOptions) -> io::Result<Self> {
        let mut child = Command::new(&options.program)
            .args(&options.args)
            // A host needs no settings of the service, which include secrets.
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // In its own process group, so that an interrupt from the terminal reaches only the service.
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        let missing = || io::Error::other("a pipe is missing");
        let orders = child.stdin.take().ok_or_else(missing)?;
        let reports = child.stdout.take().ok_or_else(missing)?;
        let stderr = Tail::of(child.stderr.take().ok_or_else(missing)?);
        let reports = FramedRead::new(reports, LinesCodec::new_with_max_length(MAX_REPORT));
        let mut host = Self {
            child,
            orders,
            reports,
            stderr,
        };
        let limits = Limits {
            memory_bytes: options.memory_limit_bytes,
            output_bytes: options.output_limit_bytes,
        };
        host.orders
            .write_all(&wire::line(&Order::<&Request>::Limits(limits))?)
            .await?;
        Ok(host)
    }

    /// Runs a request to its end. After an error, or if this future is dropped early, the host must not be used again.
    pub(super) async fn run(
        &mut self,
        request: &Request,
        mut progress: impl FnMut(f64),
    ) -> Result<Result<Response, Error>, Broken> {
        let order = wire::line(&Order::Run(request)).map_err(Broken::Unserialisable)?;
        if let Err(error) = self.orders.write_all(&order).await {
            // A closed pipe means that the host has ended.
            return Err(if error.kind() == io::ErrorKind::BrokenPipe {
                Broken::Ended
            } else {
                error.into()
            });
        }
        loop {
            match self.report().await? {
                Report::Progress(done) => progress(done),
                Report::Done(response) => return Ok(Ok(response)),
                Report::Failed(error) => return Ok(Err(error)),
                Report::Panicked {} => return Err(Broken::Panicked),
            }
        }
    }

    /// Whether it still runs and has sent nothing unexpected.
    pub(super) fn is_ready(&mut self) -> bool {
        self.reports.read_buffer().is_empty() && matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends the host. Within `grace` it may exit by itself.
    pub(super) async fn end(mut self, grace: Duration) -> Remains {
        let status = if let Ok(status) = timeout(grace, self.child.wait()).await {
            Some(status)
        } else {
            self.kill();
            timeout(KILL_TIME, self.child.wait()).await.ok()
        };
        let status = match status {
            Some(Ok(status)) => Some(status),
            Some(Err(error)) => {
                warn!(%error, "cannot wait for the end of a draft host");
                None
            }
            None => {
                warn!("a draft host was killed but still exists");
                None
            }
        };
        Remains {
            status,
            stderr: self.stderr.text(),
        }
    }

    async fn report(&mut self) -> Result<Report, Broken> {
        let line = match self.reports.next().await {
            None => return Err(Broken::Ended),
            Some(Err(LinesCodecError::MaxLineLengthExceeded)) => return Err(Broken::TooLong),
            Some(Err(LinesCodecError::Io(error))) => return Err(error.into()),
            Some(Ok(line)) => line,
        };
        serde_json::from_str(&line).map_err(|error| Broken::InvalidReport {
            shown: line.chars().take(SHOWN).collect(),
            error,
        })
    }

    /// Kills the process group. After the child was waited for, its id is `None`, so no other process is killed by
    /// mistake.
    fn kill(&mut self) {
        let Some(group) = self.child.id().and_then(|id| Pid::from_raw(id.cast_signed())) else {
            return;
        };
        if let Err(error) = kill_process_group(group, Signal::KILL) {
            warn!(%error, "a draft host could not be killed");
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The end of a host's standard error. It is read continuously, so that the host never blocks.
#[derive(Debug, Clone, Default)]
struct Tail(Arc<Mutex<VecDeque<u8>>>);

impl Tail {
    fn of(mut stderr: ChildStderr) -> Self {
        let tail = Self::default();
        let writer = tail.clone();
        tokio::spawn(async move {
            let mut chunk = [0; 1 << 10];
            // An error ends the reading, like the end of the stream.
            while let Ok(count @ 1..) = stderr.read(&mut chunk).await {
                writer.push(&chunk[..count]);
            }
        });
        tail
    }

    fn push(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(bytes);
        let surplus = kept.len().saturating_sub(KEPT_STDERR);
        kept.drain(..surplus);
    }

    fn text(&self) -> String {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(kept.make_contiguous()).trim().to_owned()
    }
}
