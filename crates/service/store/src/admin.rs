//! What operators see and do: nodes, the queue, storage, takedowns; and the previews of stored files.

use async_trait::async_trait;
use atelier_domain::{AuditRecord, FileName, Node, QueueRow, StorageRow, Takedown, Timestamp, WorkerId};

use crate::Result;

#[async_trait]
pub trait Admin: Send + Sync + std::fmt::Debug {
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Preview {
    Made(FileName),
    /// None can be made of this file.
    Impossible,
}
