//! How generations and files leave, whoever wants them to: their owner or retention.

use atelier_domain::{FileName, Timestamp};
use rusqlite::{Connection, params};
use uuid::Uuid;

use crate::{Result, values::unreadable};

/// Removes an ended generation, except its entries. Returns the files that went with it.
pub(super) fn remove(
    db: &Connection,
    id: Uuid,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<Vec<FileName>> {
    db.prepare_cached(
        "DELETE FROM attempts WHERE delivery IN (SELECT id FROM deliveries
                                                WHERE generation = ?1 OR about = ?1)",
    )?
    .execute([id])?;
    db.prepare_cached("DELETE FROM deliveries WHERE generation = ?1 OR about = ?1")?
        .execute([id])?;
    db.prepare_cached(
        "UPDATE usage SET removed = removed + 1 WHERE (account, day, model, outcome) IN (
             SELECT account, ended_at / 86400000000, model,
                    iif(state = 'completed', 'completed',
                        coalesce(json_extract(failure, '$.code'), 'generation_failed'))
             FROM generations WHERE id = ?1)",
    )?
    .execute([id])?;
    db.prepare_cached("DELETE FROM generations WHERE id = ?1")?
        .execute([id])?;
    let files: Vec<String> = db
        .prepare_cached("DELETE FROM file_uses WHERE holder = ?1 RETURNING file")?
        .query_map([id], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    release(db, files, now, lease_until)
}

/// Deletes those of these files that nobody uses any more. Their bytes are the caller's to remove until `lease_until`.
pub(super) fn release(
    db: &Connection,
    files: Vec<String>,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<Vec<FileName>> {
    let mut leaving = Vec::new();
    for file in files {
        let gone = db
            .prepare_cached(
                "DELETE FROM files WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM file_uses WHERE file = ?1)",
            )?
            .execute([&file])?;
        if gone == 0 {
            continue;
        }
        db.prepare_cached(
            "INSERT OR REPLACE INTO deleted_files (name, deleted_at, due_at) VALUES (?1, ?2, ?3)",
        )?
        .execute(params![file, now.0, lease_until.0])?;
        leaving.push(file.parse().map_err(unreadable)?);
    }
    Ok(leaving)
}
