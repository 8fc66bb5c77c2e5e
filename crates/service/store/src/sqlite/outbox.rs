//! Deliveries as clients see and manage them.

use async_trait::async_trait;
use atelier_domain::{AccountId, Attempt, AuditRecord, Delivery, DeliveryId, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::{
    SqliteStore, changes, deliveries,
    row::{self, one},
    writer::durable,
};
use crate::{
    DeliveryFilter, DeliveryPage, NewDelivery, Outbox, Redelivered, Result,
    values::{self, DELIVERY_COLUMNS, delivery_columns},
};

const MATCHES: &str = "d.account = ?1 AND (?2 IS NULL OR d.state = ?2) AND (?3 IS NULL OR d.event = ?3)
                       AND (d.generation = ?4 OR d.about = ?4)";

#[async_trait]
impl Outbox for SqliteStore {
    async fn list_deliveries(
        &self,
        account: AccountId,
        filter: DeliveryFilter,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<DeliveryPage> {
        self.scan_of(account, move |db| list(db, account, &filter, before, limit))
            .await
    }

    async fn delivery(&self, account: AccountId, id: DeliveryId) -> Result<Option<(Delivery, Vec<Attempt>)>> {
        self.readers.snapshot(|db| get(db, account, id))
    }

    async fn redeliver(
        &self,
        account: AccountId,
        id: DeliveryId,
        now: Timestamp,
        record: Option<AuditRecord>,
    ) -> Result<Redelivered> {
        self.writer
            .write(durable!("redeliver"), move |db| {
                redeliver(db, account, id, now, record.as_ref())
            })
            .await
    }

    async fn redeliver_failed(
        &self,
        account: AccountId,
        limit: u32,
        now: Timestamp,
        record: Option<AuditRecord>,
    ) -> Result<u32> {
        self.writer
            .write(durable!("redeliver_failed"), move |db| {
                redeliver_failed(db, account, limit, now, record.as_ref())
            })
            .await
    }

    async fn deliver_test(
        &self,
        account: AccountId,
        new: NewDelivery,
        now: Timestamp,
        record: Option<AuditRecord>,
    ) -> Result<()> {
        self.writer
            .write(durable!("deliver_test"), move |db| {
                insert_test(db, account, &new, now)?;
                record
                    .as_ref()
                    .map_or(Ok(()), |record| changes::record(db, record))
            })
            .await
    }
}

pub(super) fn list(
    db: &Connection,
    account: AccountId,
    filter: &DeliveryFilter,
    before: Option<DeliveryId>,
    limit: u32,
) -> Result<DeliveryPage> {
    let state = filter.state.map(atelier_domain::DeliveryState::as_str);
    let event = filter.event.map(atelier_domain::Event::as_str);
    let generation = filter.generation.map(|id| id.0);
    // A generation has few deliveries, which indexes of their own find without a walk through the account's.
    let from = if generation.is_some() {
        "deliveries d"
    } else {
        "deliveries d INDEXED BY deliveries_by_account"
    };
    let matches = if generation.is_some() {
        MATCHES
    } else {
        "d.account = ?1 AND (?2 IS NULL OR d.state = ?2) AND (?3 IS NULL OR d.event = ?3) AND ?4 IS NULL"
    };
    let total: i64 = db
        .prepare_cached(&format!("SELECT count(*) FROM {from} WHERE {matches}"))?
        .query_row(params![account.0, state, event, generation], |row| row.get(0))?;
    let before = before.map_or(uuid::Uuid::max(), |id| id.0);
    let mut items = db
        .prepare_cached(&format!(
            "SELECT {}, t.at, t.latency_ms, t.status, t.error, t.response FROM {from}
             LEFT JOIN attempts t ON t.delivery = d.id AND t.number = d.attempts
             WHERE {matches} AND d.id < ?5 ORDER BY d.id DESC LIMIT ?6",
            delivery_columns!()
        ))?
        .query_and_then(
            params![account.0, state, event, generation, before, i64::from(limit) + 1],
            |found| {
                let attempted: Option<i64> = found.get(DELIVERY_COLUMNS)?;
                let attempt = match attempted {
                    None => None,
                    Some(_) => Some(values::attempt(found, DELIVERY_COLUMNS)?),
                };
                Ok((row::delivery(found)?, attempt))
            },
        )?
        .collect::<Result<Vec<_>>>()?;
    let more = items.len() > limit as usize;
    items.truncate(limit as usize);
    Ok(DeliveryPage {
        items,
        total: total.unsigned_abs(),
        more,
    })
}

fn get(db: &Connection, account: AccountId, id: DeliveryId) -> Result<Option<(Delivery, Vec<Attempt>)>> {
    const FIND: &str = concat!(
        "SELECT ",
        delivery_columns!(),
        " FROM deliveries d WHERE d.id = ?1 AND d.account = ?2"
    );
    let found = one(db
        .prepare_cached(FIND)?
        .query_and_then(params![id.0, account.0], row::delivery)?)?;
    match found {
        None => Ok(None),
        Some(delivery) => Ok(Some((delivery, deliveries::attempts(db, id)?))),
    }
}

fn redeliver(
    db: &Connection,
    account: AccountId,
    id: DeliveryId,
    now: Timestamp,
    record: Option<&AuditRecord>,
) -> Result<Redelivered> {
    let ended: Option<(bool, bool)> = db
        .prepare_cached(
            "SELECT ended_at IS NOT NULL, length(body) = 0 FROM deliveries WHERE id = ?1 AND account = ?2",
        )?
        .query_row(params![id.0, account.0], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    match ended {
        None => return Ok(Redelivered::NotFound),
        Some((false, _)) => return Ok(Redelivered::NotEnded),
        Some((true, true)) => return Ok(Redelivered::Emptied),
        Some((true, false)) => {}
    }
    begin_again(db, id.0, now)?;
    if let Some(record) = record {
        changes::record(db, record)?;
    }
    Ok(Redelivered::Due)
}

fn redeliver_failed(
    db: &Connection,
    account: AccountId,
    limit: u32,
    now: Timestamp,
    record: Option<&AuditRecord>,
) -> Result<u32> {
    let failed: Vec<uuid::Uuid> = db
        .prepare_cached(
            "SELECT d.id FROM deliveries d INDEXED BY deliveries_by_account
             WHERE d.account = ?1 AND d.state = 'failed' AND length(d.body) > 0 ORDER BY d.id DESC LIMIT ?2",
        )?
        .query_map(params![account.0, limit], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for id in &failed {
        begin_again(db, *id, now)?;
    }
    if let Some(record) = record.filter(|_| !failed.is_empty()) {
        changes::record(db, record)?;
    }
    Ok(u32::try_from(failed.len()).unwrap_or(u32::MAX))
}

fn begin_again(db: &Connection, id: uuid::Uuid, now: Timestamp) -> Result<()> {
    db.prepare_cached(
        "UPDATE deliveries SET state = 'pending', due_at = ?2, ended_at = NULL, attempts_before = attempts
         WHERE id = ?1 AND ended_at IS NOT NULL",
    )?
    .execute(params![id, now.0])?;
    Ok(())
}

fn insert_test(db: &Connection, account: AccountId, new: &NewDelivery, now: Timestamp) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO deliveries (id, generation, account, state, epoch, attempts, due_at, created_at, event, host,
                                 url, body, endpoint)
         VALUES (?1, NULL, ?2, 'pending', 0, 0, ?3, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        new.id.0,
        account.0,
        now.0,
        new.event.as_str(),
        new.host,
        new.url,
        new.body,
        new.endpoint.map(|id| id.0)
    ])?;
    Ok(())
}
