//! Checks the files that a host names, before anything reads them: a compromised host must not be able to publish other
//! files of the machine.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use atelier_domain::{Failure, FailureCode};

/// Why a host's files cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum OutputError {
    #[error("the host named no file")]
    None,
    #[error("{} is outside the job's folder", .0.display())]
    Outside(PathBuf),
    #[error("{} is not a regular file", .0.display())]
    NotAFile(PathBuf),
    #[error("the files together are larger than allowed")]
    TooLarge,
    #[error("{} cannot be read: {error}", .path.display())]
    Unreadable { path: PathBuf, error: io::Error },
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        let message = match error {
            OutputError::TooLarge => "the output is larger than this service allows",
            _ => "the embedded engine returned no usable file",
        };
        Self::fail(FailureCode::GenerationFailed, message)
    }
}

/// The real paths of the files, in order. They must be regular files below `folder` of at most `limit` bytes together.
pub(super) fn check(folder: &Path, files: &[PathBuf], limit: u64) -> Result<Vec<PathBuf>, OutputError> {
    if files.is_empty() {
        return Err(OutputError::None);
    }
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error| OutputError::Unreadable { path, error }
    };
    let real_folder = folder.canonicalize().map_err(unreadable(folder))?;
    let mut total = 0_u64;
    let mut checked = Vec::with_capacity(files.len());
    for file in files {
        // `join` keeps an absolute path unchanged.
        let named = folder.join(file);
        let facts = fs::symlink_metadata(&named).map_err(unreadable(&named))?;
        let real = named.canonicalize().map_err(unreadable(&named))?;
        if !real.starts_with(&real_folder) {
            return Err(OutputError::Outside(named));
        }
        // Every link is refused: its target could change before it is read.
        if !facts.is_file() {
            return Err(OutputError::NotAFile(named));
        }
        total = total.saturating_add(facts.len());
        if total > limit {
            return Err(OutputError::TooLarge);
        }
        checked.push(real);
    }
    Ok(checked)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn reason(folder: &Path, file: impl Into<PathBuf>) -> String {
        check(folder, &[file.into()], 100).unwrap_err().to_string()
    }

    #[test]
    fn only_regular_files_below_the_folder_pass() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let folder = root.join("job");
        fs::create_dir_all(folder.join("below")).unwrap();
        for file in ["job/a.png", "job/below/b.png", "secret", "job-other"] {
            fs::write(root.join(file), b"12345").unwrap();
        }
        symlink(root.join("secret"), folder.join("out.png")).unwrap();
        symlink(folder.join("a.png"), folder.join("in.png")).unwrap();
        symlink(&root, folder.join("up")).unwrap();

        let good = [folder.join("a.png"), PathBuf::from("below/b.png")];
        assert_eq!(
            check(&folder, &good, 10).unwrap(),
            [folder.join("a.png"), folder.join("below/b.png")]
        );
        for outside in [
            "../secret",
            "../job-other",
            "below/../../secret",
            "out.png",
            "up/secret",
        ] {
            assert!(
                reason(&folder, outside).ends_with("is outside the job's folder"),
                "{outside}"
            );
        }
        assert!(reason(&folder, root.join("secret")).ends_with("is outside the job's folder"));
        assert!(reason(&folder, "/dev/null").ends_with("is outside the job's folder"));
        for other in ["in.png", "below", "."] {
            assert!(
                reason(&folder, other).ends_with("is not a regular file"),
                "{other}"
            );
        }
        assert!(reason(&folder, "missing.png").contains("cannot be read"));
        assert_eq!(
            check(&folder, &[], 10).unwrap_err().to_string(),
            "the host named no file"
        );
    }

    #[test]
    fn the_limit_counts_all_files_together() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), b"12345").unwrap();
        fs::write(folder.path().join("b"), b"12345").unwrap();
        let files = [PathBuf::from("a"), PathBuf::from("b")];
        assert_eq!(check(folder.path(), &files, 10).unwrap().len(), 2);
        assert!(matches!(
            check(folder.path(), &files, 9),
            Err(OutputError::TooLarge)
        ));
    }
}
