//! The resources that a PostgreSQL server uses: the processor time of all its processes, the bytes of its log, and the
//! statements that it was sent.

use std::time::Duration;

use tokio_postgres::{Client, NoTls};

use crate::{
    error::{Error, Result},
    machine,
};

/// A connection that asks a server on this machine what it has used.
pub(crate) struct Database {
    client: Client,
    /// The process that starts all others of the server; `None`: the server is on another machine.
    first: Option<u32>,
    counts_statements: bool,
}

/// The resources used up to a moment, or between two.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Used {
    /// `None`: the server is on another machine.
    pub(crate) cpu: Option<Duration>,
    pub(crate) log_bytes: i64,
    /// Statements and commits; `None`: the server has no `pg_stat_statements`.
    pub(crate) statements: Option<(i64, i64)>,
}

impl Used {
    pub(crate) fn since(self, before: Self) -> Self {
        Self {
            cpu: self
                .cpu
                .zip(before.cpu)
                .map(|(now, then)| now.saturating_sub(then)),
            log_bytes: self.log_bytes - before.log_bytes,
            statements: self
                .statements
                .zip(before.statements)
                .map(|(now, then)| (now.0 - then.0, now.1 - then.1)),
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.cpu = add(self.cpu, other.cpu, |one, other| one + other);
        self.log_bytes += other.log_bytes;
        self.statements = add(self.statements, other.statements, |one, other| {
            (one.0 + other.0, one.1 + other.1)
        });
    }
}

fn add<T>(one: Option<T>, other: Option<T>, sum: fn(T, T) -> T) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(sum(one, other)),
        (one, other) => one.or(other),
    }
}

impl Database {
    pub(crate) async fn connect(url: &str) -> Result<Self> {
        let client = connect(url).await?;
        let row = client
            .query_one("SELECT pg_backend_pid(), inet_server_addr() IS NULL", &[])
            .await
            .map_err(failed)?;
        let (pid, is_local): (i32, bool) = (row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?);
        let pid = u32::try_from(pid).unwrap_or_default();
        let counts = client
            .execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements", &[])
            .await
            .is_ok()
            && client.query_one(STATEMENTS, &[]).await.is_ok();
        Ok(Self {
            client,
            first: is_local.then(|| machine::parent(pid)).flatten(),
            counts_statements: counts,
        })
    }

    pub(crate) async fn used(&self) -> Result<Used> {
        let log = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint";
        let row = self.client.query_one(log, &[]).await.map_err(failed)?;
        let statements = if self.counts_statements {
            let row = self.client.query_one(STATEMENTS, &[]).await.map_err(failed)?;
            Some((row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?))
        } else {
            None
        };
        Ok(Used {
            cpu: self.first.map(machine::cpu_time_of_all).transpose()?,
            log_bytes: row.try_get(0).map_err(failed)?,
            statements,
        })
    }
}

const STATEMENTS: &str = "SELECT coalesce(sum(calls), 0)::bigint,
            coalesce(sum(calls) FILTER (WHERE upper(query) = 'COMMIT'), 0)::bigint
     FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())";

/// A connection whose error is also that of the statement which waits for it.
pub(crate) async fn connect(url: &str) -> Result<Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.map_err(failed)?;
    tokio::spawn(async move { connection.await.ok() });
    Ok(client)
}

/// Refuses a database that has tables: rows write to it, and remove everything at their end.
pub(crate) async fn check_empty(url: &str) -> Result<()> {
    let sql = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()";
    let row = connect(url).await?.query_one(sql, &[]).await.map_err(failed)?;
    match row.try_get::<_, i64>(0).map_err(failed)? {
        0 => Ok(()),
        tables => {
            let message = format!("--postgres must name an empty database; this one has {tables} tables");
            Err(Error::Unexpected(message))
        }
    }
}

/// Makes a place in the database for another service, and returns its URL.
pub(crate) async fn beside(url: &str) -> Result<String> {
    let made = connect(url).await?.batch_execute("CREATE SCHEMA beside").await;
    made.map_err(failed)?;
    let next = if url.contains('?') { '&' } else { '?' };
    Ok(format!("{url}{next}options=-c%20search_path%3Dbeside"))
}

/// Removes everything that a row has written.
pub(crate) async fn clear(url: &str) -> Result<()> {
    let sql = "DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA IF EXISTS beside CASCADE";
    connect(url).await?.batch_execute(sql).await.map_err(failed)
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
pub(crate) fn failed(error: tokio_postgres::Error) -> Error {
    Error::Unexpected(format!("PostgreSQL: {error}"))
}
