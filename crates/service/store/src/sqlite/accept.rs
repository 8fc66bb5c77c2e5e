//! The acceptance of a generation, with its hold, its token and its idempotency key.

use atelier_domain::{AccountId, GenerationId, RateLimit, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::{
    accounts::{Booking, book},
    history, keys, read,
};
use crate::{
    Accept, Accepted, EntryKind, Idempotency, KeyUse, Result, StoreError, plans::own_or_plan, values::to_json,
};

/// An acceptance with its parameters as they are stored, so that the writer thread has less to do.
pub(super) struct Prepared {
    accept: Accept,
    params: String,
}

impl Prepared {
    pub(super) fn new(accept: Accept) -> Result<Self> {
        let params = to_json(&accept.generation.params)?;
        Ok(Self { accept, params })
    }
}

pub(super) fn accept(db: &Connection, prepared: &Prepared) -> Result<Accepted> {
    let accept = &prepared.accept;
    let generation = &accept.generation;
    let now = generation.created_at;

    let account = db
        .prepare_cached(concat!(
            "SELECT a.available, ",
            own_or_plan!("generations_per_minute"),
            ", a.generation_tat, ",
            own_or_plan!("max_queued"),
            ", a.monthly_budget FROM accounts a WHERE a.id = ?1"
        ))?
        .query_row([generation.account.0], |row| {
            Ok((
                row.get::<_, i64>(0)?,
                row.get::<_, Option<u32>>(1)?,
                row.get::<_, i64>(2)?,
                row.get::<_, Option<u32>>(3)?,
                row.get::<_, Option<i64>>(4)?,
            ))
        })
        .optional()?;
    let Some((available, own_limit, tat, max_queued, budget)) = account else {
        return Ok(Accepted::NoAccount);
    };

    if let Some(idempotency) = &accept.idempotency
        && let Some(earlier) = earlier_use(db, generation.account, idempotency)?
    {
        return Ok(earlier);
    }
    let rate = RateLimit::own_or(own_limit, accept.default_per_minute);
    let (tat, rate) = match rate.take(Timestamp(tat), now) {
        Ok(taken) => taken,
        Err(limited) => return Ok(Accepted::Limited(limited)),
    };
    if let Some(max) = max_queued
        && queued(db, generation.account)? >= i64::from(max)
    {
        return Ok(Accepted::QueueFull { max });
    }
    let key = accept.key.as_ref();
    let counts = budget.is_some() || key.is_some_and(KeyUse::is_limited);
    let owner = generation.account;
    if counts && let Some(refused) = keys::budgets(db, (owner, budget), key, now)?.refuse(generation.hold) {
        return Ok(refused);
    }
    if generation.hold > available {
        return Ok(Accepted::Uncovered { available });
    }

    if let Some(gone) = history::missing(db, &accept.files)? {
        return Ok(Accepted::FileGone(gone));
    }

    let spent_day = counts.then(|| now.day());
    insert(db, prepared, spent_day)?;
    if let Some(day) = spent_day {
        keys::count(db, owner, key, generation.hold, day)?;
    }
    history::use_inputs(db, generation.id, &accept.files, now)?;
    db.prepare_cached(
        "UPDATE accounts SET available = available - ?2, held = held + ?2, generation_tat = ?3 WHERE id = ?1",
    )?
    .execute(params![generation.account.0, generation.hold, tat.0])?;
    book(
        db,
        &Booking {
            account: generation.account,
            generation: Some(generation.id.0),
            kind: EntryKind::Hold,
            issued: 0,
            available: -generation.hold,
            held: generation.hold,
            spent: 0,
            reason: None,
            at: now,
        },
    )?;
    if let Some(idempotency) = &accept.idempotency {
        // An earlier use is still there only if it is too old to count.
        db.prepare_cached(
            "INSERT OR REPLACE INTO idempotency (account, key, body_hash, generation, used_at)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![
            generation.account.0,
            idempotency.key,
            idempotency.body_hash,
            generation.id.0,
            now.0
        ])?;
    }
    Ok(Accepted::Accepted(rate))
}

pub(super) fn earlier_use(
    db: &Connection,
    account: AccountId,
    idempotency: &Idempotency,
) -> Result<Option<Accepted>> {
    let earlier = db
        .prepare_cached(
            "SELECT generation, body_hash FROM idempotency WHERE account = ?1 AND key = ?2 AND used_at >= ?3",
        )?
        .query_row(
            params![account.0, idempotency.key, idempotency.valid_since.0],
            |row| Ok((GenerationId(row.get(0)?), row.get::<_, [u8; 32]>(1)?)),
        )
        .optional()?;
    let Some((id, body_hash)) = earlier else {
        return Ok(None);
    };
    if body_hash != idempotency.body_hash {
        return Ok(Some(Accepted::KeyReused));
    }
    let first = read::generation(db, account, id)?;
    let first = match first {
        Some(first) => Some(first),
        None => history::deleted(db, account, id)?.map(|deleted| deleted.shell()),
    };
    let first = first
        .ok_or_else(|| StoreError::Internal(format!("generation {id} of an idempotency key is missing")))?;
    Ok(Some(Accepted::Replayed(Box::new(first))))
}

/// The account's generations that wait. Its unfinished ones are few if this is limited.
fn queued(db: &Connection, account: AccountId) -> Result<i64> {
    let sql = "SELECT count(*) FROM generations WHERE account = ?1 AND ended_at IS NULL AND state = 'queued'";
    Ok(db.prepare_cached(sql)?.query_row([account.0], |row| row.get(0))?)
}

fn insert(db: &Connection, prepared: &Prepared, spent_day: Option<i64>) -> Result<()> {
    let generation = &prepared.accept.generation;
    db.prepare_cached(
        "INSERT INTO generations (id, account, state, epoch, attempt, lane, run_at, deadline, hold, progress,
                                  created_at, model, kind, webhook_url, params, key, spent_day)
         VALUES (?1, ?2, 'queued', 0, 0, ?3, ?4, ?5, ?6, 0, ?4, ?7, ?8, ?9, ?10, ?11, ?12)",
    )?
    .execute(params![
        generation.id.0,
        generation.account.0,
        prepared.accept.lane,
        generation.created_at.0,
        generation.deadline.0,
        generation.hold,
        generation.model,
        generation.kind.as_str(),
        generation.webhook_url,
        prepared.params,
        prepared.accept.key.map(|key| key.id.0),
        spent_day,
    ])?;
    Ok(())
}
