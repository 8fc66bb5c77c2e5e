//! People who sign in: users, their sessions, and the one-time links that create users and reset passwords.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{AccountId, AccountRole, InvitationId, PasswordResetId, SessionId, Timestamp, UserId};

/// The role of a user in the service. Their role in an account is their [`AccountRole`] there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The whole service.
    Operator,
    /// May do what their accounts allow.
    Member,
}

impl Role {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Member => "member",
        }
    }

    /// Whether users of this role may invite somebody as `invited`, to an account that they own or to another one.
    ///
    /// The right is checked when the invitation is created and again in the store's transaction.
    pub const fn may_invite(self, invited: Self, owner: bool) -> bool {
        match self {
            Self::Operator => true,
            Self::Member => owner && matches!(invited, Self::Member),
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
            .ok_or_else(|| format!("unknown role `{text}`; allowed: operator, member"))
    }
}

/// One person. Several may belong to one account, and one to several; the account pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// The name to sign in with: a name or an e-mail address in lower case, unique among users.
    pub login: String,
    pub role: Role,
    /// The account that they joined first.
    pub account: AccountId,
    pub created_at: Timestamp,
    /// When the user was disabled; `None` while they may sign in.
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
    /// The browser's `User-Agent`; empty if it sent none.
    pub user_agent: String,
    /// The address the session was last used from.
    pub address: String,
}

/// An invitation to an account, by a link that works once. It creates a user, or a user who exists accepts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    pub id: InvitationId,
    pub role: Role,
    /// The role in the account.
    pub account_role: AccountRole,
    /// `None`: the invitation of the first operator, who gets an account of their own.
    pub account: Option<AccountId>,
    /// The user who created it; `None`: somebody at the command line, or the program itself.
    ///
    /// It ends when this user is disabled or demoted.
    pub inviter: Option<UserId>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub used_at: Option<Timestamp>,
    /// When it was taken back, or ended with its inviter.
    pub revoked_at: Option<Timestamp>,
}

impl Invitation {
    /// Whether the link still creates a user.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.used_at.is_none() && self.revoked_at.is_none() && now < self.expires_at
    }
}

/// An invitation as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedInvitation {
    pub invitation: Invitation,
    /// The inviter's login; `None`: the command line, or the program itself.
    pub inviter: Option<String>,
    /// The account's name; `None` for the first operator's invitation.
    pub account: Option<String>,
}

/// A link that lets a user choose a new password, once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordReset {
    pub id: PasswordResetId,
    pub user: UserId,
    /// The operator who created it; `None`: somebody at the command line.
    pub issuer: Option<UserId>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub used_at: Option<Timestamp>,
    /// When a newer link, a new password, or a change of the user or the issuer ended it.
    pub revoked_at: Option<Timestamp>,
}

impl PasswordReset {
    /// Whether the link still changes the password.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.used_at.is_none() && self.revoked_at.is_none() && now < self.expires_at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_invite_anybody_and_members_only_members_of_accounts_that_they_own() {
        for invited in [Role::Operator, Role::Member] {
            assert!(Role::Operator.may_invite(invited, true));
            assert!(Role::Operator.may_invite(invited, false));
        }
        assert!(Role::Member.may_invite(Role::Member, true));
        assert!(!Role::Member.may_invite(Role::Member, false));
        assert!(!Role::Member.may_invite(Role::Operator, true));
    }

    #[test]
    fn a_link_is_open_until_it_is_used_revoked_or_expired() {
        let open = PasswordReset {
            id: PasswordResetId(uuid::Uuid::nil()),
            user: UserId(uuid::Uuid::nil()),
            issuer: None,
            created_at: Timestamp(0),
            expires_at: Timestamp(10),
            used_at: None,
            revoked_at: None,
        };
        assert!(open.is_open(Timestamp(9)));
        assert!(!open.is_open(Timestamp(10)));
        let used = PasswordReset {
            used_at: Some(Timestamp(1)),
            ..open.clone()
        };
        let revoked = PasswordReset {
            revoked_at: Some(Timestamp(1)),
            ..open
        };
        assert!(!used.is_open(Timestamp(2)));
        assert!(!revoked.is_open(Timestamp(2)));
    }
}
