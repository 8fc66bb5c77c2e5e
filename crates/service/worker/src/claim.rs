//! One loop per engine: takes as many jobs as it has free slots, never more.

use std::sync::Arc;

use atelier_engines::Engine;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Worker, run, source::Claimed};

/// Jobs taken in one transaction.
const BATCH: usize = 256;

pub(crate) async fn run(worker: Arc<Worker>, engine: Arc<dyn Engine>) {
    let slots = Arc::new(Semaphore::new(engine.concurrency().max(1)));
    loop {
        // A slot first: a job that waited in here could not be taken by another node.
        let first = tokio::select! {
            () = worker.closing.cancelled() => return,
            permit = Arc::clone(&slots).acquire_owned() => permit.expect("the semaphore is never closed"),
        };
        let has_room = !engine.needs_scratch() || worker.scratch.has_room().await;
        if !has_room || !worker.source.stores().await {
            // Jobs wait in the queue.
            drop(first);
            tokio::select! {
                () = worker.closing.cancelled() => return,
                () = tokio::time::sleep(worker.poll) => {}
            }
            continue;
        }
        let max = 1 + slots.available_permits().min(BATCH - 1);
        let Some(claimed) = claim(&worker, &*engine, max).await else {
            drop(first);
            tokio::select! {
                () = worker.closing.cancelled() => return,
                () = worker.source.wait(&*engine) => {}
            }
            continue;
        };
        // Fewer than there was room for: nothing else waits, so the next claim waits for a hint or the poll.
        let was_all = claimed.orders.len() < max;
        let mut slot = Some(first);
        for order in claimed.orders {
            let slot = slot.take().unwrap_or_else(|| next_slot(&slots));
            let job = (order.id(), order.epoch());
            let held = worker.attempts.hold(job, engine.name(), claimed.since);
            let task = run::attempt(Arc::clone(&worker), Arc::clone(&engine), order, held, slot);
            worker.running.spawn(task);
        }
        if was_all {
            tokio::select! {
                () = worker.closing.cancelled() => return,
                () = worker.source.wait(&*engine) => {}
            }
        }
    }
}

/// Jobs to run; `None` if there are none now.
async fn claim(worker: &Worker, engine: &dyn Engine, max: usize) -> Option<Claimed> {
    let claimed = match worker.source.claim(engine, max).await {
        Ok(claimed) if claimed.orders.is_empty() => return None,
        Ok(claimed) => claimed,
        Err(error) => {
            tracing::warn!(%error, engine = engine.name(), "no work could be claimed");
            return None;
        }
    };
    if claimed.since.elapsed() < worker.must_stop_after() {
        return Some(claimed);
    }
    // The answer came so late that the leases are over, or nearly. Nothing is begun on them.
    let engine = engine.name();
    let jobs = claimed.orders.len();
    tracing::warn!(engine, jobs, "claimed jobs came too late: they go back");
    let held = claimed.orders.iter().map(|job| (job.id(), job.epoch())).collect();
    if let Err(error) = worker.source.give_back(held).await {
        tracing::warn!(%error, engine, "late jobs could not be given back: their leases will end");
    }
    None
}

fn next_slot(slots: &Arc<Semaphore>) -> OwnedSemaphorePermit {
    Arc::clone(slots)
        .try_acquire_owned()
        .expect("no more was claimed than there are slots")
}
