//! Workers on other machines: the endpoints that they join by ([`Server`]), and the worker's side ([`join()`]).
//!
//! Everything durable is in the store of the service, under the same leases and epochs as on its own nodes, so that any
//! node may answer any request. Only files on their way are on one node: if another one is asked, they are sent again.
//! Both sides exchange durations and never times, because their clocks may differ.

mod client;
mod jobs;
mod join;
mod order;
mod pieces;
pub mod protocol;
mod routes;
mod server;
mod transit;
mod upload;

pub use join::{Join, Joined, join};
pub use routes::BASE_PATH;
pub use server::Server;
