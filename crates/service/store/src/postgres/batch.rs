//! Group commit: everything in the queue is written in one transaction, committed once, and answered. The next batch
//! gathers while the commit runs.

use std::{
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};

use futures::FutureExt as _;
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::{
    error::{Error, Result, closed},
    write::{Db, Inner, Op, PATIENCE, Tries},
};
use crate::StoreError;

/// The most items that may wait; further ones are refused immediately.
const QUEUE: usize = 4_096;
/// The most items that share a commit.
const BATCH: usize = 256;
/// Items that waited longer for their batch are refused. Nothing of them was written.
const LONGEST_WAIT: Duration = PATIENCE;

/// A kind of write that is done for many items together.
pub(super) trait Batch: Send + 'static {
    type Item: Send + Sync + 'static;
    type Answer: Send + 'static;

    const OP: Op;

    /// Writes all items and returns their answers in order; an item whose answer is an error wrote nothing.
    /// `again`: an earlier try may have been committed.
    fn write(
        db: &Db,
        items: &[&Self::Item],
        again: bool,
    ) -> impl Future<Output = Result<Vec<Result<Self::Answer, StoreError>>>> + Send;

    /// Called for each committed item.
    fn committed(inner: &Inner, item: &Self::Item, answer: &Self::Answer);
}

struct Waiting<B: Batch> {
    item: B::Item,
    since: Instant,
    reply: oneshot::Sender<Result<B::Answer, StoreError>>,
    /// Keeps the store open until the item is answered.
    _token: TaskTrackerToken,
}

/// The queue to the task that writes one kind of batch.
pub(super) struct Batcher<B: Batch> {
    inner: Arc<Inner>,
    queue: mpsc::Sender<Waiting<B>>,
}

impl<B: Batch> std::fmt::Debug for Batcher<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batcher").finish_non_exhaustive()
    }
}

impl<B: Batch> Batcher<B> {
    /// Starts the task, which ends when this value is dropped.
    pub(super) fn start(inner: Arc<Inner>) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        tokio::spawn(run::<B>(Arc::clone(&inner), waiting));
        Self { inner, queue }
    }

    /// Answers after the commit. Once this future was polled, the item is written whether or not the caller waits.
    pub(super) async fn write(&self, item: B::Item) -> Result<B::Answer, StoreError> {
        self.inner.refuse_when_closed()?;
        let (reply, answer) = oneshot::channel();
        let waiting = Waiting {
            item,
            since: Instant::now(),
            reply,
            _token: self.inner.tasks.token(),
        };
        self.queue.try_send(waiting).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => StoreError::Busy,
            mpsc::error::TrySendError::Closed(_) => closed(),
        })?;
        answer.await.map_err(|_| closed())?
    }
}

async fn run<B: Batch>(inner: Arc<Inner>, mut queue: mpsc::Receiver<Waiting<B>>) {
    let mut batch = Vec::with_capacity(BATCH);
    while queue.recv_many(&mut batch, BATCH).await > 0 {
        // Behind a server that hangs, the queue moves slower than clients wait.
        for late in batch.extract_if(.., |waiting| waiting.since.elapsed() > LONGEST_WAIT) {
            let _ = late.reply.send(Err(StoreError::Busy));
        }
        if batch.is_empty() {
            continue;
        }
        let items: Vec<&B::Item> = batch.iter().map(|waiting| &waiting.item).collect();
        let written = match write::<B>(&inner, &items).await {
            // Refusals are answers, so errors are rare. After one, each item is written by itself to find the one that
            // fails.
            Err(error) if items.len() > 1 && !error.is_lost_connection() && !error.is_passing() => {
                let mut alone = Vec::with_capacity(items.len());
                for item in items {
                    alone.push(write::<B>(&inner, &[item]).await.map(single::<B>));
                }
                alone
                    .into_iter()
                    .map(|tried| tried.map_err(StoreError::from).flatten())
                    .collect()
            }
            Err(error) => {
                let error = StoreError::from(error);
                tracing::warn!(%error, writes = items.len(), "a batch of writes failed");
                items.iter().map(|_| Err(error.clone())).collect()
            }
            Ok(answers) => answers,
        };
        for (waiting, answer) in batch.drain(..).zip(written) {
            if let Ok(answer) = &answer {
                B::committed(&inner, &waiting.item, answer);
            }
            // The caller may be gone; the write still counts.
            let _ = waiting.reply.send(answer);
        }
    }
}

type Answers<B> = Vec<Result<<B as Batch>::Answer, StoreError>>;

fn single<B: Batch>(mut answers: Answers<B>) -> Result<B::Answer, StoreError> {
    answers.pop().unwrap_or_else(|| Err(closed()))
}

async fn write<B: Batch>(inner: &Inner, items: &[&B::Item]) -> Result<Answers<B>> {
    let mut tries = Tries::new(B::OP);
    let mut again = false;
    loop {
        let tried = async {
            let transaction = inner.begin(B::OP).await?;
            match B::write(transaction.db(), items, again).await {
                Ok(answers) => transaction.commit(inner, B::OP).await.map(|()| answers),
                Err(error) => Err(transaction.roll_back(error).await),
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
