//! The only thread that writes. It takes everything in the queue, writes it in one transaction, commits once and
//! answers all, so that each batch waits for the disk once. An item that fails does not affect the others.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicI32, Ordering},
    },
    thread,
};

use rusqlite::{Connection, hooks::Wal};
use tokio::sync::{mpsc, oneshot};

use super::newest::Newest;
use crate::{Fault, Faults, Result, StoreError};

/// The most writes that may wait; further ones are refused immediately.
const QUEUE: usize = 4_096;
/// The most writes that share a commit.
const BATCH: usize = 256;
/// The pages in the write-ahead log after which it is copied into the database when nothing waits …
const CHECKPOINT_IDLE: i32 = 1_000;
/// … and after which it is copied in any case, so that it does not grow without limit.
const CHECKPOINT_BUSY: i32 = 8_000;

/// A kind of write: what its answer guarantees, and its points for faults.
#[derive(Debug, Clone, Copy)]
pub(super) struct Op {
    pub(super) durable: bool,
    pub(super) before: &'static str,
    pub(super) after: &'static str,
}

/// A write, by the name of its method, that is on the disk when it is answered.
macro_rules! durable {
    ($name:literal) => {
        $crate::sqlite::writer::Op {
            durable: true,
            before: concat!($name, ".before_commit"),
            after: concat!($name, ".after_commit"),
        }
    };
}

/// A write, by the name of its method, that a power failure may undo after the answer.
macro_rules! fleeting {
    ($name:literal) => {
        $crate::sqlite::writer::Op {
            durable: false,
            before: concat!($name, ".before_commit"),
            after: concat!($name, ".after_commit"),
        }
    };
}

pub(super) use {durable, fleeting};

#[derive(Debug)]
pub(super) struct Writer {
    queue: mpsc::Sender<Message>,
}

enum Message {
    Write(Box<dyn Item>),
    Close(oneshot::Sender<()>),
}

impl Writer {
    /// Starts the thread, which owns the connection from now on.
    pub(super) fn start(mut db: Connection, newest: Newest, faults: Option<Arc<dyn Faults>>) -> Result<Self> {
        let (queue, messages) = mpsc::channel(QUEUE);
        let log_pages = Arc::new(AtomicI32::new(0));
        let after_commit = Arc::clone(&log_pages);
        // Replaces SQLite's own checkpoints, which would run between a commit and its answers.
        db.wal_hook(Some(move |_: &mut Wal, pages| {
            after_commit.store(pages, Ordering::Relaxed);
            Ok(())
        }))?;
        let thread = WriterThread {
            db,
            newest,
            faults,
            full_sync: None,
            log_pages,
            checkpoint_at: CHECKPOINT_IDLE,
        };
        thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || thread.run(messages))
            .map_err(|error| StoreError::Internal(format!("cannot start the writer thread: {error}")))?;
        Ok(Self { queue })
    }

    /// Runs the work in a batch and answers after its commit. It may run again after it was rolled back.
    ///
    /// Once this future was polled, the work runs whether or not the caller waits for the answer.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        op: Op,
        work: impl Fn(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.run(op, Box::new(work)).await
    }

    async fn run<T: Send + 'static>(&self, op: Op, work: Work<T>) -> Result<T> {
        let (reply, answer) = oneshot::channel();
        let call = Box::new(Call {
            op,
            work,
            result: None,
            reply,
        });
        self.queue
            .try_send(Message::Write(call))
            .map_err(|error| match error {
                mpsc::error::TrySendError::Full(_) => StoreError::Busy,
                mpsc::error::TrySendError::Closed(_) => closed(),
            })?;
        answer.await.map_err(|_| closed())?
    }

    /// Waits until all pending writes are done and the connection is closed.
    pub(super) async fn close(&self) {
        let (reply, done) = oneshot::channel();
        // Either fails only if the thread has already ended, which is the goal.
        if self.queue.send(Message::Close(reply)).await.is_ok() {
            let _ = done.await;
        }
    }
}

fn closed() -> StoreError {
    StoreError::Internal("the store is closed".to_owned())
}

