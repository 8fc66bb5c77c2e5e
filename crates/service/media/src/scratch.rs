//! The scratch folder: how much may lie in it, and the removal of what an interrupted process left there.
//! Live files are deleted by their owners (see [`Received`](crate::Received)).

use std::{fs, io, path::Path, time::Duration};

/// Folders within folders that are measured.
const DEPTH: usize = 8;

/// How much the scratch folder may hold, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Of all files in the folder together.
    pub most: u64,
    /// Free space that must remain on the disk.
    pub reserve: u64,
}

impl Quota {
    pub const NONE: Self = Self {
        most: u64::MAX,
        reserve: 0,
    };

    /// How many bytes may still be written to `folder`. Blocks while it looks at the folder and the disk.
    pub fn room(self, folder: &Path) -> io::Result<u64> {
        let own = match self.most {
            u64::MAX => u64::MAX,
            most => most.saturating_sub(used(folder, DEPTH)?),
        };
        let disk = match self.reserve {
            0 => u64::MAX,
            reserve => free(folder)?.saturating_sub(reserve),
        };
        Ok(own.min(disk))
    }
}

/// Bytes of all files below `folder`. Files come and go meanwhile: one that is gone counts nothing.
fn used(folder: &Path, depth: usize) -> io::Result<u64> {
    let mut sum = 0_u64;
    for entry in fs::read_dir(folder)?.filter_map(Result::ok) {
        let Ok(metadata) = entry.metadata() else { continue };
        let size = if metadata.is_dir() && depth > 0 {
            used(&entry.path(), depth - 1).unwrap_or(0)
        } else {
            metadata.len()
        };
        sum = sum.saturating_add(size);
    }
    Ok(sum)
}

/// Free bytes of the disk that `folder` is on.
#[cfg(unix)]
fn free(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Elsewhere, free space is not measured: a write to a full disk fails by itself.
#[cfg(not(unix))]
fn free(_: &Path) -> io::Result<u64> {
    Ok(u64::MAX)
}

/// Removes the files directly in `folder` that were last written more than `older_than` ago, and returns how many. Age
/// is measured by the folder's own clock, that is, against a file created there now.
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
    fn the_room_is_what_the_quota_and_the_reserve_leave() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("job");
        fs::create_dir(&inner).unwrap();
        fs::write(folder.path().join("upload"), [0; 300]).unwrap();
        fs::write(inner.join("input"), [0; 200]).unwrap();
        let quota = |most, reserve| Quota { most, reserve }.room(folder.path()).unwrap();
        assert_eq!(quota(1000, 0), 500);
        assert_eq!(quota(400, 0), 0);
        assert_eq!(quota(u64::MAX, 0), u64::MAX);
        #[cfg(unix)]
        {
            assert_eq!(quota(1000, u64::MAX), 0, "no disk is that large");
            assert_eq!(quota(1000, 1), 500);
        }
    }

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
