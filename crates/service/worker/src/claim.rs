//! One loop per engine: takes as many generations of its lane as it has free slots, never more.

use std::sync::Arc;

use atelier_domain::Generation;
use atelier_engines::Engine;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use crate::{Worker, run};

/// Generations taken in one transaction.
const BATCH: usize = 256;

pub(crate) async fn run(worker: Arc<Worker>, engine: Arc<dyn Engine>) {
    let lane = engine.name().to_owned();
    let slots = Arc::new(Semaphore::new(engine.concurrency().max(1)));
    let hint = worker.system.work_hint(&lane);
    loop {
        // A slot first: a generation that waited in here could not be taken by another node.
        let first = tokio::select! {
            () = worker.closing.cancelled() => return,
            permit = Arc::clone(&slots).acquire_owned() => permit.expect("the semaphore is never closed"),
        };
        if engine.needs_scratch() && !worker.system.settings().scratch.has_room().await {
            // While it is full, jobs wait in the queue.
            drop(first);
            tokio::select! {
                () = worker.closing.cancelled() => return,
                () = tokio::time::sleep(worker.options.poll) => {}
            }
            continue;
        }
        let max = 1 + slots.available_permits().min(BATCH - 1);
        let claimed_at = Instant::now();
        let claimed = claim(&worker, &lane, max, claimed_at).await;
        if claimed.is_empty() {
            drop(first);
            tokio::select! {
                () = worker.closing.cancelled() => return,
                () = hint.notified() => {}
                () = tokio::time::sleep(worker.options.poll) => {}
            }
            continue;
        }
        let mut slot = Some(first);
        for generation in claimed {
            let slot = slot.take().unwrap_or_else(|| next_slot(&slots));
            let held = worker.system.attempts().hold(&generation, &lane, claimed_at);
            let task = run::attempt(Arc::clone(&worker), Arc::clone(&engine), generation, held, slot);
            worker.running.spawn(task);
        }
    }
}

async fn claim(worker: &Worker, lane: &str, max: usize, claimed_at: Instant) -> Vec<Generation> {
    let lease = worker.options.lease;
    let claimed = match worker.system.claim(worker.id, lane, max as u32, lease).await {
        Ok(claimed) => claimed,
        Err(error) => {
            tracing::warn!(%error, lane, "no work could be claimed");
            return Vec::new();
        }
    };
    if claimed_at.elapsed() < worker.must_stop_after() {
        return claimed;
    }
    // The store answered so late that the leases are over, or nearly. Nothing is begun on them.
    tracing::warn!(
        lane,
        jobs = claimed.len(),
        "claimed jobs came too late: they go back"
    );
    let held = claimed.iter().map(|job| (job.id, job.epoch)).collect();
    if let Err(error) = worker.system.give_back(held).await {
        tracing::warn!(%error, lane, "late jobs could not be given back: their leases will end");
    }
    Vec::new()
}

fn next_slot(slots: &Arc<Semaphore>) -> OwnedSemaphorePermit {
    Arc::clone(slots)
        .try_acquire_owned()
        .expect("no more was claimed than there are slots")
}
