//! Webhooks: the event's bytes, their signatures, and when to try again.

pub mod event;
pub mod schedule;
pub mod sign;
