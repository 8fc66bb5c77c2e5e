//! Authentication: a key becomes a [`Caller`], which every use case of an account asks for.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use atelier_domain::{
    Account, AccountId, AccountRole, Actor, KeyId, KeyLimits, Limited, RateLimit, RateState, Right, Role,
    Scope, Timestamp,
};
use atelier_store::KeyUse;

use crate::{
    App, Error, Result, System,
    accounts::limits::{KeyLimit, contains, matches},
    people::SignedIn,
    policy::Subject,
    requests::Asker,
    secrets,
};

/// How often a key's last use is noted at most.
const NOTE_USE_EVERY: Duration = Duration::from_mins(1);
/// How soon a noted use is written down.
const NOTE_EVERY: Duration = Duration::from_secs(5);

/// The sender of a request, which is the scope of every use case of an account. Made from a key that may use the API,
/// from a session, or from an access token.
///
/// Its account is private to this file: a use case gets it only by naming what it does with it, which the scopes of
/// the key, or the role of the user, must allow.
#[derive(Debug, Clone)]
pub struct Caller {
    account: Account,
    by: By,
    generation_tat: Timestamp,
    /// The time by which the limit counts, if the database's clock decides.
    database_now: Option<Timestamp>,
    /// Why the account may create nothing now. Sessions can browse nevertheless.
    barred: Option<&'static str>,
    /// The user of a session or of an access token; their changes are recorded.
    user: Option<Actor>,
}

/// The limits on a caller.
#[derive(Debug, Clone)]
enum By {
    Key(KeyId, KeyLimits),
    /// The role of the user of a session or of an access token.
    Session(AccountRole),
}

impl Caller {
    pub(crate) fn of_session(found: &atelier_store::SignedIn) -> Self {
        Self {
            account: found.account.clone(),
            by: By::Session(found.role),
            generation_tat: found.generation_tat,
            database_now: found.database_now,
            barred: barred(found.api_enabled, &found.account),
            user: Some(Actor::User {
                id: found.user.id,
                login: found.user.login.clone(),
            }),
        }
    }

    /// The user of an access token.
    pub(crate) fn of_identity(found: atelier_store::Identified) -> Self {
        Self {
            barred: barred(found.api_enabled, &found.account),
            account: found.account,
            by: By::Session(found.role),
            generation_tat: found.generation_tat,
            database_now: found.database_now,
            user: Some(Actor::User {
                id: found.user.id,
                login: found.user.login,
            }),
        }
    }

