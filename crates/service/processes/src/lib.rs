//! Programs that the service starts, feeds and stops. [`scheduler`] decides who is in memory and whose jobs run,
//! without clocks and I/O; [`Programs`] does what it says. The crate knows no jobs, engines or protocols: whoever has a
//! job waits for a [`Ticket`], and asks the program at its port.

mod child;
pub mod guard;
mod history;
mod isolation;
mod programs;
mod relay;
pub mod scheduler;

use std::{collections::BTreeMap, fmt::Debug, path::PathBuf, time::Duration};

use async_trait::async_trait;

pub use child::Listener;
pub use guard::check_isolation;
pub use programs::{DeviceState, Program, ProgramState, Programs, Served, Setup, Ticket};
pub use scheduler::{Device, Needs, Refusal, Rules, TooLarge};

/// Limits that the system keeps. `None`: those of the service.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Writable private memory of each process. Drivers of graphics cards may map far more than they use.
    pub memory_bytes: Option<u64>,
    /// Open files of each process.
    pub files: Option<u64>,
}

/// The network that a program can reach.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Network {
    /// The network of the service.
    #[default]
    Host,
    /// Nothing but a loopback interface of its own. Requires Linux.
    None,
}

/// A program, and what it needs.
#[derive(Debug)]
pub struct Description {
    /// Unique; metrics and logs use it.
    pub name: String,
    /// The program and its arguments. `{port}`, `{socket}` and `{device}` are replaced.
    pub command: Vec<String>,
    /// The folder it starts in; by default the folder in which the service was started.
    pub folder: Option<PathBuf>,
    /// Its whole environment. The same is replaced.
    pub environment: BTreeMap<String, String>,
    /// The value of `{device}`.
    pub device: String,
    pub needs: Needs,
    /// How long it may take until it is ready.
    pub start_deadline: Duration,
    pub limits: Limits,
    pub network: Network,
    pub probe: Box<dyn Probe>,
}

/// Tells whether a program that was started is ready for jobs.
#[async_trait]
pub trait Probe: Debug + Send + Sync {
    /// The error says what is missing, for operators.
    async fn ready(&self, port: u16) -> Result<(), String>;

    /// Why a program must not serve any jobs, by the end of what it has written while it was loading.
    fn unfit(&self, _output: &str) -> Option<String> {
        None
    }
}
