//! What surrounds every route of the API: limits on the body, an answer to panics, `X-Request-Id`, and a log line and
//! metrics for every request. It is one function, because a router boxes and clones every request once per layer.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Instant};

use atelier_app::{App, requests::Answered};
use atelier_domain::GenerationId;
use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::Response,
};
use futures::FutureExt as _;
use ipnet::IpNet;
use tracing::Instrument;

use crate::{
    client_address::TrustedProxies,
    counts::{count_request, panicked, route_label},
    drain_body::drained,
    gate::Asked,
    openai,
    slow_body::{SlowBodyTimeout, timed},
};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What it needs of the service.
#[derive(Debug, Clone)]
pub(crate) struct Around {
    app: App,
    trusted_proxies: TrustedProxies,
    slow_body: SlowBodyTimeout,
}

impl Around {
    pub(crate) fn new(app: &App, trusted_proxies: Arc<[IpNet]>, slow_body: SlowBodyTimeout) -> Self {
        Self {
            app: app.clone(),
            trusted_proxies: TrustedProxies(trusted_proxies),
            slow_body,
        }
    }
}

/// Passes a request on with limits on its body; see [`trace`] for the rest.
pub(crate) async fn around(State(around): State<Around>, mut request: Request, next: Next) -> Response {
    request.extensions_mut().insert(around.trusted_proxies);
    let request = drained(timed(request, around.slow_body));
    trace(&around.app, request, next).await
}

/// Gives the request an id, unless the client sent a usable one. Logs and counts the request.
async fn trace(app: &App, request: Request, next: Next) -> Response {
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

    let answer = AssertUnwindSafe(next.run(request)).catch_unwind();
    let mut response = answer.instrument(span.clone()).await.unwrap_or_else(panicked);

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
