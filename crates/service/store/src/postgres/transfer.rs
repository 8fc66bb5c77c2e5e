//! The receiving side of a move from another store: one transaction that fills an empty database.

use std::io::Cursor;

use deadpool_postgres::{Object, Pool};
use tokio_postgres::CopyInSink;

use super::{
    PostgresUrl, audit, connection,
    error::{Error, Result},
    schema,
    write::the_row,
};
use crate::{Audit, StoreError};

/// Without limits of time: a copy takes as long as it takes, and nobody waits for its locks. `nodes` is locked, too, so
/// that a node that starts meanwhile waits.
const BEGIN: &str = "BEGIN;
    SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    LOCK TABLE accounts, nodes IN SHARE ROW EXCLUSIVE MODE";

/// Rows of tables with numbers come with them; new ones continue.
const NUMBERS: &str = "
    SELECT setval(pg_get_serial_sequence('entries', 'id'), greatest((SELECT max(id) FROM entries), 1));
    SELECT setval(pg_get_serial_sequence('changes', 'id'), greatest((SELECT max(id) FROM changes), 1))";

/// Connects, and brings the schema up to date.
pub(crate) async fn open(url: &PostgresUrl) -> crate::Result<Pool> {
    let pool = connection::pool(url, 1)?;
    schema::migrate(url, &pool).await?;
    Ok(pool)
}

pub(crate) fn failed(table: &str, error: tokio_postgres::Error) -> StoreError {
    let why = StoreError::from(Error::from(error));
    StoreError::Internal(format!("the table {table} could not be filled: {why}"))
}

/// An open transaction on an empty database. If this is dropped, nothing was written: its connection ends.
pub(crate) struct Target {
    db: Object,
}

impl Target {
    /// Begins the transaction. Refuses a database that has rows in one of the tables.
    pub(crate) async fn begin(pool: &Pool, tables: impl Iterator<Item = &str>) -> crate::Result<Self> {
        let db = pool.get().await.map_err(Error::from)?;
        db.batch_execute(BEGIN).await.map_err(Error::from)?;
        let target = Self { db };
        for table in tables.chain(["nodes"]) {
            if target.count(table).await? > 0 {
                return Err(StoreError::Internal(format!(
                    "the PostgreSQL database is not empty: it has rows in the table {table}"
                )));
            }
        }
        Ok(target)
    }

    pub(crate) async fn count(&self, table: &str) -> crate::Result<u64> {
        Ok(self
            .number(&format!("SELECT count(*) FROM {table}"))
            .await?
            .unsigned_abs())
    }

    /// Takes rows in the text format of `COPY`.
    pub(crate) async fn copy_in(
        &self,
        table: &str,
        columns: &str,
    ) -> crate::Result<CopyInSink<Cursor<Vec<u8>>>> {
        let sql = format!("COPY {table} ({columns}) FROM STDIN");
        let sink = self.db.copy_in(&sql).await;
        sink.map_err(|error| failed(table, error))
    }

    /// Sets what has no rows of its own, audits everything and commits. `stored` are the bytes of all stored files.
    pub(crate) async fn complete(self, api_enabled: bool, stored: i64) -> crate::Result<Audit> {
        let enable = format!("UPDATE settings SET api_enabled = {api_enabled}");
        self.db.batch_execute(&enable).await.map_err(Error::from)?;
        self.db.batch_execute(NUMBERS).await.map_err(Error::from)?;
        let counted = self
            .number("SELECT coalesce(sum(bytes), 0)::bigint FROM storage")
            .await?;
        if counted != stored {
            return Err(StoreError::Internal(format!(
                "the stored files have {stored} bytes, but {counted} were counted"
            )));
        }
        let audit = audit::audit(&self.db).await?;
        if let Some(first) = audit.violations.first() {
            return Err(StoreError::Internal(format!(
                "the data has {} problems; the first: {first}",
                audit.violations.len()
            )));
        }
        self.db.batch_execute("COMMIT").await.map_err(Error::from)?;
        self.db.batch_execute("ANALYZE").await.map_err(Error::from)?;
        Ok(audit)
    }

    async fn number(&self, sql: &str) -> Result<i64> {
        Ok(the_row(&self.db, sql, &[]).await?.try_get(0)?)
    }
}
