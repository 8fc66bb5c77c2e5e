//! API keys: created and shown once, listed without their text, limited, rotated, revoked.

use std::time::Duration;

use atelier_domain::{
    AccountId, AuditRecord, Entropy, KeyChange, KeyId, KeyLimits, KeyRecord, Right, Timestamp,
};
use atelier_store::NewKeyText;

use super::{limits::checked, name::check_name};
use crate::{Admin, App, Error, Result, audit, people::SignedIn, secrets};

/// The spending of one key. Unfinished generations count with their holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeySpending {
    /// `None`: sessions, and generations that are older than the recording of keys.
    pub key: Option<KeyId>,
    pub generations_of_month: u64,
    pub credits_of_day: i64,
    pub credits_of_month: i64,
}

impl From<atelier_store::KeySpending> for KeySpending {
    fn from(stored: atelier_store::KeySpending) -> Self {
        Self {
            key: stored.key,
            generations_of_month: stored.generations_of_month,
            credits_of_day: stored.credits_of_day,
            credits_of_month: stored.credits_of_month,
        }
    }
}

/// A key's text, shown only once, and its record.
#[derive(Debug, Clone)]
pub struct NewKey {
    pub text: String,
    pub record: KeyRecord,
}

/// The longest time that a rotated text works beside the new one.
pub const LONGEST_OVERLAP: Duration = Duration::from_hours(30 * 24);

impl Admin {
    /// The keys of the account of this name, oldest first, including revoked ones.
    pub async fn keys(&self, account: &str) -> Result<Vec<KeyRecord>> {
        let account = self.account(account).await?;
        Ok(self.store.keys(account.id).await?)
    }

    /// Creates a key of the account of this name; its text is shown only once.
    pub async fn create_key(&self, account: &str, name: &str, limits: KeyLimits) -> Result<NewKey> {
        let account = self.account(account).await?;
        self.create_key_of(account.id, name, limits).await
    }

    /// Changes the limits of any key, and its name if one is given. Requests that begin afterwards see them.
    pub async fn update_key(&self, id: &str, change: KeyChange) -> Result<KeyRecord> {
        self.update_key_of(None, id, change).await
    }

    /// Gives any key a new text, which is shown only once; the present one works for `overlap`.
    pub async fn rotate_key(&self, id: &str, overlap: Duration) -> Result<NewKey> {
        self.rotate_key_of(None, id, overlap).await
    }

    /// Returns the spending of the keys of the account of this name, today and this month.
    pub async fn key_spending(&self, account: &str) -> Result<Vec<KeySpending>> {
        let account = self.account(account).await?;
        let spending = self.store.key_spending(account.id, self.now()).await?;
        Ok(spending.into_iter().map(KeySpending::from).collect())
    }

    /// Revokes any key. It stops working immediately, on every node.
    pub async fn revoke_key(&self, id: &str) -> Result<KeyRecord> {
        self.revoke_key_of(None, id).await
    }

    /// Whether this is the text of a key that works.
    pub async fn is_key(&self, text: &str) -> Result<bool> {
        let found = self.store.caller(&secrets::key_hash(text)).await?;
        let now = self.now();
        Ok(found.is_some_and(|found| {
            let ends = [found.until, found.limits.expires_at];
            ends.into_iter().flatten().all(|end| now < end)
        }))
    }

    async fn create_key_of(&self, account: AccountId, name: &str, limits: KeyLimits) -> Result<NewKey> {
        let name = check_name("key", name)?;
        let now = self.now();
        let limits = checked(limits, now)?;
        let (mut key, mut stored) = new_key(account, &name, now, &*self.entropy);
        let record = audit::record(now, &self.by, "key.create", Some(account), key.record.id);
        let record = described(record, Some(&name), &limits);
        (stored.record.limits, key.record.limits) = (limits.clone(), limits);
        self.store.create_key(stored, record).await?;
        Ok(key)
    }

