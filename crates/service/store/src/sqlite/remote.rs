//! Remote workers, their tokens and what they hold.

use async_trait::async_trait;
use atelier_domain::{
    AuditRecord, Generation, GenerationId, RemoteWorker, Timestamp, WorkerId, WorkerSeen, WorkerToken,
    WorkerTokenId,
};
use rusqlite::{Connection, Row, params};

use super::{
    SqliteStore, changes,
    row::{self, one},
    writer::{durable, fleeting},
};
use crate::{
    NewWorkerToken, Remote, Result,
    values::{self, generation_columns, to_json, worker_columns, worker_token_columns},
};

#[async_trait]
impl Remote for SqliteStore {
    async fn create_worker_token(&self, new: NewWorkerToken, record: AuditRecord) -> Result<()> {
        self.writer
            .write(durable!("create_worker_token"), move |db| {
                create(db, &new)?;
                changes::record(db, &record)
            })
            .await
    }

    async fn worker_tokens(&self) -> Result<Vec<WorkerToken>> {
        const SQL: &str = concat!(
            "SELECT ",
            worker_token_columns!(),
            " FROM worker_tokens t ORDER BY t.id"
        );
        self.readers
            .read(|db| db.prepare_cached(SQL)?.query_and_then([], token)?.collect())
    }

    async fn revoke_worker_token(
        &self,
        id: WorkerTokenId,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<WorkerToken>> {
        self.writer
            .write(durable!("revoke_worker_token"), move |db| {
                revoke(db, id, now, &record)
            })
            .await
    }

    async fn worker_token(&self, hash: &[u8; 32], worker: Option<WorkerId>) -> Result<Option<WorkerToken>> {
        const SQL: &str = concat!(
            "SELECT ",
            worker_token_columns!(),
            " FROM worker_tokens t WHERE t.hash = ?1 AND t.revoked_at IS NULL
                  AND (?2 IS NULL OR EXISTS (SELECT 1 FROM remote_workers WHERE id = ?2 AND token = t.id))"
        );
        self.readers.read(|db| {
            let worker = worker.map(|worker| worker.0);
            one(db
                .prepare_cached(SQL)?
                .query_and_then(params![hash.as_slice(), worker], token)?)
        })
    }

    async fn note_worker(&self, worker: RemoteWorker, forget: Timestamp) -> Result<()> {
        self.writer
            .write(fleeting!("note_worker"), move |db| note(db, &worker, forget))
            .await
    }

    async fn remote_workers(&self) -> Result<Vec<WorkerSeen>> {
        self.scan(workers).await
    }

    async fn held_by(&self, worker: WorkerId, id: GenerationId, epoch: i64) -> Result<Option<Generation>> {
        const SQL: &str = concat!(
            "SELECT ",
            generation_columns!(),
            " FROM generations g WHERE g.id = ?1 AND g.epoch = ?2 AND g.worker = ?3 AND g.state = 'running'"
        );
        self.readers.read(|db| {
            one(db
                .prepare_cached(SQL)?
                .query_and_then(params![id.0, epoch, worker.0], row::generation)?)
        })
    }
}

fn token(row: &Row<'_>) -> Result<WorkerToken> {
    values::worker_token(row)
}

fn create(db: &Connection, new: &NewWorkerToken) -> Result<()> {
    let token = &new.token;
    db.prepare_cached(
        "INSERT INTO worker_tokens (hash, id, name, prefix, engines, models, created_at, revoked_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        new.hash.as_slice(),
        token.id.0,
        token.name,
        token.prefix,
        to_json(&token.engines)?,
        to_json(&token.models)?,
        token.created_at.0,
        token.revoked_at.map(|at| at.0),
    ])?;
    Ok(())
}

fn revoke(
    db: &Connection,
    id: WorkerTokenId,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<Option<WorkerToken>> {
    const FIND: &str = concat!(
        "SELECT ",
        worker_token_columns!(),
        " FROM worker_tokens t WHERE t.id = ?1"
    );
    let found = one(db.prepare_cached(FIND)?.query_and_then([id.0], token)?)?;
    let Some(mut found) = found else { return Ok(None) };
    if found.revoked_at.is_none() {
        found.revoked_at = Some(now);
        db.prepare_cached("UPDATE worker_tokens SET revoked_at = ?2 WHERE id = ?1")?
            .execute(params![id.0, now.0])?;
        changes::record(db, record)?;
    }
    Ok(Some(found))
}

fn note(db: &Connection, worker: &RemoteWorker, forget: Timestamp) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO remote_workers (id, token, name, version, joined_at, seen_at, offer)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, offer = excluded.offer",
    )?
    .execute(params![
        worker.id.0,
        worker.token.0,
        worker.name,
        worker.version,
        worker.joined_at.0,
        worker.seen_at.0,
        to_json(&worker.offer)?,
    ])?;
    db.prepare_cached("DELETE FROM remote_workers WHERE seen_at < ?1")?
        .execute([forget.0])?;
    Ok(())
}

fn workers(db: &Connection) -> Result<Vec<WorkerSeen>> {
    const SQL: &str = concat!(
        "SELECT ",
        worker_columns!(),
        " FROM remote_workers w JOIN worker_tokens t ON t.id = w.token ORDER BY w.id"
    );
    let mut found: Vec<WorkerSeen> = db
        .prepare_cached(SQL)?
        .query_and_then([], |row| values::worker_seen(row))?
        .collect::<Result<_>>()?;
    let mut running = db.prepare_cached(
        "SELECT g.worker, g.model FROM generations g JOIN remote_workers w ON w.id = g.worker
         WHERE g.state = 'running' ORDER BY g.id",
    )?;
    let mut running = running.query([])?;
    while let Some(row) = running.next()? {
        let (worker, model) = (WorkerId(row.get(0)?), row.get(1)?);
        if let Some(seen) = found.iter_mut().find(|seen| seen.worker.id == worker) {
            seen.running.push(model);
        }
    }
    Ok(found)
}
