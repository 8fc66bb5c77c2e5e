//! Accounts, their keys and secrets: what operators do.

pub mod create;
pub mod keys;
pub mod update;
