//! Programs for the tests, and what is asked about processes.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use async_trait::async_trait;
use atelier_processes::{
    Description, Device, Limits, Needs, Network, Probe, Program, Programs, Rules, Setup,
};
use tempfile::TempDir;

use crate::toy;

pub(crate) const MIB: u64 = 1 << 20;

#[derive(Debug)]
struct Asks;

#[async_trait]
impl Probe for Asks {
    async fn ready(&self, port: u16) -> Result<(), String> {
        let answer = tokio::task::spawn_blocking(move || toy::ask(port, "ready")).await;
        match answer.unwrap().as_deref() {
            Some("ok") => Ok(()),
            other => Err(format!("it answered {other:?}")),
        }
    }
}

/// A toy that needs 10 MiB on the device `cpu`. `arguments` are further ones.
pub(crate) fn toy(name: &str, arguments: &[&str]) -> Description {
    let own = std::env::current_exe().unwrap().display().to_string();
    let command = [own.as_str(), "toy", "port", "{port}"];
    Description {
        name: name.to_owned(),
        command: command
            .iter()
            .chain(arguments)
            .map(|&text| text.to_owned())
            .collect(),
        folder: None,
        environment: BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]),
        device: "cpu".to_owned(),
        needs: Needs {
            memory: vec![(0, 10 * MIB)],
            jobs: 1,
            alone: true,
            idle: None,
        },
        start_deadline: Duration::from_secs(20),
        limits: Limits::default(),
        network: Network::Host,
        probe: Box::new(Asks),
    }
}

pub(crate) struct Test {
    pub programs: Programs,
    pub folder: TempDir,
}

impl Test {
    /// Programs on a device of 16 MiB with quick turns.
    pub(crate) fn new(make: impl FnOnce(&Path) -> Vec<Description>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let programs = Programs::new(Setup {
            guard: std::env::current_exe().unwrap(),
            devices: vec![Device {
                name: "cpu".to_owned(),
                budget: 16 * MIB,
            }],
            programs: make(folder.path()),
            rules: Rules {
                turn: Duration::from_secs(1),
                linger: Duration::from_millis(50),
                backoff: (Duration::from_millis(200), Duration::from_secs(5)),
            },
            history: Some(folder.path().join("history")),
            sockets: folder.path().join("sockets"),
        });
        Self { programs, folder }
    }

    pub(crate) fn program(&self, name: &str) -> Program {
        self.programs.program(name).unwrap()
    }

    /// The processes that toys have started, in order.
    pub(crate) fn pids(&self) -> Vec<u32> {
        pids(&pid_file(self.folder.path()))
    }
}

pub(crate) fn pid_file(folder: &Path) -> PathBuf {
    folder.join("pids")
}

pub(crate) fn pids(file: &Path) -> Vec<u32> {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

/// Whether a process runs and is not only waited for.
pub(crate) fn is_running(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().unwrap().split_whitespace().next();
    !matches!(state, None | Some("Z" | "X"))
}

/// Waits until something is so, for up to 10 s. Returns how long it took.
pub(crate) async fn until(what: &str, mut is_so: impl FnMut() -> bool) -> Duration {
    let begun = Instant::now();
    while !is_so() {
        assert!(
            begun.elapsed() < Duration::from_secs(10),
            "not after 10 s: {what}"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    begun.elapsed()
}

pub(crate) fn kill(pid: u32) {
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}
