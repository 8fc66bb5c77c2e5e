//! The outbox: deliveries are claimed like generations, and no host delays the others.

use std::{collections::HashMap, sync::Arc, time::Instant};

use atelier_domain::{Attempt, Delivery, DeliveryId, GenerationId, Timestamp};
use uuid::Uuid;

use super::{
    PostgresStore,
    error::Result,
    floor::Floor,
    row::get,
    write::{Db, fleeting, row, rows, write},
};
use crate::{
    ClaimDeliveries, ClaimedDelivery,
    picks::Picks,
    values::{self, DELIVERY_COLUMNS, Fields, delivery_columns, delivery_secrets},
};

impl PostgresStore {
    pub(super) async fn take_deliveries(
        &self,
        claim: ClaimDeliveries,
    ) -> crate::Result<Vec<ClaimedDelivery>> {
        let inner = Arc::clone(&self.inner);
        write!(self, fleeting!("claim_deliveries"), |db| {
            self::claim(db, &claim, &inner.floor)
        })
    }
}

/// The oldest due deliveries.
const OLDEST: &str =
    "SELECT host, due_at, id FROM deliveries WHERE ended_at IS NULL AND due_at BETWEEN $1 AND $2
     ORDER BY due_at, id LIMIT $3";

/// Claims due deliveries. It first looks how many of each host it can take, and then locks as many: most of what is due
/// may be of a host that has no room. Rows that others have locked are skipped, so nodes that claim at the same time
/// take different deliveries.
async fn claim(db: &Db, claim: &ClaimDeliveries, floor: &Floor) -> Result<Vec<ClaimedDelivery>> {
    let mut seen = Picks::new(claim);
    let from = floor.begin();
    if !look_at_oldest(db, claim, (floor, from), &mut seen).await? {
        look_at_each_host(db, claim, from, &mut seen).await?;
    }
    let mut picks = Picks::new(claim);
    lock(db, seen.into_hosts(), (from, claim.now), &mut picks).await?;
    lease(db, &picks.into_ids(), claim).await
}

/// Locks and takes this many due deliveries of each of these hosts.
async fn lock(
    db: &Db,
    (hosts, counts): (Vec<String>, Vec<i64>),
    (from, now): (Timestamp, Timestamp),
    picks: &mut Picks<'_>,
) -> Result<()> {
    if hosts.is_empty() {
        return Ok(());
    }
    let locked = rows(
        db,
        "SELECT h.host, d.due_at, d.id FROM unnest($1::text[], $2::bigint[]) AS h (host, most) CROSS JOIN LATERAL (
             SELECT due_at, id FROM deliveries WHERE ended_at IS NULL AND host = h.host AND due_at BETWEEN $3 AND $4
             ORDER BY due_at, id LIMIT h.most FOR NO KEY UPDATE SKIP LOCKED) d",
        &[&hosts, &counts, &from.0, &now.0],
    )
    .await?;
    for found in &locked {
        picks.offer(found.text(0)?, found.integer(1)?, found.id(2)?);
    }
    Ok(())
}

/// Offers the oldest due deliveries. True if there is nothing else to take: the claim is full, or all due deliveries
/// were offered.
async fn look_at_oldest(
    db: &Db,
    claim: &ClaimDeliveries,
    (floor, from): (&Floor, Timestamp),
    picks: &mut Picks<'_>,
) -> Result<bool> {
    for most in picks.oldest() {
        let begun = Instant::now();
        let oldest = rows(db, OLDEST, &[&from.0, &claim.now.0, &i64::from(most)]).await?;
        let first = oldest.first().map(|found| found.integer(1)).transpose()?;
        floor.found(from, first.map(Timestamp), begun, claim.now);
        for found in &oldest {
            picks.offer(found.text(0)?, found.integer(1)?, found.id(2)?);
            if picks.is_full() {
                return Ok(true);
            }
        }
        if oldest.len() < most as usize {
            return Ok(true);
        }
        if !picks.took_most(most) {
            break;
        }
    }
    Ok(false)
}

/// Jumps through the index from host to host: a host with many due deliveries costs no more than one with few.
async fn look_at_each_host(
    db: &Db,
    claim: &ClaimDeliveries,
    from: Timestamp,
    picks: &mut Picks<'_>,
) -> Result<()> {
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
    for found in &hosts {
        let host = Fields::text(found, 0)?;
        if !picks.has_room(host) {
            continue;
        }
        // The host's deliveries that were already taken are the first of these.
        let due = rows(
            db,
            "SELECT due_at, id FROM deliveries WHERE ended_at IS NULL AND host = $1 AND due_at BETWEEN $2 AND $3
             ORDER BY due_at, id LIMIT $4",
            &[&host, &from.0, &claim.now.0, &i64::from(claim.per_host)],
        )
        .await?;
        for found in &due {
            picks.offer(host, found.integer(0)?, found.id(1)?);
        }
    }
    Ok(())
}

async fn lease(db: &Db, ids: &[Uuid], claim: &ClaimDeliveries) -> Result<Vec<ClaimedDelivery>> {
    const LEASE: &str = concat!(
        "UPDATE deliveries d SET state = 'sending', epoch = d.epoch + 1, worker = $2, due_at = $3
         FROM accounts a WHERE d.id = ANY($1) AND a.id = d.account RETURNING ",
        delivery_columns!(),
        ", d.host, d.epoch, ",
        delivery_secrets!()
    );
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let leased = rows(db, LEASE, &[&ids, &claim.worker.0, &claim.lease_until.0]).await?;
    let mut leased: HashMap<Uuid, ClaimedDelivery> = leased
        .iter()
        .map(|found| {
            let delivery = values::delivery(found)?;
            let claimed = ClaimedDelivery {
                host: get(found, DELIVERY_COLUMNS)?,
                epoch: get(found, DELIVERY_COLUMNS + 1)?,
                secrets: values::secrets(found, DELIVERY_COLUMNS + 2)?,
                delivery,
            };
            Ok((claimed.delivery.id.0, claimed))
        })
        .collect::<Result<_>>()?;
    Ok(ids.iter().filter_map(|id| leased.remove(id)).collect())
}

pub(super) async fn next_due(db: &Db, from: Timestamp, until: Timestamp) -> Result<Option<Timestamp>> {
    let found = row(
        db,
        "SELECT due_at FROM deliveries WHERE ended_at IS NULL AND due_at BETWEEN $1 AND $2 ORDER BY due_at LIMIT 1",
        &[&from.0, &until.0],
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
        " FROM deliveries d WHERE d.generation = $1 OR d.about = $1 ORDER BY d.id"
    );
    let mut deliveries = Vec::new();
    for found in rows(db, FIND, &[&generation.0]).await? {
        let delivery = values::delivery(&found)?;
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
    found.iter().map(|found| values::attempt(found, 0)).collect()
}
