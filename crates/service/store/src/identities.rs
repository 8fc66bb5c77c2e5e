//! Identities at an OpenID provider, and the users whom they belong to.

use async_trait::async_trait;
use atelier_domain::{AccountId, AccountRole, AuditRecord, Timestamp, User, UserId};

use crate::Result;

/// Identities: an issuer and what it calls somebody. Every change is durable and recorded in its transaction.
#[async_trait]
pub trait Identities: Send + Sync + std::fmt::Debug {
    /// The user of an identity, disabled or not. A point read.
    async fn user_by_identity(&self, issuer: &str, subject: &str) -> Result<Option<User>>;
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdentityCreated {
    Created,
    LoginTaken,
}

/// What is stored for users without a password, which no password matches.
pub(crate) const NO_PASSWORD: &str = "";
