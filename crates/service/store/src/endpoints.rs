//! Webhook endpoints of accounts, the threshold of a low balance, and what happened that endpoints may want to know.
//!
//! The transaction that ends a generation of an account with endpoints writes an event, and so does a trigger of the
//! database when a balance falls below its threshold. A worker turns events into deliveries, each once.

use async_trait::async_trait;
use atelier_domain::{
    Account, AccountId, AuditRecord, Endpoint, EndpointId, Event, GenerationId, SigningSecrets, Timestamp,
};

use crate::{
    NewDelivery, Place, Result,
    values::{Fields, secrets, unreadable},
};

macro_rules! endpoint_columns {
    () => {
        "w.id, w.account, w.url, w.events, w.enabled, w.signing_secret, w.previous_secret, w.previous_secret_until, \
         w.created_at"
    };
}

macro_rules! event_columns {
    () => {
        "id, account, kind, at, available, threshold"
    };
}

pub(crate) use {endpoint_columns, event_columns};

#[async_trait]
pub trait Endpoints: Send + Sync + std::fmt::Debug {
    /// Creates an endpoint; false if its account has `most` of them already. Durable.
    async fn create_endpoint(&self, new: Endpoint, most: u32, record: AuditRecord) -> Result<bool>;
    /// The account's endpoints, oldest first.
    async fn endpoints(&self, account: AccountId) -> Result<Vec<Endpoint>>;
    /// The secrets of an endpoint, even of one that was deleted. A point read.
    async fn endpoint_secrets(&self, account: AccountId, id: EndpointId) -> Result<Option<SigningSecrets>>;
    /// Changes an endpoint; `None` if the account has no such one. Durable.
    async fn update_endpoint(
        &self,
        account: AccountId,
        id: EndpointId,
        change: EndpointChange,
        record: AuditRecord,
    ) -> Result<Option<Endpoint>>;
    /// Deletes an endpoint. Its deliveries that were not attempted go, those that would be attempted again fail, and
    /// the others stay. False if the account has no such one. Durable.
    async fn delete_endpoint(
        &self,
        account: AccountId,
        id: EndpointId,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<bool>;
    /// Sets or removes the threshold below which the balance is low. A balance that is below it already is low,
    /// but no event is sent, because it has not fallen. Durable.
    async fn set_low_balance(
        &self,
        account: AccountId,
        threshold: Option<i64>,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<Account>>;
    /// Returns the events that were not turned into deliveries yet.
    async fn open_events(&self, limit: u32) -> Result<Vec<OpenEvent>>;
    /// Creates the deliveries of events that are still open, which ends these. Returns how many deliveries there are.
    async fn tell(&self, told: Vec<Told>, now: Timestamp) -> Result<u32>;
}

/// The changes to an endpoint; `None` leaves a value as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndpointChange {
    pub url: Option<String>,
    pub events: Option<Vec<Event>>,
    pub enabled: Option<bool>,
    /// Another secret, and until when the present one signs beside it.
    pub secret: Option<(String, Timestamp)>,
}

impl EndpointChange {
    pub(crate) fn apply(self, endpoint: &mut Endpoint) {
        if let Some(url) = self.url {
            endpoint.url = url;
        }
        if let Some(events) = self.events {
            endpoint.events = events;
        }
        endpoint.enabled = self.enabled.unwrap_or(endpoint.enabled);
        if let Some((secret, until)) = self.secret {
            endpoint.secrets = endpoint.secrets.clone().rotated(&secret, until);
        }
    }
}

/// Something that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenEvent {
    pub id: Place,
    pub account: AccountId,
    pub at: Timestamp,
    pub what: Happening,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    /// This generation ended.
    End(GenerationId),
    /// The balance fell below the threshold.
    LowBalance { available: i64, threshold: i64 },
}

/// An event and its deliveries, which may be none.
#[derive(Debug, Clone)]
pub struct Told {
    pub event: Place,
    pub account: AccountId,
    /// The generation that the deliveries are about.
    pub about: Option<GenerationId>,
    pub deliveries: Vec<NewDelivery>,
}

/// How the events of an endpoint are stored.
pub(crate) fn names(events: &[Event]) -> String {
    let names: Vec<_> = events.iter().map(|event| event.as_str()).collect();
    names.join(" ")
}

/// From [`endpoint_columns`].
pub(crate) fn endpoint<R: Fields>(row: &R) -> Result<Endpoint, R::Error> {
    let events = row.text(3)?.split_whitespace().map(str::parse);
    Ok(Endpoint {
        id: EndpointId(row.id(0)?),
        account: AccountId(row.id(1)?),
        url: row.string(2)?,
        events: events.collect::<Result<_, String>>().map_err(unreadable)?,
        enabled: row.optional_boolean(4)?.unwrap_or_default(),
        secrets: secrets(row, 5)?,
        created_at: row.moment(8)?,
    })
}

/// From [`event_columns`].
pub(crate) fn event<R: Fields>(row: &R) -> Result<OpenEvent, R::Error> {
    let id = row.id(0)?;
    Ok(OpenEvent {
        id,
        account: AccountId(row.id(1)?),
        at: row.moment(3)?,
        what: match row.text(2)? {
            "end" => Happening::End(GenerationId(id)),
            "low_balance" => Happening::LowBalance {
                available: row.integer(4)?,
                threshold: row.integer(5)?,
            },
            other => return Err(unreadable(format!("unknown kind of event `{other}`")).into()),
        },
    })
}
