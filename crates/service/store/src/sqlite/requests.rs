//! The log of API requests.

use async_trait::async_trait;
use atelier_domain::{AccountId, GenerationId, KeyId, RequestId, Timestamp};
use rusqlite::{Connection, Row, params};
use uuid::Uuid;

use super::{SqliteStore, writer::fleeting};
use crate::{LoggedRequest, RequestFilter, RequestPage, Requests, Result};

const MATCHES: &str = "account = ?1 AND id >= ?2 AND id < ?3 AND status BETWEEN ?4 AND ?5
                       AND (?6 IS NULL OR key = ?6)";

#[async_trait]
impl Requests for SqliteStore {
    async fn log_requests(&self, requests: Vec<LoggedRequest>) -> Result<()> {
        self.writer
            .write(fleeting!("log_requests"), move |db| log(db, &requests))
            .await
    }

    async fn list_requests(
        &self,
        account: AccountId,
        filter: RequestFilter,
        before: Option<RequestId>,
        limit: u32,
    ) -> Result<RequestPage> {
        self.scan_of(account, move |db| list(db, account, filter, before, limit))
            .await
    }
}

fn log(db: &Connection, requests: &[LoggedRequest]) -> Result<()> {
    let mut write = db.prepare_cached(
        "INSERT INTO requests (id, account, key, at, method, path, status, code, latency_ms, request_id, generation,
                               count)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
         ON CONFLICT (id) DO UPDATE SET count = excluded.count, latency_ms = excluded.latency_ms
             WHERE excluded.count > requests.count",
    )?;
    for one in requests {
        write.execute(params![
            one.id.0,
            one.account.0,
            one.key.map(|key| key.0),
            one.at.0,
            one.method,
            one.path,
            one.status,
            one.code,
            one.latency_ms,
            one.request_id,
            one.generation.map(|id| id.0),
            one.count,
        ])?;
    }
    Ok(())
}

pub(super) fn list(
    db: &Connection,
    account: AccountId,
    filter: RequestFilter,
    before: Option<RequestId>,
    limit: u32,
) -> Result<RequestPage> {
    let (least, most) = filter.statuses();
    let key = filter.key.map(|key| key.0);
    let (from, until) = filter.ids(None);
    // The index alone has what the filter asks for.
    let total: i64 = db
        .prepare_cached(&format!(
            "SELECT count(*) FROM requests INDEXED BY requests_by_account WHERE {MATCHES}"
        ))?
        .query_row(params![account.0, from, until, least, most, key], |row| {
            row.get(0)
        })?;
    let (from, until) = filter.ids(before);
    let items = db
        .prepare_cached(&format!(
            "SELECT id, account, key, at, method, path, status, code, latency_ms, request_id, generation, count
             FROM requests INDEXED BY requests_by_account WHERE {MATCHES} ORDER BY id DESC LIMIT ?7"
        ))?
        .query_and_then(
            params![account.0, from, until, least, most, key, i64::from(limit) + 1],
            read,
        )?
        .collect::<Result<Vec<_>>>()?;
    Ok(RequestPage::new(items, total, limit))
}

fn read(row: &Row<'_>) -> Result<LoggedRequest> {
    Ok(LoggedRequest {
        id: RequestId(row.get(0)?),
        account: AccountId(row.get(1)?),
        key: row.get::<_, Option<Uuid>>(2)?.map(KeyId),
        at: Timestamp(row.get(3)?),
        method: row.get(4)?,
        path: row.get(5)?,
        status: row.get(6)?,
        code: row.get(7)?,
        latency_ms: row.get(8)?,
        request_id: row.get(9)?,
        generation: row.get::<_, Option<Uuid>>(10)?.map(GenerationId),
        count: row.get(11)?,
    })
}
