//! The pages, one module for each area of the account.

pub(crate) mod apps;
pub(crate) mod deletion;
pub(crate) mod endpoints;
pub(crate) mod gallery;
mod invitations;
pub(crate) mod keys;
pub(crate) mod members;
pub(crate) mod oidc;
pub(crate) mod operator;
pub(crate) mod overview;
pub(crate) mod playground;
pub(crate) mod programs;
pub(crate) mod requests;
pub(crate) mod reset;
pub(crate) mod service;
pub(crate) mod settings;
pub(crate) mod sign_in;
pub(crate) mod two_step;
pub(crate) mod usage;
pub(crate) mod verify;
mod visitor;
pub(crate) mod webhooks;
pub(crate) mod weights;
