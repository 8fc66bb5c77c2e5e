//! How rows become values, once for both databases: each says how to read a column, the builders are here.

use std::{fmt::Display, str::FromStr};

use atelier_domain::{
    Account, AccountId, AccountRole, Attempt, AuditEntry, Delivery, DeliveryId, EndpointId, Entry, EntryKind,
    Generation, GenerationId, Invitation, InvitationId, KeyId, KeyRecord, LowBalance, PasswordReset,
    PasswordResetId, Plan, PromptInFiles, QueueLimits, RemoteWorker, Session, SessionId, SigningSecrets,
    Timestamp, User, UserId, WorkerId, WorkerSeen, WorkerToken, WorkerTokenId,
};
use serde::{Serialize, de::DeserializeOwned};
use uuid::Uuid;

use crate::{DeletedGeneration, Result, StoreError};

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
         a.previous_secret, a.previous_secret_until, a.generations_per_minute, a.created_at, a.max_queued, \
         a.max_running, a.monthly_budget, a.low_balance, a.low_since, \
         a.retention_days, a.private_media, a.prompt_in_files, \
         (SELECT p.generations_per_minute FROM plans p WHERE p.name = a.plan_name)"
    };
}

macro_rules! delivery_columns {
    () => {
        "d.id, d.account, coalesce(d.generation, d.about), d.event, d.url, d.body, d.state, d.attempts, \
         d.due_at, d.created_at, \
         d.attempts_before, d.endpoint"
    };
}

/// The secrets of a delivery `d`: those of its endpoint, or of its account `a`.
macro_rules! delivery_secrets {
    () => {
        "CASE WHEN d.endpoint IS NULL THEN a.signing_secret
              ELSE (SELECT w.signing_secret FROM webhook_endpoints w WHERE w.id = d.endpoint) END,
         CASE WHEN d.endpoint IS NULL THEN a.previous_secret
              ELSE (SELECT w.previous_secret FROM webhook_endpoints w WHERE w.id = d.endpoint) END,
         CASE WHEN d.endpoint IS NULL THEN a.previous_secret_until
              ELSE (SELECT w.previous_secret_until FROM webhook_endpoints w WHERE w.id = d.endpoint) END"
    };
}

macro_rules! deleted_generation_columns {
    () => {
        "d.id, d.account, d.model, d.kind, d.state, d.hold, d.charged, d.created_at, d.ended_at, d.deleted_at"
    };
}

macro_rules! entry_columns {
    () => {
        "e.id, e.account, e.generation, e.kind, e.issued, e.available, e.held, e.spent, e.reason, e.at"
    };
}

macro_rules! key_columns {
    () => {
        "k.id, k.account, k.name, k.prefix, k.created_at, k.last_used_at, k.revoked_at, k.limits, \
         (SELECT max(o.until) FROM old_keys o WHERE o.key = k.id)"
    };
}

macro_rules! user_columns {
    () => {
        "u.id, u.login, u.role, u.account, u.created_at, u.disabled_at"
    };
}

/// The argument is the column of the user, whose name is a keyword in PostgreSQL.
macro_rules! session_columns {
    ($user:literal) => {
        concat!(
            "s.id, s.",
            $user,
            ", s.created_at, s.last_seen_at, s.expires_at, s.user_agent, s.address"
        )
    };
}

macro_rules! worker_token_columns {
    () => {
        "t.id, t.name, t.prefix, t.engines, t.models, t.created_at, t.revoked_at"
    };
}

/// Of a remote worker `w` with its token `t`.
macro_rules! worker_columns {
    () => {
        "w.id, w.token, w.name, w.version, w.joined_at, w.seen_at, w.offer, t.name"
    };
}

pub(crate) use {
    account_columns, deleted_generation_columns, delivery_columns, delivery_secrets, entry_columns,
    generation_columns, key_columns, session_columns, user_columns, worker_columns, worker_token_columns,
};

/// How many columns each of them names.
pub(crate) const GENERATION_COLUMNS: usize = 22;
pub(crate) const ACCOUNT_COLUMNS: usize = 21;
pub(crate) const DELIVERY_COLUMNS: usize = 12;
pub(crate) const USER_COLUMNS: usize = 6;
pub(crate) const SESSION_COLUMNS: usize = 7;

