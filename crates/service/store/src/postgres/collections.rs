//! Named collections of results.

use async_trait::async_trait;
use atelier_domain::{AccountId, Collection, CollectionId, GenerationId, Timestamp};
use uuid::Uuid;

use super::{
    PostgresStore,
    error::Result,
    row::{get, text},
    write::{Db, durable, execute, fenced, read, row, rows, snapshot, the_row, write},
};
use crate::{
    Collected, Collections, GenerationFilter, MOST_COLLECTED, MOST_COLLECTIONS, Named, Page, PageRequest,
    collections::{collection, collection_columns},
    lists::{first, order, start},
    values::{self, generation_columns},
};

#[async_trait]
impl Collections for PostgresStore {
    async fn create_collection(&self, account: AccountId, new: Collection) -> crate::Result<Named> {
        write!(self, fenced!("create_collection"), |db| create(db, account, &new))
    }

    async fn collections(&self, account: AccountId) -> crate::Result<Vec<Collection>> {
        snapshot!(self, of account, |db| all(db, account))
    }

    async fn collection(&self, account: AccountId, id: CollectionId) -> crate::Result<Option<Collection>> {
        read!(self, |db| by_id(db, account, id))
    }

    async fn collections_with(
        &self,
        account: AccountId,
        generation: GenerationId,
    ) -> crate::Result<Vec<Collection>> {
        read!(self, |db| with(db, account, generation))
    }

    async fn rename_collection(
        &self,
        account: AccountId,
        id: CollectionId,
        name: String,
    ) -> crate::Result<Named> {
        write!(self, fenced!("rename_collection"), |db| rename(
            db, account, id, &name
        ))
    }

    async fn delete_collection(&self, account: AccountId, id: CollectionId) -> crate::Result<bool> {
        write!(self, durable!("delete_collection"), |db| delete(db, account, id))
    }

    async fn collect(
        &self,
        account: AccountId,
        id: CollectionId,
        generations: Vec<GenerationId>,
        now: Timestamp,
    ) -> crate::Result<Collected> {
        write!(self, fenced!("collect"), |db| collect(
            db,
            account,
            id,
            &generations,
            now
        ))
    }

    async fn uncollect(
        &self,
        account: AccountId,
        id: CollectionId,
        generations: Vec<GenerationId>,
    ) -> crate::Result<Collected> {
        write!(self, fenced!("uncollect"), |db| uncollect(
            db,
            account,
            id,
            &generations
        ))
    }
}

async fn all(db: &Db, account: AccountId) -> Result<Vec<Collection>> {
    const SQL: &str = concat!(
        "SELECT ",
        collection_columns!(),
        " FROM collections c WHERE c.account = $1 ORDER BY c.name"
    );
    let found = rows(db, SQL, &[&account.0]).await?;
    found.iter().map(collection).collect()
}

async fn by_id(db: &Db, account: AccountId, id: CollectionId) -> Result<Option<Collection>> {
    const SQL: &str = concat!(
        "SELECT ",
        collection_columns!(),
        " FROM collections c WHERE c.id = $1 AND c.account = $2"
    );
    let found = row(db, SQL, &[&id.0, &account.0]).await?;
    found.as_ref().map(collection).transpose()
}

async fn with(db: &Db, account: AccountId, generation: GenerationId) -> Result<Vec<Collection>> {
    const SQL: &str = concat!(
        "SELECT ",
        collection_columns!(),
        " FROM collected o JOIN collections c ON c.id = o.collection
          WHERE o.generation = $1 AND c.account = $2 ORDER BY c.name"
    );
    let found = rows(db, SQL, &[&generation.0, &account.0]).await?;
    found.iter().map(collection).collect()
}

/// The collections of an account are named one after the other.
async fn lock_account(db: &Db, account: AccountId) -> Result<()> {
    let sql = "SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE";
    row(db, sql, &[&account.0]).await?;
    Ok(())
}

/// Locks a collection, so that its contents change one after the other. False if the account has no such collection.
async fn lock(db: &Db, account: AccountId, id: CollectionId) -> Result<bool> {
    let sql = "SELECT id FROM collections WHERE id = $1 AND account = $2 FOR UPDATE";
    Ok(row(db, sql, &[&id.0, &account.0]).await?.is_some())
}

/// Whether another collection of the account has this name.
async fn is_taken(db: &Db, account: AccountId, id: CollectionId, name: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM collections WHERE account = $1 AND name = $2 AND id <> $3)";
    get(&the_row(db, sql, &[&account.0, &text(name), &id.0]).await?, 0)
}

async fn create(db: &Db, account: AccountId, new: &Collection) -> Result<Named> {
    lock_account(db, account).await?;
    // A repeated try finds what the first one wrote.
    if let Some(there) = by_id(db, account, new.id).await? {
        return Ok(Named::Named(there));
    }
    if is_taken(db, account, new.id, &new.name).await? {
        return Ok(Named::Taken);
    }
    let sql = "SELECT count(*) FROM collections WHERE account = $1";
    let count: i64 = get(&the_row(db, sql, &[&account.0]).await?, 0)?;
    if count >= i64::from(MOST_COLLECTIONS) {
        return Ok(Named::Full);
    }
    let sql = "INSERT INTO collections (id, account, name, created_at) VALUES ($1, $2, $3, $4)";
    execute(
        db,
        sql,
        &[&new.id.0, &account.0, &text(&new.name), &new.created_at.0],
    )
    .await?;
    Ok(Named::Named(new.clone()))
}

