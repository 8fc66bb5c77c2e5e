//! The tasks that write batches. Items that need a row that somebody else has locked go to a lane of the row
//! ([`lanes`](super::lanes)), and the others are written without them.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::mpsc,
    time::{Instant, sleep_until},
};

use super::{
    batch::{BATCH, Batch, Items, LONGEST_WAIT, Waiting, fill, refuse_late, write_all},
    error::{closed, not_queued},
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
        self.queue.try_send(waiting).map_err(|error| not_queued(&error))?;
        answer.await.map_err(|_| closed())?
    }
}

/// The items that wait for a batch.
pub(super) struct Queue<B: Batch> {
    waiting: mpsc::Receiver<Waiting<B>>,
    /// Items that were passed over, which are of the next batch.
    next: Vec<Waiting<B>>,
}

impl<B: Batch> Queue<B> {
    /// Takes what waits; false if nothing more will come.
    async fn take(&mut self, batch: &mut Vec<Waiting<B>>) -> bool {
        batch.append(&mut self.next);
        if batch.is_empty() {
            return self.waiting.recv_many(batch, BATCH).await > 0;
        }
        fill(batch, &mut self.waiting, BATCH);
        true
    }

    /// Adds what needs only rows that the batch has locked: of what was passed over, and of what has come since.
    pub(super) fn join(&mut self, batch: &mut Vec<Waiting<B>>, has: impl Fn(B::Row) -> bool) {
        let room = BATCH.saturating_sub(batch.len());
        let free = self.next.extract_if(.., |waiting| has(B::row(&waiting.item)));
        batch.extend(free.take(room));
        while batch.len() < BATCH
            && self.next.len() < BATCH
            && let Ok(waiting) = self.waiting.try_recv()
        {
            if has(B::row(&waiting.item)) {
                batch.push(waiting);
            } else {
                self.next.push(waiting);
            }
        }
    }

    /// The items that did not join, because the batch has not locked their rows.
    pub(super) fn passed_over(&self) -> Vec<&B::Item> {
        self.next.iter().map(|waiting| &waiting.item).collect()
    }
}

async fn run<B: Batch>(inner: Arc<Inner>, waiting: mpsc::Receiver<Waiting<B>>) {
    let mut lanes = Lanes::new(Arc::clone(&inner));
    let mut queue = Queue {
        waiting,
        next: Vec::new(),
    };
    let mut batch = Vec::with_capacity(BATCH);
    while queue.take(&mut batch).await {
        // Behind a server that hangs, the queue moves slower than clients wait.
        refuse_late(&inner, &mut batch, LONGEST_WAIT);
        lanes.take_over(&mut batch);
        if batch.is_empty() {
            continue;
        }
        let next = Instant::now() + B::APART;
        let items = Items::Growing(&mut batch, &mut queue);
        let written = write_all(&inner, items, SHORT).await;
        for (waiting, outcome) in batch.drain(..).zip(written) {
            match outcome {
                Some(answer) => waiting.answer(&inner, answer),
                None => lanes.begin(waiting),
            }
        }
        sleep_until(next).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgres::{
        batch::Outcome,
        connection,
        error::Result,
        news::Teller,
        transaction::Pipeline,
        write::{Op, fleeting},
    };

    /// Numbers, which need the row of their tens.
    struct Numbers;

    impl Batch for Numbers {
        type Item = u32;
        type Answer = ();
        type Row = u32;
        type Locked = ();

        const OP: Op = fleeting!("numbers");

        fn row(item: &u32) -> u32 {
            item / 10
        }

        async fn lock(_: &Pipeline<'_>, _: &[&u32], _: bool) -> Result<()> {
            Ok(())
        }

        fn has((): &(), _: u32) -> bool {
            true
        }

        async fn write(
            _: &Pipeline<'_>,
            (): (),
            items: &[&u32],
            _again: bool,
            _skip: bool,
        ) -> Result<Vec<Outcome<()>>> {
            Ok(items.iter().map(|_| Some(Ok(()))).collect())
        }

        fn committed(_: &Inner, _: &u32, (): &()) {}
    }

    fn numbers(batch: &[Waiting<Numbers>]) -> Vec<u32> {
        batch.iter().map(|waiting| waiting.item).collect()
    }

    #[tokio::test]
    async fn items_join_a_batch_that_has_locked_their_row_and_the_others_are_of_the_next_one() {
        let pool = connection::pool(&"postgres://nobody@127.0.0.1:1/none".parse().unwrap(), 1).unwrap();
        let inner = Inner::new(pool, Teller::new(), None);
        let (queue, waiting) = mpsc::channel(QUEUE);
        let mut all = Queue::<Numbers> {
            waiting,
            next: Vec::new(),
        };
        let send = |number| queue.try_send(Waiting::new(&inner, number).0).ok().unwrap();
        let mut batch = Vec::new();
        send(10);
        assert!(all.take(&mut batch).await);
        for number in [11, 20, 12, 30] {
            send(number);
        }
        all.join(&mut batch, |row| row == 1);
        assert_eq!(numbers(&batch), [10, 11, 12]);
        assert_eq!(all.passed_over(), [&20, &30]);
        // The row of one of them could be locked since.
        all.join(&mut batch, |row| row < 3);
        assert_eq!(numbers(&batch), [10, 11, 12, 20]);
        batch.clear();
        send(13);
        assert!(all.take(&mut batch).await);
        assert_eq!(numbers(&batch), [30, 13]);
        // However many join, a batch is bounded.
        for _ in 0..BATCH {
            send(14);
        }
        all.join(&mut batch, |_| true);
        assert_eq!(batch.len(), BATCH);
        drop(queue);
        batch.clear();
        assert!(all.take(&mut batch).await);
        assert_eq!(numbers(&batch), [14, 14]);
        batch.clear();
        assert!(!all.take(&mut batch).await);
    }
}
