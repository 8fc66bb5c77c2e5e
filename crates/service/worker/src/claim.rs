//! One loop per engine: takes as many generations of its lane as it has free slots, never more.

use std::sync::Arc;

use atelier_engines::Engine;
use atelier_store::Claim;
use tokio::{sync::Semaphore, time::Instant};

use crate::{Worker, run};

/// Generations taken in one transaction.
const BATCH: usize = 256;

pub(crate) async fn run(worker: Arc<Worker>, engine: Arc<dyn Engine>) {
    let lane = engine.name().to_owned();
    let slots = Arc::new(Semaphore::new(engine.concurrency().max(1)));
    let hint = worker.app.hints().lane(&lane);
    loop {
        // A slot first: a generation that waits in here could not be taken by another node.
        let first = tokio::select! {
            () = worker.closing.cancelled() => return,
            permit = Arc::clone(&slots).acquire_owned() => permit.expect("the semaphore is never closed"),
        };
        let max = 1 + slots.available_permits().min(BATCH - 1);
        let claimed_at = Instant::now();
        let claimed = worker.app.store().claim(Claim {
            worker: worker.id,
            lane: lane.clone(),
            max: max as u32,
            now: worker.app.now(),
            lease_until: worker.app.now().plus(worker.options.lease),
        });
        let claimed = match claimed.await {
            Ok(claimed) => claimed,
            Err(error) => {
                tracing::warn!(%error, lane, "no work could be claimed");
                Vec::new()
            }
        };
        if claimed.is_empty() {
            drop(first);
            tokio::select! {
                () = worker.closing.cancelled() => return,
                () = hint.notified() => {}
                () = tokio::time::sleep(worker.options.poll) => {}
            }
            continue;
        }
        let mut permit = Some(first);
        for generation in claimed {
            let slot = match permit.take() {
                Some(first) => first,
                None => Arc::clone(&slots)
                    .try_acquire_owned()
                    .expect("no more was claimed than there are slots"),
            };
            let attempt = worker.held.hold(&generation, claimed_at);
            let task = run::attempt(Arc::clone(&worker), Arc::clone(&engine), generation, attempt);
            worker.running.spawn(async move {
                task.await;
                drop(slot);
            });
        }
    }
}
