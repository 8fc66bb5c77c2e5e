//! [`Keys`] on the connections.

use async_trait::async_trait;
use atelier_domain::{AccountId, AuditRecord, KeyChange, KeyId, KeyRecord, Timestamp};

use super::{
    PostgresStore, keys,
    write::{durable, snapshot, write},
};
use crate::{KeySpending, Keys, NewKeyText, Result};

#[async_trait]
impl Keys for PostgresStore {
    async fn update_key(
        &self,
        account: Option<AccountId>,
        id: KeyId,
        change: KeyChange,
        record: AuditRecord,
    ) -> Result<Option<KeyRecord>> {
        write!(self, durable!("update_key"), |db| {
            keys::update(db, account, id, &change, &record)
        })
    }

    async fn rotate_key(
        &self,
        account: Option<AccountId>,
        id: KeyId,
        new: NewKeyText,
        record: AuditRecord,
    ) -> Result<Option<KeyRecord>> {
        write!(self, durable!("rotate_key"), |db| {
            keys::rotate(db, account, id, &new, &record)
        })
    }

    async fn key_spending(&self, account: AccountId, now: Timestamp) -> Result<Vec<KeySpending>> {
        snapshot!(self, of account, |db| keys::spending(db, account, now))
    }
}
