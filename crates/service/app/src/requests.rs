//! The log of API requests: collected in memory, written in batches, and listed for the account.
//!
//! A request costs no write of its own. A node collects what it has answered and writes it once a second in one
//! statement. Equal reads of one key that succeed within a minute, such as polls of a job, are one row with a count.

mod collected;

use std::{sync::PoisonError, time::Duration};

use atelier_domain::{AccountId, GenerationId, KeyId, RequestId, Scope, Timestamp};
use atelier_store::{LoggedRequest, RequestFilter};
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) use self::collected::RequestLog;
use crate::{App, Caller, Error, Result, System};

/// The largest page.
pub const MAX_LIMIT: u32 = 100;
/// The page if no limit is given.
pub const DEFAULT_LIMIT: u32 = 20;

/// How often the collected requests are written.
const WRITE_EVERY: Duration = Duration::from_secs(1);
/// The most rows of one write, so that other writes wait only a few milliseconds.
const BATCH: usize = 500;

/// The sender of a request, as far as its key or its access token says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asker {
    pub account: AccountId,
    /// `None` for an access token.
    pub key: Option<KeyId>,
}

/// An answered request.
#[derive(Debug, Clone)]
pub struct Answered<'a> {
    pub at: Timestamp,
    pub method: &'a str,
    /// Without its query.
    pub path: &'a str,
    pub status: u16,
    pub code: Option<&'static str>,
    pub latency: Duration,
    pub request_id: &'a str,
    /// The generation that it created.
    pub generation: Option<GenerationId>,
}

impl Answered<'_> {
    /// Whether it is a read that succeeded: several within a minute say no more than one.
    fn repeats(&self) -> bool {
        self.method == "GET" && matches!(self.status, 200..=299)
    }
}

/// The filter and the page of a list.
#[derive(Debug, Clone, Default)]
pub struct ListRequests {
    pub filter: RequestFilter,
    pub limit: Option<u32>,
    /// `next_cursor` of the previous page.
    pub cursor: Option<String>,
}

/// A page and the way to the next.
#[derive(Debug)]
pub struct ListedRequests {
    pub items: Vec<RequestEntry>,
    pub total: u64,
    pub limit: u32,
    pub next_cursor: Option<String>,
}

/// One request, or several equal reads by one key within a minute.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RequestEntry {
    /// The entry's id.
    #[schema(example = "0190c7e0-5b2e-7cc1-9c0a-7f1d2e3a4b5c")]
    pub id: String,
    /// Always `request`.
    #[schema(example = "request")]
    pub object: &'static str,
    /// When the first of them came: RFC 3339, UTC, milliseconds.
    pub created_at: String,
    /// The HTTP method.
    #[schema(example = "POST")]
    pub method: String,
    /// The path, without its query.
    #[schema(example = "/dev/v1/generations")]
    pub path: String,
    /// The HTTP status of the answer.
    #[schema(example = 201)]
    pub status: u16,
    /// `error.code` of the answer, if it was an error.
    pub code: Option<String>,
    /// The key that was used; null for an access token.
    pub key: Option<RequestKey>,
    /// Milliseconds until the answer began; of several, the slowest.
    #[schema(example = 12)]
    pub latency_ms: u32,
    /// `X-Request-Id` of the first of them.
    pub request_id: String,
    /// The job that it created.
    pub generation: Option<String>,
    /// How many requests it stands for: equal reads that succeeded within the same minute are one entry.
    #[schema(example = 1)]
    pub count: u32,
}

/// The key of a request.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RequestKey {
    /// The key's id.
    #[schema(example = "0190c7e0-5b2e-7cc1-9c0a-7f1d2e3a4b5c")]
    pub id: String,
    /// Its name.
    #[schema(example = "render farm")]
    pub name: String,
    /// The beginning of its text, now.
    #[schema(example = "atl_3f9a")]
    pub prefix: String,
}

impl App {
    /// Notes an answered request; it is written a moment later.
    pub fn log_request(&self, asker: Asker, seen: &Answered<'_>) {
        let id = || RequestId(self.entropy().uuid(seen.at));
        let mut collected = self
            .0
            .request_log
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        collected.add(asker, seen, id);
    }

