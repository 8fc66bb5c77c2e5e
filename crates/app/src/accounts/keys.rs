//! API keys: made once, shown once, listed without their text, revoked.

use atelier_domain::{AccountId, Clock, Entropy, KeyId, KeyRecord, Timestamp};
use atelier_store::Store;

use super::create::check_name;
use crate::{Error, Result, secrets};

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
    account: AccountId,
    name: &str,
) -> Result<NewKey> {
    let name = check_name("key", name)?;
    let (key, stored) = new_key(account, &name, clock.now(), entropy);
    store.create_key(stored).await?;
    Ok(key)
}

/// Revokes a key; it stops working at once, on every node.
pub async fn revoke(store: &dyn Store, clock: &dyn Clock, id: &str) -> Result<KeyRecord> {
    let missing = || Error::NotFound(format!("there is no key with the id `{id}`"));
    let key: KeyId = id.parse().map_err(|_| missing())?;
    store.revoke_key(key, clock.now()).await?.ok_or_else(missing)
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
