//! Webhook deliveries: how they are created, claimed and recorded.

use std::collections::HashMap;

use atelier_domain::{
    AccountId, Attempt, Delivery, DeliveryId, DeliveryState, EndpointId, Event, GenerationId, SigningSecrets,
    Timestamp, WorkerId,
};

#[derive(Debug, Clone)]
pub struct NewDelivery {
    pub id: DeliveryId,
    pub event: Event,
    pub url: String,
    /// The URL's host and port, which the limit per host counts by.
    pub host: String,
    /// The registered endpoint that it goes to; `None`: a URL that a request named.
    pub endpoint: Option<EndpointId>,
    pub body: Vec<u8>,
}

#[derive(Debug, Clone)]
pub struct ClaimDeliveries {
    pub worker: WorkerId,
    pub max: u32,
    /// The most deliveries in flight per host.
    pub per_host: u32,
    /// The deliveries that this worker has in flight, by host.
    pub in_flight: HashMap<String, u32>,
    pub now: Timestamp,
    pub lease_until: Timestamp,
}

/// A delivery to attempt.
#[derive(Debug, Clone)]
pub struct ClaimedDelivery {
    pub delivery: Delivery,
    pub host: String,
    pub epoch: i64,
    /// The secrets that sign it: those of its endpoint, or of its account.
    pub secrets: SigningSecrets,
}

#[derive(Debug, Clone)]
pub struct RecordAttempt {
    pub id: DeliveryId,
    pub epoch: i64,
    pub attempt: Attempt,
    pub next: NextAttempt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextAttempt {
    Delivered,
    GivenUp,
    At(Timestamp),
}

impl NewDelivery {
    /// The delivery of a generation that is leased, until `until`, to the worker that ended it.
    pub(crate) fn leased(
        &self,
        generation: GenerationId,
        (account, secrets): (AccountId, &SigningSecrets),
        now: Timestamp,
        until: Timestamp,
    ) -> ClaimedDelivery {
        ClaimedDelivery {
            delivery: Delivery {
                id: self.id,
                account,
                generation: Some(generation),
                endpoint: self.endpoint,
                event: self.event,
                url: self.url.clone(),
                body: self.body.clone(),
                state: DeliveryState::Sending,
                attempts: 0,
                attempts_before: 0,
                due_at: until,
                created_at: now,
            },
            host: self.host.clone(),
            epoch: 1,
            secrets: secrets.clone(),
        }
    }
}

impl RecordAttempt {
    /// The delivery's state after the attempt, when it is due, and when it ended.
    pub(crate) const fn becomes(&self) -> (DeliveryState, Timestamp, Option<Timestamp>) {
        let at = self.attempt.at;
        match self.next {
            NextAttempt::Delivered => (DeliveryState::Delivered, at, Some(at)),
            NextAttempt::GivenUp => (DeliveryState::Failed, at, Some(at)),
            NextAttempt::At(due) => (DeliveryState::Pending, due, None),
        }
    }
}
