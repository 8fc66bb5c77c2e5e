//! Retention: what gets too old, a few rows at a time.

use atelier_domain::{FileName, Timestamp};
use rusqlite::{Connection, ToSql, params};
use uuid::Uuid;

use super::removal::{release, remove};
use crate::{
    Expire, Expired, ExpiredStep, Result,
    history::{
        JOBS, JOBS_OF_ONE, LOOKED_AT, MEDIA, NOT_WAITING, REQUESTS_AT_ONCE, UPLOADS, UPLOADS_OF_ONE, chosen,
        first_id,
    },
};

pub(super) fn expire(db: &Connection, step: &Expire) -> Result<ExpiredStep> {
    match step.what {
        Expired::Jobs => expire_jobs(db, step),
        Expired::Media => expire_media(db, step),
        Expired::Uploads => expire_uploads(db, step),
        Expired::DeliveryBodies => expire_bodies(db, step),
        Expired::Requests => expire_rows(db, step, "requests", "TRUE"),
        Expired::Decisions => expire_rows(db, step, "policy_decisions", NOT_WAITING),
    }
}

/// The ids that go by a query for candidates, and where the next step begins.
fn candidates(db: &Connection, sql: &str, step: &Expire) -> Result<(Vec<Uuid>, Option<Uuid>)> {
    let (after, young, rows) = (step.after, first_id(step.before), step.limit * LOOKED_AT);
    let account = step.account.map(|account| account.0);
    let mut parameters: Vec<&dyn ToSql> = vec![&after, &young, &rows];
    parameters.extend(account.as_ref().map(|account| -> &dyn ToSql { account }));
    let found = db
        .prepare_cached(sql)?
        .query_map(parameters.as_slice(), |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(chosen(&found, step))
}

/// The ids that a query finds for a step.
fn found(db: &Connection, sql: &str, step: &Expire) -> Result<Vec<Uuid>> {
    let ids = db
        .prepare_cached(sql)?
        .query_map(params![step.after, first_id(step.before), step.limit], |row| {
            row.get(0)
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(ids)
}

/// Returns the start of the next step, after these ids.
fn next(ids: &[Uuid], limit: u32) -> Option<Uuid> {
    ids.last().copied().filter(|_| ids.len() >= limit as usize)
}

fn expire_jobs(db: &Connection, step: &Expire) -> Result<ExpiredStep> {
    let sql = if step.account.is_some() { JOBS_OF_ONE } else { JOBS };
    let (ids, next) = candidates(db, sql, step)?;
    let mut files = Vec::new();
    for id in &ids {
        files.extend(forget(db, *id, step.now, step.lease_until)?);
    }
    Ok(ExpiredStep {
        removed: u32::try_from(ids.len()).unwrap_or(u32::MAX),
        files,
        next,
    })
}

/// Removes a generation that has ended or was deleted, and folds its entries. Returns the files that went with it.
pub(super) fn forget(
    db: &Connection,
    id: Uuid,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<Vec<FileName>> {
    let kept = db
        .prepare_cached("DELETE FROM deleted_generations WHERE id = ?1")?
        .execute([id])?;
    let files = if kept == 0 {
        remove(db, id, now, lease_until)?
    } else {
        Vec::new()
    };
    // Two statements, one for each partial index of the ledger. Triggers keep the sums.
    for kinds in ["kind = 'hold'", "kind IN ('settle', 'release')"] {
        db.prepare_cached(&format!("DELETE FROM entries WHERE generation = ?1 AND {kinds}"))?
            .execute([id])?;
    }
    Ok(files)
}

fn expire_media(db: &Connection, step: &Expire) -> Result<ExpiredStep> {
    let (ids, next) = candidates(db, MEDIA, step)?;
    let mut uses = Vec::new();
    for id in &ids {
        let of_one = db
            .prepare_cached("DELETE FROM file_uses WHERE holder = ?1 RETURNING file")?
            .query_map([id], |row| row.get(0))?
            .collect::<rusqlite::Result<Vec<String>>>()?;
        uses.extend(of_one);
    }
    Ok(ExpiredStep {
        removed: u32::try_from(uses.len()).unwrap_or(u32::MAX),
        files: release(db, uses, step.now, step.lease_until)?,
        next,
    })
}

fn expire_uploads(db: &Connection, step: &Expire) -> Result<ExpiredStep> {
    let account = step.account.map(|account| account.0);
    let mut parameters: Vec<&dyn ToSql> = vec![&step.before.0, &step.limit];
    parameters.extend(account.as_ref().map(|account| -> &dyn ToSql { account }));
    let which = if account.is_some() {
        UPLOADS_OF_ONE
    } else {
        UPLOADS
    };
    let uses: Vec<String> = db
        .prepare_cached(&format!(
            "DELETE FROM file_uses WHERE (holder, file) IN ({which}) RETURNING file"
        ))?
        .query_map(parameters.as_slice(), |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let is_full = uses.len() >= step.limit as usize;
    Ok(ExpiredStep {
        removed: u32::try_from(uses.len()).unwrap_or(u32::MAX),
        files: release(db, uses, step.now, step.lease_until)?,
        next: is_full.then_some(step.after),
    })
}

/// Looks at a few deliveries, whether they have a body or not: emptied ones stay, and there may be many.
fn expire_bodies(db: &Connection, step: &Expire) -> Result<ExpiredStep> {
    let ids = found(
        db,
        "SELECT id FROM deliveries WHERE id > ?1 AND id < ?2 ORDER BY id LIMIT ?3",
        step,
    )?;
    let mut removed = 0;
    for id in &ids {
        let emptied = db
            .prepare_cached(
                "UPDATE deliveries SET body = x'' WHERE id = ?1 AND ended_at IS NOT NULL AND length(body) > 0",
            )?
            .execute([id])?;
        if emptied > 0 {
            removed += 1;
            db.prepare_cached("UPDATE attempts SET response = NULL WHERE delivery = ?1")?
                .execute([id])?;
        }
    }
    Ok(ExpiredStep {
        removed,
        files: Vec::new(),
        next: next(&ids, step.limit),
    })
}

/// Removes small rows of a table.
fn expire_rows(db: &Connection, step: &Expire, table: &str, which: &str) -> Result<ExpiredStep> {
    let most = step.limit * REQUESTS_AT_ONCE;
    let removed = db
        .prepare_cached(&format!(
            "DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE id < ?1 AND ({which}) ORDER BY id LIMIT ?2)"
        ))?
        .execute(params![first_id(step.before), most])?;
    let removed = u32::try_from(removed).unwrap_or(u32::MAX);
    Ok(ExpiredStep {
        removed,
        files: Vec::new(),
        next: (removed >= most).then_some(step.after),
    })
}
