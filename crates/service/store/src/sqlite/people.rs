//! Users and sessions, and the links that end with them.

use atelier_domain::{AccountId, AuditRecord, Session, Timestamp, User, UserId};
use rusqlite::{Connection, Row, params};

use super::{
    changes,
    row::{self, one},
};
use crate::{
    NewSession, Result, SessionUse, SignedIn, UserChange, Which,
    members::{shown_account, shown_role},
    values::{
        self, ACCOUNT_COLUMNS, Fields as _, SESSION_COLUMNS, USER_COLUMNS, account_columns, session_columns,
        user_columns,
    },
};

pub(super) fn has_operator(db: &Connection) -> Result<bool> {
    Ok(db
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM users WHERE role = 'operator' AND disabled_at IS NULL)",
        )?
        .query_row([], |row| row.get(0))?)
}

pub(super) fn insert(db: &Connection, user: &User, password: &str) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO users (id, login, password, role, account, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        user.id.0,
        user.login,
        password,
        user.role.as_str(),
        user.account.0,
        user.created_at.0,
    ])?;
    Ok(())
}

pub(super) fn user_by_login(db: &Connection, login: &str) -> Result<Option<(User, String)>> {
    const SQL: &str = concat!(
        "SELECT ",
        user_columns!(),
        ", u.password FROM users u WHERE u.login = ?1"
    );
    one(db
        .prepare_cached(SQL)?
        .query_and_then([login], |found| Ok((row::user(found)?, found.get(USER_COLUMNS)?)))?)
}

pub(super) fn user_by_id(db: &Connection, id: UserId) -> Result<Option<User>> {
    const SQL: &str = concat!("SELECT ", user_columns!(), " FROM users u WHERE u.id = ?1");
    one(db.prepare_cached(SQL)?.query_and_then([id.0], row::user)?)
}

pub(super) fn users(db: &Connection, account: Option<AccountId>) -> Result<Vec<User>> {
    const SQL: &str = concat!(
        "SELECT ",
        user_columns!(),
        " FROM users u WHERE ?1 IS NULL OR u.account = ?1 ORDER BY u.id"
    );
    db.prepare_cached(SQL)?
        .query_and_then([account.map(|account| account.0)], row::user)?
        .collect()
}

pub(super) fn update_user(
    db: &Connection,
    id: UserId,
    change: &UserChange,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<Option<User>> {
    let Some(mut user) = user_by_id(db, id)? else {
        return Ok(None);
    };
    let ends = change.apply(&mut user, now);
    db.prepare_cached(
        "UPDATE users SET role = ?2, disabled_at = ?3, password = coalesce(?4, password) WHERE id = ?1",
    )?
    .execute(params![
        id.0,
        user.role.as_str(),
        user.disabled_at.map(|at| at.0),
        change.password,
    ])?;
    if ends.sessions {
        let which = change.keep.map_or(Which::All, Which::AllBut);
        close_sessions(db, id, which, now)?;
        close_resets_of(db, id, now)?;
    }
    if ends.created_links {
        close_links_by(db, id, now)?;
    }
    changes::record(db, record)?;
    Ok(Some(user))
}

/// Revokes the open password resets of a user.
pub(super) fn close_resets_of(db: &Connection, user: UserId, now: Timestamp) -> Result<()> {
    db.prepare_cached(
        "UPDATE password_resets SET revoked_at = ?2 WHERE user = ?1 AND used_at IS NULL AND revoked_at IS NULL",
    )?
    .execute(params![user.0, now.0])?;
    Ok(())
}

/// Revokes the open invitations and password resets that a user created.
fn close_links_by(db: &Connection, user: UserId, now: Timestamp) -> Result<()> {
    for sql in [
        "UPDATE invitations SET revoked_at = ?2 WHERE inviter = ?1 AND used_at IS NULL AND revoked_at IS NULL",
        "UPDATE password_resets SET revoked_at = ?2 WHERE issuer = ?1 AND used_at IS NULL AND revoked_at IS NULL",
    ] {
        db.prepare_cached(sql)?.execute(params![user.0, now.0])?;
    }
    Ok(())
}

pub(super) fn start_session(db: &Connection, new: &NewSession, record: &AuditRecord) -> Result<()> {
    let session = &new.session;
    db.prepare_cached(
        "INSERT INTO sessions (hash, id, user, created_at, last_seen_at, expires_at, user_agent, address)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        new.hash,
        session.id.0,
        session.user.0,
        session.created_at.0,
        session.last_seen_at.0,
        session.expires_at.0,
        session.user_agent,
        session.address,
    ])?;
    changes::record(db, record)
}

