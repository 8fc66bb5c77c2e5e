//! Accounts and keys.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{AccountId, KeyId, KeyLimits, Timestamp};

/// A plan by name; only an active one lets an account use the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub name: String,
    pub active: bool,
}

/// What the accounts of a plan share. A limit of an account's own goes before that of its plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanLimits {
    /// The name of the plan, which accounts have.
    pub name: String,
    /// `None`: the service's default.
    pub generations_per_minute: Option<u32>,
    /// For each account.
    pub queue: QueueLimits,
    /// How many turns in a row an account has when claims go round the accounts: 1 to [`Self::MAX_WEIGHT`].
    pub weight: u32,
}

impl PlanLimits {
    pub const MAX_WEIGHT: u32 = 100;

    /// A plan without limits, whose accounts have one turn.
    pub const fn none(name: String) -> Self {
        Self {
            name,
            generations_per_minute: None,
            queue: QueueLimits {
                max_queued: None,
                max_running: None,
            },
            weight: 1,
        }
    }
}

/// The changes to a plan; `None` leaves a value as it is. A plan without a row has no limits and weight 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanChange {
    pub generations_per_minute: Option<Option<u32>>,
    pub max_queued: Option<Option<u32>>,
    pub max_running: Option<Option<u32>>,
    pub weight: Option<u32>,
}

impl PlanChange {
    /// Applies the change to a plan.
    pub fn apply(&self, plan: &mut PlanLimits) {
        plan.generations_per_minute = self.generations_per_minute.unwrap_or(plan.generations_per_minute);
        let queue = &mut plan.queue;
        queue.max_queued = self.max_queued.unwrap_or(queue.max_queued);
        queue.max_running = self.max_running.unwrap_or(queue.max_running);
        plan.weight = self.weight.unwrap_or(plan.weight);
    }
}

/// The secrets that sign an account's webhooks. Each is `whsec_` and the Base64 of 32 random bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningSecrets {
    pub current: String,
    /// The previous secret, and until when it signs beside the current one.
    pub previous: Option<(String, Timestamp)>,
}

impl SigningSecrets {
    /// A first secret.
    pub const fn new(current: String) -> Self {
        Self {
            current,
            previous: None,
        }
    }

    /// These secrets after a rotation: `secret` is the current one, and the one before signs beside it until
    /// `previous_until`. The secret before that one stops immediately.
    #[must_use]
    pub fn rotated(self, secret: &str, previous_until: Timestamp) -> Self {
        Self {
            current: secret.to_owned(),
            previous: Some((self.current, previous_until)),
        }
    }

    /// The secrets that sign at this moment, newest first.
    pub fn at(&self, now: Timestamp) -> impl Iterator<Item = &str> {
        let previous = self.previous.as_ref().filter(|(_, until)| now < *until);
        std::iter::once(self.current.as_str()).chain(previous.map(|(secret, _)| secret.as_str()))
    }
}

/// A customer of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: AccountId,
    /// Unique among accounts.
    pub name: String,
    /// Enabled for the closed beta.
    pub beta: bool,
    pub plan: Option<Plan>,
    /// Credits that can be spent: the total minus holds.
    pub available: i64,
    /// Credits held by running jobs.
    pub held: i64,
    pub signing: SigningSecrets,
    /// Its own limit; see [`Self::per_minute`].
    pub generations_per_minute: Option<u32>,
    /// The limit of its plan.
    pub plan_per_minute: Option<u32>,
    pub queue: QueueLimits,
    /// The most credits that its jobs may take in one month in UTC.
    pub monthly_budget: Option<i64>,
    /// After how many days its jobs and uploads go; `None`: as the configuration says.
    pub retention_days: Option<u32>,
    /// Whether links to its files are signed and expire.
    pub private_media: bool,
    pub prompt_in_files: PromptInFiles,
    pub low_balance: LowBalance,
    pub created_at: Timestamp,
}

/// The places where the files of an account name the prompt that made them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PromptInFiles {
    Nowhere,
    /// In the XMP, which anybody can read, change and remove.
    #[default]
    Metadata,
    /// There and in the signed manifest.
    Signed,
}

impl PromptInFiles {
    pub const ALL: [Self; 3] = [Self::Nowhere, Self::Metadata, Self::Signed];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Nowhere => "none",
            Self::Metadata => "metadata",
            Self::Signed => "signed",
        }
    }
}

impl FromStr for PromptInFiles {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|place| place.as_str() == text);
        found.ok_or_else(|| format!("must be none, metadata or signed (got {text})"))
    }
}

/// When the balance of an account counts as low.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LowBalance {
    /// Below so many available credits; `None`: never.
    pub threshold: Option<i64>,
    /// Since when it is low.
    pub since: Option<Timestamp>,
}

/// How many generations an account may have at the same time; `None`: any number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueueLimits {
    /// Generations that wait. Beyond it, no further one is accepted.
    pub max_queued: Option<u32>,
    /// Generations that run. Beyond it, others wait.
    pub max_running: Option<u32>,
}

impl Account {
    /// Its own limit on generations per minute, or that of its plan. `None`: the service's default.
    pub fn per_minute(&self) -> Option<u32> {
        self.generations_per_minute.or(self.plan_per_minute)
    }

    /// Whether it is enabled for the beta and on an active plan.
    pub fn may_use_api(&self) -> bool {
        self.beta && self.plan.as_ref().is_some_and(|plan| plan.active)
    }
}

/// The stored form of an API key: never the key itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRecord {
    pub id: KeyId,
    pub account: AccountId,
    pub name: String,
    /// The first characters of the key, so that its owner recognizes it.
    pub prefix: String,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    pub limits: KeyLimits,
    /// Until when the text before a rotation also works, if it was rotated.
    pub previous_until: Option<Timestamp>,
}
