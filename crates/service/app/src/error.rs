//! Why a use case was refused. The API turns these into codes and statuses, in one table.

use atelier_catalog::Problem;
use atelier_domain::{AccountRole, CreditLimit, Limited, Timestamp};
use atelier_store::StoreError;

use crate::{accounts::limits::KeyLimit, policy::Barred};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the API key is missing, malformed, unknown or revoked")]
    InvalidApiKey,
    #[error("the access token was refused: {0}")]
    InvalidToken(String),
    /// An access token is right, and stands for nobody who may use the service.
    #[error("{0}")]
    Stranger(String),
    #[error("the API key expired at {0}: create another one, or change when it expires")]
    KeyExpired(Timestamp),
    #[error("{0}")]
    ApiDisabled(&'static str),
    /// The key is not allowed to do this.
    #[error("{0}")]
    KeyLimit(KeyLimit),
    /// The policy does not let the account use a model.
    #[error("{0}")]
    Barred(Barred),
    /// The user's role in the account does not allow it.
    #[error("your role in this account is {role}, and this requires {}", either(.needed))]
    Role {
        role: AccountRole,
        needed: Vec<AccountRole>,
    },
    #[error(
        "too many requests with this key: its limit `requests_per_minute` is {}; wait {} s and try again",
        .0.state.per_minute, .0.retry_after_seconds
    )]
    KeyRateLimited(Limited),
    #[error("too many requests: wait {} s and try again, with exponential backoff", .0.retry_after_seconds)]
    RateLimited(Limited),
    #[error(
        "the queue of the account is full: its limit `max_queued` is {max} jobs; wait until some of them have \
         started, or ask the operator for a higher limit"
    )]
    QueueFull { max: u32 },
    /// Nothing was done; `details` names every wrong parameter, if it is about parameters.
    #[error("{message}")]
    InvalidRequest { message: String, details: Vec<Problem> },
    #[error("the job is estimated at {needed} credits and the account has {available} left")]
    InsufficientCredits { needed: i64, available: i64 },
    /// The balance would cover the job, but a limit does not.
    #[error(
        "the job is estimated at {needed} credits, and the limit `{}` {} allows {allowed}, of which {spent} are spent \
         or held: wait for the next {}, or ask for a higher limit",
        .limit.as_str(), whose(*.limit), period(*.limit)
    )]
    CreditsExceeded {
        limit: CreditLimit,
        needed: i64,
        allowed: i64,
        spent: i64,
    },
    #[error("{0}")]
    NotFound(String),
    /// It existed and was removed on purpose.
    #[error("{0}")]
    Gone(String),
    /// It cannot be done in the state that the thing is in.
    #[error("{0}")]
    Conflict(String),
    #[error("{0}")]
    TooLarge(String),
    /// Nothing was done; trying again shortly may work.
    #[error("{0}")]
    Unavailable(&'static str),
    /// Nothing was done, for want of disk space; trying again later may work.
    #[error("{0}")]
    NoSpace(&'static str),
    /// For the log; clients do not see it.
    #[error("{0}")]
    Internal(String),
}

const fn whose(limit: CreditLimit) -> &'static str {
    match limit {
        CreditLimit::KeyDay | CreditLimit::KeyMonth => "of this key",
        CreditLimit::AccountMonth => "of the account",
    }
}

const fn period(limit: CreditLimit) -> &'static str {
    match limit {
        CreditLimit::KeyDay => "day (UTC)",
        CreditLimit::KeyMonth | CreditLimit::AccountMonth => "month (UTC)",
    }
}

/// "owner or developer".
fn either(roles: &[AccountRole]) -> String {
    let names: Vec<_> = roles.iter().map(|role| role.as_str()).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
        None => "another role".to_owned(),
    }
}

impl Error {
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::InvalidRequest {
            message: message.into(),
            details: Vec::new(),
        }
    }

    /// One parameter is wrong.
    pub fn parameter(parameter: &str, message: impl Into<String>) -> Self {
        Self::problems(vec![Problem {
            parameter: parameter.to_owned(),
            message: message.into(),
        }])
    }

    /// One message that names every problem, and the problems themselves.
    pub fn problems(details: Vec<Problem>) -> Self {
        let message = details
            .iter()
            .map(|problem| problem.message.as_str())
            .collect::<Vec<_>>()
            .join("; ");
        Self::InvalidRequest { message, details }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy => Self::Unavailable("the service is busy: try again shortly"),
            StoreError::Full => Self::NoSpace("the service has no disk space left: nothing was changed"),
            StoreError::Unavailable(why) => {
                tracing::warn!(why, "the database cannot be reached");
                Self::Unavailable(
                    "the service cannot reach its database: try again shortly; with an Idempotency-Key nothing is done \
                     twice",
                )
            }
            other => Self::Internal(other.to_string()),
        }
    }
}

pub type Result<T, E = Error> = std::result::Result<T, E>;
