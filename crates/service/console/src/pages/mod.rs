//! The pages, one file for each question that a person comes with.

pub(crate) mod apps;
pub(crate) mod door;
pub(crate) mod gallery;
pub(crate) mod operator;
pub(crate) mod overview;
pub(crate) mod playground;
pub(crate) mod service;
pub(crate) mod settings;
pub(crate) mod usage;
pub(crate) mod webhooks;
