//! Whether the storage works: looked at after a failure, and then until it works again.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use tokio::{
    sync::Mutex,
    time::{Instant, timeout},
};

use super::Blobs;

/// A storage that takes longer to answer fails.
const LONGEST: Duration = Duration::from_secs(5);
/// How long a look counts that found a failure.
const FRESH: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(super) struct Watch {
    fails: AtomicBool,
    /// When the last look found a failure.
    failed: Mutex<Option<Instant>>,
}

impl Blobs {
    /// Whether the storage works, as far as is known. After [`look`](Self::look) has found that it fails, each call
    /// looks again.
    pub async fn works(&self) -> bool {
        !self.watch.fails.load(Ordering::Relaxed) || self.look().await
    }

    /// Checks whether the storage works, within five seconds. A failure counts for a second. The log says when the
    /// result changes.
    pub async fn look(&self) -> bool {
        let mut failed = self.watch.failed.lock().await;
        if failed.is_none_or(|at| at.elapsed() >= FRESH) {
            let why = match timeout(LONGEST, self.check()).await {
                Ok(Ok(())) => None,
                Ok(Err(error)) => Some(error.to_string()),
                Err(_) => Some(format!("it did not answer within {LONGEST:?}")),
            };
            let fails = why.is_some();
            *failed = fails.then(Instant::now);
            if self.watch.fails.swap(fails, Ordering::Relaxed) != fails {
                if let Some(why) = why {
                    tracing::warn!(why, "the media storage fails: jobs wait in the queue");
                } else {
                    tracing::info!("the media storage works again");
                }
            }
        }
        failed.is_none()
    }
}
