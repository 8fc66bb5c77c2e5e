//! Who changed what, and when: one record per mutation, kept for ever.

use serde_json::{Map, Value};

use crate::{AccountId, Timestamp, UserId};

/// Who makes a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// Somebody at the command line of the machine.
    Cli,
    /// The program itself.
    Service,
    User {
        id: UserId,
        login: String,
    },
}

impl Actor {
    /// As it is shown: a login, `cli` or `service`.
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

/// A change about to be made; it is written down in the same transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditRecord {
    pub at: Timestamp,
    pub actor: Actor,
    /// What is done, such as `key.revoke`.
    pub action: &'static str,
    /// The account that it is about, if it is about one.
    pub account: Option<AccountId>,
    /// What it is done to: an id or a name.
    pub object: String,
    /// What else is worth knowing. Never a secret.
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
    /// Rises with every entry.
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
