//! Hints inside one process, and from other nodes if the store passes them on: work has come, a generation has
//! changed, a delivery is due. They only make things quicker; polling is what makes them happen at all.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use atelier_domain::GenerationId;
use atelier_store::News;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::System;

#[derive(Debug, Default)]
pub(crate) struct Hints {
    /// Of the lanes that a claim loop waits on.
    lanes: Mutex<HashMap<String, Arc<Notify>>>,
    delivery: Notify,
    waiting: Mutex<HashMap<GenerationId, Waiters>>,
    closed: CancellationToken,
}

#[derive(Debug, Default)]
struct Waiters {
    notify: Arc<Notify>,
    count: usize,
}

impl Hints {
    /// A generation has come into a lane.
    pub(crate) fn work(&self, lane: &str) {
        if let Some(notify) = lock(&self.lanes).get(lane) {
            notify.notify_one();
        }
    }

    /// Returns the signal that the claim loop of a lane waits on.
    pub(crate) fn lane(&self, lane: &str) -> Arc<Notify> {
        Arc::clone(lock(&self.lanes).entry(lane.to_owned()).or_default())
    }

    /// A delivery is due.
    pub(crate) fn delivery(&self) {
        self.delivery.notify_one();
    }

    pub(crate) async fn delivery_due(&self) {
        self.delivery.notified().await;
    }

    /// A generation has begun or ended: wakes everyone who waits for that.
    pub(crate) fn changed(&self, id: GenerationId) {
        if let Some(waiters) = lock(&self.waiting).get(&id) {
            waiters.notify.notify_waiters();
        }
    }

    /// Registers someone who waits for a generation to change.
    pub(crate) fn wait_for(self: &Arc<Self>, id: GenerationId) -> Waiting {
        let mut waiting = lock(&self.waiting);
        let waiters = waiting.entry(id).or_default();
        waiters.count += 1;
        Waiting {
            hints: Arc::clone(self),
            id,
            notify: Arc::clone(&waiters.notify),
        }
    }

    /// The service stops: everyone who follows a generation is let go.
    pub(crate) fn close(&self) {
        self.closed.cancel();
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.is_cancelled()
    }

    pub(crate) async fn closed(&self) {
        self.closed.cancelled().await;
    }
}

impl System {
    /// Passes on the hints of other nodes, for as long as the store hears them.
    pub async fn hear_other_nodes(&self) {
        let Some(mut heard) = self.app.store().news() else {
            return;
        };
        while let Some(news) = heard.recv().await {
            match news {
                News::Work(lane) => self.app.hints().work(&lane),
                News::Delivery => self.app.hints().delivery(),
                News::Ended(id) => {
                    // An attempt that still runs here has lost its generation.
                    self.attempts().cancel(id);
                    self.app.hints().changed(id);
                }
            }
        }
    }
}

/// Someone who waits for a generation to change, until dropped.
#[derive(Debug)]
pub(crate) struct Waiting {
    hints: Arc<Hints>,
    id: GenerationId,
    pub(crate) notify: Arc<Notify>,
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

/// The map is valid after a panic at any point, so a poisoned lock is no reason to stop.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
