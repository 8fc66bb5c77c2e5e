//! Removal and garbage collection.

use std::{
    fs,
    path::Path,
    time::{Duration, SystemTime},
};

use serde::Serialize;

use crate::{
    entry::Kind,
    error::{Error, Result, at},
    pull::Puller,
    store::{Store, list},
};

/// Downloads that nobody continued for so long are removed.
const ABANDONED: Duration = Duration::from_hours(168);

/// The removed files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// Models.
    pub models: Vec<String>,
    /// Blobs, and parts of downloads.
    pub files: usize,
    pub bytes: u64,
    /// A pull was in progress, so that the files stay until the next garbage collection.
    pub files_stay: bool,
}

impl Store {
    /// Removes a model, and the parts that no other model uses, with their blobs. A model in use is removed only with
    /// `force`: whoever has its files open keeps them until they close them.
    pub fn remove(&self, name: &str, force: bool) -> Result<Removed> {
        let gone = self.find(name)?.ok_or_else(|| Error::NotHere(name.to_owned()))?;
        let users: Vec<String> = self
            .installed()?
            .into_iter()
            .filter(|other| other.entry.name != name && other.entry.uses.iter().any(|used| used == name))
            .map(|other| format!("`{}`", other.entry.name))
            .collect();
        if !users.is_empty() {
            return Err(Error::Used {
                name: name.to_owned(),
                by: users.join(", "),
            });
        }
        let claim = self.claim(name)?;
        if claim.is_none() && !force {
            return Err(Error::Leased {
                name: name.to_owned(),
                by: self
                    .leased(name)?
                    .map_or_else(|| "another process".to_owned(), |holder| holder.to_string()),
            });
        }
        let mut removed = Removed {
            models: vec![name.to_owned()],
            ..Removed::default()
        };
        self.unlink(&gone.folder)?;
        if let Some(claim) = claim {
            self.end_claim(name, claim);
        }
        for used in &gone.entry.uses {
            let part = self.find(used)?.filter(|part| part.entry.kind == Kind::Part);
            let needed = |other: &crate::Installed| other.entry.uses.contains(used);
            if part.is_none() || self.installed()?.iter().any(needed) {
                continue;
            }
            if let Some(claim) = self.claim(used)? {
                self.unlink(&self.folder(used))?;
                self.end_claim(used, claim);
                removed.models.push(used.clone());
            }
        }
        // A pull in progress may be about to use a blob that no lock file names yet; `gc` finds it later.
        if let Some(_lock) = self.removing()? {
            let mine: Vec<String> = gone.pins().map(|pin| pin.sha256.clone()).collect();
            let of_parts = removed.models.len() > 1;
            self.sweep(&mut removed, |digest| {
                of_parts || mine.iter().any(|own| own == digest)
            })?;
        } else {
            removed.files_stay = true;
        }
        Ok(removed)
    }

    /// Removes blobs that no model needs, and downloads that nobody continued for seven days.
    #[allow(
        clippy::disallowed_methods,
        reason = "the ages of files are times of the real world"
    )]
    pub fn collect_garbage(&self) -> Result<Removed> {
        let _lock = self.removing()?.ok_or(Error::Busy)?;
        let mut removed = Removed::default();
        self.sweep(&mut removed, |_| true)?;
        let now = SystemTime::now();
        for path in list(&self.parts())? {
            let abandoned = fs::symlink_metadata(&path)
                .and_then(|found| found.modified())
                .is_ok_and(|time| now.duration_since(time).is_ok_and(|age| age > ABANDONED));
            if abandoned && path.file_name().is_some_and(|name| name != "store.lock") {
                delete(&path, &mut removed)?;
            }
        }
        Ok(removed)
    }

    /// The bytes of the blobs that no model needs.
    pub fn garbage_bytes(&self) -> Result<u64> {
        let needed = self.needed()?;
        let sizes = list(&self.blobs())?.into_iter().filter_map(|path| {
            let digest = digest_of(&path)?;
            let found = fs::symlink_metadata(&path).ok()?;
            (!needed.contains(&digest)).then_some(found.len())
        });
        Ok(sizes.sum())
    }

    fn unlink(&self, folder: &Path) -> Result<()> {
        // First the lock file: without it, the model is not there.
        let lock = folder.join(crate::store::LOCK);
        fs::remove_file(&lock).map_err(at(&lock))?;
        fs::remove_dir_all(folder).map_err(at(folder))?;
        crate::store::sync(self.root())
    }

    fn sweep(&self, removed: &mut Removed, asked: impl Fn(&str) -> bool) -> Result<()> {
        let needed = self.needed()?;
        for path in list(&self.blobs())? {
            let Some(digest) = digest_of(&path) else { continue };
            if !needed.contains(&digest) && asked(&digest) {
                delete(&path, removed)?;
            }
        }
        Ok(())
    }
}

impl Puller {
    /// Removes the blobs that nodes share and that no model of this node needs. No other node loses a file, because
    /// each has its own; only a later pull asks the origin again.
    pub async fn collect_shared(&self) -> Result<Removed> {
        if self.downloader.options().offline {
            return Err(Error::Offline(
                "the list of the files that nodes share".to_owned(),
            ));
        }
        let depot = self.depot.as_ref().ok_or(Error::NotShared)?;
        let needed = self.store.needed()?;
        let mut removed = Removed::default();
        for pin in depot.list().await.map_err(Error::Shared)? {
            if !needed.contains(&pin.sha256) {
                depot.remove(&pin).await.map_err(Error::Shared)?;
                removed.files += 1;
                removed.bytes += pin.size;
            }
        }
        Ok(removed)
    }
}

/// The digest in the name of a blob or of its pieces.
fn digest_of(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?.strip_prefix("sha256-")?;
    let digest = name.strip_suffix(".pieces").unwrap_or(name);
    crate::is_digest(digest).then(|| digest.to_owned())
}

fn delete(path: &Path, removed: &mut Removed) -> Result<()> {
    let found = fs::symlink_metadata(path).map_err(at(path))?;
    if found.is_dir() {
        fs::remove_dir_all(path).map_err(at(path))?;
    } else {
        fs::remove_file(path).map_err(at(path))?;
        let small = path
            .extension()
            .is_some_and(|ending| ["pieces", "journal", "lock"].iter().any(|own| ending == *own));
        if !small {
            removed.files += 1;
            removed.bytes += found.len();
        }
    }
    Ok(())
}
