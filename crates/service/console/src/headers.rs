//! The security headers of every page: what may load and run, and that pages must not be framed or cached.

use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};
use url::Url;

use crate::state::Console;

/// The policy of all pages. Media may come from the host that serves it.
pub(crate) fn policy(media_url: &str) -> String {
    let media =
        Url::parse(media_url).map_or_else(|_| String::new(), |url| url.origin().ascii_serialization());
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; \
         img-src 'self' {media} blob: data:; media-src 'self' {media} blob:; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'"
    )
}

/// Adds the headers. Pages are not cached unless their handler allows it.
pub(crate) async fn add(State(console): State<Console>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, console.policy.clone());
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), microphone=(), geolocation=()",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}
