//! The log of API requests: what an account asked for lately, and what it was answered.

use async_trait::async_trait;
use atelier_domain::{AccountId, GenerationId, KeyId, RequestId, Timestamp};

use crate::Result;

#[async_trait]
pub trait Requests: Send + Sync + std::fmt::Debug {
    /// Writes these in one statement; each id occurs once. A row with the id of one of them gets its number of
    /// repetitions and its latency, unless it has counted more already.
    async fn log_requests(&self, requests: Vec<LoggedRequest>) -> Result<()>;
    /// The account's requests, newest first.
    async fn list_requests(
        &self,
        account: AccountId,
        filter: RequestFilter,
        before: Option<RequestId>,
        limit: u32,
    ) -> Result<RequestPage>;
}

/// One request, or several of the same kind by one key within a minute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedRequest {
    /// Made at `at`, so that ids are in the order of the requests.
    pub id: RequestId,
    pub account: AccountId,
    pub key: Option<KeyId>,
    /// When the first of them came.
    pub at: Timestamp,
    pub method: String,
    /// Without its query.
    pub path: String,
    pub status: u16,
    /// The code of an error.
    pub code: Option<String>,
    /// Until the answer began; of several, the slowest.
    pub latency_ms: u32,
    /// `X-Request-Id` of the first.
    pub request_id: String,
    /// The generation that it created.
    pub generation: Option<GenerationId>,
    /// At least 1.
    pub count: u32,
}

/// The filter of a list of requests; `None` leaves none out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RequestFilter {
    /// 2 for the statuses from 200 to 299, and so on.
    pub class: Option<u16>,
    pub key: Option<KeyId>,
    /// To the millisecond.
    pub from: Option<Timestamp>,
    /// Not included.
    pub until: Option<Timestamp>,
}

impl RequestFilter {
    /// The statuses, both included, as the stores compare them.
    pub(crate) fn statuses(&self) -> (i64, i64) {
        match self.class {
            None => (0, 999),
            Some(class) => (i64::from(class) * 100, i64::from(class) * 100 + 99),
        }
    }

    /// The ids: from the first, and before the second.
    pub(crate) fn ids(&self, before: Option<RequestId>) -> (uuid::Uuid, uuid::Uuid) {
        let from = self.from.map_or(uuid::Uuid::nil(), crate::history::first_id);
        let until = self.until.map_or(uuid::Uuid::max(), crate::history::first_id);
        (from, before.map_or(until, |before| before.0.min(until)))
    }
}

#[derive(Debug, Clone)]
pub struct RequestPage {
    /// Newest first.
    pub items: Vec<LoggedRequest>,
    /// The number of matches on all pages.
    pub total: u64,
    pub more: bool,
}

impl RequestPage {
    /// Makes a page of its rows, one more than `limit` if there are more.
    pub(crate) fn new(mut items: Vec<LoggedRequest>, total: i64, limit: u32) -> Self {
        let more = items.len() > limit as usize;
        items.truncate(limit as usize);
        Self {
            items,
            total: total.unsigned_abs(),
            more,
        }
    }
}
