//! The address of the client behind proxies.

use std::{
    convert::Infallible,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use axum::{
    extract::{ConnectInfo, FromRequestParts},
    http::{Extensions, HeaderMap, HeaderName, request::Parts},
};
use ipnet::IpNet;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The last address, from the peer backwards over all `X-Forwarded-For` headers, that is not a trusted proxy.
///
/// Every proxy appends the address that it was called from, so only what trusted proxies appended is true. A client
/// can put anything before that. An entry that is not an address ends the search.
pub fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
    let mut client = peer.to_canonical();
    let headers = headers.get_all(X_FORWARDED_FOR).iter();
    let lists: Vec<_> = headers.map(|list| list.to_str().unwrap_or("")).collect();
    let entries = lists.iter().rev().flat_map(|list| list.rsplit(','));
    for entry in entries {
        if !is_trusted(client) {
            break;
        }
        match parse(entry.trim()) {
            Some(address) => client = address.to_canonical(),
            None => break,
        }
    }
    client
}

/// The proxies that are trusted to name the address of a client.
#[derive(Debug, Clone, Default)]
pub(crate) struct TrustedProxies(pub(crate) Arc<[IpNet]>);

/// The other end of a request, whose address is found when somebody asks.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    peer: Option<IpAddr>,
    trusted: TrustedProxies,
}

impl Client {
    pub(crate) fn of(extensions: &Extensions) -> Self {
        let peer = extensions.get::<ConnectInfo<SocketAddr>>();
        Self {
            peer: peer.map(|peer| peer.0.ip()),
            trusted: extensions.get().cloned().unwrap_or_default(),
        }
    }

    /// The address of the client, behind any trusted proxies.
    pub(crate) fn address(&self, headers: &HeaderMap) -> Option<IpAddr> {
        Some(client_address(self.peer?, headers, &self.trusted.0))
    }
}

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.extensions))
    }
}

/// An address, with or without a port: some proxies add one.
fn parse(entry: &str) -> Option<IpAddr> {
    let with_port = |entry: &str| entry.parse::<std::net::SocketAddr>().map(|address| address.ip());
    let bracketed = || entry.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    entry
        .parse()
        .ok()
        .or_else(|| with_port(entry).ok())
        .or_else(bracketed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The client's address for this peer, these headers and these trusted networks.
    fn client(peer: &str, headers: &[&str], trusted: &[&str]) -> String {
        let mut map = HeaderMap::new();
        for header in headers {
            map.append(X_FORWARDED_FOR, header.parse().unwrap());
        }
        let trusted: Vec<IpNet> = trusted.iter().map(|network| network.parse().unwrap()).collect();
        client_address(peer.parse().unwrap(), &map, &trusted).to_string()
    }

    #[test]
    fn without_trusted_proxies_the_header_means_nothing() {
        assert_eq!(client("127.0.0.1", &["192.0.2.7"], &[]), "127.0.0.1");
        assert_eq!(
            client("203.0.113.5", &["192.0.2.7"], &["10.0.0.0/8"]),
            "203.0.113.5"
        );
    }

    #[test]
    fn the_last_untrusted_address_is_the_clients() {
        let trusted = ["10.0.0.0/8", "127.0.0.1/32"];
        assert_eq!(client("127.0.0.1", &["192.0.2.7"], &trusted), "192.0.2.7");
        assert_eq!(
            client("127.0.0.1", &["192.0.2.7, 10.1.1.1"], &trusted),
            "192.0.2.7"
        );
        assert_eq!(client("127.0.0.1", &[], &trusted), "127.0.0.1");
        assert_eq!(client("127.0.0.1", &["10.1.1.1"], &trusted), "10.1.1.1");
    }

    #[test]
    fn addresses_that_a_client_makes_up_are_not_believed() {
        let trusted = ["127.0.0.1/32"];
        assert_eq!(
            client("127.0.0.1", &["1.1.1.1, 192.0.2.7"], &trusted),
            "192.0.2.7"
        );
        assert_eq!(
            client("127.0.0.1", &["1.1.1.1", "192.0.2.7"], &trusted),
            "192.0.2.7",
            "two headers"
        );
        assert_eq!(
            client("127.0.0.1", &["127.0.0.1, 192.0.2.7"], &trusted),
            "192.0.2.7"
        );
    }

    #[test]
    fn an_entry_that_is_not_an_address_ends_the_search() {
        let trusted = ["127.0.0.1/32"];
        assert_eq!(
            client("127.0.0.1", &["192.0.2.7, unknown"], &trusted),
            "127.0.0.1"
        );
        assert_eq!(client("127.0.0.1", &[""], &trusted), "127.0.0.1");
    }

    #[test]
    fn ports_brackets_and_mapped_addresses_are_understood() {
        let trusted = ["127.0.0.1/32"];
        assert_eq!(
            client("::ffff:127.0.0.1", &["192.0.2.7:4711"], &trusted),
            "192.0.2.7"
        );
        assert_eq!(
            client("127.0.0.1", &["[2001:db8::1]:4711"], &trusted),
            "2001:db8::1"
        );
        assert_eq!(client("127.0.0.1", &["[2001:db8::1]"], &trusted), "2001:db8::1");
        assert_eq!(client("127.0.0.1", &["::ffff:192.0.2.7"], &trusted), "192.0.2.7");
    }
}
