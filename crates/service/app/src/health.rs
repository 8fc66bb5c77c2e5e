//! Whether the service can do its work.

use atelier_engines::Position;

use crate::App;

/// The state of each part, found by trying it. The reasons of failures go to the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    pub store: bool,
    pub media: bool,
    /// Whether the scratch folder has room. Without it, this node takes no jobs that need it and no uploads.
    pub scratch: bool,
    /// The external engines, by name, each with the position of its breaker in this process.
    pub engines: Vec<(String, Position)>,
}

impl Health {
    /// The service is ready whatever its external engines are: their jobs go to the next route, or wait. It is ready
    /// without room for work files, too: accepted jobs wait, or another node takes them.
    pub const fn is_ready(&self) -> bool {
        self.store && self.media
    }
}

impl App {
    /// Tries reads and writes of the store and the media storage.
    pub async fn health(&self) -> Health {
        let scratch = self.settings().scratch.has_room();
        let (store, media, scratch) = tokio::join!(self.store().check(), self.blobs().check(), scratch);
        if let Err(error) = &store {
            tracing::warn!(%error, "the store is not ready");
        }
        if let Err(error) = &media {
            tracing::warn!(%error, "the media storage is not ready");
        }
        Health {
            store: store.is_ok(),
            media: media.is_ok(),
            scratch,
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
