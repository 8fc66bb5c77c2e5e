//! An external server: its address and key, and the requests that may be sent to it and to the addresses it names.

use atelier_domain::Failure;
use atelier_outbound::Outbound;
use reqwest::{Method, RequestBuilder, Response, header::HeaderValue};
use serde::Deserialize;
use url::Url;

use super::{
    address::is_at_one_of,
    failures::{misconfigured, unreachable, unusable_answer},
};

/// Shorter keys are not masked: they are not secrets, and their text occurs everywhere.
const SHORTEST_KEY: usize = 4;
/// Replaces a key in answers and messages.
const MASK: &[u8] = b"***";

/// How the engine's key is sent.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Auth {
    pub header: String,
    /// `{key}` is replaced by the key.
    #[serde(default = "bearer")]
    pub value: String,
}

fn bearer() -> String {
    "Bearer {key}".to_owned()
}

impl Auth {
    /// As a bearer token.
    pub(crate) fn bearer() -> Self {
        Self {
            header: "authorization".to_owned(),
            value: bearer(),
        }
    }
}

/// The limits on what one job may take from a server.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The longest answer, or event of an answer, that is read into memory, in bytes. It may contain Base64 pictures.
    pub answer: usize,
    /// The most output files.
    pub files: usize,
    /// The most bytes of all output files together.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            answer: 256 << 20,
            files: 256,
            bytes: 2 << 30,
        }
    }
}

#[derive(Debug)]
pub(crate) struct RemoteServer {
    pub url: Url,
    pub auth: Option<Auth>,
    pub key: Option<String>,
    /// Other hosts that control requests may go to. They do not get the key.
    pub hosts: Vec<String>,
    /// Reaches the operator's server, on a private network too.
    pub own: Outbound,
    /// Reaches addresses that answers name, through the outbound guard.
    pub guarded: Outbound,
    pub limits: Limits,
}

impl RemoteServer {
    /// Builds a request to a path below the server's URL, or to an absolute URL. Only for addresses that the operator's
    /// configuration or this program names.
    pub(crate) fn request(&self, method: Method, address: &str) -> Result<RequestBuilder, Failure> {
        let url = self
            .resolve(address)
            .map_err(|error| misconfigured(&format!("{address}: {error}")))?;
        self.request_own(method, &url).map_err(|why| misconfigured(&why))
    }

    /// Builds a request about a job (poll, result, cancel) to an address that an answer of the server names: at the
    /// server's own origin, or through the guard at a host that the profile lists.
    pub(crate) fn control_request(&self, method: Method, address: &str) -> Result<RequestBuilder, Failure> {
        let url = self
            .resolve(address)
            .map_err(|_| unusable_answer("it names an invalid address"))?;
        if self.is_own(&url) {
            return self
                .request_own(method, &url)
                .map_err(|why| unusable_answer(&why));
        }
        let host = url.host_str().unwrap_or_default();
        if !is_at_one_of(&url, &self.hosts) {
            let why = format!("it names an address at `{host}`, a host that its profile does not list");
            return Err(unusable_answer(&why));
        }
        self.guarded
            .request(method, &url)
            .map_err(|refused| unusable_answer(&refused.to_string()))
    }

    /// Builds a request for an output file: at the server, or through the guard anywhere else. The key goes to the
    /// server only.
    pub(crate) fn download_request(&self, url: &Url) -> Result<RequestBuilder, Failure> {
        if self.is_own(url) {
            return self
                .request_own(Method::GET, url)
                .map_err(|why| unusable_answer(&why));
        }
        self.guarded
            .get(url)
            .map_err(|refused| unusable_answer(&refused.to_string()))
    }

    fn request_own(&self, method: Method, url: &Url) -> Result<RequestBuilder, String> {
        let request = self
            .own
            .request(method, url)
            .map_err(|refused| refused.to_string())?;
        match (&self.auth, &self.key) {
            (Some(Auth { header, value }), Some(key)) if self.is_own(url) => {
                let text = value.replace("{key}", key);
                let mut value = HeaderValue::from_str(&text)
                    .map_err(|_| "the key contains characters that a header cannot have")?;
                // Keeps the key out of the client's own logs.
                value.set_sensitive(true);
                Ok(request.header(header, value))
            }
            _ => Ok(request),
        }
    }

