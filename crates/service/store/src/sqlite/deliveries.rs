//! The outbox: deliveries are claimed like generations, and no host can stand in the way of another.

use std::collections::{HashMap, HashSet};

use atelier_domain::{Attempt, Delivery, DeliveryId, DeliveryState, GenerationId, SigningSecrets, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use super::row::{self, DELIVERY_COLUMNS, delivery_columns};
use crate::{ClaimDeliveries, ClaimedDelivery, NextAttempt, RecordAttempt, Result};

/// Due deliveries looked at in the order of time before the hosts are gone through one by one.
const LOOK_AHEAD: u32 = 128;

pub(super) fn claim(db: &Connection, claim: &ClaimDeliveries) -> Result<Vec<ClaimedDelivery>> {
    let mut picks = Picks::new(claim);
    if !picks.take_oldest(db)? {
        picks.take_of_each_host(db)?;
    }
    picks
        .into_ids()
        .into_iter()
        .map(|id| lease(db, id, claim))
        .collect()
}

/// What a claim will take.
struct Picks<'a> {
    claim: &'a ClaimDeliveries,
    by_host: HashMap<String, u32>,
    due: Vec<(i64, Uuid)>,
    seen: HashSet<Uuid>,
}

impl<'a> Picks<'a> {
    fn new(claim: &'a ClaimDeliveries) -> Self {
        Self {
            claim,
            by_host: claim.in_flight.clone(),
            due: Vec::new(),
            seen: HashSet::new(),
        }
    }

    fn room(&self, host: &str) -> u32 {
        self.claim
            .per_host
            .saturating_sub(self.by_host.get(host).copied().unwrap_or(0))
    }

    fn take(&mut self, host: String, due_at: i64, id: Uuid) {
        if self.room(&host) > 0 && self.seen.insert(id) {
            *self.by_host.entry(host).or_default() += 1;
            self.due.push((due_at, id));
        }
    }

    /// Takes from the oldest due ones. True: nothing more is to be had, either because the claim is full
    /// or because all that is due has been looked at.
    fn take_oldest(&mut self, db: &Connection) -> Result<bool> {
        let limit = self.claim.max.saturating_add(LOOK_AHEAD);
        let mut looked_at = 0;
        let mut oldest = db.prepare_cached(
            "SELECT host, due_at, id FROM deliveries WHERE ended_at IS NULL AND due_at <= ?1
             ORDER BY due_at, id LIMIT ?2",
        )?;
        let mut rows = oldest.query(params![self.claim.now.0, limit])?;
        while let Some(row) = rows.next()? {
            looked_at += 1;
            self.take(row.get(0)?, row.get(1)?, row.get(2)?);
            if self.due.len() >= self.claim.max as usize {
                return Ok(true);
            }
        }
        Ok(looked_at < limit)
    }

    /// Jumps through the index from host to host, so that a host with any number of due deliveries costs
    /// no more than one with few.
    fn take_of_each_host(&mut self, db: &Connection) -> Result<()> {
        let mut next_host = db.prepare_cached(
            "SELECT host FROM deliveries WHERE ended_at IS NULL AND host > ?1 ORDER BY host LIMIT 1",
        )?;
        let mut of_host = db.prepare_cached(
            "SELECT due_at, id FROM deliveries WHERE ended_at IS NULL AND host = ?1 AND due_at <= ?2
             ORDER BY due_at, id LIMIT ?3",
        )?;
        let mut host = String::new();
        while let Some(next) = next_host
            .query_row([&host], |row| row.get::<_, String>(0))
            .optional()?
        {
            host = next;
            // What was taken already stands first among the host's due ones.
            let limit = self.claim.per_host;
            if self.room(&host) == 0 {
                continue;
            }
            let mut rows = of_host.query(params![host, self.claim.now.0, limit])?;
            while let Some(row) = rows.next()? {
                self.take(host.clone(), row.get(0)?, row.get(1)?);
            }
        }
        Ok(())
    }

    fn into_ids(mut self) -> Vec<Uuid> {
        self.due.sort_unstable();
        self.due.truncate(self.claim.max as usize);
        self.due.into_iter().map(|(_, id)| id).collect()
    }
}

