//! Locks by files. They end with the process that holds them, however it ends.

use std::{
    fs::{File, OpenOptions, TryLockError},
    os::unix::fs::MetadataExt as _,
    path::Path,
    time::Duration,
};

use crate::error::{Result, at};

/// How often a lock that somebody else holds is tried again.
const AGAIN: Duration = Duration::from_millis(100);

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub(crate) struct FileLock(#[expect(dead_code, reason = "holding the file is the lock")] File);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Shared,
    Exclusive,
}

impl FileLock {
    /// The lock, or `None` while somebody else holds it.
    pub(crate) fn attempt(path: &Path, mode: Mode) -> Result<Option<Self>> {
        loop {
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(path)
                .map_err(at(path))?;
            let locked = match mode {
                Mode::Shared => file.try_lock_shared(),
                Mode::Exclusive => file.try_lock(),
            };
            match locked {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(at(path)(error)),
            }
            // If another process removed the file between opening and locking, this lock protects nothing.
            let same = |found: std::fs::Metadata| {
                file.metadata()
                    .is_ok_and(|own| (own.dev(), own.ino()) == (found.dev(), found.ino()))
            };
            if std::fs::metadata(path).is_ok_and(same) {
                return Ok(Some(Self(file)));
            }
        }
    }

    /// The lock, as soon as it is free. `waiting` is called before each further attempt.
    pub(crate) async fn wait(path: &Path, mode: Mode, mut waiting: impl FnMut()) -> Result<Self> {
        loop {
            if let Some(lock) = Self::attempt(path, mode)? {
                return Ok(lock);
            }
            waiting();
            tokio::time::sleep(AGAIN).await;
        }
    }
}
