//! The writes of jobs to SQLite, by one thread.

use std::{path::Path, sync::Arc, thread};

use rusqlite::{Connection, Transaction, params};
use uuid::Uuid;

use super::{Job, LANE, LATER, NOW, Shared, Step, Steps, output, written};
use crate::{error::Result, reference::BATCH};

pub(super) fn start(folder: &Path, steps: Steps, shared: Arc<Shared>) -> Result<()> {
    let db = Connection::open(folder.join("atelier.db"))?;
    db.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = 1; PRAGMA cache_size = -16384;
         PRAGMA temp_store = MEMORY;",
    )?;
    db.set_prepared_statement_cache_capacity(32);
    let account: Uuid = db.query_row("SELECT id FROM accounts", [], |row| row.get(0))?;
    thread::spawn(move || write(db, account, steps, &shared));
    Ok(())
}

/// Writes all waiting steps in one transaction, and goes on with their jobs after the commit.
fn write(mut db: Connection, account: Uuid, mut steps: Steps, shared: &Arc<Shared>) {
    let mut batch = Vec::with_capacity(BATCH);
    while steps.blocking_recv_many(&mut batch, BATCH) > 0 {
        let committed = commit(&mut db, account, &batch).map_err(Into::into);
        if written(&mut batch, committed, shared).is_err() {
            return;
        }
    }
}

fn commit(db: &mut Connection, account: Uuid, batch: &[Step]) -> rusqlite::Result<()> {
    let transaction = db.transaction()?;
    for step in batch {
        match step {
            Step::Accept(job, _) => accept(&transaction, account, job)?,
            Step::Claim(job) => claim(&transaction, job)?,
            Step::Finish(job) => finish(&transaction, account, job)?,
            Step::Deliver(job) => deliver(&transaction, job)?,
        }
    }
    transaction.commit()
}

fn accept(db: &Transaction<'_>, account: Uuid, job: &Job) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO generations (id, account, state, epoch, attempt, lane, run_at, deadline, hold, progress,
                                  created_at, model, kind, webhook_url, params)
         VALUES (?1, ?2, 'queued', 0, 0, ?3, ?4, ?5, 1, 0, ?4, 'image-gen-4', 'image', ?6, ?7)",
    )?
    .execute(params![
        job.id,
        account,
        LANE,
        NOW,
        LATER,
        job.webhook_url(),
        job.body
    ])?;
    db.prepare_cached("UPDATE accounts SET available = available - 1, held = held + 1 WHERE id = ?1")?
        .execute([account])?;
    book(db, account, job, ("hold", -1, 1, 0))
}

fn claim(db: &Transaction<'_>, job: &Job) -> rusqlite::Result<()> {
    db.prepare_cached(
        "UPDATE generations SET state = 'running', epoch = 1, attempt = 1, worker = ?1, lease_until = ?2,
                                started_at = ?3, served_by = ?4, progress = 0, attempt_started_at = ?3
         WHERE id = ?1",
    )?
    .execute(params![job.id, LATER, NOW, LANE])?;
    Ok(())
}

fn finish(db: &Transaction<'_>, account: Uuid, job: &Job) -> rusqlite::Result<()> {
    db.prepare_cached(
        "UPDATE generations SET state = 'completed', worker = NULL, lease_until = NULL, ended_at = ?2, charged = 1,
                                output = ?3
         WHERE id = ?1",
    )?
    .execute(params![job.id, NOW, output()])?;
    db.prepare_cached("UPDATE accounts SET held = held - 1 WHERE id = ?1")?
        .execute([account])?;
    book(db, account, job, ("settle", 0, -1, 1))?;
    db.prepare_cached(
        "INSERT INTO deliveries (id, generation, account, state, epoch, attempts, due_at, worker, created_at, event,
                                 host, url, body)
         VALUES (?1, ?1, ?2, 'sending', 1, 0, ?3, ?1, ?4, 'generation.completed', '127.0.0.1', ?5, ?6)",
    )?
    .execute(params![job.id, account, LATER, NOW, job.webhook_url(), job.body.as_bytes()])?;
    Ok(())
}

fn deliver(db: &Transaction<'_>, job: &Job) -> rusqlite::Result<()> {
    db.prepare_cached(
        "UPDATE deliveries SET state = 'delivered', ended_at = ?2, attempts = 1, worker = NULL WHERE id = ?1",
    )?
    .execute(params![job.id, NOW])?;
    db.prepare_cached(
        "INSERT INTO attempts (delivery, number, at, latency_ms, status) VALUES (?1, 1, ?2, 1, 200)",
    )?
    .execute(params![job.id, NOW])?;
    Ok(())
}

fn book(
    db: &Transaction<'_>,
    account: Uuid,
    job: &Job,
    (kind, available, held, spent): (&str, i64, i64, i64),
) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO entries (account, generation, kind, issued, available, held, spent, at)
         VALUES (?1, ?2, ?3, 0, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![account, job.id, kind, available, held, spent, NOW])?;
    Ok(())
}
