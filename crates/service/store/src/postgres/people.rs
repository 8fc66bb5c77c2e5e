//! Users, sessions and invitations.

use atelier_domain::{AccountId, AuditRecord, Invitation, Session, Timestamp, User, UserId};
use uuid::Uuid;

use super::{
    accounts, changes,
    error::Result,
    row::{self, ACCOUNT_COLUMNS, USER_COLUMNS, account_columns, get, session_columns, text, user_columns},
    schema::locks,
    write::{Db, execute, row, rows, the_row},
};
use crate::{
    AcceptInvitation, Created, InvitationAccepted, NewInvitation, NewSession, SessionUse, SignedIn,
    UserChange, Which,
};

/// Whoever makes users does so alone: there is one first operator, and a login is one person's.
async fn alone(db: &Db) -> Result<()> {
    execute(db, "SELECT pg_advisory_xact_lock($1, 0)", &[&locks::PEOPLE]).await?;
    Ok(())
}

pub(super) async fn has_operator(db: &Db) -> Result<bool> {
    let found = the_row(
        db,
        "SELECT EXISTS (SELECT 1 FROM users WHERE role = 'operator' AND disabled_at IS NULL)",
        &[],
    )
    .await?;
    get(&found, 0)
}

pub(super) async fn invite_first_operator(
    db: &Db,
    new: &NewInvitation,
    record: &AuditRecord,
) -> Result<bool> {
    alone(db).await?;
    if has_operator(db).await? {
        return Ok(false);
    }
    execute(
        db,
        "UPDATE invitations SET expires_at = least(expires_at, $1) WHERE account IS NULL AND used_at IS NULL",
        &[&new.invitation.created_at.0],
    )
    .await?;
    invite(db, new, record).await?;
    Ok(true)
}

pub(super) async fn invite(db: &Db, new: &NewInvitation, record: &AuditRecord) -> Result<()> {
    let invitation = &new.invitation;
    execute(
        db,
        "INSERT INTO invitations (hash, id, role, account, created_at, expires_at, used_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        &[
            &new.hash.as_slice(),
            &invitation.id.0,
            &invitation.role.as_str(),
            &invitation.account.map(|account| account.0),
            &invitation.created_at.0,
            &invitation.expires_at.0,
            &invitation.used_at.map(|at| at.0),
        ],
    )
    .await?;
    changes::record(db, record).await
}

pub(super) async fn invitation(db: &Db, hash: &[u8; 32]) -> Result<Option<Invitation>> {
    let found = row(
        db,
        "SELECT id, role, account, created_at, expires_at, used_at FROM invitations WHERE hash = $1",
        &[&hash.as_slice()],
    )
    .await?;
    found.as_ref().map(row::invitation).transpose()
}

pub(super) async fn accept_invitation(
    db: &Db,
    accept: &AcceptInvitation,
    record: &AuditRecord,
) -> Result<InvitationAccepted> {
    alone(db).await?;
    let open = invitation(db, &accept.hash)
        .await?
        .filter(|invitation| invitation.is_open(accept.now));
    let Some(invitation) = open else {
        return Ok(InvitationAccepted::Closed);
    };
    // Whoever else has become the first operator meanwhile has closed the way for others.
    if invitation.account.is_none() && has_operator(db).await? {
        return Ok(InvitationAccepted::Closed);
    }
    if user_by_login(db, &accept.login).await?.is_some() {
        return Ok(InvitationAccepted::LoginTaken);
    }
    let account = match invitation.account {
        Some(account) => account,
        None => match accounts::insert(db, &accept.account).await? {
            Created::Created => accept.account.id,
            Created::NameTaken => return Ok(InvitationAccepted::NameTaken),
        },
    };
    let user = User {
        id: accept.user,
        login: accept.login.clone(),
        role: invitation.role,
        account,
        created_at: accept.now,
        disabled_at: None,
    };
    insert(db, &user, &accept.password).await?;
    execute(
        db,
        "UPDATE invitations SET used_at = $2 WHERE hash = $1",
        &[&accept.hash.as_slice(), &accept.now.0],
    )
    .await?;
    let record = AuditRecord {
        account: Some(account),
        ..record.clone()
    };
    changes::record(db, &record).await?;
    Ok(InvitationAccepted::Accepted(user))
}

async fn insert(db: &Db, user: &User, password: &str) -> Result<()> {
    execute(
        db,
        "INSERT INTO users (id, login, password, role, account, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
        &[
            &user.id.0,
            &text(&user.login),
            &password,
            &user.role.as_str(),
            &user.account.0,
            &user.created_at.0,
        ],
    )
    .await?;
    Ok(())
}

pub(super) async fn user_by_login(db: &Db, login: &str) -> Result<Option<(User, String)>> {
    const SQL: &str = concat!(
        "SELECT ",
        user_columns!(),
        ", u.password FROM users u WHERE u.login = $1"
    );
    match row(db, SQL, &[&text(login)]).await? {
        None => Ok(None),
        Some(found) => Ok(Some((row::user(&found, 0)?, get(&found, USER_COLUMNS)?))),
    }
}

