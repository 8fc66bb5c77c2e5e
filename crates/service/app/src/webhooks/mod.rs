//! Webhooks: the event's bytes, their signatures, and when to retry.

pub mod deliveries;
pub mod endpoints;
pub mod event;
pub mod schedule;
pub mod sending;
pub mod sign;
mod telling;
pub mod test_event;
