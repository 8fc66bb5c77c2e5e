//! Invitations and password resets.

use async_trait::async_trait;
use atelier_domain::{AccountId, AuditRecord, Invitation, InvitationId, PasswordReset, Timestamp, User};
use rusqlite::{Connection, params};

use super::{
    SqliteStore, accounts, changes,
    invitations::invitation,
    members, people,
    row::{self, one},
    writer::durable,
};
use crate::{
    AcceptInvitation, Created, InvitationAccepted, Links, ListedInvitation, NewInvitation, NewPasswordReset,
    ResetPassword, Result, Which,
};

#[async_trait]
impl Links for SqliteStore {
    async fn invite_first_operator(&self, new: NewInvitation, record: AuditRecord) -> Result<bool> {
        self.writer
            .write(durable!("invite_first_operator"), move |db| {
                invite_first_operator(db, &new, &record)
            })
            .await
    }

    async fn invite(&self, new: NewInvitation, record: AuditRecord) -> Result<bool> {
        self.writer
            .write(durable!("invite"), move |db| invite(db, &new, &record))
            .await
    }

    async fn invitation(&self, hash: &[u8; 32]) -> Result<Option<Invitation>> {
        self.readers.read(|db| invitation(db, hash))
    }

    async fn open_invitations(
        &self,
        account: Option<AccountId>,
        now: Timestamp,
    ) -> Result<Vec<ListedInvitation>> {
        self.scan(move |db| open_invitations(db, account, now)).await
    }

    async fn revoke_invitation(
        &self,
        account: Option<AccountId>,
        id: InvitationId,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<Invitation>> {
        self.writer
            .write(durable!("revoke_invitation"), move |db| {
                revoke_invitation(db, account, id, now, &record)
            })
            .await
    }

    async fn accept_invitation(
        &self,
        accept: AcceptInvitation,
        record: AuditRecord,
    ) -> Result<InvitationAccepted> {
        self.writer
            .write(durable!("accept_invitation"), move |db| {
                accept_invitation(db, &accept, &record)
            })
            .await
    }

    async fn start_password_reset(&self, new: NewPasswordReset, record: AuditRecord) -> Result<bool> {
        self.writer
            .write(durable!("start_password_reset"), move |db| {
                start_password_reset(db, &new, &record)
            })
            .await
    }

    async fn password_reset(&self, hash: &[u8; 32]) -> Result<Option<(PasswordReset, User)>> {
        self.readers.snapshot(|db| password_reset(db, hash))
    }

    async fn reset_password(&self, reset: ResetPassword, record: AuditRecord) -> Result<Option<User>> {
        self.writer
            .write(durable!("reset_password"), move |db| {
                reset_password(db, &reset, &record)
            })
            .await
    }
}

fn invite_first_operator(db: &Connection, new: &NewInvitation, record: &AuditRecord) -> Result<bool> {
    if people::has_operator(db)? {
        return Ok(false);
    }
    db.prepare_cached(
        "UPDATE invitations SET expires_at = min(expires_at, ?1)
         WHERE account IS NULL AND used_at IS NULL",
    )?
    .execute([new.invitation.created_at.0])?;
    insert_invitation(db, new)?;
    changes::record(db, record)?;
    Ok(true)
}

fn invite(db: &Connection, new: &NewInvitation, record: &AuditRecord) -> Result<bool> {
    if let Some(inviter) = new.invitation.inviter {
        let role = match new.invitation.account {
            Some(account) => members::role(db, inviter, account)?,
            None => None,
        };
        let inviter = people::user_by_id(db, inviter)?;
        if !inviter.is_some_and(|inviter| new.is_allowed_to(&inviter, role)) {
            return Ok(false);
        }
    }
    insert_invitation(db, new)?;
    changes::record(db, record)?;
    Ok(true)
}

fn insert_invitation(db: &Connection, new: &NewInvitation) -> Result<()> {
    let invitation = &new.invitation;
    db.prepare_cached(
        "INSERT INTO invitations (hash, id, role, account, inviter, created_at, expires_at, used_at, revoked_at,
                                  account_role)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        new.hash,
        invitation.id.0,
        invitation.role.as_str(),
        invitation.account.map(|account| account.0),
        invitation.inviter.map(|inviter| inviter.0),
        invitation.created_at.0,
        invitation.expires_at.0,
        invitation.used_at.map(|at| at.0),
        invitation.revoked_at.map(|at| at.0),
        invitation.account_role.as_str(),
    ])?;
    Ok(())
}

