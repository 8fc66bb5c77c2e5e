//! Users and sessions, and the links that end with them.

use atelier_domain::{AccountId, AuditRecord, Session, Timestamp, User, UserId};
use uuid::Uuid;

use super::{
    changes,
    clock::{RateClock, now},
    error::Result,
    row::{get, text},
    schema::locks,
    write::{Db, execute, row, rows, the_row},
};
use crate::{
    NewSession, SessionUse, SignedIn, UserChange, Which,
    members::{shown_account, shown_role},
    values::{
        self, ACCOUNT_COLUMNS, Fields as _, SESSION_COLUMNS, USER_COLUMNS, account_columns, session_columns,
        user_columns,
    },
};

/// Serializes the creation of users: there is one first operator, and logins are unique.
pub(super) async fn alone(db: &Db) -> Result<()> {
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

pub(super) async fn insert(db: &Db, user: &User, password: &str) -> Result<()> {
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
        Some(found) => Ok(Some((values::user(&found, 0)?, get(&found, USER_COLUMNS)?))),
    }
}

pub(super) async fn users(db: &Db, account: Option<AccountId>) -> Result<Vec<User>> {
    const SQL: &str = concat!(
        "SELECT ",
        user_columns!(),
        " FROM users u WHERE $1::uuid IS NULL OR u.account = $1 ORDER BY u.id"
    );
    let found = rows(db, SQL, &[&account.map(|account| account.0)]).await?;
    found.iter().map(|found| values::user(found, 0)).collect()
}

/// These users, locked until the transaction ends, in the order of their ids.
pub(super) async fn locked(db: &Db, ids: &[UserId]) -> Result<Vec<User>> {
    const SQL: &str = concat!(
        "SELECT ",
        user_columns!(),
        " FROM users u WHERE u.id = ANY ($1) ORDER BY u.id FOR NO KEY UPDATE"
    );
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let found = rows(db, SQL, &[&ids]).await?;
    found.iter().map(|found| values::user(found, 0)).collect()
}

pub(super) async fn update_user(
    db: &Db,
    id: UserId,
    change: &UserChange,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<Option<User>> {
    let Some(mut user) = locked(db, &[id]).await?.pop() else {
        return Ok(None);
    };
    let ends = change.apply(&mut user, now);
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
    if ends.sessions {
        let which = change.keep.map_or(Which::All, Which::AllBut);
        close_sessions(db, id, which, now).await?;
        close_resets_of(db, id, now).await?;
    }
    if ends.created_links {
        close_links_by(db, id, now).await?;
    }
    changes::record(db, record).await?;
    Ok(Some(user))
}

/// Revokes the open password resets of a user.
pub(super) async fn close_resets_of(db: &Db, user: UserId, now: Timestamp) -> Result<()> {
    execute(
        db,
        "UPDATE password_resets SET revoked_at = $2
         WHERE user_id = $1 AND used_at IS NULL AND revoked_at IS NULL",
        &[&user.0, &now.0],
    )
    .await?;
    Ok(())
}

/// Revokes the open invitations and password resets that a user created.
async fn close_links_by(db: &Db, user: UserId, now: Timestamp) -> Result<()> {
    for sql in [
        "UPDATE invitations SET revoked_at = $2
         WHERE inviter = $1 AND used_at IS NULL AND revoked_at IS NULL",
        "UPDATE password_resets SET revoked_at = $2
         WHERE issuer = $1 AND used_at IS NULL AND revoked_at IS NULL",
    ] {
        execute(db, sql, &[&user.0, &now.0]).await?;
    }
    Ok(())
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

pub(super) async fn signed_in(
    db: &Db,
    hash: &[u8; 32],
    now: Timestamp,
    clock: RateClock,
) -> Result<Option<SignedIn>> {
    const SQL: &str = concat!(
        "SELECT ",
        account_columns!(),
        ", a.generation_tat, (SELECT api_enabled FROM settings WHERE id = 1), ",
        user_columns!(),
        ", ",
        session_columns!("user_id"),
        ", ",
        shown_role!("user_id"),
        ", ",
        now!(),
        " FROM sessions s JOIN users u ON u.id = s.user_id JOIN accounts a ON a.id = ",
        shown_account!("user_id"),
        "
         WHERE s.hash = $1 AND s.ended_at IS NULL AND s.expires_at > $2 AND u.disabled_at IS NULL"
    );
    const REST: usize = ACCOUNT_COLUMNS;
    const ROLE: usize = REST + 2 + USER_COLUMNS + SESSION_COLUMNS;
    let Some(found) = row(db, SQL, &[&hash.as_slice(), &now.0]).await? else {
        return Ok(None);
    };
    Ok(Some(SignedIn {
        account: values::account(&found)?,
        generation_tat: Timestamp(get(&found, REST)?),
        api_enabled: get(&found, REST + 1)?,
        user: values::user(&found, REST + 2)?,
        session: values::session(&found, REST + 2 + USER_COLUMNS)?,
        role: found.named(ROLE)?,
        has_other_accounts: get(&found, ROLE + 1)?,
        database_now: clock.database(Timestamp(get(&found, ROLE + 2)?)),
    }))
}

pub(super) async fn touch_sessions(db: &Db, used: &[SessionUse]) -> Result<()> {
    // In the same order everywhere, so that two nodes do not deadlock.
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
        session_columns!("user_id"),
        " FROM sessions s WHERE s.user_id = $1 AND s.ended_at IS NULL AND s.expires_at > $2 ORDER BY s.id DESC"
    );
    let found = rows(db, SQL, &[&user.0, &now.0]).await?;
    found.iter().map(|found| values::session(found, 0)).collect()
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

pub(super) async fn close_sessions(db: &Db, user: UserId, which: Which, now: Timestamp) -> Result<u32> {
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
