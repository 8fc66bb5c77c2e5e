//! The outbox: deliveries are claimed like generations, and no host delays the others.

use atelier_domain::{Attempt, Delivery, DeliveryId, GenerationId, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use super::row;
use crate::{
    ClaimDeliveries, ClaimedDelivery, RecordAttempt, Result,
    picks::Picks,
    values::{DELIVERY_COLUMNS, Fields as _, attempt, delivery_columns, delivery_secrets, secrets},
};

pub(super) fn claim(db: &Connection, claim: &ClaimDeliveries) -> Result<Vec<ClaimedDelivery>> {
    let mut picks = Picks::new(claim);
    if !take_oldest(db, claim, &mut picks)? {
        take_from_each_host(db, claim, &mut picks)?;
    }
    picks
        .into_ids()
        .into_iter()
        .map(|id| lease(db, id, claim))
        .collect()
}

/// Offers the oldest due deliveries. True if there is nothing else to take: the claim is full, or all due deliveries
/// were offered.
fn take_oldest(db: &Connection, claim: &ClaimDeliveries, picks: &mut Picks<'_>) -> Result<bool> {
    let mut oldest = db.prepare_cached(
        "SELECT host, due_at, id FROM deliveries WHERE ended_at IS NULL AND due_at <= ?1
         ORDER BY due_at, id LIMIT ?2",
    )?;
    for most in picks.oldest() {
        let mut looked_at = 0;
        let mut rows = oldest.query(params![claim.now.0, most])?;
        while let Some(row) = rows.next()? {
            looked_at += 1;
            picks.offer(row.text(0)?, row.integer(1)?, row.id(2)?);
            if picks.is_full() {
                return Ok(true);
            }
        }
        if looked_at < most {
            return Ok(true);
        }
        if !picks.took_most(looked_at) {
            break;
        }
    }
    Ok(false)
}

/// Jumps through the index from host to host: a host with many due deliveries costs no more than one with few.
fn take_from_each_host(db: &Connection, claim: &ClaimDeliveries, picks: &mut Picks<'_>) -> Result<()> {
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
        if !picks.has_room(&host) {
            continue;
        }
        // The host's deliveries that were already taken are the first of these.
        let mut rows = of_host.query(params![host, claim.now.0, claim.per_host])?;
        while let Some(row) = rows.next()? {
            picks.offer(&host, row.integer(0)?, row.id(1)?);
        }
    }
    Ok(())
}

fn lease(db: &Connection, id: Uuid, claim: &ClaimDeliveries) -> Result<ClaimedDelivery> {
    const FIND: &str = concat!(
        "SELECT ",
        delivery_columns!(),
        ", d.host, d.epoch, ",
        delivery_secrets!(),
        " FROM deliveries d JOIN accounts a ON a.id = d.account WHERE d.id = ?1"
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
        secrets: secrets(row, DELIVERY_COLUMNS + 2)?,
    })
}

pub(super) fn record_attempt(db: &Connection, record: &RecordAttempt) -> Result<bool> {
    let (state, due_at, ended_at) = record.becomes();
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

pub(super) fn next_due(db: &Connection, until: Timestamp) -> Result<Option<Timestamp>> {
    Ok(db
        .prepare_cached(
            "SELECT due_at FROM deliveries WHERE ended_at IS NULL AND due_at <= ?1 ORDER BY due_at LIMIT 1",
        )?
        .query_row([until.0], |row| row.get(0))
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
        " FROM deliveries d WHERE d.generation = ?1 OR d.about = ?1 ORDER BY d.seq"
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
    .query_and_then([delivery.0], |found| attempt(found, 0))?
    .collect()
}
