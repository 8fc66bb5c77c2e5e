//! Invitations and password resets.

use async_trait::async_trait;
use atelier_domain::{
    AccountId, AuditRecord, Invitation, InvitationId, PasswordReset, Timestamp, User, UserId,
};

use super::{
    PostgresStore, accounts, changes,
    error::Result,
    invitations::{invitation, locked_invitation, use_invitation},
    members, people,
    row::get,
    write::{Db, durable, execute, read, row, rows, write},
};
use crate::{
    AcceptInvitation, Created, InvitationAccepted, Links, ListedInvitation, NewInvitation, NewPasswordReset,
    ResetPassword, Which,
    values::{self, user_columns},
};

#[async_trait]
impl Links for PostgresStore {
    async fn invite_first_operator(&self, new: NewInvitation, record: AuditRecord) -> crate::Result<bool> {
        write!(self, durable!("invite_first_operator"), |db| {
            invite_first_operator(db, &new, &record)
        })
    }

    async fn invite(&self, new: NewInvitation, record: AuditRecord) -> crate::Result<bool> {
        write!(self, durable!("invite"), |db| invite(db, &new, &record))
    }

    async fn invitation(&self, hash: &[u8; 32]) -> crate::Result<Option<Invitation>> {
        read!(self, |db| invitation(db, hash))
    }

    async fn open_invitations(
        &self,
        account: Option<AccountId>,
        now: Timestamp,
    ) -> crate::Result<Vec<ListedInvitation>> {
        read!(self, |db| open_invitations(db, account, now))
    }

    async fn revoke_invitation(
        &self,
        account: Option<AccountId>,
        id: InvitationId,
        now: Timestamp,
        record: AuditRecord,
    ) -> crate::Result<Option<Invitation>> {
        write!(self, durable!("revoke_invitation"), |db| {
            revoke_invitation(db, account, id, now, &record)
        })
    }

    async fn accept_invitation(
        &self,
        accept: AcceptInvitation,
        record: AuditRecord,
    ) -> crate::Result<InvitationAccepted> {
        write!(self, durable!("accept_invitation"), |db| {
            accept_invitation(db, &accept, &record)
        })
    }

    async fn start_password_reset(&self, new: NewPasswordReset, record: AuditRecord) -> crate::Result<bool> {
        write!(self, durable!("start_password_reset"), |db| {
            start_password_reset(db, &new, &record)
        })
    }

    async fn password_reset(&self, hash: &[u8; 32]) -> crate::Result<Option<(PasswordReset, User)>> {
        read!(self, |db| password_reset(db, hash))
    }

    async fn reset_password(&self, reset: ResetPassword, record: AuditRecord) -> crate::Result<Option<User>> {
        write!(self, durable!("reset_password"), |db| {
            reset_password(db, &reset, &record)
        })
    }
}

async fn invite_first_operator(db: &Db, new: &NewInvitation, record: &AuditRecord) -> Result<bool> {
    people::alone(db).await?;
    if people::has_operator(db).await? {
        return Ok(false);
    }
    execute(
        db,
        "UPDATE invitations SET expires_at = least(expires_at, $1) WHERE account IS NULL AND used_at IS NULL",
        &[&new.invitation.created_at.0],
    )
    .await?;
    insert_invitation(db, new).await?;
    changes::record(db, record).await?;
    Ok(true)
}

/// The inviter is locked, so that they are not disabled between the check and the commit: that would leave their
/// invitation open.
async fn invite(db: &Db, new: &NewInvitation, record: &AuditRecord) -> Result<bool> {
    if let Some(inviter) = new.invitation.inviter {
        let found = people::locked(db, &[inviter]).await?;
        let role = match new.invitation.account {
            Some(account) => members::role(db, inviter, account).await?,
            None => None,
        };
        if !found
            .first()
            .is_some_and(|inviter| new.is_allowed_to(inviter, role))
        {
            return Ok(false);
        }
    }
    insert_invitation(db, new).await?;
    changes::record(db, record).await?;
    Ok(true)
}

async fn insert_invitation(db: &Db, new: &NewInvitation) -> Result<()> {
    let invitation = &new.invitation;
    execute(
        db,
        "INSERT INTO invitations (hash, id, role, account, inviter, created_at, expires_at, used_at, revoked_at,
                                  account_role)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        &[
            &new.hash.as_slice(),
            &invitation.id.0,
            &invitation.role.as_str(),
            &invitation.account.map(|account| account.0),
            &invitation.inviter.map(|inviter| inviter.0),
            &invitation.created_at.0,
            &invitation.expires_at.0,
            &invitation.used_at.map(|at| at.0),
            &invitation.revoked_at.map(|at| at.0),
            &invitation.account_role.as_str(),
        ],
    )
    .await?;
    Ok(())
}

async fn open_invitations(
    db: &Db,
    account: Option<AccountId>,
    now: Timestamp,
) -> Result<Vec<ListedInvitation>> {
    let found = rows(
        db,
        "SELECT v.id, v.role, v.account, v.inviter, v.created_at, v.expires_at, v.used_at, v.revoked_at,
                v.account_role, u.login, a.name
         FROM invitations v LEFT JOIN users u ON u.id = v.inviter LEFT JOIN accounts a ON a.id = v.account
         WHERE v.used_at IS NULL AND v.revoked_at IS NULL AND v.expires_at > $1
           AND ($2::uuid IS NULL OR v.account = $2)
         ORDER BY v.id DESC",
        &[&now.0, &account.map(|account| account.0)],
    )
    .await?;
    found
        .iter()
        .map(|found| {
            Ok(ListedInvitation {
                invitation: values::invitation(found)?,
                inviter: get(found, 9)?,
                account: get(found, 10)?,
            })
        })
        .collect()
}

