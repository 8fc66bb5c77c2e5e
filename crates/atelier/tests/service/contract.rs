//! The API on the wire, endpoint by endpoint.

mod envelopes;
mod generations;
mod lists;
mod order;
mod reading;
