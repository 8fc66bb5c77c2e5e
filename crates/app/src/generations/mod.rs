//! Generations: from a request to an end.

pub mod cancel;
pub mod create;
pub mod finish;
pub mod get;
pub mod list;
pub mod view;
