//! Retention: what gets too old, a few rows at a time.

use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::{
    error::Result,
    removal::{lock_accounts, release, remove},
    row::get,
    write::{Db, execute, rows},
};
use crate::{
    Expire, Expired, ExpiredStep,
    history::{
        Candidate, JOBS, JOBS_OF_ONE, LOOKED_AT, MEDIA, NOT_WAITING, REQUESTS_AT_ONCE, UPLOADS,
        UPLOADS_OF_ONE, chosen, first_id,
    },
};

pub(super) async fn expire(db: &Db, step: &Expire) -> Result<ExpiredStep> {
    match step.what {
        Expired::Jobs => expire_jobs(db, step).await,
        Expired::Media => expire_media(db, step).await,
        Expired::Uploads => expire_uploads(db, step).await,
        Expired::DeliveryBodies => expire_bodies(db, step).await,
        Expired::Requests => expire_rows(db, step, "requests", "TRUE").await,
        Expired::Decisions => expire_rows(db, step, "policy_decisions", NOT_WAITING).await,
    }
}

/// The ids that go by a query for candidates, and where the next step begins.
async fn candidates(db: &Db, sql: &str, step: &Expire) -> Result<(Vec<Uuid>, Option<Uuid>)> {
    let (young, limit) = (first_id(step.before), i64::from(step.limit * LOOKED_AT));
    let account = step.account.map(|account| account.0);
    let mut parameters: Vec<&(dyn ToSql + Sync)> = vec![&step.after, &young, &limit];
    parameters.extend(account.as_ref().map(|account| -> &(dyn ToSql + Sync) { account }));
    let found = rows(db, &sql.replace('?', "$"), &parameters).await?;
    let found: Vec<Candidate> = found
        .iter()
        .map(|found| Ok((get(found, 0)?, get(found, 1)?)))
        .collect::<Result<_>>()?;
    Ok(chosen(&found, step))
}

/// The ids that a query finds for a step.
async fn found(db: &Db, sql: &str, step: &Expire) -> Result<Vec<Uuid>> {
    let limit = i64::from(step.limit);
    let found = rows(db, sql, &[&step.after, &first_id(step.before), &limit]).await?;
    found.iter().map(|found| get(found, 0)).collect()
}

/// Returns the start of the next step, after these ids.
fn next(ids: &[Uuid], limit: u32) -> Option<Uuid> {
    ids.last().copied().filter(|_| ids.len() >= limit as usize)
}

fn counted(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

async fn expire_jobs(db: &Db, step: &Expire) -> Result<ExpiredStep> {
    let sql = if step.account.is_some() { JOBS_OF_ONE } else { JOBS };
    let (ids, next) = candidates(db, sql, step).await?;
    if ids.is_empty() {
        return Ok(ExpiredStep {
            next,
            ..ExpiredStep::default()
        });
    }
    let owners = rows(
        db,
        "SELECT DISTINCT account FROM (SELECT account FROM generations WHERE id = ANY($1)
             UNION ALL SELECT account FROM deleted_generations WHERE id = ANY($1)) t",
        &[&ids],
    )
    .await?;
    let owners: Vec<Uuid> = owners.iter().map(|owner| get(owner, 0)).collect::<Result<_>>()?;
    lock_accounts(db, &owners).await?;
    let uses = forget(db, &ids).await?;
    Ok(ExpiredStep {
        removed: counted(ids.len()),
        files: release(db, uses, step.now, step.lease_until).await?,
        next,
    })
}

