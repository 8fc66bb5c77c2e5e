//! Accounts, keys, grants, and the switch of the whole API.

use std::collections::HashMap;

use atelier_domain::{Account, AccountId, AuditRecord, KeyId, KeyRecord, RateLimit, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::{
    changes, keys,
    row::{self, one},
};
use crate::{
    AccountChange, Caller, Created, Entry, EntryKind, Grant, Granted, NewAccount, NewKey, Result, StoreError,
    TokenTaken,
    plans::own_or_plan,
    values::{account_columns, entry_columns, key_columns},
};

pub(super) fn create(db: &Connection, new: &NewAccount) -> Result<Created> {
    let created = insert(db, &new.account)?;
    if created == Created::Created {
        create_key(db, &new.key)?;
    }
    Ok(created)
}

/// Creates an account without a key, with its opening credits.
pub(super) fn insert(db: &Connection, account: &Account) -> Result<Created> {
    if account.held != 0 || account.available < 0 {
        return Err(StoreError::Internal(
            "a new account must have no holds and no negative balance".to_owned(),
        ));
    }
    let made = db
        .prepare_cached(
            "INSERT INTO accounts (id, name, beta, plan_name, plan_active, available, held, signing_secret,
                                   generations_per_minute, generation_tat, created_at, private_media)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8, 0, ?9, ?10)
             ON CONFLICT (name) DO NOTHING",
        )?
        .execute(params![
            account.id.0,
            account.name,
            account.beta,
            account.plan.as_ref().map(|plan| &plan.name),
            account.plan.as_ref().map(|plan| plan.active),
            account.available,
            account.signing.current,
            account.generations_per_minute,
            account.created_at.0,
            account.private_media,
        ])?;
    if made == 0 {
        return Ok(Created::NameTaken);
    }
    if account.available > 0 {
        let opening = Booking::grant(
            account.id,
            account.available,
            "opening credits",
            account.created_at,
        );
        book(db, &opening)?;
    }
    Ok(Created::Created)
}

pub(super) fn by_id(db: &Connection, id: AccountId) -> Result<Option<Account>> {
    const SQL: &str = concat!("SELECT ", account_columns!(), " FROM accounts a WHERE a.id = ?1");
    one(db.prepare_cached(SQL)?.query_and_then([id.0], row::account)?)
}

pub(super) fn by_name(db: &Connection, name: &str) -> Result<Option<Account>> {
    const SQL: &str = concat!(
        "SELECT ",
        account_columns!(),
        " FROM accounts a WHERE a.name = ?1 AND a.erased_at IS NULL"
    );
    one(db.prepare_cached(SQL)?.query_and_then([name], row::account)?)
}

pub(super) fn all(db: &Connection) -> Result<Vec<Account>> {
    const SQL: &str = concat!(
        "SELECT ",
        account_columns!(),
        " FROM accounts a WHERE a.erased_at IS NULL ORDER BY a.name"
    );
    db.prepare_cached(SQL)?
        .query_and_then([], row::account)?
        .collect()
}

pub(super) fn update(
    db: &Connection,
    id: AccountId,
    change: &AccountChange,
    record: &AuditRecord,
) -> Result<Option<Account>> {
    let Some(mut account) = by_id(db, id)? else {
        return Ok(None);
    };
    change.apply(&mut account);
    write(db, &account)?;
    if change.monthly_budget.flatten().is_some() {
        keys::recount(db, id, record.at)?;
    }
    changes::record(db, record)?;
    Ok(Some(account))
}

pub(super) fn rotate_secret(
    db: &Connection,
    id: AccountId,
    secret: &str,
    previous_until: Timestamp,
    record: &AuditRecord,
) -> Result<Option<Account>> {
    let Some(mut account) = by_id(db, id)? else {
        return Ok(None);
    };
    account.signing = account.signing.rotated(secret, previous_until);
    write(db, &account)?;
    changes::record(db, record)?;
    Ok(Some(account))
}

/// Writes everything that operators and users change of an account.
fn write(db: &Connection, account: &Account) -> Result<()> {
    db.prepare_cached(
        "UPDATE accounts SET beta = ?2, plan_name = ?3, plan_active = ?4, generations_per_minute = ?5,
                             signing_secret = ?6, previous_secret = ?7, previous_secret_until = ?8, max_queued = ?9,
                             max_running = ?10, monthly_budget = ?11, retention_days = ?12,
                             private_media = ?13, prompt_in_files = ?14
         WHERE id = ?1",
    )?
    .execute(params![
        account.id.0,
        account.beta,
        account.plan.as_ref().map(|plan| &plan.name),
        account.plan.as_ref().map(|plan| plan.active),
        account.generations_per_minute,
        account.signing.current,
        account.signing.previous.as_ref().map(|(secret, _)| secret),
        account.signing.previous.as_ref().map(|(_, until)| until.0),
        account.queue.max_queued,
        account.queue.max_running,
        account.monthly_budget,
        account.retention_days,
        account.private_media,
        account.prompt_in_files.as_str(),
    ])?;
    Ok(())
}