/// A pending write: run inside the transaction, answered once after it.
trait Item: Send {
    fn op(&self) -> Op;
    /// If it fails, its writes must be rolled back.
    fn run(&mut self, db: &Connection) -> Result<()>;
    fn answer(self: Box<Self>, committed: &Result<()>);
}

/// Behind a pointer, so that the compiler makes the code around it once per answer and not once per operation.
type Work<T> = Box<dyn Fn(&Connection) -> Result<T> + Send>;

struct Call<T> {
    op: Op,
    work: Work<T>,
    result: Option<Result<T>>,
    reply: oneshot::Sender<Result<T>>,
}

impl<T: Send> Item for Call<T> {
    fn op(&self) -> Op {
        self.op
    }

    fn run(&mut self, db: &Connection) -> Result<()> {
        // A panic is a bug in one operation. It must not end the thread that all others need.
        let result = catch_unwind(AssertUnwindSafe(|| (self.work)(db))).unwrap_or_else(|_| {
            Err(StoreError::Internal(format!(
                "a write panicked before {}",
                self.op.before
            )))
        });
        let outcome = result.as_ref().map(|_| ()).map_err(Clone::clone);
        self.result = Some(result);
        outcome
    }

    fn answer(self: Box<Self>, committed: &Result<()>) {
        let result = match (self.result, committed) {
            (Some(Err(error)), _) => Err(error),
            (_, Err(error)) => Err(error.clone()),
            (Some(result), Ok(())) => result,
            (None, Ok(())) => Err(closed()),
        };
        // The caller may be gone; the write still counts.
        let _ = self.reply.send(result);
    }
}

struct WriterThread {
    db: Connection,
    newest: Newest,
    faults: Option<Arc<dyn Faults>>,
    /// How the connection syncs now; unknown before the first batch.
    full_sync: Option<bool>,
    /// Pages in the write-ahead log after the last commit.
    log_pages: Arc<AtomicI32>,
    /// The size of the log at which it is copied into the database next.
    checkpoint_at: i32,
}

impl WriterThread {
    fn run(mut self, mut messages: mpsc::Receiver<Message>) {
        let mut batch = Vec::with_capacity(BATCH);
        let mut closing = None;
        while closing.is_none() {
            let Some(first) = messages.blocking_recv() else {
                break;
            };
            let mut next = Some(first);
            while let Some(message) = next.take() {
                match message {
                    Message::Write(item) => batch.push(item),
                    Message::Close(reply) => closing = Some(reply),
                }
                if batch.len() < BATCH && closing.is_none() {
                    next = messages.try_recv().ok();
                }
            }
            self.write(&mut batch);
            if self.is_checkpoint_due(messages.is_empty()) {
                self.newest.release();
                self.checkpoint();
            }
            self.newest.renew();
        }
        drop(self.newest);
        // Closing the last connection copies the log into the database and removes it.
        if let Err((_, error)) = self.db.close() {
            tracing::error!(%error, "the store did not close cleanly");
        }
        if let Some(reply) = closing {
            let _ = reply.send(());
        }
    }

    fn write(&mut self, batch: &mut Vec<Box<dyn Item>>) {
        if batch.is_empty() {
            return;
        }
        let committed = self.transaction(batch);
        match &committed {
            Ok(()) => self.reach_after(batch),
            Err(error) => tracing::error!(%error, writes = batch.len(), "a batch of writes failed"),
        }
        for item in batch.drain(..) {
            item.answer(&committed);
        }
    }

    fn transaction(&mut self, batch: &mut [Box<dyn Item>]) -> Result<()> {
        self.sync_fully(batch.iter().any(|item| item.op().durable))?;
        self.execute("BEGIN IMMEDIATE")?;
        let committed = self.run_items(batch).and_then(|()| {
            self.reach_before(batch)?;
            self.execute("COMMIT")
        });
        if committed.is_err() {
            self.roll_back()?;
        }
        committed
    }

