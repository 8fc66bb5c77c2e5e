//! Errors between this program and the database, and which of them are worth another try.

use std::time::Duration;

use deadpool_postgres::{HookError, PoolError};
use tokio::sync::mpsc::error::TrySendError;
use tokio_postgres::error::SqlState;

use crate::StoreError;

pub(super) type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug)]
pub(crate) enum Error {
    /// An error that the caller gets unchanged.
    Store(StoreError),
    Postgres(tokio_postgres::Error),
    /// All connections stayed in use.
    NoConnection,
    /// The connection broke after the commit was sent: whether it was committed is unknown.
    Unknown,
    /// The server did not answer in time. If a commit was sent, its outcome is unknown.
    Late {
        after: Duration,
    },
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Postgres(error)
    }
}

impl From<PoolError> for Error {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => {
                Self::Postgres(error)
            }
            PoolError::Timeout(_) => Self::NoConnection,
            PoolError::Closed => Self::Store(closed()),
            other => Self::Store(StoreError::Internal(other.to_string())),
        }
    }
}

/// The refusal of what a queue did not take.
pub(super) fn not_queued<T>(error: &TrySendError<T>) -> StoreError {
    match error {
        TrySendError::Full(_) => StoreError::Busy,
        TrySendError::Closed(_) => closed(),
    }
}

pub(super) fn closed() -> StoreError {
    StoreError::Internal("the store is closed".to_owned())
}

impl Error {
    /// Nothing was written, and another try may work.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Postgres(error) => {
                lost(error)
                    || matches!(
                        error.code(),
                        Some(&SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED)
                    )
            }
            _ => false,
        }
    }

    /// The connection is lost, and with it everything uncommitted.
    pub(super) fn is_lost_connection(&self) -> bool {
        match self {
            Self::Postgres(error) => lost(error),
            Self::Unknown | Self::Late { .. } => true,
            _ => false,
        }
    }

    /// Somebody else holds a row for too long. Nothing was written.
    pub(super) fn is_locked(&self) -> bool {
        matches!(self, Self::Postgres(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE))
    }

    /// Whether a write was committed is unknown.
    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown | Self::Late { .. })
    }
}

fn lost(error: &tokio_postgres::Error) -> bool {
    match error.code() {
        Some(code) => {
            code.code().starts_with("08")
                || matches!(
                    *code,
                    SqlState::ADMIN_SHUTDOWN | SqlState::CRASH_SHUTDOWN | SqlState::CANNOT_CONNECT_NOW
                )
        }
        None => {
            error.is_closed()
                || std::error::Error::source(error).is_some_and(<dyn std::error::Error>::is::<std::io::Error>)
        }
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        let error = match error {
            Error::Store(error) => return error,
            Error::NoConnection => return Self::Busy,
            Error::Unknown => {
                return Self::Unavailable(
                    "the connection broke during a commit; whether it was committed is unknown".to_owned(),
                );
            }
            Error::Late { after } => {
                let seconds = after.as_secs_f64();
                return Self::Unavailable(format!(
                    "the database did not answer within {seconds:.1} s; whether a write was committed is unknown"
                ));
            }
            Error::Postgres(error) => error,
        };
        let said = said(&error);
        if lost(&error) {
            return Self::Unavailable(said);
        }
        match error.code() {
            Some(&SqlState::DISK_FULL) => Self::Full,
            Some(
                &SqlState::T_R_SERIALIZATION_FAILURE
                | &SqlState::T_R_DEADLOCK_DETECTED
                | &SqlState::LOCK_NOT_AVAILABLE
                | &SqlState::QUERY_CANCELED
                | &SqlState::TOO_MANY_CONNECTIONS,
            ) => Self::Busy,
            Some(&SqlState::READ_ONLY_SQL_TRANSACTION) => Self::Unavailable(said),
            _ => Self::Internal(said),
        }
    }
}

/// The server's message, or the client's error and its cause.
fn said(error: &tokio_postgres::Error) -> String {
    if let Some(db) = error.as_db_error() {
        let constraint = db
            .constraint()
            .map(|name| format!(", {name}"))
            .unwrap_or_default();
        return format!("{} ({}{constraint})", db.message(), db.code().code());
    }
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
