//! The benchmark program: starts real servers and reference servers on this machine, sends load to them, and prints
//! each figure beside its target.

use std::{io::Write as _, path::PathBuf, process::ExitCode};

use clap::{Args, Parser, Subcommand};

mod browser;
mod context;
mod database;
mod error;
mod figure;
mod files;
mod http;
mod load;
mod machine;
mod receiver;
mod reference;
mod report;
mod rows;
mod server;

use context::Context;
use error::{Error, Result};
use rows::Row;

/// Measures speed and memory.
///
/// Everything runs on the loopback interface and in folders that are removed afterwards. The load and the servers share
/// the machine, so ratios are more meaningful than figures. On a busy machine, neither is meaningful.
#[derive(Debug, Parser)]
#[command(name = "atelier-bench", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    bench: Bench,
    #[command(subcommand)]
    command: Option<Command>,
}

/// The choice of rows to measure, and the options.
#[derive(Debug, Args)]
struct Bench {
    /// The rows to measure [default: everything]
    #[arg(value_enum)]
    rows: Vec<Row>,
    /// Print one JSON value on standard output, and the table on standard error
    #[arg(long)]
    json: bool,
    /// Do a tenth of the work, to check that everything runs
    #[arg(long)]
    quick: bool,
    /// The program to measure [default: `atelier` beside this one]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// An empty PostgreSQL database for the row `postgres`, which requires it, and for `fairness`, `lists` and
    /// `retention`. It is emptied again
    #[arg(long, value_name = "URL")]
    postgres: Option<String>,
    /// How many jobs the store has for the rows `lists` [default: 1000000], `retention` and `audit` [default: 200000]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..=20_000_000))]
    jobs: Option<u64>,
    /// The folder of trained voices that `scripts/fetch-weights` fills, for the row `voices`
    #[arg(long, value_name = "DIR")]
    voices: Option<PathBuf>,
    /// The folder in which to create the data folders. Use a real disk: a folder in memory makes durable writes free
    /// [default: beside this program]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run as a reference server
    #[command(hide = true)]
    Reference {
        #[arg(value_enum)]
        kind: reference::Kind,
        /// The port on the loopback interface
        port: u16,
        /// The folder of a database, or its URL
        place: String,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Some(Command::Reference { kind, port, place }) => reference::serve(kind, port, &place),
        None => measure(&cli.bench),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tell(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// One thread makes all the load, so that it takes little processor time from the servers.
fn measure(bench: &Bench) -> Result<()> {
    let mut context = Context::new(
        bench.program.clone(),
        bench.dir.clone(),
        bench.postgres.clone(),
        bench.quick,
    )?;
    context.voices.clone_from(&bench.voices);
    context.jobs = bench.jobs;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let rows = if bench.rows.is_empty() {
        Row::ALL
    } else {
        &bench.rows
    };
    let mut measured = Vec::new();
    for row in rows {
        tell(&format!("{}: {} …", row.name(), row.about()));
        let before = machine::Busy::now()?;
        let figures = runtime.block_on(row.run(&context));
        let figures = figures.map_err(|error| Error::Unexpected(format!("{}: {error}", row.name())))?;
        measured.push(report::Measured {
            row: *row,
            figures,
            others: before.others_since()?,
            load: machine::load_average()?,
        });
    }
    let table = report::table(&measured);
    if bench.json {
        tell(&table);
        writeln!(std::io::stdout(), "{}", report::json(&measured))?;
    } else {
        writeln!(std::io::stdout(), "{table}")?;
    }
    Ok(())
}

/// Prints progress and errors, if standard error is open.
fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
