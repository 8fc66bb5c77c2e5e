//! The commands on whole stores.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(
    after_help = "A later backup into the same folder copies only new media. The configuration file, the folder \
    `catalog` and pulled weights are not part of a backup."
)]
pub struct Backup {
    /// The folder for the backup; it is created if it is missing
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The most MiB to read per second
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    pub mib_per_second: u32,
}

#[derive(Debug, Args)]
pub struct Restore {
    /// The folder of the backup
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

#[derive(Debug, Subcommand)]
pub enum Store {
    /// Copy everything from SQLite to the empty PostgreSQL database in `store.url`, while no server runs
    Move(MoveStore),
}

#[derive(Debug, Args)]
pub struct MoveStore {
    /// The SQLite database [default: atelier.db in the data folder]
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
}
