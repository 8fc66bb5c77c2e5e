//! What engines have in common that others run: a server with a key, limits of the operator's, and a way to what its answers name.

use std::time::Duration;

use atelier_outbound::{Guard, Outbound, SetupError, Timeouts};
use url::Url;

use crate::http::{Auth, pace::Pace, remote::Remote};

/// Where such an engine is, and how it may be used.
#[derive(Debug)]
pub struct Endpoint {
    /// The name that routes use.
    pub name: String,
    /// The server's origin, and a path that goes before all others where it has one.
    pub url: Url,
    pub key: Option<String>,
    /// Requests in flight at a time.
    pub concurrency: usize,
    /// New requests a minute.
    pub requests_per_minute: Option<u32>,
    /// What addresses in answers may lead to.
    pub guard: Guard,
}

/// A place with its connections.
#[derive(Debug)]
pub(crate) struct Connected {
    pub name: String,
    pub concurrency: usize,
    pub pace: Pace,
    /// Reaches addresses elsewhere, through the guard.
    pub elsewhere: Outbound,
}

impl Endpoint {
    /// Answers take `patience` at most.
    pub(crate) fn connect(
        self,
        auth: Option<Auth>,
        patience: Duration,
    ) -> Result<(Connected, Remote), SetupError> {
        let timeouts = Timeouts {
            connect: Duration::from_secs(10),
            read: patience.max(Duration::from_secs(60)),
            total: patience.max(Duration::from_secs(600)),
        };
        // The operator may well name a machine of his own network; what answers name is a stranger's word.
        let own = Guard { allow_private: true };
        let remote = Remote {
            url: self.url,
            auth,
            key: self.key,
            client: Outbound::new(own, timeouts)?,
        };
        let connected = Connected {
            name: self.name,
            concurrency: self.concurrency.max(1),
            pace: Pace::new(self.requests_per_minute),
            elsewhere: Outbound::new(self.guard, timeouts)?,
        };
        Ok((connected, remote))
    }
}
