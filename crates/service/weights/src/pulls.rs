//! Pulls as durable jobs: each is a file in `pulls/`, so that a restarted service goes on with it.

use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use tokio::{
    sync::{Semaphore, watch},
    task::AbortHandle,
    time::Instant,
};

use crate::{
    error::{Error, Result, at},
    gc::Removed,
    meter::{Meter, Step},
    pull::Puller,
    store::{LOCK, list, write_whole},
};

/// Pulls that run at the same time; others wait.
const AT_ONCE: usize = 2;
/// How often progress is read and the folder is looked through for models that came or went.
const TICK: Duration = Duration::from_millis(500);
/// The pauses of a pull whose server does not answer; the last one repeats.
const PAUSES: [Duration; 4] = [
    Duration::from_secs(30),
    Duration::from_mins(2),
    Duration::from_mins(10),
    Duration::from_hours(1),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Its turn has not come.
    Waiting,
    Running,
    /// Its server does not answer; it is tried again by itself.
    Retrying,
    /// It needs somebody: ask again or cancel it.
    Failed,
}

/// One pull, as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PullStatus {
    pub name: String,
    /// The person who asked.
    pub by: String,
    pub state: State,
    pub step: Step,
    /// Bytes on disk in pieces that came whole.
    pub verified_bytes: u64,
    pub total_bytes: u64,
    /// Over the network, averaged over some seconds.
    pub bytes_per_second: u64,
    pub error: Option<String>,
}

/// The content of a pull's file.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Record {
    name: String,
    by: String,
    error: Option<String>,
}

#[derive(Debug)]
struct Running {
    record: Record,
    state: State,
    meter: Arc<Meter>,
    task: Option<AbortHandle>,
    /// For the speed: when the meter was read last, and what it said.
    read: (Instant, u64),
    speed: f64,
}

/// The pulls of a service. Clones are the same pulls.
#[derive(Debug, Clone)]
pub struct Pulls {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    puller: Puller,
    running: Mutex<BTreeMap<String, Running>>,
    turns: Semaphore,
    progress: watch::Sender<Vec<PullStatus>>,
    models: watch::Sender<u64>,
    ticker: Mutex<Option<AbortHandle>>,
}

impl Pulls {
    /// Goes on with the pulls of an earlier process. Must be called within a runtime.
    pub fn start(puller: Puller) -> Result<Self> {
        let pulls = Self {
            inner: Arc::new(Inner {
                puller,
                running: Mutex::default(),
                turns: Semaphore::new(AT_ONCE),
                progress: watch::Sender::default(),
                models: watch::Sender::default(),
                ticker: Mutex::default(),
            }),
        };
        for path in list(&pulls.folder())? {
            let text = fs::read_to_string(&path).map_err(at(&path))?;
            match serde_json::from_str::<Record>(&text) {
                Ok(record) if record.error.is_none() => pulls.begin(record),
                Ok(record) => pulls.insert(record, State::Failed, None),
                Err(error) => tracing::warn!(path = %path.display(), %error, "a pull cannot be read"),
            }
        }
        // Before this returns: what comes from now on is a change.
        let known = pulls.inner.signature();
        let ticking = tokio::spawn(tick(Arc::clone(&pulls.inner), known));
        *pulls.inner.ticker.lock().unwrap_or_else(PoisonError::into_inner) = Some(ticking.abort_handle());
        Ok(pulls)
    }

    pub fn puller(&self) -> &Puller {
        &self.inner.puller
    }

