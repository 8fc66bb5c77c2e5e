//! Remote workers: their tokens, who has joined, and the attempts that they hold.

use async_trait::async_trait;
use atelier_domain::{
    AuditRecord, Generation, GenerationId, RemoteWorker, Timestamp, WorkerId, WorkerSeen, WorkerToken,
    WorkerTokenId,
};

use crate::Result;

#[async_trait]
pub trait Remote: Send + Sync + std::fmt::Debug {
    /// Creates a token. Durable and recorded.
    async fn create_worker_token(&self, new: NewWorkerToken, record: AuditRecord) -> Result<()>;
    /// All tokens, oldest first, including revoked ones.
    async fn worker_tokens(&self) -> Result<Vec<WorkerToken>>;
    /// Revokes a token; revoking it again keeps the first time. `None` if there is no such token. Durable and
    /// recorded.
    async fn revoke_worker_token(
        &self,
        id: WorkerTokenId,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<WorkerToken>>;
    /// The token with this hash; `None` if it is unknown or revoked, or if `worker` did not join with it. A point
    /// read.
    async fn worker_token(&self, hash: &[u8; 32], worker: Option<WorkerId>) -> Result<Option<WorkerToken>>;

    /// Records that a worker is alive and what it offers, and removes those not seen since `forget`. Not durable.
    async fn note_worker(&self, worker: RemoteWorker, forget: Timestamp) -> Result<()>;
    /// The workers that have joined, in the order they did, with the jobs that they run.
    async fn remote_workers(&self) -> Result<Vec<WorkerSeen>>;
    /// The generation that this worker runs under this epoch; `None` if it does not hold it. A point read.
    async fn held_by(&self, worker: WorkerId, id: GenerationId, epoch: i64) -> Result<Option<Generation>>;
}

#[derive(Debug, Clone)]
pub struct NewWorkerToken {
    pub token: WorkerToken,
    /// SHA-256 of the token's text.
    pub hash: [u8; 32],
}