    /// Reads an answer to its end and masks the key, which some servers repeat when they refuse it.
    pub(crate) async fn read(&self, mut answer: Response) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        while let Some(more) = answer.chunk().await.map_err(|error| unreachable(&error))? {
            if bytes.len() + more.len() > self.limits.answer {
                let most = self.limits.answer;
                return Err(unusable_answer(&format!("it is longer than {most} bytes")));
            }
            bytes.extend_from_slice(&more);
        }
        Ok(self.masked(bytes))
    }

    /// The same failure with the key masked in its message.
    pub(crate) fn without_key(&self, failure: Failure) -> Failure {
        let message = self.masked(failure.message.into_bytes());
        Failure {
            message: String::from_utf8_lossy(&message).into_owned(),
            ..failure
        }
    }

    fn masked(&self, bytes: Vec<u8>) -> Vec<u8> {
        let key = self.key.as_deref().unwrap_or_default().as_bytes();
        if key.len() < SHORTEST_KEY || !bytes.windows(key.len()).any(|found| found == key) {
            return bytes;
        }
        let mut masked = Vec::with_capacity(bytes.len());
        let mut rest = &bytes[..];
        while let Some((&first, later)) = rest.split_first() {
            if let Some(after) = rest.strip_prefix(key) {
                masked.extend(MASK);
                rest = after;
            } else {
                masked.push(first);
                rest = later;
            }
        }
        masked
    }

    /// An absolute URL as it is; any other text as a path below the server's URL.
    pub(crate) fn resolve(&self, address: &str) -> Result<Url, url::ParseError> {
        if address.starts_with("http://") || address.starts_with("https://") {
            return Url::parse(address);
        }
        let base = self.url.as_str().trim_end_matches('/');
        Url::parse(&format!("{base}/{}", address.trim_start_matches('/')))
    }

    fn is_own(&self, url: &Url) -> bool {
        url.origin() == self.url.origin()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use atelier_domain::FailureCode;
    use atelier_outbound::{Guard, Timeouts};

    use super::*;

    fn server(key: &str) -> RemoteServer {
        let second = Duration::from_secs(1);
        let timeouts = Timeouts {
            connect: second,
            read: second,
            total: second,
        };
        let client = |allow_private| Outbound::new(Guard { allow_private }, timeouts).unwrap();
        RemoteServer {
            url: "http://127.0.0.1:9/base".parse().unwrap(),
            auth: Some(Auth::bearer()),
            key: Some(key.to_owned()),
            hosts: vec!["queue.example".to_owned(), "10.0.0.9".to_owned()],
            own: client(true),
            guarded: client(false),
            limits: Limits::default(),
        }
    }

    #[test]
    fn a_key_that_a_server_repeats_is_masked() {
        let server = server("sk-secret");
        let said = "sk-secret is wrong; sk-sk-secret".to_owned();
        assert_eq!(server.masked(said.clone().into_bytes()), b"*** is wrong; sk-***");
        let failure = server.without_key(Failure::fail(FailureCode::GenerationFailed, said));
        assert_eq!(failure.message, "*** is wrong; sk-***");
        let request = server.request(Method::GET, "/").unwrap().build().unwrap();
        assert!(!format!("{request:?}").contains("sk-secret"), "{request:?}");
    }

    #[test]
    fn a_key_that_cannot_be_sent_is_a_misconfiguration_and_is_not_shown() {
        let failure = server("sk\nsecret").request(Method::GET, "/").unwrap_err();
        assert_eq!(failure.message, "the engine is not available");
    }

    #[test]
    fn control_requests_go_to_the_servers_origin_or_to_hosts_that_the_profile_lists() {
        let server = server("sk-secret");
        let allowed = [
            ("/jobs/1", "http://127.0.0.1:9/base/jobs/1", true),
            ("//evil.example/x", "http://127.0.0.1:9/base/evil.example/x", true),
            ("http://127.0.0.1:9/other", "http://127.0.0.1:9/other", true),
            ("https://queue.example/x", "https://queue.example/x", false),
        ];
        for (address, expected, has_key) in allowed {
            let request = server.control_request(Method::PUT, address).unwrap();
            let request = request.build().unwrap();
            assert_eq!(request.url().as_str(), expected);
            assert_eq!(
                request.headers().contains_key("authorization"),
                has_key,
                "{address}"
            );
        }
        let refused = [
            (
                "http://127.0.0.1:10/jobs/1",
                "`127.0.0.1`, a host that its profile",
            ),
            (
                "https://127.0.0.1:9/jobs/1",
                "`127.0.0.1`, a host that its profile",
            ),
            ("http://169.254.169.254/latest", "`169.254.169.254`, a host that"),
            (
                "https://evil.example/x",
                "`evil.example`, a host that its profile",
            ),
            ("https://queue.example:8443/x", "`queue.example`, a host that its"),
            ("http://127.0.0.1:9@evil.example/x", "`evil.example`, a host that"),
            ("http://user:pass@127.0.0.1:9/x", "user name or password"),
            ("https://user:pass@queue.example/x", "user name or password"),
            // The guard applies to hosts that the profile lists, too.
            ("http://10.0.0.9/x", "not a public host"),
            ("http://", "it names an invalid address"),
        ];
        for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE] {
            for (address, expected) in refused {
                let failure = server.control_request(method.clone(), address).unwrap_err();
                assert!(failure.message.contains(expected), "{address}: {failure}");
            }
        }
    }
}
