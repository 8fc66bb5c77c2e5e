//! The attempts this worker holds: their epochs, their progress, and the way to stop them.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use atelier_domain::{Generation, GenerationId};
use atelier_store::Beat;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Why an attempt is stopped from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Somebody else ended the generation, or holds it now: nothing is to be written.
    Lost,
    /// The worker goes away: the generation goes back into the queue.
    Shutdown,
}

#[derive(Debug, Default)]
pub(crate) struct Held(Mutex<HashMap<GenerationId, Arc<Attempt>>>);

/// One held attempt.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) id: GenerationId,
    pub(crate) epoch: i64,
    pub(crate) cancel: CancellationToken,
    stop: OnceLock<Stop>,
    /// `f64` bits.
    progress: Arc<AtomicU64>,
    reported: AtomicU64,
    renewed: Mutex<Instant>,
}

impl Attempt {
    fn new(generation: &Generation, claimed_at: Instant) -> Self {
        Self {
            id: generation.id,
            epoch: generation.epoch,
            cancel: CancellationToken::new(),
            stop: OnceLock::new(),
            progress: Arc::default(),
            reported: AtomicU64::new(0),
            renewed: Mutex::new(claimed_at),
        }
    }

    pub(crate) fn set_progress(&self, done: f64) {
        self.progress.store(done.to_bits(), Ordering::Relaxed);
    }

    /// The bits of what is done, as they are now and will be.
    pub(crate) fn progress_cell(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.progress)
    }

    /// The first reason counts.
    pub(crate) fn stop(&self, why: Stop) {
        let _ = self.stop.set(why);
        self.cancel.cancel();
    }

    /// Why it was stopped; a bare cancellation comes from whoever ended the generation on this node.
    pub(crate) fn stopped(&self) -> Stop {
        self.stop.get().copied().unwrap_or(Stop::Lost)
    }

    /// What the next heartbeat says.
    pub(crate) fn beat(&self) -> Beat {
        let bits = self.progress.load(Ordering::Relaxed);
        self.reported.store(bits, Ordering::Relaxed);
        Beat {
            id: self.id,
            epoch: self.epoch,
            progress: f64::from_bits(bits),
        }
    }

    pub(crate) fn has_news(&self) -> bool {
        self.progress.load(Ordering::Relaxed) != self.reported.load(Ordering::Relaxed)
    }

    pub(crate) fn renewed_at(&self) -> Instant {
        *lock(&self.renewed)
    }

    pub(crate) fn renewed(&self, at: Instant) {
        *lock(&self.renewed) = at;
    }
}

impl Held {
    /// Holds an attempt whose lease began no later than `claimed_at`.
    pub(crate) fn hold(&self, generation: &Generation, claimed_at: Instant) -> Arc<Attempt> {
        let attempt = Arc::new(Attempt::new(generation, claimed_at));
        lock(&self.0).insert(generation.id, Arc::clone(&attempt));
        attempt
    }

    pub(crate) fn release(&self, attempt: &Attempt) {
        let mut held = lock(&self.0);
        if held
            .get(&attempt.id)
            .is_some_and(|current| current.epoch == attempt.epoch)
        {
            held.remove(&attempt.id);
        }
    }

    pub(crate) fn all(&self) -> Vec<Arc<Attempt>> {
        lock(&self.0).values().cloned().collect()
    }

    pub(crate) fn stop_all(&self, why: Stop) {
        for attempt in self.all() {
            attempt.stop(why);
        }
    }
}

/// Maps and instants are valid after a panic at any point.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
