//! The options of a measurement.

use std::path::PathBuf;

use crate::error::{Error, Result};

/// The context of every row.
#[derive(Debug)]
pub(crate) struct Context {
    /// The program that is measured.
    pub program: PathBuf,
    /// This program, which also contains the reference servers.
    pub itself: PathBuf,
    /// The folder in which data folders are created.
    pub folder: PathBuf,
    /// A PostgreSQL database.
    pub postgres: Option<String>,
    /// The folder with the weights of trained voices.
    pub voices: Option<PathBuf>,
    /// How many jobs the store has for the rows `lists`, `retention` and `audit`.
    pub jobs: Option<u64>,
    pub quick: bool,
}

impl Context {
    /// Without a program or a folder, those beside this program.
    pub(crate) fn new(
        program: Option<PathBuf>,
        folder: Option<PathBuf>,
        postgres: Option<String>,
        quick: bool,
    ) -> Result<Self> {
        let itself = std::env::current_exe()?;
        let beside = itself.parent().map(PathBuf::from).unwrap_or_default();
        let program = program.unwrap_or_else(|| beside.join("atelier"));
        if !program.is_file() {
            let message = format!(
                "{} does not exist; build it first, in release mode",
                program.display()
            );
            return Err(Error::Unexpected(message));
        }
        Ok(Self {
            program,
            itself,
            folder: folder.unwrap_or(beside),
            postgres,
            voices: None,
            jobs: None,
            quick,
        })
    }

    /// The full amount, or a tenth of it with `--quick`.
    pub(crate) const fn amount(&self, full: u64) -> u64 {
        if self.quick { full / 10 } else { full }
    }
}
