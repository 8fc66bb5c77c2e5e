//! Lists of what pictures look like that the policy is about. Operators import them.

use async_trait::async_trait;
use atelier_domain::{AuditRecord, Timestamp};

use crate::{Result, values::Fields};

/// A list that is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashList {
    pub name: String,
    pub hashes: u64,
    /// When it was imported last.
    pub imported_at: Timestamp,
}

/// A hash of a list, with what the file said beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedHash {
    pub hash: [u8; 32],
    pub note: String,
}

#[async_trait]
pub trait Hashes: Send + Sync + std::fmt::Debug {
    /// Adds some hashes of an import to a list. They count once the import is complete. Durable.
    async fn add_hashes(&self, list: &str, hashes: Vec<ListedHash>, imported_at: Timestamp) -> Result<()>;
    /// Completes an import: what an earlier one left in the list goes. Returns the number of hashes. Durable.
    async fn complete_hashes(&self, list: &str, imported_at: Timestamp, record: AuditRecord) -> Result<u64>;
    /// Removes a list; false if there is none. Durable.
    async fn remove_hashes(&self, list: &str, record: AuditRecord) -> Result<bool>;
    /// The complete lists, by name.
    async fn hash_lists(&self) -> Result<Vec<HashList>>;
    /// The hashes of a list.
    async fn hashes(&self, list: &str) -> Result<Vec<Vec<u8>>>;
}

/// The columns `name, hashes, imported_at`.
pub(crate) fn hash_list<R: Fields>(row: &R) -> Result<HashList, R::Error> {
    Ok(HashList {
        name: row.string(0)?,
        hashes: row.integer(1)?.unsigned_abs(),
        imported_at: row.moment(2)?,
    })
}
