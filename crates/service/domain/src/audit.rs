//! The audit log: one record per change with its author and its time, kept forever.

use serde_json::{Map, Value};

use crate::{AccountId, Timestamp, UserId};

/// The author of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// Somebody at the command line.
    Cli,
    /// The program itself.
    Service,
    User {
        id: UserId,
        login: String,
    },
}

impl Actor {
    /// The name that is displayed: a login, `cli` or `service`.
    pub fn name(&self) -> &str {
        match self {
            Self::Cli => "cli",
            Self::Service => "service",
            Self::User { login, .. } => login,
        }
    }

    pub const fn user(&self) -> Option<UserId> {
        match self {
            Self::User { id, .. } => Some(*id),
            Self::Cli | Self::Service => None,
        }
    }
}

/// The record of a change, written in the transaction that makes it.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditRecord {
    pub at: Timestamp,
    pub actor: Actor,
    /// The action, such as `key.revoke`.
    pub action: &'static str,
    /// The account that it concerns, if any.
    pub account: Option<AccountId>,
    /// The changed object: an id or a name.
    pub object: String,
    /// Further facts; never a secret.
    pub details: Map<String, Value>,
}

impl AuditRecord {
    /// The same record about this account, for changes whose account is known only in the transaction.
    #[must_use]
    pub fn about(&self, account: Option<AccountId>) -> Self {
        Self {
            account,
            ..self.clone()
        }
    }
}

/// A change as it was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// Increases with every entry.
    pub id: i64,
    pub at: Timestamp,
    /// A login, `cli` or `service`.
    pub actor: String,
    pub user: Option<UserId>,
    pub action: String,
    pub account: Option<AccountId>,
    pub object: String,
    pub details: Map<String, Value>,
}
