//! Accounts, keys, grants, and who may have a generation accepted.

use atelier_domain::{
    Account, AuditRecord, FileName, Generation, KeyId, KeyRecord, Limited, Plan, RateState, Timestamp,
};

/// An account to create. `account.available` is granted to it; `account.held` must be 0.
#[derive(Debug, Clone)]
pub struct NewAccount {
    pub account: Account,
    pub key: NewKey,
}

#[derive(Debug, Clone)]
pub struct NewKey {
    pub record: KeyRecord,
    /// SHA-256 of the key's text.
    pub hash: [u8; 32],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Created {
    Created,
    NameTaken,
}

/// The changes to an account; `None` leaves a value as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountChange {
    pub beta: Option<bool>,
    pub plan: Option<Option<Plan>>,
    pub generations_per_minute: Option<Option<u32>>,
    pub max_queued: Option<Option<u32>>,
    pub max_running: Option<Option<u32>>,
}

impl AccountChange {
    pub(crate) fn apply(&self, account: &mut Account) {
        account.beta = self.beta.unwrap_or(account.beta);
        if let Some(plan) = &self.plan {
            account.plan.clone_from(plan);
        }
        account.generations_per_minute = self
            .generations_per_minute
            .unwrap_or(account.generations_per_minute);
        let queue = &mut account.queue;
        queue.max_queued = self.max_queued.unwrap_or(queue.max_queued);
        queue.max_running = self.max_running.unwrap_or(queue.max_running);
    }
}

/// Credits to grant, or to take away if negative.
#[derive(Debug, Clone, PartialEq)]
pub struct Grant {
    pub credits: i64,
    /// The reason in the ledger.
    pub reason: String,
    pub at: Timestamp,
    pub record: AuditRecord,
}

impl Grant {
    /// The result with this balance; `None`: there is no such account.
    pub(crate) fn to(&self, available: Option<i64>) -> Granted {
        let Some(available) = available else {
            return Granted::NoAccount;
        };
        match available.checked_add(self.credits).filter(|after| *after >= 0) {
            Some(available) => Granted::Done { available },
            None => Granted::Uncovered { available },
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Granted {
    /// The credits available now.
    Done {
        available: i64,
    },
    /// The balance would have gone below zero; nothing changed.
    Uncovered {
        available: i64,
    },
    NoAccount,
}

/// The account of a key, in one read.
#[derive(Debug, Clone)]
pub struct Caller {
    pub key: KeyId,
    pub key_last_used_at: Option<Timestamp>,
    pub account: Account,
    pub api_enabled: bool,
    /// The generation limit's bucket; see [`atelier_domain::rate`].
    pub generation_tat: Timestamp,
    /// The time at which the bucket was read, if the database's clock decides; `None`: the caller's clock does.
    pub database_now: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenTaken {
    Taken(RateState),
    Limited(Limited),
}

/// A generation to accept.
#[derive(Debug, Clone)]
pub struct Accept {
    /// Queued; `hold` is the credits to hold, `created_at` is now.
    pub generation: Generation,
    /// The lane whose workers claim it: the engine that serves its model.
    pub lane: String,
    pub idempotency: Option<Idempotency>,
    /// The stored files among its inputs. They stay while the generation does.
    pub files: Vec<FileName>,
    /// The limit of accounts that have none of their own.
    pub default_per_minute: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    pub key: String,
    /// SHA-256 of the request body.
    pub body_hash: [u8; 32],
    /// Earlier uses of the key do not count.
    pub valid_since: Timestamp,
}

#[derive(Debug, Clone)]
pub enum Accepted {
    Accepted(RateState),
    /// The key was used with the same body: the first generation. Nothing was written, and no token was taken.
    Replayed(Box<Generation>),
    /// The key was used with another body.
    KeyReused,
    Limited(Limited),
    /// So many generations of the account wait, and no more may.
    QueueFull {
        max: u32,
    },
    /// This input was deleted or taken down.
    FileGone(FileName),
    Uncovered {
        available: i64,
    },
    NoAccount,
}
