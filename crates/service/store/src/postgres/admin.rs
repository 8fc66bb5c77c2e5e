//! Nodes, the queue, storage, takedowns and previews.

use async_trait::async_trait;
use atelier_domain::{AuditRecord, FileName, Timestamp, WorkerId};

use super::{
    PostgresStore, changes,
    error::Result,
    row::{get, moment, text, unreadable},
    schema::locks,
    write::{Db, durable, execute, fleeting, read, row, rows, write},
};
use crate::{
    Admin, Node, Preview, QueueRow, StorageRow, Takedown,
    values::{self, Fields as _},
};

#[async_trait]
impl Admin for PostgresStore {
    async fn note_node(&self, node: Node, forget: Timestamp) -> crate::Result<()> {
        write!(self, fleeting!("note_node"), |db| note_node(db, &node, forget))
    }

    async fn forget_node(&self, id: WorkerId) -> crate::Result<()> {
        write!(self, fleeting!("forget_node"), |db| forget_node(db, id))
    }

    async fn nodes(&self) -> crate::Result<Vec<Node>> {
        read!(self, |db| nodes(db))
    }

    async fn queue(&self) -> crate::Result<Vec<QueueRow>> {
        read!(self, |db| queue(db))
    }

    async fn storage(&self) -> crate::Result<Vec<StorageRow>> {
        read!(self, |db| storage(db))
    }

    async fn take_down(
        &self,
        name: &FileName,
        reason: &str,
        now: Timestamp,
        record: AuditRecord,
    ) -> crate::Result<bool> {
        let (name, reason) = (name.clone(), reason.to_owned());
        write!(self, durable!("take_down"), |db| take_down(
            db, &name, &reason, now, &record
        ))
    }

    async fn record(&self, record: AuditRecord) -> crate::Result<()> {
        write!(self, durable!("record"), |db| changes::record(db, &record))
    }

    async fn takedowns(&self, limit: u32) -> crate::Result<Vec<Takedown>> {
        read!(self, |db| takedowns(db, limit))
    }

    async fn preview(&self, file: &FileName) -> crate::Result<Option<Preview>> {
        read!(self, |db| preview(db, file))
    }

    async fn record_preview(&self, file: &FileName, preview: Preview, now: Timestamp) -> crate::Result<()> {
        let file = file.clone();
        write!(self, fleeting!("record_preview"), |db| record_preview(
            db, &file, &preview, now
        ))
    }
}

async fn note_node(db: &Db, node: &Node, forget: Timestamp) -> Result<()> {
    execute(
        db,
        "INSERT INTO nodes (id, pid, version, started_at, seen_at, engines) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, engines = excluded.engines",
        &[
            &node.id.0,
            &i64::from(node.pid),
            &node.version,
            &node.started_at.0,
            &node.seen_at.0,
            &values::to_json(&node.engines)?,
        ],
    )
    .await?;
    // Another node may remove the same one.
    execute(
        db,
        "DELETE FROM nodes WHERE id IN (SELECT id FROM nodes WHERE seen_at < $1 FOR UPDATE SKIP LOCKED)",
        &[&forget.0],
    )
    .await?;
    Ok(())
}

async fn forget_node(db: &Db, id: WorkerId) -> Result<()> {
    execute(db, "DELETE FROM nodes WHERE id = $1", &[&id.0]).await?;
    Ok(())
}

async fn nodes(db: &Db) -> Result<Vec<Node>> {
    let found = rows(
        db,
        "SELECT id, pid, version, started_at, seen_at, engines FROM nodes ORDER BY id",
        &[],
    )
    .await?;
    found
        .iter()
        .map(|found| {
            Ok(Node {
                id: WorkerId(get(found, 0)?),
                pid: found.number(1)?,
                version: get(found, 2)?,
                started_at: Timestamp(get(found, 3)?),
                seen_at: Timestamp(get(found, 4)?),
                engines: found.json(5)?,
            })
        })
        .collect()
}

