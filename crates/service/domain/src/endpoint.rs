//! Webhook endpoints that accounts register.

use crate::{AccountId, EndpointId, Event, SigningSecrets, Timestamp};

/// A URL that is told of some events of its account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    pub id: EndpointId,
    pub account: AccountId,
    pub url: String,
    /// In the order of [`Event::SUBSCRIBED`], each once.
    pub events: Vec<Event>,
    /// A disabled one is told of nothing new.
    pub enabled: bool,
    /// Its own, not the account's.
    pub secrets: SigningSecrets,
    pub created_at: Timestamp,
}

impl Endpoint {
    /// Whether it wants to be told of this event.
    pub fn wants(&self, event: Event) -> bool {
        self.enabled && self.events.contains(&event)
    }
}
