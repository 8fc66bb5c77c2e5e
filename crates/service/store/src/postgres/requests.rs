//! The log of API requests.

use async_trait::async_trait;
use atelier_domain::{AccountId, GenerationId, KeyId, RequestId, Timestamp};
use tokio_postgres::Row;
use uuid::Uuid;

use super::{
    PostgresStore,
    error::Result,
    row::{get, optional_text, text, unreadable},
    write::{Db, execute, fleeting, rows, snapshot, the_row, write},
};
use crate::{LoggedRequest, RequestFilter, RequestPage, Requests};

#[async_trait]
impl Requests for PostgresStore {
    async fn log_requests(&self, requests: Vec<LoggedRequest>) -> crate::Result<()> {
        write!(self, fleeting!("log_requests"), |db| log(db, &requests))
    }

    async fn list_requests(
        &self,
        account: AccountId,
        filter: RequestFilter,
        before: Option<RequestId>,
        limit: u32,
    ) -> crate::Result<RequestPage> {
        snapshot!(self, of account, |db| list(db, account, filter, before, limit))
    }
}

// In the order of their ids, so that two nodes never wait for each other.
const LOG: &str = "INSERT INTO requests AS r (id, account, key, at, method, path, status, code, latency_ms, request_id,
                                   generation, count)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::bigint[],
                          $8::text[], $9::bigint[], $10::text[], $11::uuid[], $12::bigint[])
     ON CONFLICT (id) DO UPDATE SET count = excluded.count, latency_ms = excluded.latency_ms
         WHERE excluded.count > r.count";

async fn log(db: &Db, requests: &[LoggedRequest]) -> Result<()> {
    fn column<T>(requests: &[LoggedRequest], of: impl Fn(&LoggedRequest) -> T) -> Vec<T> {
        requests.iter().map(of).collect()
    }
    execute(
        db,
        LOG,
        &[
            &column(requests, |one| one.id.0),
            &column(requests, |one| one.account.0),
            &column(requests, |one| one.key.map(|key| key.0)),
            &column(requests, |one| one.at.0),
            &column(requests, |one| text(&one.method).into_owned()),
            &column(requests, |one| text(&one.path).into_owned()),
            &column(requests, |one| i64::from(one.status)),
            &column(requests, |one| {
                optional_text(one.code.as_ref()).map(std::borrow::Cow::into_owned)
            }),
            &column(requests, |one| i64::from(one.latency_ms)),
            &column(requests, |one| text(&one.request_id).into_owned()),
            &column(requests, |one| one.generation.map(|id| id.0)),
            &column(requests, |one| i64::from(one.count)),
        ],
    )
    .await?;
    Ok(())
}

async fn list(
    db: &Db,
    account: AccountId,
    filter: RequestFilter,
    before: Option<RequestId>,
    limit: u32,
) -> Result<RequestPage> {
    const MATCHES: &str = "account = $1 AND id >= $2 AND id < $3 AND status BETWEEN $4 AND $5
                           AND ($6::uuid IS NULL OR key = $6)";
    let (least, most) = filter.statuses();
    let key = filter.key.map(|key| key.0);
    let (from, until) = filter.ids(None);
    let total = the_row(
        db,
        &format!("SELECT count(*) FROM requests WHERE {MATCHES}"),
        &[&account.0, &from, &until, &least, &most, &key],
    )
    .await?;
    let (from, until) = filter.ids(before);
    let found = rows(
        db,
        &format!(
            "SELECT id, account, key, at, method, path, status, code, latency_ms, request_id, generation, count
             FROM requests WHERE {MATCHES} ORDER BY id DESC LIMIT $7"
        ),
        &[
            &account.0,
            &from,
            &until,
            &least,
            &most,
            &key,
            &(i64::from(limit) + 1),
        ],
    )
    .await?;
    let items = found.iter().map(read).collect::<Result<Vec<_>>>()?;
    Ok(RequestPage::new(items, get(&total, 0)?, limit))
}

fn read(row: &Row) -> Result<LoggedRequest> {
    fn small<T: TryFrom<i64, Error: std::fmt::Display>>(row: &Row, column: usize) -> Result<T> {
        T::try_from(get::<i64>(row, column)?).map_err(|error| unreadable(&error))
    }
    Ok(LoggedRequest {
        id: RequestId(get(row, 0)?),
        account: AccountId(get(row, 1)?),
        key: get::<Option<Uuid>>(row, 2)?.map(KeyId),
        at: Timestamp(get(row, 3)?),
        method: get(row, 4)?,
        path: get(row, 5)?,
        status: small(row, 6)?,
        code: get(row, 7)?,
        latency_ms: small(row, 8)?,
        request_id: get(row, 9)?,
        generation: get::<Option<Uuid>>(row, 10)?.map(GenerationId),
        count: small(row, 11)?,
    })
}