async fn queue(db: &Db) -> Result<Vec<QueueRow>> {
    let found = rows(
        db,
        "SELECT model, lane, count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'running'),
                min(created_at) FILTER (WHERE state = 'queued')
         FROM generations WHERE ended_at IS NULL GROUP BY model, lane ORDER BY 3 DESC, model",
        &[],
    )
    .await?;
    found
        .iter()
        .map(|found| {
            Ok(QueueRow {
                model: get(found, 0)?,
                lane: get(found, 1)?,
                queued: get::<i64>(found, 2)?.unsigned_abs(),
                running: get::<i64>(found, 3)?.unsigned_abs(),
                oldest_queued: moment(found, 4)?,
            })
        })
        .collect()
}

async fn storage(db: &Db) -> Result<Vec<StorageRow>> {
    let found = rows(
        db,
        "SELECT media_type, files, bytes FROM storage WHERE files > 0 ORDER BY bytes DESC",
        &[],
    )
    .await?;
    found
        .iter()
        .map(|found| {
            Ok(StorageRow {
                media_type: get(found, 0)?,
                files: get::<i64>(found, 1)?.unsigned_abs(),
                bytes: get::<i64>(found, 2)?.unsigned_abs(),
            })
        })
        .collect()
}

/// Locks a file until the transaction ends, so that it is not recorded by a transaction that looked for its takedown
/// just before the takedown was created.
pub(super) async fn lock_file(db: &Db, name: &FileName) -> Result<()> {
    lock_files(db, std::slice::from_ref(name)).await
}

/// Locks files as [`lock_file`] does, in one statement and in the order of their numbers, so that no two transactions
/// wait for each other.
pub(super) async fn lock_files(db: &Db, names: &[FileName]) -> Result<()> {
    let number = |name: &FileName| {
        let digits = name.sha256().get(..7)?;
        i32::from_str_radix(digits, 16).ok()
    };
    let mut numbers: Vec<i32> = names
        .iter()
        .map(|name| number(name).unwrap_or_default())
        .collect();
    numbers.sort_unstable();
    let sql = "SELECT pg_advisory_xact_lock($1, number) FROM unnest($2::int[]) AS t (number)";
    execute(db, sql, &[&locks::FILE, &numbers]).await?;
    Ok(())
}

async fn take_down(
    db: &Db,
    name: &FileName,
    reason: &str,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<bool> {
    lock_file(db, name).await?;
    let made = execute(
        db,
        "INSERT INTO takedowns (sha256, name, reason, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        &[&name.sha256(), &name.as_str(), &text(reason), &now.0],
    )
    .await?;
    if made == 0 {
        return Ok(false);
    }
    execute(db, "DELETE FROM files WHERE name = $1", &[&name.as_str()]).await?;
    changes::record(db, record).await?;
    Ok(true)
}

async fn takedowns(db: &Db, limit: u32) -> Result<Vec<Takedown>> {
    let found = rows(
        db,
        "SELECT name, reason, at FROM takedowns ORDER BY at DESC LIMIT $1",
        &[&i64::from(limit)],
    )
    .await?;
    found
        .iter()
        .map(|found| {
            Ok(Takedown {
                name: get(found, 0)?,
                reason: get(found, 1)?,
                at: Timestamp(get(found, 2)?),
            })
        })
        .collect()
}

async fn preview(db: &Db, file: &FileName) -> Result<Option<Preview>> {
    let found = row(
        db,
        "SELECT preview FROM previews WHERE file = $1",
        &[&file.as_str()],
    )
    .await?;
    let Some(found) = found else {
        return Ok(None);
    };
    Ok(Some(match get::<Option<&str>>(&found, 0)? {
        None => Preview::Impossible,
        Some(name) => Preview::Made(name.parse().map_err(|error| unreadable(&error))?),
    }))
}

async fn record_preview(db: &Db, file: &FileName, preview: &Preview, now: Timestamp) -> Result<()> {
    let made = match preview {
        Preview::Made(name) => Some(name.as_str()),
        Preview::Impossible => None,
    };
    execute(
        db,
        "INSERT INTO previews (file, preview, made_at) VALUES ($1, $2, $3)
         ON CONFLICT (file) DO UPDATE SET preview = excluded.preview, made_at = excluded.made_at",
        &[&file.as_str(), &made, &now.0],
    )
    .await?;
    Ok(())
}
