//! Named collections of results.

use async_trait::async_trait;
use atelier_domain::{AccountId, Collection, CollectionId, GenerationId, Timestamp};
use rusqlite::{Connection, params};

use super::{
    SqliteStore,
    row::{self, one},
    writer::durable,
};
use crate::{
    Collected, Collections, GenerationFilter, MOST_COLLECTED, MOST_COLLECTIONS, Named, Page, PageRequest,
    Result,
    collections::{collection, collection_columns},
    lists::{first, order, start},
    values::generation_columns,
};

#[async_trait]
impl Collections for SqliteStore {
    async fn create_collection(&self, account: AccountId, new: Collection) -> Result<Named> {
        self.writer
            .write(durable!("create_collection"), move |db| create(db, account, &new))
            .await
    }

    async fn collections(&self, account: AccountId) -> Result<Vec<Collection>> {
        self.scan_of(account, move |db| all(db, account)).await
    }

    async fn collection(&self, account: AccountId, id: CollectionId) -> Result<Option<Collection>> {
        self.readers.read(|db| by_id(db, account, id))
    }

    async fn collections_with(
        &self,
        account: AccountId,
        generation: GenerationId,
    ) -> Result<Vec<Collection>> {
        self.readers.read(|db| with(db, account, generation))
    }

    async fn rename_collection(&self, account: AccountId, id: CollectionId, name: String) -> Result<Named> {
        self.writer
            .write(durable!("rename_collection"), move |db| {
                rename(db, account, id, &name)
            })
            .await
    }

    async fn delete_collection(&self, account: AccountId, id: CollectionId) -> Result<bool> {
        self.writer
            .write(durable!("delete_collection"), move |db| delete(db, account, id))
            .await
    }

    async fn collect(
        &self,
        account: AccountId,
        id: CollectionId,
        generations: Vec<GenerationId>,
        now: Timestamp,
    ) -> Result<Collected> {
        self.writer
            .write(durable!("collect"), move |db| {
                collect(db, account, id, &generations, now)
            })
            .await
    }

    async fn uncollect(
        &self,
        account: AccountId,
        id: CollectionId,
        generations: Vec<GenerationId>,
    ) -> Result<Collected> {
        self.writer
            .write(durable!("uncollect"), move |db| {
                uncollect(db, account, id, &generations)
            })
            .await
    }
}

fn all(db: &Connection, account: AccountId) -> Result<Vec<Collection>> {
    const SQL: &str = concat!(
        "SELECT ",
        collection_columns!(),
        " FROM collections c WHERE c.account = ?1 ORDER BY c.name"
    );
    db.prepare_cached(SQL)?
        .query_and_then([account.0], |row| collection(row))?
        .collect()
}

fn by_id(db: &Connection, account: AccountId, id: CollectionId) -> Result<Option<Collection>> {
    const SQL: &str = concat!(
        "SELECT ",
        collection_columns!(),
        " FROM collections c WHERE c.id = ?1 AND c.account = ?2"
    );
    one(db
        .prepare_cached(SQL)?
        .query_and_then(params![id.0, account.0], |row| collection(row))?)
}

fn with(db: &Connection, account: AccountId, generation: GenerationId) -> Result<Vec<Collection>> {
    const SQL: &str = concat!(
        "SELECT ",
        collection_columns!(),
        " FROM collected o JOIN collections c ON c.id = o.collection
          WHERE o.generation = ?1 AND c.account = ?2 ORDER BY c.name"
    );
    db.prepare_cached(SQL)?
        .query_and_then(params![generation.0, account.0], |row| collection(row))?
        .collect()
}

/// Whether another collection of the account has this name.
fn is_taken(db: &Connection, account: AccountId, id: CollectionId, name: &str) -> Result<bool> {
    Ok(db
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM collections WHERE account = ?1 AND name = ?2 AND id <> ?3)",
        )?
        .query_row(params![account.0, name, id.0], |row| row.get(0))?)
}

