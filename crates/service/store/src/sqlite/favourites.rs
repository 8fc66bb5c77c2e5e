//! Results that people of an account marked as favourites.

use std::collections::HashSet;

use async_trait::async_trait;
use atelier_domain::{AccountId, GenerationId, Timestamp};
use rusqlite::{Connection, params};

use super::{SqliteStore, writer::durable};
use crate::{Favourites, MOST_FAVOURITES, Marked, Result};

#[async_trait]
impl Favourites for SqliteStore {
    async fn set_favourite(
        &self,
        account: AccountId,
        id: GenerationId,
        since: Option<Timestamp>,
    ) -> Result<Marked> {
        self.writer
            .write(durable!("set_favourite"), move |db| {
                set_favourite(db, account, id, since)
            })
            .await
    }

    async fn favourites(&self, account: AccountId, ids: &[GenerationId]) -> Result<HashSet<GenerationId>> {
        self.readers.read(|db| favourites(db, account, ids))
    }
}

pub(super) fn set_favourite(
    db: &Connection,
    account: AccountId,
    id: GenerationId,
    since: Option<Timestamp>,
) -> Result<Marked> {
    if since.is_some() {
        let count: u32 = db
            .prepare_cached(
                "SELECT count(*) FROM generations INDEXED BY generations_favourite
                 WHERE account = ?1 AND favourite_at IS NOT NULL AND id <> ?2",
            )?
            .query_row(params![account.0, id.0], |row| row.get(0))?;
        if count >= MOST_FAVOURITES {
            return Ok(Marked::Full);
        }
    }
    let changed = db
        .prepare_cached(
            "UPDATE generations SET favourite_at = iif(?3 IS NULL, NULL, coalesce(favourite_at, ?3))
             WHERE id = ?1 AND account = ?2 AND state = 'completed'",
        )?
        .execute(params![id.0, account.0, since.map(|since| since.0)])?;
    Ok(if changed > 0 {
        Marked::Marked
    } else {
        Marked::Missing
    })
}

pub(super) fn favourites(
    db: &Connection,
    account: AccountId,
    ids: &[GenerationId],
) -> Result<HashSet<GenerationId>> {
    let mut find = db.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM generations INDEXED BY generations_favourite
                        WHERE account = ?1 AND favourite_at IS NOT NULL AND id = ?2)",
    )?;
    let mut found = HashSet::new();
    for id in ids {
        if find.query_row(params![account.0, id.0], |row| row.get(0))? {
            found.insert(*id);
        }
    }
    Ok(found)
}
