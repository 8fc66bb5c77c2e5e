//! The worker's side of deliveries: claimed like jobs, recorded attempt by attempt.

use std::{collections::HashMap, time::Duration};

use atelier_domain::{Attempt, Delivery, SigningSecrets, Timestamp, WorkerId};
use atelier_store::{ClaimDeliveries, ClaimedDelivery, NextAttempt, RecordAttempt};

use super::schedule::Met;
use crate::{Result, System};

/// A delivery to attempt, leased to a worker.
#[derive(Debug, Clone)]
pub struct DueDelivery {
    pub delivery: Delivery,
    /// The URL's host and port, which deliveries are limited by.
    pub host: String,
    /// Raised by the claim.
    pub epoch: i64,
    /// The signing secrets of the account.
    pub secrets: SigningSecrets,
}

/// How many deliveries a worker has room for.
#[derive(Debug, Clone)]
pub struct Room {
    pub max: u32,
    pub per_host: u32,
    /// How many the worker holds already, by host.
    pub in_flight: HashMap<String, u32>,
}

/// The outcome of an attempt: success, the end, or another attempt.
#[derive(Debug, Clone, Copy)]
pub struct Follows(NextAttempt);

impl Follows {
    /// The label in metrics.
    pub const fn label(self) -> &'static str {
        match self.0 {
            NextAttempt::Delivered => "delivered",
            NextAttempt::GivenUp => "given_up",
            NextAttempt::At(_) => "retried",
        }
    }
}

impl System {
    /// Leases due deliveries to the worker, oldest first.
    pub async fn claim_deliveries(
        &self,
        worker: WorkerId,
        room: Room,
        lease: Duration,
    ) -> Result<Vec<DueDelivery>> {
        let now = self.app.now();
        let claim = ClaimDeliveries {
            worker,
            max: room.max,
            per_host: room.per_host,
            in_flight: room.in_flight,
            now,
            lease_until: now.plus(lease),
        };
        let claimed = self.app.store().claim_deliveries(claim).await?;
        Ok(claimed.into_iter().map(DueDelivery::from).collect())
    }

    /// Returns the decision of the schedule after an attempt with this outcome.
    pub fn follows(&self, due: &DueDelivery, met: Met) -> Follows {
        let delivery = &due.delivery;
        let number = delivery.attempts.saturating_sub(delivery.attempts_before) + 1;
        let schedule = &self.settings().webhook_schedule;
        Follows(schedule.next(number, met, self.app.now(), self.app.entropy()))
    }

    /// Records an attempt and what follows it. False: the worker no longer holds the delivery.
    pub async fn record_attempt(
        &self,
        due: &DueDelivery,
        attempt: Attempt,
        follows: Follows,
    ) -> Result<bool> {
        let record = RecordAttempt {
            id: due.delivery.id,
            epoch: due.epoch,
            attempt,
            next: follows.0,
        };
        Ok(self.app.store().record_attempt(record).await?)
    }

    /// When the next delivery is due, if one is within this time.
    pub async fn next_delivery_due(&self, within: Duration) -> Result<Option<Timestamp>> {
        let until = self.app.now().plus(within);
        Ok(self.app.store().next_delivery_due(until).await?)
    }

    /// Waits for the hint that a delivery is due.
    pub async fn delivery_hint(&self) {
        self.app.hints().delivery_due().await;
    }

    /// Gives the hint that a delivery can be sent.
    pub fn hint_delivery(&self) {
        self.app.hints().delivery();
    }
}

impl From<ClaimedDelivery> for DueDelivery {
    fn from(claimed: ClaimedDelivery) -> Self {
        let ClaimedDelivery {
            delivery,
            host,
            epoch,
            secrets,
        } = claimed;
        Self {
            delivery,
            host,
            epoch,
            secrets,
        }
    }
}
