//! Named collections of results.

use async_trait::async_trait;
use atelier_domain::{AccountId, Collection, CollectionId, GenerationId, Timestamp};

use crate::{Result, values::Fields};

/// The most collections of an account.
pub const MOST_COLLECTIONS: u32 = 200;
/// The most results in a collection, so that they can be counted and filtered.
pub const MOST_COLLECTED: u32 = 10_000;

macro_rules! collection_columns {
    () => {
        "c.id, c.name, c.created_at, (SELECT count(*) FROM collected i WHERE i.collection = c.id)"
    };
}

pub(crate) use collection_columns;

#[async_trait]
pub trait Collections: Send + Sync + std::fmt::Debug {
    /// Creates an empty collection. Durable.
    async fn create_collection(&self, account: AccountId, new: Collection) -> Result<Named>;
    /// The account's collections, by name.
    async fn collections(&self, account: AccountId) -> Result<Vec<Collection>>;
    /// A collection of this account. A point read.
    async fn collection(&self, account: AccountId, id: CollectionId) -> Result<Option<Collection>>;
    /// The collections of this account that contain a generation, by name.
    async fn collections_with(&self, account: AccountId, generation: GenerationId)
    -> Result<Vec<Collection>>;
    /// Gives a collection another name. Durable.
    async fn rename_collection(&self, account: AccountId, id: CollectionId, name: String) -> Result<Named>;
    /// Deletes a collection; its results stay. False if the account has no such one. Durable.
    async fn delete_collection(&self, account: AccountId, id: CollectionId) -> Result<bool>;
    /// Adds completed generations of the account, all or none. Those that it contains stay. Durable.
    async fn collect(
        &self,
        account: AccountId,
        id: CollectionId,
        generations: Vec<GenerationId>,
        now: Timestamp,
    ) -> Result<Collected>;
    /// Removes generations; those that it does not contain are skipped. Durable.
    async fn uncollect(
        &self,
        account: AccountId,
        id: CollectionId,
        generations: Vec<GenerationId>,
    ) -> Result<Collected>;
}

/// The result of naming a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    Named(Collection),
    /// The account has no such collection.
    Missing,
    /// Another collection of the account has this name.
    Taken,
    /// The account has [`MOST_COLLECTIONS`].
    Full,
}

/// The result of changing what is in a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Collected {
    Changed(Collection),
    /// The account has no such collection.
    Missing,
    /// The account has no such generation, or it has not completed.
    NoGeneration(GenerationId),
    /// The collection would have more than [`MOST_COLLECTED`].
    Full,
}

/// From [`collection_columns`].
pub(crate) fn collection<R: Fields>(row: &R) -> Result<Collection, R::Error> {
    Ok(Collection {
        id: CollectionId(row.id(0)?),
        name: row.string(1)?,
        created_at: row.moment(2)?,
        generations: u32::try_from(row.integer(3)?).unwrap_or(u32::MAX),
    })
}
