//! Between rows and the words of the domain.

use std::str::FromStr;

use atelier_domain::{
    Account, AccountId, Attempt, AuditEntry, Delivery, DeliveryId, Generation, GenerationId, Invitation,
    InvitationId, KeyId, KeyRecord, PasswordReset, PasswordResetId, Plan, Session, SessionId, SigningSecrets,
    Timestamp, User, UserId,
};
use rusqlite::Row;
use serde::{Serialize, de::DeserializeOwned};

use crate::{Entry, EntryKind, Result, StoreError};

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
         a.generations_per_minute, a.created_at, a.previous_secret, a.previous_secret_until"
    };
}

macro_rules! delivery_columns {
    () => {
        "d.id, d.account, d.generation, d.event, d.url, d.body, d.state, d.attempts, d.due_at, d.created_at, \
         d.attempts_before"
    };
}

pub(super) use {account_columns, delivery_columns, generation_columns};

/// How many columns `account_columns` names.
pub(super) const ACCOUNT_COLUMNS: usize = 12;
/// How many columns `delivery_columns` names.
pub(super) const DELIVERY_COLUMNS: usize = 11;
/// How many columns `generation_columns` names.
pub(super) const GENERATION_COLUMNS: usize = 22;

pub(super) fn generation(row: &Row<'_>) -> Result<Generation> {
    Ok(Generation {
        id: GenerationId(row.get(0)?),
        account: AccountId(row.get(1)?),
        model: row.get(2)?,
        kind: word(row, 3)?,
        state: word(row, 4)?,
        params: from_json(row.get_ref(5)?.as_str().map_err(unreadable)?)?,
        webhook_url: row.get(6)?,
        hold: row.get(7)?,
        charged: row.get(8)?,
        output: optional_json(row, 9)?,
        failure: optional_json(row, 10)?,
        progress: row.get(11)?,
        served_by: row.get(12)?,
        attempt: row.get(13)?,
        epoch: row.get(14)?,
        created_at: Timestamp(row.get(15)?),
        started_at: moment(row, 16)?,
        ended_at: moment(row, 17)?,
        deadline: Timestamp(row.get(18)?),
        attempt_started_at: moment(row, 19)?,
        request: row.get(20)?,
        past_attempts: optional_json(row, 21)?.unwrap_or_default(),
    })
}

pub(super) fn account(row: &Row<'_>) -> Result<Account> {
    let plan = match (row.get(3)?, row.get(4)?) {
        (Some(name), Some(active)) => Some(Plan { name, active }),
        _ => None,
    };
    Ok(Account {
        id: AccountId(row.get(0)?),
        name: row.get(1)?,
        beta: row.get(2)?,
        plan,
        available: row.get(5)?,
        held: row.get(6)?,
        signing: SigningSecrets {
            current: row.get(7)?,
            previous: previous_secret(row, 10)?,
        },
        generations_per_minute: row.get(8)?,
        created_at: Timestamp(row.get(9)?),
    })
}

/// From `previous_secret, previous_secret_until` at this column.
pub(super) fn previous_secret(row: &Row<'_>, column: usize) -> Result<Option<(String, Timestamp)>> {
    let secret: Option<String> = row.get(column)?;
    Ok(secret.zip(moment(row, column + 1)?))
}

/// From `id, login, role, account, created_at, disabled_at`.
pub(super) fn user(row: &Row<'_>) -> Result<User> {
    user_from(row, 0)
}

/// The same from this column on.
pub(super) fn user_from(row: &Row<'_>, first: usize) -> Result<User> {
    Ok(User {
        id: UserId(row.get(first)?),
        login: row.get(first + 1)?,
        role: word(row, first + 2)?,
        account: AccountId(row.get(first + 3)?),
        created_at: Timestamp(row.get(first + 4)?),
        disabled_at: moment(row, first + 5)?,
    })
}

/// From `id, user, created_at, last_seen_at, expires_at, user_agent, address` from this column on.
pub(super) fn session_from(row: &Row<'_>, first: usize) -> Result<Session> {
    Ok(Session {
        id: SessionId(row.get(first)?),
        user: UserId(row.get(first + 1)?),
        created_at: Timestamp(row.get(first + 2)?),
        last_seen_at: Timestamp(row.get(first + 3)?),
        expires_at: Timestamp(row.get(first + 4)?),
        user_agent: row.get(first + 5)?,
        address: row.get(first + 6)?,
    })
}

/// From `id, role, account, inviter, created_at, expires_at, used_at, revoked_at`.
pub(super) fn invitation(row: &Row<'_>) -> Result<Invitation> {
    Ok(Invitation {
        id: InvitationId(row.get(0)?),
        role: word(row, 1)?,
        account: row.get::<_, Option<_>>(2)?.map(AccountId),
        inviter: row.get::<_, Option<_>>(3)?.map(UserId),
        created_at: Timestamp(row.get(4)?),
        expires_at: Timestamp(row.get(5)?),
        used_at: moment(row, 6)?,
        revoked_at: moment(row, 7)?,
    })
}

