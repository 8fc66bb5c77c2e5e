//! The record of changes: one row per change, written in its transaction.

use atelier_domain::{AccountId, AuditEntry, AuditRecord};

use super::{
    error::Result,
    row::text,
    write::{Db, execute, rows},
};
use crate::values;

pub(super) async fn record(db: &Db, record: &AuditRecord) -> Result<()> {
    execute(
        db,
        "INSERT INTO changes (at, actor, user_id, action, account, object, details)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        &[
            &record.at.0,
            &text(record.actor.name()),
            &record.actor.user().map(|user| user.0),
            &record.action,
            &record.account.map(|account| account.0),
            &text(&record.object),
            &values::to_json(&record.details)?,
        ],
    )
    .await?;
    Ok(())
}

pub(super) async fn list(
    db: &Db,
    account: Option<AccountId>,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<AuditEntry>> {
    let (before, limit) = (before.unwrap_or(i64::MAX), i64::from(limit));
    let found = match account {
        None => {
            rows(
                db,
                "SELECT id, at, actor, user_id, action, account, object, details FROM changes
                 WHERE id < $1 ORDER BY id DESC LIMIT $2",
                &[&before, &limit],
            )
            .await?
        }
        Some(account) => {
            rows(
                db,
                "SELECT id, at, actor, user_id, action, account, object, details FROM changes
                 WHERE account = $3 AND id < $1 ORDER BY id DESC LIMIT $2",
                &[&before, &limit, &account.0],
            )
            .await?
        }
    };
    found.iter().map(values::change).collect()
}

const OF_KIND: &str = "SELECT id, at, actor, user_id, action, account, object, details FROM changes
    WHERE split_part(action, '.', 1) = $1 AND id < $2 ORDER BY id DESC LIMIT $3";
const OF_KIND_AND_ACCOUNT: &str =
    "SELECT id, at, actor, user_id, action, account, object, details FROM changes
    WHERE account = $4 AND split_part(action, '.', 1) = $1 AND id < $2 ORDER BY id DESC LIMIT $3";

/// How the changes of a kind are read.
#[cfg(test)]
pub(super) const BY_KIND: [&str; 2] = [OF_KIND, OF_KIND_AND_ACCOUNT];

/// The changes whose actions have `kind` before the dot.
pub(super) async fn of_kind(
    db: &Db,
    kind: &str,
    account: Option<AccountId>,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<AuditEntry>> {
    let (before, limit, kind) = (before.unwrap_or(i64::MAX), i64::from(limit), text(kind));
    let found = match account {
        None => rows(db, OF_KIND, &[&kind, &before, &limit]).await?,
        Some(account) => rows(db, OF_KIND_AND_ACCOUNT, &[&kind, &before, &limit, &account.0]).await?,
    };
    found.iter().map(values::change).collect()
}
