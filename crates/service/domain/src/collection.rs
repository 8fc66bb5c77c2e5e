//! Named collections of results.

use crate::{CollectionId, Timestamp};

/// A named collection of results of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collection {
    pub id: CollectionId,
    pub name: String,
    /// How many results it contains.
    pub generations: u32,
    pub created_at: Timestamp,
}
