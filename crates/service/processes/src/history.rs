//! How long programs took to load on this machine, kept over restarts.

use std::{fs, path::PathBuf, time::Duration};

/// A folder with one file per program.
#[derive(Debug, Clone)]
pub(crate) struct History(Option<PathBuf>);

impl History {
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self(folder)
    }

    /// How long the program took last time.
    pub(crate) fn last_load(&self, program: &str) -> Option<Duration> {
        let text = fs::read_to_string(self.file(program)?).ok()?;
        Duration::try_from_secs_f64(text.trim().parse().ok()?).ok()
    }

    /// Notes a load. Without the note, the next estimate is missing, and nothing else.
    pub(crate) fn note(&self, program: &str, took: Duration) {
        let Some(file) = self.file(program) else { return };
        let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
        let written = folder.and_then(|()| fs::write(&file, format!("{:.3}\n", took.as_secs_f64())));
        if let Err(error) = written {
            tracing::warn!(program, %error, "cannot note how long a program took to load");
        }
    }

    fn file(&self, program: &str) -> Option<PathBuf> {
        let plain = |name: &str| !name.contains(['/', '\0']) && !name.starts_with('.');
        let folder = self.0.as_ref().filter(|_| plain(program))?;
        Some(folder.join(format!("{program}.seconds")))
    }
}
