//! Reads of single rows that many requests and jobs make: those of one kind are read together. While some are answered,
//! the next ones gather. Nothing is remembered: a key that was revoked is refused from then on.

use std::{collections::HashMap, hash::Hash, sync::Arc, time::Duration};

use atelier_domain::{Account, AccountId};
use futures::{TryFutureExt as _, future::try_join3};
use tokio::{
    sync::{Semaphore, mpsc, oneshot},
    task::yield_now,
    time::timeout,
};

use super::{
    accounts,
    batch::fill,
    clock::RateClock,
    error::{Error, Result, closed, not_queued},
    write::{DEADLINE, Db, Inner, READ, again},
};
use crate::{Caller, StoreError};

/// The most reads that wait; further ones are refused immediately.
const QUEUE: usize = 4_096;
/// The most reads in one statement.
const BATCH: usize = 256;
/// The most statements at the same time.
const TURNS: usize = 4;
/// How long the next statement waits for the one before: what gathers meanwhile needs fewer statements.
const TURN: Duration = Duration::from_millis(10);
/// How often what is ready to run goes first: requests that came together ask for their reads one after the other.
const YIELDS: usize = 2;

/// These reads are planned once for each connection, as the writes of each job are. Otherwise they would be planned
/// every time, which takes six times as long as running them: a plan for the keys at hand looks cheaper than one for
/// any.
const BEGIN: &str =
    "BEGIN READ ONLY; SET LOCAL plan_cache_mode TO force_generic_plan; SET LOCAL enable_seqscan TO off";

/// A kind of read.
pub(super) trait Lookup: Send + Sync + 'static {
    type Key: Copy + Ord + Hash + Send + Sync + 'static;
    type Found: Clone + Send + 'static;

    /// Reads what belongs to these keys, which are different ones.
    fn find(
        &self,
        db: &Db,
        keys: &[Self::Key],
    ) -> impl Future<Output = Result<HashMap<Self::Key, Self::Found>>> + Send;
}

/// Finds the callers of requests, by the hashes of their keys: the first statement of every request.
pub(super) struct Callers(pub(super) RateClock);

impl Lookup for Callers {
    type Key = [u8; 32];
    type Found = Caller;

    async fn find(&self, db: &Db, keys: &[Self::Key]) -> Result<HashMap<Self::Key, Caller>> {
        let hashes: Vec<&[u8]> = keys.iter().map(<[u8; 32]>::as_slice).collect();
        accounts::callers(db, &hashes, self.0).await
    }
}

/// Finds accounts, whose settings each job reads.
pub(super) struct Accounts;

impl Lookup for Accounts {
    type Key = AccountId;
    type Found = Account;

    async fn find(&self, db: &Db, keys: &[AccountId]) -> Result<HashMap<AccountId, Account>> {
        accounts::by_ids(db, keys).await
    }
}

struct Waiting<L: Lookup> {
    key: L::Key,
    reply: oneshot::Sender<Result<Option<L::Found>, StoreError>>,
}

/// The queue to the task that makes the reads of one kind.
pub(super) struct Lookups<L: Lookup> {
    inner: Arc<Inner>,
    queue: mpsc::Sender<Waiting<L>>,
}

impl<L: Lookup> std::fmt::Debug for Lookups<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lookups").finish_non_exhaustive()
    }
}

impl<L: Lookup> Lookups<L> {
    /// Starts the task, which ends when this value is dropped.
    pub(super) fn start(inner: Arc<Inner>, lookup: L) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        tokio::spawn(run(Arc::clone(&inner), Arc::new(lookup), waiting));
        Self { inner, queue }
    }

    pub(super) async fn find(&self, key: L::Key) -> Result<Option<L::Found>, StoreError> {
        self.inner.refuse_when_closed()?;
        let (reply, answer) = oneshot::channel();
        let waiting = Waiting { key, reply };
        self.queue.try_send(waiting).map_err(|error| not_queued(&error))?;
        let late = |_| StoreError::from(Error::Late { after: DEADLINE });
        timeout(DEADLINE, answer)
            .await
            .map_err(late)?
            .map_err(|_| closed())?
    }
}

async fn run<L: Lookup>(inner: Arc<Inner>, lookup: Arc<L>, mut queue: mpsc::Receiver<Waiting<L>>) {
    let turns = Arc::new(Semaphore::new(TURNS));
    loop {
        let Ok(turn) = Arc::clone(&turns).acquire_owned().await else {
            return;
        };
        let mut batch = gathered(&mut queue).await;
        if batch.is_empty() {
            return;
        }
        // Those that have given up are not looked up any more.
        batch.retain(|waiting| !waiting.reply.is_closed());
        if batch.is_empty() {
            continue;
        }
        let (inner, lookup) = (Arc::clone(&inner), Arc::clone(&lookup));
        let answered = tokio::spawn(async move {
            answer(&inner, &*lookup, batch).await;
            drop(turn);
        });
        // One that takes longer does not hold up the others.
        let _ = timeout(TURN, answered).await;
    }
}

/// What waits, together with what is about to be asked; nothing if nothing more will come.
///
/// Without the pause, the first request of many would wake this task before the others have run.
async fn gathered<T>(queue: &mut mpsc::Receiver<T>) -> Vec<T> {
    let mut batch = Vec::new();
    if queue.recv_many(&mut batch, 1).await == 1 {
        for _ in 0..YIELDS {
            yield_now().await;
        }
        fill(&mut batch, queue, BATCH);
    }
    batch
}

async fn answer<L: Lookup>(inner: &Inner, lookup: &L, batch: Vec<Waiting<L>>) {
    let mut keys: Vec<L::Key> = batch.iter().map(|waiting| waiting.key).collect();
    keys.sort_unstable();
    keys.dedup();
    let found: Result<HashMap<L::Key, L::Found>, StoreError> = again!(READ, {
        let connection = inner.connection().await?;
        let db = connection.db();
        let run = |sql| db.batch_execute(sql).map_err(Error::from);
        // Polled in this order, which is the order in which they are sent. A statement that must be prepared first
        // comes after the commit, which does no harm.
        let found = try_join3(run(BEGIN), lookup.find(db, &keys), run("COMMIT")).await;
        if found.is_ok() {
            connection.back_to_pool();
        }
        found.map(|((), found, ())| found)
    });
    for Waiting { key, reply } in batch {
        // The request may be gone.
        let _ = reply.send(match &found {
            Ok(found) => Ok(found.get(&key).cloned()),
            Err(error) => Err(error.clone()),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn requests_that_came_together_are_gathered_and_no_more_than_a_statement_reads() {
        let (asking, mut queue) = mpsc::channel(QUEUE);
        let first = tokio::spawn(async move {
            let first = gathered(&mut queue).await;
            (first, queue)
        });
        let requests = asking.clone();
        tokio::spawn(async move {
            // The task that gathers waits by now, so the first of these wakes it.
            for number in 0..3 {
                let asking = requests.clone();
                tokio::spawn(async move { asking.send(number).await });
            }
        });
        let (mut first, mut queue) = first.await.unwrap();
        first.sort_unstable();
        assert_eq!(first, [0, 1, 2]);

        for number in 0..=BATCH {
            asking.try_send(number).unwrap();
        }
        drop(asking);
        assert_eq!(gathered(&mut queue).await, (0..BATCH).collect::<Vec<_>>());
        assert_eq!(gathered(&mut queue).await, [BATCH]);
        assert!(gathered(&mut queue).await.is_empty());
    }
}
