//! Workers on other machines, which join over HTTPS, and the tokens that let them in.

use serde::{Deserialize, Serialize};

use crate::{Timestamp, WorkerId, WorkerTokenId};

/// The stored form of a token for remote workers. Its text is shown only once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerToken {
    pub id: WorkerTokenId,
    pub name: String,
    /// The beginning of its text.
    pub prefix: String,
    /// The engines whose jobs it may claim; empty means all that remote workers serve.
    pub engines: Vec<String>,
    /// The models whose jobs it may claim, as slugs or patterns with `*`; empty means all.
    pub models: Vec<String>,
    pub created_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
}

impl WorkerToken {
    /// Whether it may claim jobs of an engine.
    pub fn allows_engine(&self, engine: &str) -> bool {
        self.engines.is_empty() || self.engines.iter().any(|allowed| allowed == engine)
    }
}

/// A remote worker: one process, with a new id at every start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteWorker {
    pub id: WorkerId,
    pub token: WorkerTokenId,
    pub name: String,
    pub version: String,
    pub joined_at: Timestamp,
    pub seen_at: Timestamp,
    pub offer: WorkerOffer,
}

/// The offer of a remote worker.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerOffer {
    /// Its own engines, by their names there.
    #[serde(default)]
    pub engines: Vec<WorkerEngine>,
    /// The memory of its machine, in bytes, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

/// An engine of a remote worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerEngine {
    pub name: String,
    /// The jobs it runs at the same time.
    #[serde(default)]
    pub slots: u32,
    /// How many models it serves.
    #[serde(default)]
    pub models: u32,
}

/// A remote worker and the jobs it runs now, as operators see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerSeen {
    pub worker: RemoteWorker,
    /// The name of its token.
    pub token: String,
    /// The models of the jobs that it runs.
    pub running: Vec<String>,
}
