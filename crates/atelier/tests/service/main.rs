//! Tests of the service from outside: the real program as a process, used through HTTP and its commands.
#![expect(clippy::unwrap_used, reason = "a failure in here fails the test that uses it")]

mod accounts;
mod bodies;
mod bucket;
mod catalog;
mod cog;
mod comfyui;
mod connections;
mod contract;
mod crashes;
mod credits;
mod drawing;
mod edits;
mod files;
mod films;
mod follow;
mod full_disk;
mod inputs;
mod marks;
mod music;
mod nodes;
mod onnx;
mod people;
mod planned;
mod providers;
mod series;
mod setup;
mod shared;
mod sounds;
mod speech;
mod time_limits;
mod tools;
mod uploads;
mod webhooks;
