//! The erasure of accounts.

use async_trait::async_trait;
use atelier_domain::{AccountId, AuditRecord, GenerationId, Timestamp};
use uuid::Uuid;

use super::{
    PostgresStore, accounts, changes,
    error::Result,
    expiry::forget,
    finish,
    removal::{lock_accounts, release},
    row::get,
    write::{Db, Parameters, durable, execute, fenced, row, rows, write},
};
use crate::{
    End, Erase, ErasedStep, Erasure, ErasureBegun, News,
    erasure::{
        DELIVERIES, ENDED, People, REASON, REASONS, SHELL, SHUT_OUT_AT, SMALL_ROWS, SMALL_ROWS_AT_ONCE,
        UNFINISHED, UPLOADS, elsewhere, people, shell_name,
    },
};

const PEOPLE: People = people!("user_id");

#[async_trait]
impl Erasure for PostgresStore {
    async fn begin_erasure(
        &self,
        account: AccountId,
        now: Timestamp,
        record: AuditRecord,
    ) -> crate::Result<ErasureBegun> {
        write!(self, durable!("begin_erasure"), |db| begin(
            db, account, now, &record
        ))
    }

    async fn erase(&self, step: Erase) -> crate::Result<ErasedStep> {
        let done = write!(self, fenced!("erase"), |db| erase(db, &step))?;
        for id in &done.cancelled {
            self.inner.teller.tell(News::Ended(*id));
        }
        Ok(done)
    }
}

/// A statement that both databases run, with the parameters of this one.
fn ours(sql: &str) -> String {
    sql.replace('?', "$")
}

async fn run(db: &Db, sql: &str, parameters: Parameters<'_>) -> Result<u64> {
    execute(db, &ours(sql), parameters).await
}

async fn begin(db: &Db, account: AccountId, now: Timestamp, record: &AuditRecord) -> Result<ErasureBegun> {
    lock_accounts(db, &[account.0]).await?;
    let sql = "SELECT erasing_at IS NOT NULL FROM accounts WHERE id = $1 AND erased_at IS NULL";
    let Some(found) = row(db, sql, &[&account.0]).await? else {
        return Ok(ErasureBegun::Missing);
    };
    let operators = rows(db, &ours(PEOPLE.operators), &[&account.0]).await?;
    if !operators.is_empty() {
        let logins = operators.iter().map(|found| get(found, 0));
        return Ok(ErasureBegun::Operators(logins.collect::<Result<_>>()?));
    }
    for sql in PEOPLE.shut_out {
        run(db, sql, &[&account.0]).await?;
    }
    for sql in SHUT_OUT_AT {
        run(db, sql, &[&account.0, &now.0]).await?;
    }
    execute(
        db,
        "UPDATE accounts SET erasing_at = coalesce(erasing_at, $2), beta = false, plan_name = NULL, plan_active = NULL,
                             low_balance = NULL, low_since = NULL WHERE id = $1",
        &[&account.0, &now.0],
    )
    .await?;
    if !get::<bool>(&found, 0)? {
        changes::record(db, record).await?;
    }
    Ok(ErasureBegun::Begun)
}

async fn ids(db: &Db, sql: &str, step: &Erase) -> Result<Vec<Uuid>> {
    let found = rows(db, &ours(sql), &[&step.account.0, &i64::from(step.limit)]).await?;
    found.iter().map(|found| get(found, 0)).collect()
}

/// Does what comes next. The last part is reached only if nothing of the others is left.
async fn erase(db: &Db, step: &Erase) -> Result<ErasedStep> {
    // Before the account, as whoever ends them does.
    ids(db, &format!("{UNFINISHED} FOR NO KEY UPDATE"), step).await?;
    lock_accounts(db, &[step.account.0]).await?;
    let few = i64::from(step.limit * SMALL_ROWS_AT_ONCE);
    let mut small = 0;
    for sql in SMALL_ROWS {
        small += run(db, sql, &[&step.account.0, &few]).await?;
    }
    if small > 0 {
        return Ok(ErasedStep::default());
    }
    if let Some(step) = erase_generations(db, step).await? {
        return Ok(step);
    }
    let limit = i64::from(step.limit);
    let uploads = rows(db, &ours(UPLOADS), &[&step.account.0, &limit]).await?;
    if !uploads.is_empty() {
        let files: Vec<String> = uploads.iter().map(|used| get(used, 0)).collect::<Result<_>>()?;
        return Ok(ErasedStep {
            uploads: u32::try_from(uploads.len()).unwrap_or(u32::MAX),
            files: release(db, files, step.now, step.lease_until).await?,
            ..ErasedStep::default()
        });
    }
    let deliveries = ids(db, DELIVERIES, step).await?;
    if !deliveries.is_empty() {
        let sql = "SELECT id FROM deliveries WHERE id = ANY($1) ORDER BY id FOR UPDATE";
        rows(db, sql, &[&deliveries]).await?;
        execute(
            db,
            "DELETE FROM attempts WHERE delivery = ANY($1)",
            &[&deliveries],
        )
        .await?;
        execute(db, "DELETE FROM deliveries WHERE id = ANY($1)", &[&deliveries]).await?;
        return Ok(ErasedStep::default());
    }
    let mut words = 0;
    for sql in [REASONS, PEOPLE.unnamed, PEOPLE.unsigned] {
        words += run(db, sql, &[&step.account.0, &few]).await?;
    }
    if words > 0 {
        return Ok(ErasedStep::default());
    }
    complete(db, step).await
}

/// Removes generations; `None` if there are none. The account is locked.
async fn erase_generations(db: &Db, step: &Erase) -> Result<Option<ErasedStep>> {
    let mut done = ErasedStep::default();
    for id in ids(db, UNFINISHED, step).await? {
        let end = End {
            account: Some(step.account),
            id: GenerationId(id),
            now: step.now,
            epoch: None,
            failure: step.cancel.clone(),
            delivery: None,
            record: None,
        };
        finish::end(db, &end).await?;
        done.cancelled.push(GenerationId(id));
    }
    let mut all: Vec<Uuid> = done.cancelled.iter().map(|id| id.0).collect();
    for sql in ENDED {
        if all.len() < step.limit as usize {
            all.extend(ids(db, sql, step).await?);
        }
    }
    if all.is_empty() {
        return Ok(None);
    }
    all.sort_unstable();
    all.dedup();
    let uses = forget(db, &all).await?;
    done.files = release(db, uses, step.now, step.lease_until).await?;
    done.generations = u32::try_from(all.len()).unwrap_or(u32::MAX);
    Ok(Some(done))
}

/// Removes the users, and what their names are written on.
async fn complete(db: &Db, step: &Erase) -> Result<ErasedStep> {
    let account = step.account;
    for sql in PEOPLE.removed {
        run(db, sql, &[&account.0]).await?;
    }
    let users = execute(db, "DELETE FROM users WHERE account = $1", &[&account.0]).await?;
    accounts::take_all(db, account, REASON, step.now).await?;
    run(db, SHELL, &[&account.0, &step.now.0, &shell_name(account)]).await?;
    changes::record(db, &step.record).await?;
    Ok(ErasedStep {
        users: u32::try_from(users).unwrap_or(u32::MAX),
        is_done: true,
        ..ErasedStep::default()
    })
}