/// The columns of one row. A value of another type is an error, never a panic.
pub(crate) trait Fields {
    type Error: From<StoreError>;

    fn optional_id(&self, column: usize) -> Result<Option<Uuid>, Self::Error>;
    fn optional_integer(&self, column: usize) -> Result<Option<i64>, Self::Error>;
    fn optional_boolean(&self, column: usize) -> Result<Option<bool>, Self::Error>;
    fn optional_text(&self, column: usize) -> Result<Option<&str>, Self::Error>;
    fn optional_real(&self, column: usize) -> Result<Option<f64>, Self::Error>;
    fn bytes(&self, column: usize) -> Result<Vec<u8>, Self::Error>;

    fn id(&self, column: usize) -> Result<Uuid, Self::Error> {
        present(self.optional_id(column)?, column)
    }

    fn integer(&self, column: usize) -> Result<i64, Self::Error> {
        present(self.optional_integer(column)?, column)
    }

    fn real(&self, column: usize) -> Result<f64, Self::Error> {
        present(self.optional_real(column)?, column)
    }

    fn text(&self, column: usize) -> Result<&str, Self::Error> {
        present(self.optional_text(column)?, column)
    }

    fn string(&self, column: usize) -> Result<String, Self::Error> {
        self.text(column).map(str::to_owned)
    }

    fn optional_string(&self, column: usize) -> Result<Option<String>, Self::Error> {
        Ok(self.optional_text(column)?.map(str::to_owned))
    }

    fn moment(&self, column: usize) -> Result<Timestamp, Self::Error> {
        self.integer(column).map(Timestamp)
    }

    fn optional_moment(&self, column: usize) -> Result<Option<Timestamp>, Self::Error> {
        Ok(self.optional_integer(column)?.map(Timestamp))
    }

    /// An integer of fewer bits than the column's 64.
    fn number<T: TryFrom<i64, Error: Display>>(&self, column: usize) -> Result<T, Self::Error> {
        present(self.optional_number(column)?, column)
    }

    fn optional_number<T: TryFrom<i64, Error: Display>>(
        &self,
        column: usize,
    ) -> Result<Option<T>, Self::Error> {
        let number = self.optional_integer(column)?.map(T::try_from).transpose();
        number.map_err(|error| unreadable(error).into())
    }

    /// A value that is stored as its name.
    fn named<T: FromStr<Err = String>>(&self, column: usize) -> Result<T, Self::Error> {
        self.text(column)?
            .parse()
            .map_err(|error| unreadable(error).into())
    }

    fn json<T: DeserializeOwned>(&self, column: usize) -> Result<T, Self::Error> {
        present(self.optional_json(column)?, column)
    }

    fn optional_json<T: DeserializeOwned>(&self, column: usize) -> Result<Option<T>, Self::Error> {
        let value = self.optional_text(column)?.map(serde_json::from_str).transpose();
        value.map_err(|error| unreadable(error).into())
    }
}

fn present<T, E: From<StoreError>>(value: Option<T>, column: usize) -> Result<T, E> {
    value.ok_or_else(|| unreadable(format!("column {column} is null")).into())
}

pub(crate) fn unreadable(error: impl Display) -> StoreError {
    StoreError::Internal(format!("the database contains an unreadable value: {error}"))
}

pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|error| StoreError::Internal(format!("cannot write a value as JSON: {error}")))
}

pub(crate) fn generation<R: Fields>(row: &R) -> Result<Generation, R::Error> {
    Ok(Generation {
        id: GenerationId(row.id(0)?),
        account: AccountId(row.id(1)?),
        model: row.string(2)?,
        kind: row.named(3)?,
        state: row.named(4)?,
        params: row.json(5)?,
        webhook_url: row.optional_string(6)?,
        hold: row.integer(7)?,
        charged: row.optional_integer(8)?,
        output: row.optional_json(9)?,
        failure: row.optional_json(10)?,
        progress: row.real(11)?,
        served_by: row.optional_string(12)?,
        attempt: row.number(13)?,
        epoch: row.integer(14)?,
        created_at: row.moment(15)?,
        started_at: row.optional_moment(16)?,
        ended_at: row.optional_moment(17)?,
        deadline: row.moment(18)?,
        attempt_started_at: row.optional_moment(19)?,
        request: row.optional_string(20)?,
        past_attempts: row.optional_json(21)?.unwrap_or_default(),
    })
}

