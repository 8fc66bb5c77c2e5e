//! Renews the leases of everything held, in one statement, and learns what is not held any more.

use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::{Worker, held::Stop};

/// How often progress is written down, where there is any.
const TICK: Duration = Duration::from_secs(1);

pub(crate) async fn run(worker: Arc<Worker>) {
    let lease = worker.options.lease;
    let mut ticks = interval(TICK.min(lease / 4));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut renewed = Instant::now();
    // Leases are kept while attempts still run, after the loops that start them have ended.
    while !(worker.closing.is_cancelled() && worker.running.is_empty()) {
        ticks.tick().await;
        let held = worker.held.all();
        if held.is_empty() {
            continue;
        }
        let due = renewed.elapsed() >= lease / 3
            || held
                .iter()
                .any(|attempt| attempt.renewed_at().elapsed() >= lease / 3);
        if !due && !held.iter().any(|attempt| attempt.has_news()) {
            continue;
        }
        let asked_at = Instant::now();
        let beats = held.iter().map(|attempt| attempt.beat()).collect();
        match worker
            .app
            .store()
            .heartbeat(beats, worker.app.now().plus(lease))
            .await
        {
            Ok(lost) => {
                renewed = asked_at;
                for attempt in &held {
                    if lost.contains(&attempt.id) {
                        attempt.stop(Stop::Lost);
                    } else {
                        attempt.renewed(asked_at);
                    }
                }
            }
            Err(error) => {
                tracing::warn!(%error, "leases could not be renewed");
                // Before another node may take them, they stop here.
                for attempt in held
                    .iter()
                    .filter(|attempt| attempt.renewed_at().elapsed() > lease * 3 / 4)
                {
                    attempt.stop(Stop::Lost);
                }
            }
        }
    }
}
