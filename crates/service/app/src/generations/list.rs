//! The account's generations, newest first.

use atelier_domain::{CollectionId, Generation, GenerationId, MediaKind, Scope, Status};
use atelier_store::PageRequest;

use crate::{App, Caller, Error, Result};

/// The largest page.
pub const MAX_LIMIT: u32 = 100;
/// The page if no limit is given.
pub const DEFAULT_LIMIT: u32 = 20;

/// The filter of a list of generations; `None` leaves none out.
#[derive(Debug, Clone, Default)]
pub struct GenerationFilter {
    pub status: Option<Status>,
    pub model: Option<String>,
    pub kind: Option<MediaKind>,
    /// Only favourites.
    pub favourite: bool,
    /// Only those in this collection.
    pub collection: Option<CollectionId>,
    /// The oldest come first instead of the newest.
    pub oldest_first: bool,
}

impl GenerationFilter {
    pub(super) fn for_store(self) -> atelier_store::GenerationFilter {
        let Self {
            status,
            model,
            kind,
            favourite,
            collection,
            oldest_first,
        } = self;
        atelier_store::GenerationFilter {
            status,
            model,
            kind,
            favourite,
            collection,
            oldest_first,
        }
    }
}

/// The filter and the page of a list.
#[derive(Debug, Clone, Default)]
pub struct ListGenerations {
    pub filter: GenerationFilter,
    pub limit: Option<u32>,
    /// `next_cursor` of the previous page.
    pub cursor: Option<String>,
}

/// A page and the way to the next.
#[derive(Debug)]
pub struct ListedGenerations {
    pub items: Vec<Generation>,
    /// How many match the filter on all pages.
    pub total: u64,
    pub limit: u32,
    /// `None` on the last page.
    pub next_cursor: Option<String>,
}

impl App {
    pub async fn list_generations(
        &self,
        caller: &Caller,
        list: ListGenerations,
    ) -> Result<ListedGenerations> {
        let limit = list.limit.unwrap_or(DEFAULT_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(Error::invalid(format!(
                "`limit` must be between 1 and {MAX_LIMIT} (got {limit})"
            )));
        }
        let before = list
            .cursor
            .map(|cursor| cursor.parse::<GenerationId>())
            .transpose()
            .map_err(|_| Error::invalid("`cursor` must be the `next_cursor` of the previous page"))?;
        let filter = list.filter.for_store();
        let request = PageRequest { limit, before };
        let page = self
            .store()
            .generations(caller.account(Scope::Read)?.id, filter, request)
            .await?;
        let last = page.items.last().filter(|_| page.more);
        Ok(ListedGenerations {
            next_cursor: last.map(|last| last.id.to_string()),
            items: page.items,
            total: page.total,
            limit,
        })
    }
}
