//! The program: commands, configuration, composition, start and stop. It is also a library, so that tests and
//! benchmarks can start a service in their own process.

mod backups;
mod callbacks;
pub mod cli;
mod commands;
pub mod config;
mod credentials;
mod data;
mod endpoints;
mod engines;
pub mod entropy;
mod failure;
mod files;
mod graphs;
mod http;
mod local;
mod logging;
mod metrics;
mod onnx;
mod output;
mod policy;
mod processes;
mod profiles;
mod pulled;
pub mod service;
mod serving;
mod studio;
mod uses;
mod weights;
mod workflows;

pub use failure::Failure;

use std::process::ExitCode;

use clap::Parser as _;

/// Runs the program with the process's arguments and environment.
pub fn main() -> ExitCode {
    commands::run(cli::Cli::parse())
}
