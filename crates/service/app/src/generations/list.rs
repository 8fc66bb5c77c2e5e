//! The account's generations, newest first.

use atelier_domain::GenerationId;
use atelier_store::{GenerationFilter, Page, PageRequest};

use crate::{App, Caller, Error, Result};

/// The largest page.
pub const MAX_LIMIT: u32 = 100;
/// The page of those who ask for none.
pub const DEFAULT_LIMIT: u32 = 20;

/// What to list.
#[derive(Debug, Clone, Default)]
pub struct ListGenerations {
    pub filter: GenerationFilter,
    pub limit: Option<u32>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
}

/// A page and the way to the next.
#[derive(Debug)]
pub struct Listed {
    pub page: Page,
    pub limit: u32,
    pub next_cursor: Option<String>,
}

impl App {
    pub async fn list_generations(&self, caller: &Caller, list: ListGenerations) -> Result<Listed> {
        let limit = list.limit.unwrap_or(DEFAULT_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(Error::invalid(format!(
                "`limit` must be 1 to {MAX_LIMIT}, not {limit}"
            )));
        }
        let before = match list.cursor {
            None => None,
            Some(cursor) => Some(
                cursor
                    .parse::<GenerationId>()
                    .map_err(|_| Error::invalid("`cursor` must be the `next_cursor` of the page before"))?,
            ),
        };
        let page = self
            .store()
            .generations(caller.account.id, list.filter, PageRequest { limit, before })
            .await?;
        let next_cursor = page
            .items
            .last()
            .filter(|_| page.more)
            .map(|last| last.id.to_string());
        Ok(Listed {
            page,
            limit,
            next_cursor,
        })
    }
}
