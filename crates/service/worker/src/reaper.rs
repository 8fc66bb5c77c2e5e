//! Takes care of abandoned work: lost generations, old idempotency keys, forgotten work files.

use std::{sync::Arc, time::Duration};

use atelier_media::scratch;
use tokio::time::Instant;

use crate::Node;

/// How often lost leases and passed deadlines are looked for.
const REAP_EVERY: Duration = Duration::from_secs(5);
/// How often old idempotency keys and forgotten work files are removed.
const CLEAR_EVERY: Duration = Duration::from_mins(10);
/// A work file that was not touched for this long belongs to nobody.
const FORGOTTEN: Duration = Duration::from_hours(6);

pub(crate) async fn run(node: Arc<Node>) {
    let mut cleared = None::<Instant>;
    while !node.closing.is_cancelled() {
        let system = &node.system;
        match system.reap().await {
            Ok(0) => {}
            Ok(found) => tracing::info!(found, "requeued or ended generations that nobody held"),
            Err(error) => tracing::warn!(%error, "lost generations could not be looked for"),
        }
        if cleared.is_none_or(|at| at.elapsed() >= CLEAR_EVERY) {
            cleared = Some(Instant::now());
            if let Err(error) = system.purge_idempotency().await {
                tracing::warn!(%error, "old idempotency keys could not be removed");
            }
            if let Err(error) = system.remove_deleted_files().await {
                tracing::warn!(%error, "deleted files could not be removed");
            }
            if let Err(error) = scratch::sweep(system.settings().scratch.path(), FORGOTTEN) {
                tracing::warn!(%error, "forgotten work files could not be removed");
            }
        }
        let pause = REAP_EVERY.min(node.options.lease / 2);
        tokio::select! {
            () = node.closing.cancelled() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}
