//! Renews the leases of all held attempts in one statement, and learns which are no longer held.
//!
//! A heartbeat has a deadline of its own: a store or a service that neither answers nor fails must not keep attempts
//! running beyond their leases.

use std::{sync::Arc, time::Duration};

use atelier_app::attempts::{Attempt, Stop};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use crate::Worker;

/// How often progress is written down, if there is any.
const TICK: Duration = Duration::from_secs(1);

impl Worker {
    /// An attempt whose lease was not renewed for this long stops, well before another node may take it.
    pub(crate) fn must_stop_after(&self) -> Duration {
        self.source.lease() * 3 / 4
    }
}

pub(crate) async fn run(worker: Arc<Worker>) {
    // A worker that learns of a cancellation only by asking must learn it within a second.
    let tick = if worker.source.must_ask() { TICK / 2 } else { TICK };
    let mut ticks = interval(tick.min(worker.source.lease() / 4));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut renewed = Instant::now();
    // Leases are kept while attempts still run, after the loops that start them have ended.
    while !(worker.closing.is_cancelled() && worker.running.is_empty()) {
        ticks.tick().await;
        let lease = worker.source.lease();
        let held = worker.attempts.held();
        let is_due = |attempt: &Arc<Attempt>| attempt.renewed_at().elapsed() >= lease / 3;
        let due = worker.source.must_ask() || renewed.elapsed() >= lease / 3 || held.iter().any(is_due);
        if held.is_empty() || !(due || held.iter().any(|attempt| attempt.has_news())) {
            continue;
        }
        if beat(&worker, &held).await {
            renewed = Instant::now();
        }
        // Also those that a heartbeat could not renew because somebody has locked them.
        stop_late(&worker);
    }
}

/// Renews these leases; false if that failed or took too long.
async fn beat(worker: &Worker, held: &[Arc<Attempt>]) -> bool {
    let asked_at = Instant::now();
    let lost = match timeout(patience(worker, held), worker.source.renew(held)).await {
        Ok(Ok(lost)) => lost,
        Ok(Err(error)) => {
            tracing::warn!(%error, "leases could not be renewed");
            return false;
        }
        Err(_) => {
            let waited = asked_at.elapsed();
            tracing::warn!(?waited, "leases could not be renewed: there is no answer");
            return false;
        }
    };
    for attempt in lost {
        attempt.stop(Stop::Lost);
    }
    true
}

/// How long one heartbeat may take: a part of the lease, so that there is time for another try, and no longer than
/// until the first attempt must stop.
fn patience(worker: &Worker, held: &[Arc<Attempt>]) -> Duration {
    let most = worker.must_stop_after();
    let left = |attempt: &Arc<Attempt>| most.saturating_sub(attempt.renewed_at().elapsed());
    let left = held.iter().map(left).min().unwrap_or(most);
    left.min(worker.source.lease() / 6)
}

/// Stops the attempts whose leases other nodes may soon take.
fn stop_late(worker: &Worker) {
    for attempt in worker.attempts.held() {
        if attempt.renewed_at().elapsed() >= worker.must_stop_after() {
            attempt.stop(Stop::Lost);
        }
    }
}
