//! How operations reach the database. A write is a task of its own, so that it continues if its caller is dropped. It
//! is one whole transaction, and is tried again if that is safe.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use atelier_domain::AccountId;
use deadpool_postgres::{ClientWrapper, Pool};
use tokio::sync::{Semaphore, oneshot};
use tokio_postgres::{Row, types::ToSql};
use tokio_util::task::TaskTracker;

use super::{
    error::{Error, Result, closed},
    floor::Floor,
    news::Teller,
    transaction::Transaction,
};
use crate::{
    Fault, Faults, StoreError,
    shares::{Share, Shares},
};

/// The most writes in progress; further ones are refused immediately.
const PENDING: usize = 4_096;

/// A future behind a pointer. Without it the compiler would make a task of its own for each of 60 operations.
pub(super) type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A connection, inside a transaction for writes.
pub(super) type Db = ClientWrapper;

/// A kind of write: what its answer guarantees, whether it may run twice, and its points for faults.
#[derive(Debug, Clone, Copy)]
pub(super) struct Op {
    pub(super) durable: bool,
    /// Running it again does no harm: the second run finds that it was done, or has the same effect.
    pub(super) repeatable: bool,
    /// The limit of one try, from the wait for a connection to the commit. The timeouts of a connection do not help if
    /// the whole server hangs.
    pub(super) patience: Duration,
    /// The limit of all tries together.
    pub(super) deadline: Duration,
    pub(super) before: &'static str,
    pub(super) after: &'static str,
}

impl Op {
    /// A commit under `off` survives the end of every process. A power failure may undo it until a later durable
    /// commit makes everything before it durable.
    const fn begin(self) -> &'static str {
        if self.durable {
            "BEGIN"
        } else {
            "BEGIN; SET LOCAL synchronous_commit TO off"
        }
    }

    /// Of a write that happens with each job: its statements are planned once for each connection. Planning takes as
    /// long as running them. A table that is small when they are planned may grow.
    pub(super) fn begin_hot(self) -> String {
        format!(
            "{}; SET LOCAL plan_cache_mode TO force_generic_plan; {BY_ENTRY}",
            self.begin()
        )
    }
}

macro_rules! op {
    ($name:literal, $durable:literal, $repeatable:literal, $deadline:expr) => {
        $crate::postgres::write::Op {
            durable: $durable,
            repeatable: $repeatable,
            patience: $crate::postgres::write::PATIENCE,
            deadline: $deadline,
            before: concat!($name, ".before_commit"),
            after: concat!($name, ".after_commit"),
        }
    };
}

/// A write, by the name of its method, that is on the disk when it is answered, and that must not run twice.
macro_rules! durable {
    ($name:literal) => {
        $crate::postgres::write::op!($name, true, false, $crate::postgres::write::DEADLINE)
    };
}

/// A durable write that an epoch, a unique row or its own effect protects from counting twice.
macro_rules! fenced {
    ($name:literal) => {
        $crate::postgres::write::op!($name, true, true, $crate::postgres::write::DEADLINE)
    };
}

/// A write that a power failure may undo after the answer.
macro_rules! fleeting {
    ($name:literal) => {
        $crate::postgres::write::op!($name, false, true, $crate::postgres::write::DEADLINE)
    };
}

/// A fleeting write with one try: a worker must learn in time that its leases were not renewed.
macro_rules! prompt {
    ($name:literal) => {
        $crate::postgres::write::op!($name, false, true, $crate::postgres::write::PATIENCE)
    };
}

/// Runs `|db| future` in a transaction and commits it: `write!(store, durable!("grant"), |db| …)`.
/// `begins`: the future begins the transaction.
macro_rules! write {
    ($store:expr, $op:expr, |$db:ident| $work:expr) => {
        $crate::postgres::write::write!($store, $op, begin, |$db| $work)
    };
    ($store:expr, $op:expr, begins, |$db:ident| $work:expr) => {
        $crate::postgres::write::write!($store, $op, to_begin, |$db| $work)
    };
    ($store:expr, $op:expr, $begin:ident, |$db:ident| $work:expr) => {{
        let (inner, op) = (std::sync::Arc::clone(&$store.inner), $op);
        let doing = std::sync::Arc::clone(&inner);
        inner
            .spawn(Box::pin(async move {
                let mut tries = $crate::postgres::write::Tries::new(op);
                loop {
                    let tried = async {
                        let transaction = doing.$begin(op).await?;
                        let $db = transaction.db();
                        match $work.await {
                            Ok(done) => transaction.commit(&doing, op).await.map(|()| done),
                            Err(error) => Err(transaction.roll_back(error).await),
                        }
                    };
                    match tries.within(Box::pin(tried)).await {
                        Err(error) if tries.again(&error).await => {}
                        tried => return tried.map_err($crate::StoreError::from),
                    }
                }
            }))
            .await
    }};
}

