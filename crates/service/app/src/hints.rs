//! Hints inside one process, and from other nodes where the store tells of them: work has come, a generation has
//! ended, a delivery is due, a job is cancelled. They only make things quicker; polling is what makes them happen at
//! all.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use atelier_domain::GenerationId;
use atelier_store::News;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::App;

#[derive(Debug, Default)]
pub struct Hints {
    lanes: HashMap<String, Arc<Notify>>,
    delivery: Notify,
    waiting: Mutex<HashMap<GenerationId, Waiters>>,
    running: Mutex<HashMap<GenerationId, Attempt>>,
    closed: CancellationToken,
}

/// An attempt that runs on this node.
#[derive(Debug)]
pub struct Attempt {
    pub epoch: i64,
    /// The engine's lane.
    pub lane: String,
    pub cancel: CancellationToken,
    /// The bits of an `f64` from 0 to 1.
    pub progress: Arc<AtomicU64>,
}

#[derive(Debug, Default)]
struct Waiters {
    notify: Arc<Notify>,
    count: usize,
}

impl Hints {
    pub fn new<'a>(lanes: impl Iterator<Item = &'a str>) -> Self {
        Self {
            lanes: lanes.map(|lane| (lane.to_owned(), Arc::default())).collect(),
            ..Self::default()
        }
    }

    /// A generation has come into a lane.
    pub fn work(&self, lane: &str) {
        if let Some(notify) = self.lanes.get(lane) {
            notify.notify_one();
        }
    }

    /// What a lane's claim loop waits on.
    pub fn lane(&self, lane: &str) -> Arc<Notify> {
        self.lanes.get(lane).cloned().unwrap_or_default()
    }

    /// A delivery is due.
    pub fn delivery(&self) {
        self.delivery.notify_one();
    }

    pub async fn delivery_due(&self) {
        self.delivery.notified().await;
    }

    /// A generation has ended: wakes who waits for it.
    pub fn ended(&self, id: GenerationId) {
        if let Some(waiters) = lock(&self.waiting).get(&id) {
            waiters.notify.notify_waiters();
        }
    }

    /// Registers someone who waits for a generation's end.
    pub fn wait_for(self: &Arc<Self>, id: GenerationId) -> Waiting {
        let mut waiting = lock(&self.waiting);
        let waiters = waiting.entry(id).or_default();
        waiters.count += 1;
        Waiting {
            hints: Arc::clone(self),
            id,
            notify: Arc::clone(&waiters.notify),
        }
    }

    /// Registers a running attempt, so that a cancellation on this node reaches it at once, and wakes who waits
    /// for the generation.
    pub fn started(self: &Arc<Self>, id: GenerationId, attempt: Attempt) -> Running {
        lock(&self.running).insert(id, attempt);
        self.ended(id);
        Running {
            hints: Arc::clone(self),
            id,
        }
    }

    /// Stops the attempt at this generation, if it runs on this node.
    pub fn cancel(&self, id: GenerationId) {
        if let Some(attempt) = lock(&self.running).get(&id) {
            attempt.cancel.cancel();
        }
    }

    /// How much of the attempt of this epoch is done, if it runs on this node.
    pub fn progress(&self, id: GenerationId, epoch: i64) -> Option<f64> {
        let running = lock(&self.running);
        let attempt = running.get(&id).filter(|attempt| attempt.epoch == epoch)?;
        Some(f64::from_bits(attempt.progress.load(Ordering::Relaxed)))
    }

    /// How many attempts run on this node, by lane.
    pub fn running_by_lane(&self) -> HashMap<String, u32> {
        let mut lanes = HashMap::new();
        for attempt in lock(&self.running).values() {
            *lanes.entry(attempt.lane.clone()).or_default() += 1;
        }
        lanes
    }

    /// The service stops: whoever follows a generation is let go.
    pub fn close(&self) {
        self.closed.cancel();
    }

    pub async fn closed(&self) {
        self.closed.cancelled().await;
    }
}

impl App {
    /// Passes on what other nodes tell, as long as the store hears them.
    pub async fn hear_other_nodes(&self) {
        let Some(mut heard) = self.store().news() else {
            return;
        };
        while let Some(news) = heard.recv().await {
            match news {
                News::Work(lane) => self.hints().work(&lane),
                News::Delivery => self.hints().delivery(),
                News::Ended(id) => {
                    // An attempt that still runs here is nobody's any more.
                    self.hints().cancel(id);
                    self.hints().ended(id);
                }
            }
        }
    }
}

/// Someone who waits for a generation's end, until dropped.
#[derive(Debug)]
pub struct Waiting {
    hints: Arc<Hints>,
    id: GenerationId,
    pub notify: Arc<Notify>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut waiting = lock(&self.hints.waiting);
        if let Some(waiters) = waiting.get_mut(&self.id) {
            waiters.count -= 1;
            if waiters.count == 0 {
                waiting.remove(&self.id);
            }
        }
    }
}

/// A running attempt, until dropped.
#[derive(Debug)]
pub struct Running {
    hints: Arc<Hints>,
    id: GenerationId,
}

impl Drop for Running {
    fn drop(&mut self) {
        lock(&self.hints.running).remove(&self.id);
    }
}

/// The maps are valid after a panic at any point, so that a poisoned lock is no reason to stop.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
