//! Bytes: content-addressed blobs, sniffing, probing, the outbound guard, downloads.
//!
//! A file comes in through an [`Intake`] (an upload), through [`fetch`](fetch::fetch) (a download) or as
//! bytes in memory ([`describe`]); each yields its [`FileName`](atelier_domain::FileName) and
//! [`FileFacts`](atelier_domain::FileFacts). [`Blobs`] keeps it under that name. Everything that connects to an
//! address a client named goes through an [`Outbound`] client.

pub mod blobs;
pub mod fetch;
pub mod guard;
pub mod intake;
pub mod mark;
pub mod probe;
pub mod scratch;
pub mod sniff;
mod source;

pub use blobs::{Blob, BlobError, Blobs};
pub use guard::{Guard, Outbound, Refused};
pub use intake::{Intake, IntakeError, Received, describe, describe_file, name_of};
pub use mark::{Mark, MarkError, Marked, mark};
pub use probe::{ProbeError, probe};
pub use sniff::sniff;
