//! Leases: who uses a model now, so that nobody removes it.
//!
//! `leases/NAME.lock` is locked: shared by those who use the model, alone by whoever removes it. A note
//! `leases/NAME@PID-N`, locked by its writer, says who that is. The locks end with their process, however it ends.

use std::{
    fmt,
    fs::{self, File},
    io::Write as _,
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering},
};

use crate::{
    error::{Error, Result, at},
    locks::{FileLock, Mode},
    store::{Store, list},
};

/// Notes of this process so far.
static NOTES: AtomicU32 = AtomicU32::new(0);

/// Says that something uses a model. It ends when it is dropped, or when the process ends.
#[derive(Debug)]
pub struct Lease {
    note: PathBuf,
    _writer: File,
    _shared: FileLock,
}

impl Drop for Lease {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.note);
    }
}

/// The user of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// Such as `the engine weights`; empty if the note cannot be read.
    pub user: String,
    pub pid: u32,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.user.as_str() {
            "" => write!(f, "the process {}", self.pid),
            user => write!(f, "{user} of the process {}", self.pid),
        }
    }
}

impl Store {
    /// Marks a model as used, so that it is not removed. `user` is a phrase such as `the engine weights`.
    pub fn lease(&self, name: &str, user: &str) -> Result<Lease> {
        let missing = || Error::NotHere(name.to_owned());
        self.find(name)?.ok_or_else(missing)?;
        self.prepare()?;
        let (note, writer) = self.note(name, user)?;
        let shared = FileLock::attempt(&self.in_use(name), Mode::Shared);
        // The only holder of the lock removes the model.
        let here = shared.and_then(|lock| Ok((lock, self.find(name)?)));
        if let Ok((Some(shared), Some(_))) = here {
            return Ok(Lease {
                note,
                _writer: writer,
                _shared: shared,
            });
        }
        let _ = fs::remove_file(&note);
        Err(here.err().unwrap_or_else(missing))
    }

    /// Returns the user of a model, if there is one. Notes of processes that ended are removed.
    pub fn leased(&self, name: &str) -> Result<Option<Holder>> {
        for path in list(&self.leases())? {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            let Some((_, writer)) = file.split_once('@').filter(|(of, _)| *of == name) else {
                continue;
            };
            if FileLock::attempt(&path, Mode::Exclusive)?.is_some() {
                let _ = fs::remove_file(&path);
                continue;
            }
            let pid = writer.split('-').next().and_then(|pid| pid.parse().ok());
            return Ok(Some(Holder {
                user: fs::read_to_string(&path).unwrap_or_default(),
                pid: pid.unwrap_or_default(),
            }));
        }
        Ok(None)
    }

    /// Held while a model is removed: nobody begins to use it. `None` while somebody uses it.
    pub(crate) fn claim(&self, name: &str) -> Result<Option<FileLock>> {
        self.prepare()?;
        FileLock::attempt(&self.in_use(name), Mode::Exclusive)
    }

    /// Removes the files of leases of a model that was claimed and removed.
    pub(crate) fn end_claim(&self, name: &str, claim: FileLock) {
        let _ = fs::remove_file(self.in_use(name));
        drop(claim);
    }

    fn in_use(&self, name: &str) -> PathBuf {
        self.leases().join(format!("{name}.lock"))
    }

    /// A note and its lock. It gets its name when it is locked and written.
    fn note(&self, name: &str, user: &str) -> Result<(PathBuf, File)> {
        loop {
            let number = NOTES.fetch_add(1, Ordering::Relaxed);
            let file = format!("{name}@{}-{number}", std::process::id());
            let (new, path) = (self.leases().join(format!(".{file}")), self.leases().join(file));
            let mut writer = match File::create_new(&new) {
                // An earlier process with the same id left it.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
                created => created.map_err(at(&new))?,
            };
            writer.lock().map_err(at(&new))?;
            writer.write_all(user.as_bytes()).map_err(at(&new))?;
            fs::rename(&new, &path).map_err(at(&path))?;
            return Ok((path, writer));
        }
    }
}