    /// Begins a pull, or begins a failed one again. One that is in progress goes on. `accepted` says that whoever asks
    /// accepted the licences of the plan.
    pub fn ask(&self, name: &str, by: &str, accepted: bool) -> Result<()> {
        let plan = self.inner.puller.plan(&[name.to_owned()])?;
        if let Some((name, licence)) = plan.to_accept().first().filter(|_| !accepted) {
            return Err(Error::NotAccepted {
                name: (*name).to_owned(),
                licence: licence.line(),
            });
        }
        let is_running = |running: &Running| running.state != State::Failed;
        if self.inner.running().get(name).is_some_and(is_running) {
            return Ok(());
        }
        let record = Record {
            name: name.to_owned(),
            by: by.to_owned(),
            error: None,
        };
        self.inner.write(&record)?;
        self.begin(record);
        Ok(())
    }

    /// Every pull that is not done, in the order of names.
    pub fn list(&self) -> Vec<PullStatus> {
        self.inner.statuses()
    }

    /// Ends a pull. The downloaded part is kept for seven days. Whether there was one.
    pub fn cancel(&self, name: &str) -> Result<bool> {
        let Some(gone) = self.inner.running().remove(name) else {
            return Ok(false);
        };
        if let Some(task) = gone.task {
            task.abort();
        }
        self.inner.forget(name)?;
        self.inner.announce();
        Ok(true)
    }

    /// Removes a model that nobody uses, and tells those who wait for changes.
    pub fn remove(&self, name: &str) -> Result<Removed> {
        let removed = self.inner.puller.store.remove(name, false)?;
        self.inner.models.send_modify(|version| *version += 1);
        Ok(removed)
    }

    /// The pulls whenever their progress changes, at most twice a second.
    pub fn progress(&self) -> watch::Receiver<Vec<PullStatus>> {
        self.inner.progress.subscribe()
    }

    /// Changes whenever a model has come, changed or gone, also by another process. The number itself means nothing.
    pub fn models(&self) -> watch::Receiver<u64> {
        self.inner.models.subscribe()
    }

    /// Stops all pulls of this process. Their files stay, and the next process goes on with them.
    pub fn stop(&self) {
        for (_, running) in std::mem::take(&mut *self.inner.running()) {
            if let Some(task) = running.task {
                task.abort();
            }
        }
        if let Some(ticker) = self
            .inner
            .ticker
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
        {
            ticker.abort();
        }
    }

    fn begin(&self, record: Record) {
        let (inner, name) = (Arc::clone(&self.inner), record.name.clone());
        let meter = Arc::new(Meter::default());
        // The entry comes before its task, which changes it.
        let mut running = self.inner.running();
        let task = tokio::spawn(run(inner, name.clone(), Arc::clone(&meter))).abort_handle();
        running.insert(
            name,
            Running {
                record,
                state: State::Waiting,
                read: (Instant::now(), 0),
                meter,
                task: Some(task),
                speed: 0.0,
            },
        );
        drop(running);
        self.inner.announce();
    }

    fn insert(&self, record: Record, state: State, task: Option<AbortHandle>) {
        let running = Running {
            state,
            meter: Arc::default(),
            task,
            read: (Instant::now(), 0),
            speed: 0.0,
            record,
        };
        self.inner.running().insert(running.record.name.clone(), running);
    }

    fn folder(&self) -> PathBuf {
        self.inner.folder()
    }
}

/// Pulls until it is done, fails for good or is aborted.
async fn run(inner: Arc<Inner>, name: String, meter: Arc<Meter>) {
    let mut failures = 0;
    loop {
        let Ok(turn) = inner.turns.acquire().await else {
            return;
        };
        inner.change(&name, State::Running, None);
        let done = async {
            let plan = inner.puller.plan(std::slice::from_ref(&name))?;
            inner.puller.pull(&plan, &meter).await
        }
        .await;
        drop(turn);
        match done {
            Ok(_) => {
                tracing::info!(model = name, "a model was pulled");
                if let Err(error) = inner.forget(&name) {
                    tracing::warn!(%error, "the record of a finished pull cannot be removed");
                }
                inner.running().remove(&name);
                inner.models.send_modify(|version| *version += 1);
                inner.announce();
                return;
            }
            Err(error) if error.is_temporary() => {
                let pause = match error {
                    Error::Wait { wait, .. } => wait,
                    _ => PAUSES[failures.min(PAUSES.len() - 1)],
                };
                tracing::warn!(model = name, %error, ?pause, "a pull is tried again later");
                inner.change(&name, State::Retrying, Some(error.to_string()));
                failures += 1;
                tokio::time::sleep(pause).await;
            }
            Err(error) => {
                tracing::warn!(model = name, %error, "a pull failed");
                inner.change(&name, State::Failed, Some(error.to_string()));
                inner.keep(&name);
                return;
            }
        }
    }
}

