//! [`Keys`] on the writer and the readers.

use async_trait::async_trait;
use atelier_domain::{AccountId, AuditRecord, KeyChange, KeyId, KeyRecord, Timestamp};

use super::{SqliteStore, keys, writer::durable};
use crate::{KeySpending, Keys, NewKeyText, Result};

#[async_trait]
impl Keys for SqliteStore {
    async fn update_key(
        &self,
        account: Option<AccountId>,
        id: KeyId,
        change: KeyChange,
        record: AuditRecord,
    ) -> Result<Option<KeyRecord>> {
        self.writer
            .write(durable!("update_key"), move |db| {
                keys::update(db, account, id, &change, &record)
            })
            .await
    }

    async fn rotate_key(
        &self,
        account: Option<AccountId>,
        id: KeyId,
        new: NewKeyText,
        record: AuditRecord,
    ) -> Result<Option<KeyRecord>> {
        self.writer
            .write(durable!("rotate_key"), move |db| {
                keys::rotate(db, account, id, &new, &record)
            })
            .await
    }

    async fn key_spending(&self, account: AccountId, now: Timestamp) -> Result<Vec<KeySpending>> {
        self.scan_of(account, move |db| keys::spending(db, account, now))
            .await
    }
}
