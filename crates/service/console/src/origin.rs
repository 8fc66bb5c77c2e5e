//! The origin that a browser uses, and whether a request comes from our own pages.

use axum::http::{HeaderMap, header};
use url::Url;

/// How pages reach the browser, which decides the attributes of cookies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    /// `https`: cookies are `__Host-` and `Secure`.
    Https,
    /// `http` on this machine, where nobody can eavesdrop.
    Loopback,
}

/// `None` if a password would cross a network unencrypted: plain http to another machine.
pub(crate) fn transport(public_url: &str, headers: &HeaderMap) -> Option<Transport> {
    if public_url.starts_with("https://") {
        return Some(Transport::Https);
    }
    let host = Url::parse(&format!("http://{}", host(headers)?)).ok()?;
    let loopback = match host.host()? {
        url::Host::Domain(name) => name == "localhost" || name.ends_with(".localhost"),
        url::Host::Ipv4(address) => address.is_loopback(),
        url::Host::Ipv6(address) => address.is_loopback(),
    };
    loopback.then_some(Transport::Loopback)
}

/// Whether one of our own pages sent a request that changes something. Browsers send `Origin` with every POST, so a
/// request without `Origin` and `Referer` is rejected.
pub(crate) fn is_own(public_url: &str, headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(sender) = text(header::ORIGIN).or_else(|| text(header::REFERER)) else {
        return false;
    };
    let Ok(sender) = Url::parse(sender) else {
        return false;
    };
    let sender = sender.origin();
    let own = |url: &str| Url::parse(url).is_ok_and(|url| url.origin() == sender);
    own(public_url)
        || (transport(public_url, headers) == Some(Transport::Loopback)
            && host(headers).is_some_and(|host| own(&format!("http://{host}"))))
}

fn host(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::HOST)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        let pairs = pairs
            .iter()
            .map(|(name, value)| (name.clone(), value.parse().unwrap()));
        pairs.collect()
    }

    #[test]
    fn plain_http_is_accepted_on_this_machine_only() {
        let at = |public: &str, host: &str| transport(public, &headers(&[(header::HOST, host)]));
        assert_eq!(at("https://a.example", "a.example"), Some(Transport::Https));
        for host in ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "x.localhost"] {
            assert_eq!(
                at("http://127.0.0.1:8080", host),
                Some(Transport::Loopback),
                "{host}"
            );
        }
        for host in ["a.example", "10.0.0.5:8080", "localhost.example"] {
            assert_eq!(at("http://a.example", host), None, "{host}");
        }
    }

    #[test]
    fn only_our_own_pages_may_change_anything() {
        let own = |public: &str, host: &str, origin: &str| {
            is_own(
                public,
                &headers(&[(header::HOST, host), (header::ORIGIN, origin)]),
            )
        };
        assert!(own("https://a.example", "a.example", "https://a.example"));
        assert!(own(
            "http://127.0.0.1:8080",
            "localhost:8080",
            "http://localhost:8080"
        ));
        for origin in [
            "https://b.example",
            "http://a.example",
            "null",
            "https://a.example:444",
        ] {
            assert!(!own("https://a.example", "a.example", origin), "{origin}");
        }
        assert!(!own("https://a.example", "b.example", "https://b.example"));
        assert!(!is_own(
            "https://a.example",
            &headers(&[(header::HOST, "a.example")])
        ));
    }
}
