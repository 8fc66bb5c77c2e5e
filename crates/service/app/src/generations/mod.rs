//! Generations: from the request to the end.

pub mod abandon;
pub mod cancel;
pub mod create;
pub mod delete;
pub mod detail;
pub mod estimate;
pub mod favourite;
pub mod finish;
pub mod follow;
pub mod get;
pub mod list;
pub mod search;
pub mod view;
pub mod waiting;
