//! The HTTP client for addresses that come from outside: webhooks, inputs and what engines answer.
//! Every request it sends has passed the guard.

use std::{fmt, sync::Arc, time::Duration};

use reqwest::{Method, RequestBuilder};
use url::Url;

use crate::{
    Guard, Refused,
    resolve::{Filtered, Lookup, SystemLookup},
    tls,
};

/// Time limits for one exchange.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    pub connect: Duration,
    /// Between two reads of the response.
    pub read: Duration,
    /// From the start of the request to the last byte of the response.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            read: Duration::from_secs(10),
            total: Duration::from_secs(10),
        }
    }
}

/// A guarded client with its own pool of connections. Clones share the pool.
#[derive(Clone)]
pub struct Outbound {
    guard: Guard,
    client: reqwest::Client,
}

/// The client could not be built. No address or setting can cause this.
#[derive(Debug, thiserror::Error)]
#[error("cannot set up the HTTP client: {0}")]
pub struct SetupError(#[from] reqwest::Error);

impl Outbound {
    /// Connects to what `guard` permits, using the resolver of the system.
    pub fn new(guard: Guard, timeouts: Timeouts) -> Result<Self, SetupError> {
        Self::with_lookup(guard, timeouts, Arc::new(SystemLookup))
    }

    /// Connects to those addresses from `lookup` that `guard` permits.
    pub fn with_lookup(
        guard: Guard,
        timeouts: Timeouts,
        lookup: Arc<dyn Lookup>,
    ) -> Result<Self, SetupError> {
        let client = tls::client_builder()
            .dns_resolver(Filtered { guard, lookup })
            .connect_timeout(timeouts.connect)
            .read_timeout(timeouts.read)
            .timeout(timeouts.total)
            .pool_idle_timeout(Duration::from_secs(30))
            .tcp_nodelay(true)
            .referer(false)
            .user_agent(concat!("atelier/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { guard, client })
    }

    pub fn guard(&self) -> Guard {
        self.guard
    }

    /// Begins a request. Redirects are not followed: they are returned like any other response.
    pub fn request(&self, method: Method, url: &Url) -> Result<RequestBuilder, Refused> {
        // The client connects to a literal address without asking the resolver, so it is checked here.
        self.guard.check_url(url)?;
        Ok(self.client.request(method, url.clone()))
    }

    /// Begins a `GET`.
    pub fn get(&self, url: &Url) -> Result<RequestBuilder, Refused> {
        self.request(Method::GET, url)
    }

    /// Begins a `POST`.
    pub fn post(&self, url: &Url) -> Result<RequestBuilder, Refused> {
        self.request(Method::POST, url)
    }
}

impl fmt::Debug for Outbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbound")
            .field("guard", &self.guard)
            .finish_non_exhaustive()
    }
}

impl Refused {
    /// The guard's refusal that made a request fail, if that is the cause.
    pub fn within(error: &reqwest::Error) -> Option<&Self> {
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
        while let Some(current) = cause {
            if let Some(refused) = current.downcast_ref() {
                return Some(refused);
            }
            cause = current.source();
        }
        None
    }
}
