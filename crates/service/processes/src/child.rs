//! A program's process as the service sees it.

use std::{
    collections::{BTreeMap, VecDeque},
    ffi::OsString,
    io,
    path::PathBuf,
    process::Stdio,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use anstream::adapter::strip_bytes;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::{Child, ChildStderr, ChildStdin, Command},
    sync::watch,
    time::timeout,
};

use crate::{Limits, Network, guard, relay::Relay};

/// How many bytes of the end of a program's output are kept for operators.
const KEPT: usize = 4 << 10;
/// How long a guard may take to kill its program.
const GUARD_TIME: Duration = Duration::from_secs(2);

/// A command that is ready to run.
#[derive(Debug)]
pub(crate) struct Ready<'a> {
    /// This program, which becomes the guard.
    pub guard: &'a PathBuf,
    pub command: Vec<OsString>,
    pub folder: Option<&'a PathBuf>,
    /// The whole environment.
    pub environment: &'a BTreeMap<String, String>,
    pub limits: Limits,
    pub network: Network,
    /// The target of the guard for connections to the program's port, if the program does not listen there itself.
    pub relay: Option<Relay>,
}

/// A running program with its guard. Dropping it kills the program, and all that it has started.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    orders: Option<ChildStdin>,
    group: Option<Pid>,
    tail: Tail,
}

impl Running {
    pub(crate) fn start(ready: &Ready<'_>) -> io::Result<Self> {
        let mut command = Command::new(ready.guard);
        command
            .args(guard::arguments(
                ready.limits,
                ready.network,
                ready.relay.as_ref(),
                &ready.command,
            ))
            // The service's own environment includes secrets.
            .env_clear()
            .envs(ready.environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            // An interrupt from the terminal reaches only the service.
            .process_group(0);
        if let Some(folder) = ready.folder {
            command.current_dir(folder);
        }
        let mut child = command.spawn()?;
        let orders = child.stdin.take();
        let tail = child.stderr.take().map(Tail::of).unwrap_or_default();
        let group = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        Ok(Self {
            child,
            orders,
            group,
            tail,
        })
    }

    /// Waits for the end.
    pub(crate) async fn ended(&mut self) {
        if let Err(error) = self.child.wait().await {
            tracing::warn!(%error, "cannot wait for the end of a program");
        }
        // All that the program started ends with it, even if its guard was killed.
        self.kill_group();
        self.tail.finished().await;
    }

    /// Asks the program to end by itself.
    pub(crate) async fn terminate(&mut self) {
        if let Some(orders) = &mut self.orders {
            // A closed pipe means that it has ended.
            let _ = orders.write_all(&[guard::TERMINATE]).await;
        }
    }

    /// Kills the program and all that it has started, and waits for the end.
    pub(crate) async fn kill(&mut self) {
        self.orders = None;
        if timeout(GUARD_TIME, self.ended()).await.is_err() {
            self.kill_group();
            self.ended().await;
        }
    }

    /// The end of its output.
    pub(crate) fn output(&self) -> String {
        self.tail.text()
    }

    /// Hears what it has written and what it writes.
    pub(crate) fn all_output(&self) -> Listener {
        Listener {
            from: 0,
            ..self.tail.listener()
        }
    }

    /// Hears what it writes from now on.
    pub(crate) fn listener(&self) -> Listener {
        self.tail.listener()
    }

    fn kill_group(&mut self) {
        if let Some(group) = self.group.take() {
            // Usually nothing is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The guard kills the program when its pipe closes.
        self.orders = None;
    }
}

/// The end of a program's output. It is read continuously, so that the program never blocks.
#[derive(Debug, Clone)]
struct Tail {
    kept: Arc<Mutex<VecDeque<u8>>>,
    /// How many bytes were read so far.
    read: watch::Receiver<u64>,
    is_finished: watch::Receiver<bool>,
}

impl Default for Tail {
    fn default() -> Self {
        Self {
            kept: Arc::default(),
            read: watch::channel(0).1,
            is_finished: watch::channel(true).1,
        }
    }
}

impl Tail {
    fn of(mut output: ChildStderr) -> Self {
        let (finished, is_finished) = watch::channel(false);
        let (counted, read) = watch::channel(0);
        let tail = Self {
            kept: Arc::default(),
            read,
            is_finished,
        };
        let kept = Arc::clone(&tail.kept);
        tokio::spawn(async move {
            let mut chunk = [0; 1 << 10];
            // An error ends the reading, like the end of the stream.
            while let Ok(count @ 1..) = output.read(&mut chunk).await {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(&chunk[..count]);
                let surplus = kept.len().saturating_sub(KEPT);
                kept.drain(..surplus);
                // Still locked, so that the count fits what is kept.
                counted.send_modify(|bytes| *bytes += count as u64);
            }
            finished.send_replace(true);
        });
        tail
    }

    /// Waits until everything was read, for a short time: another process may hold the pipe.
    async fn finished(&mut self) {
        let finished = self.is_finished.wait_for(|is_finished| *is_finished);
        let _ = timeout(Duration::from_millis(200), finished).await;
    }

    fn listener(&self) -> Listener {
        let listener = Listener {
            kept: Arc::clone(&self.kept),
            read: self.read.clone(),
            from: 0,
        };
        listener.starting_now()
    }

    /// What is kept, without colours.
    fn text(&self) -> String {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let plain = strip_bytes(kept.make_contiguous()).into_vec();
        String::from_utf8_lossy(&plain).trim().to_owned()
    }
}

/// Hears what a program writes to its output.
#[derive(Debug, Clone)]
pub struct Listener {
    kept: Arc<Mutex<VecDeque<u8>>>,
    read: watch::Receiver<u64>,
    /// The position where it began to listen, in bytes.
    from: u64,
}

impl Listener {
    /// The same from now on.
    pub(crate) fn starting_now(mut self) -> Self {
        self.from = *self.read.borrow_and_update();
        self
    }

    /// Waits until the program writes. Returns the end of what it has written since the beginning, 4 KiB at most;
    /// `None` if it will write nothing more.
    pub async fn more(&mut self) -> Option<String> {
        self.read.changed().await.ok()?;
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let new = (*self.read.borrow_and_update() - self.from).min(kept.len() as u64) as usize;
        let bytes: Vec<u8> = kept.iter().skip(kept.len() - new).copied().collect();
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}
