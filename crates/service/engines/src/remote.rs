//! The common parts of the engines that call an external server over HTTP: the server and its key, the guard for
//! addresses that its answers name, request templates, and the files that come back.

mod address;
mod endpoint;
mod failures;
mod fields;
mod fit;
mod multipart;
mod outputs;
mod server;
mod size;
mod source;
mod template;
mod throttle;

pub(crate) use address::path_segment;
pub(crate) use endpoint::Connected;
pub use endpoint::{Endpoint, EndpointError};
pub(crate) use failures::{is_connection_refused, misconfigured, unreachable, unusable_answer};
pub(crate) use fields::{FILE, Fields, Uploaded};
pub(crate) use outputs::OutputFiles;
pub(crate) use server::{Auth, RemoteServer};
pub(crate) use size::{at_resolution, exact_size, ratio};
pub(crate) use source::{As, Shape, Source, Taken};
pub use template::Template;
pub(crate) use template::{Node, expand, one_or_many, plain};
