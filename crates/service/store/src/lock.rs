//! The lock on the data folder: it admits one server at a time, and other programs find the server by it.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _},
    path::Path,
    thread,
    time::Duration,
};

use crate::{Result, StoreError};

const FILE: &str = "lock";

/// The lock, held as long as this value lives. The system releases it when the process ends, however it ends.
#[derive(Debug)]
pub struct DataLock {
    file: File,
}

impl Drop for DataLock {
    /// Closing the file is not enough: a program that another thread is just starting has the file open until it runs.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// The server that holds a data folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    pub pid: u32,
    /// The address it listens on; empty until it does.
    pub address: String,
}

impl DataLock {
    /// Locks the folder for this process and records the address it listens on; see [`Self::announce`].
    pub fn acquire(folder: &Path, address: &str) -> Result<Self> {
        // A program that looks for the holder has the lock for a moment. It is not a server.
        let mut attempts = 0;
        let file = open(folder, true)?;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if attempts < 20 => {
                    attempts += 1;
                    thread::sleep(Duration::from_millis(10));
                }
                Err(TryLockError::WouldBlock) => {
                    let holder = read(&file)?;
                    return Err(StoreError::Locked(in_use(folder, holder.as_ref())));
                }
                Err(TryLockError::Error(error)) => return Err(failed(folder, &error)),
            }
        }
        let lock = Self { file };
        lock.announce(address)?;
        Ok(lock)
    }

    /// Records the address this server listens on, for programs that look for it.
    pub fn announce(&self, address: &str) -> Result<()> {
        let mut file = &self.file;
        let text = format!("{}\n{address}\n", std::process::id());
        // One short write over what was there, which needs no space on a full disk. A reader sees the old lines or the
        // new ones; what is left behind them, it does not read.
        let written = file
            .seek(SeekFrom::Start(0))
            .and_then(|_| file.write_all(text.as_bytes()))
            .and_then(|()| file.set_len(text.len() as u64));
        match written {
            Err(error) if error.kind() == ErrorKind::StorageFull => {
                tracing::warn!("the disk is full: the lock file does not say where this server listens");
                Ok(())
            }
            written => {
                written.map_err(|error| StoreError::Internal(format!("cannot write the lock file: {error}")))
            }
        }
    }
}

/// The server that holds the folder, if there is one.
pub fn holder(folder: &Path) -> Result<Option<Holder>> {
    if !folder.join(FILE).exists() {
        return Ok(None);
    }
    let file = open(folder, false)?;
    match file.try_lock_shared() {
        Ok(()) => Ok(None),
        Err(TryLockError::WouldBlock) => read(&file),
        Err(TryLockError::Error(error)) => Err(failed(folder, &error)),
    }
}

fn open(folder: &Path, create: bool) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(create).create(create).truncate(false);
    // A process that can open it could keep the server out.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(folder.join(FILE))
        .map_err(|error| failed(folder, &error))
}

/// Reads the text of the holder; `None` while it is writing.
fn read(mut file: &File) -> Result<Option<Holder>> {
    let mut text = String::new();
    file.seek(SeekFrom::Start(0))
        .and_then(|_| file.read_to_string(&mut text))
        .map_err(|error| StoreError::Internal(format!("cannot read the lock file: {error}")))?;
    let mut lines = text.lines();
    let (Some(pid), Some(address)) = (lines.next(), lines.next()) else {
        return Ok(None);
    };
    Ok(pid.parse().ok().map(|pid| Holder {
        pid,
        address: address.to_owned(),
    }))
}

fn in_use(folder: &Path, holder: Option<&Holder>) -> String {
    let folder = folder.display();
    match holder {
        Some(Holder { pid, address }) if address.is_empty() => {
            format!("{folder} is in use by the server with process id {pid}")
        }
        Some(Holder { pid, address }) => {
            format!("{folder} is in use by the server with process id {pid}, listening on {address}")
        }
        None => format!("{folder} is in use by another server"),
    }
}

fn failed(folder: &Path, error: &std::io::Error) -> StoreError {
    StoreError::Internal(format!("cannot lock {}: {error}", folder.join(FILE).display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_server_is_told_who_the_first_one_is() {
        let folder = tempfile::tempdir().unwrap();
        let first = DataLock::acquire(folder.path(), "127.0.0.1:8080").unwrap();
        let error = DataLock::acquire(folder.path(), "127.0.0.1:9090").unwrap_err();
        let expected = format!(
            "{} is in use by the server with process id {}, listening on 127.0.0.1:8080",
            folder.path().display(),
            std::process::id()
        );
        assert_eq!(error.to_string(), expected);
        drop(first);
        DataLock::acquire(folder.path(), "127.0.0.1:9090").unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn other_users_cannot_take_the_lock() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let _lock = DataLock::acquire(folder.path(), "").unwrap();
        let mode = folder.path().join(FILE).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn others_find_the_server_while_it_runs_and_only_then() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(holder(folder.path()).unwrap(), None);
        let lock = DataLock::acquire(folder.path(), "").unwrap();
        lock.announce("[::1]:41234").unwrap();
        let found = holder(folder.path()).unwrap().unwrap();
        assert_eq!(
            found,
            Holder {
                pid: std::process::id(),
                address: "[::1]:41234".to_owned()
            }
        );
        // What a program has that is just being started: the same open file.
        let inherited = lock.file.try_clone().unwrap();
        drop(lock);
        assert_eq!(holder(folder.path()).unwrap(), None);
        drop(inherited);
    }
}
