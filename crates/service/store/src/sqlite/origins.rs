//! The origin of a file or an id, and the secrets of the whole service.

use async_trait::async_trait;
use atelier_domain::{FileName, GenerationId, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{SqliteStore, writer::durable};
use crate::{Origin, Origins, Result, origins::origin, values::unreadable};

#[async_trait]
impl Origins for SqliteStore {
    async fn known_secret(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.readers.read(|db| secret(db, name))
    }

    async fn secret(&self, name: &str, fresh: &[u8], now: Timestamp) -> Result<Vec<u8>> {
        if let Some(known) = self.readers.read(|db| secret(db, name))? {
            return Ok(known);
        }
        let (name, fresh) = (name.to_owned(), fresh.to_owned());
        self.writer
            .write(durable!("secret"), move |db| {
                db.prepare_cached(
                    "INSERT INTO secrets (name, value, made_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
                )?
                .execute(params![name, fresh, now.0])?;
                Ok(secret(db, &name)?.unwrap_or_else(|| fresh.clone()))
            })
            .await
    }

    async fn made_between(&self, first: GenerationId, last: GenerationId, limit: u32) -> Result<Vec<Origin>> {
        self.readers.read(|db| made_between(db, first, last, limit))
    }

    async fn maker_of(&self, file: &FileName) -> Result<Option<Origin>> {
        self.readers.read(|db| maker_of(db, file))
    }

    async fn note_likeness(&self, file: &FileName, likeness: [u8; 32]) -> Result<()> {
        let file = file.clone();
        self.writer
            .write(durable!("note_likeness"), move |db| {
                db.prepare_cached("UPDATE takedowns SET likeness = ?1 WHERE sha256 = ?2")?
                    .execute(params![likeness, file.sha256()])?;
                Ok(())
            })
            .await
    }

    async fn likenesses(&self) -> Result<Vec<(FileName, Vec<u8>)>> {
        self.readers.read(|db| {
            db.prepare_cached("SELECT name, likeness FROM takedowns WHERE likeness IS NOT NULL")?
                .query_and_then([], |row: &Row<'_>| {
                    let name: String = row.get(0)?;
                    Ok((name.parse().map_err(unreadable)?, row.get(1)?))
                })?
                .collect()
        })
    }
}

fn secret(db: &Connection, name: &str) -> Result<Option<Vec<u8>>> {
    Ok(db
        .prepare_cached("SELECT value FROM secrets WHERE name = ?1")?
        .query_row([name], |row| row.get(0))
        .optional()?)
}

fn made_between(db: &Connection, first: GenerationId, last: GenerationId, limit: u32) -> Result<Vec<Origin>> {
    let mut found = Vec::new();
    for sql in [
        "SELECT id, account, model, kind, created_at, 0 FROM generations
         WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3",
        "SELECT id, account, model, kind, created_at, 1 FROM deleted_generations
         WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3",
    ] {
        let mut statement = db.prepare_cached(sql)?;
        for row in statement.query_and_then(params![first.0, last.0, limit], |row: &Row<'_>| origin(row))? {
            found.push(row?);
        }
    }
    Ok(found)
}

fn maker_of(db: &Connection, file: &FileName) -> Result<Option<Origin>> {
    let mut statement = db.prepare_cached(
        "SELECT g.id, g.account, g.model, g.kind, g.created_at, 0
         FROM file_uses u JOIN generations g ON g.id = u.holder
         WHERE u.file = ?1 AND u.kind = 'output' ORDER BY u.at, g.id LIMIT 1",
    )?;
    let mut rows = statement.query_and_then([file.as_str()], |row: &Row<'_>| origin(row))?;
    rows.next().transpose()
}
