//! People who sign in: users, their sessions, and the invitations that make them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{AccountId, InvitationId, SessionId, Timestamp, UserId};

/// What a user may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Everything in his own account, and the whole service besides.
    Operator,
    /// Everything in his own account.
    Member,
}

impl Role {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Member => "member",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Operator, Self::Member]
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| format!("`{text}` is no role: operator or member"))
    }
}

/// One person. Several may belong to one account; the account pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// What he signs in with: a name or an e-mail address in lower case, unique among users.
    pub login: String,
    pub role: Role,
    pub account: AccountId,
    pub created_at: Timestamp,
    /// When he was shut out, if he was.
    pub disabled_at: Option<Timestamp>,
}

/// One signed-in browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    pub user: UserId,
    pub created_at: Timestamp,
    pub last_seen_at: Timestamp,
    pub expires_at: Timestamp,
    /// As the browser names itself; empty where it does not.
    pub user_agent: String,
    /// The address that the session was last used from.
    pub address: String,
}

/// An invitation to become a user, by a link that works once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    pub id: InvitationId,
    pub role: Role,
    /// `None`: the first operator's, who gets an account of his own.
    pub account: Option<AccountId>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub used_at: Option<Timestamp>,
}

impl Invitation {
    /// Whether the link still makes a user.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.used_at.is_none() && now < self.expires_at
    }
}
