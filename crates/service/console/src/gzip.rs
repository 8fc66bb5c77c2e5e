//! Compression with gzip, for clients that accept it.

use std::io::Write as _;

use axum::{
    body::{Body, to_bytes},
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use flate2::{Compression, write::GzEncoder};

/// Whether a request accepts gzip.
pub(crate) fn is_accepted(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|encodings| encodings.split(',').any(|one| one.trim().starts_with("gzip")))
}

pub(crate) fn gzip(bytes: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    // Writing to memory cannot fail.
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.unwrap_or_else(|_| bytes.to_vec())
}

/// A page in the form that the request accepts. Only for pages that repeat nothing from the request: otherwise their
/// size would tell secrets in them (BREACH).
pub(crate) async fn compressed(response: Response, request: &HeaderMap) -> Response {
    let (mut parts, body) = response.into_parts();
    let vary = HeaderValue::from_static("Accept-Encoding");
    parts.headers.append(header::VARY, vary);
    if !is_accepted(request) {
        return Response::from_parts(parts, body);
    }
    // It is in memory already.
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        return Response::from_parts(parts, Body::empty());
    };
    let gzip = HeaderValue::from_static("gzip");
    parts.headers.insert(header::CONTENT_ENCODING, gzip);
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(self::gzip(&bytes, Compression::fast())))
}
