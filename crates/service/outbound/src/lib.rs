//! Everything that leaves the service over HTTP: which addresses may be reached, and how.
//!
//! A [`Guard`] holds the rules. An [`Outbound`] client sends only requests that its guard permits; webhooks, engines
//! and input downloads all use it. [`fetch()`] downloads a file through such a client. [`smtp`] sends mail to the
//! operator's server.

mod address;
mod client;
mod exchange;
pub mod fetch;
mod guard;
mod resolve;
mod retry_after;
pub mod smtp;
pub mod tls;

pub use address::{is_loopback, is_public};
pub use client::{Outbound, SetupError, Timeouts};
pub use exchange::{ExchangeError, exchange};
pub use fetch::{Download, FetchError, Limits, fetch};
pub use guard::{Guard, MAX_URL, Refused};
pub use resolve::{Lookup, SystemLookup};
pub use retry_after::retry_after;