/// Runs `|db| future` on a connection without a transaction: for one statement.
macro_rules! read {
    ($store:expr, |$db:ident| $work:expr) => {
        $crate::postgres::write::again!($crate::postgres::write::READ, {
            let connection = $store.inner.connection().await?;
            let $db = connection.db();
            let found = $work.await;
            connection.back_to_pool();
            found
        })
    };
}

/// Runs `|db| future` with all its statements on one state of the database. They may be many, or slow, so there is one
/// try; `long` is for commands of operators.
macro_rules! snapshot {
    ($store:expr, |$db:ident| $work:expr) => {
        $crate::postgres::write::snapshot!($store, $crate::postgres::write::SNAPSHOT, |$db| $work)
    };
    ($store:expr, long, |$db:ident| $work:expr) => {
        $crate::postgres::write::snapshot!($store, $crate::postgres::write::LONG, |$db| $work)
    };
    // Within the share of an account.
    ($store:expr, of $account:expr, |$db:ident| $work:expr) => {{
        let _share = $store.inner.share($account).await?;
        $crate::postgres::write::snapshot!($store, |$db| $work)
    }};
    ($store:expr, $op:expr, |$db:ident| $work:expr) => {
        $crate::postgres::write::again!($op, {
            let transaction = $store.inner.begin_snapshot().await?;
            let $db = transaction.db();
            match $work.await {
                Ok(found) => transaction.end().await.map(|()| found),
                Err(error) => Err(transaction.roll_back(error).await),
            }
        })
    };
}

/// Reads again if the connection was lost: a pool may keep connections that the server has closed.
macro_rules! again {
    ($op:expr, $read:expr) => {{
        let mut tries = $crate::postgres::write::Tries::new($op);
        loop {
            let tried: $crate::postgres::error::Result<_> = tries.within(Box::pin(async { $read })).await;
            match tried {
                Err(error) if tries.again(&error).await => {}
                tried => break tried.map_err($crate::StoreError::from),
            }
        }
    }};
}

/// What waits or runs, in words that only the index `generations_open` has. A server that expects none takes any index
/// that fits, and would read all of what has not ended.
macro_rules! is_open {
    () => {
        "coalesce(ended_at, 0) = 0"
    };
}

pub(super) use super::PATIENCE;
pub(super) use {again, durable, fenced, fleeting, is_open, op, prompt, read, snapshot, write};

/// The limit of all tries of an operation.
pub(super) const DEADLINE: Duration = Duration::from_secs(10);
/// How long a write waits for rows that somebody else has locked. The client is asked to try again later.
pub(super) const LOCK: Duration = Duration::from_millis(1_500);
/// The limit of an operator's command.
const COMMAND: Duration = Duration::from_hours(1);

/// A read, as far as its tries are concerned.
pub(super) const READ: Op = fleeting!("read");
pub(super) const SNAPSHOT: Op = Op {
    patience: DEADLINE,
    ..READ
};
pub(super) const LONG: Op = Op {
    patience: COMMAND,
    deadline: COMMAND,
    ..READ
};

/// The tries of an operation.
#[derive(Debug)]
pub(super) struct Tries {
    op: Op,
    made: u32,
    begun: Instant,
}

impl Tries {
    const MOST: u32 = 5;
    /// The wait before a second try.
    const PAUSE: Duration = Duration::from_millis(20);

    pub(super) fn new(op: Op) -> Self {
        Self {
            op,
            made: 0,
            begun: Instant::now(),
        }
    }

    /// Ends a try that takes too long. Its connection is closed with it, so that nothing is begun on it later; whether
    /// a commit that was sent succeeds is unknown.
    pub(super) async fn within<T>(&self, tried: Boxed<'_, Result<T>>) -> Result<T> {
        let longest = self.op.patience.min(self.left());
        let late = |_| Error::Late { after: longest };
        tokio::time::timeout(longest, tried)
            .await
            .unwrap_or_else(|elapsed| Err(late(elapsed)))
    }

    /// Whether to try again; waits before it answers, longer each time.
    pub(super) async fn again(&mut self, error: &Error) -> bool {
        let worth = error.is_passing() || (error.is_unknown() && self.op.repeatable);
        let pause = Self::PAUSE * (1 << self.made);
        self.made += 1;
        if !worth || self.made >= Self::MOST || self.left() < pause * 2 {
            return false;
        }
        tracing::debug!(?error, op = self.op.before, "trying a write again");
        tokio::time::sleep(pause).await;
        true
    }

