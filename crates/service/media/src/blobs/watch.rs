//! Whether the storage works: looked at after a failure, and then until it works again.

use std::time::Duration;

use tokio::{
    sync::Mutex,
    time::{Instant, timeout},
};

use super::Blobs;

/// A storage that takes longer to answer fails.
const LONGEST: Duration = Duration::from_secs(5);
/// How long a look counts that found a failure.
const FRESH: Duration = Duration::from_secs(1);

/// When the last look found a failure; `None` if it found none.
pub(super) type Watch = Mutex<Option<Instant>>;

impl Blobs {
    /// Whether the storage works, as far as is known. After [`look`](Self::look) has found that it fails, each call
    /// looks again.
    pub async fn works(&self) -> bool {
        self.watch.lock().await.is_none() || self.look().await
    }

    /// Checks within five seconds whether the storage works, and whether a file that found no room lately would fit
    /// now. A failure counts for a second. The log says when the result changes.
    pub async fn look(&self) -> bool {
        let mut failed = self.watch.lock().await;
        if failed.is_some_and(|at| at.elapsed() < FRESH) {
            return false;
        }
        let checked = async {
            self.check().await?;
            self.check_room().await
        };
        let why = match timeout(LONGEST, checked).await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some(format!("it did not answer within {LONGEST:?}")),
        };
        match (&why, failed.is_some()) {
            (Some(why), false) => tracing::warn!(why, "the media storage fails: jobs wait in the queue"),
            (None, true) => tracing::info!("the media storage works again"),
            _ => {}
        }
        *failed = why.is_some().then(Instant::now);
        failed.is_none()
    }
}
