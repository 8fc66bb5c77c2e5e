//! Deliveries as clients see them: listed, shown, sent again.

use atelier_domain::{
    Account, AccountId, Attempt, AuditRecord, Delivery, DeliveryId, DeliveryState, Event, GenerationId,
    Scope, SigningSecrets, Timestamp,
};
use atelier_store::{Redelivered, Store};
use serde::Serialize;
use utoipa::ToSchema;

use super::sign;
use crate::{Admin, App, Caller, Error, Result, audit};

/// The largest page.
pub const MAX_LIMIT: u32 = 100;
/// The page if no limit is given.
pub const DEFAULT_LIMIT: u32 = 20;
/// Failed deliveries sent again at once.
pub const MAX_REDELIVERED: u32 = 1_000;

/// The filter of a list of deliveries; `None` leaves none out.
#[derive(Debug, Clone, Default)]
pub struct DeliveryFilter {
    pub state: Option<DeliveryState>,
    pub event: Option<Event>,
    pub generation: Option<GenerationId>,
}

/// The filter and the page of a list.
#[derive(Debug, Clone, Default)]
pub struct ListDeliveries {
    pub filter: DeliveryFilter,
    pub limit: Option<u32>,
    /// `next_cursor` of the previous page.
    pub cursor: Option<String>,
}

/// A page and the way to the next.
#[derive(Debug)]
pub struct ListedDeliveries {
    pub items: Vec<DeliveryView>,
    pub total: u64,
    pub limit: u32,
    pub next_cursor: Option<String>,
}

/// One event on its way to one URL.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeliveryView {
    /// `webhook-id` and `X-Service-Delivery` of every attempt.
    #[schema(example = "0190c7e0-5b2e-7cc1-9c0a-7f1d2e3a4b5c")]
    pub id: String,
    /// Always `delivery`.
    #[schema(example = "delivery")]
    pub object: &'static str,
    /// `generation.completed`, `generation.failed` or `webhook.test`; for registered endpoints also
    /// `generation.cancelled` or `account.low_balance`.
    #[schema(example = "generation.completed")]
    pub event: &'static str,
    /// The generation that it is about; null for a test, and for an event of the account.
    pub generation: Option<String>,
    /// The registered endpoint that it goes to; null for the URL of a request.
    pub endpoint: Option<String>,
    /// The address to which it is sent.
    pub url: String,
    /// `pending`, `sending`, `delivered` or `failed`.
    #[schema(example = "delivered")]
    pub state: &'static str,
    /// How many attempts have been made.
    pub attempt_count: u32,
    /// RFC 3339, UTC, milliseconds.
    pub created_at: String,
    /// When the next attempt is due, while pending.
    pub next_attempt_at: Option<String>,
    /// The outcome of the last attempt; null before the first.
    pub last_attempt: Option<AttemptView>,
}

/// The outcome of one attempt.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AttemptView {
    /// From 1.
    pub number: u32,
    /// When it began: RFC 3339, UTC, milliseconds.
    pub at: String,
    /// Milliseconds from connecting to the end of the answer.
    pub latency_ms: u32,
    /// The HTTP status, if there was an answer.
    pub status: Option<u16>,
    /// The failure, if there was one.
    pub error: Option<String>,
    /// The beginning of the answer's body.
    pub response: Option<String>,
}

/// A delivery with every attempt, and what was sent.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeliveryDetail {
    #[serde(flatten)]
    pub delivery: DeliveryView,
    /// Oldest first.
    pub attempts: Vec<AttemptView>,
    /// The exact body of every attempt.
    pub body: String,
    /// The headers that sign the last attempt, or the first one to come, with the current secrets.
    pub headers: Vec<HeaderView>,
}

/// A header of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct HeaderView {
    /// In lower case.
    #[schema(example = "x-service-event")]
    pub name: String,
    /// As it was sent.
    #[schema(example = "generation.completed")]
    pub value: String,
}

impl App {
    /// The account's deliveries, newest first.
    pub async fn list_deliveries(&self, caller: &Caller, list: ListDeliveries) -> Result<ListedDeliveries> {
        page(self.store(), caller.account(Scope::Read)?.id, list).await
    }

    /// One delivery with its attempts and what was sent.
    pub async fn delivery(&self, caller: &Caller, id: &str) -> Result<DeliveryDetail> {
        let account = caller.account_for(&[Scope::Read, Scope::Webhooks])?;
        let now = self.now();
        detail(self.store(), account.id, &account.signing, id, now).await
    }

