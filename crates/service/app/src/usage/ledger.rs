//! The ledger, page by page, each entry with the balance after it.

use atelier_domain::{Entry, Right};
use atelier_store::LedgerPlace;

use crate::{App, Caller, Error, Result};

/// The largest page.
const MAX_LIMIT: u32 = 200;

/// A page of the ledger, newest first.
#[derive(Debug, Clone)]
pub struct Ledger {
    /// Each entry with what was available after it.
    pub items: Vec<(Entry, i64)>,
    /// For the next page; `None` on the last.
    pub next_cursor: Option<String>,
}

impl App {
    pub async fn ledger(&self, caller: &Caller, cursor: Option<&str>, limit: u32) -> Result<Ledger> {
        let wrong = || {
            Error::parameter(
                "cursor",
                "`cursor` must be the `next_cursor` of the previous page",
            )
        };
        let before = match cursor {
            None => None,
            Some(cursor) => {
                let (entry, available) = cursor.split_once('.').ok_or_else(wrong)?;
                Some(LedgerPlace {
                    entry: entry.parse().map_err(|_| wrong())?,
                    available: available.parse().map_err(|_| wrong())?,
                })
            }
        };
        let limit = limit.clamp(1, MAX_LIMIT);
        let account = caller.account(Right::Spending)?.id;
        let page = self.store().ledger_page(account, before, limit).await?;
        Ok(Ledger {
            items: page.items,
            next_cursor: page
                .next
                .map(|place| format!("{}.{}", place.entry, place.available)),
        })
    }
}
