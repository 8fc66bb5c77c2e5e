//! How long programs took to load on this machine, kept over restarts.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

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
        if let Err(error) = replace(&file, &format!("{:.3}\n", took.as_secs_f64())) {
            tracing::warn!(program, %error, "cannot note how long a program took to load");
        }
    }

    fn file(&self, program: &str) -> Option<PathBuf> {
        let plain = |name: &str| !name.contains(['/', '\0']) && !name.starts_with('.');
        let folder = self.0.as_ref().filter(|_| plain(program))?;
        Some(folder.join(format!("{program}.seconds")))
    }
}

/// Writes a file under another name and renames it, so that readers find it whole.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    file.parent().map_or(Ok(()), fs::create_dir_all)?;
    let temporary = file.with_extension("part");
    fs::write(&temporary, text)?;
    fs::rename(temporary, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_whole_at_any_time() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::new(Some(folder.path().to_owned()));
        let took = Duration::from_millis(1250);
        history.note("a", took);
        std::thread::scope(|scope| {
            let notes = scope.spawn(|| (0..2000).for_each(|_| history.note("a", took)));
            while !notes.is_finished() {
                assert_eq!(history.last_load("a"), Some(took));
            }
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
