//! API keys: created and shown once, listed without their text, revoked.

use atelier_domain::{AccountId, Entropy, KeyId, KeyRecord, Timestamp};

use super::name::check_name;
use crate::{Admin, App, Error, Result, audit, people::SignedIn, secrets};

/// A key's text, shown only once, and what is kept of it.
#[derive(Debug, Clone)]
pub struct NewKey {
    pub text: String,
    pub record: KeyRecord,
}

impl Admin {
    /// The keys of the account of this name, oldest first, including revoked ones.
    pub async fn keys(&self, account: &str) -> Result<Vec<KeyRecord>> {
        let account = self.account(account).await?;
        Ok(self.store.keys(account.id).await?)
    }

    /// Creates a key of the account of this name; its text is shown only once.
    pub async fn create_key(&self, account: &str, name: &str) -> Result<NewKey> {
        let account = self.account(account).await?;
        self.create_key_of(account.id, name).await
    }

    /// Revokes any key. It stops working immediately, on every node.
    pub async fn revoke_key(&self, id: &str) -> Result<KeyRecord> {
        self.revoke_key_of(None, id).await
    }

    /// Whether this is the text of a key that is not revoked.
    pub async fn is_key(&self, text: &str) -> Result<bool> {
        Ok(self.store.caller(&secrets::key_hash(text)).await?.is_some())
    }

    async fn create_key_of(&self, account: AccountId, name: &str) -> Result<NewKey> {
        let name = check_name("key", name)?;
        let now = self.now();
        let (key, stored) = new_key(account, &name, now, &*self.entropy);
        let record = audit::record(now, &self.by, "key.create", Some(account), key.record.id);
        let record = audit::with(record, &[("name", name.into())]);
        self.store.create_key(stored, record).await?;
        Ok(key)
    }

    async fn revoke_key_of(&self, account: Option<AccountId>, id: &str) -> Result<KeyRecord> {
        let missing = || Error::NotFound(format!("there is no key with the id `{id}`"));
        let key: KeyId = id.parse().map_err(|_| missing())?;
        let now = self.now();
        let record = audit::record(now, &self.by, "key.revoke", account, key);
        let revoked = self.store.revoke_key(account, key, now, record).await?;
        revoked.ok_or_else(missing)
    }
}

impl App {
    /// The keys of the signed-in user's account, oldest first, including revoked ones.
    pub async fn keys(&self, signed_in: &SignedIn) -> Result<Vec<KeyRecord>> {
        Ok(self.store().keys(signed_in.account().id).await?)
    }

    /// Creates a key of the signed-in user's account; its text is shown only once.
    pub async fn create_key(&self, signed_in: &SignedIn, name: &str) -> Result<NewKey> {
        let admin = self.acting(signed_in.actor());
        admin.create_key_of(signed_in.account().id, name).await
    }

    /// Revokes a key of the signed-in user's account.
    pub async fn revoke_key(&self, signed_in: &SignedIn, id: &str) -> Result<KeyRecord> {
        let admin = self.acting(signed_in.actor());
        admin.revoke_key_of(Some(signed_in.account().id), id).await
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
