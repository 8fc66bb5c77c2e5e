//! Members of accounts.

use async_trait::async_trait;
use atelier_domain::{
    AccountId, AccountRole, AuditRecord, Member, Membership, Role, SessionId, Timestamp, UserId,
};

use super::{
    PostgresStore, changes,
    error::Result,
    invitations, people,
    row::get,
    write::{Db, durable, execute, read, row, rows, the_row, write},
};
use crate::{
    ChangeMember, JoinAccount, Joined, MemberChanged, Members,
    members::REMOVED,
    values::{self, Fields as _, USER_COLUMNS, user_columns},
};

#[async_trait]
impl Members for PostgresStore {
    async fn members(&self, account: AccountId) -> crate::Result<Vec<Member>> {
        read!(self, |db| members(db, account))
    }

    async fn memberships(&self, user: UserId) -> crate::Result<Vec<Membership>> {
        read!(self, |db| memberships(db, user))
    }

    async fn change_member(&self, change: ChangeMember, record: AuditRecord) -> crate::Result<MemberChanged> {
        write!(self, durable!("change_member"), |db| change_member(
            db, &change, &record
        ))
    }

    async fn join_account(&self, join: JoinAccount, record: AuditRecord) -> crate::Result<Joined> {
        write!(self, durable!("join_account"), |db| join_account(
            db, &join, &record
        ))
    }

    async fn show_account(&self, session: SessionId, account: AccountId) -> crate::Result<bool> {
        write!(self, durable!("show_account"), |db| show_account(
            db, session, account
        ))
    }
}

async fn members(db: &Db, account: AccountId) -> Result<Vec<Member>> {
    const SQL: &str = concat!(
        "SELECT ",
        user_columns!(),
        ", m.role, m.since FROM members m JOIN users u ON u.id = m.user_id
         WHERE m.account = $1 AND m.role <> 'none'
         UNION ALL SELECT ",
        user_columns!(),
        ", 'owner', u.created_at FROM users u WHERE u.account = $1
           AND NOT EXISTS (SELECT 1 FROM members m WHERE m.user_id = u.id AND m.account = u.account)
         ORDER BY 1"
    );
    let found = rows(db, SQL, &[&account.0]).await?;
    found
        .iter()
        .map(|found| {
            Ok(Member {
                user: values::user(found, 0)?,
                role: found.named(USER_COLUMNS)?,
                since: found.moment(USER_COLUMNS + 1)?,
            })
        })
        .collect()
}

async fn memberships(db: &Db, user: UserId) -> Result<Vec<Membership>> {
    let found = rows(
        db,
        "SELECT a.id, a.name, m.role FROM members m JOIN accounts a ON a.id = m.account
         WHERE m.user_id = $1 AND m.role <> 'none'
         UNION ALL SELECT a.id, a.name, 'owner' FROM users u JOIN accounts a ON a.id = u.account
         WHERE u.id = $1
           AND NOT EXISTS (SELECT 1 FROM members m WHERE m.user_id = u.id AND m.account = u.account)
         ORDER BY 2",
        &[&user.0],
    )
    .await?;
    found
        .iter()
        .map(|found| {
            Ok(Membership {
                account: AccountId(found.id(0)?),
                name: found.string(1)?,
                role: found.named(2)?,
            })
        })
        .collect()
}

/// The role of a user in an account; `None` if they do not belong to it.
pub(super) async fn role(db: &Db, user: UserId, account: AccountId) -> Result<Option<AccountRole>> {
    let found = the_row(
        db,
        "SELECT coalesce((SELECT role FROM members WHERE user_id = $1 AND account = $2),
                         (SELECT 'owner' FROM users WHERE id = $1 AND account = $2))",
        &[&user.0, &account.0],
    )
    .await?;
    let role: Option<String> = get(&found, 0)?;
    Ok(role.and_then(|role| role.parse().ok()))
}

/// Writes the role of a user, who may have had another one.
pub(super) async fn put(
    db: &Db,
    user: UserId,
    account: AccountId,
    role: Option<AccountRole>,
    now: Timestamp,
) -> Result<()> {
    execute(
        db,
        "INSERT INTO members (user_id, account, role, since) VALUES ($1, $2, $3, $4)
         ON CONFLICT (user_id, account) DO UPDATE SET role = excluded.role, since = excluded.since",
        &[
            &user.0,
            &account.0,
            &role.map_or(REMOVED, AccountRole::as_str),
            &now.0,
        ],
    )
    .await?;
    Ok(())
}

/// Changes of members come one after the other, so that two owners do not remove each other.
async fn change_member(db: &Db, change: &ChangeMember, record: &AuditRecord) -> Result<MemberChanged> {
    people::alone(db).await?;
    let (user, account) = (change.user, change.account);
    // Locked, as by an invitation of theirs: one that is created meanwhile would stay open.
    people::locked(db, &[user]).await?;
    let before = role(db, user, account).await?;
    if before.is_none() && !(change.add && change.role.is_some()) {
        return Ok(MemberChanged::NotAMember);
    }
    let owned = before == Some(AccountRole::Owner) && change.role != Some(AccountRole::Owner);
    if owned {
        let another = |member: &Member| {
            member.role == AccountRole::Owner && member.user.id != user && member.user.disabled_at.is_none()
        };
        if !members(db, account).await?.iter().any(another) {
            return Ok(MemberChanged::LastOwner);
        }
        execute(
            db,
            "UPDATE invitations SET revoked_at = $3
             WHERE inviter = $1 AND account = $2 AND used_at IS NULL AND revoked_at IS NULL",
            &[&user.0, &account.0, &change.now.0],
        )
        .await?;
    }
    put(db, user, account, change.role, change.now).await?;
    changes::record(db, record).await?;
    Ok(MemberChanged::Changed)
}

/// The invitation is locked, so that it is not revoked between the check and the commit.
async fn join_account(db: &Db, join: &JoinAccount, record: &AuditRecord) -> Result<Joined> {
    people::alone(db).await?;
    let open = invitations::locked_invitation(db, &join.hash).await?;
    let open = open.filter(|invitation| invitation.is_open(join.now));
    let Some((invitation, account)) = open.and_then(|open| open.account.map(|account| (open, account)))
    else {
        return Ok(Joined::Closed);
    };
    if role(db, join.user, account).await?.is_some() {
        return Ok(Joined::AlreadyAMember);
    }
    put(db, join.user, account, Some(invitation.account_role), join.now).await?;
    if invitation.role == Role::Operator {
        execute(
            db,
            "UPDATE users SET role = 'operator' WHERE id = $1",
            &[&join.user.0],
        )
        .await?;
    }
    invitations::use_invitation(db, &join.hash, join.now).await?;
    changes::record(db, &record.about(Some(account))).await?;
    Ok(Joined::Joined(invitation))
}

async fn show_account(db: &Db, session: SessionId, account: AccountId) -> Result<bool> {
    let found = row(
        db,
        "SELECT user_id FROM sessions WHERE id = $1 AND ended_at IS NULL",
        &[&session.0],
    )
    .await?;
    let Some(found) = found else {
        return Ok(false);
    };
    if role(db, UserId(found.id(0)?), account).await?.is_none() {
        return Ok(false);
    }
    execute(
        db,
        "UPDATE sessions SET account = $2 WHERE id = $1",
        &[&session.0, &account.0],
    )
    .await?;
    Ok(true)
}
