//! Items of accounts whose rows somebody else has locked: a command of the operator, or a node that was cut off in the
//! middle of a transaction. Each such account has a lane, a task of its own that waits for the lock, so that other
//! accounts need not wait. Lanes are bounded: in items, in time, and together in connections.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{
    sync::{Semaphore, mpsc},
    time::timeout,
};

use super::{
    batch::{BATCH, Batch, Items, Waiting, fill, refuse_late, write_all},
    write::{Inner, LOCK},
};
use crate::StoreError;

/// The most items that wait in a lane; further ones are refused immediately.
const QUEUE: usize = 1_024;
/// Once a lane has waited for nothing, further items come to it directly for this long.
const HELD_UP: Duration = Duration::from_secs(5);

/// The lanes of one kind of write.
pub(super) struct Lanes<B: Batch> {
    inner: Arc<Inner>,
    /// The connections that lanes may use at the same time.
    turns: Arc<Semaphore>,
    open: HashMap<B::Row, mpsc::Sender<Waiting<B>>>,
}

impl<B: Batch> Lanes<B> {
    pub(super) fn new(inner: Arc<Inner>) -> Self {
        let turns = (inner.pool.status().max_size / 8).max(1);
        Self {
            inner,
            turns: Arc::new(Semaphore::new(turns)),
            open: HashMap::new(),
        }
    }

    /// Takes the items of rows that have a lane out of a batch.
    pub(super) fn take_over(&mut self, batch: &mut Vec<Waiting<B>>) {
        if self.open.is_empty() {
            return;
        }
        let mut others = Vec::with_capacity(batch.len());
        for waiting in batch.drain(..) {
            if let Some(waiting) = self.send(waiting) {
                others.push(waiting);
            }
        }
        batch.append(&mut others);
    }

    /// Begins a lane for the row of this item.
    pub(super) fn begin(&mut self, waiting: Waiting<B>) {
        let Some(mut waiting) = self.send(waiting) else {
            return;
        };
        waiting.since = Instant::now();
        let row = B::row(&waiting.item);
        tracing::warn!(%row, "somebody holds a row: the writes that need it wait by themselves");
        let (lane, queue) = mpsc::channel(QUEUE);
        let inner = Arc::clone(&self.inner);
        tokio::spawn(run(inner, Arc::clone(&self.turns), waiting, queue));
        self.open.insert(row, lane);
    }

    /// Sends an item to its lane; returns it if there is none.
    fn send(&mut self, mut waiting: Waiting<B>) -> Option<Waiting<B>> {
        let Entry::Occupied(lane) = self.open.entry(B::row(&waiting.item)) else {
            return Some(waiting);
        };
        // Its time in the lane counts from now.
        waiting.since = Instant::now();
        match lane.get().try_send(waiting) {
            Ok(()) => None,
            Err(mpsc::error::TrySendError::Full(waiting)) => {
                waiting.answer(&self.inner, Err(StoreError::Busy));
                None
            }
            // The lane has ended.
            Err(mpsc::error::TrySendError::Closed(waiting)) => {
                lane.remove();
                Some(waiting)
            }
        }
    }
}

async fn run<B: Batch>(
    inner: Arc<Inner>,
    turns: Arc<Semaphore>,
    first: Waiting<B>,
    mut queue: mpsc::Receiver<Waiting<B>>,
) {
    let mut batch = vec![first];
    let mut held_up = true;
    loop {
        if batch.is_empty() {
            let longest = if held_up { HELD_UP } else { Duration::ZERO };
            match timeout(longest, queue.recv_many(&mut batch, BATCH)).await {
                Ok(0) => return,
                Ok(_) => {}
                Err(_) => {
                    // Later items go to the batches of all accounts again; earlier ones are still written here.
                    queue.close();
                    continue;
                }
            }
        }
        fill(&mut batch, &mut queue, BATCH);
        refuse_late(&inner, &mut batch, LOCK);
        // The oldest is the first.
        let Some(oldest) = batch.first() else { continue };
        let left = LOCK.saturating_sub(oldest.since.elapsed());
        let Ok(turn) = timeout(left, turns.acquire()).await else {
            continue;
        };
        B::wait(&inner, B::row(&oldest.item), left).await;
        let left = LOCK.saturating_sub(oldest.since.elapsed());
        let items: Vec<&B::Item> = batch.iter().map(|waiting| &waiting.item).collect();
        let written = write_all(&inner, Items::<B>::Fixed(&items), left.max(LEAST)).await;
        drop(turn);
        let mut locked = Vec::new();
        for (waiting, outcome) in batch.drain(..).zip(written) {
            match outcome {
                Some(answer) => waiting.answer(&inner, answer),
                None => locked.push(waiting),
            }
        }
        held_up = !locked.is_empty();
        batch = locked;
    }
}

/// A wait of nothing would be without a limit.
const LEAST: Duration = Duration::from_millis(1);