pub(super) async fn users(db: &Db, account: Option<AccountId>) -> Result<Vec<User>> {
    const SQL: &str = concat!(
        "SELECT ",
        user_columns!(),
        " FROM users u WHERE $1::uuid IS NULL OR u.account = $1 ORDER BY u.id"
    );
    let found = rows(db, SQL, &[&account.map(|account| account.0)]).await?;
    found.iter().map(|found| row::user(found, 0)).collect()
}

pub(super) async fn update_user(
    db: &Db,
    id: UserId,
    change: &UserChange,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<Option<User>> {
    const FIND: &str = concat!(
        "SELECT ",
        user_columns!(),
        " FROM users u WHERE u.id = $1 FOR NO KEY UPDATE"
    );
    let Some(found) = row(db, FIND, &[&id.0]).await? else {
        return Ok(None);
    };
    let mut user = row::user(&found, 0)?;
    user.role = change.role.unwrap_or(user.role);
    user.disabled_at = match change.disabled {
        None => user.disabled_at,
        Some(true) => user.disabled_at.or(Some(now)),
        Some(false) => None,
    };
    execute(
        db,
        "UPDATE users SET role = $2, disabled_at = $3, password = coalesce($4, password) WHERE id = $1",
        &[
            &id.0,
            &user.role.as_str(),
            &user.disabled_at.map(|at| at.0),
            &change.password,
        ],
    )
    .await?;
    if change.password.is_some() || change.disabled == Some(true) {
        let which = change.keep.map_or(Which::All, Which::AllBut);
        close_sessions(db, id, which, now).await?;
    }
    changes::record(db, record).await?;
    Ok(Some(user))
}

pub(super) async fn start_session(db: &Db, new: &NewSession, record: &AuditRecord) -> Result<()> {
    let session = &new.session;
    execute(
        db,
        "INSERT INTO sessions (hash, id, user_id, created_at, last_seen_at, expires_at, user_agent, address)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        &[
            &new.hash.as_slice(),
            &session.id.0,
            &session.user.0,
            &session.created_at.0,
            &session.last_seen_at.0,
            &session.expires_at.0,
            &text(&session.user_agent),
            &text(&session.address),
        ],
    )
    .await?;
    changes::record(db, record).await
}

pub(super) async fn signed_in(db: &Db, hash: &[u8; 32], now: Timestamp) -> Result<Option<SignedIn>> {
    const SQL: &str = concat!(
        "SELECT ",
        account_columns!(),
        ", a.generation_tat, (SELECT api_enabled FROM settings WHERE id = 1), ",
        user_columns!(),
        ", ",
        session_columns!(),
        " FROM sessions s JOIN users u ON u.id = s.user_id JOIN accounts a ON a.id = u.account
         WHERE s.hash = $1 AND s.ended_at IS NULL AND s.expires_at > $2 AND u.disabled_at IS NULL"
    );
    const REST: usize = ACCOUNT_COLUMNS;
    let Some(found) = row(db, SQL, &[&hash.as_slice(), &now.0]).await? else {
        return Ok(None);
    };
    Ok(Some(SignedIn {
        account: row::account(&found)?,
        generation_tat: Timestamp(get(&found, REST)?),
        api_enabled: get(&found, REST + 1)?,
        user: row::user(&found, REST + 2)?,
        session: row::session(&found, REST + 2 + USER_COLUMNS)?,
    }))
}

pub(super) async fn touch_sessions(db: &Db, used: &[SessionUse]) -> Result<()> {
    // In one order everywhere, so that two nodes do not wait for each other.
    let mut used: Vec<&SessionUse> = used.iter().collect();
    used.sort_by_key(|session| session.id.0);
    for session in used {
        execute(
            db,
            "UPDATE sessions SET last_seen_at = $2, address = $3 WHERE id = $1 AND last_seen_at < $2",
            &[&session.id.0, &session.at.0, &text(&session.address)],
        )
        .await?;
    }
    Ok(())
}

pub(super) async fn sessions(db: &Db, user: UserId, now: Timestamp) -> Result<Vec<Session>> {
    const SQL: &str = concat!(
        "SELECT ",
        session_columns!(),
        " FROM sessions s WHERE s.user_id = $1 AND s.ended_at IS NULL AND s.expires_at > $2 ORDER BY s.id DESC"
    );
    let found = rows(db, SQL, &[&user.0, &now.0]).await?;
    found.iter().map(|found| row::session(found, 0)).collect()
}

pub(super) async fn end_sessions(
    db: &Db,
    user: UserId,
    which: Which,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<u32> {
    let ended = close_sessions(db, user, which, now).await?;
    if ended > 0 {
        changes::record(db, record).await?;
    }
    Ok(ended)
}

async fn close_sessions(db: &Db, user: UserId, which: Which, now: Timestamp) -> Result<u32> {
    let (one, but): (Option<Uuid>, Option<Uuid>) = match which {
        Which::One(id) => (Some(id.0), None),
        Which::AllBut(id) => (None, Some(id.0)),
        Which::All => (None, None),
    };
    let ended = execute(
        db,
        "UPDATE sessions SET ended_at = $2 WHERE user_id = $1 AND ended_at IS NULL AND expires_at > $2
         AND ($3::uuid IS NULL OR id = $3) AND ($4::uuid IS NULL OR id <> $4)",
        &[&user.0, &now.0, &one, &but],
    )
    .await?;
    Ok(u32::try_from(ended).unwrap_or(u32::MAX))
}
