//! Between rows and the words of the domain.

use std::{borrow::Cow, str::FromStr};

use atelier_domain::{
    Account, AccountId, Attempt, AuditEntry, Delivery, DeliveryId, Generation, GenerationId, Invitation,
    InvitationId, KeyId, KeyRecord, PasswordReset, PasswordResetId, Plan, Session, SessionId, SigningSecrets,
    Timestamp, User, UserId,
};
use serde::{Serialize, de::DeserializeOwned};
use tokio_postgres::{Row, types::FromSql};
use uuid::Uuid;

use super::error::{Error, Result};
use crate::{Entry, EntryKind, StoreError};

macro_rules! generation_columns {
    () => {
        "g.id, g.account, g.model, g.kind, g.state, g.params, g.webhook_url, g.hold, g.charged, g.output, \
         g.failure, g.progress, g.served_by, g.attempt, g.epoch, g.created_at, g.started_at, g.ended_at, g.deadline, \
         g.attempt_started_at, g.request, g.past_attempts"
    };
}

macro_rules! account_columns {
    () => {
        "a.id, a.name, a.beta, a.plan_name, a.plan_active, a.available, a.held, a.signing_secret, \
         a.previous_secret, a.previous_secret_until, a.generations_per_minute, a.created_at"
    };
}

macro_rules! delivery_columns {
    () => {
        "d.id, d.account, d.generation, d.event, d.url, d.body, d.state, d.attempts, d.due_at, d.created_at, \
         d.attempts_before"
    };
}

macro_rules! entry_columns {
    () => {
        "e.id, e.account, e.generation, e.kind, e.issued, e.available, e.held, e.spent, e.reason, e.at"
    };
}

macro_rules! key_columns {
    () => {
        "k.id, k.account, k.name, k.prefix, k.created_at, k.last_used_at, k.revoked_at"
    };
}

macro_rules! user_columns {
    () => {
        "u.id, u.login, u.role, u.account, u.created_at, u.disabled_at"
    };
}

macro_rules! session_columns {
    () => {
        "s.id, s.user_id, s.created_at, s.last_seen_at, s.expires_at, s.user_agent, s.address"
    };
}

pub(super) use {
    account_columns, delivery_columns, entry_columns, generation_columns, key_columns, session_columns,
    user_columns,
};

/// How many columns each of them names.
pub(super) const GENERATION_COLUMNS: usize = 22;
pub(super) const ACCOUNT_COLUMNS: usize = 12;
pub(super) const DELIVERY_COLUMNS: usize = 11;
pub(super) const USER_COLUMNS: usize = 6;

/// A column's value; what cannot be read as it is an error, never a panic.
pub(super) fn get<'r, T: FromSql<'r>>(row: &'r Row, column: usize) -> Result<T> {
    row.try_get(column).map_err(|error| unreadable(&error))
}

pub(super) fn moment(row: &Row, column: usize) -> Result<Option<Timestamp>> {
    Ok(get::<Option<i64>>(row, column)?.map(Timestamp))
}

/// An integer of fewer bits than the column's 64.
pub(super) fn number<T: TryFrom<i64, Error: std::fmt::Display>>(row: &Row, column: usize) -> Result<T> {
    T::try_from(get::<i64>(row, column)?).map_err(|error| unreadable(&error))
}

pub(super) fn optional_number<T: TryFrom<i64, Error: std::fmt::Display>>(
    row: &Row,
    column: usize,
) -> Result<Option<T>> {
    get::<Option<i64>>(row, column)?
        .map(|number| T::try_from(number).map_err(|error| unreadable(&error)))
        .transpose()
}

/// A value stored as its word.
pub(super) fn word<T: FromStr<Err = String>>(row: &Row, column: usize) -> Result<T> {
    get::<&str>(row, column)?
        .parse()
        .map_err(|error: String| unreadable(&error))
}

/// A text as PostgreSQL takes it, which knows no zero character.
pub(super) fn text(text: &str) -> Cow<'_, str> {
    if text.contains('\0') {
        Cow::Owned(text.replace('\0', "\u{FFFD}"))
    } else {
        Cow::Borrowed(text)
    }
}

