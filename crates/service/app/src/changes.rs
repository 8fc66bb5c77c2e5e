//! The record of changes, read page by page.

use atelier_domain::{AccountId, AuditEntry, Right};

use crate::{App, Operator, Result, people::SignedIn};

/// The largest page of changes.
const MAX_LIMIT: u32 = 200;

/// A page of the record of changes, newest first.
#[derive(Debug, Clone)]
pub struct Changes {
    pub items: Vec<AuditEntry>,
    /// For the next page; `None` on the last.
    pub next: Option<i64>,
}

impl App {
    /// What was changed in the whole service.
    pub async fn changes(&self, _: &Operator, before: Option<i64>, limit: u32) -> Result<Changes> {
        self.page_of_changes(None, before, limit).await
    }

    /// What was changed in the signed-in user's account.
    pub async fn own_changes(
        &self,
        signed_in: &SignedIn,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Changes> {
        self.page_of_changes(Some(signed_in.may(Right::Look)?.id), before, limit)
            .await
    }

    async fn page_of_changes(
        &self,
        account: Option<AccountId>,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Changes> {
        let limit = limit.clamp(1, MAX_LIMIT);
        let mut items = self.store().changes(account, before, limit + 1).await?;
        let more = items.len() > limit as usize;
        items.truncate(limit as usize);
        let next = items.last().filter(|_| more).map(|last| last.id);
        Ok(Changes { items, next })
    }
}
