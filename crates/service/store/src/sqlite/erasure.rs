//! The erasure of accounts.

use async_trait::async_trait;
use atelier_domain::{AccountId, AuditRecord, GenerationId, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use super::{SqliteStore, accounts, changes, expiry, finish, removal::release, writer::durable};
use crate::{
    End, Erase, ErasedStep, Erasure, ErasureBegun, Result,
    erasure::{
        DELIVERIES, ENDED, People, REASON, REASONS, SHELL, SHUT_OUT_AT, SMALL_ROWS, SMALL_ROWS_AT_ONCE,
        UNFINISHED, UPLOADS, elsewhere, people, shell_name,
    },
};

const PEOPLE: People = people!("user");

#[async_trait]
impl Erasure for SqliteStore {
    async fn begin_erasure(
        &self,
        account: AccountId,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<ErasureBegun> {
        self.writer
            .write(durable!("begin_erasure"), move |db| {
                begin(db, account, now, &record)
            })
            .await
    }

    async fn erase(&self, step: Erase) -> Result<ErasedStep> {
        self.writer
            .write(durable!("erase"), move |db| erase(db, &step))
            .await
    }
}

fn begin(db: &Connection, account: AccountId, now: Timestamp, record: &AuditRecord) -> Result<ErasureBegun> {
    let begun: Option<bool> = db
        .prepare_cached("SELECT erasing_at IS NOT NULL FROM accounts WHERE id = ?1 AND erased_at IS NULL")?
        .query_row([account.0], |row| row.get(0))
        .optional()?;
    let Some(begun) = begun else {
        return Ok(ErasureBegun::Missing);
    };
    let operators: Vec<String> = db
        .prepare(PEOPLE.operators)?
        .query_map([account.0], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    if !operators.is_empty() {
        return Ok(ErasureBegun::Operators(operators));
    }
    for sql in PEOPLE.shut_out {
        db.prepare(sql)?.execute([account.0])?;
    }
    for sql in SHUT_OUT_AT {
        db.prepare(sql)?.execute(params![account.0, now.0])?;
    }
    db.prepare(
        "UPDATE accounts SET erasing_at = coalesce(erasing_at, ?2), beta = 0, plan_name = NULL, plan_active = NULL,
                             low_balance = NULL, low_since = NULL WHERE id = ?1",
    )?
    .execute(params![account.0, now.0])?;
    if !begun {
        changes::record(db, record)?;
    }
    Ok(ErasureBegun::Begun)
}

fn ids(db: &Connection, sql: &str, step: &Erase) -> Result<Vec<Uuid>> {
    let ids = db
        .prepare_cached(sql)?
        .query_map(params![step.account.0, step.limit], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(ids)
}

/// Does what comes next. The last part is reached only if nothing of the others is left.
fn erase(db: &Connection, step: &Erase) -> Result<ErasedStep> {
    let rows = step.limit * SMALL_ROWS_AT_ONCE;
    let few =
        |sql: &str| -> Result<usize> { Ok(db.prepare_cached(sql)?.execute(params![step.account.0, rows])?) };
    let small: usize = SMALL_ROWS.iter().map(|sql| few(sql)).sum::<Result<_>>()?;
    if small > 0 {
        return Ok(ErasedStep::default());
    }
    if let Some(step) = erase_generations(db, step)? {
        return Ok(step);
    }
    let uploads: Vec<String> = db
        .prepare_cached(UPLOADS)?
        .query_map(params![step.account.0, step.limit], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    if !uploads.is_empty() {
        return Ok(ErasedStep {
            uploads: u32::try_from(uploads.len()).unwrap_or(u32::MAX),
            files: release(db, uploads, step.now, step.lease_until)?,
            ..ErasedStep::default()
        });
    }
    let deliveries = ids(db, DELIVERIES, step)?;
    for id in &deliveries {
        db.prepare_cached("DELETE FROM attempts WHERE delivery = ?1")?
            .execute([id])?;
        db.prepare_cached("DELETE FROM deliveries WHERE id = ?1")?
            .execute([id])?;
    }
    if !deliveries.is_empty() || few(REASONS)? + few(PEOPLE.unnamed)? + few(PEOPLE.unsigned)? > 0 {
        return Ok(ErasedStep::default());
    }
    complete(db, step)
}

/// Removes generations; `None` if there are none.
fn erase_generations(db: &Connection, step: &Erase) -> Result<Option<ErasedStep>> {
    let mut done = ErasedStep::default();
    for id in ids(db, UNFINISHED, step)? {
        let end = End {
            account: Some(step.account),
            id: GenerationId(id),
            now: step.now,
            epoch: None,
            failure: step.cancel.clone(),
            delivery: None,
            record: None,
        };
        finish::end(db, &end)?;
        done.cancelled.push(GenerationId(id));
    }
    let mut all: Vec<Uuid> = done.cancelled.iter().map(|id| id.0).collect();
    for sql in ENDED {
        if all.len() < step.limit as usize {
            all.extend(ids(db, sql, step)?);
        }
    }
    if all.is_empty() {
        return Ok(None);
    }
    all.sort_unstable();
    all.dedup();
    for id in &all {
        done.files
            .extend(expiry::forget(db, *id, step.now, step.lease_until)?);
    }
    done.generations = u32::try_from(all.len()).unwrap_or(u32::MAX);
    Ok(Some(done))
}

/// Removes the users, and what their names are written on.
fn complete(db: &Connection, step: &Erase) -> Result<ErasedStep> {
    let account = step.account;
    for sql in PEOPLE.removed {
        db.prepare(sql)?.execute([account.0])?;
    }
    let users = db
        .prepare("DELETE FROM users WHERE account = ?1")?
        .execute([account.0])?;
    accounts::take_all(db, account, REASON, step.now)?;
    db.prepare(SHELL)?
        .execute(params![account.0, step.now.0, shell_name(account)])?;
    changes::record(db, &step.record)?;
    Ok(ErasedStep {
        users: u32::try_from(users).unwrap_or(u32::MAX),
        is_done: true,
        ..ErasedStep::default()
    })
}
