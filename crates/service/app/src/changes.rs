//! The record of changes, read page by page.

use atelier_domain::{AccountId, AuditEntry, Right};

use crate::{App, Operator, Result, people::SignedIn};

/// The largest page of changes.
const MAX_LIMIT: u32 = 200;

/// A page of the record of changes, newest first.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    pub items: Vec<AuditEntry>,
    /// For the next page; `None` on the last.
    pub next: Option<i64>,
}

/// The filter of a list of changes; `None` leaves none out.
#[derive(Debug, Clone, Default)]
pub struct ChangeFilter {
    /// The name of the account that they concern.
    pub account: Option<String>,
    /// The part of their actions before the dot, such as `key`.
    pub kind: Option<String>,
}

impl App {
    /// Lists the changes in the whole service, or those that match the filter.
    pub async fn changes(
        &self,
        _: &Operator,
        filter: &ChangeFilter,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Changes> {
        let mut account = None;
        if let Some(name) = &filter.account {
            match self.store().account_by_name(name).await? {
                Some(found) => account = Some(found.id),
                // There is no such account, so nothing was changed in it.
                None => return Ok(Changes::default()),
            }
        }
        self.page_of_changes(account, filter.kind.as_deref(), before, limit)
            .await
    }

    /// Lists the changes in the signed-in user's account.
    pub async fn own_changes(
        &self,
        signed_in: &SignedIn,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Changes> {
        self.page_of_changes(Some(signed_in.may(Right::Look)?.id), None, before, limit)
            .await
    }

    async fn page_of_changes(
        &self,
        account: Option<AccountId>,
        kind: Option<&str>,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Changes> {
        let limit = limit.clamp(1, MAX_LIMIT);
        let mut items = match kind {
            None => self.store().changes(account, before, limit + 1).await?,
            Some(kind) => {
                let store = self.store();
                store.changes_of_kind(kind, account, before, limit + 1).await?
            }
        };
        let more = items.len() > limit as usize;
        items.truncate(limit as usize);
        let next = items.last().filter(|_| more).map(|last| last.id);
        Ok(Changes { items, next })
    }
}
