//! The HTTP surface: routes, extractors, envelopes, the error table and the OpenAPI description. A handler
//! turns a request into a use case of `atelier-app` and its answer into an envelope; it decides nothing.

mod balance;
mod body;
mod callbacks;
mod envelope;
mod error;
mod events;
mod gate;
mod generations;
mod health;
mod hear_out;
mod media;
mod models;
mod openapi;
mod pace;
mod request_id;
mod routes;
mod segment;
mod uploads;
mod webhooks;

pub use error::ApiError;
pub use events::stream_of;
pub use health::Readiness;
pub use openapi::document;
pub use pace::{Patience, pace};
pub use routes::{BASE_PATH, Surface, router};
