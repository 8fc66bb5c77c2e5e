//! What is durable about people: users, sessions, invitations, and the record of changes.

use async_trait::async_trait;
use atelier_domain::{
    Account, AccountId, AuditEntry, AuditRecord, Invitation, Role, Session, SessionId, Timestamp, User,
    UserId,
};

use crate::Result;

/// Users, sessions, invitations. Every change is durable and written down in its transaction.
#[async_trait]
pub trait People: Send + Sync + std::fmt::Debug {
    /// Whether somebody can sign in as an operator.
    async fn has_operator(&self) -> Result<bool>;
    /// Makes the invitation of the first operator, and closes the ones made before. False, and nothing is
    /// written, where there is an operator.
    async fn invite_first_operator(&self, new: NewInvitation, record: AuditRecord) -> Result<bool>;
    async fn invite(&self, new: NewInvitation, record: AuditRecord) -> Result<()>;
    /// The invitation of a link, used and expired ones too. A point read.
    async fn invitation(&self, hash: &[u8; 32]) -> Result<Option<Invitation>>;
    /// Makes the user that an open invitation promises, and his account where it names none.
    async fn accept_invitation(
        &self,
        accept: AcceptInvitation,
        record: AuditRecord,
    ) -> Result<InvitationAccepted>;

    /// The user of this login, shut out ones too, and his password's hash. A point read.
    async fn user_by_login(&self, login: &str) -> Result<Option<(User, String)>>;
    /// The users of one account or of all, in the order of their making.
    async fn users(&self, account: Option<AccountId>) -> Result<Vec<User>>;
    /// Changes what is set in `change`; `None` when there is no such user. A new password and being shut out
    /// end his sessions, but for `keep`.
    async fn update_user(
        &self,
        id: UserId,
        change: UserChange,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<User>>;

    async fn start_session(&self, new: NewSession, record: AuditRecord) -> Result<()>;
    /// Whose session this is, while it has neither ended nor expired nor its user been shut out. A point read.
    async fn signed_in(&self, hash: &[u8; 32], now: Timestamp) -> Result<Option<SignedIn>>;
    /// Notes when and from where sessions were last used. Not durable.
    async fn touch_sessions(&self, used: Vec<SessionUse>) -> Result<()>;
    /// The user's open sessions, newest first.
    async fn sessions(&self, user: UserId, now: Timestamp) -> Result<Vec<Session>>;
    /// Ends open sessions of the user; how many. Where none is ended, nothing is written down.
    async fn end_sessions(
        &self,
        user: UserId,
        which: Which,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<u32>;

    /// What was changed, newest first: of one account or of all, older than the entry `before`.
    async fn changes(
        &self,
        account: Option<AccountId>,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>>;
}

#[derive(Debug, Clone)]
pub struct NewInvitation {
    pub invitation: Invitation,
    /// SHA-256 of the link's text.
    pub hash: [u8; 32],
}

/// A user to make of an invitation.
#[derive(Debug, Clone)]
pub struct AcceptInvitation {
    /// SHA-256 of the link's text.
    pub hash: [u8; 32],
    pub user: UserId,
    pub login: String,
    /// Argon2id in PHC form.
    pub password: String,
    pub now: Timestamp,
    /// The account to make where the invitation names none.
    pub account: Account,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvitationAccepted {
    Accepted(User),
    /// There is no such link, it was used, or its time is over.
    Closed,
    LoginTaken,
    /// The account that was to be made has the name of another.
    NameTaken,
}

/// What to change of a user; `None` leaves it.
#[derive(Debug, Clone, Default)]
pub struct UserChange {
    /// Argon2id in PHC form.
    pub password: Option<String>,
    pub role: Option<Role>,
    pub disabled: Option<bool>,
    /// The session that goes on.
    pub keep: Option<SessionId>,
}

#[derive(Debug, Clone)]
pub struct NewSession {
    pub session: Session,
    /// SHA-256 of the cookie's text.
    pub hash: [u8; 32],
}

/// Who is signed in, in one read.
#[derive(Debug, Clone)]
pub struct SignedIn {
    pub user: User,
    pub session: Session,
    pub account: Account,
    pub api_enabled: bool,
    /// The generation limit's bucket; see [`atelier_domain::rate`].
    pub generation_tat: Timestamp,
}

#[derive(Debug, Clone)]
pub struct SessionUse {
    pub id: SessionId,
    pub at: Timestamp,
    pub address: String,
}

/// Which of a user's sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    One(SessionId),
    AllBut(SessionId),
    All,
}
