//! Group commit: everything in the queue is written in one transaction, committed once, and answered. The next batch
//! gathers while the commit runs.
//!
//! While a batch of acceptances waits for a row that another one has locked, further items join it if their rows are
//! free then.
//!
//! A batch does not wait long for a row that somebody else has locked, such as that of an account. It is written
//! without the items that need it.

use std::{
    fmt::Display,
    hash::Hash,
    panic::AssertUnwindSafe,
    time::{Duration, Instant},
};

use futures::FutureExt as _;
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::{
    batcher::Queue,
    error::{Error, Result, closed},
    transaction::Pipeline,
    write::{Inner, Op, PATIENCE, Tries},
};
use crate::StoreError;

/// The most items that share a commit.
pub(super) const BATCH: usize = 256;
/// Items that waited longer for their batch are refused. Nothing of them was written.
pub(super) const LONGEST_WAIT: Duration = PATIENCE;

/// The way in which a batch treats rows that others have locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IfLocked {
    /// Waits so long for each, and then fails.
    Wait(Duration),
    /// Leaves out the items that need them.
    Skip,
}

/// The answer to an item; `None`: it was left out, because a row that it needs is locked.
pub(super) type Outcome<A> = Option<Result<A, StoreError>>;

/// A kind of write that is done for many items together.
pub(super) trait Batch: Send + 'static {
    type Item: Send + Sync + 'static;
    type Answer: Send + 'static;

    /// The name of a row that somebody else may have locked.
    type Row: Copy + Eq + Hash + Display + Send;

    const OP: Op;

    /// The time between the beginnings of two batches. If nobody waits for the answers, more items share a commit.
    const APART: Duration = Duration::ZERO;

    /// The row that the item needs: those that need the same one wait for it together.
    fn row(item: &Self::Item) -> Self::Row;

    /// Waits for a row that somebody else has locked, for so long at most, without any other lock. For those that lock
    /// other rows first.
    fn wait(_inner: &Inner, _row: Self::Row, _longest: Duration) -> impl Future<Output = ()> + Send {
        async {}
    }

    /// The rows that a batch has locked, and what it has read of them.
    type Locked: Send;

    /// Begins and locks the rows of these items. `skip`: leaves out those that somebody else has locked.
    fn lock(
        pipeline: &Pipeline<'_>,
        items: &[&Self::Item],
        skip: bool,
    ) -> impl Future<Output = Result<Self::Locked>> + Send;

    /// Locks those of the rows of further items that nobody else has locked. It does not wait, because only the first
    /// locks are in an order that excludes deadlocks.
    fn lock_more(
        _: &Pipeline<'_>,
        _locked: &mut Self::Locked,
        _items: &[&Self::Item],
    ) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// Whether the batch has locked the row, so that further items that need it may join; unless said otherwise, none
    /// do.
    fn has(_locked: &Self::Locked, _row: Self::Row) -> bool {
        false
    }

    /// Writes all items, commits them and returns their answers in order; an item whose answer is an error wrote
    /// nothing. `again`: an earlier try may have been committed. `skip`: leaves out items whose rows are locked.
    fn write(
        pipeline: &Pipeline<'_>,
        locked: Self::Locked,
        items: &[&Self::Item],
        again: bool,
        skip: bool,
    ) -> impl Future<Output = Result<Vec<Outcome<Self::Answer>>>> + Send;

    /// Called for each committed item.
    fn committed(inner: &Inner, item: &Self::Item, answer: &Self::Answer);
}

/// An item in the queue.
pub(super) struct Waiting<B: Batch> {
    pub(super) item: B::Item,
    pub(super) since: Instant,
    reply: oneshot::Sender<Result<B::Answer, StoreError>>,
    /// Keeps the store open until the item is answered.
    _token: TaskTrackerToken,
}

impl<B: Batch> Waiting<B> {
    /// An item that waits from now on, and its answer.
    pub(super) fn new(
        inner: &Inner,
        item: B::Item,
    ) -> (Self, oneshot::Receiver<Result<B::Answer, StoreError>>) {
        let (reply, answer) = oneshot::channel();
        let waiting = Self {
            item,
            since: Instant::now(),
            reply,
            _token: inner.tasks.token(),
        };
        (waiting, answer)
    }

    pub(super) fn answer(self, inner: &Inner, answer: Result<B::Answer, StoreError>) {
        if let Ok(answer) = &answer {
            B::committed(inner, &self.item, answer);
        }
        // The caller may be gone; the write still counts.
        let _ = self.reply.send(answer);
    }
}

/// Adds what waits, without a wait for more, until there are as many as `most`.
pub(super) fn fill<T>(batch: &mut Vec<T>, queue: &mut mpsc::Receiver<T>, most: usize) {
    while batch.len() < most
        && let Ok(waiting) = queue.try_recv()
    {
        batch.push(waiting);
    }
}