pub(super) fn grant(db: &Connection, id: AccountId, grant: &Grant) -> Result<Granted> {
    let available: Option<i64> = db
        .prepare_cached("SELECT available FROM accounts WHERE id = ?1")?
        .query_row([id.0], |row| row.get(0))
        .optional()?;
    let granted = grant.to(available);
    if let Granted::Done { available } = granted {
        db.prepare_cached("UPDATE accounts SET available = ?2 WHERE id = ?1")?
            .execute(params![id.0, available])?;
        book(db, &Booking::grant(id, grant.credits, &grant.reason, grant.at))?;
        changes::record(db, &grant.record)?;
    }
    Ok(granted)
}

/// Takes all credits that can be spent.
pub(super) fn take_all(db: &Connection, id: AccountId, reason: &str, now: Timestamp) -> Result<()> {
    let available: i64 = db
        .prepare("SELECT available FROM accounts WHERE id = ?1")?
        .query_row([id.0], |row| row.get(0))?;
    if available > 0 {
        db.prepare("UPDATE accounts SET available = 0 WHERE id = ?1")?
            .execute([id.0])?;
        book(db, &Booking::grant(id, -available, reason, now))?;
    }
    Ok(())
}

pub(super) fn grant_and_update(
    db: &Connection,
    id: AccountId,
    grant: &Grant,
    change: &AccountChange,
    record: &AuditRecord,
) -> Result<Granted> {
    let granted = self::grant(db, id, grant)?;
    if let Granted::Done { .. } = granted {
        update(db, id, change, record)?;
    }
    Ok(granted)
}

pub(super) fn create_key(db: &Connection, key: &NewKey) -> Result<()> {
    let record = &key.record;
    db.prepare_cached(
        "INSERT INTO keys (hash, id, account, name, prefix, created_at, last_used_at, revoked_at, limits)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        key.hash,
        record.id.0,
        record.account.0,
        record.name,
        record.prefix,
        record.created_at.0,
        record.last_used_at.map(|at| at.0),
        record.revoked_at.map(|at| at.0),
        keys::stored(&record.limits)?,
    ])?;
    Ok(())
}

pub(super) fn keys(db: &Connection, account: AccountId) -> Result<Vec<KeyRecord>> {
    const SQL: &str = concat!(
        "SELECT ",
        key_columns!(),
        " FROM keys k WHERE k.account = ?1 ORDER BY k.id"
    );
    db.prepare_cached(SQL)?
        .query_and_then([account.0], row::key)?
        .collect()
}

pub(super) fn revoke_key(
    db: &Connection,
    account: Option<AccountId>,
    id: KeyId,
    now: Timestamp,
    record: &AuditRecord,
) -> Result<Option<KeyRecord>> {
    const FIND: &str = concat!(
        "SELECT ",
        key_columns!(),
        " FROM keys k WHERE k.id = ?1 AND (?2 IS NULL OR k.account = ?2)"
    );
    let revoked = db
        .prepare_cached(
            "UPDATE keys SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL AND (?3 IS NULL OR account = ?3)",
        )?
        .execute(params![id.0, now.0, account.map(|account| account.0)])?;
    let key = one(db
        .prepare_cached(FIND)?
        .query_and_then(params![id.0, account.map(|account| account.0)], row::key)?)?;
    if let Some(key) = key.as_ref().filter(|_| revoked > 0) {
        changes::record(db, &record.about(Some(key.account)))?;
    }
    Ok(key)
}

pub(super) fn touch_keys(db: &Connection, used: &[(KeyId, Timestamp)]) -> Result<()> {
    let mut touch = db.prepare_cached(
        "UPDATE keys SET last_used_at = ?2 WHERE id = ?1 AND (last_used_at IS NULL OR last_used_at < ?2)",
    )?;
    for (id, at) in used {
        touch.execute(params![id.0, at.0])?;
    }
    Ok(())
}

pub(super) fn set_api_enabled(db: &Connection, enabled: bool) -> Result<()> {
    db.prepare_cached("UPDATE settings SET api_enabled = ?1")?
        .execute([enabled])?;
    Ok(())
}

pub(super) fn api_enabled(db: &Connection) -> Result<bool> {
    Ok(db
        .prepare_cached("SELECT api_enabled FROM settings")?
        .query_row([], |row| row.get(0))?)
}