fn create(db: &Connection, account: AccountId, new: &Collection) -> Result<Named> {
    if is_taken(db, account, new.id, &new.name)? {
        return Ok(Named::Taken);
    }
    let count: u32 = db
        .prepare_cached("SELECT count(*) FROM collections WHERE account = ?1")?
        .query_row([account.0], |row| row.get(0))?;
    if count >= MOST_COLLECTIONS {
        return Ok(Named::Full);
    }
    db.prepare_cached("INSERT INTO collections (id, account, name, created_at) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![new.id.0, account.0, new.name, new.created_at.0])?;
    Ok(Named::Named(new.clone()))
}

fn rename(db: &Connection, account: AccountId, id: CollectionId, name: &str) -> Result<Named> {
    if is_taken(db, account, id, name)? {
        return Ok(Named::Taken);
    }
    db.prepare_cached("UPDATE collections SET name = ?3 WHERE id = ?1 AND account = ?2")?
        .execute(params![id.0, account.0, name])?;
    Ok(by_id(db, account, id)?.map_or(Named::Missing, Named::Named))
}

fn delete(db: &Connection, account: AccountId, id: CollectionId) -> Result<bool> {
    if by_id(db, account, id)?.is_none() {
        return Ok(false);
    }
    db.prepare_cached("DELETE FROM collected WHERE collection = ?1")?
        .execute([id.0])?;
    db.prepare_cached("DELETE FROM collections WHERE id = ?1")?
        .execute([id.0])?;
    Ok(true)
}

fn collect(
    db: &Connection,
    account: AccountId,
    id: CollectionId,
    generations: &[GenerationId],
    now: Timestamp,
) -> Result<Collected> {
    let Some(before) = by_id(db, account, id)? else {
        return Ok(Collected::Missing);
    };
    let mut added = Vec::new();
    for generation in generations {
        let (is_completed, is_there): (bool, bool) = db
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM generations WHERE id = ?1 AND account = ?2 AND state = 'completed'),
                        EXISTS (SELECT 1 FROM collected WHERE collection = ?3 AND generation = ?1)",
            )?
            .query_row(params![generation.0, account.0, id.0], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
        if !is_completed {
            return Ok(Collected::NoGeneration(*generation));
        }
        if !is_there && !added.contains(generation) {
            added.push(*generation);
        }
    }
    let room = MOST_COLLECTED.saturating_sub(before.generations) as usize;
    if added.len() > room {
        return Ok(Collected::Full);
    }
    for generation in added {
        db.prepare_cached("INSERT INTO collected (collection, generation, at) VALUES (?1, ?2, ?3)")?
            .execute(params![id.0, generation.0, now.0])?;
    }
    Ok(by_id(db, account, id)?.map_or(Collected::Missing, Collected::Changed))
}

fn uncollect(
    db: &Connection,
    account: AccountId,
    id: CollectionId,
    generations: &[GenerationId],
) -> Result<Collected> {
    if by_id(db, account, id)?.is_none() {
        return Ok(Collected::Missing);
    }
    for generation in generations {
        db.prepare_cached("DELETE FROM collected WHERE collection = ?1 AND generation = ?2")?
            .execute(params![id.0, generation.0])?;
    }
    Ok(by_id(db, account, id)?.map_or(Collected::Missing, Collected::Changed))
}

/// All of a collection, by the table of its members alone.
pub(super) const COUNT: &str = "SELECT count(*) FROM collected
     WHERE collection = ?1 AND EXISTS (SELECT 1 FROM collections WHERE id = ?1 AND account = ?2)";

/// The generations of a collection that match the other filters too. There are never so many that they could not be
/// looked at one by one.
pub(super) fn listed(
    db: &Connection,
    account: AccountId,
    id: CollectionId,
    filter: &GenerationFilter,
    page: &PageRequest,
) -> Result<Page> {
    const MATCHING: &str = "FROM collected c JOIN generations g ON g.id = c.generation
         WHERE c.collection = ?1 AND g.account = ?2 AND (?3 IS NULL OR g.model = ?3) AND (?4 IS NULL OR g.kind = ?4)
             AND (?5 = 0 OR g.favourite_at IS NOT NULL)";
    let kind = filter.kind.map(atelier_domain::MediaKind::as_str);
    let total: i64 = if filter.model.is_none() && kind.is_none() && !filter.favourite {
        db.prepare_cached(COUNT)?
            .query_row(params![id.0, account.0], |row| row.get(0))?
    } else {
        db.prepare_cached(&format!("SELECT count(*) {MATCHING}"))?
            .query_row(
                params![id.0, account.0, filter.model, kind, filter.favourite],
                |row| row.get(0),
            )?
    };
    let (past, direction) = order(filter);
    let start = start(filter, page);
    let sql = format!(
        "SELECT {} {MATCHING} AND c.generation {past} ?6 ORDER BY c.generation {direction} LIMIT ?7",
        generation_columns!()
    );
    let found = db
        .prepare_cached(&sql)?
        .query_and_then(
            params![
                id.0,
                account.0,
                filter.model,
                kind,
                filter.favourite,
                start,
                i64::from(page.limit) + 1
            ],
            row::generation,
        )?
        .collect::<Result<Vec<_>>>()?;
    let (items, more) = first(found, filter, page.limit);
    Ok(Page {
        items,
        total: total.unsigned_abs(),
        more,
    })
}
