//! Removes what is older than the operator wants to keep it.

use std::{sync::Arc, time::Duration};

use crate::Node;

/// How long after the end of a pass the next one begins.
const EVERY: Duration = Duration::from_mins(10);

pub(crate) async fn run(node: Arc<Node>) {
    loop {
        tokio::select! {
            () = node.closing.cancelled() => return,
            retained = node.system.retain() => if let Err(error) = retained {
                tracing::warn!(%error, "old data could not be removed");
            }
        }
        tokio::select! {
            () = node.closing.cancelled() => return,
            removed = node.system.remove_old_incoming() => match removed {
                Ok(0) => {}
                Ok(removed) => tracing::info!(removed, "removed old uploads that were sent to the bucket"),
                Err(error) => tracing::warn!(%error, "uploads that were not completed could not be removed"),
            }
        }
        tokio::select! {
            () = node.closing.cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}
