//! Keys with limits, and the credits that count against limits.

use atelier_domain::{AccountId, AuditRecord, KeyChange, KeyId, KeyLimits, KeyRecord, Timestamp};
use rusqlite::{Connection, params};
use uuid::Uuid;

use super::{
    changes,
    row::{self, one},
};
use crate::{
    KeySpending, KeyUse, NewKeyText, Result,
    keys::{Budgets, first_id},
    values::{key_columns, to_json},
};

/// The generations of account ?1 that were accepted since ?3, the time of the id ?2: key, time and credits.
macro_rules! accepted_since {
    () => {
        "SELECT key, created_at, charged AS credits FROM generations INDEXED BY generations_completed
         WHERE account = ?1 AND state = 'completed' AND id >= ?2 AND created_at >= ?3
         UNION ALL
         SELECT key, created_at, 0 FROM generations INDEXED BY generations_failed
         WHERE account = ?1 AND state = 'failed' AND id >= ?2 AND created_at >= ?3
         UNION ALL
         SELECT key, created_at, hold FROM generations INDEXED BY generations_unfinished_by_account
         WHERE account = ?1 AND ended_at IS NULL AND id >= ?2 AND created_at >= ?3"
    };
}

/// How limits are stored: nothing if there are none.
pub(super) fn stored(limits: &KeyLimits) -> Result<Option<String>> {
    (!limits.is_none()).then(|| to_json(limits)).transpose()
}

pub(super) fn update(
    db: &Connection,
    account: Option<AccountId>,
    id: KeyId,
    change: &KeyChange,
    record: &AuditRecord,
) -> Result<Option<KeyRecord>> {
    let Some(found) = not_revoked(db, account, id)? else {
        return Ok(None);
    };
    let limits = change.apply(found.limits);
    db.prepare_cached("UPDATE keys SET name = coalesce(?2, name), limits = ?3 WHERE id = ?1")?
        .execute(params![id.0, change.name, stored(&limits)?])?;
    if limits.counts_credits() {
        recount(db, found.account, record.at)?;
    }
    changes::record(db, &record.about(Some(found.account)))?;
    not_revoked(db, account, id)
}

pub(super) fn rotate(
    db: &Connection,
    account: Option<AccountId>,
    id: KeyId,
    new: &NewKeyText,
    record: &AuditRecord,
) -> Result<Option<KeyRecord>> {
    if not_revoked(db, account, id)?.is_none() {
        return Ok(None);
    }
    db.prepare_cached("DELETE FROM old_keys WHERE key = ?1 AND until <= ?2")?
        .execute(params![id.0, new.now.0])?;
    db.prepare_cached("UPDATE old_keys SET until = min(until, ?2) WHERE key = ?1")?
        .execute(params![id.0, new.previous_until.0])?;
    db.prepare_cached("INSERT INTO old_keys (hash, key, until) SELECT hash, id, ?2 FROM keys WHERE id = ?1")?
        .execute(params![id.0, new.previous_until.0])?;
    db.prepare_cached("UPDATE keys SET hash = ?2, prefix = ?3 WHERE id = ?1")?
        .execute(params![id.0, new.hash, new.prefix])?;
    let key = not_revoked(db, account, id)?;
    changes::record(db, &record.about(key.as_ref().map(|key| key.account)))?;
    Ok(key)
}

fn not_revoked(db: &Connection, account: Option<AccountId>, id: KeyId) -> Result<Option<KeyRecord>> {
    const SQL: &str = concat!(
        "SELECT ",
        key_columns!(),
        " FROM keys k WHERE k.id = ?1 AND k.revoked_at IS NULL AND (?2 IS NULL OR k.account = ?2)"
    );
    let account = account.map(|account| account.0);
    one(db
        .prepare_cached(SQL)?
        .query_and_then(params![id.0, account], row::key)?)
}

pub(super) fn spending(db: &Connection, account: AccountId, now: Timestamp) -> Result<Vec<KeySpending>> {
    const SQL: &str = concat!(
        "SELECT key, count(*), sum(iif(created_at >= ?4, credits, 0)), sum(credits) FROM (",
        accepted_since!(),
        ") GROUP BY key"
    );
    let month = Timestamp::of_day(now.first_day_of_month());
    let today = Timestamp::of_day(now.day());
    db.prepare_cached(SQL)?
        .query_and_then(params![account.0, first_id(month), month.0, today.0], |found| {
            Ok(KeySpending {
                key: found.get::<_, Option<Uuid>>(0)?.map(KeyId),
                generations_of_month: found.get::<_, i64>(1)?.unsigned_abs(),
                credits_of_day: found.get(2)?,
                credits_of_month: found.get(3)?,
            })
        })?
        .collect()
}

/// Returns the amounts that count against the limits of a key and of an account.
pub(super) fn budgets(
    db: &Connection,
    account: (AccountId, Option<i64>),
    key: Option<&KeyUse>,
    now: Timestamp,
) -> Result<Budgets> {
    let mut budgets = Budgets::new(key, account.1);
    if let Some(key) = key.filter(|key| key.is_limited()) {
        budgets.key_day.spent = spent(db, key.id.0, now.day())?;
        budgets.key_month.spent = spent(db, key.id.0, now.first_day_of_month())?;
    }
    if account.1.is_some() {
        budgets.account_month.spent = spent(db, account.0.0, now.first_day_of_month())?;
    }
    Ok(budgets)
}

fn spent(db: &Connection, owner: Uuid, since: i64) -> Result<i64> {
    Ok(db
        .prepare_cached("SELECT coalesce(sum(credits), 0) FROM spent WHERE owner = ?1 AND day >= ?2")?
        .query_row(params![owner, since], |row| row.get(0))?)
}

/// Counts the hold of an accepted generation for its account and its key.
pub(super) fn count(
    db: &Connection,
    account: AccountId,
    key: Option<&KeyUse>,
    hold: i64,
    day: i64,
) -> Result<()> {
    let mut add = db.prepare_cached(
        "INSERT INTO spent (owner, day, credits) VALUES (?1, ?2, ?3)
         ON CONFLICT (owner, day) DO UPDATE SET credits = credits + excluded.credits",
    )?;
    for owner in std::iter::once(account.0).chain(key.map(|key| key.id.0)) {
        add.execute(params![owner, day, hold])?;
    }
    Ok(())
}

/// Counts everything of this month for the account and all its keys, because a limit begins to apply. Earlier counts
/// stay, because deleted generations are not found any more.
pub(super) fn recount(db: &Connection, account: AccountId, now: Timestamp) -> Result<()> {
    const SQL: &str = concat!(
        "WITH month AS (SELECT key, created_at / 86400000000 AS day, credits FROM (",
        accepted_since!(),
        "))
         INSERT INTO spent (owner, day, credits)
         SELECT ?1, day, sum(credits) FROM month GROUP BY day
         UNION ALL SELECT key, day, sum(credits) FROM month WHERE key IS NOT NULL GROUP BY key, day
         ON CONFLICT (owner, day) DO UPDATE SET credits = max(credits, excluded.credits)"
    );
    let since = Timestamp::of_day(now.first_day_of_month());
    db.prepare_cached(SQL)?
        .execute(params![account.0, first_id(since), since.0])?;
    db.prepare_cached(
        "UPDATE generations SET spent_day = iif(created_at >= ?2, created_at / 86400000000, NULL)
         WHERE account = ?1 AND ended_at IS NULL",
    )?
    .execute(params![account.0, since.0])?;
    Ok(())
}