pub(crate) fn deleted_generation<R: Fields>(row: &R) -> Result<DeletedGeneration, R::Error> {
    Ok(DeletedGeneration {
        id: GenerationId(row.id(0)?),
        account: AccountId(row.id(1)?),
        model: row.string(2)?,
        kind: row.named(3)?,
        state: row.named(4)?,
        hold: row.integer(5)?,
        charged: row.optional_integer(6)?,
        created_at: row.moment(7)?,
        ended_at: row.moment(8)?,
        deleted_at: row.moment(9)?,
    })
}

pub(crate) fn account<R: Fields>(row: &R) -> Result<Account, R::Error> {
    let plan = row.optional_string(3)?.zip(row.optional_boolean(4)?);
    Ok(Account {
        id: AccountId(row.id(0)?),
        name: row.string(1)?,
        beta: present(row.optional_boolean(2)?, 2)?,
        plan: plan.map(|(name, active)| Plan { name, active }),
        available: row.integer(5)?,
        held: row.integer(6)?,
        signing: secrets(row, 7)?,
        generations_per_minute: row.optional_number(10)?,
        plan_per_minute: row.optional_number(20)?,
        created_at: row.moment(11)?,
        queue: queue_limits(row, 12)?,
        monthly_budget: row.optional_integer(14)?,
        low_balance: LowBalance {
            threshold: row.optional_integer(15)?,
            since: row.optional_moment(16)?,
        },
        retention_days: row.optional_number(17)?,
        private_media: present(row.optional_boolean(18)?, 18)?,
        // A value of a later version may hide more.
        prompt_in_files: row.string(19)?.parse().unwrap_or(PromptInFiles::Nowhere),
    })
}

/// From `max_queued, max_running`, starting at column `first`.
pub(crate) fn queue_limits<R: Fields>(row: &R, first: usize) -> Result<QueueLimits, R::Error> {
    Ok(QueueLimits {
        max_queued: row.optional_number(first)?,
        max_running: row.optional_number(first + 1)?,
    })
}

/// From `signing_secret, previous_secret, previous_secret_until`, starting at column `first`.
pub(crate) fn secrets<R: Fields>(row: &R, first: usize) -> Result<SigningSecrets, R::Error> {
    let previous = row.optional_string(first + 1)?;
    Ok(SigningSecrets {
        current: row.string(first)?,
        previous: previous.zip(row.optional_moment(first + 2)?),
    })
}

/// From the columns of a user, starting at column `first`.
pub(crate) fn user<R: Fields>(row: &R, first: usize) -> Result<User, R::Error> {
    Ok(User {
        id: UserId(row.id(first)?),
        login: row.string(first + 1)?,
        role: row.named(first + 2)?,
        account: AccountId(row.id(first + 3)?),
        created_at: row.moment(first + 4)?,
        disabled_at: row.optional_moment(first + 5)?,
    })
}

/// From the columns of a session, starting at column `first`.
pub(crate) fn session<R: Fields>(row: &R, first: usize) -> Result<Session, R::Error> {
    Ok(Session {
        id: SessionId(row.id(first)?),
        user: UserId(row.id(first + 1)?),
        created_at: row.moment(first + 2)?,
        last_seen_at: row.moment(first + 3)?,
        expires_at: row.moment(first + 4)?,
        user_agent: row.string(first + 5)?,
        address: row.string(first + 6)?,
    })
}

/// From `id, role, account, inviter, created_at, expires_at, used_at, revoked_at, account_role`.
pub(crate) fn invitation<R: Fields>(row: &R) -> Result<Invitation, R::Error> {
    Ok(Invitation {
        id: InvitationId(row.id(0)?),
        role: row.named(1)?,
        account_role: match row.optional_text(8)? {
            Some(_) => row.named(8)?,
            None => AccountRole::Owner,
        },
        account: row.optional_id(2)?.map(AccountId),
        inviter: row.optional_id(3)?.map(UserId),
        created_at: row.moment(4)?,
        expires_at: row.moment(5)?,
        used_at: row.optional_moment(6)?,
        revoked_at: row.optional_moment(7)?,
    })
}

