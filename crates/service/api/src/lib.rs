//! The HTTP surface: routes, extractors, envelopes, the error table and the OpenAPI description. A handler
//! turns a request into a use case of `atelier-app` and its result into an envelope; it decides nothing.

mod around;
mod balance;
mod base_path;
mod body;
mod callbacks;
mod client_address;
mod collections;
mod counts;
mod deletion;
mod direct_uploads;
mod drain_body;
mod endpoints;
mod envelope;
mod error;
mod events;
mod gate;
mod generations;
mod health;
mod mcp;
mod media;
mod models;
mod openai;
mod openapi;
mod requests;
mod routes;
mod segment;
mod slow_body;
mod unknown_path;
mod uploads;
mod verify;
mod webhooks;

pub use base_path::BASE_PATH;
pub use client_address::client_address;
pub use counts::count_panic;
pub use error::ApiError;
pub use events::stream_of;
pub use health::Readiness;
pub use openapi::document;
pub use routes::{Surface, router};
pub use slow_body::{SlowBodyTimeout, limit_slow_bodies};
pub use verify::receive_question;
