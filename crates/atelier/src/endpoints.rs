//! The common parts of all engines that speak HTTP: the address of their server, and what they share.

use std::sync::Arc;

use atelier_engines::{DraftEngine, Endpoint, http::Callbacks};
use atelier_outbound::Guard;
use url::Url;

use crate::config::{Config, EngineConfig};

/// The common parts of all engines that speak HTTP.
#[derive(Debug, Clone)]
pub(crate) struct Shared {
    pub(crate) callbacks: Arc<Callbacks>,
    /// Rewrites files for profiles that ask for it.
    pub(crate) rewriter: Option<Arc<DraftEngine>>,
}

/// The server of an engine.
pub(crate) fn endpoint(
    config: &Config,
    engine: &EngineConfig,
    url: Url,
    key: Option<String>,
    requests_per_minute: Option<u32>,
) -> Endpoint {
    Endpoint {
        name: engine.name.clone(),
        url,
        key,
        concurrency: engine.concurrency,
        requests_per_minute,
        guard: Guard {
            allow_private: config.allow_private,
        },
    }
}