    /// Why this account may create nothing now, if so: the API is off, or the account may not use it.
    pub const fn barred(&self) -> Option<&'static str> {
        self.barred
    }

    /// Whether links to the files of the account are signed and expire.
    pub(crate) const fn has_private_media(&self) -> bool {
        self.account.private_media
    }

    /// The account's id, to compare it with others.
    pub(crate) const fn id(&self) -> AccountId {
        self.account.id
    }

    /// Returns the author of a change, if it is a user.
    pub(crate) const fn user(&self) -> Option<&Actor> {
        self.user.as_ref()
    }

    /// Returns the author that a change is recorded for: the user, or the service itself for keys.
    pub(crate) fn actor(&self) -> Actor {
        self.user.clone().unwrap_or(Actor::Service)
    }

    /// The account, for something that needs this right. A scope stands for the right that a key has by it.
    pub fn account(&self, right: impl Into<Right>) -> Result<&Account> {
        self.account_for(&[right.into()])
    }

    /// The account, for something that needs any of these rights.
    pub fn account_for(&self, rights: &[impl Into<Right> + Copy]) -> Result<&Account> {
        let rights = || rights.iter().map(|right| (*right).into());
        match &self.by {
            By::Session(role) if rights().any(|right: Right| role.allows(right)) => Ok(&self.account),
            By::Session(role) => Err(Error::Role {
                role: *role,
                needed: AccountRole::ALL
                    .into_iter()
                    .filter(|role| rights().any(|right: Right| role.allows(right)))
                    .collect(),
            }),
            By::Key(_, limits) => {
                let scopes: Vec<Scope> = rights().filter_map(Right::scope).collect();
                if scopes.iter().any(|scope| limits.allows(*scope)) {
                    return Ok(&self.account);
                }
                Err(Error::KeyLimit(KeyLimit::Scope {
                    needed: scopes,
                    allowed: limits.scopes.clone(),
                }))
            }
        }
    }

    /// Returns the id and the limits of the key; `None` for a user.
    const fn key(&self) -> Option<(&KeyId, &KeyLimits)> {
        match &self.by {
            By::Key(id, limits) => Some((id, limits)),
            By::Session(_) => None,
        }
    }

    /// The account, to create something in it.
    pub(crate) fn may_make(&self, scope: Scope) -> Result<&Account> {
        match self.barred {
            Some(why) => Err(Error::ApiDisabled(why)),
            None => self.account(scope),
        }
    }

    /// Whether the key may use this model.
    pub(crate) fn may_use(&self, model: &str) -> Result<()> {
        let Some((_, limits)) = self.key() else {
            return Ok(());
        };
        if limits.models.is_empty() || limits.models.iter().any(|pattern| matches(pattern, model)) {
            return Ok(());
        }
        Err(Error::KeyLimit(KeyLimit::Model {
            model: model.to_owned(),
            allowed: limits.models.clone(),
        }))
    }

    /// The account, as far as the policy knows it.
    pub(crate) fn subject(&self) -> Subject<'_> {
        Subject::of(&self.account)
    }

    /// The key, as far as it concerns the acceptance of a job.
    pub(crate) fn key_use(&self) -> Option<KeyUse> {
        self.key().map(|(id, limits)| KeyUse {
            id: *id,
            credits_per_day: limits.credits_per_day,
            credits_per_month: limits.credits_per_month,
        })
    }
}

impl SignedIn {
    /// The account that the session shows, to name it. A use case asks for a right with [`may`](Self::may).
    pub const fn account(&self) -> &Account {
        &self.caller.account
    }

    /// The account, if the user's role in it has this right.
    pub fn may(&self, right: Right) -> Result<&Account> {
        self.caller.account(right)
    }

    /// The account, if the user may manage its members: as an owner, or as an operator.
    pub(crate) fn may_manage_members(&self) -> Result<&Account> {
        if self.user.role == Role::Operator {
            return Ok(self.account());
        }
        self.may(Right::Members)
    }
}

fn barred(api_enabled: bool, account: &Account) -> Option<&'static str> {
    if !api_enabled {
        return Some("the API was switched off by the operator");
    }
    if !account.beta {
        return Some("the account is not enabled for the closed beta: ask the operator");
    }
    (!account.may_use_api()).then_some("the account has no active plan: ask the operator")
}

/// Uses of keys that are not written down yet.
#[derive(Debug, Default)]
pub(crate) struct KeysUsed(Mutex<HashMap<KeyId, Timestamp>>);

