//! The attempts that run on this node: their leases, their progress, and the way to stop them.
//!
//! An attempt is known by its generation **and** its epoch. A worker that lost its lease may still be at
//! work when the next attempt at the same generation begins here; neither may unregister the other.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Deref,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use atelier_domain::GenerationId;
use atelier_engines::{Loading, PartialImage};
use atelier_store::Beat;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Why an attempt is stopped from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Somebody else ended the generation, or holds it now: nothing is to be written.
    Lost,
    /// The worker goes away: the generation goes back into the queue.
    Shutdown,
}

/// All attempts of this node, by generation and epoch.
#[derive(Debug, Clone, Default)]
pub struct Attempts(Arc<Mutex<Running>>);

type Running = BTreeMap<(GenerationId, i64), Arc<Attempt>>;

/// One attempt.
#[derive(Debug)]
pub struct Attempt {
    id: GenerationId,
    epoch: i64,
    /// The engine's lane.
    lane: String,
    cancel: CancellationToken,
    stop: OnceLock<Stop>,
    /// The bits of an `f64` from 0 to 1.
    progress: AtomicU64,
    reported: AtomicU64,
    /// While the attempt waits for its engine to load.
    loading: Mutex<Option<Loading>>,
    /// How many pictures of the unfinished result there were, and the last one.
    partial: Mutex<(u64, Option<Arc<PartialImage>>)>,
    renewed: Mutex<Instant>,
}

impl Attempt {
    pub const fn id(&self) -> GenerationId {
        self.id
    }

    pub const fn epoch(&self) -> i64 {
        self.epoch
    }

    /// Cancelled when the attempt is stopped.
    pub const fn cancel(&self) -> &CancellationToken {
        &self.cancel
    }

    pub fn set_progress(&self, done: f64) {
        self.progress.store(done.to_bits(), Ordering::Relaxed);
    }

    /// Sets whether the attempt waits for its engine to load.
    pub fn set_loading(&self, loading: Option<Loading>) {
        *lock(&self.loading) = loading;
    }

    /// Whether the attempt waits for its engine to load.
    pub fn loading(&self) -> Option<Loading> {
        *lock(&self.loading)
    }

    /// Shows a picture of the unfinished result.
    pub fn set_partial_image(&self, image: PartialImage) {
        let mut partial = lock(&self.partial);
        *partial = (partial.0 + 1, Some(Arc::new(image)));
    }

    /// The last picture of the unfinished result, once.
    pub fn take_partial_image(&self) -> Option<Arc<PartialImage>> {
        lock(&self.partial).1.take()
    }

    /// Whether progress was made since the last heartbeat.
    pub fn has_news(&self) -> bool {
        self.progress.load(Ordering::Relaxed) != self.reported.load(Ordering::Relaxed)
    }

    /// The lease began no later than this.
    pub fn renewed_at(&self) -> Instant {
        *lock(&self.renewed)
    }

    pub fn renewed(&self, at: Instant) {
        *lock(&self.renewed) = at;
    }

    /// Stops the attempt. The first reason counts.
    pub fn stop(&self, why: Stop) {
        let _ = self.stop.set(why);
        self.cancel.cancel();
    }

    /// Why it was stopped, if it was.
    pub fn stopped(&self) -> Option<Stop> {
        self.stop.get().copied()
    }

    /// Returns the content of the next heartbeat.
    pub fn beat(&self) -> Beat {
        let bits = self.progress.load(Ordering::Relaxed);
        self.reported.store(bits, Ordering::Relaxed);
        Beat {
            id: self.id,
            epoch: self.epoch,
            progress: f64::from_bits(bits),
        }
    }
}

impl Attempts {
    /// Registers an attempt whose lease began no later than `claimed_at`. Attempts of earlier epochs at the same
    /// generation have lost it, and are stopped.
    pub fn hold(&self, (id, epoch): (GenerationId, i64), lane: &str, claimed_at: Instant) -> Held {
        let attempt = Arc::new(Attempt {
            id,
            epoch,
            lane: lane.to_owned(),
            cancel: CancellationToken::new(),
            stop: OnceLock::new(),
            progress: AtomicU64::new(0),
            reported: AtomicU64::new(0),
            loading: Mutex::default(),
            partial: Mutex::default(),
            renewed: Mutex::new(claimed_at),
        });
        let mut running = lock(&self.0);
        for (_, earlier) in running.range((attempt.id, i64::MIN)..(attempt.id, attempt.epoch)) {
            earlier.stop(Stop::Lost);
        }
        running.insert((attempt.id, attempt.epoch), Arc::clone(&attempt));
        Held {
            attempts: self.clone(),
            attempt,
        }
    }

    /// The attempts whose leases are to be kept.
    pub fn held(&self) -> Vec<Arc<Attempt>> {
        let running = lock(&self.0);
        let is_held = |attempt: &&Arc<Attempt>| attempt.stopped() != Some(Stop::Lost);
        running.values().filter(is_held).cloned().collect()
    }

    pub fn stop_all(&self, why: Stop) {
        for attempt in self.held() {
            attempt.stop(why);
        }
    }

    /// Stops the attempts at a generation that was ended by somebody else.
    pub(crate) fn cancel(&self, id: GenerationId) {
        for (_, attempt) in lock(&self.0).range((id, i64::MIN)..=(id, i64::MAX)) {
            attempt.stop(Stop::Lost);
        }
    }

    /// How much of the attempt of this epoch is done, if it runs on this node.
    pub(crate) fn progress(&self, id: GenerationId, epoch: i64) -> Option<f64> {
        let running = lock(&self.0);
        let attempt = running.get(&(id, epoch))?;
        Some(f64::from_bits(attempt.progress.load(Ordering::Relaxed)))
    }

    /// Whether the attempt of this epoch waits for its engine to load, if it runs on this node.
    pub(crate) fn loading(&self, id: GenerationId, epoch: i64) -> Option<Loading> {
        lock(&self.0).get(&(id, epoch))?.loading()
    }

    /// The last picture of the unfinished result, if the attempt of this epoch runs on this node. Its number rises with
    /// every picture of the attempt.
    pub(crate) fn partial_image(&self, id: GenerationId, epoch: i64) -> Option<(u64, Arc<PartialImage>)> {
        let running = lock(&self.0);
        let (number, image) = lock(&running.get(&(id, epoch))?.partial).clone();
        Some((number, image?))
    }

    /// How many attempts run on this node, by lane.
    pub(crate) fn by_lane(&self) -> HashMap<String, u32> {
        let mut lanes = HashMap::new();
        for attempt in lock(&self.0).values() {
            *lanes.entry(attempt.lane.clone()).or_default() += 1;
        }
        lanes
    }
}

/// A registered attempt, until dropped.
#[derive(Debug)]
pub struct Held {
    attempts: Attempts,
    attempt: Arc<Attempt>,
}

impl Held {
    /// The attempt, for reporting its progress.
    pub fn share(&self) -> Arc<Attempt> {
        Arc::clone(&self.attempt)
    }
}

impl Deref for Held {
    type Target = Attempt;

    fn deref(&self) -> &Attempt {
        &self.attempt
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let key = (self.attempt.id, self.attempt.epoch);
        let mut running = lock(&self.attempts.0);
        if running
            .get(&key)
            .is_some_and(|current| Arc::ptr_eq(current, &self.attempt))
        {
            running.remove(&key);
        }
    }
}

/// The map and the instants are valid after a panic at any point, so a poisoned lock is no reason to stop.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
