//! Lists of what pictures look like that the policy is about.

use async_trait::async_trait;
use atelier_domain::{AuditRecord, Timestamp};
use rusqlite::{Connection, Row, params};

use super::{SqliteStore, changes, writer::durable};
use crate::{HashList, Hashes, ListedHash, Result, hashes::hash_list};

#[async_trait]
impl Hashes for SqliteStore {
    async fn add_hashes(&self, list: &str, hashes: Vec<ListedHash>, imported_at: Timestamp) -> Result<()> {
        let list = list.to_owned();
        self.writer
            .write(durable!("add_hashes"), move |db| {
                add(db, &list, &hashes, imported_at)
            })
            .await
    }

    async fn complete_hashes(&self, list: &str, imported_at: Timestamp, record: AuditRecord) -> Result<u64> {
        let list = list.to_owned();
        self.writer
            .write(durable!("complete_hashes"), move |db| {
                complete(db, &list, imported_at, &record)
            })
            .await
    }

    async fn remove_hashes(&self, list: &str, record: AuditRecord) -> Result<bool> {
        let list = list.to_owned();
        self.writer
            .write(durable!("remove_hashes"), move |db| remove(db, &list, &record))
            .await
    }

    async fn hash_lists(&self) -> Result<Vec<HashList>> {
        self.readers.read(|db| {
            db.prepare_cached("SELECT name, hashes, imported_at FROM policy_hash_lists ORDER BY name")?
                .query_and_then([], |row: &Row<'_>| hash_list(row))?
                .collect()
        })
    }

    async fn hashes(&self, list: &str) -> Result<Vec<Vec<u8>>> {
        let list = list.to_owned();
        self.scan_long(move |db| {
            Ok(db
                .prepare_cached("SELECT hash FROM policy_hashes WHERE list = ?1")?
                .query_map([&list], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?)
        })
        .await
    }
}

fn add(db: &Connection, list: &str, hashes: &[ListedHash], imported_at: Timestamp) -> Result<()> {
    let mut insert = db.prepare_cached(
        "INSERT INTO policy_hashes (list, hash, note, imported_at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (list, hash) DO UPDATE SET note = excluded.note, imported_at = excluded.imported_at",
    )?;
    for one in hashes {
        insert.execute(params![list, one.hash, one.note, imported_at.0])?;
    }
    Ok(())
}

fn complete(db: &Connection, list: &str, imported_at: Timestamp, record: &AuditRecord) -> Result<u64> {
    db.prepare_cached("DELETE FROM policy_hashes WHERE list = ?1 AND imported_at <> ?2")?
        .execute(params![list, imported_at.0])?;
    let count: i64 = db
        .prepare_cached("SELECT count(*) FROM policy_hashes WHERE list = ?1")?
        .query_row([list], |row| row.get(0))?;
    db.prepare_cached(
        "INSERT INTO policy_hash_lists (name, hashes, imported_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (name) DO UPDATE SET hashes = excluded.hashes, imported_at = excluded.imported_at",
    )?
    .execute(params![list, count, imported_at.0])?;
    changes::record(db, record)?;
    Ok(count.unsigned_abs())
}

fn remove(db: &Connection, list: &str, record: &AuditRecord) -> Result<bool> {
    let removed = db
        .prepare_cached("DELETE FROM policy_hash_lists WHERE name = ?1")?
        .execute([list])?;
    // The rows that an incomplete import left go too.
    db.prepare_cached("DELETE FROM policy_hashes WHERE list = ?1")?
        .execute([list])?;
    if removed > 0 {
        changes::record(db, record)?;
    }
    Ok(removed > 0)
}
