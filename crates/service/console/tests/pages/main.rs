//! The pages over HTTP, without a browser: access, headers, cookies, and the escaping of texts.

#![expect(clippy::unwrap_used, reason = "a failure in here fails the test that uses it")]

mod accounts;
mod endpoints;
mod gallery;
mod keys;
mod messages;
mod once;
mod pages;
mod people;
mod programs;
mod samples;
mod two_step;
mod visit;
mod ways;
mod weights;