    /// Sends an ended delivery again: same id, same bytes, new attempts.
    pub async fn redeliver(&self, caller: &Caller, id: &str) -> Result<DeliveryDetail> {
        let (account, now) = (caller.account(Scope::Webhooks)?.id, self.now());
        let record = self.delivery_record(caller, account, "delivery.redeliver", id);
        again(self.store(), account, id, now, record).await?;
        self.hints().delivery();
        self.delivery(caller, id).await
    }

    /// Sends the account's failed deliveries again, the newest [`MAX_REDELIVERED`] of them. Returns how many.
    pub async fn redeliver_failed(&self, caller: &Caller) -> Result<u32> {
        let (account, now) = (caller.account(Scope::Webhooks)?.id, self.now());
        let record = self.delivery_record(caller, account, "delivery.redeliver", "all failed");
        let sent = self
            .store()
            .redeliver_failed(account, MAX_REDELIVERED, now, record)
            .await?;
        if sent > 0 {
            self.hints().delivery();
        }
        Ok(sent)
    }

    pub(super) fn delivery_record(
        &self,
        caller: &Caller,
        account: AccountId,
        action: &'static str,
        object: &str,
    ) -> Option<AuditRecord> {
        caller
            .user()
            .map(|by| audit::record(self.now(), by, action, Some(account), object))
    }
}

impl Admin {
    /// The deliveries of the account of this name, newest first.
    pub async fn deliveries(&self, account: &str, list: ListDeliveries) -> Result<ListedDeliveries> {
        let account = self.account(account).await?;
        page(&*self.store, account.id, list).await
    }

    /// One delivery of the account of this name.
    pub async fn delivery(&self, account: &str, id: &str) -> Result<DeliveryDetail> {
        let account = self.account(account).await?;
        self.delivery_of(&account, id).await
    }

    /// Sends an ended delivery of the account of this name again.
    pub async fn redeliver(&self, account: &str, id: &str) -> Result<DeliveryDetail> {
        let account = self.account(account).await?;
        let record = Some(self.delivery_record(&account, "delivery.redeliver", id));
        again(&*self.store, account.id, id, self.now(), record).await?;
        self.delivery_of(&account, id).await
    }

    /// Sends the failed deliveries of the account of this name again, the newest [`MAX_REDELIVERED`] of them.
    /// Returns how many.
    pub async fn redeliver_failed(&self, account: &str) -> Result<u32> {
        let account = self.account(account).await?;
        let record = Some(self.delivery_record(&account, "delivery.redeliver", "all failed"));
        let sent = self
            .store
            .redeliver_failed(account.id, MAX_REDELIVERED, self.now(), record);
        Ok(sent.await?)
    }

    pub(super) async fn delivery_of(&self, account: &Account, id: &str) -> Result<DeliveryDetail> {
        detail(&*self.store, account.id, &account.signing, id, self.now()).await
    }

    pub(super) fn delivery_record(
        &self,
        account: &Account,
        action: &'static str,
        object: &str,
    ) -> AuditRecord {
        audit::record(self.now(), &self.by, action, Some(account.id), object)
    }
}

/// One page of an account's deliveries.
async fn page(store: &dyn Store, account: AccountId, list: ListDeliveries) -> Result<ListedDeliveries> {
    let limit = list.limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(Error::parameter(
            "limit",
            format!("`limit` must be between 1 and {MAX_LIMIT} (got {limit})"),
        ));
    }
    let before = list
        .cursor
        .map(|cursor| cursor.parse::<DeliveryId>())
        .transpose()
        .map_err(|_| {
            Error::parameter(
                "cursor",
                "`cursor` must be the `next_cursor` of the previous page",
            )
        })?;
    let DeliveryFilter {
        state,
        event,
        generation,
    } = list.filter;
    let filter = atelier_store::DeliveryFilter {
        state,
        event,
        generation,
    };
    let page = store.list_deliveries(account, filter, before, limit).await?;
    let next_cursor = page
        .items
        .last()
        .filter(|_| page.more)
        .map(|(last, _)| last.id.to_string());
    let items = page
        .items
        .iter()
        .map(|(delivery, last)| view(delivery, last.as_ref()))
        .collect();
    Ok(ListedDeliveries {
        items,
        total: page.total,
        limit,
        next_cursor,
    })
}

