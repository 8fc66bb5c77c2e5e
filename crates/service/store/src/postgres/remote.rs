//! Remote workers, their tokens and what they hold.

use async_trait::async_trait;
use atelier_domain::{
    AuditRecord, Generation, GenerationId, RemoteWorker, Timestamp, WorkerId, WorkerSeen, WorkerToken,
    WorkerTokenId,
};

use super::{
    PostgresStore, changes,
    error::Result,
    row::{get, text},
    write::{Db, durable, execute, fleeting, read, row, rows, snapshot, write},
};
use crate::{
    NewWorkerToken, Remote,
    values::{self, generation_columns, worker_columns, worker_token_columns},
};

#[async_trait]
impl Remote for PostgresStore {
    async fn create_worker_token(&self, new: NewWorkerToken, record: AuditRecord) -> crate::Result<()> {
        write!(self, durable!("create_worker_token"), |db| create(
            db, &new, &record
        ))
    }

    async fn worker_tokens(&self) -> crate::Result<Vec<WorkerToken>> {
        read!(self, |db| tokens(db))
    }

    async fn revoke_worker_token(
        &self,
        id: WorkerTokenId,
        now: Timestamp,
        record: AuditRecord,
    ) -> crate::Result<Option<WorkerToken>> {
        write!(self, durable!("revoke_worker_token"), |db| revoke(
            db, id, now, &record
        ))
    }

    async fn worker_token(
        &self,
        hash: &[u8; 32],
        worker: Option<WorkerId>,
    ) -> crate::Result<Option<WorkerToken>> {
        read!(self, |db| token(db, hash, worker))
    }

    async fn note_worker(&self, worker: RemoteWorker, forget: Timestamp) -> crate::Result<()> {
        write!(self, fleeting!("note_worker"), |db| note(db, &worker, forget))
    }

    async fn remote_workers(&self) -> crate::Result<Vec<WorkerSeen>> {
        snapshot!(self, |db| workers(db))
    }

    async fn held_by(
        &self,
        worker: WorkerId,
        id: GenerationId,
        epoch: i64,
    ) -> crate::Result<Option<Generation>> {
        read!(self, |db| held_by(db, worker, id, epoch))
    }
}

async fn create(db: &Db, new: &NewWorkerToken, record: &AuditRecord) -> Result<()> {
    let token = &new.token;
    execute(
        db,
        "INSERT INTO worker_tokens (hash, id, name, prefix, engines, models, created_at, revoked_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        &[
            &new.hash.as_slice(),
            &token.id.0,
            &text(&token.name),
            &token.prefix,
            &values::to_json(&token.engines)?,
            &values::to_json(&token.models)?,
            &token.created_at.0,
            &token.revoked_at.map(|at| at.0),
        ],
    )
    .await?;
    changes::record(db, record).await
}

async fn tokens(db: &Db) -> Result<Vec<WorkerToken>> {
    const SQL: &str = concat!(
        "SELECT ",
        worker_token_columns!(),
        " FROM worker_tokens t ORDER BY t.id"
    );
    rows(db, SQL, &[])
        .await?
        .iter()
        .map(values::worker_token)
        .collect()
}

async fn revoke(
    db: &Db,
    id: WorkerTokenId,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<Option<WorkerToken>> {
    const FIND: &str = concat!(
        "SELECT ",
        worker_token_columns!(),
        " FROM worker_tokens t WHERE t.id = $1 FOR NO KEY UPDATE"
    );
    let found = row(db, FIND, &[&id.0]).await?;
    let Some(mut found) = found.as_ref().map(values::worker_token).transpose()? else {
        return Ok(None);
    };
    if found.revoked_at.is_none() {
        found.revoked_at = Some(now);
        execute(
            db,
            "UPDATE worker_tokens SET revoked_at = $2 WHERE id = $1",
            &[&id.0, &now.0],
        )
        .await?;
        changes::record(db, record).await?;
    }
    Ok(Some(found))
}

async fn token(db: &Db, hash: &[u8; 32], worker: Option<WorkerId>) -> Result<Option<WorkerToken>> {
    const SQL: &str = concat!(
        "SELECT ",
        worker_token_columns!(),
        " FROM worker_tokens t WHERE t.hash = $1 AND t.revoked_at IS NULL
              AND ($2::uuid IS NULL OR EXISTS (SELECT 1 FROM remote_workers WHERE id = $2 AND token = t.id))"
    );
    let worker = worker.map(|worker| worker.0);
    let found = row(db, SQL, &[&hash.as_slice(), &worker]).await?;
    found.as_ref().map(values::worker_token).transpose()
}

async fn note(db: &Db, worker: &RemoteWorker, forget: Timestamp) -> Result<()> {
    execute(
        db,
        "INSERT INTO remote_workers (id, token, name, version, joined_at, seen_at, offer)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, offer = excluded.offer",
        &[
            &worker.id.0,
            &worker.token.0,
            &text(&worker.name),
            &text(&worker.version),
            &worker.joined_at.0,
            &worker.seen_at.0,
            &text(&values::to_json(&worker.offer)?),
        ],
    )
    .await?;
    // Another node may remove the same one.
    execute(
        db,
        "DELETE FROM remote_workers
         WHERE id IN (SELECT id FROM remote_workers WHERE seen_at < $1 FOR UPDATE SKIP LOCKED)",
        &[&forget.0],
    )
    .await?;
    Ok(())
}

async fn workers(db: &Db) -> Result<Vec<WorkerSeen>> {
    const SQL: &str = concat!(
        "SELECT ",
        worker_columns!(),
        " FROM remote_workers w JOIN worker_tokens t ON t.id = w.token ORDER BY w.id"
    );
    let found = rows(db, SQL, &[]).await?;
    let mut found = found
        .iter()
        .map(values::worker_seen)
        .collect::<Result<Vec<_>>>()?;
    let running = rows(
        db,
        "SELECT g.worker, g.model FROM generations g JOIN remote_workers w ON w.id = g.worker
         WHERE g.state = 'running' ORDER BY g.id",
        &[],
    )
    .await?;
    for row in &running {
        let (worker, model) = (WorkerId(get(row, 0)?), get(row, 1)?);
        if let Some(seen) = found.iter_mut().find(|seen| seen.worker.id == worker) {
            seen.running.push(model);
        }
    }
    Ok(found)
}

async fn held_by(db: &Db, worker: WorkerId, id: GenerationId, epoch: i64) -> Result<Option<Generation>> {
    const SQL: &str = concat!(
        "SELECT ",
        generation_columns!(),
        " FROM generations g WHERE g.id = $1 AND g.epoch = $2 AND g.worker = $3 AND g.state = 'running'"
    );
    let found = row(db, SQL, &[&id.0, &epoch, &worker.0]).await?;
    found.as_ref().map(values::generation).transpose()
}
