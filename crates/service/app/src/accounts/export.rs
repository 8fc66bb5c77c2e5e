//! Exports what the service keeps about an account.

use atelier_domain::Account;
use atelier_store::{ExportKey, ExportPage};
pub use atelier_store::{ExportPart, PARTS};

use crate::{Admin, Result, audit};

/// Rows read at a time. A row may have a megabyte.
const PAGE: u32 = 100;

impl Admin {
    /// Begins an export: writes it into the record of changes, and returns the account.
    pub async fn begin_export(&self, name: &str) -> Result<Account> {
        let account = self.account(name).await?;
        let record = audit::record(self.now(), &self.by, "account.export", Some(account.id), name);
        self.store.record(record).await?;
        Ok(account)
    }

    /// The rows of a part after a key; an empty one is the beginning.
    pub async fn exported(
        &self,
        account: &Account,
        part: &'static ExportPart,
        after: &[ExportKey],
    ) -> Result<ExportPage> {
        Ok(self.store.export(account.id, part, after, PAGE).await?)
    }
}