/// One delivery of an account, as it would be signed at `now` if no attempt was made yet.
async fn detail(
    store: &dyn Store,
    account: AccountId,
    signing: &SigningSecrets,
    id: &str,
    now: Timestamp,
) -> Result<DeliveryDetail> {
    let found = store.delivery(account, parse(id)?).await?;
    let (delivery, attempts) = found.ok_or_else(|| missing(id))?;
    let signing = secrets(store, &delivery, signing).await?;
    Ok(described(&delivery, &attempts, &signing, now))
}

/// Returns the secrets that sign a delivery: those of its endpoint, or of its account.
pub(crate) async fn secrets(
    store: &dyn Store,
    delivery: &Delivery,
    of_account: &SigningSecrets,
) -> Result<SigningSecrets> {
    let own = match delivery.endpoint {
        Some(endpoint) => store.endpoint_secrets(delivery.account, endpoint).await?,
        None => None,
    };
    Ok(own.unwrap_or_else(|| of_account.clone()))
}

/// Makes an ended delivery of an account due again.
async fn again(
    store: &dyn Store,
    account: AccountId,
    id: &str,
    now: Timestamp,
    record: Option<AuditRecord>,
) -> Result<()> {
    match store.redeliver(account, parse(id)?, now, record).await? {
        Redelivered::Due => Ok(()),
        Redelivered::Emptied => Err(Error::Gone(
            "the body of this delivery is no longer stored".to_owned(),
        )),
        Redelivered::NotFound => Err(missing(id)),
        Redelivered::NotEnded => Err(Error::invalid(format!(
            "delivery `{id}` is still being sent: you can send it again once it is delivered or failed"
        ))),
    }
}

pub(crate) fn described(
    delivery: &Delivery,
    attempts: &[Attempt],
    signing: &SigningSecrets,
    now: Timestamp,
) -> DeliveryDetail {
    let at = attempts.last().map_or(now, |last| last.at);
    let own = [
        ("content-type", "application/json".to_owned()),
        ("x-service-event", delivery.event.to_string()),
        ("x-service-delivery", delivery.id.to_string()),
    ];
    let signed = sign::headers(signing, delivery.id, at, &delivery.body);
    let headers = own.into_iter().chain(signed).map(|(name, value)| HeaderView {
        name: name.to_owned(),
        value,
    });
    DeliveryDetail {
        delivery: view(delivery, attempts.last()),
        attempts: (1..)
            .zip(attempts)
            .map(|(number, made)| attempt(number, made))
            .collect(),
        body: String::from_utf8_lossy(&delivery.body).into_owned(),
        headers: headers.collect(),
    }
}

pub(crate) fn view(delivery: &Delivery, last: Option<&Attempt>) -> DeliveryView {
    let pending = delivery.state == DeliveryState::Pending;
    DeliveryView {
        id: delivery.id.to_string(),
        object: "delivery",
        event: delivery.event.as_str(),
        generation: delivery.generation.map(|id| id.to_string()),
        endpoint: delivery.endpoint.map(|id| id.to_string()),
        url: delivery.url.clone(),
        state: delivery.state.as_str(),
        attempt_count: delivery.attempts,
        created_at: delivery.created_at.rfc3339(),
        next_attempt_at: pending.then(|| delivery.due_at.rfc3339()),
        last_attempt: last.map(|last| attempt(delivery.attempts, last)),
    }
}

fn attempt(number: u32, attempt: &Attempt) -> AttemptView {
    AttemptView {
        number,
        at: attempt.at.rfc3339(),
        latency_ms: attempt.latency_ms,
        status: attempt.status,
        error: attempt.error.clone(),
        response: attempt.response.clone(),
    }
}

/// A filter from its words, each checked by name.
pub fn filter(state: Option<&str>, event: Option<&str>, generation: Option<&str>) -> Result<DeliveryFilter> {
    Ok(DeliveryFilter {
        state: state
            .map(str::parse::<DeliveryState>)
            .transpose()
            .map_err(|why| Error::parameter("state", why))?,
        event: event
            .map(str::parse::<Event>)
            .transpose()
            .map_err(|why| Error::parameter("event", why))?,
        generation: generation
            .map(str::parse)
            .transpose()
            .map_err(|_| Error::parameter("generation", "`generation` must be a generation's id"))?,
    })
}

fn parse(id: &str) -> Result<DeliveryId> {
    id.parse().map_err(|_| missing(id))
}

fn missing(id: &str) -> Error {
    let id: String = id.chars().take(64).collect();
    Error::NotFound(format!("there is no delivery with the id `{id}`"))
}
