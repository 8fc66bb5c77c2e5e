//! Accounts, their keys and secrets: how they are made and changed.

pub mod create;
pub mod erase;
pub mod export;
pub mod keys;
pub mod limits;
pub(crate) mod name;
mod prompts;
pub mod secret;
pub mod update;