pub(super) fn signed_in(db: &Connection, hash: &[u8; 32], now: Timestamp) -> Result<Option<SignedIn>> {
    const SQL: &str = concat!(
        "SELECT ",
        account_columns!(),
        ", a.generation_tat, (SELECT api_enabled FROM settings WHERE id = 1), ",
        user_columns!(),
        ", ",
        session_columns!("user"),
        ", ",
        shown_role!("user"),
        " FROM sessions s JOIN users u ON u.id = s.user JOIN accounts a ON a.id = ",
        shown_account!("user"),
        "
         WHERE s.hash = ?1 AND s.ended_at IS NULL AND s.expires_at > ?2 AND u.disabled_at IS NULL"
    );
    const REST: usize = ACCOUNT_COLUMNS;
    const ROLE: usize = REST + 2 + USER_COLUMNS + SESSION_COLUMNS;
    let mut found = db.prepare_cached(SQL)?;
    one(found.query_and_then(params![hash, now.0], |found| {
        Ok(SignedIn {
            account: row::account(found)?,
            generation_tat: Timestamp(found.get(REST)?),
            api_enabled: found.get(REST + 1)?,
            user: values::user(found, REST + 2)?,
            session: values::session(found, REST + 2 + USER_COLUMNS)?,
            role: found.named(ROLE)?,
            has_other_accounts: found.get(ROLE + 1)?,
            database_now: None,
        })
    })?)
}

pub(super) fn touch_sessions(db: &Connection, used: &[SessionUse]) -> Result<()> {
    let mut touch = db.prepare_cached(
        "UPDATE sessions SET last_seen_at = ?2, address = ?3 WHERE id = ?1 AND last_seen_at < ?2",
    )?;
    for session in used {
        touch.execute(params![session.id.0, session.at.0, session.address])?;
    }
    Ok(())
}

pub(super) fn sessions(db: &Connection, user: UserId, now: Timestamp) -> Result<Vec<Session>> {
    const SQL: &str = concat!(
        "SELECT ",
        session_columns!("user"),
        " FROM sessions s WHERE s.user = ?1 AND s.ended_at IS NULL AND s.expires_at > ?2 ORDER BY s.id DESC"
    );
    db.prepare_cached(SQL)?
        .query_and_then(params![user.0, now.0], |found: &Row<'_>| {
            values::session(found, 0)
        })?
        .collect()
}

pub(super) fn end_sessions(
    db: &Connection,
    user: UserId,
    which: Which,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<u32> {
    let ended = close_sessions(db, user, which, now)?;
    if ended > 0 {
        changes::record(db, record)?;
    }
    Ok(ended)
}

pub(super) fn close_sessions(db: &Connection, user: UserId, which: Which, now: Timestamp) -> Result<u32> {
    let (one, but) = match which {
        Which::One(id) => (Some(id.0), None),
        Which::AllBut(id) => (None, Some(id.0)),
        Which::All => (None, None),
    };
    let ended = db
        .prepare_cached(
            "UPDATE sessions SET ended_at = ?2 WHERE user = ?1 AND ended_at IS NULL AND expires_at > ?2
             AND (?3 IS NULL OR id = ?3) AND (?4 IS NULL OR id <> ?4)",
        )?
        .execute(params![user.0, now.0, one, but])?;
    Ok(u32::try_from(ended).unwrap_or(u32::MAX))
}