    async fn update_key_of(
        &self,
        account: Option<AccountId>,
        id: &str,
        change: KeyChange,
    ) -> Result<KeyRecord> {
        let key: KeyId = id.parse().map_err(|_| not_active(id))?;
        let name = change.name.as_deref();
        let name = name.map(|name| check_name("key", name)).transpose()?;
        let now = self.now();
        // Unchanged values are valid already, except an end that has passed.
        let valid = checked(change.apply(KeyLimits::default()), now)?;
        let record = audit::record(now, &self.by, "key.update", account, key);
        let record = described(record, name.as_deref(), &valid);
        let change = KeyChange {
            name,
            scopes: change.scopes.map(|_| valid.scopes),
            networks: change.networks.map(|_| valid.networks),
            ..change
        };
        let updated = self.store.update_key(account, key, change, record).await?;
        updated.ok_or_else(|| not_active(id))
    }

    async fn rotate_key_of(&self, account: Option<AccountId>, id: &str, overlap: Duration) -> Result<NewKey> {
        let key: KeyId = id.parse().map_err(|_| not_active(id))?;
        if overlap > LONGEST_OVERLAP {
            return Err(Error::parameter(
                "overlap",
                format!("`overlap` must be at most 30 days (got {} s)", overlap.as_secs()),
            ));
        }
        let now = self.now();
        let text = secrets::new_api_key(&*self.entropy);
        let new = NewKeyText {
            hash: secrets::key_hash(&text),
            prefix: secrets::shown_prefix(&text),
            now,
            previous_until: now.plus(overlap),
        };
        let record = audit::record(now, &self.by, "key.rotate", account, key);
        let record = audit::with(record, &[("previous_until", new.previous_until.rfc3339().into())]);
        let rotated = self.store.rotate_key(account, key, new, record).await?;
        let record = rotated.ok_or_else(|| not_active(id))?;
        Ok(NewKey { text, record })
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
        Ok(self.store().keys(signed_in.may(Right::Look)?.id).await?)
    }

    /// Creates a key of the signed-in user's account; its text is shown only once.
    pub async fn create_key(&self, signed_in: &SignedIn, name: &str, limits: KeyLimits) -> Result<NewKey> {
        let account = signed_in.may(Right::Keys)?.id;
        let admin = self.acting(signed_in.actor());
        admin.create_key_of(account, name, limits).await
    }

    /// Changes the name and the limits of a key of the signed-in user's account.
    pub async fn update_key(&self, signed_in: &SignedIn, id: &str, change: KeyChange) -> Result<KeyRecord> {
        let account = signed_in.may(Right::Keys)?.id;
        let admin = self.acting(signed_in.actor());
        admin.update_key_of(Some(account), id, change).await
    }

    /// Gives a key of the signed-in user's account a new text; the present one works for `overlap`.
    pub async fn rotate_key(&self, signed_in: &SignedIn, id: &str, overlap: Duration) -> Result<NewKey> {
        let account = signed_in.may(Right::Keys)?.id;
        let admin = self.acting(signed_in.actor());
        admin.rotate_key_of(Some(account), id, overlap).await
    }

    /// Returns the spending of the keys of the signed-in user's account, today and this month.
    pub async fn key_spending(&self, signed_in: &SignedIn) -> Result<Vec<KeySpending>> {
        let account = signed_in.may(Right::Spending)?.id;
        let spending = self.store().key_spending(account, self.now()).await?;
        Ok(spending.into_iter().map(KeySpending::from).collect())
    }

    /// Revokes a key of the signed-in user's account.
    pub async fn revoke_key(&self, signed_in: &SignedIn, id: &str) -> Result<KeyRecord> {
        let account = signed_in.may(Right::Keys)?.id;
        let admin = self.acting(signed_in.actor());
        admin.revoke_key_of(Some(account), id).await
    }
}

fn not_active(id: &str) -> Error {
    Error::NotFound(format!("there is no active key with the id `{id}`"))
}

/// A change with the name and the limits of the key after it.
fn described(record: AuditRecord, name: Option<&str>, limits: &KeyLimits) -> AuditRecord {
    let mut details = Vec::new();
    details.extend(name.map(|name| ("name", name.into())));
    if !limits.is_none() {
        details.push(("limits", serde_json::to_value(limits).unwrap_or_default()));
    }
    audit::with(record, &details)
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
        limits: KeyLimits::default(),
        previous_until: None,
    };
    let stored = atelier_store::NewKey {
        record: record.clone(),
        hash: secrets::key_hash(&text),
    };
    (NewKey { text, record }, stored)
}
