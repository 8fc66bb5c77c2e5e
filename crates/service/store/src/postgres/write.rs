//! How operations reach the database: a write is a task of its own, so that nobody who goes away takes it along,
//! and one whole transaction, tried again where that is safe.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use deadpool_postgres::{ClientWrapper, Object, Pool};
use tokio::sync::Semaphore;
use tokio_postgres::{Row, types::ToSql};
use tokio_util::task::TaskTracker;

use super::{
    error::{Error, Result, closed},
    news::Teller,
};
use crate::{Fault, Faults, StoreError};

/// Writes that may be under way; one more is refused at once.
const PENDING: usize = 4_096;

/// A connection, inside of a transaction where it is a write.
pub(super) type Db = ClientWrapper;

/// A kind of write: what its answer promises, whether it may be done twice, and its places for faults.
#[derive(Debug, Clone, Copy)]
pub(super) struct Op {
    pub(super) durable: bool,
    /// Doing it once more does no harm: its second time finds that it has been done, or makes the same of it.
    pub(super) repeatable: bool,
    /// How long it may take, all tries together.
    pub(super) deadline: Option<Duration>,
    pub(super) before: &'static str,
    pub(super) after: &'static str,
}

macro_rules! op {
    ($name:literal, $durable:literal, $repeatable:literal, $deadline:expr) => {
        $crate::postgres::write::Op {
            durable: $durable,
            repeatable: $repeatable,
            deadline: $deadline,
            before: concat!($name, ".before_commit"),
            after: concat!($name, ".after_commit"),
        }
    };
}

/// By its method's name; its answer means that it is on the disk, and it counts every time that it is done.
macro_rules! durable {
    ($name:literal) => {
        $crate::postgres::write::op!($name, true, false, None)
    };
}

/// On the disk too; an epoch, a unique row or its own effect keeps it from counting twice.
macro_rules! fenced {
    ($name:literal) => {
        $crate::postgres::write::op!($name, true, true, None)
    };
}

/// Power loss may undo it after its answer.
macro_rules! fleeting {
    ($name:literal) => {
        $crate::postgres::write::op!($name, false, true, None)
    };
}

/// The same, within a few seconds: whoever renews leases must learn in time that they could not. The settings of the
/// connection do not help if the server as a whole hangs.
macro_rules! prompt {
    ($name:literal) => {
        $crate::postgres::write::op!($name, false, true, Some($crate::postgres::write::PROMPT))
    };
}

/// Runs `|db| future` in a transaction and commits it: `write!(store, durable!("grant"), |db| …)`.
macro_rules! write {
    ($store:expr, $op:expr, |$db:ident| $work:expr) => {{
        let (inner, op) = (std::sync::Arc::clone(&$store.inner), $op);
        let doing = std::sync::Arc::clone(&inner);
        inner
            .spawn(op, async move {
                let mut tries = $crate::postgres::error::Tries::new(op);
                loop {
                    let tried = async {
                        let transaction = doing.begin(op).await?;
                        let $db = transaction.db();
                        match $work.await {
                            Ok(done) => transaction.commit(&doing, op).await.map(|()| done),
                            Err(error) => Err(transaction.roll_back(error).await),
                        }
                    }
                    .await;
                    match tried {
                        Err(error) if tries.again(&error).await => {}
                        tried => return tried.map_err($crate::StoreError::from),
                    }
                }
            })
            .await
    }};
}

/// Runs `|db| future` on a connection without a transaction: for one statement.
macro_rules! read {
    ($store:expr, |$db:ident| $work:expr) => {
        $crate::postgres::write::again!({
            let connection = $store.inner.connection().await?;
            let $db: &$crate::postgres::write::Db = &connection;
            $work.await
        })
    };
}

/// Runs `|db| future` on one state of the database, however many statements it takes.
macro_rules! snapshot {
    ($store:expr, |$db:ident| $work:expr) => {
        $crate::postgres::write::again!({
            let transaction = $store.inner.begin_snapshot().await?;
            let $db = transaction.db();
            match $work.await {
                Ok(found) => transaction.end().await.map(|()| found),
                Err(error) => Err(transaction.roll_back(error).await),
            }
        })
    };
}

/// Reads again where the connection was lost: a pool may keep some that the server has closed.
macro_rules! again {
    ($read:expr) => {{
        let mut tries = $crate::postgres::error::Tries::new($crate::postgres::write::READ);
        loop {
            let tried: $crate::postgres::error::Result<_> = async { $read }.await;
            match tried {
                Err(error) if tries.again(&error).await => {}
                tried => break tried.map_err($crate::StoreError::from),
            }
        }
    }};
}

pub(super) use {again, durable, fenced, fleeting, op, prompt, read, snapshot, write};

/// The deadline of a prompt write.
pub(super) const PROMPT: Duration = Duration::from_secs(5);

