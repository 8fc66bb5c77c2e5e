//! `X-Request-Id` on every answer, and a log line and metrics for every request.

use std::time::Instant;

use atelier_app::App;
use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::Response,
};
use tracing::Instrument;

use crate::counts::{count_request, route_label};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Gives the request an id, unless the client sent a usable one. Logs and counts the request.
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
    let method = request.method().clone();
    let span = tracing::debug_span!(
        "request",
        id = id.to_str().unwrap_or_default(),
        %method,
        route = route_label(route.as_ref())
    );

    let mut response = next.run(request).instrument(span.clone()).await;

    let (status, elapsed) = (response.status(), begun.elapsed());
    count_request(&method, route.as_ref(), status, elapsed);
    span.in_scope(|| tracing::debug!(status = status.as_u16(), ms = elapsed.as_millis(), "answered"));
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

fn usable(id: &HeaderValue) -> bool {
    (1..=128).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic)
}
