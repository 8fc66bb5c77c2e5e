//! The members of accounts, and their roles.

use async_trait::async_trait;
use atelier_domain::{
    AccountId, AccountRole, AuditRecord, Invitation, Member, Membership, SessionId, Timestamp, UserId,
};

use crate::Result;

/// The members of accounts. Every change is durable; all but [`show_account`](Self::show_account) are recorded in
/// their transaction.
///
/// A user without an entry for the account that they joined first owns it, unless they were removed from it.
#[async_trait]
pub trait Members: Send + Sync + std::fmt::Debug {
    /// The members of an account, in the order in which their users were created.
    async fn members(&self, account: AccountId) -> Result<Vec<Member>>;
    /// The accounts that a user belongs to, by name.
    async fn memberships(&self, user: UserId) -> Result<Vec<Membership>>;
    /// Changes the role of a member, or removes them. An account that has owners keeps one who may sign in. A member
    /// who stops being an owner loses their open invitations to the account.
    async fn change_member(&self, change: ChangeMember, record: AuditRecord) -> Result<MemberChanged>;
    /// Accepts an open invitation to an account for a user who exists.
    async fn join_account(&self, join: JoinAccount, record: AuditRecord) -> Result<Joined>;
    /// The account that a session shows from now on. Returns false if its user does not belong to the account.
    async fn show_account(&self, session: SessionId, account: AccountId) -> Result<bool>;
}

#[derive(Debug, Clone)]
pub struct ChangeMember {
    pub user: UserId,
    pub account: AccountId,
    /// `None` removes the member.
    pub role: Option<AccountRole>,
    /// Whether somebody who is not a member becomes one.
    pub add: bool,
    pub now: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberChanged {
    Changed,
    NotAMember,
    /// Nobody who may sign in would own the account.
    LastOwner,
}

#[derive(Debug, Clone)]
pub struct JoinAccount {
    /// SHA-256 of the link's text.
    pub hash: [u8; 32],
    pub user: UserId,
    pub now: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Joined {
    Joined(Invitation),
    /// The link is unknown, used, revoked or expired, or it names no account.
    Closed,
    AlreadyAMember,
}

/// The role that is stored for a member who was removed.
pub(crate) const REMOVED: &str = "none";

/// The account that a session `s` of a user `u` shows: the chosen one, else the first one, else any that is left. The
/// argument is the column of the user.
macro_rules! shown_account {
    ($user:literal) => {
        concat!(
            "coalesce(
                (SELECT m.account FROM members m
                 WHERE m.",
            $user,
            " = u.id AND m.account = s.account AND m.role <> 'none'),
                CASE WHEN NOT EXISTS (SELECT 1 FROM members m
                 WHERE m.",
            $user,
            " = u.id AND m.account = u.account AND m.role = 'none') THEN u.account END,
                (SELECT m.account FROM members m
                 WHERE m.",
            $user,
            " = u.id AND m.role <> 'none' ORDER BY m.since, m.account LIMIT 1))"
        )
    };
}

/// The role of a user `u` in an account `a`, and whether the user has other accounts.
macro_rules! shown_role {
    ($user:literal) => {
        concat!(
            "coalesce((SELECT m.role FROM members m WHERE m.",
            $user,
            " = u.id AND m.account = a.id), 'owner'),
             EXISTS (SELECT 1 FROM members m
                     WHERE m.",
            $user,
            " = u.id AND m.account <> a.id AND m.role <> 'none')
             OR u.account <> a.id AND NOT EXISTS (SELECT 1 FROM members m
                                                  WHERE m.",
            $user,
            " = u.id AND m.account = u.account)"
        )
    };
}

pub(crate) use {shown_account, shown_role};
