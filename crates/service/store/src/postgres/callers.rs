//! Finds the callers of requests: the first statement of every request, so those of many requests are one. While some
//! are answered, the next ones gather. Nothing is remembered: a key that was revoked is refused from then on.

use std::{collections::HashMap, sync::Arc};

use tokio::{
    sync::{Semaphore, mpsc, oneshot},
    time::timeout,
};

use super::{
    accounts,
    clock::RateClock,
    error::{Error, Result, closed},
    write::{DEADLINE, Inner, READ, again},
};
use crate::{Caller, StoreError};

/// The most lookups that wait; further ones are refused immediately.
const QUEUE: usize = 4_096;
/// The most lookups in one statement.
const BATCH: usize = 256;
/// Statements at the same time.
const TURNS: usize = 2;

type Hash = [u8; 32];

#[derive(Debug)]
struct Waiting {
    hash: Hash,
    reply: oneshot::Sender<Result<Option<Caller>, StoreError>>,
}

/// The queue to the task that looks callers up.
#[derive(Debug)]
pub(super) struct Callers {
    inner: Arc<Inner>,
    queue: mpsc::Sender<Waiting>,
}

impl Callers {
    /// Starts the task, which ends when this value is dropped.
    pub(super) fn start(inner: Arc<Inner>, clock: RateClock) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        tokio::spawn(run(Arc::clone(&inner), clock, waiting));
        Self { inner, queue }
    }

    pub(super) async fn find(&self, hash: &Hash) -> Result<Option<Caller>, StoreError> {
        self.inner.refuse_when_closed()?;
        let (reply, answer) = oneshot::channel();
        let waiting = Waiting { hash: *hash, reply };
        self.queue.try_send(waiting).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => StoreError::Busy,
            mpsc::error::TrySendError::Closed(_) => closed(),
        })?;
        let late = |_| StoreError::from(Error::Late { after: DEADLINE });
        timeout(DEADLINE, answer)
            .await
            .map_err(late)?
            .map_err(|_| closed())?
    }
}

async fn run(inner: Arc<Inner>, clock: RateClock, mut queue: mpsc::Receiver<Waiting>) {
    let turns = Arc::new(Semaphore::new(TURNS));
    loop {
        let Ok(turn) = Arc::clone(&turns).acquire_owned().await else {
            return;
        };
        let mut batch = Vec::new();
        if queue.recv_many(&mut batch, BATCH).await == 0 {
            return;
        }
        // Those that have given up are not looked up any more.
        batch.retain(|waiting| !waiting.reply.is_closed());
        if batch.is_empty() {
            continue;
        }
        let inner = Arc::clone(&inner);
        tokio::spawn(async move {
            answer(&inner, clock, batch).await;
            drop(turn);
        });
    }
}

async fn answer(inner: &Inner, clock: RateClock, batch: Vec<Waiting>) {
    let mut hashes: Vec<&[u8]> = batch.iter().map(|waiting| waiting.hash.as_slice()).collect();
    hashes.sort_unstable();
    hashes.dedup();
    let found: Result<HashMap<Hash, Caller>, StoreError> = again!(READ, {
        let connection = inner.connection().await?;
        let found = accounts::callers(connection.db(), &hashes, clock).await;
        connection.back_to_pool();
        found
    });
    for Waiting { hash, reply } in batch {
        // The request may be gone.
        let _ = reply.send(match &found {
            Ok(found) => Ok(found.get(&hash).cloned()),
            Err(error) => Err(error.clone()),
        });
    }
}
