//! Transactions, and the connections that they run on.
//!
//! Each wait for an answer costs both sides more than a small statement does, and rows stay locked meanwhile. So the
//! writes of each job are pipelined: they send the beginning together with what they read, and what they write together
//! with the commit.

use deadpool_postgres::Object;
use futures::future::{try_join, try_join_all};
use tokio_postgres::{Row, Statement, types::ToSql};

use super::{
    error::{Error, Result},
    write::{Db, Inner, Op, Parameters},
};

/// A connection inside a transaction or a read. If it is dropped there, it is closed, which rolls the transaction back:
/// every connection in the pool is clean, and none waits for an earlier answer.
#[derive(Debug)]
pub(super) struct Transaction(pub(super) Option<Object>);

impl Transaction {
    pub(super) async fn begun(self, begin: &str) -> Result<Self> {
        self.db().batch_execute(begin).await?;
        Ok(self)
    }

    pub(super) fn db(&self) -> &Db {
        self.0
            .as_ref()
            .expect("it is taken only where the transaction ends")
    }

    pub(super) async fn commit(self, inner: &Inner, op: Op) -> Result<()> {
        if let Err(full) = inner.reach_before(op) {
            return Err(self.roll_back(full).await);
        }
        match self.end().await {
            Ok(()) => {
                inner.reach_after(op);
                Ok(())
            }
            Err(error) if error.is_lost_connection() => Err(Error::Unknown),
            Err(error) => Err(error),
        }
    }

    pub(super) async fn end(mut self) -> Result<()> {
        self.db().batch_execute("COMMIT").await?;
        self.0.take();
        Ok(())
    }

    /// Ends a read without a transaction.
    pub(super) fn back_to_pool(mut self) {
        self.0.take();
    }

    /// Rolls back because of this error, and returns it.
    pub(super) async fn roll_back(mut self, error: Error) -> Error {
        if !error.is_lost_connection() && self.db().batch_execute("ROLLBACK").await.is_ok() {
            self.0.take();
        }
        error
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if let Some(connection) = self.0.take() {
            drop(Object::take(connection));
        }
    }
}

/// A statement that writes, and its parameters.
pub(super) type Write<'a> = (&'static str, Vec<&'a (dyn ToSql + Sync)>);

/// A transaction that is not begun yet, whose statements are sent together.
#[derive(Debug)]
pub(super) struct Pipeline<'a> {
    pub(super) db: &'a Db,
    pub(super) inner: &'a Inner,
    pub(super) op: Op,
    pub(super) begin: String,
}

impl Pipeline<'_> {
    /// Begins and reads. If the beginning fails, the read is outside of a transaction, and nothing follows it.
    pub(super) async fn begin(&self, sql: &str, parameters: Parameters<'_>) -> Result<Vec<Row>> {
        let statement = self.db.prepare_cached(sql).await?;
        let begin = self.db.batch_execute(&self.begin);
        // Polled in this order, which is the order in which they are sent.
        let ((), found) = try_join(begin, self.db.query(&statement, parameters)).await?;
        Ok(found)
    }

    /// Writes without an end of the transaction.
    pub(super) async fn write(&self, writes: &[Write<'_>]) -> Result<()> {
        execute_all(self.db, writes).await
    }

    /// Writes and commits. After a write that fails, the commit is a rollback.
    pub(super) async fn commit(&self, writes: &[Write<'_>]) -> Result<()> {
        let prepared = prepare(self.db, writes).await?;
        self.inner.reach_before(self.op)?;
        let writes = try_join_all(
            prepared
                .iter()
                .map(|(statement, parameters)| self.db.execute(statement, parameters)),
        );
        self.end(writes).await.map(|_| ())
    }

    /// A whole transaction of one statement.
    pub(super) async fn only(&self, sql: &str, parameters: Parameters<'_>) -> Result<Vec<Row>> {
        let statement = self.db.prepare_cached(sql).await?;
        self.inner.reach_before(self.op)?;
        let begin = self.db.batch_execute(&self.begin);
        let written = try_join(begin, self.db.query(&statement, parameters));
        self.end(written).await.map(|((), found)| found)
    }

    /// Commits what these futures write. They send it when they are polled first.
    async fn end<T>(&self, written: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T> {
        match try_join(written, self.db.batch_execute("COMMIT")).await {
            Ok((written, ())) => {
                self.inner.reach_after(self.op);
                Ok(written)
            }
            Err(error) => match Error::from(error) {
                error if error.is_lost_connection() => Err(Error::Unknown),
                error => Err(error),
            },
        }
    }
}

async fn prepare<'a>(db: &Db, writes: &'a [Write<'_>]) -> Result<Vec<(Statement, Parameters<'a>)>> {
    let mut prepared = Vec::new();
    for (sql, parameters) in writes {
        prepared.push((db.prepare_cached(sql).await?, parameters.as_slice()));
    }
    Ok(prepared)
}

/// Sends all of these together.
pub(super) async fn execute_all(db: &Db, writes: &[Write<'_>]) -> Result<()> {
    let prepared = prepare(db, writes).await?;
    let writes = prepared
        .iter()
        .map(|(statement, parameters)| db.execute(statement, parameters));
    try_join_all(writes).await?;
    Ok(())
}
