//! The operators' view of a running service: nodes, the queue, stored files, takedowns.

use serde::{Deserialize, Serialize};

use crate::{Timestamp, WorkerId};

/// A process of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub id: WorkerId,
    pub pid: u32,
    pub version: String,
    pub started_at: Timestamp,
    pub seen_at: Timestamp,
    /// Empty if the node only answers requests.
    pub engines: Vec<NodeEngine>,
}

/// An engine on one node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeEngine {
    pub name: String,
    /// The jobs it runs at the same time.
    pub slots: u32,
    /// The jobs it is running now.
    pub running: u32,
    /// It takes no jobs, because the node's scratch folder is full.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_room: bool,
}

/// The jobs of one model that have not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueRow {
    pub model: String,
    /// The engine whose workers claim it.
    pub lane: String,
    pub queued: u64,
    pub running: u64,
    /// When the oldest queued job was accepted.
    pub oldest_queued: Option<Timestamp>,
}

/// The stored files of one media type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorageRow {
    pub media_type: String,
    pub files: u64,
    pub bytes: u64,
}

/// A file that was taken down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Takedown {
    pub name: String,
    pub reason: String,
    pub at: Timestamp,
}
