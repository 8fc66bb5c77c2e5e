//! Accounts, keys, grants, and who may have a generation accepted.

use atelier_domain::{
    Account, AuditRecord, CreditLimit, FileName, Generation, KeyId, KeyLimits, KeyRecord, Limited, Plan,
    PromptInFiles, RateState, Timestamp,
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
    pub monthly_budget: Option<Option<i64>>,
    pub retention_days: Option<Option<u32>>,
    pub private_media: Option<bool>,
    pub prompt_in_files: Option<PromptInFiles>,
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
        account.monthly_budget = self.monthly_budget.unwrap_or(account.monthly_budget);
        account.retention_days = self.retention_days.unwrap_or(account.retention_days);
        account.private_media = self.private_media.unwrap_or(account.private_media);
        account.prompt_in_files = self.prompt_in_files.unwrap_or(account.prompt_in_files);
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
    pub limits: KeyLimits,
    /// Until when this text of the key works, if the key was rotated since.
    pub until: Option<Timestamp>,
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
    /// The key of the request; `None` for sessions.
    pub key: Option<KeyUse>,
}

/// The key that a generation is accepted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyUse {
    pub id: KeyId,
    /// The most credits on one day and in one month, in UTC.
    pub credits_per_day: Option<i64>,
    pub credits_per_month: Option<i64>,
}

impl KeyUse {
    /// Whether the credits of the key's generations are counted.
    pub(crate) const fn is_limited(&self) -> bool {
        self.credits_per_day.is_some() || self.credits_per_month.is_some()
    }
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
    /// A limit on credits does not cover the hold.
    Exceeded {
        limit: CreditLimit,
        allowed: i64,
        spent: i64,
    },
    NoAccount,
}