pub(super) fn optional_text(found: Option<&String>) -> Option<Cow<'_, str>> {
    found.map(|found| text(found))
}

pub(super) fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|error| StoreError::Internal(format!("a value is no JSON: {error}")).into())
}

pub(super) fn json<T: DeserializeOwned>(row: &Row, column: usize) -> Result<T> {
    serde_json::from_str(get(row, column)?).map_err(|error| unreadable(&error))
}

pub(super) fn optional_json<T: DeserializeOwned>(row: &Row, column: usize) -> Result<Option<T>> {
    get::<Option<&str>>(row, column)?
        .map(|text| serde_json::from_str(text).map_err(|error| unreadable(&error)))
        .transpose()
}

pub(super) fn unreadable(error: &dyn std::fmt::Display) -> Error {
    StoreError::Internal(format!("the database holds what cannot be read: {error}")).into()
}

fn id(row: &Row, column: usize) -> Result<Uuid> {
    get(row, column)
}

fn optional_id(row: &Row, column: usize) -> Result<Option<Uuid>> {
    get(row, column)
}

pub(super) fn generation(row: &Row) -> Result<Generation> {
    Ok(Generation {
        id: GenerationId(id(row, 0)?),
        account: AccountId(id(row, 1)?),
        model: get(row, 2)?,
        kind: word(row, 3)?,
        state: word(row, 4)?,
        params: json(row, 5)?,
        webhook_url: get(row, 6)?,
        hold: get(row, 7)?,
        charged: get(row, 8)?,
        output: optional_json(row, 9)?,
        failure: optional_json(row, 10)?,
        progress: get(row, 11)?,
        served_by: get(row, 12)?,
        attempt: number(row, 13)?,
        epoch: get(row, 14)?,
        created_at: Timestamp(get(row, 15)?),
        started_at: moment(row, 16)?,
        ended_at: moment(row, 17)?,
        deadline: Timestamp(get(row, 18)?),
        attempt_started_at: moment(row, 19)?,
        request: get(row, 20)?,
        past_attempts: optional_json(row, 21)?.unwrap_or_default(),
    })
}

pub(super) fn account(row: &Row) -> Result<Account> {
    let plan = match (get(row, 3)?, get(row, 4)?) {
        (Some(name), Some(active)) => Some(Plan { name, active }),
        _ => None,
    };
    Ok(Account {
        id: AccountId(id(row, 0)?),
        name: get(row, 1)?,
        beta: get(row, 2)?,
        plan,
        available: get(row, 5)?,
        held: get(row, 6)?,
        signing: secrets(row, 7)?,
        generations_per_minute: optional_number(row, 10)?,
        created_at: Timestamp(get(row, 11)?),
    })
}

/// From `signing_secret, previous_secret, previous_secret_until` from this column on.
pub(super) fn secrets(row: &Row, first: usize) -> Result<SigningSecrets> {
    let previous: Option<String> = get(row, first + 1)?;
    Ok(SigningSecrets {
        current: get(row, first)?,
        previous: previous.zip(moment(row, first + 2)?),
    })
}

/// From the columns of a user from this one on.
pub(super) fn user(row: &Row, first: usize) -> Result<User> {
    Ok(User {
        id: UserId(id(row, first)?),
        login: get(row, first + 1)?,
        role: word(row, first + 2)?,
        account: AccountId(id(row, first + 3)?),
        created_at: Timestamp(get(row, first + 4)?),
        disabled_at: moment(row, first + 5)?,
    })
}

/// From the columns of a session from this one on.
pub(super) fn session(row: &Row, first: usize) -> Result<Session> {
    Ok(Session {
        id: SessionId(id(row, first)?),
        user: UserId(id(row, first + 1)?),
        created_at: Timestamp(get(row, first + 2)?),
        last_seen_at: Timestamp(get(row, first + 3)?),
        expires_at: Timestamp(get(row, first + 4)?),
        user_agent: get(row, first + 5)?,
        address: get(row, first + 6)?,
    })
}