/// Refuses the items that have waited longer than this.
pub(super) fn refuse_late<B: Batch>(inner: &Inner, batch: &mut Vec<Waiting<B>>, longest: Duration) {
    for late in batch.extract_if(.., |waiting| waiting.since.elapsed() > longest) {
        late.answer(inner, Err(StoreError::Busy));
    }
}

/// The items of a batch.
pub(super) enum Items<'a, B: Batch> {
    Fixed(&'a [&'a B::Item]),
    /// Items that come while the batch waits for its locks join it.
    Growing(&'a mut Vec<Waiting<B>>, &'a mut Queue<B>),
}

impl<B: Batch> Items<'_, B> {
    fn all(&self) -> Vec<&B::Item> {
        match self {
            Self::Fixed(items) => items.to_vec(),
            Self::Growing(batch, _) => batch.iter().map(|waiting| &waiting.item).collect(),
        }
    }

    /// Adds what has come since the batch was taken, if nobody else holds its rows.
    async fn join(&mut self, pipeline: &Pipeline<'_>, locked: &mut B::Locked) -> Result<()> {
        let Self::Growing(batch, queue) = self else {
            return Ok(());
        };
        queue.join(batch, |row| B::has(locked, row));
        let others = queue.passed_over();
        if others.is_empty() {
            return Ok(());
        }
        B::lock_more(pipeline, locked, &others).await?;
        queue.join(batch, |row| B::has(locked, row));
        Ok(())
    }
}

/// Writes the items together. If a row stays locked for as long as `wait`, the items that need it are left out.
pub(super) async fn write_all<B: Batch>(
    inner: &Inner,
    mut items: Items<'_, B>,
    wait: Duration,
) -> Vec<Outcome<B::Answer>> {
    let begun = Instant::now();
    let mut written = write(inner, &mut items, IfLocked::Wait(wait)).await;
    if matches!(&written, Err(error) if error.is_locked()) {
        written = write(inner, &mut items, IfLocked::Skip).await;
    }
    let items = items.all();
    match written {
        Ok(outcomes) => outcomes,
        // Refusals are answers, so errors are rare. After one, each item is written by itself to find the one that
        // fails.
        Err(error) if items.len() > 1 && !error.is_lost_connection() && !error.is_passing() => {
            let mut outcomes = Vec::with_capacity(items.len());
            for item in items {
                outcomes.push(if begun.elapsed() < LONGEST_WAIT {
                    let mut alone = Items::<B>::Fixed(&[item]);
                    let alone = write(inner, &mut alone, IfLocked::Skip).await;
                    alone.map_or_else(|error| Some(Err(error.into())), single)
                } else {
                    Some(Err(StoreError::Busy))
                });
            }
            outcomes
        }
        Err(error) => {
            let error = StoreError::from(error);
            tracing::warn!(%error, writes = items.len(), "a batch of writes failed");
            items.iter().map(|_| Some(Err(error.clone()))).collect()
        }
    }
}

fn single<A>(mut outcomes: Vec<Outcome<A>>) -> Outcome<A> {
    outcomes.pop().unwrap_or_else(|| Some(Err(closed())))
}

async fn write<B: Batch>(
    inner: &Inner,
    items: &mut Items<'_, B>,
    if_locked: IfLocked,
) -> Result<Vec<Outcome<B::Answer>>> {
    let mut tries = Tries::new(B::OP);
    let mut again = false;
    loop {
        let tried = async {
            let connection = inner.to_begin(B::OP).await?;
            let begin = B::OP.begin_hot();
            let begin = match if_locked {
                IfLocked::Wait(longest) => {
                    format!("{begin}; SET LOCAL lock_timeout = {}", longest.as_millis())
                }
                IfLocked::Skip => begin,
            };
            let pipeline = Pipeline {
                db: connection.db(),
                inner,
                op: B::OP,
                begin,
            };
            match locked_and_written::<B>(&pipeline, items, again, if_locked == IfLocked::Skip).await {
                Ok(answers) => {
                    connection.back_to_pool();
                    Ok(answers)
                }
                Err(error) => Err(connection.roll_back(error).await),
            }
        };
        // A panic is a bug in one operation. It must not end the task that all others need.
        let tried = AssertUnwindSafe(tries.within(Box::pin(tried)))
            .catch_unwind()
            .await
            .unwrap_or_else(|_| {
                let why = format!("a write panicked before {}", B::OP.before);
                Err(StoreError::Internal(why).into())
            });
        match tried {
            Err(error) => {
                again |= error.is_unknown();
                if !tries.again(&error).await {
                    // A write that may have been committed must not be reported as refused.
                    return Err(if again { Error::Unknown } else { error });
                }
            }
            tried => return tried,
        }
    }
}

async fn locked_and_written<B: Batch>(
    pipeline: &Pipeline<'_>,
    items: &mut Items<'_, B>,
    again: bool,
    skip: bool,
) -> Result<Vec<Outcome<B::Answer>>> {
    let mut locked = B::lock(pipeline, &items.all(), skip).await?;
    if !again && !skip {
        items.join(pipeline, &mut locked).await?;
    }
    B::write(pipeline, locked, &items.all(), again, skip).await
}
