//! For tests and benchmarks: a clock that stands still, a receiver of webhooks, an HTTP client without assertions, a
//! relay that can go silent, and the real program on a free port.
#![expect(clippy::unwrap_used, reason = "a failure in here fails the test that uses it")]

pub mod clock;
pub mod encrypted;
pub mod http;
pub mod oidc;
#[cfg(unix)]
pub mod pooler;
#[cfg(unix)]
pub mod postgres;
pub mod program;
pub mod receiver;
#[cfg(unix)]
pub mod relay;
pub mod server;
pub mod smtp;
pub mod weights;

pub use atelier_found::{built, open_nsfw, program, trained_voices};
pub use clock::{CountingEntropy, TestClock};
pub use encrypted::encrypted;
pub use http::{Answer, Http};
#[cfg(unix)]
pub use pooler::Pooler;
#[cfg(unix)]
pub use postgres::{Postgres, own_postgres, postgres};
pub use program::path_with;
pub use receiver::{Received, Receiver, Reply};
#[cfg(unix)]
pub use relay::{Relay, Silent};
pub use server::{Server, free_port};
pub use smtp::{MailServer, Manner};
pub use weights::WeightsServer;
