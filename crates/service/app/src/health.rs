//! Whether the service can do its work.

use std::{fmt::Display, time::Duration};

use atelier_engines::Position;
use tokio::time::timeout;

use crate::App;

/// A part that takes longer to answer has failed.
const LONGEST: Duration = Duration::from_millis(800);

/// The state of each part, found by trying it. The reasons of failures go to the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    pub store: bool,
    pub media: bool,
    pub room: Room,
    /// The external engines, by name, each with the position of its breaker in this process.
    pub engines: Vec<(String, Position)>,
}

/// Whether there is room for files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// For results, in the media storage. Without it, this node takes no jobs.
    pub media: bool,
    /// For work files. Without it, this node takes no jobs that need them, and no uploads.
    pub scratch: bool,
}

impl Health {
    /// The service is ready whatever its external engines are: their jobs go to the next route, or wait. It is ready
    /// without room for results or work files, too: accepted jobs wait, or another node takes them.
    pub const fn is_ready(&self) -> bool {
        self.store && self.media
    }
}

impl App {
    /// Tries reads and writes of the store and the media storage, all in less than a second.
    pub async fn health(&self) -> Health {
        let (store, media, scratch) = tokio::join!(
            works("store", self.store().check()),
            works("media storage", self.blobs().check()),
            timeout(LONGEST, self.settings().scratch.has_room())
        );
        Health {
            store,
            media,
            room: Room {
                media: self.blobs().has_room(),
                // A folder that cannot be measured in time may have room.
                scratch: scratch.unwrap_or(true),
            },
            engines: self.breakers(),
        }
    }

    /// The external engines, as they are configured, each with the position of its breaker in this process.
    pub(crate) fn breakers(&self) -> Vec<(String, Position)> {
        let now = self.now();
        let position = |name: &str| Some((name.to_owned(), self.routes().breaker(name)?.position(now)));
        let engines = self.routes().engines();
        engines
            .iter()
            .filter_map(|engine| position(engine.name()))
            .collect()
    }
}

/// Whether a check of this part succeeds in time.
async fn works<E: Display>(part: &str, check: impl Future<Output = Result<(), E>>) -> bool {
    match timeout(LONGEST, check).await {
        Ok(Ok(())) => return true,
        Ok(Err(error)) => tracing::warn!(%error, "the {part} is not ready"),
        Err(_) => tracing::warn!("the {part} is not ready: it did not answer within {LONGEST:?}"),
    }
    false
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_part_that_fails_or_hangs_does_not_work() {
        assert!(works("store", async { Ok::<_, String>(()) }).await);
        assert!(!works("store", async { Err("locked") }).await);
        let begun = Instant::now();
        assert!(!works("store", std::future::pending::<Result<(), String>>()).await);
        assert!(
            begun.elapsed() < Duration::from_millis(900),
            "{:?}",
            begun.elapsed()
        );
    }
}
