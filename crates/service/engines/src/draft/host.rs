//! One host process as the service sees it: started, asked, and gone when this value is.

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

/// How much of what a host wrote to its standard error is kept for the log, from the end.
const KEPT_STDERR: usize = 4 << 10;
/// How much of a line that makes no sense is shown in the log.
const SHOWN: usize = 120;
/// A killed process is gone at once unless the kernel is stuck with it.
const KILL_TIME: Duration = Duration::from_secs(5);

/// A running host. Dropping it kills it and whatever it started.
#[derive(Debug)]
pub(super) struct Host {
    child: Child,
    orders: ChildStdin,
    reports: FramedRead<ChildStdout, LinesCodec>,
    stderr: Tail,
}

/// Why a host cannot be asked again.
#[derive(Debug, thiserror::Error)]
pub(super) enum Broken {
    #[error("it ended before it answered")]
    Ended,
    #[error("it could not be spoken to: {0}")]
    Pipe(#[from] io::Error),
    #[error("it wrote a line of more than {MAX_REPORT} bytes")]
    TooLong,
    #[error("it wrote what is no report: {shown:?}: {error}")]
    Nonsense { shown: String, error: serde_json::Error },
    #[error("the request could not be written down: {0}")]
    Unwritable(serde_json::Error),
    #[error("its engine panicked")]
    Panicked,
}

/// What is known of a host that has ended.
#[derive(Debug)]
pub(super) struct Remains {
    pub(super) status: Option<ExitStatus>,
    /// The last of what it wrote there.
    pub(super) stderr: String,
}

impl Host {
    /// Starts a host and puts it under its limits.
    pub(super) async fn start(options: &DraftOptions) -> io::Result<Self> {
        let mut child = Command::new(&options.program)
            .args(&options.args)
            // Nothing of the service's settings, secrets among them, is of use to a host.
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own: an interrupt at the terminal is for the service to act on.
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

    /// Has a request run to its end. After an error, or when dropped half-way, the host must not be asked again.
    pub(super) async fn run(
        &mut self,
        request: &Request,
        mut progress: impl FnMut(f64),
    ) -> Result<Result<Response, Error>, Broken> {
        let order = wire::line(&Order::Run(request)).map_err(Broken::Unwritable)?;
        if let Err(error) = self.orders.write_all(&order).await {
            // A closed pipe is the sign of a host that has ended.
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

    /// Whether it runs still and has said nothing that nobody asked for.
    pub(super) fn is_ready(&mut self) -> bool {
        self.reports.read_buffer().is_empty() && matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends the host, after `grace` in which it may end by itself, and tells what is left of it.
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
                warn!(%error, "a draft host's end could not be waited for");
                None
            }
            None => {
                warn!("a draft host was killed and is still there");
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
        serde_json::from_str(&line).map_err(|error| Broken::Nonsense {
            shown: line.chars().take(SHOWN).collect(),
            error,
        })
    }

    /// Kills the process group. The id is `None`, and nobody else's by mistake, once the child was waited for.
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

/// The end of what a host wrote to its standard error, read as it comes so that the host never waits.
#[derive(Debug, Clone, Default)]
struct Tail(Arc<Mutex<VecDeque<u8>>>);

impl Tail {
    fn of(mut stderr: ChildStderr) -> Self {
        let tail = Self::default();
        let writer = tail.clone();
        tokio::spawn(async move {
            let mut chunk = [0; 1 << 10];
            // An error ends the reading like the end does: there is nobody to tell it to.
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