/// Removes generations that have ended or were deleted, and folds their entries. Their accounts are locked. Returns the
/// files that they used.
pub(super) async fn forget(db: &Db, ids: &[Uuid]) -> Result<Vec<String>> {
    let sql = "SELECT id FROM generations WHERE id = ANY($1) ORDER BY id FOR UPDATE";
    rows(db, sql, &[&ids]).await?;
    execute(db, "DELETE FROM deleted_generations WHERE id = ANY($1)", &[&ids]).await?;
    let uses = remove(db, ids).await?;
    // Two statements, one for each partial index of the ledger. Triggers keep the sums.
    for kinds in ["kind = 'hold'", "kind IN ('settle', 'release')"] {
        let sql = format!("DELETE FROM entries WHERE generation = ANY($1) AND {kinds}");
        execute(db, &sql, &[&ids]).await?;
    }
    Ok(uses)
}

async fn expire_media(db: &Db, step: &Expire) -> Result<ExpiredStep> {
    let (ids, next) = candidates(db, MEDIA, step).await?;
    let sql = "DELETE FROM file_uses WHERE holder = ANY($1) RETURNING file";
    let uses = rows(db, sql, &[&ids]).await?;
    let uses: Vec<String> = uses.iter().map(|used| get(used, 0)).collect::<Result<_>>()?;
    Ok(ExpiredStep {
        removed: counted(uses.len()),
        files: release(db, uses, step.now, step.lease_until).await?,
        next,
    })
}

async fn expire_uploads(db: &Db, step: &Expire) -> Result<ExpiredStep> {
    let (limit, account) = (i64::from(step.limit), step.account.map(|account| account.0));
    let mut parameters: Vec<&(dyn ToSql + Sync)> = vec![&step.before.0, &limit];
    parameters.extend(account.as_ref().map(|account| -> &(dyn ToSql + Sync) { account }));
    let which = if account.is_some() {
        UPLOADS_OF_ONE
    } else {
        UPLOADS
    };
    let sql = format!(
        "DELETE FROM file_uses WHERE (holder, file) IN ({} FOR UPDATE SKIP LOCKED) RETURNING file",
        which.replace('?', "$")
    );
    let uses = rows(db, &sql, &parameters).await?;
    let uses: Vec<String> = uses.iter().map(|used| get(used, 0)).collect::<Result<_>>()?;
    let is_full = uses.len() >= step.limit as usize;
    Ok(ExpiredStep {
        removed: counted(uses.len()),
        files: release(db, uses, step.now, step.lease_until).await?,
        next: is_full.then_some(step.after),
    })
}

/// Looks at a few deliveries, whether they have a body or not: emptied ones stay, and there may be many.
async fn expire_bodies(db: &Db, step: &Expire) -> Result<ExpiredStep> {
    let ids = found(
        db,
        "SELECT id FROM deliveries WHERE id > $1 AND id < $2 ORDER BY id LIMIT $3",
        step,
    )
    .await?;
    let emptied = rows(
        db,
        "UPDATE deliveries SET body = '' WHERE id = ANY($1) AND ended_at IS NOT NULL AND length(body) > 0
         RETURNING id",
        &[&ids],
    )
    .await?;
    let emptied: Vec<Uuid> = emptied.iter().map(|row| get(row, 0)).collect::<Result<_>>()?;
    let sql = "UPDATE attempts SET response = NULL WHERE delivery = ANY($1) AND response IS NOT NULL";
    execute(db, sql, &[&emptied]).await?;
    Ok(ExpiredStep {
        removed: counted(emptied.len()),
        files: Vec::new(),
        next: next(&ids, step.limit),
    })
}

/// Removes small rows of a table.
async fn expire_rows(db: &Db, step: &Expire, table: &str, which: &str) -> Result<ExpiredStep> {
    let most = step.limit * REQUESTS_AT_ONCE;
    let removed = execute(
        db,
        &format!(
            "DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE id < $1 AND ({which}) ORDER BY id LIMIT $2)"
        ),
        &[&first_id(step.before), &i64::from(most)],
    )
    .await?;
    let removed = u32::try_from(removed).unwrap_or(u32::MAX);
    Ok(ExpiredStep {
        removed,
        files: Vec::new(),
        next: (removed >= most).then_some(step.after),
    })
}
