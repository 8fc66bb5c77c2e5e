//! The record of changes: one row per change, written in its transaction.

use atelier_domain::{AccountId, AuditEntry, AuditRecord};
use rusqlite::{Connection, params};

use super::row;
use crate::{Result, values::to_json};

pub(super) fn record(db: &Connection, record: &AuditRecord) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO changes (at, actor, user, action, account, object, details)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        record.at.0,
        record.actor.name(),
        record.actor.user().map(|user| user.0),
        record.action,
        record.account.map(|account| account.0),
        record.object,
        to_json(&record.details)?,
    ])?;
    Ok(())
}

pub(super) fn list(
    db: &Connection,
    account: Option<AccountId>,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<AuditEntry>> {
    let before = before.unwrap_or(i64::MAX);
    match account {
        None => db
            .prepare_cached(
                "SELECT id, at, actor, user, action, account, object, details FROM changes
                 WHERE id < ?1 ORDER BY id DESC LIMIT ?2",
            )?
            .query_and_then(params![before, limit], row::change)?
            .collect(),
        Some(account) => db
            .prepare_cached(
                "SELECT id, at, actor, user, action, account, object, details FROM changes
                 WHERE account = ?3 AND id < ?1 ORDER BY id DESC LIMIT ?2",
            )?
            .query_and_then(params![before, limit, account.0], row::change)?
            .collect(),
    }
}

/// The changes whose actions have `kind` before the dot.
pub(super) fn of_kind(
    db: &Connection,
    kind: &str,
    account: Option<AccountId>,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<AuditEntry>> {
    macro_rules! list {
        ($index:literal, $filter:literal) => {
            concat!(
                "SELECT id, at, actor, user, action, account, object, details FROM changes INDEXED BY ",
                $index,
                " WHERE substr(action, 1, instr(action, '.') - 1) = ?1 AND id < ?2 ",
                $filter,
                " ORDER BY id DESC LIMIT ?3"
            )
        };
    }
    let before = before.unwrap_or(i64::MAX);
    match account {
        None => db
            .prepare_cached(list!("changes_by_kind", ""))?
            .query_and_then(params![kind, before, limit], row::change)?
            .collect(),
        Some(account) => db
            .prepare_cached(list!("changes_by_account_and_kind", "AND account = ?4"))?
            .query_and_then(params![kind, before, limit, account.0], row::change)?
            .collect(),
    }
}
