//! The place of a generation in the queue, and the recent run times of generations. Each read looks at a bounded number
//! of rows.

use std::time::Duration;

use async_trait::async_trait;
use atelier_domain::{AccountId, GenerationId};

use crate::Result;

/// A place is counted up to this many generations before it.
pub const MOST_AHEAD: u32 = 100;
/// The most accounts that are looked at for a place.
pub(crate) const MOST_ACCOUNTS: u32 = 100;
/// The most running generations that are counted.
pub(crate) const MOST_RUNNING: u32 = 200;
/// The generations that one look at the past reads.
pub(crate) const LOOK_BACK: u32 = 300;

#[async_trait]
pub trait Places: Send + Sync + std::fmt::Debug {
    /// The place of a queued generation of this account; `None` if it is not queued.
    ///
    /// Claims go round the accounts, and each has as many turns in a round as its plan weighs. So what comes before it
    /// is: the older ones of its account, those of each other account in the rounds that these take, and of the next
    /// round those that have waited longer.
    async fn queue_place(&self, account: AccountId, id: GenerationId) -> Result<Option<QueuePlace>>;
    /// How long generations ran that completed in their first attempt: some of the newest ones, and some of those
    /// accepted before the one that waits and is due first.
    async fn recent_runs(&self) -> Result<Vec<RecentRun>>;
}

/// The place of a generation in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuePlace {
    pub lane: String,
    /// How many come before it, at most [`MOST_AHEAD`].
    pub ahead: u32,
    /// Whether there are more than that.
    pub more: bool,
    /// How many run in its lane.
    pub running: u32,
    /// The models of those before it that are of its account, each with how many.
    pub own: Vec<(String, u32)>,
}

impl QueuePlace {
    pub(crate) fn new(
        lane: String,
        ahead: u32,
        accounts: u32,
        running: u32,
        own: Vec<(String, u32)>,
    ) -> Self {
        Self {
            own,
            lane,
            ahead: ahead.min(MOST_AHEAD),
            more: ahead > MOST_AHEAD || accounts > MOST_ACCOUNTS,
            running,
        }
    }
}

/// How long a generation ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentRun {
    pub lane: String,
    pub model: String,
    pub took: Duration,
}

impl RecentRun {
    pub(crate) fn new(lane: String, model: String, micros: i64) -> Self {
        let took = Duration::from_micros(micros.max(0).unsigned_abs());
        Self { lane, model, took }
    }
}