async fn revoke_invitation(
    db: &Db,
    account: Option<AccountId>,
    id: InvitationId,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<Option<Invitation>> {
    let revoked = row(
        db,
        "UPDATE invitations SET revoked_at = $2
         WHERE id = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2
           AND ($3::uuid IS NULL OR account = $3)
         RETURNING id, role, account, inviter, created_at, expires_at, used_at, revoked_at, account_role",
        &[&id.0, &now.0, &account.map(|account| account.0)],
    )
    .await?;
    let Some(revoked) = revoked.as_ref().map(values::invitation).transpose()? else {
        return Ok(None);
    };
    changes::record(db, &record.about(revoked.account)).await?;
    Ok(Some(revoked))
}

/// The invitation is locked, so that it is not revoked between the check and the commit.
async fn accept_invitation(
    db: &Db,
    accept: &AcceptInvitation,
    record: &AuditRecord,
) -> Result<InvitationAccepted> {
    people::alone(db).await?;
    let found = locked_invitation(db, &accept.hash).await?;
    let Some(invitation) = found.filter(|invitation| invitation.is_open(accept.now)) else {
        return Ok(InvitationAccepted::Closed);
    };
    // Somebody else may have become the first operator in the meantime.
    if invitation.account.is_none() && people::has_operator(db).await? {
        return Ok(InvitationAccepted::Closed);
    }
    if people::user_by_login(db, &accept.login).await?.is_some() {
        return Ok(InvitationAccepted::LoginTaken);
    }
    let account = match invitation.account {
        Some(account) => account,
        None => match accounts::insert(db, &accept.account).await? {
            Created::Created => accept.account.id,
            Created::NameTaken => return Ok(InvitationAccepted::NameTaken),
        },
    };
    let user = accept.new_user(&invitation, account);
    people::insert(db, &user, &accept.password).await?;
    members::put(db, user.id, account, Some(invitation.account_role), accept.now).await?;
    use_invitation(db, &accept.hash, accept.now).await?;
    changes::record(db, &record.about(Some(account))).await?;
    Ok(InvitationAccepted::Accepted(user))
}

/// Both users are locked: the issuer is not disabled before the commit, and a user has one open link at most.
async fn start_password_reset(db: &Db, new: &NewPasswordReset, record: &AuditRecord) -> Result<bool> {
    let reset = &new.reset;
    let ids: Vec<UserId> = std::iter::once(reset.user).chain(reset.issuer).collect();
    let users = people::locked(db, &ids).await?;
    if !new.is_allowed(&users) {
        return Ok(false);
    }
    people::close_resets_of(db, reset.user, reset.created_at).await?;
    execute(
        db,
        "INSERT INTO password_resets (hash, id, user_id, issuer, created_at, expires_at, used_at, revoked_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        &[
            &new.hash.as_slice(),
            &reset.id.0,
            &reset.user.0,
            &reset.issuer.map(|issuer| issuer.0),
            &reset.created_at.0,
            &reset.expires_at.0,
            &reset.used_at.map(|at| at.0),
            &reset.revoked_at.map(|at| at.0),
        ],
    )
    .await?;
    changes::record(db, record).await?;
    Ok(true)
}

async fn password_reset(db: &Db, hash: &[u8; 32]) -> Result<Option<(PasswordReset, User)>> {
    const SQL: &str = concat!(
        "SELECT r.id, r.user_id, r.issuer, r.created_at, r.expires_at, r.used_at, r.revoked_at, ",
        user_columns!(),
        " FROM password_resets r JOIN users u ON u.id = r.user_id WHERE r.hash = $1"
    );
    match row(db, SQL, &[&hash.as_slice()]).await? {
        None => Ok(None),
        Some(found) => Ok(Some((values::password_reset(&found)?, values::user(&found, 7)?))),
    }
}

/// Locks the user before the link, as a change of the user does.
async fn reset_password(db: &Db, new: &ResetPassword, record: &AuditRecord) -> Result<Option<User>> {
    let Some((reset, _)) = password_reset(db, &new.hash).await? else {
        return Ok(None);
    };
    let user = people::locked(db, &[reset.user]).await?.pop();
    let Some(user) = user.filter(|user| user.disabled_at.is_none()) else {
        return Ok(None);
    };
    let used = execute(
        db,
        "UPDATE password_resets SET used_at = $2
         WHERE hash = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2",
        &[&new.hash.as_slice(), &new.now.0],
    )
    .await?;
    if used == 0 {
        return Ok(None);
    }
    execute(
        db,
        "UPDATE users SET password = $2 WHERE id = $1",
        &[&user.id.0, &new.password],
    )
    .await?;
    people::close_sessions(db, user.id, Which::All, new.now).await?;
    changes::record(db, &record.about(Some(user.account))).await?;
    Ok(Some(user))
}
