//! The API endpoint by endpoint, as it stands on the wire.

mod envelopes;
mod generations;
mod lists;
mod order;
mod reading;
