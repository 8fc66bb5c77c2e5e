//! `atelier completions SHELL`: prints the script that completes commands and flags.

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::{cli::Cli, failure::Failure, output::print};

pub(super) fn run(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "atelier", &mut script);
    Ok(print(&String::from_utf8_lossy(&script))?)
}
