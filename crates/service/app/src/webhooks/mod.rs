//! Webhooks: the event's bytes, their signatures, and when to try again.

pub mod deliveries;
pub mod event;
pub mod schedule;
pub mod sign;
pub mod test_event;
