//! The operators' view and tools: nodes, the queue, storage, takedowns; and the previews of stored files.

use async_trait::async_trait;
use atelier_domain::{AuditRecord, FileName, Node, QueueRow, StorageRow, Takedown, Timestamp, WorkerId};

use crate::Result;

#[async_trait]
pub trait Admin: Send + Sync + std::fmt::Debug {
    /// Records that a node is alive, and removes nodes not seen since `forget`. Not durable.
    async fn note_node(&self, node: Node, forget: Timestamp) -> Result<()>;
    /// Removes a node that has ended. Not durable.
    async fn forget_node(&self, id: WorkerId) -> Result<()>;
    /// All nodes, in the order they started.
    async fn nodes(&self) -> Result<Vec<Node>>;
    /// Queued and running generations by model.
    async fn queue(&self) -> Result<Vec<QueueRow>>;
    /// Stored files by media type.
    async fn storage(&self) -> Result<Vec<StorageRow>>;

    /// Takes a file down by its hash and removes its facts. Returns false if it was taken down before. Durable.
    async fn take_down(
        &self,
        name: &FileName,
        reason: &str,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<bool>;
    /// Records something that the store itself does not change, such as an accepted licence. Durable.
    async fn record(&self, record: AuditRecord) -> Result<()>;
    /// Newest first, at most `limit`.
    async fn takedowns(&self, limit: u32) -> Result<Vec<Takedown>>;

    /// The preview of a file; `None` if no attempt was made to create one. A point read.
    async fn preview(&self, file: &FileName) -> Result<Option<Preview>>;
    /// Records a preview, or that the file has none. Not durable: it can be created again.
    async fn record_preview(&self, file: &FileName, preview: Preview, now: Timestamp) -> Result<()>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Preview {
    Made(FileName),
    /// No preview can be created from this file.
    Impossible,
}
