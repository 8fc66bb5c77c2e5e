//! The origin of a file or an id, and the secrets of the whole service.

use async_trait::async_trait;
use atelier_domain::{FileName, GenerationId, Timestamp};

use super::{
    PostgresStore,
    error::Result,
    row::{get, unreadable},
    write::{Db, execute, fenced, read, row, rows, the_row, write},
};
use crate::{Origin, Origins, origins::origin};

#[async_trait]
impl Origins for PostgresStore {
    async fn known_secret(&self, name: &str) -> crate::Result<Option<Vec<u8>>> {
        read!(self, |db| known_secret(db, name))
    }

    async fn secret(&self, name: &str, fresh: &[u8], now: Timestamp) -> crate::Result<Vec<u8>> {
        let (name, fresh) = (name.to_owned(), fresh.to_owned());
        write!(self, fenced!("secret"), |db| secret(db, &name, &fresh, now))
    }

    async fn made_between(
        &self,
        first: GenerationId,
        last: GenerationId,
        limit: u32,
    ) -> crate::Result<Vec<Origin>> {
        read!(self, |db| made_between(db, first, last, limit))
    }

    async fn maker_of(&self, file: &FileName) -> crate::Result<Option<Origin>> {
        read!(self, |db| maker_of(db, file))
    }

    async fn note_likeness(&self, file: &FileName, likeness: [u8; 32]) -> crate::Result<()> {
        let file = file.clone();
        write!(self, fenced!("note_likeness"), |db| note_likeness(
            db, &file, likeness
        ))
    }

    async fn likenesses(&self) -> crate::Result<Vec<(FileName, Vec<u8>)>> {
        read!(self, |db| likenesses(db))
    }
}

async fn known_secret(db: &Db, name: &str) -> Result<Option<Vec<u8>>> {
    let found = row(db, "SELECT value FROM secrets WHERE name = $1", &[&name]).await?;
    found.map(|found| get(&found, 0)).transpose()
}

async fn secret(db: &Db, name: &str, fresh: &[u8], now: Timestamp) -> Result<Vec<u8>> {
    // Of two transactions, the second waits here until the first has committed.
    execute(
        db,
        "INSERT INTO secrets (name, value, made_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        &[&name, &fresh, &now.0],
    )
    .await?;
    let found = the_row(db, "SELECT value FROM secrets WHERE name = $1", &[&name]).await?;
    get(&found, 0)
}

async fn made_between(db: &Db, first: GenerationId, last: GenerationId, limit: u32) -> Result<Vec<Origin>> {
    let found = rows(
        db,
        "(SELECT id, account, model, kind, created_at, FALSE FROM generations
          WHERE id BETWEEN $1 AND $2 ORDER BY id LIMIT $3)
         UNION ALL
         (SELECT id, account, model, kind, created_at, TRUE FROM deleted_generations
          WHERE id BETWEEN $1 AND $2 ORDER BY id LIMIT $3)",
        &[&first.0, &last.0, &i64::from(limit)],
    )
    .await?;
    found.iter().map(origin).collect()
}

async fn maker_of(db: &Db, file: &FileName) -> Result<Option<Origin>> {
    let found = row(
        db,
        "SELECT g.id, g.account, g.model, g.kind, g.created_at, FALSE
         FROM file_uses u JOIN generations g ON g.id = u.holder
         WHERE u.file = $1 AND u.kind = 'output' ORDER BY u.at, g.id LIMIT 1",
        &[&file.as_str()],
    )
    .await?;
    found.as_ref().map(origin).transpose()
}

async fn note_likeness(db: &Db, file: &FileName, likeness: [u8; 32]) -> Result<()> {
    execute(
        db,
        "UPDATE takedowns SET likeness = $1 WHERE sha256 = $2",
        &[&likeness.as_slice(), &file.sha256()],
    )
    .await?;
    Ok(())
}

async fn likenesses(db: &Db) -> Result<Vec<(FileName, Vec<u8>)>> {
    let found = rows(
        db,
        "SELECT name, likeness FROM takedowns WHERE likeness IS NOT NULL",
        &[],
    )
    .await?;
    let read = |row: &tokio_postgres::Row| {
        let name = get::<&str>(row, 0)?.parse().map_err(|error| unreadable(&error))?;
        Ok((name, get(row, 1)?))
    };
    found.iter().map(read).collect()
}
