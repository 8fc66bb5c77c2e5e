//! What operators see and do: nodes, the queue, storage, takedowns; and the previews of stored files.

use async_trait::async_trait;
use atelier_domain::{AuditRecord, FileName, Timestamp, WorkerId};
use serde::{Deserialize, Serialize};

use crate::Result;

#[async_trait]
pub trait Desk: Send + Sync + std::fmt::Debug {
    /// Notes that a node is alive, and forgets those not seen since `forget`. Not durable.
    async fn note_node(&self, node: Node, forget: Timestamp) -> Result<()>;
    /// The node has ended. Not durable.
    async fn forget_node(&self, id: WorkerId) -> Result<()>;
    /// All nodes, in the order of their starting.
    async fn nodes(&self) -> Result<Vec<Node>>;
    /// What waits and what runs, by model.
    async fn queue(&self) -> Result<Vec<QueueRow>>;
    /// Stored files by media type.
    async fn storage(&self) -> Result<Vec<StorageRow>>;

    /// Forbids a file by its hash and forgets what is known of it. False: it was forbidden before. Durable.
    async fn take_down(
        &self,
        name: &FileName,
        reason: &str,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<bool>;
    /// Whether the bytes of this file may be neither served nor stored. A point read.
    async fn is_taken_down(&self, name: &FileName) -> Result<bool>;
    /// Newest first, at most `limit`.
    async fn takedowns(&self, limit: u32) -> Result<Vec<Takedown>>;

    /// The preview of a file: `None` where nobody has tried to make one yet. A point read.
    async fn preview(&self, file: &FileName) -> Result<Option<Preview>>;
    /// Notes a preview, or that none can be made. Not durable: it can be made again.
    async fn record_preview(&self, file: &FileName, preview: Preview, now: Timestamp) -> Result<()>;
}

/// A process of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub id: WorkerId,
    pub pid: u32,
    pub version: String,
    pub started_at: Timestamp,
    pub seen_at: Timestamp,
    /// Empty where it only answers requests.
    pub engines: Vec<NodeEngine>,
}

/// An engine on one node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeEngine {
    pub name: String,
    /// Jobs it runs at a time.
    pub slots: u32,
    /// Jobs it runs now.
    pub running: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueRow {
    pub model: String,
    /// The engine whose workers claim it.
    pub lane: String,
    pub queued: u64,
    pub running: u64,
    /// When the oldest of the queued ones was accepted.
    pub oldest_queued: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorageRow {
    pub media_type: String,
    pub files: u64,
    pub bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Takedown {
    pub name: String,
    pub reason: String,
    pub at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Preview {
    Made(FileName),
    /// None can be made of this file.
    Impossible,
}
