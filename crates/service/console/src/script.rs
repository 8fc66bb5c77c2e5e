//! Requests that the script of a page makes.

use axum::http::HeaderMap;

/// Whether a script requests a part of a page.
pub(crate) fn is_script(headers: &HeaderMap) -> bool {
    headers.contains_key("hx-request")
}