/// From `id, user, issuer, created_at, expires_at, used_at, revoked_at`.
pub(super) fn password_reset(row: &Row<'_>) -> Result<PasswordReset> {
    Ok(PasswordReset {
        id: PasswordResetId(row.get(0)?),
        user: UserId(row.get(1)?),
        issuer: row.get::<_, Option<_>>(2)?.map(UserId),
        created_at: Timestamp(row.get(3)?),
        expires_at: Timestamp(row.get(4)?),
        used_at: moment(row, 5)?,
        revoked_at: moment(row, 6)?,
    })
}

/// From `id, at, actor, user, action, account, object, details`.
pub(super) fn change(row: &Row<'_>) -> Result<AuditEntry> {
    Ok(AuditEntry {
        id: row.get(0)?,
        at: Timestamp(row.get(1)?),
        actor: row.get(2)?,
        user: row.get::<_, Option<_>>(3)?.map(UserId),
        action: row.get(4)?,
        account: row.get::<_, Option<_>>(5)?.map(AccountId),
        object: row.get(6)?,
        details: from_json(row.get_ref(7)?.as_str().map_err(unreadable)?)?,
    })
}

/// From `id, account, name, prefix, created_at, last_used_at, revoked_at`.
pub(super) fn key(row: &Row<'_>) -> Result<KeyRecord> {
    Ok(KeyRecord {
        id: KeyId(row.get(0)?),
        account: AccountId(row.get(1)?),
        name: row.get(2)?,
        prefix: row.get(3)?,
        created_at: Timestamp(row.get(4)?),
        last_used_at: moment(row, 5)?,
        revoked_at: moment(row, 6)?,
    })
}

/// From `id, account, generation, kind, issued, available, held, spent, reason, at`.
pub(super) fn entry(row: &Row<'_>) -> Result<Entry> {
    let text: String = row.get(3)?;
    let kind = [
        EntryKind::Grant,
        EntryKind::Hold,
        EntryKind::Settle,
        EntryKind::Release,
    ]
    .into_iter()
    .find(|kind| kind.as_str() == text)
    .ok_or_else(|| unreadable(format!("`{text}` is no kind of entry")))?;
    Ok(Entry {
        id: row.get(0)?,
        account: AccountId(row.get(1)?),
        generation: row.get::<_, Option<_>>(2)?.map(GenerationId),
        kind,
        issued: row.get(4)?,
        available: row.get(5)?,
        held: row.get(6)?,
        spent: row.get(7)?,
        reason: row.get(8)?,
        at: Timestamp(row.get(9)?),
    })
}

pub(super) fn delivery(row: &Row<'_>) -> Result<Delivery> {
    Ok(Delivery {
        id: DeliveryId(row.get(0)?),
        account: AccountId(row.get(1)?),
        generation: row.get::<_, Option<_>>(2)?.map(GenerationId),
        event: word(row, 3)?,
        url: row.get(4)?,
        body: row.get(5)?,
        state: word(row, 6)?,
        attempts: row.get(7)?,
        due_at: Timestamp(row.get(8)?),
        created_at: Timestamp(row.get(9)?),
        attempts_before: row.get(10)?,
    })
}

/// From `at, latency_ms, status, error, response` from this column on.
pub(super) fn attempt_from(row: &Row<'_>, first: usize) -> Result<Attempt> {
    Ok(Attempt {
        at: Timestamp(row.get(first)?),
        latency_ms: row.get(first + 1)?,
        status: row.get(first + 2)?,
        error: row.get(first + 3)?,
        response: row.get(first + 4)?,
    })
}

pub(super) fn moment(row: &Row<'_>, column: usize) -> Result<Option<Timestamp>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(Timestamp))
}

/// A value stored as its word.
pub(super) fn word<T: FromStr<Err = String>>(row: &Row<'_>, column: usize) -> Result<T> {
    row.get_ref(column)?
        .as_str()
        .map_err(unreadable)?
        .parse()
        .map_err(unreadable)
}

pub(super) fn to_json<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| StoreError::Internal(format!("a value is no JSON: {error}")))
}

pub(super) fn optional_json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<Option<T>> {
    row.get_ref(column)?
        .as_str_or_null()
        .map_err(unreadable)?
        .map(from_json)
        .transpose()
}

pub(super) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(unreadable)
}

pub(super) fn unreadable(error: impl std::fmt::Display) -> StoreError {
    StoreError::Internal(format!("the database holds what cannot be read: {error}"))
}
