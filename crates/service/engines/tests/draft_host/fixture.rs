//! An engine whose hosts are this program, jobs for it, and helpers to observe its processes.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use atelier_domain::{Failure, FailureCode, GenerationId, MediaKind};
use atelier_engines::{Context, DraftEngine, DraftOptions, Engine as _, Job, Made};
use atelier_media::{Scratch, scratch::Quota};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

pub(crate) const MEMORY: u64 = 256 << 20;
pub(crate) const OUTPUT: u64 = 1 << 20;
/// The longest wait for an event. Only a failing test waits this long.
const PATIENCE: Duration = Duration::from_secs(10);

/// An engine whose hosts are this program, and a folder.
pub(crate) struct Test {
    pub(crate) engine: DraftEngine,
    pub(crate) root: TempDir,
}

impl Test {
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut DraftOptions)) -> Self {
        let mut options = options();
        change(&mut options);
        Self {
            engine: DraftEngine::new(options),
            root: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.root.path().canonicalize().unwrap().join("job")
    }

    pub(crate) fn job(&self, task: &str, params: Value) -> Job {
        job(self.root.path(), task, params)
    }

    pub(crate) async fn run(&self, task: &str, params: Value) -> Result<Made, Failure> {
        self.engine
            .run(
                self.job(task, params),
                Context::new(CancellationToken::new(), |_| {}),
            )
            .await
    }

    pub(crate) async fn failure(&self, task: &str, params: Value) -> Failure {
        self.run(task, params).await.unwrap_err()
    }

    /// The process that runs a good job. Concurrent jobs have other processes.
    pub(crate) async fn pid(&self) -> i32 {
        let made = self.run("good", json!({})).await.unwrap();
        made.metadata["pid"].as_i64().unwrap() as i32
    }

    /// The processes that an endless task has written down at its start.
    pub(crate) async fn reported_pids(&self) -> Vec<i32> {
        let file = self.folder().join("pids");
        let text = eventually("the task begins", || fs::read_to_string(&file).ok()).await;
        fs::remove_file(file).unwrap();
        text.split_whitespace().map(|pid| pid.parse().unwrap()).collect()
    }
}

pub(crate) fn options() -> DraftOptions {
    DraftOptions {
        program: std::env::current_exe().unwrap(),
        args: vec!["host".into()],
        tasks: vec!["good"],
        weights: Vec::new(),
        concurrency: 2,
        memory_limit_bytes: MEMORY,
        output_limit_bytes: OUTPUT,
        idle_timeout: Duration::from_mins(1),
    }
}

pub(crate) fn job(root: &Path, task: &str, params: Value) -> Job {
    let scratch = root.join("job");
    fs::create_dir_all(&scratch).unwrap();
    let Value::Object(params) = params else {
        panic!("{params} is not an object")
    };
    Job {
        id: GenerationId(uuid::Uuid::from_u128(7)),
        attempt: 1,
        asked: Vec::new(),
        model: "image-gen-4".to_owned(),
        task: task.to_owned(),
        kind: MediaKind::Image,
        params,
        inputs: Vec::new(),
        seed: 7,
        options: atelier_engines::RouteOptions::default(),
        resume: None,
        scratch: Scratch::new(scratch, Quota::NONE),
    }
}

pub(crate) fn assert_unexpected(failure: &Failure) {
    assert_eq!(failure.code, FailureCode::GenerationFailed);
    assert!(failure.is_retryable(), "{failure}");
    assert!(
        failure
            .message
            .starts_with("the embedded engine stopped unexpectedly"),
        "{failure}"
    );
}

pub(crate) fn assert_too_large(failure: &Failure) {
    let expected = "the output is larger than this service allows";
    assert_eq!(*failure, Failure::fail(FailureCode::GenerationFailed, expected));
}

pub(crate) fn kill(pid: i32) {
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

pub(crate) async fn gone(pid: i32) {
    eventually("the process ends", || (!is_running(pid)).then_some(())).await;
}

/// Whether a process runs. A zombie counts as gone, unless other threads of it still run: its first thread can end
/// before them.
pub(crate) fn is_running(pid: i32) -> bool {
    if let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) {
        let state = stat.rsplit(") ").next().unwrap().chars().next();
        let threads = fs::read_dir(format!("/proc/{pid}/task")).map_or(0, Iterator::count);
        return threads > 1 || !matches!(state, Some('Z' | 'X'));
    }
    !Path::new("/proc/self/stat").exists()
        && rustix::process::test_kill_process(rustix::process::Pid::from_raw(pid).unwrap()).is_ok()
}

pub(crate) async fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let since = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(since.elapsed() < PATIENCE, "waited too long until {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
