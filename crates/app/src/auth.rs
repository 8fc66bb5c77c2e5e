//! Who calls: a key becomes a [`Caller`], without which no use case of an account can be reached.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use atelier_domain::{Account, AccountId, KeyId, Limited, RateLimit, RateState, Timestamp};

use crate::{App, Error, Result, secrets};

/// A key's last use is noted this often at most.
const NOTE_USE_EVERY: Duration = Duration::from_secs(60);

/// An account that may use the API, and the key that says so.
#[derive(Debug, Clone)]
pub struct Caller {
    pub account: Account,
    pub key: KeyId,
    generation_tat: Timestamp,
}

/// Uses of keys that are still to be written down.
#[derive(Debug, Default)]
pub(crate) struct KeysUsed(Mutex<HashMap<KeyId, Timestamp>>);

/// The per-minute buckets of the rest of the surface, kept per node.
#[derive(Debug, Default)]
pub(crate) struct RequestLimits(Mutex<HashMap<AccountId, Timestamp>>);

impl App {
    /// Whose key this is, if it may use the API.
    pub async fn authenticate(&self, key: &str) -> Result<Caller> {
        if !secrets::is_well_formed(key) {
            return Err(Error::InvalidApiKey);
        }
        let found = self
            .store()
            .caller(&secrets::key_hash(key))
            .await?
            .ok_or(Error::InvalidApiKey)?;
        if !found.api_enabled {
            return Err(Error::ApiDisabled("the API is switched off by its operator"));
        }
        if !found.account.beta {
            return Err(Error::ApiDisabled(
                "the account is not enabled for the closed beta: ask the operator",
            ));
        }
        if !found.account.may_use_api() {
            return Err(Error::ApiDisabled(
                "the account has no active plan: ask the operator",
            ));
        }
        let now = self.now();
        if found
            .key_last_used_at
            .is_none_or(|last| now.since(last) > NOTE_USE_EVERY)
        {
            self.0
                .keys_used
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(found.key, now);
        }
        Ok(Caller {
            account: found.account,
            key: found.key,
            generation_tat: found.generation_tat,
        })
    }

    /// Writes down when keys were last used; called now and then.
    pub async fn note_keys_used(&self) -> Result<()> {
        let used = std::mem::take(&mut *self.0.keys_used.0.lock().unwrap_or_else(PoisonError::into_inner));
        if !used.is_empty() {
            self.store().touch_keys(used.into_iter().collect()).await?;
        }
        Ok(())
    }

    /// Where the caller's generation limit stands, taking nothing; an error when it is used up.
    pub fn generation_rate(&self, caller: &Caller) -> Result<RateState> {
        self.generation_limit(caller)
            .peek(caller.generation_tat, self.now())
            .map_err(Error::RateLimited)
    }

    /// Takes one request of the limit on the rest of the surface.
    pub fn take_request(&self, caller: &Caller) -> Result<RateState> {
        let limit = RateLimit {
            per_minute: self.settings().requests_per_minute,
        };
        let now = self.now();
        let mut buckets = self
            .0
            .request_limits
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let tat = buckets.entry(caller.account.id).or_default();
        let (next, state) = limit.take(*tat, now).map_err(Error::RateLimited)?;
        *tat = next;
        // A full bucket is as good as none, so that the map holds only accounts of the last minute.
        if buckets.len() > 10_000 {
            buckets.retain(|_, tat| *tat > now);
        }
        Ok(state)
    }

    fn generation_limit(&self, caller: &Caller) -> RateLimit {
        let default = self.settings().generations_per_minute;
        RateLimit {
            per_minute: caller.account.generations_per_minute.unwrap_or(default),
        }
    }
}

impl From<Limited> for Error {
    fn from(limited: Limited) -> Self {
        Self::RateLimited(limited)
    }
}
