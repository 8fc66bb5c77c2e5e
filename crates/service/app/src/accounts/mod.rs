//! Accounts, their keys and secrets: how they are made and changed.

pub mod create;
pub mod keys;
mod name;
pub mod secret;
pub mod update;