    /// Refusals are answers, so errors are rare. Only after an error is the batch rolled back and run again with a
    /// savepoint for each item, so that only the failing item is rolled back. Savepoints in every batch would cost
    /// 40 % more, because SQLite then keeps a copy of every page that an item changes.
    fn run_items(&self, batch: &mut [Box<dyn Item>]) -> Result<()> {
        if batch.iter_mut().all(|item| item.run(&self.db).is_ok()) {
            return Ok(());
        }
        self.roll_back()?;
        self.execute("BEGIN IMMEDIATE")?;
        for item in batch {
            self.execute("SAVEPOINT item")?;
            if let Err(error) = item.run(&self.db) {
                // Some errors, such as a full disk, end the whole transaction, and with it the batch.
                if self.db.is_autocommit() {
                    return Err(error);
                }
                self.execute("ROLLBACK TO item")?;
            }
            self.execute("RELEASE item")?;
        }
        Ok(())
    }

    /// Rolls the transaction back, unless an error has already done so.
    fn roll_back(&self) -> Result<()> {
        if self.db.is_autocommit() {
            Ok(())
        } else {
            self.execute("ROLLBACK")
        }
    }

    /// Chooses whether the next commit waits for the disk.
    ///
    /// With a write-ahead log, `synchronous=FULL` syncs the log at each commit and `NORMAL` does not. A commit
    /// under NORMAL survives the end of the process, because the kernel has it; it survives a power failure once the
    /// log is synced. The log is one file that only grows between checkpoints, its frames are read back in order up
    /// to the first damaged one, and a sync covers the whole file. So the next FULL commit makes all earlier NORMAL
    /// ones durable too, and a durable write never outlives one it depends on. Under either setting, a checkpoint
    /// syncs the log before it changes the database.
    fn sync_fully(&mut self, full: bool) -> Result<()> {
        if self.full_sync != Some(full) {
            self.db
                .pragma_update(None, "synchronous", if full { "FULL" } else { "NORMAL" })?;
            self.full_sync = Some(full);
        }
        Ok(())
    }

    fn is_checkpoint_due(&self, idle: bool) -> bool {
        let limit = if idle {
            self.checkpoint_at
        } else {
            self.checkpoint_at.max(CHECKPOINT_BUSY)
        };
        self.log_pages.load(Ordering::Relaxed) >= limit
    }

    /// Copies the log into the database, as far as readers allow, without waiting for them.
    ///
    /// This thread does it because a checkpoint can reach the end of the log only while nothing is written. After
    /// that, the log starts again instead of growing.
    fn checkpoint(&mut self) {
        let pages = self.log_pages.load(Ordering::Relaxed);
        let copied = self.db.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
            Ok((row.get::<_, i32>(1)?, row.get::<_, i32>(2)?))
        });
        match copied {
            // All of it was copied: the next commit starts at the beginning of the log.
            Ok((in_log, copied)) if in_log == copied => self.checkpoint_at = CHECKPOINT_IDLE,
            // A long read needs the rest. Another try makes sense after more writes.
            Ok((in_log, _)) => self.checkpoint_at = in_log + CHECKPOINT_IDLE,
            Err(error) => {
                tracing::warn!(%error, "cannot copy the write-ahead log into the database");
                self.checkpoint_at = pages + CHECKPOINT_IDLE;
            }
        }
        self.log_pages.store(0, Ordering::Relaxed);
    }

    fn reach_before(&self, batch: &[Box<dyn Item>]) -> Result<()> {
        let Some(faults) = &self.faults else { return Ok(()) };
        for item in batch {
            match faults.reach(item.op().before) {
                None => {}
                Some(Fault::Abort) => std::process::abort(),
                Some(Fault::DiskFull) => return Err(StoreError::Full),
            }
        }
        Ok(())
    }

    fn reach_after(&self, batch: &[Box<dyn Item>]) {
        let Some(faults) = &self.faults else { return };
        for item in batch {
            if faults.reach(item.op().after) == Some(Fault::Abort) {
                std::process::abort();
            }
        }
    }

    fn execute(&self, sql: &str) -> Result<()> {
        self.db.prepare_cached(sql)?.execute([])?;
        Ok(())
    }
}