/// The callers that a connection has read since the last commit of another one, in this process or not: the requests
/// of a key between two commits need one read.
#[derive(Default)]
pub(super) struct Callers {
    /// SQLite's number for the state in which these were read, or an earlier one.
    state: i64,
    known: HashMap<[u8; 32], Caller>,
}

impl Callers {
    /// The most that are kept.
    const MOST: usize = 256;

    pub(super) fn read(&mut self, db: &Connection, key_hash: &[u8; 32]) -> Result<Option<Caller>> {
        let state = db
            .prepare_cached("PRAGMA data_version")?
            .query_row([], |row| row.get(0))?;
        if state != self.state || self.known.len() == Self::MOST {
            self.known.clear();
            self.state = state;
        }
        if let Some(known) = self.known.get(key_hash) {
            return Ok(Some(known.clone()));
        }
        let caller = caller(db, key_hash)?;
        if let Some(caller) = &caller {
            self.known.insert(*key_hash, caller.clone());
        }
        Ok(caller)
    }
}

pub(super) fn caller(db: &Connection, key_hash: &[u8; 32]) -> Result<Option<Caller>> {
    macro_rules! caller {
        ($until:literal, $from:literal) => {
            concat!(
                "SELECT ",
                account_columns!(),
                ", k.id, k.last_used_at, a.generation_tat, (SELECT api_enabled FROM settings WHERE id = 1), k.limits, ",
                $until,
                " FROM ",
                $from,
                " = ?1 AND k.revoked_at IS NULL"
            )
        };
    }
    let read = |sql| {
        let mut found = db.prepare_cached(sql)?;
        one(found.query_and_then([key_hash], row::caller)?)
    };
    let current = read(caller!(
        "NULL",
        "keys k JOIN accounts a ON a.id = k.account WHERE k.hash"
    ))?;
    if current.is_some() {
        return Ok(current);
    }
    // Only texts that are wrong or rotated get here.
    read(caller!(
        "o.until",
        "old_keys o JOIN keys k ON k.id = o.key JOIN accounts a ON a.id = k.account WHERE o.hash"
    ))
}

pub(super) fn take_token(
    db: &Connection,
    id: AccountId,
    default_per_minute: u32,
    now: Timestamp,
) -> Result<TokenTaken> {
    const LIMIT: &str = concat!(
        "SELECT ",
        own_or_plan!("generations_per_minute"),
        ", a.generation_tat FROM accounts a WHERE a.id = ?1"
    );
    let (own_limit, tat) = db
        .prepare_cached(LIMIT)?
        .query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
    match RateLimit::own_or(own_limit, default_per_minute).take(Timestamp(tat), now) {
        Ok((tat, state)) => {
            db.prepare_cached("UPDATE accounts SET generation_tat = ?2 WHERE id = ?1")?
                .execute(params![id.0, tat.0])?;
            Ok(TokenTaken::Taken(state))
        }
        Err(limited) => Ok(TokenTaken::Limited(limited)),
    }
}

/// An entry to write. The caller writes the account's balances.
pub(super) struct Booking<'a> {
    pub(super) account: AccountId,
    pub(super) generation: Option<uuid::Uuid>,
    pub(super) kind: EntryKind,
    pub(super) issued: i64,
    pub(super) available: i64,
    pub(super) held: i64,
    pub(super) spent: i64,
    pub(super) reason: Option<&'a str>,
    pub(super) at: Timestamp,
}

impl<'a> Booking<'a> {
    fn grant(account: AccountId, credits: i64, reason: &'a str, at: Timestamp) -> Self {
        Self {
            account,
            generation: None,
            kind: EntryKind::Grant,
            issued: -credits,
            available: credits,
            held: 0,
            spent: 0,
            reason: Some(reason),
            at,
        }
    }
}

pub(super) fn book(db: &Connection, booking: &Booking<'_>) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO entries (account, generation, kind, issued, available, held, spent, reason, at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        booking.account.0,
        booking.generation,
        booking.kind.as_str(),
        booking.issued,
        booking.available,
        booking.held,
        booking.spent,
        booking.reason,
        booking.at.0,
    ])?;
    Ok(())
}

pub(super) fn ledger(db: &Connection, account: AccountId, limit: u32) -> Result<Vec<Entry>> {
    const SQL: &str = concat!(
        "SELECT ",
        entry_columns!(),
        " FROM entries e WHERE e.account = ?1 ORDER BY e.id DESC LIMIT ?2"
    );
    db.prepare_cached(SQL)?
        .query_and_then(params![account.0, limit], row::entry)?
        .collect()
}
