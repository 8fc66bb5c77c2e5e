//! A posted form: names with one or more values, in the order of the page.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
};

/// The longest form: lyrics of 20,000 characters of four bytes each, percent-encoded, and some more.
const MAX_BYTES: usize = 512 << 10;

#[derive(Debug, Clone, Default)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        Self(form_urlencoded::parse(bytes).into_owned().collect())
    }

    /// The last value of a name. A ticked box comes after the hidden field with the value of an unticked one.
    pub(crate) fn get(&self, name: &str) -> &str {
        let found = self.0.iter().rev().find(|(given, _)| given == name);
        found.map_or("", |(_, value)| value.as_str())
    }

    /// The trimmed value, if it is not empty.
    pub(crate) fn given(&self, name: &str) -> Option<&str> {
        Some(self.get(name).trim()).filter(|value| !value.is_empty())
    }

    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.0.iter().filter(move |(given, _)| given == name);
        named.map(|(_, value)| value.as_str())
    }
}

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = Response;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Response> {
        if !is_form(request.headers()) {
            return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE.into_response());
        }
        let bytes: Bytes = axum::body::to_bytes(request.into_body(), MAX_BYTES)
            .await
            .map_err(|_| StatusCode::PAYLOAD_TOO_LARGE.into_response())?;
        Ok(Self::parse(&bytes))
    }
}

fn is_form(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.starts_with("application/x-www-form-urlencoded"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_several_values_counts_and_all_can_be_read() {
        let form = Form::parse(b"on=false&on=true&url=a&url=b%26c&name=+x+");
        assert_eq!(form.get("on"), "true");
        assert_eq!(form.all("url").collect::<Vec<_>>(), ["a", "b&c"]);
        assert_eq!(form.given("name"), Some("x"));
        assert_eq!(form.given("absent"), None);
    }
}