/// The per-minute buckets of all other requests and of keys, by account and by key, kept per node.
#[derive(Debug, Default)]
pub(crate) struct RequestLimits(Mutex<HashMap<Bucket, Timestamp>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Bucket {
    Account(AccountId),
    Key(KeyId),
}

impl App {
    /// Returns the caller to whom this key belongs, if it may use the API. `address` is asked only about a key that is
    /// limited to networks.
    pub async fn authenticate(
        &self,
        key: &str,
        address: impl FnOnce() -> Option<IpAddr> + Send,
    ) -> Result<Caller> {
        self.authenticate_noting(key, address, &mut None).await
    }

    /// The same. `asker` becomes whose key it is, even if it is refused.
    pub async fn authenticate_noting(
        &self,
        key: &str,
        address: impl FnOnce() -> Option<IpAddr> + Send,
        asker: &mut Option<Asker>,
    ) -> Result<Caller> {
        if !secrets::is_well_formed(key) {
            return Err(Error::InvalidApiKey);
        }
        let found = self
            .store()
            .caller(&secrets::key_hash(key))
            .await?
            .ok_or(Error::InvalidApiKey)?;
        *asker = Some(Asker {
            account: found.account.id,
            key: Some(found.key),
        });
        let now = self.now();
        if found.until.is_some_and(|until| until <= now) {
            return Err(Error::InvalidApiKey);
        }
        if let Some(at) = found.limits.expires_at.filter(|at| *at <= now) {
            return Err(Error::KeyExpired(at));
        }
        if let Some(why) = barred(found.api_enabled, &found.account) {
            return Err(Error::ApiDisabled(why));
        }
        if !found.limits.networks.is_empty() {
            let address = address();
            let allowed = address.is_some_and(|address| contains(&found.limits.networks, address));
            if !allowed {
                return Err(Error::KeyLimit(KeyLimit::Network {
                    address,
                    allowed: found.limits.networks,
                }));
            }
        }
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
            by: By::Key(found.key, found.limits),
            generation_tat: found.generation_tat,
            database_now: found.database_now,
            barred: None,
            user: None,
        })
    }

    async fn note_keys_used(&self) -> Result<()> {
        let used = std::mem::take(&mut *self.0.keys_used.0.lock().unwrap_or_else(PoisonError::into_inner));
        if !used.is_empty() {
            self.store().touch_keys(used.into_iter().collect()).await?;
        }
        Ok(())
    }

    /// The state of the caller's generation limit, without taking anything; an error if it is used up.
    pub fn generation_rate(&self, caller: &Caller) -> Result<RateState> {
        self.generation_limit(caller)
            .peek(
                caller.generation_tat,
                caller.database_now.unwrap_or_else(|| self.now()),
            )
            .map_err(Error::RateLimited)
    }

    /// Takes one request of the limit on all other requests.
    pub fn take_request(&self, caller: &Caller) -> Result<RateState> {
        let per_minute = self.settings().requests_per_minute;
        self.take_from(Bucket::Account(caller.account.id), RateLimit { per_minute })
            .map_err(Error::RateLimited)
    }

    /// Takes one request of the limit of the caller's key, if it has one.
    pub fn take_request_of_key(&self, caller: &Caller) -> Result<()> {
        let Some((key, limits)) = caller.key() else {
            return Ok(());
        };
        let Some(per_minute) = limits.requests_per_minute else {
            return Ok(());
        };
        let taken = self.take_from(Bucket::Key(*key), RateLimit { per_minute });
        taken.map(|_| ()).map_err(Error::KeyRateLimited)
    }

    fn take_from(&self, bucket: Bucket, limit: RateLimit) -> Result<RateState, Limited> {
        let now = self.now();
        let mut buckets = self
            .0
            .request_limits
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let tat = buckets.entry(bucket).or_default();
        let (next, state) = limit.take(*tat, now)?;
        *tat = next;
        // A full bucket is the same as none, so the map need only hold those of the last minute.
        if buckets.len() > 10_000 {
            buckets.retain(|_, tat| *tat > now);
        }
        Ok(state)
    }

    fn generation_limit(&self, caller: &Caller) -> RateLimit {
        let default = self.settings().generations_per_minute;
        RateLimit::own_or(caller.account.per_minute(), default)
    }
}

impl System {
    /// Writes down when keys and sessions were last used, every few seconds, and the log of requests, every second, for
    /// as long as it is polled.
    pub async fn note_uses(&self) {
        let notes = async {
            loop {
                tokio::time::sleep(NOTE_EVERY).await;
                self.note_uses_of_keys_and_sessions().await;
            }
        };
        tokio::join!(notes, self.write_requests());
    }

    /// The same once; called before the service ends.
    pub async fn note_uses_now(&self) {
        self.note_uses_of_keys_and_sessions().await;
        self.write_requests_now().await;
    }

    async fn note_uses_of_keys_and_sessions(&self) {
        if let Err(error) = self.app.note_keys_used().await {
            tracing::warn!(%error, "uses of keys could not be noted");
        }
        if let Err(error) = self.app.note_sessions_used().await {
            tracing::warn!(%error, "uses of sessions could not be noted");
        }
    }
}

impl From<Limited> for Error {
    fn from(limited: Limited) -> Self {
        Self::RateLimited(limited)
    }
}
