//! The durable state of people: users, their sessions, and the record of changes.

use async_trait::async_trait;
use atelier_domain::{
    Account, AccountId, AccountRole, AuditEntry, AuditRecord, Role, Session, SessionId, Timestamp, User,
    UserId,
};

use crate::Result;

/// Users and sessions. Every change is durable and recorded in its transaction.
#[async_trait]
pub trait People: Send + Sync + std::fmt::Debug {
    /// Whether there is an operator who can sign in.
    async fn has_operator(&self) -> Result<bool>;

    /// The user with this login, disabled or not, and the hash of their password. A point read.
    async fn user_by_login(&self, login: &str) -> Result<Option<(User, String)>>;
    /// The users of one account or of all, oldest first.
    async fn users(&self, account: Option<AccountId>) -> Result<Vec<User>>;
    /// Changes what is set in `change`; `None` if there is no such user.
    ///
    /// A new password ends the user's sessions, except `keep`, and revokes their open password resets. Disabling
    /// a user does the same; it and taking the operator role away also revoke the invitations and the password
    /// resets they created.
    async fn update_user(
        &self,
        id: UserId,
        change: UserChange,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<User>>;

    async fn start_session(&self, new: NewSession, record: AuditRecord) -> Result<()>;
    /// The user of a session that has not ended or expired, whose user is not disabled and belongs to an account. A
    /// point read.
    async fn signed_in(&self, hash: &[u8; 32], now: Timestamp) -> Result<Option<SignedIn>>;
    /// Records when and from where sessions were last used. Not durable.
    async fn touch_sessions(&self, used: Vec<SessionUse>) -> Result<()>;
    /// The user's open sessions, newest first.
    async fn sessions(&self, user: UserId, now: Timestamp) -> Result<Vec<Session>>;
    /// Ends open sessions of the user and returns how many. If none is ended, nothing is recorded.
    async fn end_sessions(
        &self,
        user: UserId,
        which: Which,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<u32>;

    /// The record of changes, newest first: of one account or of all, older than the entry `before`.
    async fn changes(
        &self,
        account: Option<AccountId>,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>>;
    /// The same for one kind of changes: what their actions have before the dot, such as `key`.
    async fn changes_of_kind(
        &self,
        kind: &str,
        account: Option<AccountId>,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>>;
}

/// The changes to a user; `None` leaves a value as it is.
#[derive(Debug, Clone, Default)]
pub struct UserChange {
    /// Argon2id in PHC form.
    pub password: Option<String>,
    pub role: Option<Role>,
    pub disabled: Option<bool>,
    /// The session to keep.
    pub keep: Option<SessionId>,
}

/// The other things that the change of a user ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ends {
    /// The user's sessions and open password resets.
    pub(crate) sessions: bool,
    /// The open links that the user created for others.
    pub(crate) created_links: bool,
}

impl UserChange {
    pub(crate) fn apply(&self, user: &mut User, now: Timestamp) -> Ends {
        let role = self.role.unwrap_or(user.role);
        let is_demoted = user.role == Role::Operator && role != Role::Operator;
        user.role = role;
        user.disabled_at = match self.disabled {
            None => user.disabled_at,
            Some(true) => user.disabled_at.or(Some(now)),
            Some(false) => None,
        };
        let is_disabled = self.disabled == Some(true);
        Ends {
            sessions: self.password.is_some() || is_disabled,
            created_links: is_disabled || is_demoted,
        }
    }
}

#[derive(Debug, Clone)]
pub struct NewSession {
    pub session: Session,
    /// SHA-256 of the cookie's text.
    pub hash: [u8; 32],
}

/// A signed-in user, in one read.
#[derive(Debug, Clone)]
pub struct SignedIn {
    pub user: User,
    pub session: Session,
    /// The account that the session shows.
    pub account: Account,
    /// The user's role in it.
    pub role: AccountRole,
    pub has_other_accounts: bool,
    pub api_enabled: bool,
    /// The generation limit's bucket; see [`atelier_domain::rate`].
    pub generation_tat: Timestamp,
    /// The time at which the bucket was read, if the database's clock decides; `None`: the caller's clock does.
    pub database_now: Option<Timestamp>,
}

#[derive(Debug, Clone)]
pub struct SessionUse {
    pub id: SessionId,
    pub at: Timestamp,
    pub address: String,
}

/// A selection of a user's sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    One(SessionId),
    AllBut(SessionId),
    All,
}
