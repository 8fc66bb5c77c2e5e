//! Webhook endpoints, low balances, and events that were not told yet.

use async_trait::async_trait;
use atelier_domain::{Account, AccountId, AuditRecord, Endpoint, EndpointId, SigningSecrets, Timestamp};
use uuid::Uuid;

use super::{
    PostgresStore, accounts, changes,
    error::Result,
    row::{get, text},
    write::{Db, durable, execute, fenced, read, row, rows, write},
};
use crate::{
    EndpointChange, Endpoints, News, OpenEvent, Told,
    endpoints::{self, endpoint_columns, event_columns, names},
    values,
};

#[async_trait]
impl Endpoints for PostgresStore {
    async fn create_endpoint(&self, new: Endpoint, most: u32, record: AuditRecord) -> crate::Result<bool> {
        write!(self, durable!("create_endpoint"), |db| create(
            db, &new, most, &record
        ))
    }

    async fn endpoints(&self, account: AccountId) -> crate::Result<Vec<Endpoint>> {
        read!(self, |db| all(db, account))
    }

    async fn endpoint_secrets(
        &self,
        account: AccountId,
        id: EndpointId,
    ) -> crate::Result<Option<SigningSecrets>> {
        read!(self, |db| secrets(db, account, id))
    }

    async fn update_endpoint(
        &self,
        account: AccountId,
        id: EndpointId,
        change: EndpointChange,
        record: AuditRecord,
    ) -> crate::Result<Option<Endpoint>> {
        write!(self, durable!("update_endpoint"), |db| {
            update(db, account, id, &change, &record)
        })
    }

    async fn delete_endpoint(
        &self,
        account: AccountId,
        id: EndpointId,
        now: Timestamp,
        record: AuditRecord,
    ) -> crate::Result<bool> {
        write!(self, durable!("delete_endpoint"), |db| {
            delete(db, account, id, now, &record)
        })
    }

    async fn set_low_balance(
        &self,
        account: AccountId,
        threshold: Option<i64>,
        now: Timestamp,
        record: AuditRecord,
    ) -> crate::Result<Option<Account>> {
        write!(self, durable!("set_low_balance"), |db| {
            set_low_balance(db, account, threshold, now, &record)
        })
    }

    async fn open_events(&self, limit: u32) -> crate::Result<Vec<OpenEvent>> {
        read!(self, |db| open(db, limit))
    }

    async fn tell(&self, told: Vec<Told>, now: Timestamp) -> crate::Result<u32> {
        let made = write!(self, fenced!("tell"), |db| tell(db, &told, now))?;
        if made > 0 {
            self.inner.teller.tell(News::Delivery);
        }
        Ok(made)
    }
}

async fn all(db: &Db, account: AccountId) -> Result<Vec<Endpoint>> {
    const SQL: &str = concat!(
        "SELECT ",
        endpoint_columns!(),
        " FROM webhook_endpoints w WHERE w.account = $1 AND w.deleted_at IS NULL ORDER BY w.id"
    );
    let found = rows(db, SQL, &[&account.0]).await?;
    found.iter().map(endpoints::endpoint).collect()
}

async fn secrets(db: &Db, account: AccountId, id: EndpointId) -> Result<Option<SigningSecrets>> {
    let sql = "SELECT signing_secret, previous_secret, previous_secret_until FROM webhook_endpoints
               WHERE id = $1 AND account = $2";
    let found = row(db, sql, &[&id.0, &account.0]).await?;
    found.map(|found| values::secrets(&found, 0)).transpose()
}

/// Its endpoints change one after the other, and not while its generations end.
async fn lock(db: &Db, account: AccountId) -> Result<()> {
    let sql = "SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE";
    row(db, sql, &[&account.0]).await?;
    Ok(())
}

async fn create(db: &Db, new: &Endpoint, most: u32, record: &AuditRecord) -> Result<bool> {
    lock(db, new.account).await?;
    if all(db, new.account).await?.len() >= most as usize {
        return Ok(false);
    }
    execute(
        db,
        "INSERT INTO webhook_endpoints (id, account, url, events, enabled, signing_secret, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        &[
            &new.id.0,
            &new.account.0,
            &text(&new.url),
            &names(&new.events),
            &new.enabled,
            &new.secrets.current,
            &new.created_at.0,
        ],
    )
    .await?;
    changes::record(db, record).await?;
    Ok(true)
}

