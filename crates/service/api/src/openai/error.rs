//! Errors in the form of OpenAI's interface: `{"error": {"message", "type", "param", "code"}}`. They are made from the
//! API's own error table, so each error is rendered and logged in one place.

use atelier_domain::{Failure, FailureCode};
use axum::{
    Json,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use crate::{
    error::{ApiError, Refusal},
    gate::Asked,
};

/// OpenAI's clients repeat requests after some statuses, unless the answer has this header.
const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");

/// A model that does not exist.
pub(super) const NO_MODEL: &str = "model_not_found";

/// How a refusal is told: status, type and code.
fn told(refusal: &Refusal) -> (StatusCode, &'static str, Option<&'static str>) {
    let status = refusal.status;
    match refusal.code {
        "invalid_api_key" => (status, "invalid_request_error", Some("invalid_api_key")),
        "api_disabled" => (status, "permission_error", Some("api_disabled")),
        "insufficient_credits" => (
            StatusCode::TOO_MANY_REQUESTS,
            "insufficient_quota",
            Some("insufficient_quota"),
        ),
        // Their clients know no other code that means "wait".
        "rate_limit" | "rate_limited" | "queue_full" => (
            StatusCode::TOO_MANY_REQUESTS,
            "rate_limit_error",
            Some("rate_limit_exceeded"),
        ),
        "invalid_request" => (status, "invalid_request_error", None),
        "unavailable" | "internal_error" => (status, "server_error", None),
        code if status.is_server_error() => (status, "server_error", Some(code)),
        code => (status, "invalid_request_error", Some(code)),
    }
}

/// The body of an error.
fn body(refusal: &Refusal) -> Value {
    let (_, kind, code) = told(refusal);
    json!({
        "message": refusal.message,
        "type": kind,
        "param": refusal.details.first().map(|problem| &problem.parameter),
        "code": code,
    })
}

/// An error inside of a stream of events that has begun.
pub(super) fn event(error: ApiError) -> Value {
    json!({ "type": "error", "error": body(&error.refusal()) })
}

/// Turns an error of the API into one of OpenAI's. Other answers pass.
pub(super) async fn in_their_form(mut response: Response) -> Response {
    let Some(refusal) = response.extensions_mut().remove::<Refusal>() else {
        return response;
    };
    let asked = response.extensions_mut().remove::<Asked>();
    let (status, _, code) = told(&refusal);
    let mut theirs = (status, Json(json!({ "error": body(&refusal) }))).into_response();
    for (name, value) in response.headers() {
        if *name != header::CONTENT_TYPE && *name != header::CONTENT_LENGTH {
            theirs.headers_mut().insert(name, value.clone());
        }
    }
    if let Some(asked) = asked {
        theirs.extensions_mut().insert(asked);
    }
    if code == Some("insufficient_quota") {
        theirs
            .headers_mut()
            .insert(SHOULD_RETRY, HeaderValue::from_static("false"));
    }
    theirs
}

/// The error of a job that failed.
pub(super) fn of_job(failure: &Failure) -> ApiError {
    let (status, code) = match failure.code {
        FailureCode::InsufficientCredits => (StatusCode::TOO_MANY_REQUESTS, "insufficient_credits"),
        FailureCode::ContentPolicyViolation => (StatusCode::BAD_REQUEST, "content_policy_violation"),
        FailureCode::GenerationTimeout => (StatusCode::GATEWAY_TIMEOUT, "generation_timeout"),
        FailureCode::RateLimited => (StatusCode::TOO_MANY_REQUESTS, "rate_limited"),
        FailureCode::InvalidInput => (StatusCode::BAD_REQUEST, "invalid_input"),
        FailureCode::GenerationFailed => (StatusCode::INTERNAL_SERVER_ERROR, "generation_failed"),
    };
    ApiError::with_code(status, code, failure.message.clone())
}

/// The answer for a job that failed. Another request would make, and charge, a new job, so clients are told not to send
/// one by themselves.
pub(super) fn failed(error: ApiError) -> Response {
    let mut response = error.into_response();
    response
        .headers_mut()
        .insert(SHOULD_RETRY, HeaderValue::from_static("false"));
    response
}