/// From `id`, the user's id, `issuer, created_at, expires_at, used_at, revoked_at`.
pub(crate) fn password_reset<R: Fields>(row: &R) -> Result<PasswordReset, R::Error> {
    Ok(PasswordReset {
        id: PasswordResetId(row.id(0)?),
        user: UserId(row.id(1)?),
        issuer: row.optional_id(2)?.map(UserId),
        created_at: row.moment(3)?,
        expires_at: row.moment(4)?,
        used_at: row.optional_moment(5)?,
        revoked_at: row.optional_moment(6)?,
    })
}

/// From `id, at, actor`, the user's id, `action, account, object, details`.
pub(crate) fn change<R: Fields>(row: &R) -> Result<AuditEntry, R::Error> {
    Ok(AuditEntry {
        id: row.integer(0)?,
        at: row.moment(1)?,
        actor: row.string(2)?,
        user: row.optional_id(3)?.map(UserId),
        action: row.string(4)?,
        account: row.optional_id(5)?.map(AccountId),
        object: row.string(6)?,
        details: row.json(7)?,
    })
}

pub(crate) fn key<R: Fields>(row: &R) -> Result<KeyRecord, R::Error> {
    Ok(KeyRecord {
        id: KeyId(row.id(0)?),
        account: AccountId(row.id(1)?),
        name: row.string(2)?,
        prefix: row.string(3)?,
        created_at: row.moment(4)?,
        last_used_at: row.optional_moment(5)?,
        revoked_at: row.optional_moment(6)?,
        limits: row.optional_json(7)?.unwrap_or_default(),
        previous_until: row.optional_moment(8)?,
    })
}

pub(crate) fn entry<R: Fields>(row: &R) -> Result<Entry, R::Error> {
    let name = row.text(3)?;
    let kind = [
        EntryKind::Grant,
        EntryKind::Hold,
        EntryKind::Settle,
        EntryKind::Release,
    ]
    .into_iter()
    .find(|kind| kind.as_str() == name)
    .ok_or_else(|| unreadable(format!("unknown kind of entry `{name}`")))?;
    Ok(Entry {
        id: row.integer(0)?,
        account: AccountId(row.id(1)?),
        generation: row.optional_id(2)?.map(GenerationId),
        kind,
        issued: row.integer(4)?,
        available: row.integer(5)?,
        held: row.integer(6)?,
        spent: row.integer(7)?,
        reason: row.optional_string(8)?,
        at: row.moment(9)?,
    })
}

pub(crate) fn delivery<R: Fields>(row: &R) -> Result<Delivery, R::Error> {
    Ok(Delivery {
        id: DeliveryId(row.id(0)?),
        account: AccountId(row.id(1)?),
        generation: row.optional_id(2)?.map(GenerationId),
        event: row.named(3)?,
        url: row.string(4)?,
        body: row.bytes(5)?,
        state: row.named(6)?,
        attempts: row.number(7)?,
        due_at: row.moment(8)?,
        created_at: row.moment(9)?,
        attempts_before: row.number(10)?,
        endpoint: row.optional_id(11)?.map(EndpointId),
    })
}

pub(crate) fn worker_token<R: Fields>(row: &R) -> Result<WorkerToken, R::Error> {
    Ok(WorkerToken {
        id: WorkerTokenId(row.id(0)?),
        name: row.string(1)?,
        prefix: row.string(2)?,
        engines: row.json(3)?,
        models: row.json(4)?,
        created_at: row.moment(5)?,
        revoked_at: row.optional_moment(6)?,
    })
}

pub(crate) fn worker_seen<R: Fields>(row: &R) -> Result<WorkerSeen, R::Error> {
    Ok(WorkerSeen {
        worker: RemoteWorker {
            id: WorkerId(row.id(0)?),
            token: WorkerTokenId(row.id(1)?),
            name: row.string(2)?,
            version: row.string(3)?,
            joined_at: row.moment(4)?,
            seen_at: row.moment(5)?,
            offer: row.json(6)?,
        },
        token: row.string(7)?,
        running: Vec::new(),
    })
}

/// From `at, latency_ms, status, error, response`, starting at column `first`.
pub(crate) fn attempt<R: Fields>(row: &R, first: usize) -> Result<Attempt, R::Error> {
    Ok(Attempt {
        at: row.moment(first)?,
        latency_ms: row.number(first + 1)?,
        status: row.optional_number(first + 2)?,
        error: row.optional_string(first + 3)?,
        response: row.optional_string(first + 4)?,
    })
}
