//! Scratch folders: what an interrupted process left in them is removed at the next start.
//! Live files are deleted by their owners (see [`Received`](crate::Received)); this is for the ones that lost theirs.

use std::{fs, io, path::Path, time::Duration};

/// Removes plain files directly in `folder` that were last written more than `older_than` ago, and says how many. Age is
/// measured by the folder's own clock, that is against a file made there now.
pub fn sweep(folder: &Path, older_than: Duration) -> io::Result<usize> {
    let now = tempfile::tempfile_in(folder)?.metadata()?.modified()?;
    let mut removed = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        let age = now.duration_since(metadata.modified()?).unwrap_or_default();
        if metadata.is_file() && age >= older_than {
            fs::remove_file(entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_removes_old_files_and_keeps_young_ones_and_folders() {
        let folder = tempfile::tempdir().unwrap();
        let old = folder.path().join("old");
        let young = folder.path().join("young");
        fs::write(&old, b"left behind").unwrap();
        fs::write(&young, b"in use").unwrap();
        fs::create_dir(folder.path().join("kept")).unwrap();
        let file = fs::File::options().write(true).open(&old).unwrap();
        let written = file.metadata().unwrap().modified().unwrap();
        file.set_modified(written - Duration::from_secs(25 * 60 * 60))
            .unwrap();

        assert_eq!(
            sweep(folder.path(), Duration::from_secs(24 * 60 * 60)).unwrap(),
            1
        );
        assert!(!old.exists());
        assert!(young.exists());
        assert!(folder.path().join("kept").exists());
    }
}