/// From `id, role, account, inviter, created_at, expires_at, used_at, revoked_at`.
pub(super) fn invitation(row: &Row) -> Result<Invitation> {
    Ok(Invitation {
        id: InvitationId(id(row, 0)?),
        role: word(row, 1)?,
        account: optional_id(row, 2)?.map(AccountId),
        inviter: optional_id(row, 3)?.map(UserId),
        created_at: Timestamp(get(row, 4)?),
        expires_at: Timestamp(get(row, 5)?),
        used_at: moment(row, 6)?,
        revoked_at: moment(row, 7)?,
    })
}

/// From `id, user_id, issuer, created_at, expires_at, used_at, revoked_at`.
pub(super) fn password_reset(row: &Row) -> Result<PasswordReset> {
    Ok(PasswordReset {
        id: PasswordResetId(id(row, 0)?),
        user: UserId(id(row, 1)?),
        issuer: optional_id(row, 2)?.map(UserId),
        created_at: Timestamp(get(row, 3)?),
        expires_at: Timestamp(get(row, 4)?),
        used_at: moment(row, 5)?,
        revoked_at: moment(row, 6)?,
    })
}

/// From `id, at, actor, user_id, action, account, object, details`.
pub(super) fn change(row: &Row) -> Result<AuditEntry> {
    Ok(AuditEntry {
        id: get(row, 0)?,
        at: Timestamp(get(row, 1)?),
        actor: get(row, 2)?,
        user: optional_id(row, 3)?.map(UserId),
        action: get(row, 4)?,
        account: optional_id(row, 5)?.map(AccountId),
        object: get(row, 6)?,
        details: json(row, 7)?,
    })
}

pub(super) fn key(row: &Row) -> Result<KeyRecord> {
    Ok(KeyRecord {
        id: KeyId(id(row, 0)?),
        account: AccountId(id(row, 1)?),
        name: get(row, 2)?,
        prefix: get(row, 3)?,
        created_at: Timestamp(get(row, 4)?),
        last_used_at: moment(row, 5)?,
        revoked_at: moment(row, 6)?,
    })
}

pub(super) fn entry(row: &Row) -> Result<Entry> {
    let kind: &str = get(row, 3)?;
    let kind = [
        EntryKind::Grant,
        EntryKind::Hold,
        EntryKind::Settle,
        EntryKind::Release,
    ]
    .into_iter()
    .find(|known| known.as_str() == kind)
    .ok_or_else(|| unreadable(&format!("`{kind}` is no kind of entry")))?;
    Ok(Entry {
        id: get(row, 0)?,
        account: AccountId(id(row, 1)?),
        generation: optional_id(row, 2)?.map(GenerationId),
        kind,
        issued: get(row, 4)?,
        available: get(row, 5)?,
        held: get(row, 6)?,
        spent: get(row, 7)?,
        reason: get(row, 8)?,
        at: Timestamp(get(row, 9)?),
    })
}

pub(super) fn delivery(row: &Row) -> Result<Delivery> {
    Ok(Delivery {
        id: DeliveryId(id(row, 0)?),
        account: AccountId(id(row, 1)?),
        generation: optional_id(row, 2)?.map(GenerationId),
        event: word(row, 3)?,
        url: get(row, 4)?,
        body: get(row, 5)?,
        state: word(row, 6)?,
        attempts: number(row, 7)?,
        due_at: Timestamp(get(row, 8)?),
        created_at: Timestamp(get(row, 9)?),
        attempts_before: number(row, 10)?,
    })
}

/// From `at, latency_ms, status, error, response` from this column on.
pub(super) fn attempt(row: &Row, first: usize) -> Result<Attempt> {
    Ok(Attempt {
        at: Timestamp(get(row, first)?),
        latency_ms: number(row, first + 1)?,
        status: optional_number(row, first + 2)?,
        error: get(row, first + 3)?,
        response: get(row, first + 4)?,
    })
}
