//! Bytes: content-addressed blobs, sniffing, probing, marks in finished files.
//!
//! A file comes in through an [`Intake`] (an upload or a download) or as bytes in memory ([`describe`]). Each yields
//! its [`FileName`](atelier_domain::FileName) and [`FileFacts`](atelier_domain::FileFacts), and [`Blobs`] stores it
//! under that name.

pub mod blobs;
mod declared;
pub mod intake;
pub mod mark;
pub mod probe;
pub mod scratch;
pub mod sniff;
mod source;

pub use blobs::{Blob, BlobError, Blobs, SharedFiles};
pub use declared::Declared;
pub use intake::{Intake, IntakeError, Received, describe, describe_file, name_of};
pub use mark::{Mark, MarkError, Marked, mark};
pub use probe::{ProbeError, probe};
pub use scratch::Scratch;
pub use sniff::sniff;
