//! Webhook endpoints, low balances, and events that were not told yet.

use async_trait::async_trait;
use atelier_domain::{Account, AccountId, AuditRecord, Endpoint, EndpointId, SigningSecrets, Timestamp};
use rusqlite::{Connection, params};

use super::{SqliteStore, accounts::by_id, changes, row::one, writer::durable};
use crate::{
    EndpointChange, Endpoints, OpenEvent, Result, Told,
    endpoints::{self, endpoint_columns, event_columns, names},
    values,
};

#[async_trait]
impl Endpoints for SqliteStore {
    async fn create_endpoint(&self, new: Endpoint, most: u32, record: AuditRecord) -> Result<bool> {
        self.writer
            .write(durable!("create_endpoint"), move |db| {
                create(db, &new, most, &record)
            })
            .await
    }

    async fn endpoints(&self, account: AccountId) -> Result<Vec<Endpoint>> {
        self.readers.read(|db| all(db, account))
    }

    async fn endpoint_secrets(&self, account: AccountId, id: EndpointId) -> Result<Option<SigningSecrets>> {
        self.readers.read(|db| {
            one(db
                .prepare_cached(
                    "SELECT signing_secret, previous_secret, previous_secret_until FROM webhook_endpoints
                     WHERE id = ?1 AND account = ?2",
                )?
                .query_and_then(params![id.0, account.0], |row| values::secrets(row, 0))?)
        })
    }

    async fn update_endpoint(
        &self,
        account: AccountId,
        id: EndpointId,
        change: EndpointChange,
        record: AuditRecord,
    ) -> Result<Option<Endpoint>> {
        self.writer
            .write(durable!("update_endpoint"), move |db| {
                update(db, account, id, change.clone(), &record)
            })
            .await
    }

    async fn delete_endpoint(
        &self,
        account: AccountId,
        id: EndpointId,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<bool> {
        self.writer
            .write(durable!("delete_endpoint"), move |db| {
                delete(db, account, id, now, &record)
            })
            .await
    }

    async fn set_low_balance(
        &self,
        account: AccountId,
        threshold: Option<i64>,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<Account>> {
        self.writer
            .write(durable!("set_low_balance"), move |db| {
                db.prepare_cached(
                    "UPDATE accounts SET low_balance = ?2,
                                         low_since = iif(available < ?2, coalesce(low_since, ?3), NULL)
                     WHERE id = ?1",
                )?
                .execute(params![account.0, threshold, now.0])?;
                changes::record(db, &record)?;
                by_id(db, account)
            })
            .await
    }

    async fn open_events(&self, limit: u32) -> Result<Vec<OpenEvent>> {
        self.readers.read(|db| {
            db.prepare_cached(concat!(
                "SELECT ",
                event_columns!(),
                " FROM webhook_events LIMIT ?1"
            ))?
            .query_and_then([limit], |row| endpoints::event(row))?
            .collect()
        })
    }

    async fn tell(&self, told: Vec<Told>, now: Timestamp) -> Result<u32> {
        self.writer
            .write(durable!("tell"), move |db| tell(db, &told, now))
            .await
    }
}

fn all(db: &Connection, account: AccountId) -> Result<Vec<Endpoint>> {
    const SQL: &str = concat!(
        "SELECT ",
        endpoint_columns!(),
        " FROM webhook_endpoints w WHERE w.account = ?1 AND w.deleted_at IS NULL ORDER BY w.id"
    );
    db.prepare_cached(SQL)?
        .query_and_then([account.0], |row| endpoints::endpoint(row))?
        .collect()
}

fn create(db: &Connection, new: &Endpoint, most: u32, record: &AuditRecord) -> Result<bool> {
    if all(db, new.account)?.len() >= most as usize {
        return Ok(false);
    }
    db.prepare_cached(
        "INSERT INTO webhook_endpoints (id, account, url, events, enabled, signing_secret, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        new.id.0,
        new.account.0,
        new.url,
        names(&new.events),
        new.enabled,
        new.secrets.current,
        new.created_at.0,
    ])?;
    changes::record(db, record)?;
    Ok(true)
}

fn update(
    db: &Connection,
    account: AccountId,
    id: EndpointId,
    change: EndpointChange,
    record: &AuditRecord,
) -> Result<Option<Endpoint>> {
    let Some(mut endpoint) = all(db, account)?.into_iter().find(|one| one.id == id) else {
        return Ok(None);
    };
    change.apply(&mut endpoint);
    let previous = endpoint.secrets.previous.as_ref();
    db.prepare_cached(
        "UPDATE webhook_endpoints SET url = ?2, events = ?3, enabled = ?4, signing_secret = ?5, previous_secret = ?6,
                                      previous_secret_until = ?7
         WHERE id = ?1",
    )?
    .execute(params![
        id.0,
        endpoint.url,
        names(&endpoint.events),
        endpoint.enabled,
        endpoint.secrets.current,
        previous.map(|(secret, _)| secret),
        previous.map(|(_, until)| until.0),
    ])?;
    changes::record(db, record)?;
    Ok(Some(endpoint))
}

fn delete(
    db: &Connection,
    account: AccountId,
    id: EndpointId,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<bool> {
    let deleted = db
        .prepare_cached(
            "UPDATE webhook_endpoints SET deleted_at = ?3 WHERE id = ?1 AND account = ?2 AND deleted_at IS NULL",
        )?
        .execute(params![id.0, account.0, now.0])?;
    if deleted == 0 {
        return Ok(false);
    }
    db.prepare_cached(
        "DELETE FROM deliveries WHERE account = ?2 AND endpoint = ?1 AND ended_at IS NULL AND attempts = 0",
    )?
    .execute(params![id.0, account.0])?;
    db.prepare_cached(
        "UPDATE deliveries SET state = 'failed', ended_at = ?3, worker = NULL
         WHERE account = ?2 AND endpoint = ?1 AND ended_at IS NULL",
    )?
    .execute(params![id.0, account.0, now.0])?;
    changes::record(db, record)?;
    Ok(true)
}

fn tell(db: &Connection, told: &[Told], now: Timestamp) -> Result<u32> {
    let mut made = 0;
    for one in told {
        let open = db
            .prepare_cached("DELETE FROM webhook_events WHERE id = ?1")?
            .execute([one.event])?;
        if open == 0 {
            continue;
        }
        for new in &one.deliveries {
            db.prepare_cached(
                "INSERT INTO deliveries (id, about, endpoint, account, state, epoch, attempts, due_at, created_at,
                                         event, host, url, body)
                 SELECT ?1, ?2, id, ?4, 'pending', 0, 0, ?5, ?5, ?6, ?7, ?8, ?9 FROM webhook_endpoints
                 WHERE id = ?3 AND deleted_at IS NULL",
            )?
            .execute(params![
                new.id.0,
                one.about.map(|id| id.0),
                new.endpoint.map(|id| id.0),
                one.account.0,
                now.0,
                new.event.as_str(),
                new.host,
                new.url,
                new.body,
            ])?;
            made += 1;
        }
    }
    Ok(made)
}
