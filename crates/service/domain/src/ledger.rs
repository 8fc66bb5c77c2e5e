//! The ledger's entries, and what they add up to by day.

use crate::{AccountId, GenerationId, MediaKind, Timestamp};

/// One entry of the ledger: a balanced booking over the account's `issued` (minus what was granted),
/// `available`, `held` and `spent` sides. The four always add up to zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub id: i64,
    pub account: AccountId,
    pub generation: Option<GenerationId>,
    pub kind: EntryKind,
    pub issued: i64,
    pub available: i64,
    pub held: i64,
    pub spent: i64,
    pub reason: Option<String>,
    pub at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryKind {
    Grant,
    Hold,
    Settle,
    Release,
}

impl EntryKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Grant => "grant",
            Self::Hold => "hold",
            Self::Settle => "settle",
            Self::Release => "release",
        }
    }
}

/// The generations of one model that ended on one day with one outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageRow {
    /// Days since 1970-01-01 in UTC.
    pub day: i64,
    pub model: String,
    pub kind: MediaKind,
    /// `completed`, or the code of the failure.
    pub outcome: String,
    pub generations: u64,
    /// Credits charged.
    pub credits: i64,
    /// How many of the generations their owner cancelled, which are failures for clients.
    pub cancelled: u64,
}

impl UsageRow {
    /// How many failed and were not cancelled.
    pub fn failed(&self) -> u64 {
        if self.outcome == "completed" {
            0
        } else {
            self.generations.saturating_sub(self.cancelled)
        }
    }
}
