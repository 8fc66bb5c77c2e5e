//! The queue and the end of generations.

use atelier_domain::{
    AccountId, AuditRecord, Failure, Generation, GenerationId, Output, Timestamp, WorkerId,
};

use crate::{ClaimedDelivery, NewDelivery, Result, StoreError};

#[derive(Debug, Clone)]
pub struct Claim {
    pub worker: WorkerId,
    pub lane: String,
    /// If set, only generations of these models.
    pub models: Option<Vec<String>>,
    pub max: u32,
    pub now: Timestamp,
    pub lease_until: Timestamp,
}

/// The epoch of a claim. It is the time of the claim, so that it never comes again: the database may forget a claim
/// that it has not written to the disk, while the worker that made it goes on. The next claim must not get the same
/// epoch.
pub(crate) fn next_epoch(epoch: i64, now: Timestamp) -> i64 {
    (epoch + 1).max(now.0)
}

/// Puts a running generation back into the queue for another attempt.
#[derive(Debug, Clone)]
pub struct Retry {
    pub id: GenerationId,
    pub epoch: i64,
    pub now: Timestamp,
    /// When the next attempt may begin.
    pub run_at: Timestamp,
    /// Why this attempt ended.
    pub failure: Failure,
    /// The lane of the next attempt; `None`: the same one.
    pub lane: Option<String>,
}

#[derive(Debug, Clone, Copy)]
pub struct Beat {
    pub id: GenerationId,
    pub epoch: i64,
    pub progress: f64,
}

/// The generations whose leases a heartbeat did not renew.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unrenewed {
    /// The worker no longer holds them.
    pub lost: Vec<GenerationId>,
    /// Somebody has locked them: the worker still holds them, until their leases end.
    pub locked: Vec<GenerationId>,
}

/// How a generation ends.
#[derive(Debug, Clone)]
pub struct Ending {
    pub outcome: Outcome,
    /// The delivery to create, if the generation has a webhook.
    pub delivery: Option<NewDelivery>,
}

#[derive(Debug, Clone)]
pub enum Outcome {
    Completed { output: Output, charge: i64 },
    Failed(Failure),
}

#[derive(Debug, Clone)]
pub struct Finish {
    pub id: GenerationId,
    /// The generation's account.
    pub account: AccountId,
    pub epoch: i64,
    pub now: Timestamp,
    pub served_by: String,
    pub ending: Ending,
    /// The failure to end with if hold and balance together do not cover the charge.
    pub if_uncovered: Option<Ending>,
    /// Leases the delivery to this worker until this moment, so that it need not be claimed.
    pub deliver_now: Option<(WorkerId, Timestamp)>,
}

#[derive(Debug, Clone)]
pub enum Finished {
    /// Ended as requested, or with `if_uncovered`.
    Ended {
        uncovered: bool,
        delivery: Option<Box<ClaimedDelivery>>,
    },
    /// The worker no longer holds it; nothing was written.
    Stale,
}

#[derive(Debug, Clone)]
pub struct End {
    /// If set, only a generation of this account.
    pub account: Option<AccountId>,
    pub id: GenerationId,
    pub now: Timestamp,
    /// If set, only if this is still the epoch.
    pub epoch: Option<i64>,
    pub failure: Failure,
    pub delivery: Option<NewDelivery>,
    /// The record of the change, if a user ends it.
    pub record: Option<AuditRecord>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Ended,
    /// It has ended, or has another epoch by now; nothing was written.
    NotProcessing,
    NotFound,
}

#[derive(Debug, Clone)]
pub struct Overdue {
    pub generation: Generation,
    /// Whether it is past its deadline; otherwise its last attempt was lost.
    pub timed_out: bool,
}

impl Beat {
    /// The progress to store: from 0 to 1, and 0 for a value that is not finite.
    pub(crate) fn clamped_progress(&self) -> f64 {
        if self.progress.is_finite() {
            self.progress.clamp(0.0, 1.0)
        } else {
            0.0
        }
    }
}

impl Ending {
    /// Whether hold and balance together cover the charge.
    pub(crate) const fn is_covered(&self, hold: i64, available: i64) -> bool {
        match self.outcome {
            Outcome::Completed { charge, .. } => charge >= 0 && charge <= hold.saturating_add(available),
            Outcome::Failed(_) => true,
        }
    }
}

impl Finish {
    /// The ending that hold and balance cover, and whether it is the one for an uncovered charge.
    pub(crate) fn affordable(&self, hold: i64, available: i64) -> Result<(&Ending, bool)> {
        if self.ending.is_covered(hold, available) {
            return Ok((&self.ending, false));
        }
        let instead = self.if_uncovered.as_ref();
        let covered = instead.filter(|ending| ending.is_covered(hold, available));
        covered.map(|ending| (ending, true)).ok_or_else(|| {
            StoreError::Internal(format!("the charge for generation {} is not covered", self.id))
        })
    }
}