    fn left(&self) -> Duration {
        self.op.deadline.saturating_sub(self.begun.elapsed())
    }
}

/// The parts of the store that every operation needs.
#[derive(Debug)]
pub(super) struct Inner {
    pub(super) pool: Pool,
    pub(super) teller: Teller,
    pub(super) tasks: TaskTracker,
    pub(super) is_closed: AtomicBool,
    pub(super) floor: Floor,
    /// Of connections for long reads and for writes that wait for an account.
    shares: Shares,
    faults: Option<Arc<dyn Faults>>,
    pending: Arc<Semaphore>,
}

impl Inner {
    pub(super) fn new(pool: Pool, teller: Teller, faults: Option<Arc<dyn Faults>>) -> Self {
        Self {
            shares: Shares::new(pool.status().max_size / 4),
            pool,
            teller,
            tasks: TaskTracker::new(),
            is_closed: AtomicBool::new(false),
            floor: Floor::default(),
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

    /// One of the places of an account: whoever reads much, or is locked, waits for themselves.
    pub(super) async fn share(&self, account: AccountId) -> Result<Share<'_>, StoreError> {
        let share = tokio::time::timeout(PATIENCE, self.shares.take(account)).await;
        share.ok().flatten().ok_or(StoreError::Busy)
    }

    /// Runs the work whether or not the caller waits for the answer.
    pub(super) async fn spawn<T: Send + 'static>(
        &self,
        work: Boxed<'static, Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        self.refuse_when_closed()?;
        let place = Arc::clone(&self.pending)
            .try_acquire_owned()
            .map_err(|_| StoreError::Busy)?;
        let (answer, answered) = oneshot::channel();
        let work: Boxed<'static, ()> = Box::pin(async move {
            let done = work.await;
            drop(place);
            // The caller may be gone; the write still counts.
            let _ = answer.send(done);
        });
        self.tasks.spawn(work);
        answered
            .await
            .map_err(|_| StoreError::Internal("a write ended early".to_owned()))?
    }

    /// A connection without a transaction.
    pub(super) async fn connection(&self) -> Result<Transaction> {
        self.refuse_when_closed()?;
        Ok(Transaction(Some(self.pool.get().await?)))
    }

    pub(super) async fn begin(&self, op: Op) -> Result<Transaction> {
        self.to_begin(op).await?.begun(op.begin()).await
    }

    /// A connection for a write that is not begun yet.
    pub(super) async fn to_begin(&self, _: Op) -> Result<Transaction> {
        Ok(Transaction(Some(self.pool.get().await?)))
    }

    pub(super) async fn begin_snapshot(&self) -> Result<Transaction> {
        let connection = self.connection().await?;
        connection
            .begun("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            .await
    }

    pub(super) fn reach_before(&self, op: Op) -> Result<()> {
        match self.faults.as_ref().and_then(|faults| faults.reach(op.before)) {
            None => Ok(()),
            Some(Fault::Abort) => std::process::abort(),
            Some(Fault::DiskFull) => Err(StoreError::Full.into()),
        }
    }

    pub(super) fn reach_after(&self, op: Op) {
        if self.faults.as_ref().and_then(|faults| faults.reach(op.after)) == Some(Fault::Abort) {
            std::process::abort();
        }
    }
}

/// For a transaction that reads what waits, runs or is unfinished. Rows that have ended leave entries in the index
/// until a vacuum. Whoever reads entry by entry marks them, and passes over them the next time. A bitmap scan does
/// neither: it read all those rows each time, in 0.14 s after 325,000 jobs.
pub(super) const BY_ENTRY: &str = "SET LOCAL enable_bitmapscan TO off; SET LOCAL enable_seqscan TO off";

pub(super) type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

pub(super) async fn rows(db: &Db, sql: &str, parameters: Parameters<'_>) -> Result<Vec<Row>> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.query(&statement, parameters).await?)
}

/// The row, if there is one.
pub(super) async fn row(db: &Db, sql: &str, parameters: Parameters<'_>) -> Result<Option<Row>> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.query_opt(&statement, parameters).await?)
}

/// The row, which always exists.
pub(super) async fn the_row(db: &Db, sql: &str, parameters: Parameters<'_>) -> Result<Row> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.query_one(&statement, parameters).await?)
}

/// Returns the number of changed rows.
pub(super) async fn execute(db: &Db, sql: &str, parameters: Parameters<'_>) -> Result<u64> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.execute(&statement, parameters).await?)
}

/// Adds the condition that a column equals the parameter of this number.
pub(super) fn and(sql: &mut String, column: &str, number: usize) {
    sql.push_str(" AND ");
    sql.push_str(column);
    sql.push_str(" = $");
    sql.push_str(&number.to_string());
}
