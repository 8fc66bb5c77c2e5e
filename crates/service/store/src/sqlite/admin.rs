//! Nodes, the queue, storage, takedowns and previews.

use async_trait::async_trait;
use atelier_domain::{AuditRecord, FileName, Timestamp, WorkerId};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{
    SqliteStore, changes, row,
    writer::{durable, fleeting},
};
use crate::{
    Admin, Node, Preview, QueueRow, Result, StorageRow, Takedown,
    values::{Fields as _, to_json, unreadable},
};

#[async_trait]
impl Admin for SqliteStore {
    async fn note_node(&self, node: Node, forget: Timestamp) -> Result<()> {
        let engines = to_json(&node.engines)?;
        self.writer
            .write(fleeting!("note_node"), move |db| {
                note_node(db, &node, &engines, forget)
            })
            .await
    }

    async fn forget_node(&self, id: WorkerId) -> Result<()> {
        self.writer
            .write(fleeting!("forget_node"), move |db| {
                db.prepare_cached("DELETE FROM nodes WHERE id = ?1")?
                    .execute([id.0])?;
                Ok(())
            })
            .await
    }

    async fn nodes(&self) -> Result<Vec<Node>> {
        self.readers.read(nodes)
    }

    async fn queue(&self) -> Result<Vec<QueueRow>> {
        self.scan(queue).await
    }

    async fn storage(&self) -> Result<Vec<StorageRow>> {
        self.readers.read(storage)
    }

    async fn take_down(
        &self,
        name: &FileName,
        reason: &str,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<bool> {
        let (name, reason) = (name.clone(), reason.to_owned());
        self.writer
            .write(durable!("take_down"), move |db| {
                take_down(db, &name, &reason, now, &record)
            })
            .await
    }

    async fn record(&self, record: AuditRecord) -> Result<()> {
        self.writer
            .write(durable!("record"), move |db| changes::record(db, &record))
            .await
    }

    async fn takedowns(&self, limit: u32) -> Result<Vec<Takedown>> {
        self.readers.read(|db| takedowns(db, limit))
    }

    async fn preview(&self, file: &FileName) -> Result<Option<Preview>> {
        self.readers.read(|db| preview(db, file))
    }

    async fn record_preview(&self, file: &FileName, preview: Preview, now: Timestamp) -> Result<()> {
        let file = file.clone();
        self.writer
            .write(fleeting!("record_preview"), move |db| {
                let made = match &preview {
                    Preview::Made(name) => Some(name.as_str()),
                    Preview::Impossible => None,
                };
                db.prepare_cached(
                    "INSERT OR REPLACE INTO previews (file, preview, made_at) VALUES (?1, ?2, ?3)",
                )?
                .execute(params![file.as_str(), made, now.0])?;
                Ok(())
            })
            .await
    }
}

fn note_node(db: &Connection, node: &Node, engines: &str, forget: Timestamp) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO nodes (id, pid, version, started_at, seen_at, engines) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, engines = excluded.engines",
    )?
    .execute(params![
        node.id.0,
        node.pid,
        node.version,
        node.started_at.0,
        node.seen_at.0,
        engines
    ])?;
    db.prepare_cached("DELETE FROM nodes WHERE seen_at < ?1")?
        .execute([forget.0])?;
    Ok(())
}

fn nodes(db: &Connection) -> Result<Vec<Node>> {
    db.prepare_cached("SELECT id, pid, version, started_at, seen_at, engines FROM nodes ORDER BY id")?
        .query_and_then([], |row: &Row<'_>| {
            Ok(Node {
                id: WorkerId(row.get(0)?),
                pid: row.get(1)?,
                version: row.get(2)?,
                started_at: Timestamp(row.get(3)?),
                seen_at: Timestamp(row.get(4)?),
                engines: row.json(5)?,
            })
        })?
        .collect()
}

fn queue(db: &Connection) -> Result<Vec<QueueRow>> {
    db.prepare_cached(
        "SELECT model, lane, count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'running'),
                min(created_at) FILTER (WHERE state = 'queued')
         FROM generations WHERE ended_at IS NULL GROUP BY model, lane ORDER BY 3 DESC, model",
    )?
    .query_and_then([], |row: &Row<'_>| {
        Ok(QueueRow {
            model: row.get(0)?,
            lane: row.get(1)?,
            queued: row.get::<_, i64>(2)?.unsigned_abs(),
            running: row.get::<_, i64>(3)?.unsigned_abs(),
            oldest_queued: row::moment(row, 4)?,
        })
    })?
    .collect()
}

fn storage(db: &Connection) -> Result<Vec<StorageRow>> {
    db.prepare_cached("SELECT media_type, files, bytes FROM storage WHERE files > 0 ORDER BY bytes DESC")?
        .query_and_then([], |row: &Row<'_>| {
            Ok(StorageRow {
                media_type: row.get(0)?,
                files: row.get::<_, i64>(1)?.unsigned_abs(),
                bytes: row.get::<_, i64>(2)?.unsigned_abs(),
            })
        })?
        .collect()
}

fn take_down(
    db: &Connection,
    name: &FileName,
    reason: &str,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<bool> {
    let made = db
        .prepare_cached(
            "INSERT INTO takedowns (sha256, name, reason, at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
        )?
        .execute(params![name.sha256(), name.as_str(), reason, now.0])?;
    if made == 0 {
        return Ok(false);
    }
    db.prepare_cached("DELETE FROM files WHERE name = ?1")?
        .execute([name.as_str()])?;
    changes::record(db, record)?;
    Ok(true)
}

fn takedowns(db: &Connection, limit: u32) -> Result<Vec<Takedown>> {
    db.prepare_cached("SELECT name, reason, at FROM takedowns ORDER BY at DESC LIMIT ?1")?
        .query_and_then([limit], |row: &Row<'_>| {
            Ok(Takedown {
                name: row.get(0)?,
                reason: row.get(1)?,
                at: Timestamp(row.get(2)?),
            })
        })?
        .collect()
}

fn preview(db: &Connection, file: &FileName) -> Result<Option<Preview>> {
    let found: Option<Option<String>> = db
        .prepare_cached("SELECT preview FROM previews WHERE file = ?1")?
        .query_row([file.as_str()], |row| row.get(0))
        .optional()?;
    Ok(match found {
        None => None,
        Some(None) => Some(Preview::Impossible),
        Some(Some(name)) => Some(Preview::Made(name.parse().map_err(unreadable)?)),
    })
}