    /// The account's requests, newest first.
    pub async fn list_requests(&self, caller: &Caller, list: ListRequests) -> Result<ListedRequests> {
        let account = caller.account(Scope::Read)?.id;
        let limit = list.limit.unwrap_or(DEFAULT_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(Error::parameter(
                "limit",
                format!("`limit` must be between 1 and {MAX_LIMIT} (got {limit})"),
            ));
        }
        let before = list.cursor.map(|cursor| cursor.parse::<RequestId>()).transpose();
        let before = before.map_err(|_| {
            Error::parameter(
                "cursor",
                "`cursor` must be the `next_cursor` of the previous page",
            )
        })?;
        let page = self
            .store()
            .list_requests(account, list.filter, before, limit)
            .await?;
        let keys = self.store().keys(account).await?;
        let last = page.items.last().filter(|_| page.more);
        Ok(ListedRequests {
            next_cursor: last.map(|last| last.id.to_string()),
            items: page
                .items
                .into_iter()
                .map(|row| {
                    let key = keys.iter().find(|key| Some(key.id) == row.key);
                    entry(
                        row,
                        key.map(|key| RequestKey {
                            id: key.id.to_string(),
                            name: key.name.clone(),
                            prefix: key.prefix.clone(),
                        }),
                    )
                })
                .collect(),
            total: page.total,
            limit,
        })
    }

    /// For how long requests are kept; `None`: for ever.
    pub fn keeps_requests(&self) -> Option<Duration> {
        self.settings().retention.requests
    }

    async fn write_requests(&self) {
        let log = &self.0.request_log.0;
        let rows = {
            let mut collected = log.lock().unwrap_or_else(PoisonError::into_inner);
            collected.take(self.now())
        };
        for (index, batch) in rows.chunks(BATCH).enumerate() {
            if let Err(error) = self.store().log_requests(batch.to_vec()).await {
                tracing::warn!(%error, "requests could not be logged");
                let mut collected = log.lock().unwrap_or_else(PoisonError::into_inner);
                for row in rows.iter().skip(index * BATCH) {
                    if collected.is_full() {
                        collected.dropped += 1;
                    } else {
                        collected.write_later(row.clone());
                    }
                }
                break;
            }
        }
    }
}

impl System {
    /// Writes the collected requests every second, for as long as it is polled.
    pub(crate) async fn write_requests(&self) {
        loop {
            tokio::time::sleep(WRITE_EVERY).await;
            self.app.write_requests().await;
        }
    }

    /// How many rows had no room in memory since the start.
    pub fn requests_dropped(&self) -> u64 {
        let log = &self.app.0.request_log.0;
        log.lock().unwrap_or_else(PoisonError::into_inner).dropped
    }

    /// Writes what is left; called before the service ends.
    pub(crate) async fn write_requests_now(&self) {
        self.app.write_requests().await;
    }
}

fn entry(row: LoggedRequest, key: Option<RequestKey>) -> RequestEntry {
    RequestEntry {
        id: row.id.to_string(),
        object: "request",
        created_at: row.at.rfc3339(),
        method: row.method,
        path: row.path,
        status: row.status,
        code: row.code,
        key,
        latency_ms: row.latency_ms,
        request_id: row.request_id,
        generation: row.generation.map(|id| id.to_string()),
        count: row.count,
    }
}

/// A filter from its words, each checked by name.
pub fn filter(
    status: Option<&str>,
    key: Option<&str>,
    from: Option<&str>,
    until: Option<&str>,
) -> Result<RequestFilter> {
    let class = status.map(|status| match status {
        "2xx" => Ok(2),
        "3xx" => Ok(3),
        "4xx" => Ok(4),
        "5xx" => Ok(5),
        other => Err(Error::parameter(
            "status",
            format!("unknown status class `{other}`; allowed: 2xx, 3xx, 4xx, 5xx"),
        )),
    });
    let time = |name: &str, text: Option<&str>| {
        text.map(|text| {
            Timestamp::of_text(text).ok_or_else(|| {
                Error::parameter(
                    name,
                    format!("`{name}` must be a time in UTC such as 2026-11-23T14:00:00Z, or a day"),
                )
            })
        })
        .transpose()
    };
    Ok(RequestFilter {
        class: class.transpose()?,
        key: key
            .map(str::parse)
            .transpose()
            .map_err(|_| Error::parameter("key", "`key` must be the id of a key"))?,
        from: time("from", from)?,
        until: time("until", until)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_checked_by_name() {
        let all = filter(
            Some("4xx"),
            None,
            Some("2026-11-23T14:00:00Z"),
            Some("2026-11-24"),
        )
        .unwrap();
        assert_eq!(all.class, Some(4));
        let hours = all.until.unwrap().since(all.from.unwrap());
        assert_eq!(hours, Duration::from_hours(10));
        let wrong = filter(Some("404"), None, None, None).unwrap_err().to_string();
        assert!(wrong.contains("allowed: 2xx, 3xx, 4xx, 5xx"), "{wrong}");
        assert!(filter(None, None, Some("yesterday"), None).is_err());
    }
}
