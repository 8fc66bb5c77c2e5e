//! The tasks that write batches. Items that need a row that somebody else has locked go to a lane of the row
//! ([`lanes`](super::lanes)), and the others are written without them.

use std::{sync::Arc, time::Duration};

use tokio::sync::mpsc;

use super::{
    batch::{BATCH, Batch, LONGEST_WAIT, Waiting, refuse_late, write_all},
    error::closed,
    lanes::Lanes,
    write::Inner,
};
use crate::StoreError;

/// The most items that may wait; further ones are refused immediately.
const QUEUE: usize = 4_096;
/// How long a batch of many accounts waits for a locked row.
const SHORT: Duration = Duration::from_millis(100);

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
        let (waiting, answer) = Waiting::new(&self.inner, item);
        self.queue.try_send(waiting).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => StoreError::Busy,
            mpsc::error::TrySendError::Closed(_) => closed(),
        })?;
        answer.await.map_err(|_| closed())?
    }
}

async fn run<B: Batch>(inner: Arc<Inner>, mut queue: mpsc::Receiver<Waiting<B>>) {
    let mut lanes = Lanes::new(Arc::clone(&inner));
    let mut batch = Vec::with_capacity(BATCH);
    while queue.recv_many(&mut batch, BATCH).await > 0 {
        // Behind a server that hangs, the queue moves slower than clients wait.
        refuse_late(&inner, &mut batch, LONGEST_WAIT);
        lanes.take_over(&mut batch);
        if batch.is_empty() {
            continue;
        }
        let items: Vec<&B::Item> = batch.iter().map(|waiting| &waiting.item).collect();
        let written = write_all::<B>(&inner, &items, SHORT).await;
        for (waiting, outcome) in batch.drain(..).zip(written) {
            match outcome {
                Some(answer) => waiting.answer(&inner, answer),
                None => lanes.begin(waiting),
            }
        }
    }
}