fn lease(db: &Connection, id: Uuid, claim: &ClaimDeliveries) -> Result<ClaimedDelivery> {
    const FIND: &str = concat!(
        "SELECT ",
        delivery_columns!(),
        ", d.host, d.epoch, a.signing_secret, a.previous_secret, a.previous_secret_until FROM deliveries d JOIN accounts a ON a.id = d.account WHERE d.id = ?1"
    );
    db.prepare_cached(
        "UPDATE deliveries SET state = 'sending', epoch = epoch + 1, worker = ?2, due_at = ?3 WHERE id = ?1",
    )?
    .execute(params![id, claim.worker.0, claim.lease_until.0])?;
    let mut find = db.prepare_cached(FIND)?;
    let mut found = find.query([id])?;
    let row = found.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
    Ok(ClaimedDelivery {
        delivery: row::delivery(row)?,
        host: row.get(DELIVERY_COLUMNS)?,
        epoch: row.get(DELIVERY_COLUMNS + 1)?,
        secrets: SigningSecrets {
            current: row.get(DELIVERY_COLUMNS + 2)?,
            previous: row::previous_secret(row, DELIVERY_COLUMNS + 3)?,
        },
    })
}

pub(super) fn record_attempt(db: &Connection, record: &RecordAttempt) -> Result<bool> {
    let at = record.attempt.at;
    let (state, due_at, ended_at) = match record.next {
        NextAttempt::Delivered => (DeliveryState::Delivered, at, Some(at)),
        NextAttempt::GivenUp => (DeliveryState::Failed, at, Some(at)),
        NextAttempt::At(due) => (DeliveryState::Pending, due, None),
    };
    let number: Option<u32> = db
        .prepare_cached(
            "UPDATE deliveries SET state = ?3, due_at = ?4, ended_at = ?5, attempts = attempts + 1, worker = NULL
             WHERE id = ?1 AND epoch = ?2 AND state = 'sending' RETURNING attempts",
        )?
        .query_row(
            params![record.id.0, record.epoch, state.as_str(), due_at.0, ended_at.map(|at| at.0)],
            |row| row.get(0),
        )
        .optional()?;
    let Some(number) = number else { return Ok(false) };
    let Attempt {
        at,
        latency_ms,
        status,
        error,
        response,
    } = &record.attempt;
    db.prepare_cached(
        "INSERT INTO attempts (delivery, number, at, latency_ms, status, error, response)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        record.id.0,
        number,
        at.0,
        latency_ms,
        status,
        error,
        response
    ])?;
    Ok(true)
}

pub(super) fn next_due(db: &Connection) -> Result<Option<Timestamp>> {
    Ok(db
        .prepare_cached("SELECT due_at FROM deliveries WHERE ended_at IS NULL ORDER BY due_at LIMIT 1")?
        .query_row([], |row| row.get(0))
        .optional()?
        .map(Timestamp))
}

pub(super) fn of_generation(
    db: &Connection,
    generation: GenerationId,
) -> Result<Vec<(Delivery, Vec<Attempt>)>> {
    const FIND: &str = concat!(
        "SELECT ",
        delivery_columns!(),
        " FROM deliveries d WHERE d.generation = ?1 ORDER BY d.seq"
    );
    let deliveries: Vec<Delivery> = db
        .prepare_cached(FIND)?
        .query_and_then([generation.0], row::delivery)?
        .collect::<Result<_>>()?;
    deliveries
        .into_iter()
        .map(|delivery| {
            let made = attempts(db, delivery.id)?;
            Ok((delivery, made))
        })
        .collect()
}

/// The attempts of one delivery, oldest first.
pub(super) fn attempts(db: &Connection, delivery: DeliveryId) -> Result<Vec<Attempt>> {
    db.prepare_cached(
        "SELECT at, latency_ms, status, error, response FROM attempts WHERE delivery = ?1 ORDER BY number",
    )?
    .query_and_then([delivery.0], |found| row::attempt_from(found, 0))?
    .collect()
}
