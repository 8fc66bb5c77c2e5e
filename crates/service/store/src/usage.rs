//! What accounts made and spent: days, the ledger page by page, everything about one generation.

use async_trait::async_trait;
use atelier_domain::{AccountId, Attempt, Delivery, Entry, Failure, Generation, GenerationId, UsageRow};

use crate::Result;

#[async_trait]
pub trait Usage: Send + Sync + std::fmt::Debug {
    /// What ended from one day to another, both included, of one account or of all; by day and model.
    async fn usage(&self, account: Option<AccountId>, days: (i64, i64)) -> Result<Vec<UsageRow>>;
    /// The account's ledger, newest first, each entry with what was available after it. `before` is where the
    /// page before ended.
    async fn ledger_page(
        &self,
        account: AccountId,
        before: Option<LedgerPlace>,
        limit: u32,
    ) -> Result<LedgerPage>;
    /// The account's ledger from its beginning: entries after `after`, oldest first.
    async fn ledger_after(&self, account: AccountId, after: i64, limit: u32) -> Result<Vec<Entry>>;
    /// Everything about one generation, if it is this account's, in one snapshot.
    async fn generation_detail(
        &self,
        account: AccountId,
        id: GenerationId,
    ) -> Result<Option<GenerationDetail>>;
}

/// Between two pages of a ledger. What was available before an entry never changes, so it can be carried along
/// instead of being added up anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerPlace {
    /// The last entry seen.
    pub entry: i64,
    /// What was available before it.
    pub available: i64,
}

#[derive(Debug, Clone)]
pub struct LedgerPage {
    /// Each entry with what was available after it.
    pub items: Vec<(Entry, i64)>,
    pub next: Option<LedgerPlace>,
}

impl LedgerPage {
    /// A page from its entries, newest first, of which one more than `limit` was read; `available` is what was
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
    /// What it did to the balance, in order.
    pub entries: Vec<Entry>,
    pub deliveries: Vec<(Delivery, Vec<Attempt>)>,
}
