//! `X-Request-Id` on every answer, the count of requests, and a plain answer where a handler panics.

use std::{any::Any, time::Instant};

use atelier_app::App;
use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tracing::Instrument;

use crate::error::ApiError;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Gives the request an id (its own, where it brings a usable one), logs and counts it.
pub(crate) async fn trace(State(app): State<App>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let id = request
        .headers()
        .get(&REQUEST_ID)
        .filter(|id| usable(id))
        .cloned()
        .unwrap_or_else(|| {
            let id = app.entropy().uuid(app.now());
            HeaderValue::from_str(&id.to_string()).expect("a UUID is visible ASCII")
        });
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("unmatched", MatchedPath::as_str);
    let method = request.method().clone();
    let span = tracing::debug_span!("request", id = id.to_str().unwrap_or_default(), %method, route);

    let mut response = next.run(request).instrument(span.clone()).await;

    let (status, elapsed) = (response.status(), begun.elapsed());
    let labels = [
        ("method", method.as_str().to_owned()),
        ("route", route.to_owned()),
        ("status", status.as_str().to_owned()),
    ];
    metrics::counter!("atelier_http_requests_total", &labels).increment(1);
    metrics::histogram!("atelier_http_request_seconds", "route" => route.to_owned()).record(elapsed);
    span.in_scope(|| tracing::debug!(status = status.as_u16(), ms = elapsed.as_millis(), "answered"));
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

fn usable(id: &HeaderValue) -> bool {
    (1..=128).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic)
}

/// What a client is told when a handler panics: nothing of it.
#[expect(clippy::needless_pass_by_value, reason = "the layer wants this signature")]
pub(crate) fn panicked(cause: Box<dyn Any + Send>) -> Response {
    let cause = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| cause.downcast_ref::<&str>().copied())
        .unwrap_or("of an unknown kind");
    tracing::error!(cause, "a handler panicked");
    ApiError::internal().into_response()
}
