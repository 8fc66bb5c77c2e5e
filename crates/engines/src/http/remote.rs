//! A server that the operator named: its address and key, and how requests to it begin.

use atelier_domain::Failure;
use atelier_media::Outbound;
use reqwest::{RequestBuilder, Response};
use url::Url;

use super::{
    exchange::{misconfigured, misread, unreachable},
    profile::Auth,
};

/// The longest answer that is read as JSON; pictures in Base64 stand in it.
const MAX_ANSWER: usize = 256 << 20;

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
                request.header(header, value.replace("{key}", key))
            }
            _ => request,
        })
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

/// Reads an answer to its end.
pub(crate) async fn read(mut answer: Response) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while let Some(more) = answer.chunk().await.map_err(|error| unreachable(&error))? {
        if bytes.len() + more.len() > MAX_ANSWER {
            return Err(misread("the answer is too long"));
        }
        bytes.extend_from_slice(&more);
    }
    Ok(bytes)
}
