//! Identities at an OpenID provider, and the users whom they belong to.

use async_trait::async_trait;
use atelier_domain::{Account, AccountId, AccountRole, AuditRecord, Timestamp, User, UserId};

use crate::Result;

/// Identities: an issuer and what it calls somebody. Every change is durable and recorded in its transaction.
#[async_trait]
pub trait Identities: Send + Sync + std::fmt::Debug {
    /// The user of an identity, disabled or not. A point read.
    async fn user_by_identity(&self, issuer: &str, subject: &str) -> Result<Option<User>>;
    /// The user of an identity in the account that a new session of theirs would show. `None` if the identity is
    /// unknown, or if its user is disabled or belongs to no account. A point read.
    async fn member_by_identity(&self, issuer: &str, subject: &str) -> Result<Option<Identified>>;
    /// Gives an identity to a user who exists. Returns false, and writes nothing, if it belongs to another one.
    async fn connect_identity(&self, new: NewIdentity, record: AuditRecord) -> Result<bool>;
    /// Creates a user without a password, with an identity and with these roles.
    async fn create_by_identity(
        &self,
        user: User,
        roles: Vec<(AccountId, AccountRole)>,
        new: NewIdentity,
        record: AuditRecord,
    ) -> Result<IdentityCreated>;
}

#[derive(Debug, Clone)]
pub struct NewIdentity {
    pub issuer: String,
    pub subject: String,
    pub user: UserId,
    pub at: Timestamp,
}

/// The user of an identity as a member of an account, in one read.
#[derive(Debug, Clone)]
pub struct Identified {
    pub user: User,
    pub account: Account,
    /// The user's role in it.
    pub role: AccountRole,
    pub api_enabled: bool,
    /// The generation limit's bucket; see [`atelier_domain::rate`].
    pub generation_tat: Timestamp,
    /// The time at which the bucket was read, if the database's clock decides; `None`: the caller's clock does.
    pub database_now: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdentityCreated {
    Created,
    LoginTaken,
}

/// The stored value for users without a password, which no password matches.
pub(crate) const NO_PASSWORD: &str = "";
