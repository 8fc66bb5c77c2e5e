//! Results that people of an account marked as favourites.

use std::collections::HashSet;

use async_trait::async_trait;
use atelier_domain::{AccountId, GenerationId, Timestamp};

use crate::Result;

/// The most favourites of an account, so that they can be counted and filtered.
pub const MOST_FAVOURITES: u32 = 10_000;

#[async_trait]
pub trait Favourites: Send + Sync + std::fmt::Debug {
    /// Makes a completed generation of this account a favourite since `since`, or not one. Marking it again keeps the
    /// first time. Durable.
    async fn set_favourite(
        &self,
        account: AccountId,
        id: GenerationId,
        since: Option<Timestamp>,
    ) -> Result<Marked>;
    /// Returns those of these generations that are favourites of this account.
    async fn favourites(&self, account: AccountId, ids: &[GenerationId]) -> Result<HashSet<GenerationId>>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marked {
    Marked,
    /// There is no such generation, or it has not completed.
    Missing,
    /// The account has [`MOST_FAVOURITES`].
    Full,
}
