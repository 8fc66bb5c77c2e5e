//! The address of an external server, and the limits that the operator sets for it.

use std::time::Duration;

use atelier_outbound::{Guard, Outbound, SetupError, Timeouts};
use url::Url;

use super::{
    address::{has_credentials, masked},
    server::{Auth, Limits, RemoteServer},
    throttle::Throttle,
};

/// The address of an external engine, and the limits of its use.
#[derive(Debug)]
pub struct Endpoint {
    /// The name that routes use.
    pub name: String,
    /// The server's origin, with an optional path that all requests start with. A user name or password in it is
    /// refused.
    pub url: Url,
    pub key: Option<String>,
    /// The most requests in flight.
    pub concurrency: usize,
    /// The most new requests a minute.
    pub requests_per_minute: Option<u32>,
    /// Decides which addresses in the server's answers may be connected to.
    pub guard: Guard,
}

/// Why an endpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    #[error("`url` must not contain a user name or password (got {0}); use `key_env` or `key_file`")]
    Credentials(String),
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// The part of an endpoint that does not concern its connections.
#[derive(Debug)]
pub(crate) struct Connected {
    pub name: String,
    pub concurrency: usize,
    pub throttle: Throttle,
}

impl Endpoint {
    /// A URL for messages: `***` replaces the user name and the password.
    pub fn masked_url(text: &str) -> String {
        masked(text)
    }

    /// `patience` is the longest that an answer may take. `hosts` are other hosts that control requests may go to.
    pub(crate) fn connect(
        self,
        auth: Option<Auth>,
        hosts: Vec<String>,
        patience: Duration,
    ) -> Result<(Connected, RemoteServer), EndpointError> {
        if has_credentials(&self.url) {
            return Err(EndpointError::Credentials(masked(self.url.as_str())));
        }
        let timeouts = Timeouts {
            connect: Duration::from_secs(10),
            read: patience.max(Duration::from_mins(1)),
            total: patience.max(Duration::from_mins(10)),
        };
        // Operators may use a machine of their own network; addresses in answers are not theirs.
        let own = Guard { allow_private: true };
        let server = RemoteServer {
            url: self.url,
            auth,
            key: self.key,
            hosts,
            own: Outbound::new(own, timeouts)?,
            guarded: Outbound::new(self.guard, timeouts)?,
            limits: Limits::default(),
        };
        let connected = Connected {
            name: self.name,
            concurrency: self.concurrency.max(1),
            throttle: Throttle::new(self.requests_per_minute),
        };
        Ok((connected, server))
    }
}
