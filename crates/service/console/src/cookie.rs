//! The cookies: for the session, for forms before signing in, for what a page shows once, for the theme.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::origin::Transport;

/// The theme is not a secret: scripts set it too, and its name is the same everywhere.
pub(crate) const THEME: &str = "atelier-theme";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secret {
    /// Identifies the session of a signed-in user.
    Session,
    /// The state that a browser keeps while somebody signs in at the OpenID provider.
    Oidc,
    /// Ties a form to the browser that it was shown to before signing in.
    Visitor,
    /// The texts that the next page shows only once.
    Once,
}

impl Secret {
    /// With the prefix, browsers accept the cookie only from this host over https. On loopback they would reject it.
    fn name(self, transport: Transport) -> &'static str {
        match (self, transport) {
            (Self::Session, Transport::Https) => "__Host-atelier-session",
            (Self::Visitor, Transport::Https) => "__Host-atelier-visitor",
            (Self::Once, Transport::Https) => "__Host-atelier-once",
            (Self::Once, Transport::Loopback) => "atelier-once",
            (Self::Oidc, Transport::Https) => "__Host-atelier-oidc",
            (Self::Oidc, Transport::Loopback) => "atelier-oidc",
            (Self::Session, Transport::Loopback) => "atelier-session",
            (Self::Visitor, Transport::Loopback) => "atelier-visitor",
        }
    }

    pub(crate) fn read(self, transport: Transport, headers: &HeaderMap) -> Option<&str> {
        read(self.name(transport), headers)
    }

    /// A `Set-Cookie` header for a cookie that lasts `max_age` seconds. Zero removes the cookie.
    pub(crate) fn set(self, transport: Transport, value: &str, max_age: u64) -> HeaderValue {
        let secure = if transport == Transport::Https {
            "; Secure"
        } else {
            ""
        };
        let name = self.name(transport);
        let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={max_age}{secure}");
        HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
    }
}

/// The value of the first cookie of this name.
pub(crate) fn read<'a>(name: &str, headers: &'a HeaderMap) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(given, value)| (given == name).then_some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_https_the_session_is_bound_to_the_host() {
        let header = Secret::Session.set(Transport::Https, "abc", 60);
        assert_eq!(
            header.to_str().unwrap(),
            "__Host-atelier-session=abc; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure"
        );
    }

    #[test]
    fn on_loopback_the_cookie_has_a_plain_name_and_is_not_secure() {
        let header = Secret::Session.set(Transport::Loopback, "abc", 60);
        assert_eq!(
            header.to_str().unwrap(),
            "atelier-session=abc; Path=/; HttpOnly; SameSite=Lax; Max-Age=60"
        );
    }

    #[test]
    fn a_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, "a=1; atelier-session=x=y; b=2".parse().unwrap());
        assert_eq!(Secret::Session.read(Transport::Loopback, &headers), Some("x=y"));
        assert_eq!(Secret::Session.read(Transport::Https, &headers), None);
    }
}
