//! Named collections of results.

use atelier_domain::{Collection, CollectionId, Generation, GenerationId, Scope};
use atelier_store::{Collected, MOST_COLLECTED, MOST_COLLECTIONS, Named};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{App, Caller, Error, Result, accounts::name::check_name};

/// The most generations that one request adds or removes.
pub const MOST_AT_ONCE: usize = 100;

/// The most collections of an account.
pub const MOST: u32 = MOST_COLLECTIONS;

/// A named collection of results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CollectionView {
    /// The collection's id.
    #[schema(example = "0190c7e0-7a1f-7a11-8b3c-5a6b7c8d9e0f")]
    pub id: String,
    /// Always `collection`.
    #[schema(example = "collection")]
    pub object: &'static str,
    /// A name that no other collection of the account has.
    #[schema(example = "Boats")]
    pub name: String,
    /// The number of generations in it.
    #[schema(example = 12)]
    pub generations: u32,
    /// RFC 3339, UTC, milliseconds.
    pub created_at: String,
}

impl App {
    /// The account's collections, by name.
    pub async fn collections(&self, caller: &Caller) -> Result<Vec<CollectionView>> {
        let account = caller.account(Scope::Read)?.id;
        let found = self.store().collections(account).await?;
        Ok(found.into_iter().map(view).collect())
    }

    pub async fn collection(&self, caller: &Caller, id: &str) -> Result<CollectionView> {
        let account = caller.account(Scope::Read)?.id;
        let found = self.store().collection(account, parsed(id)?).await?;
        found.map(view).ok_or_else(|| missing(id))
    }

    /// The id of a collection of the account, for filters.
    pub async fn collection_id(&self, caller: &Caller, id: &str) -> Result<CollectionId> {
        self.collection(caller, id).await?;
        parsed(id)
    }

    /// The collections that contain a generation, by name.
    pub async fn collections_with(
        &self,
        caller: &Caller,
        generation: &Generation,
    ) -> Result<Vec<CollectionView>> {
        let account = caller.account(Scope::Read)?.id;
        let found = self.store().collections_with(account, generation.id).await?;
        Ok(found.into_iter().map(view).collect())
    }

    /// Creates an empty collection.
    pub async fn create_collection(&self, caller: &Caller, name: &str) -> Result<CollectionView> {
        let account = caller.account(Scope::Generate)?.id;
        let now = self.now();
        let new = Collection {
            id: CollectionId(self.entropy().uuid(now)),
            name: checked(name)?,
            generations: 0,
            created_at: now,
        };
        let id = new.id.to_string();
        named(self.store().create_collection(account, new).await?, &id, name)
    }

    /// Gives a collection another name.
    pub async fn rename_collection(&self, caller: &Caller, id: &str, name: &str) -> Result<CollectionView> {
        let account = caller.account(Scope::Generate)?.id;
        let new = checked(name)?;
        let renamed = self.store().rename_collection(account, parsed(id)?, new).await?;
        named(renamed, id, name)
    }

    /// Deletes a collection. Its generations stay.
    pub async fn delete_collection(&self, caller: &Caller, id: &str) -> Result<()> {
        let account = caller.account(Scope::Generate)?.id;
        let deleted = self.store().delete_collection(account, parsed(id)?).await?;
        if deleted { Ok(()) } else { Err(missing(id)) }
    }

    /// Adds completed generations, all of them or none.
    pub async fn collect(&self, caller: &Caller, id: &str, generations: &[String]) -> Result<CollectionView> {
        let account = caller.account(Scope::Generate)?.id;
        let generations = generation_ids(generations)?;
        let changed = self
            .store()
            .collect(account, parsed(id)?, generations, self.now());
        collected(changed.await?, id)
    }

    /// Removes generations. Those that it does not contain are skipped.
    pub async fn uncollect(
        &self,
        caller: &Caller,
        id: &str,
        generations: &[String],
    ) -> Result<CollectionView> {
        let account = caller.account(Scope::Generate)?.id;
        let generations = generation_ids(generations)?;
        let changed = self.store().uncollect(account, parsed(id)?, generations);
        collected(changed.await?, id)
    }
}

fn view(collection: Collection) -> CollectionView {
    CollectionView {
        id: collection.id.to_string(),
        object: "collection",
        name: collection.name,
        generations: collection.generations,
        created_at: collection.created_at.rfc3339(),
    }
}

fn checked(name: &str) -> Result<String> {
    check_name("collection", name).map_err(|error| Error::parameter("name", error.to_string()))
}

fn named(named: Named, id: &str, name: &str) -> Result<CollectionView> {
    match named {
        Named::Named(collection) => Ok(view(collection)),
        Named::Missing => Err(missing(id)),
        Named::Taken => {
            let name = name.trim();
            let message = format!("a collection named `{name}` already exists: choose another name");
            Err(Error::parameter("name", message))
        }
        Named::Full => Err(Error::invalid(format!(
            "an account can have at most {MOST_COLLECTIONS} collections: delete one first"
        ))),
    }
}

fn collected(collected: Collected, id: &str) -> Result<CollectionView> {
    match collected {
        Collected::Changed(collection) => Ok(view(collection)),
        Collected::Missing => Err(missing(id)),
        Collected::NoGeneration(generation) => Err(no_generation(&generation.to_string())),
        Collected::Full => Err(Error::invalid(format!(
            "a collection can have at most {MOST_COLLECTED} generations: remove others first"
        ))),
    }
}

fn generation_ids(texts: &[String]) -> Result<Vec<GenerationId>> {
    if !(1..=MOST_AT_ONCE).contains(&texts.len()) {
        let message = format!(
            "`generations` must name 1 to {MOST_AT_ONCE} generations (got {})",
            texts.len()
        );
        return Err(Error::parameter("generations", message));
    }
    let id = |text: &String| text.parse().map_err(|_| no_generation(text));
    texts.iter().map(id).collect()
}

fn parsed(id: &str) -> Result<CollectionId> {
    id.parse().map_err(|_| missing(id))
}

fn no_generation(id: &str) -> Error {
    let id: String = id.chars().take(64).collect();
    Error::NotFound(format!("there is no completed generation with the id `{id}`"))
}

fn missing(id: &str) -> Error {
    let id: String = id.chars().take(64).collect();
    Error::NotFound(format!("there is no collection with the id `{id}`"))
}