/// What a read is to whoever counts its tries.
pub(super) const READ: Op = fleeting!("read");

/// What every operation needs of the store.
#[derive(Debug)]
pub(super) struct Inner {
    pub(super) pool: Pool,
    pub(super) teller: Teller,
    pub(super) tasks: TaskTracker,
    pub(super) is_closed: AtomicBool,
    faults: Option<Arc<dyn Faults>>,
    pending: Arc<Semaphore>,
}

impl Inner {
    pub(super) fn new(pool: Pool, teller: Teller, faults: Option<Arc<dyn Faults>>) -> Self {
        Self {
            pool,
            teller,
            tasks: TaskTracker::new(),
            is_closed: AtomicBool::new(false),
            faults,
            pending: Arc::new(Semaphore::new(PENDING)),
        }
    }

    pub(super) fn refuse_when_closed(&self) -> Result<(), StoreError> {
        if self.is_closed.load(Ordering::Acquire) {
            Err(closed())
        } else {
            Ok(())
        }
    }

    /// Has it done whether or not anybody waits for the answer.
    pub(super) async fn spawn<T: Send + 'static>(
        &self,
        op: Op,
        work: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.refuse_when_closed()?;
        let place = Arc::clone(&self.pending)
            .try_acquire_owned()
            .map_err(|_| StoreError::Busy)?;
        let task = self.tasks.spawn(async move {
            let done = within(op.deadline, work).await;
            drop(place);
            done
        });
        task.await
            .map_err(|error| StoreError::Internal(format!("a write ended early: {error}")))?
    }

    pub(super) async fn connection(&self) -> Result<Object> {
        self.refuse_when_closed()?;
        Ok(self.pool.get().await?)
    }

    pub(super) async fn begin(&self, op: Op) -> Result<Transaction> {
        // A commit under `off` survives the end of every process; power loss may undo it, until a later commit
        // of another kind has made everything before it durable.
        Transaction::begin(
            self.pool.get().await?,
            if op.durable {
                "BEGIN"
            } else {
                "BEGIN; SET LOCAL synchronous_commit TO off"
            },
        )
        .await
    }

    pub(super) async fn begin_snapshot(&self) -> Result<Transaction> {
        Transaction::begin(
            self.connection().await?,
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        )
        .await
    }

    fn reach_before(&self, op: Op) -> Result<()> {
        match self.faults.as_ref().and_then(|faults| faults.reach(op.before)) {
            None => Ok(()),
            Some(Fault::Abort) => std::process::abort(),
            Some(Fault::DiskFull) => Err(StoreError::Full.into()),
        }
    }

    fn reach_after(&self, op: Op) {
        if self.faults.as_ref().and_then(|faults| faults.reach(op.after)) == Some(Fault::Abort) {
            std::process::abort();
        }
    }
}

/// Ends work that takes longer than its deadline. Its connection is closed with it, so that nothing is committed later.
async fn within<T>(
    deadline: Option<Duration>,
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let Some(deadline) = deadline else {
        return work.await;
    };
    let late = |_| {
        let seconds = deadline.as_secs();
        StoreError::Unavailable(format!("the database did not answer within {seconds} s"))
    };
    tokio::time::timeout(deadline, work)
        .await
        .unwrap_or_else(|elapsed| Err(late(elapsed)))
}

/// A connection in the middle of a transaction. One that is dropped so is closed, which undoes it: whoever takes a
/// connection from the pool can rely on its being clean.
#[derive(Debug)]
pub(super) struct Transaction(Option<Object>);

impl Transaction {
    async fn begin(connection: Object, begin: &str) -> Result<Self> {
        let transaction = Self(Some(connection));
        transaction.db().batch_execute(begin).await?;
        Ok(transaction)
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
        // Back to the pool.
        self.0.take();
        Ok(())
    }

    /// Undoes it because of this error, which it gives back.
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

pub(super) type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

pub(super) async fn rows(db: &Db, sql: &str, parameters: Parameters<'_>) -> Result<Vec<Row>> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.query(&statement, parameters).await?)
}

/// The one row that there is at most.
pub(super) async fn row(db: &Db, sql: &str, parameters: Parameters<'_>) -> Result<Option<Row>> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.query_opt(&statement, parameters).await?)
}

/// The one row that there always is.
pub(super) async fn the_row(db: &Db, sql: &str, parameters: Parameters<'_>) -> Result<Row> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.query_one(&statement, parameters).await?)
}

/// How many rows it changed.
pub(super) async fn execute(db: &Db, sql: &str, parameters: Parameters<'_>) -> Result<u64> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.execute(&statement, parameters).await?)
}

/// One more condition: that this column is the parameter of this number.
pub(super) fn and(sql: &mut String, column: &str, number: usize) {
    sql.push_str(" AND ");
    sql.push_str(column);
    sql.push_str(" = $");
    sql.push_str(&number.to_string());
}
