//! API keys: made once, shown once, listed without their text, revoked.

use atelier_domain::{AccountId, Actor, Clock, Entropy, KeyId, KeyRecord, Timestamp};
use atelier_store::Store;

use super::create::check_name;
use crate::{App, Error, Result, audit, people::SignedIn, secrets};

/// A key's text, shown this once, and what is kept of it.
#[derive(Debug, Clone)]
pub struct NewKey {
    pub text: String,
    pub record: KeyRecord,
}

pub async fn create(
    store: &dyn Store,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    by: &Actor,
    account: AccountId,
    name: &str,
) -> Result<NewKey> {
    let name = check_name("key", name)?;
    let now = clock.now();
    let (key, stored) = new_key(account, &name, now, entropy);
    let record = audit::record(now, by, "key.create", Some(account), key.record.id);
    let record = audit::with(record, &[("name", name.into())]);
    store.create_key(stored, record).await?;
    Ok(key)
}

/// Revokes a key, only this account's where one is named; it stops working at once, on every node.
pub async fn revoke(
    store: &dyn Store,
    clock: &dyn Clock,
    by: &Actor,
    account: Option<AccountId>,
    id: &str,
) -> Result<KeyRecord> {
    let missing = || Error::NotFound(format!("there is no key with the id `{id}`"));
    let key: KeyId = id.parse().map_err(|_| missing())?;
    let now = clock.now();
    let record = audit::record(now, by, "key.revoke", account, key);
    store
        .revoke_key(account, key, now, record)
        .await?
        .ok_or_else(missing)
}

impl App {
    /// The keys of the signed-in user's account, oldest first, revoked ones too.
    pub async fn keys(&self, signed_in: &SignedIn) -> Result<Vec<KeyRecord>> {
        Ok(self.store().keys(signed_in.account().id).await?)
    }

    /// Makes a key of the signed-in user's account; its text is shown this once.
    pub async fn create_key(&self, signed_in: &SignedIn, name: &str) -> Result<NewKey> {
        let (by, account) = (signed_in.actor(), signed_in.account().id);
        create(self.store(), self.clock(), self.entropy(), &by, account, name).await
    }

    /// Revokes a key of the signed-in user's account.
    pub async fn revoke_key(&self, signed_in: &SignedIn, id: &str) -> Result<KeyRecord> {
        let (by, account) = (signed_in.actor(), signed_in.account().id);
        revoke(self.store(), self.clock(), &by, Some(account), id).await
    }
}

pub(super) fn new_key(
    account: AccountId,
    name: &str,
    now: Timestamp,
    entropy: &dyn Entropy,
) -> (NewKey, atelier_store::NewKey) {
    let text = secrets::new_api_key(entropy);
    let record = KeyRecord {
        id: KeyId(entropy.uuid(now)),
        account,
        name: name.to_owned(),
        prefix: secrets::shown_prefix(&text),
        created_at: now,
        last_used_at: None,
        revoked_at: None,
    };
    let stored = atelier_store::NewKey {
        record: record.clone(),
        hash: secrets::key_hash(&text),
    };
    (NewKey { text, record }, stored)
}
