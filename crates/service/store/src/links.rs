//! One-time links: invitations, which create users, and password resets.

use async_trait::async_trait;
use atelier_domain::{
    Account, AccountId, AccountRole, AuditRecord, Invitation, InvitationId, ListedInvitation, PasswordReset,
    Role, Timestamp, User, UserId,
};

use crate::Result;

/// Invitations and password resets. Every change is durable and recorded in its transaction.
///
/// A link ends with the user who created it: disabling or demoting them
/// ([`update_user`](crate::People::update_user)) revokes their open links, and nobody who may not create a link
/// gets one, however closely the two follow each other.
#[async_trait]
pub trait Links: Send + Sync + std::fmt::Debug {
    /// Creates the invitation of the first operator and closes the earlier ones. Returns false, and writes
    /// nothing, if there is an operator.
    async fn invite_first_operator(&self, new: NewInvitation, record: AuditRecord) -> Result<bool>;
    /// Creates an invitation. Returns false, and writes nothing, if its inviter is disabled or may not invite
    /// this role to this account ([`Role::may_invite`](atelier_domain::Role::may_invite)).
    async fn invite(&self, new: NewInvitation, record: AuditRecord) -> Result<bool>;
    /// The invitation of a link, whether or not it is still open. A point read.
    async fn invitation(&self, hash: &[u8; 32]) -> Result<Option<Invitation>>;
    /// The open invitations to one account or to all, newest first.
    async fn open_invitations(
        &self,
        account: Option<AccountId>,
        now: Timestamp,
    ) -> Result<Vec<ListedInvitation>>;
    /// Takes back an open invitation, if `account` is set only one to this account. `None` if there is no such
    /// open invitation. The record gets the invitation's account.
    async fn revoke_invitation(
        &self,
        account: Option<AccountId>,
        id: InvitationId,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<Invitation>>;
    /// Creates the user that an open invitation promises, and their account if it names none.
    async fn accept_invitation(
        &self,
        accept: AcceptInvitation,
        record: AuditRecord,
    ) -> Result<InvitationAccepted>;

    /// Creates a link to reset a user's password and revokes the user's earlier ones. Returns false, and writes
    /// nothing, if the user is unknown or disabled, or the issuer is not an operator who may sign in.
    async fn start_password_reset(&self, new: NewPasswordReset, record: AuditRecord) -> Result<bool>;
    /// The reset of a link and its user, whether or not it is still open. A point read.
    async fn password_reset(&self, hash: &[u8; 32]) -> Result<Option<(PasswordReset, User)>>;
    /// Uses an open reset link: stores the new password and ends all of the user's sessions. `None`, and nothing
    /// is written, if the link is not open. The record gets the user's account.
    async fn reset_password(&self, reset: ResetPassword, record: AuditRecord) -> Result<Option<User>>;
}

#[derive(Debug, Clone)]
pub struct NewInvitation {
    pub invitation: Invitation,
    /// SHA-256 of the link's text.
    pub hash: [u8; 32],
}

/// A user to create from an invitation.
#[derive(Debug, Clone)]
pub struct AcceptInvitation {
    /// SHA-256 of the link's text.
    pub hash: [u8; 32],
    pub user: UserId,
    pub login: String,
    /// Argon2id in PHC form.
    pub password: String,
    pub now: Timestamp,
    /// The account to create if the invitation names none.
    pub account: Account,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvitationAccepted {
    Accepted(User),
    /// The link is unknown, used, revoked or expired.
    Closed,
    LoginTaken,
    /// Another account has the name of the one to create.
    NameTaken,
}

#[derive(Debug, Clone)]
pub struct NewPasswordReset {
    pub reset: PasswordReset,
    /// SHA-256 of the link's text.
    pub hash: [u8; 32],
}

/// A new password, by a reset link.
#[derive(Debug, Clone)]
pub struct ResetPassword {
    /// SHA-256 of the link's text.
    pub hash: [u8; 32],
    /// Argon2id in PHC form.
    pub password: String,
    pub now: Timestamp,
}

impl AcceptInvitation {
    pub(crate) fn new_user(&self, invitation: &Invitation, account: AccountId) -> User {
        User {
            id: self.user,
            login: self.login.clone(),
            role: invitation.role,
            account,
            created_at: self.now,
            disabled_at: None,
        }
    }
}

impl NewInvitation {
    /// Whether this inviter, as the transaction finds them, may create the invitation. `role` is theirs in its account.
    pub(crate) fn is_allowed_to(&self, inviter: &User, role: Option<AccountRole>) -> bool {
        let owner = role == Some(AccountRole::Owner);
        inviter.disabled_at.is_none() && inviter.role.may_invite(self.invitation.role, owner)
    }
}

impl NewPasswordReset {
    /// Whether a link may be created for this user by this issuer, as the transaction finds them.
    pub(crate) fn is_allowed(&self, users: &[User]) -> bool {
        let active = |id: UserId| {
            users
                .iter()
                .find(|user| user.id == id && user.disabled_at.is_none())
        };
        let issuer_may = self
            .reset
            .issuer
            .is_none_or(|id| active(id).is_some_and(|user| user.role == Role::Operator));
        issuer_may && active(self.reset.user).is_some()
    }
}
