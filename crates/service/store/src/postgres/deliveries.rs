//! The outbox: deliveries are claimed like generations, and no host can stand in the way of another.

use std::collections::{HashMap, HashSet};

use atelier_domain::{Attempt, Delivery, DeliveryId, DeliveryState, GenerationId, Timestamp};
use uuid::Uuid;

use super::{
    error::Result,
    row::{self, DELIVERY_COLUMNS, delivery_columns, get, text},
    write::{Db, execute, row, rows},
};
use crate::{ClaimDeliveries, ClaimedDelivery, NextAttempt, RecordAttempt};

/// Due deliveries looked at in the order of time before the hosts are gone through one by one.
const LOOK_AHEAD: u32 = 128;

/// What is looked at stays locked until the claim is committed, and what others have locked is passed over: nodes
/// that claim at once look at different deliveries.
pub(super) async fn claim(db: &Db, claim: &ClaimDeliveries) -> Result<Vec<ClaimedDelivery>> {
    let mut picks = Picks::new(claim);
    if !picks.take_oldest(db).await? {
        picks.take_of_each_host(db).await?;
    }
    lease(db, &picks.into_ids(), claim).await
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
    async fn take_oldest(&mut self, db: &Db) -> Result<bool> {
        let limit = self.claim.max.saturating_add(LOOK_AHEAD);
        let oldest = rows(
            db,
            "SELECT host, due_at, id FROM deliveries WHERE ended_at IS NULL AND due_at <= $1
             ORDER BY due_at, id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED",
            &[&self.claim.now.0, &i64::from(limit)],
        )
        .await?;
        for found in &oldest {
            self.take(get(found, 0)?, get(found, 1)?, get(found, 2)?);
            if self.due.len() >= self.claim.max as usize {
                return Ok(true);
            }
        }
        Ok(oldest.len() < limit as usize)
    }

    /// Jumps through the index from host to host, so that a host with any number of due deliveries costs
    /// no more than one with few.
    async fn take_of_each_host(&mut self, db: &Db) -> Result<()> {
        let hosts = rows(
            db,
            "WITH RECURSIVE hosts AS (
                 (SELECT host FROM deliveries WHERE ended_at IS NULL ORDER BY host LIMIT 1)
                 UNION ALL
                 SELECT (SELECT d.host FROM deliveries d WHERE d.ended_at IS NULL AND d.host > hosts.host
                         ORDER BY d.host LIMIT 1)
                 FROM hosts WHERE hosts.host IS NOT NULL)
             SELECT host FROM hosts WHERE host IS NOT NULL",
            &[],
        )
        .await?;
        for found in hosts {
            let host: String = get(&found, 0)?;
            if self.room(&host) == 0 {
                continue;
            }
            // What was taken already stands first among the host's due ones.
            let due = rows(
                db,
                "SELECT due_at, id FROM deliveries WHERE ended_at IS NULL AND host = $1 AND due_at <= $2
                 ORDER BY due_at, id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED",
                &[&host, &self.claim.now.0, &i64::from(self.claim.per_host)],
            )
            .await?;
            for found in &due {
                self.take(host.clone(), get(found, 0)?, get(found, 1)?);
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

async fn lease(db: &Db, ids: &[Uuid], claim: &ClaimDeliveries) -> Result<Vec<ClaimedDelivery>> {
    const LEASE: &str = concat!(
        "UPDATE deliveries d SET state = 'sending', epoch = d.epoch + 1, worker = $2, due_at = $3
         FROM accounts a WHERE d.id = ANY($1) AND a.id = d.account RETURNING ",
        delivery_columns!(),
        ", d.host, d.epoch, a.signing_secret, a.previous_secret, a.previous_secret_until"
    );
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let leased = rows(db, LEASE, &[&ids, &claim.worker.0, &claim.lease_until.0]).await?;
    let mut leased: HashMap<Uuid, ClaimedDelivery> = leased
        .iter()
        .map(|found| {
            let delivery = row::delivery(found)?;
            let claimed = ClaimedDelivery {
                host: get(found, DELIVERY_COLUMNS)?,
                epoch: get(found, DELIVERY_COLUMNS + 1)?,
                secrets: row::secrets(found, DELIVERY_COLUMNS + 2)?,
                delivery,
            };
            Ok((claimed.delivery.id.0, claimed))
        })
        .collect::<Result<_>>()?;
    Ok(ids.iter().filter_map(|id| leased.remove(id)).collect())
}

pub(super) async fn record_attempt(db: &Db, record: &RecordAttempt) -> Result<bool> {
    let at = record.attempt.at;
    let (state, due_at, ended_at) = match record.next {
        NextAttempt::Delivered => (DeliveryState::Delivered, at, Some(at)),
        NextAttempt::GivenUp => (DeliveryState::Failed, at, Some(at)),
        NextAttempt::At(due) => (DeliveryState::Pending, due, None),
    };
    let Attempt {
        at,
        latency_ms,
        status,
        error,
        response,
    } = &record.attempt;
    let recorded = execute(
        db,
        "WITH made AS (
             UPDATE deliveries SET state = $3, due_at = $4, ended_at = $5, attempts = attempts + 1, worker = NULL
             WHERE id = $1 AND epoch = $2 AND state = 'sending' RETURNING id, attempts)
         INSERT INTO attempts (delivery, number, at, latency_ms, status, error, response)
         SELECT id, attempts, $6, $7, $8, $9, $10 FROM made",
        &[
            &record.id.0,
            &record.epoch,
            &state.as_str(),
            &due_at.0,
            &ended_at.map(|at| at.0),
            &at.0,
            &i64::from(*latency_ms),
            &status.map(i64::from),
            &error.as_deref().map(text),
            &response.as_deref().map(text),
        ],
    )
    .await?;
    Ok(recorded > 0)
}

pub(super) async fn next_due(db: &Db) -> Result<Option<Timestamp>> {
    let found = row(
        db,
        "SELECT due_at FROM deliveries WHERE ended_at IS NULL ORDER BY due_at LIMIT 1",
        &[],
    )
    .await?;
    found.map(|found| get(&found, 0).map(Timestamp)).transpose()
}

pub(super) async fn of_generation(
    db: &Db,
    generation: GenerationId,
) -> Result<Vec<(Delivery, Vec<Attempt>)>> {
    const FIND: &str = concat!(
        "SELECT ",
        delivery_columns!(),
        " FROM deliveries d WHERE d.generation = $1 ORDER BY d.id"
    );
    let mut deliveries = Vec::new();
    for found in rows(db, FIND, &[&generation.0]).await? {
        let delivery = row::delivery(&found)?;
        let made = attempts(db, delivery.id).await?;
        deliveries.push((delivery, made));
    }
    Ok(deliveries)
}

/// The attempts of one delivery, oldest first.
pub(super) async fn attempts(db: &Db, delivery: DeliveryId) -> Result<Vec<Attempt>> {
    let found = rows(
        db,
        "SELECT at, latency_ms, status, error, response FROM attempts WHERE delivery = $1 ORDER BY number",
        &[&delivery.0],
    )
    .await?;
    found.iter().map(|found| row::attempt(found, 0)).collect()
}