async fn rename(db: &Db, account: AccountId, id: CollectionId, name: &str) -> Result<Named> {
    lock_account(db, account).await?;
    if is_taken(db, account, id, name).await? {
        return Ok(Named::Taken);
    }
    let sql = "UPDATE collections SET name = $3 WHERE id = $1 AND account = $2";
    execute(db, sql, &[&id.0, &account.0, &text(name)]).await?;
    let renamed = by_id(db, account, id).await?;
    Ok(renamed.map_or(Named::Missing, Named::Named))
}

async fn delete(db: &Db, account: AccountId, id: CollectionId) -> Result<bool> {
    if !lock(db, account, id).await? {
        return Ok(false);
    }
    execute(db, "DELETE FROM collected WHERE collection = $1", &[&id.0]).await?;
    execute(db, "DELETE FROM collections WHERE id = $1", &[&id.0]).await?;
    Ok(true)
}

async fn collect(
    db: &Db,
    account: AccountId,
    id: CollectionId,
    generations: &[GenerationId],
    now: Timestamp,
) -> Result<Collected> {
    if !lock(db, account, id).await? {
        return Ok(Collected::Missing);
    }
    let mut ids: Vec<Uuid> = generations.iter().map(|id| id.0).collect();
    ids.sort_unstable();
    ids.dedup();
    // A generation that is being deleted is waited for, and one that is found stays until this is written.
    let completed = rows(
        db,
        "SELECT id FROM generations WHERE id = ANY($1) AND account = $2 AND state = 'completed'
         ORDER BY id FOR KEY SHARE",
        &[&ids, &account.0],
    )
    .await?;
    let completed = completed.iter().map(|found| get(found, 0));
    let completed = completed.collect::<Result<Vec<Uuid>>>()?;
    if let Some(missing) = ids.iter().find(|id| !completed.contains(id)) {
        return Ok(Collected::NoGeneration(GenerationId(*missing)));
    }
    let sql = "SELECT count(*) FROM collected WHERE collection = $1 AND generation <> ALL($2)";
    let others: i64 = get(&the_row(db, sql, &[&id.0, &ids]).await?, 0)?;
    if others + ids.len() as i64 > i64::from(MOST_COLLECTED) {
        return Ok(Collected::Full);
    }
    let sql = "INSERT INTO collected (collection, generation, at) SELECT $1, unnest($2::uuid[]), $3
               ON CONFLICT DO NOTHING";
    execute(db, sql, &[&id.0, &ids, &now.0]).await?;
    let changed = by_id(db, account, id).await?;
    Ok(changed.map_or(Collected::Missing, Collected::Changed))
}

async fn uncollect(
    db: &Db,
    account: AccountId,
    id: CollectionId,
    generations: &[GenerationId],
) -> Result<Collected> {
    if !lock(db, account, id).await? {
        return Ok(Collected::Missing);
    }
    let ids: Vec<Uuid> = generations.iter().map(|id| id.0).collect();
    let sql = "DELETE FROM collected WHERE collection = $1 AND generation = ANY($2)";
    execute(db, sql, &[&id.0, &ids]).await?;
    let changed = by_id(db, account, id).await?;
    Ok(changed.map_or(Collected::Missing, Collected::Changed))
}

/// All of a collection, by the table of its members alone.
pub(super) const COUNT: &str = "SELECT count(*) FROM collected
     WHERE collection = $1 AND EXISTS (SELECT 1 FROM collections WHERE id = $1 AND account = $2)";

/// The generations of a collection that match the other filters too. There are never so many that they could not be
/// looked at one by one.
pub(super) async fn listed(
    db: &Db,
    account: AccountId,
    id: CollectionId,
    filter: &GenerationFilter,
    page: &PageRequest,
) -> Result<Page> {
    const MATCHING: &str = "FROM collected c JOIN generations g ON g.id = c.generation
         WHERE c.collection = $1 AND g.account = $2 AND ($3::text IS NULL OR g.model = $3)
             AND ($4::text IS NULL OR g.kind = $4) AND (NOT $5::boolean OR g.favourite_at IS NOT NULL)";
    let model = filter.model.as_deref().map(text);
    let kind = filter.kind.map(atelier_domain::MediaKind::as_str);
    let total = if model.is_none() && kind.is_none() && !filter.favourite {
        the_row(db, COUNT, &[&id.0, &account.0]).await?
    } else {
        let count = format!("SELECT count(*) {MATCHING}");
        the_row(db, &count, &[&id.0, &account.0, &model, &kind, &filter.favourite]).await?
    };
    let (past, direction) = order(filter);
    let start = start(filter, page);
    let one_more = i64::from(page.limit) + 1;
    let list = format!(
        "SELECT {} {MATCHING} AND c.generation {past} $6 ORDER BY c.generation {direction} LIMIT $7",
        generation_columns!()
    );
    let found = rows(
        db,
        &list,
        &[
            &id.0,
            &account.0,
            &model,
            &kind,
            &filter.favourite,
            &start,
            &one_more,
        ],
    )
    .await?;
    let found = found.iter().map(values::generation);
    let (items, more) = first(found.collect::<Result<_>>()?, filter, page.limit);
    Ok(Page {
        items,
        total: get::<i64>(&total, 0)?.unsigned_abs(),
        more,
    })
}
