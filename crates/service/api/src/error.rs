//! The only table from errors to status and code. Errors are rendered and logged here, once.

use atelier_app::Error;
use atelier_catalog::Problem;
use atelier_domain::RateState;
use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::slow_body;

/// The body of every answer with status 400 or above.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// Always false.
    #[schema(example = false)]
    pub success: bool,
    /// The error.
    pub error: ErrorDetail,
}

/// Why a request was refused.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorDetail {
    /// Branch on the code, never on the message.
    #[schema(example = "invalid_request")]
    pub code: &'static str,
    /// The problem and its remedy. For people.
    pub message: String,
    /// Every invalid parameter, if the error is about parameters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<ProblemBody>, required = false)]
    pub details: Vec<Problem>,
}

/// One invalid parameter.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemBody {
    /// The parameter's name in the request.
    pub parameter: String,
    /// The problem, and the values that are allowed.
    pub message: String,
}

/// The answer to a request that fails.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: String,
    details: Vec<Problem>,
    retry_after: Option<u64>,
    /// The state of the rate limit that refused the request.
    rate: Option<RateState>,
}

impl ApiError {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            details: Vec::new(),
            retry_after: None,
            rate: None,
        }
    }

    /// An error of OpenAI's interface that the API does not have.
    pub(crate) fn with_code(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self::new(status, code, message)
    }

    /// The same, about a parameter.
    pub(crate) fn about(mut self, parameter: &str) -> Self {
        if self.details.is_empty() {
            self.details.push(Problem {
                parameter: parameter.to_owned(),
                message: self.message.clone(),
            });
        }
        self
    }

    /// Returns the refusal, for an interface that has its own form of errors.
    pub(crate) fn refusal(self) -> Refusal {
        Refusal {
            status: self.status,
            code: self.code,
            message: self.message,
            details: self.details,
        }
    }

    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    pub fn method_not_allowed() -> Self {
        let message =
            "this path does not support this method; the `Allow` header lists the supported methods";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "invalid_request", message)
    }

    /// A body that failed before its end, either because it arrived too slowly or for the reason in `otherwise`.
    pub(crate) fn broken_body(error: &(dyn std::error::Error + 'static), otherwise: &str) -> Self {
        match slow_body::too_slow(error) {
            Some(message) => Self::new(StatusCode::REQUEST_TIMEOUT, "invalid_request", message),
            None => Error::invalid(otherwise).into(),
        }
    }

    pub fn range_not_satisfiable() -> Self {
        let message = "the requested range is outside the file";
        Self::new(StatusCode::RANGE_NOT_SATISFIABLE, "invalid_request", message)
    }

    pub fn internal() -> Self {
        let message = "an internal error occurred; try again, and report the request id if it happens again";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", message)
    }
}

/// Seconds to wait while the queue of an account is full: jobs rarely start sooner.
const QUEUE_FULL: u64 = 5;

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error {
            Error::InvalidApiKey | Error::KeyExpired(_) => {
                Self::new(StatusCode::UNAUTHORIZED, "invalid_api_key", message)
            }
            Error::InvalidToken(_) => Self::new(StatusCode::UNAUTHORIZED, "invalid_token", message),
            Error::KeyLimit(limit) => {
                Self::new(StatusCode::FORBIDDEN, "api_disabled", message).about(limit.name())
            }
            Error::KeyRateLimited(limited) => Self {
                retry_after: Some(limited.retry_after_seconds),
                rate: Some(limited.state),
                ..Self::new(StatusCode::TOO_MANY_REQUESTS, "rate_limit", message)
            }
            .about("requests_per_minute"),
            Error::CreditsExceeded { limit, .. } => {
                Self::new(StatusCode::BAD_REQUEST, "insufficient_credits", message).about(limit.as_str())
            }
            Error::ApiDisabled(_) | Error::Barred(_) | Error::Role { .. } | Error::Stranger(_) => {
                Self::new(StatusCode::FORBIDDEN, "api_disabled", message)
            }
            Error::RateLimited(limited) => Self {
                retry_after: Some(limited.retry_after_seconds),
                rate: Some(limited.state),
                ..Self::new(StatusCode::TOO_MANY_REQUESTS, "rate_limit", message)
            },
            Error::QueueFull { .. } => Self {
                retry_after: Some(QUEUE_FULL),
                ..Self::new(StatusCode::TOO_MANY_REQUESTS, "queue_full", message)
            }
            .about("max_queued"),
            Error::InvalidRequest { details, .. } => Self {
                details,
                ..Self::new(StatusCode::BAD_REQUEST, "invalid_request", message)
            },
            Error::InsufficientCredits { .. } => {
                Self::new(StatusCode::BAD_REQUEST, "insufficient_credits", message)
            }
            Error::NotFound(_) => Self::new(StatusCode::NOT_FOUND, "not_found", message),
            Error::Gone(_) => Self::new(StatusCode::GONE, "not_found", message),
            Error::Conflict(_) => Self::new(StatusCode::CONFLICT, "invalid_request", message),
            Error::TooLarge(_) => Self::new(StatusCode::PAYLOAD_TOO_LARGE, "invalid_request", message),
            Error::Unavailable(_) | Error::NoSpace(_) => Self {
                retry_after: Some(1),
                ..Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message)
            },
            Error::Internal(cause) => {
                tracing::error!(%cause, "a request failed");
                Self::internal()
            }
        }
    }
}

/// The refusal in an answer, for a layer that writes it in another form.
#[derive(Debug, Clone)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) details: Vec<Problem>,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let Self {
            status,
            code,
            message,
            details,
            retry_after,
            rate,
        } = self;
        let refusal = Refusal {
            status,
            code,
            message: message.clone(),
            details: details.clone(),
        };
        let body = ErrorBody {
            success: false,
            error: ErrorDetail {
                code,
                message,
                details,
            },
        };
        let mut response = (status, Json(body)).into_response();
        response.extensions_mut().insert(refusal);
        if let Some(seconds) = retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(rate) = rate {
            response.extensions_mut().insert(rate);
        }
        if status == StatusCode::UNAUTHORIZED {
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
