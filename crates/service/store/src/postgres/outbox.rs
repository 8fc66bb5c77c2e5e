//! Deliveries as clients see and manage them.

use async_trait::async_trait;
use atelier_domain::{AccountId, Attempt, AuditRecord, Delivery, DeliveryId, Timestamp};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::{
    PostgresStore, changes, deliveries,
    error::{Error, Result},
    row::{get, text},
    write::{Db, Parameters, and, durable, execute, row, rows, snapshot, the_row, write},
};
use crate::{
    DeliveryFilter, DeliveryPage, NewDelivery, News, Outbox, Redelivered,
    values::{self, DELIVERY_COLUMNS, delivery_columns},
};

#[async_trait]
impl Outbox for PostgresStore {
    async fn list_deliveries(
        &self,
        account: AccountId,
        filter: DeliveryFilter,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> crate::Result<DeliveryPage> {
        snapshot!(self, of account, |db| list(db, account, &filter, before, limit))
    }

    async fn delivery(
        &self,
        account: AccountId,
        id: DeliveryId,
    ) -> crate::Result<Option<(Delivery, Vec<Attempt>)>> {
        snapshot!(self, |db| get_one(db, account, id))
    }

    async fn redeliver(
        &self,
        account: AccountId,
        id: DeliveryId,
        now: Timestamp,
        record: Option<AuditRecord>,
    ) -> crate::Result<Redelivered> {
        let done = write!(self, durable!("redeliver"), |db| redeliver(
            db,
            account,
            id,
            now,
            record.as_ref()
        ))?;
        self.inner.teller.tell(News::Delivery);
        Ok(done)
    }

    async fn redeliver_failed(
        &self,
        account: AccountId,
        limit: u32,
        now: Timestamp,
        record: Option<AuditRecord>,
    ) -> crate::Result<u32> {
        let done = write!(self, durable!("redeliver_failed"), |db| redeliver_failed(
            db,
            account,
            limit,
            now,
            record.as_ref()
        ))?;
        self.inner.teller.tell(News::Delivery);
        Ok(done)
    }

    async fn deliver_test(
        &self,
        account: AccountId,
        new: NewDelivery,
        now: Timestamp,
        record: Option<AuditRecord>,
    ) -> crate::Result<()> {
        write!(self, durable!("deliver_test"), |db| deliver_test(
            db,
            account,
            &new,
            now,
            record.as_ref()
        ))?;
        self.inner.teller.tell(News::Delivery);
        Ok(())
    }
}

async fn list(
    db: &Db,
    account: AccountId,
    filter: &DeliveryFilter,
    before: Option<DeliveryId>,
    limit: u32,
) -> Result<DeliveryPage> {
    let state = filter.state.map(atelier_domain::DeliveryState::as_str);
    let event = filter.event.map(atelier_domain::Event::as_str);
    let generation = filter.generation.map(|id| id.0);
    let mut matches = "d.account = $1".to_owned();
    let mut parameters: Vec<&(dyn ToSql + Sync)> = vec![&account.0];
    if let Some(state) = &state {
        parameters.push(state);
        and(&mut matches, "d.state", parameters.len());
    }
    if let Some(event) = &event {
        parameters.push(event);
        and(&mut matches, "d.event", parameters.len());
    }
    if let Some(generation) = &generation {
        parameters.push(generation);
        let number = parameters.len();
        let either = format!(" AND (d.generation = ${number} OR d.about = ${number})");
        matches.push_str(&either);
    }
    let counting = format!("SELECT count(*) FROM deliveries d WHERE {matches}");
    let total: i64 = get(&the_row(db, &counting, &parameters).await?, 0)?;
    // The greatest id there is.
    let before = before.map_or(Uuid::max(), |id| id.0);
    let one_more = i64::from(limit) + 1;
    let (last, most) = (parameters.len() + 1, parameters.len() + 2);
    parameters.push(&before);
    parameters.push(&one_more);
    let page = format!(
        "SELECT {}, t.at, t.latency_ms, t.status, t.error, t.response FROM deliveries d
         LEFT JOIN attempts t ON t.delivery = d.id AND t.number = d.attempts
         WHERE {matches} AND d.id < ${last} ORDER BY d.id DESC LIMIT ${most}",
        delivery_columns!()
    );
    let found = rows(db, &page, &parameters).await?;
    let mut items = found
        .iter()
        .map(|found| {
            let attempted: Option<i64> = get(found, DELIVERY_COLUMNS)?;
            let attempt = attempted
                .map(|_| values::attempt(found, DELIVERY_COLUMNS))
                .transpose()?;
            Ok((values::delivery(found)?, attempt))
        })
        .collect::<Result<Vec<_>>>()?;
    let more = items.len() > limit as usize;
    items.truncate(limit as usize);
    Ok(DeliveryPage {
        items,
        total: total.unsigned_abs(),
        more,
    })
}

async fn get_one(db: &Db, account: AccountId, id: DeliveryId) -> Result<Option<(Delivery, Vec<Attempt>)>> {
    const FIND: &str = concat!(
        "SELECT ",
        delivery_columns!(),
        " FROM deliveries d WHERE d.id = $1 AND d.account = $2"
    );
    match row(db, FIND, &[&id.0, &account.0]).await? {
        None => Ok(None),
        Some(found) => Ok(Some((
            values::delivery(&found)?,
            deliveries::attempts(db, id).await?,
        ))),
    }
}

async fn redeliver(
    db: &Db,
    account: AccountId,
    id: DeliveryId,
    now: Timestamp,
    record: Option<&AuditRecord>,
) -> Result<Redelivered> {
    let found = row(
        db,
        "SELECT ended_at IS NOT NULL, length(body) = 0 FROM deliveries WHERE id = $1 AND account = $2
         FOR NO KEY UPDATE",
        &[&id.0, &account.0],
    )
    .await?;
    let found = found.map(|found| Ok::<(bool, bool), Error>((get(&found, 0)?, get(&found, 1)?)));
    match found.transpose()? {
        None => return Ok(Redelivered::NotFound),
        Some((false, _)) => return Ok(Redelivered::NotEnded),
        Some((true, true)) => return Ok(Redelivered::Emptied),
        Some((true, false)) => {}
    }
    begin_again(db, &[id.0], now).await?;
    if let Some(record) = record {
        changes::record(db, record).await?;
    }
    Ok(Redelivered::Due)
}

async fn redeliver_failed(
    db: &Db,
    account: AccountId,
    limit: u32,
    now: Timestamp,
    record: Option<&AuditRecord>,
) -> Result<u32> {
    let failed = rows(
        db,
        "SELECT id FROM deliveries WHERE account = $1 AND state = 'failed' AND length(body) > 0
         ORDER BY id DESC LIMIT $2 FOR NO KEY UPDATE",
        &[&account.0, &i64::from(limit)],
    )
    .await?;
    let failed: Vec<Uuid> = failed.iter().map(|found| get(found, 0)).collect::<Result<_>>()?;
    begin_again(db, &failed, now).await?;
    if let Some(record) = record.filter(|_| !failed.is_empty()) {
        changes::record(db, record).await?;
    }
    Ok(u32::try_from(failed.len()).unwrap_or(u32::MAX))
}

async fn begin_again(db: &Db, ids: &[Uuid], now: Timestamp) -> Result<()> {
    execute(
        db,
        "UPDATE deliveries SET state = 'pending', due_at = $2, ended_at = NULL, attempts_before = attempts
         WHERE id = ANY($1) AND ended_at IS NOT NULL",
        &[&ids, &now.0],
    )
    .await?;
    Ok(())
}

async fn deliver_test(
    db: &Db,
    account: AccountId,
    new: &NewDelivery,
    now: Timestamp,
    record: Option<&AuditRecord>,
) -> Result<()> {
    let endpoint = new.endpoint.map(|id| id.0);
    let parameters: Parameters<'_> = &[
        &new.id.0,
        &account.0,
        &now.0,
        &new.event.as_str(),
        &text(&new.host),
        &text(&new.url),
        &new.body,
        &endpoint,
    ];
    execute(
        db,
        "INSERT INTO deliveries (id, account, state, epoch, attempts, due_at, created_at, event, host, url, body,
                                 endpoint)
         VALUES ($1, $2, 'pending', 0, 0, $3, $3, $4, $5, $6, $7, $8)",
        parameters,
    )
    .await?;
    match record {
        Some(record) => changes::record(db, record).await,
        None => Ok(()),
    }
}
