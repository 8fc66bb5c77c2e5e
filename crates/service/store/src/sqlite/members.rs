//! Members of accounts.

use async_trait::async_trait;
use atelier_domain::{
    AccountId, AccountRole, AuditRecord, Member, Membership, Role, SessionId, Timestamp, UserId,
};
use rusqlite::{Connection, params};

use super::{
    SqliteStore, changes, invitations,
    row::{self, one},
    writer::durable,
};
use crate::{
    ChangeMember, JoinAccount, Joined, MemberChanged, Members, Result,
    members::REMOVED,
    values::{Fields as _, USER_COLUMNS, user_columns},
};

#[async_trait]
impl Members for SqliteStore {
    async fn members(&self, account: AccountId) -> Result<Vec<Member>> {
        self.scan(move |db| members(db, account)).await
    }

    async fn memberships(&self, user: UserId) -> Result<Vec<Membership>> {
        self.readers.read(|db| memberships(db, user))
    }

    async fn change_member(&self, change: ChangeMember, record: AuditRecord) -> Result<MemberChanged> {
        self.writer
            .write(durable!("change_member"), move |db| {
                change_member(db, &change, &record)
            })
            .await
    }

    async fn join_account(&self, join: JoinAccount, record: AuditRecord) -> Result<Joined> {
        self.writer
            .write(durable!("join_account"), move |db| {
                join_account(db, &join, &record)
            })
            .await
    }

    async fn show_account(&self, session: SessionId, account: AccountId) -> Result<bool> {
        self.writer
            .write(durable!("show_account"), move |db| {
                show_account(db, session, account)
            })
            .await
    }
}

fn members(db: &Connection, account: AccountId) -> Result<Vec<Member>> {
    const SQL: &str = concat!(
        "SELECT ",
        user_columns!(),
        ", m.role, m.since FROM members m JOIN users u ON u.id = m.user
         WHERE m.account = ?1 AND m.role <> 'none'
         UNION ALL SELECT ",
        user_columns!(),
        ", 'owner', u.created_at FROM users u WHERE u.account = ?1
           AND NOT EXISTS (SELECT 1 FROM members m WHERE m.user = u.id AND m.account = u.account)
         ORDER BY 1"
    );
    db.prepare_cached(SQL)?
        .query_and_then([account.0], |found| {
            Ok(Member {
                user: row::user(found)?,
                role: found.named(USER_COLUMNS)?,
                since: found.moment(USER_COLUMNS + 1)?,
            })
        })?
        .collect()
}

fn memberships(db: &Connection, user: UserId) -> Result<Vec<Membership>> {
    db.prepare_cached(
        "SELECT a.id, a.name, m.role FROM members m JOIN accounts a ON a.id = m.account
         WHERE m.user = ?1 AND m.role <> 'none'
         UNION ALL SELECT a.id, a.name, 'owner' FROM users u JOIN accounts a ON a.id = u.account
         WHERE u.id = ?1 AND NOT EXISTS (SELECT 1 FROM members m WHERE m.user = u.id AND m.account = u.account)
         ORDER BY 2",
    )?
    .query_and_then([user.0], |found| {
        Ok(Membership {
            account: AccountId(found.id(0)?),
            name: found.string(1)?,
            role: found.named(2)?,
        })
    })?
    .collect()
}

/// The role of a user in an account; `None` if they do not belong to it.
pub(super) fn role(db: &Connection, user: UserId, account: AccountId) -> Result<Option<AccountRole>> {
    let found: Option<String> = db
        .prepare_cached(
            "SELECT coalesce((SELECT role FROM members WHERE user = ?1 AND account = ?2),
                             (SELECT 'owner' FROM users WHERE id = ?1 AND account = ?2))",
        )?
        .query_row([user.0, account.0], |row| row.get(0))?;
    Ok(found.and_then(|role| role.parse().ok()))
}

/// Writes the role of a user, who may have had another one.
pub(super) fn put(
    db: &Connection,
    user: UserId,
    account: AccountId,
    role: Option<AccountRole>,
    now: Timestamp,
) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO members (user, account, role, since) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (user, account) DO UPDATE SET role = excluded.role, since = excluded.since",
    )?
    .execute(params![
        user.0,
        account.0,
        role.map_or(REMOVED, AccountRole::as_str),
        now.0
    ])?;
    Ok(())
}

fn change_member(db: &Connection, change: &ChangeMember, record: &AuditRecord) -> Result<MemberChanged> {
    let (user, account) = (change.user, change.account);
    let before = role(db, user, account)?;
    if before.is_none() && !(change.add && change.role.is_some()) {
        return Ok(MemberChanged::NotAMember);
    }
    let owned = before == Some(AccountRole::Owner) && change.role != Some(AccountRole::Owner);
    if owned {
        let another = |member: &Member| {
            member.role == AccountRole::Owner && member.user.id != user && member.user.disabled_at.is_none()
        };
        if !members(db, account)?.iter().any(another) {
            return Ok(MemberChanged::LastOwner);
        }
        db.prepare_cached(
            "UPDATE invitations SET revoked_at = ?3
             WHERE inviter = ?1 AND account = ?2 AND used_at IS NULL AND revoked_at IS NULL",
        )?
        .execute(params![user.0, account.0, change.now.0])?;
    }
    put(db, user, account, change.role, change.now)?;
    changes::record(db, record)?;
    Ok(MemberChanged::Changed)
}

fn join_account(db: &Connection, join: &JoinAccount, record: &AuditRecord) -> Result<Joined> {
    let open = invitations::invitation(db, &join.hash)?.filter(|invitation| invitation.is_open(join.now));
    let Some((invitation, account)) = open.and_then(|open| open.account.map(|account| (open, account)))
    else {
        return Ok(Joined::Closed);
    };
    if role(db, join.user, account)?.is_some() {
        return Ok(Joined::AlreadyAMember);
    }
    put(db, join.user, account, Some(invitation.account_role), join.now)?;
    if invitation.role == Role::Operator {
        db.prepare_cached("UPDATE users SET role = 'operator' WHERE id = ?1")?
            .execute([join.user.0])?;
    }
    db.prepare_cached("UPDATE invitations SET used_at = ?2 WHERE hash = ?1")?
        .execute(params![join.hash, join.now.0])?;
    changes::record(db, &record.about(Some(account)))?;
    Ok(Joined::Joined(invitation))
}

fn show_account(db: &Connection, session: SessionId, account: AccountId) -> Result<bool> {
    let user = one(db
        .prepare_cached("SELECT user FROM sessions WHERE id = ?1 AND ended_at IS NULL")?
        .query_and_then([session.0], |found| Ok(UserId(found.id(0)?)))?)?;
    let Some(user) = user else {
        return Ok(false);
    };
    if role(db, user, account)?.is_none() {
        return Ok(false);
    }
    db.prepare_cached("UPDATE sessions SET account = ?2 WHERE id = ?1")?
        .execute([session.0, account.0])?;
    Ok(true)
}
