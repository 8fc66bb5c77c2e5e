//! A server that the operator named: its address and key, and how requests to it begin.

use atelier_domain::Failure;
use atelier_outbound::Outbound;
use reqwest::{RequestBuilder, Response, header::HeaderValue};
use url::Url;

use super::{
    exchange::{misconfigured, misread, unreachable},
    profile::Auth,
};

/// The longest answer that is read as JSON; pictures in Base64 stand in it.
const MAX_ANSWER: usize = 256 << 20;
const SHORTEST_KEY: usize = 4;
/// What stands in a key's place.
const MASK: &[u8] = b"***";

#[derive(Debug)]
pub(crate) struct Remote {
    pub url: Url,
    pub auth: Option<Auth>,
    pub key: Option<String>,
    /// Reaches what the operator configured, wherever it is.
    pub client: Outbound,
}

impl Remote {
    /// Begins a request to a path below the origin, or to an address that the server gave.
    pub(crate) fn request(&self, method: reqwest::Method, address: &str) -> Result<RequestBuilder, Failure> {
        let url = self
            .address(address)
            .map_err(|error| misconfigured(&format!("{address}: {error}")))?;
        let request = self
            .client
            .request(method, &url)
            .map_err(|refused| misconfigured(&refused.to_string()))?;
        Ok(match (&self.auth, &self.key) {
            // The key goes to the operator's server alone, never to an address elsewhere that an answer names.
            (Some(Auth { header, value }), Some(key)) if self.is_own(&url) => {
                let text = value.replace("{key}", key);
                let mut value = HeaderValue::from_str(&text)
                    .map_err(|_| misconfigured("the key has characters that no header can have"))?;
                // Logs of the client's own do not show it.
                value.set_sensitive(true);
                request.header(header, value)
            }
            _ => request,
        })
    }

    /// Reads an answer to its end, without the key, which some servers repeat when they refuse it.
    pub(crate) async fn read(&self, answer: Response) -> Result<Vec<u8>, Failure> {
        Ok(self.masked(read(answer).await?))
    }

    /// A failure whose message does not show the key.
    pub(crate) fn discreet(&self, failure: Failure) -> Failure {
        let message = self.masked(failure.message.into_bytes());
        Failure {
            message: String::from_utf8_lossy(&message).into_owned(),
            ..failure
        }
    }

    fn masked(&self, bytes: Vec<u8>) -> Vec<u8> {
        let key = self.key.as_deref().unwrap_or_default().as_bytes();
        // What is as short as that is no secret, and stands everywhere.
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

    pub(crate) fn address(&self, address: &str) -> Result<Url, url::ParseError> {
        if address.starts_with("http://") || address.starts_with("https://") {
            return Url::parse(address);
        }
        let base = self.url.as_str().trim_end_matches('/');
        Url::parse(&format!("{base}/{}", address.trim_start_matches('/')))
    }

    /// Whether an address is the server's own, as configured.
    pub(crate) fn is_own(&self, url: &Url) -> bool {
        url.origin() == self.url.origin()
    }
}

async fn read(mut answer: Response) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while let Some(more) = answer.chunk().await.map_err(|error| unreachable(&error))? {
        if bytes.len() + more.len() > MAX_ANSWER {
            return Err(misread("the answer is too long"));
        }
        bytes.extend_from_slice(&more);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use atelier_domain::FailureCode;
    use atelier_outbound::{Guard, Timeouts};

    use super::*;

    fn remote(key: &str) -> Remote {
        let second = Duration::from_secs(1);
        let timeouts = Timeouts {
            connect: second,
            read: second,
            total: second,
        };
        Remote {
            url: "http://127.0.0.1:9".parse().unwrap(),
            auth: Some(Auth::bearer()),
            key: Some(key.to_owned()),
            client: Outbound::new(Guard { allow_private: true }, timeouts).unwrap(),
        }
    }

    #[test]
    fn a_key_that_is_repeated_is_masked() {
        let remote = remote("sk-secret");
        let said = "sk-secret is wrong; sk-sk-secret".to_owned();
        assert_eq!(remote.masked(said.clone().into_bytes()), b"*** is wrong; sk-***");
        let failure = remote.discreet(Failure::fail(FailureCode::GenerationFailed, said));
        assert_eq!(failure.message, "*** is wrong; sk-***");
        let request = remote
            .request(reqwest::Method::GET, "/")
            .unwrap()
            .build()
            .unwrap();
        assert!(!format!("{request:?}").contains("sk-secret"), "{request:?}");
    }

    #[test]
    fn a_key_that_cannot_be_sent_is_the_operators_mistake_and_not_shown() {
        let failure = remote("sk\nsecret")
            .request(reqwest::Method::GET, "/")
            .unwrap_err();
        assert_eq!(failure.message, "the engine is not available");
    }
}