/// The folders of the models that are here, and when each came.
type Signature = Vec<(PathBuf, Option<std::time::SystemTime>)>;

/// Reads progress, and looks for models that came or went.
async fn tick(inner: Arc<Inner>, mut known: Signature) {
    let mut ticks = tokio::time::interval(TICK);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        for running in inner.running().values_mut() {
            running.measure();
        }
        inner.announce();
        let (found, looking) = (Arc::clone(&inner), tokio::task::spawn_blocking);
        let Ok(now) = looking(move || found.signature()).await else {
            continue;
        };
        if now != known {
            known = now;
            inner.models.send_modify(|version| *version += 1);
        }
    }
}

impl Running {
    fn measure(&mut self) {
        let (then, before) = self.read;
        let received = self.meter.received();
        let seconds = then.elapsed().as_secs_f64().max(0.001);
        let now = received.saturating_sub(before) as f64 / seconds;
        self.speed += (now - self.speed) * 0.3;
        self.read = (Instant::now(), received);
    }

    fn status(&self) -> PullStatus {
        PullStatus {
            name: self.record.name.clone(),
            by: self.record.by.clone(),
            state: self.state,
            step: self.meter.step(),
            verified_bytes: self.meter.verified(),
            total_bytes: self.meter.total(),
            bytes_per_second: if self.state == State::Running {
                self.speed as u64
            } else {
                0
            },
            error: self.record.error.clone(),
        }
    }
}

impl Inner {
    fn running(&self) -> MutexGuard<'_, BTreeMap<String, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn statuses(&self) -> Vec<PullStatus> {
        self.running().values().map(Running::status).collect()
    }

    fn announce(&self) {
        let now = self.statuses();
        self.progress.send_if_modified(|before| {
            let changed = *before != now;
            *before = now;
            changed
        });
    }

    fn change(&self, name: &str, state: State, error: Option<String>) {
        if let Some(running) = self.running().get_mut(name) {
            running.state = state;
            running.record.error = error;
        }
        self.announce();
    }

    /// Writes the error of a failed pull into its file, so that a restart shows it and does not try again.
    fn keep(&self, name: &str) {
        let record = self.running().get(name).map(|running| running.record.clone());
        if let Some(Err(error)) = record.map(|record| self.write(&record)) {
            tracing::warn!(%error, "the record of a failed pull cannot be written");
        }
    }

    fn write(&self, record: &Record) -> Result<()> {
        let folder = self.folder();
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        let text = serde_json::to_vec(record).map_err(|error| Error::Invalid(error.to_string()))?;
        write_whole(&folder.join(format!("{}.json", record.name)), &text)
    }

    fn forget(&self, name: &str) -> Result<()> {
        let path = self.folder().join(format!("{name}.json"));
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(at(&path)(error)),
            _ => Ok(()),
        }
    }

    fn folder(&self) -> PathBuf {
        self.puller.store.root().join("pulls")
    }

    /// Returns the models that are here, each with its time of arrival.
    fn signature(&self) -> Signature {
        let mut found: Vec<_> = list(self.puller.store.root())
            .unwrap_or_default()
            .into_iter()
            .filter_map(|folder| {
                let lock = fs::metadata(folder.join(LOCK)).ok()?;
                Some((folder, lock.modified().ok()))
            })
            .collect();
        found.sort();
        found
    }
}
