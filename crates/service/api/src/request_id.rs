//! `X-Request-Id` on every answer, and a log line and metrics for every request.

use std::time::Instant;

use atelier_app::{App, requests::Answered};
use atelier_domain::GenerationId;
use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::Response,
};
use tracing::Instrument;

use crate::{
    counts::{count_request, route_label},
    gate::Asked,
    openai,
};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Gives the request an id, unless the client sent a usable one. Logs and counts the request.
pub(crate) async fn trace(State(app): State<App>, request: Request, next: Next) -> Response {
    let (begun, arrived) = (Instant::now(), app.now());
    let id = request
        .headers()
        .get(&REQUEST_ID)
        .filter(|id| usable(id))
        .cloned()
        .unwrap_or_else(|| {
            let id = app.entropy().uuid(arrived);
            HeaderValue::from_str(&id.to_string()).expect("a UUID is visible ASCII")
        });
    let route = request.extensions().get::<MatchedPath>().cloned();
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let span = tracing::debug_span!(
        "request",
        id = id.to_str().unwrap_or_default(),
        %method,
        route = route_label(route.as_ref())
    );

    let mut response = next.run(request).instrument(span.clone()).await;

    let (status, elapsed) = (response.status(), begun.elapsed());
    if let Some(Asked { asker, code }) = response.extensions_mut().remove() {
        let seen = Answered {
            at: arrived,
            method: method.as_str(),
            path: uri.path(),
            status: status.as_u16(),
            code,
            latency: elapsed,
            request_id: id.to_str().unwrap_or_default(),
            generation: created(&response),
        };
        app.log_request(asker, &seen);
    }
    count_request(&method, route.as_ref(), status, elapsed);
    span.in_scope(|| tracing::debug!(status = status.as_u16(), ms = elapsed.as_millis(), "answered"));
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// The job that a request created, as its answer names it.
fn created(response: &Response) -> Option<GenerationId> {
    let headers = response.headers();
    let id = match response.status() {
        StatusCode::CREATED => headers.get(header::LOCATION)?.to_str().ok()?.rsplit('/').next()?,
        _ => headers.get(&openai::GENERATION_ID)?.to_str().ok()?,
    };
    id.parse().ok()
}

fn usable(id: &HeaderValue) -> bool {
    (1..=128).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic)
}
