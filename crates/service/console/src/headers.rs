//! The security headers of every page: what may load and run, and that pages must not be framed or cached.

use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};
use url::Url;

/// The Content-Security-Policy of all pages. Media may come from the hosts that serve them.
pub(crate) fn policy(media_urls: [&str; 2]) -> HeaderValue {
    let origin =
        |url| Url::parse(url).map_or_else(|_| String::new(), |url| url.origin().ascii_serialization());
    let [first, second] = media_urls.map(origin);
    let media = if first == second {
        first
    } else {
        format!("{first} {second}")
    };
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; \
         img-src 'self' {media} blob: data:; media-src 'self' {media} blob:; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'"
    );
    // A URL's origin is ASCII, so the fallback is never used.
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// Adds the headers. Pages are not cached unless their handler allows it.
pub(crate) async fn add(State(policy): State<HeaderValue>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
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
