//! Accounts, keys, grants, and who may have a generation accepted.

use atelier_domain::{
    Account, AuditRecord, Generation, KeyId, KeyRecord, Limited, Plan, RateState, Timestamp,
};

/// An account to make. `account.available` is granted to it; `account.held` must be 0.
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

/// What to change of an account; `None` leaves it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountChange {
    pub beta: Option<bool>,
    pub plan: Option<Option<Plan>>,
    pub generations_per_minute: Option<Option<u32>>,
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
    }
}

/// Credits to grant, or to take away if negative.
#[derive(Debug, Clone, PartialEq)]
pub struct Grant {
    pub credits: i64,
    /// What the ledger says about it.
    pub reason: String,
    pub at: Timestamp,
    pub record: AuditRecord,
}

impl Grant {
    /// What becomes of it with this balance; `None`: there is no such account.
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
    /// What is available now.
    Done {
        available: i64,
    },
    /// It would have gone below zero; nothing changed.
    Uncovered {
        available: i64,
    },
    NoAccount,
}

/// Who is calling, in one read.
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
    /// In state queued; `hold` is what to hold, `created_at` is now.
    pub generation: Generation,
    /// The lane whose workers claim it: the engine that serves its model.
    pub lane: String,
    pub idempotency: Option<Idempotency>,
    /// For accounts without a limit of their own.
    pub default_per_minute: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    pub key: String,
    /// SHA-256 of the request's body.
    pub body_hash: [u8; 32],
    /// Uses of the key before this moment are forgotten.
    pub valid_since: Timestamp,
}

#[derive(Debug, Clone)]
pub enum Accepted {
    Accepted(RateState),
    /// The same key and body came before: the first generation. Nothing was written, no token taken.
    Replayed(Box<Generation>),
    /// The same key came before with another body.
    KeyReused,
    Limited(Limited),
    Uncovered {
        available: i64,
    },
    NoAccount,
}
