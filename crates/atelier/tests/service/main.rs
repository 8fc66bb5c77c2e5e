//! Tests of the service from outside: the real program as a process, used through HTTP and its commands.
#![expect(clippy::unwrap_used, reason = "a failure in here fails the test that uses it")]

mod access_tokens;
mod accounts;
mod backups;
mod bodies;
mod bucket;
#[cfg(feature = "studio")]
mod catalog;
mod chaos;
mod cog;
mod collections;
mod comfyui;
mod connections;
mod contract;
mod crashes;
mod credentials;
mod credits;
mod deletion;
#[cfg(feature = "studio")]
mod drawing;
#[cfg(feature = "studio")]
mod edits;
mod endpoints;
mod erasure;
mod failover;
mod files;
#[cfg(feature = "studio")]
mod films;
mod follow;
mod full_disk;
mod gallery;
#[cfg(feature = "studio")]
mod hashes;
mod hung_database;
mod inputs;
mod keys;
mod locked_account;
mod mail;
#[cfg(feature = "studio")]
mod marked_sounds;
mod marks;
mod mcp;
mod moving;
#[cfg(feature = "studio")]
mod music;
mod nodes;
mod oidc;
#[cfg(feature = "studio")]
mod onnx;
mod openai;
mod people;
mod planned;
mod plans;
mod policy;
#[cfg(feature = "studio")]
mod private;
#[cfg(feature = "studio")]
mod provenance;
mod providers;
mod remote;
mod requests;
#[cfg(feature = "studio")]
mod runtimes;
#[cfg(feature = "studio")]
mod safety;
mod scopes;
mod scratch;
mod series;
mod setup;
mod shared;
mod signed;
#[cfg(feature = "studio")]
mod sounds;
#[cfg(feature = "studio")]
mod speech;
mod time_limits;
#[cfg(feature = "studio")]
mod tools;
mod uploads;
#[cfg(feature = "studio")]
mod voices;
mod webhooks;
#[cfg(feature = "studio")]
mod weights;
