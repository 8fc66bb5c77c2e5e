//! How generations and files leave, whoever wants them to: their owner or retention.

use atelier_domain::{FileName, Timestamp};
use tokio_postgres::Row;
use uuid::Uuid;

use super::{
    admin,
    error::Result,
    row::{get, unreadable},
    write::{Db, execute, rows},
};

/// In the order of their ids.
pub(super) const LOCK_ACCOUNTS: &str =
    "SELECT id FROM accounts WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE";

/// Locks accounts, because days are counted under their locks.
pub(super) async fn lock_accounts(db: &Db, accounts: &[Uuid]) -> Result<()> {
    rows(db, LOCK_ACCOUNTS, &[&accounts]).await?;
    Ok(())
}

/// Removes ended generations, except their entries. Their accounts are locked. Returns the files that they used.
pub(super) async fn remove(db: &Db, ids: &[Uuid]) -> Result<Vec<String>> {
    // No attempt at them may be recorded between the next two statements.
    let sql =
        "SELECT id FROM deliveries WHERE generation = ANY($1) OR about = ANY($1) ORDER BY id FOR UPDATE";
    rows(db, sql, &[&ids]).await?;
    execute(
        db,
        "DELETE FROM attempts t USING deliveries d 
         WHERE d.id = t.delivery AND (d.generation = ANY($1) OR d.about = ANY($1))",
        &[&ids],
    )
    .await?;
    let sql = "DELETE FROM deliveries WHERE generation = ANY($1) OR about = ANY($1)";
    execute(db, sql, &[&ids]).await?;
    execute(
        db,
        "UPDATE usage u SET removed = u.removed + t.gone
         FROM (SELECT account, ended_at / 86400000000 AS day, model,
                      CASE WHEN state = 'completed' THEN 'completed'
                           ELSE coalesce(failure::json ->> 'code', 'generation_failed') END AS outcome,
                      count(*) AS gone
               FROM generations WHERE id = ANY($1) GROUP BY 1, 2, 3, 4) t
         WHERE u.account = t.account AND u.day = t.day AND u.model = t.model AND u.outcome = t.outcome",
        &[&ids],
    )
    .await?;
    execute(db, "DELETE FROM generations WHERE id = ANY($1)", &[&ids]).await?;
    let used = rows(
        db,
        "DELETE FROM file_uses WHERE holder = ANY($1) RETURNING file",
        &[&ids],
    )
    .await?;
    used.iter().map(|used| get(used, 0)).collect()
}

/// Deletes those of these files that nobody uses any more. Their bytes are the caller's to remove until `lease_until`.
pub(super) async fn release(
    db: &Db,
    mut files: Vec<String>,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<Vec<FileName>> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    files.sort_unstable();
    files.dedup();
    let names = files
        .iter()
        .map(|file| file.parse().map_err(|error| unreadable(&error)));
    admin::lock_files(db, &names.collect::<Result<Vec<_>>>()?).await?;
    let sql = "SELECT name FROM files WHERE name = ANY($1) ORDER BY name FOR UPDATE";
    rows(db, sql, &[&files]).await?;
    // Read after the files are locked: every use is committed, or waits and finds that the file is gone.
    let left = rows(
        db,
        "DELETE FROM files f WHERE f.name = ANY($1) AND NOT EXISTS (SELECT 1 FROM file_uses u WHERE u.file = f.name)
         RETURNING f.name",
        &[&files],
    )
    .await?;
    let left: Vec<FileName> = left.iter().map(file_name).collect::<Result<_>>()?;
    let names: Vec<&str> = left.iter().map(FileName::as_str).collect();
    execute(
        db,
        "INSERT INTO deleted_files (name, deleted_at, due_at) SELECT name, $2, $3 FROM unnest($1::text[]) AS t (name)
         ON CONFLICT (name) DO UPDATE SET deleted_at = excluded.deleted_at, due_at = excluded.due_at",
        &[&names, &now.0, &lease_until.0],
    )
    .await?;
    Ok(left)
}

pub(super) fn file_name(found: &Row) -> Result<FileName> {
    let name: &str = get(found, 0)?;
    name.parse().map_err(|error| unreadable(&error))
}