fn open_invitations(
    db: &Connection,
    account: Option<AccountId>,
    now: Timestamp,
) -> Result<Vec<ListedInvitation>> {
    db.prepare_cached(
        "SELECT v.id, v.role, v.account, v.inviter, v.created_at, v.expires_at, v.used_at, v.revoked_at,
                v.account_role, u.login, a.name
         FROM invitations v LEFT JOIN users u ON u.id = v.inviter LEFT JOIN accounts a ON a.id = v.account
         WHERE v.used_at IS NULL AND v.revoked_at IS NULL AND v.expires_at > ?1
           AND (?2 IS NULL OR v.account = ?2)
         ORDER BY v.id DESC",
    )?
    .query_and_then(params![now.0, account.map(|account| account.0)], |found| {
        Ok(ListedInvitation {
            invitation: row::invitation(found)?,
            inviter: found.get(9)?,
            account: found.get(10)?,
        })
    })?
    .collect()
}

fn revoke_invitation(
    db: &Connection,
    account: Option<AccountId>,
    id: InvitationId,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<Option<Invitation>> {
    let revoked = one(db
        .prepare_cached(
            "UPDATE invitations SET revoked_at = ?2
             WHERE id = ?1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > ?2
               AND (?3 IS NULL OR account = ?3)
             RETURNING id, role, account, inviter, created_at, expires_at, used_at, revoked_at, account_role",
        )?
        .query_and_then(
            params![id.0, now.0, account.map(|account| account.0)],
            row::invitation,
        )?)?;
    if let Some(revoked) = &revoked {
        changes::record(db, &record.about(revoked.account))?;
    }
    Ok(revoked)
}

fn accept_invitation(
    db: &Connection,
    accept: &AcceptInvitation,
    record: &AuditRecord,
) -> Result<InvitationAccepted> {
    let open = invitation(db, &accept.hash)?.filter(|invitation| invitation.is_open(accept.now));
    let Some(invitation) = open else {
        return Ok(InvitationAccepted::Closed);
    };
    // Somebody else may have become the first operator in the meantime.
    if invitation.account.is_none() && people::has_operator(db)? {
        return Ok(InvitationAccepted::Closed);
    }
    if people::user_by_login(db, &accept.login)?.is_some() {
        return Ok(InvitationAccepted::LoginTaken);
    }
    let account = match invitation.account {
        Some(account) => account,
        None => match accounts::insert(db, &accept.account)? {
            Created::Created => accept.account.id,
            Created::NameTaken => return Ok(InvitationAccepted::NameTaken),
        },
    };
    let user = accept.new_user(&invitation, account);
    people::insert(db, &user, &accept.password)?;
    members::put(db, user.id, account, Some(invitation.account_role), accept.now)?;
    db.prepare_cached("UPDATE invitations SET used_at = ?2 WHERE hash = ?1")?
        .execute(params![accept.hash, accept.now.0])?;
    changes::record(db, &record.about(Some(account)))?;
    Ok(InvitationAccepted::Accepted(user))
}

fn start_password_reset(db: &Connection, new: &NewPasswordReset, record: &AuditRecord) -> Result<bool> {
    let reset = &new.reset;
    let ids = std::iter::once(reset.user).chain(reset.issuer);
    let users = ids
        .filter_map(|id| people::user_by_id(db, id).transpose())
        .collect::<Result<Vec<_>>>()?;
    if !new.is_allowed(&users) {
        return Ok(false);
    }
    people::close_resets_of(db, reset.user, reset.created_at)?;
    db.prepare_cached(
        "INSERT INTO password_resets (hash, id, user, issuer, created_at, expires_at, used_at, revoked_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        new.hash,
        reset.id.0,
        reset.user.0,
        reset.issuer.map(|issuer| issuer.0),
        reset.created_at.0,
        reset.expires_at.0,
        reset.used_at.map(|at| at.0),
        reset.revoked_at.map(|at| at.0),
    ])?;
    changes::record(db, record)?;
    Ok(true)
}

fn password_reset(db: &Connection, hash: &[u8; 32]) -> Result<Option<(PasswordReset, User)>> {
    let reset = one(db
        .prepare_cached(
            "SELECT id, user, issuer, created_at, expires_at, used_at, revoked_at
             FROM password_resets WHERE hash = ?1",
        )?
        .query_and_then([hash], row::password_reset)?)?;
    let Some(reset) = reset else {
        return Ok(None);
    };
    Ok(people::user_by_id(db, reset.user)?.map(|user| (reset, user)))
}

fn reset_password(db: &Connection, new: &ResetPassword, record: &AuditRecord) -> Result<Option<User>> {
    let open = password_reset(db, &new.hash)?.filter(|(reset, _)| reset.is_open(new.now));
    let Some((_, user)) = open.filter(|(_, user)| user.disabled_at.is_none()) else {
        return Ok(None);
    };
    db.prepare_cached("UPDATE password_resets SET used_at = ?2 WHERE hash = ?1")?
        .execute(params![new.hash, new.now.0])?;
    db.prepare_cached("UPDATE users SET password = ?2 WHERE id = ?1")?
        .execute(params![user.id.0, new.password])?;
    people::close_sessions(db, user.id, Which::All, new.now)?;
    changes::record(db, &record.about(Some(user.account)))?;
    Ok(Some(user))
}
