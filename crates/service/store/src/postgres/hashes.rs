//! Lists of what pictures look like that the policy is about.

use async_trait::async_trait;
use atelier_domain::{AuditRecord, Timestamp};

use super::{
    PostgresStore, changes,
    error::Result,
    row::{get, text},
    write::{Db, execute, fenced, read, rows, snapshot, the_row, write},
};
use crate::{HashList, Hashes, ListedHash, hashes::hash_list};

#[async_trait]
impl Hashes for PostgresStore {
    async fn add_hashes(
        &self,
        list: &str,
        hashes: Vec<ListedHash>,
        imported_at: Timestamp,
    ) -> crate::Result<()> {
        let list = list.to_owned();
        write!(self, fenced!("add_hashes"), |db| add(
            db,
            &list,
            &hashes,
            imported_at
        ))
    }

    async fn complete_hashes(
        &self,
        list: &str,
        imported_at: Timestamp,
        record: AuditRecord,
    ) -> crate::Result<u64> {
        let list = list.to_owned();
        write!(self, fenced!("complete_hashes"), |db| complete(
            db,
            &list,
            imported_at,
            &record
        ))
    }

    async fn remove_hashes(&self, list: &str, record: AuditRecord) -> crate::Result<bool> {
        let list = list.to_owned();
        write!(self, fenced!("remove_hashes"), |db| remove(db, &list, &record))
    }

    async fn hash_lists(&self) -> crate::Result<Vec<HashList>> {
        read!(self, |db| lists(db))
    }

    async fn hashes(&self, list: &str) -> crate::Result<Vec<Vec<u8>>> {
        snapshot!(self, long, |db| hashes(db, list))
    }
}

async fn add(db: &Db, list: &str, hashes: &[ListedHash], imported_at: Timestamp) -> Result<()> {
    // A statement may change a row only once.
    let unique: std::collections::BTreeMap<&[u8], &str> = hashes
        .iter()
        .map(|one| (one.hash.as_slice(), one.note.as_str()))
        .collect();
    let notes: Vec<_> = unique.values().map(|note| text(note)).collect();
    let hashes: Vec<&[u8]> = unique.into_keys().collect();
    execute(
        db,
        "INSERT INTO policy_hashes (list, hash, note, imported_at)
         SELECT $1, t.hash, t.note, $4 FROM unnest($2::bytea[], $3::text[]) AS t (hash, note)
         ON CONFLICT (list, hash) DO UPDATE SET note = excluded.note, imported_at = excluded.imported_at",
        &[&list, &hashes, &notes, &imported_at.0],
    )
    .await?;
    Ok(())
}

async fn complete(db: &Db, list: &str, imported_at: Timestamp, record: &AuditRecord) -> Result<u64> {
    execute(
        db,
        "DELETE FROM policy_hashes WHERE list = $1 AND imported_at <> $2",
        &[&list, &imported_at.0],
    )
    .await?;
    let found = the_row(db, "SELECT count(*) FROM policy_hashes WHERE list = $1", &[&list]).await?;
    let count: i64 = get(&found, 0)?;
    execute(
        db,
        "INSERT INTO policy_hash_lists (name, hashes, imported_at) VALUES ($1, $2, $3)
         ON CONFLICT (name) DO UPDATE SET hashes = excluded.hashes, imported_at = excluded.imported_at",
        &[&list, &count, &imported_at.0],
    )
    .await?;
    changes::record(db, record).await?;
    Ok(count.unsigned_abs())
}

async fn remove(db: &Db, list: &str, record: &AuditRecord) -> Result<bool> {
    let removed = execute(db, "DELETE FROM policy_hash_lists WHERE name = $1", &[&list]).await?;
    // The rows that an incomplete import left go too.
    execute(db, "DELETE FROM policy_hashes WHERE list = $1", &[&list]).await?;
    if removed > 0 {
        changes::record(db, record).await?;
    }
    Ok(removed > 0)
}

async fn lists(db: &Db) -> Result<Vec<HashList>> {
    let found = rows(
        db,
        "SELECT name, hashes, imported_at FROM policy_hash_lists ORDER BY name",
        &[],
    )
    .await?;
    found.iter().map(hash_list).collect()
}

async fn hashes(db: &Db, list: &str) -> Result<Vec<Vec<u8>>> {
    let found = rows(db, "SELECT hash FROM policy_hashes WHERE list = $1", &[&list]).await?;
    found.iter().map(|row| get(row, 0)).collect()
}