async fn update(
    db: &Db,
    account: AccountId,
    id: EndpointId,
    change: &EndpointChange,
    record: &AuditRecord,
) -> Result<Option<Endpoint>> {
    lock(db, account).await?;
    let found = all(db, account).await?.into_iter().find(|one| one.id == id);
    let Some(mut endpoint) = found else {
        return Ok(None);
    };
    change.clone().apply(&mut endpoint);
    let previous = endpoint.secrets.previous.as_ref();
    execute(
        db,
        "UPDATE webhook_endpoints SET url = $2, events = $3, enabled = $4, signing_secret = $5, previous_secret = $6,
                                      previous_secret_until = $7
         WHERE id = $1",
        &[
            &id.0,
            &text(&endpoint.url),
            &names(&endpoint.events),
            &endpoint.enabled,
            &endpoint.secrets.current,
            &previous.map(|(secret, _)| secret),
            &previous.map(|(_, until)| until.0),
        ],
    )
    .await?;
    changes::record(db, record).await?;
    Ok(Some(endpoint))
}

async fn delete(
    db: &Db,
    account: AccountId,
    id: EndpointId,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<bool> {
    lock(db, account).await?;
    let deleted = execute(
        db,
        "UPDATE webhook_endpoints SET deleted_at = $3 WHERE id = $1 AND account = $2 AND deleted_at IS NULL",
        &[&id.0, &account.0, &now.0],
    )
    .await?;
    if deleted == 0 {
        return Ok(false);
    }
    execute(
        db,
        "DELETE FROM deliveries WHERE account = $2 AND endpoint = $1 AND ended_at IS NULL AND attempts = 0",
        &[&id.0, &account.0],
    )
    .await?;
    execute(
        db,
        "UPDATE deliveries SET state = 'failed', ended_at = $3, worker = NULL
         WHERE account = $2 AND endpoint = $1 AND ended_at IS NULL",
        &[&id.0, &account.0, &now.0],
    )
    .await?;
    changes::record(db, record).await?;
    Ok(true)
}

async fn set_low_balance(
    db: &Db,
    account: AccountId,
    threshold: Option<i64>,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<Option<Account>> {
    execute(
        db,
        "UPDATE accounts SET low_balance = $2,
                             low_since = CASE WHEN available < $2 THEN coalesce(low_since, $3) END
         WHERE id = $1",
        &[&account.0, &threshold, &now.0],
    )
    .await?;
    changes::record(db, record).await?;
    accounts::by_id(db, account).await
}

async fn open(db: &Db, limit: u32) -> Result<Vec<OpenEvent>> {
    const SQL: &str = concat!("SELECT ", event_columns!(), " FROM webhook_events LIMIT $1");
    let found = rows(db, SQL, &[&i64::from(limit)]).await?;
    found.iter().map(endpoints::event).collect()
}

async fn tell(db: &Db, told: &[Told], now: Timestamp) -> Result<u32> {
    let ids: Vec<Uuid> = told.iter().map(|one| one.event).collect();
    let sql = "DELETE FROM webhook_events WHERE id IN (SELECT id FROM webhook_events WHERE id = ANY($1)
                                                       ORDER BY id FOR UPDATE) RETURNING id";
    let open = rows(db, sql, &[&ids]).await?;
    let open: Vec<Uuid> = open.iter().map(|found| get(found, 0)).collect::<Result<_>>()?;
    let mut made = 0;
    for one in told.iter().filter(|one| open.contains(&one.event)) {
        for new in &one.deliveries {
            execute(
                db,
                "INSERT INTO deliveries (id, about, endpoint, account, state, epoch, attempts, due_at, created_at,
                                         event, host, url, body)
                 SELECT $1, $2, id, $4, 'pending', 0, 0, $5, $5, $6, $7, $8, $9 FROM webhook_endpoints
                 WHERE id = $3 AND deleted_at IS NULL",
                &[
                    &new.id.0,
                    &one.about.map(|id| id.0),
                    &new.endpoint.map(|id| id.0),
                    &one.account.0,
                    &now.0,
                    &new.event.as_str(),
                    &text(&new.host),
                    &text(&new.url),
                    &new.body,
                ],
            )
            .await?;
            made += 1;
        }
    }
    Ok(made)
}
