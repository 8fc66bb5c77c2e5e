//! The results and spending of accounts: days, pages of the ledger, the details of a generation.

use async_trait::async_trait;
use atelier_domain::{AccountId, Attempt, Delivery, Entry, Failure, Generation, GenerationId, UsageRow};

use crate::Result;

#[async_trait]
pub trait Usage: Send + Sync + std::fmt::Debug {
    /// Returns the generations that ended between two days, both included, for one account or for all; by day and
    /// model.
    async fn usage(&self, account: Option<AccountId>, days: (i64, i64)) -> Result<Vec<UsageRow>>;
    /// Returns the generations that ended between two days, both included, by account: those that spent the most first.
    async fn usage_by_account(&self, days: (i64, i64), limit: u32) -> Result<Vec<AccountUsage>>;
    /// A page of the account's ledger, newest first, each entry with the credits available after it. `before` is the
    /// end of the previous page.
    async fn ledger_page(
        &self,
        account: AccountId,
        before: Option<LedgerPlace>,
        limit: u32,
    ) -> Result<LedgerPage>;
    /// The entries of the account's ledger after `after`, oldest first.
    async fn ledger_after(&self, account: AccountId, after: i64, limit: u32) -> Result<Vec<Entry>>;
    /// Everything about a generation of this account, in one snapshot.
    async fn generation_detail(
        &self,
        account: AccountId,
        id: GenerationId,
    ) -> Result<Option<GenerationDetail>>;
}

/// The results and spending of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountUsage {
    pub account: AccountId,
    pub name: String,
    pub completed: u64,
    /// Without those that were cancelled.
    pub failed: u64,
    pub cancelled: u64,
    pub credits: i64,
}

/// The place between two pages of a ledger. The credits available before an entry never change, so the next page
/// starts from them instead of adding up all entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerPlace {
    /// The last entry seen.
    pub entry: i64,
    /// The credits available before it.
    pub available: i64,
}

#[derive(Debug, Clone)]
pub struct LedgerPage {
    /// Each entry with the credits available after it.
    pub items: Vec<(Entry, i64)>,
    pub next: Option<LedgerPlace>,
}

impl LedgerPage {
    /// Makes a page of its entries, newest first, one more than `limit` if there are more; `available` is the credits
    /// available after the first.
    pub(crate) fn new(entries: Vec<Entry>, mut available: i64, limit: u32) -> Self {
        let more = entries.len() > limit as usize;
        let mut items = Vec::with_capacity(entries.len());
        for entry in entries.into_iter().take(limit as usize) {
            let after = available;
            available -= entry.available;
            items.push((entry, after));
        }
        let next = items.last().filter(|_| more).map(|(last, _)| LedgerPlace {
            entry: last.id,
            available,
        });
        Self { items, next }
    }
}

#[derive(Debug, Clone)]
pub struct GenerationDetail {
    pub generation: Generation,
    /// Why the attempt before the last one ended without media, if there was one.
    pub last_failure: Option<Failure>,
    /// Its entries in the ledger, in order.
    pub entries: Vec<Entry>,
    pub deliveries: Vec<(Delivery, Vec<Attempt>)>,
}
