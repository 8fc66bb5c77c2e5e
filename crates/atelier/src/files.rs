//! The places for files: stored media, and work files of jobs in progress.

use std::{
    collections::BTreeMap,
    fs::{self, File, TryLockError},
    io,
    path::Path,
    time::Duration,
};

use atelier_media::{Blobs, blobs::OpenError};

use crate::{
    config::{Config, S3, StorePlace},
    failure::Failure,
};

/// Work files of this age are left over from a killed process.
const STALE_SCRATCH: Duration = Duration::from_hours(24);

/// Says that this process uses the scratch folder, for as long as it lives and however it ends.
#[derive(Debug)]
pub(crate) struct ScratchUse {
    _shared: File,
}

impl ScratchUse {
    /// Creates the scratch folder and removes what killed processes left in it: everything if no other process uses the
    /// folder, and old files otherwise.
    pub(crate) fn begin(scratch: &Path) -> Result<Self, Failure> {
        let begun = Self::try_begin(scratch);
        begun.map_err(|error| Failure::new(format!("cannot use the folder {}: {error}", scratch.display())))
    }

    fn try_begin(scratch: &Path) -> io::Result<Self> {
        fs::create_dir_all(scratch)?;
        let lock = File::create(scratch.with_extension("lock"))?;
        let removed = match lock.try_lock() {
            Ok(()) => empty(scratch)?,
            Err(TryLockError::WouldBlock) => remove_old(scratch)?,
            Err(TryLockError::Error(error)) => return Err(error),
        };
        if removed > 0 {
            tracing::info!(removed, "removed work files of processes that were killed");
        }
        lock.unlock()?;
        lock.lock_shared()?;
        Ok(Self { _shared: lock })
    }
}

/// Removes everything, also on a full disk.
fn empty(scratch: &Path) -> io::Result<usize> {
    let mut removed = 0;
    for entry in fs::read_dir(scratch)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
        removed += 1;
    }
    Ok(removed)
}

fn remove_old(scratch: &Path) -> io::Result<usize> {
    let mut removed = atelier_media::scratch::sweep(scratch, STALE_SCRATCH)?;
    for entry in fs::read_dir(scratch)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        let age = metadata.modified()?.elapsed().unwrap_or_default();
        if metadata.is_dir() && age >= STALE_SCRATCH {
            fs::remove_dir_all(entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Opens the storage for media.
pub(crate) fn blobs(config: &Config) -> Result<Blobs, Failure> {
    let opened = match &config.media_place {
        None => Blobs::folder(&config.media_folder()),
        Some(url) => Blobs::open(url, &s3_options(&config.s3)),
    };
    let failed = |key: &str, error: OpenError| Failure::Failed {
        code: "media",
        message: format!("{}: `{key}`: {error}", config.origin(key)),
    };
    let blobs = opened.map_err(|error| failed("media.url", error))?;
    match &config.upload_url {
        None => Ok(blobs),
        Some(address) => blobs
            .taking_uploads_at(address)
            .map_err(|error| failed("media.upload_url", error)),
    }
}

pub(crate) fn s3_options(s3: &S3) -> BTreeMap<String, String> {
    let texts = [
        ("endpoint", &s3.endpoint),
        ("region", &s3.region),
        ("access_key_id", &s3.access_key_id),
        ("secret_access_key", &s3.secret_access_key),
        ("session_token", &s3.session_token),
    ];
    let mut options: BTreeMap<_, _> = texts
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value.clone()?)))
        .collect();
    if s3.allow_http {
        options.insert("allow_http".to_owned(), "true".to_owned());
    }
    options
}

/// Warns if several nodes on one database would not find each other's files.
pub(crate) fn warn_of_separate_files(config: &Config) {
    if matches!(config.store, StorePlace::Postgres(_)) && config.media_place.is_none() {
        tracing::warn!(
            folder = %config.media_folder().display(),
            "media.url is not set: files stay in the data folder of this node, where other nodes on the same database \
             cannot find them"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Leaves a file and a folder with a file, as a killed process does.
    fn leave(scratch: &Path) {
        fs::create_dir_all(scratch.join("job")).unwrap();
        fs::write(scratch.join("job/frame"), "pixels").unwrap();
        fs::write(scratch.join("upload"), "bytes").unwrap();
    }

    fn left(scratch: &Path) -> usize {
        fs::read_dir(scratch).unwrap().count()
    }

    #[test]
    fn what_a_killed_process_left_is_removed_at_the_next_start() {
        let data = tempfile::tempdir().unwrap();
        let scratch = data.path().join("scratch");
        leave(&scratch);
        let _own = ScratchUse::begin(&scratch).unwrap();
        assert_eq!(left(&scratch), 0);
    }

    #[test]
    fn the_work_files_of_other_processes_stay_until_all_of_them_have_ended() {
        let data = tempfile::tempdir().unwrap();
        let scratch = data.path().join("scratch");
        let first = ScratchUse::begin(&scratch).unwrap();
        leave(&scratch);
        let second = ScratchUse::begin(&scratch).unwrap();
        drop(first);
        let third = ScratchUse::begin(&scratch).unwrap();
        assert_eq!(left(&scratch), 2);
        drop((second, third));
        let _last = ScratchUse::begin(&scratch).unwrap();
        assert_eq!(left(&scratch), 0);
    }
}
