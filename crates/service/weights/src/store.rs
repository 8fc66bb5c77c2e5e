//! The store on disk: blobs by digest, and a folder of links for each model.
//!
//! ```text
//! models/
//!   blobs/sha256-HEX          read-only; a link to the original if it was imported with --link
//!   blobs/sha256-HEX.pieces   the digests of its pieces, for repairs
//!   parts/HEX.part, .journal  downloads in progress
//!   NAME/lock.json            a model is here if this file is
//!   NAME/…                    links to blobs, under the names that its runtime expects
//!   leases/                   which models running engines use
//! ```

use std::{
    collections::HashSet,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{
    entry::{Entry, Pin},
    error::{Error, Result, at},
    locks::{FileLock, Mode},
};

/// The file that makes a folder a model.
pub(crate) const LOCK: &str = "lock.json";

/// The store in the data folder. Clones are the same store.
#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
}

/// The content of `lock.json`: the entry as it was pulled, and the files in the folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Installed {
    pub entry: Entry,
    pub files: Vec<Placed>,
    /// The blobs that were downloaded: the files themselves, archives, and what was converted.
    pub origins: Vec<Pin>,
    /// The folder of the files.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// A file in the folder of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    pub role: String,
    pub name: String,
    #[serde(flatten)]
    pub pin: Pin,
}

impl Installed {
    /// The path of the first file with this role.
    pub fn path(&self, role: &str) -> Option<PathBuf> {
        let file = self.files.iter().find(|file| file.role == role)?;
        Some(self.folder.join(&file.name))
    }

    /// Every blob that the model needs.
    pub fn pins(&self) -> impl Iterator<Item = &Pin> {
        self.files.iter().map(|file| &file.pin).chain(&self.origins)
    }

    /// The bytes of its blobs, each counted once.
    pub fn bytes(&self) -> u64 {
        let pins: HashSet<&Pin> = self.pins().collect();
        pins.iter().map(|pin| pin.size).sum()
    }
}

impl Store {
    /// The store in this folder, which is created when something is stored.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of a model, whether it is there or not.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The path of a blob, whether it is there or not.
    pub fn blob(&self, sha256: &str) -> PathBuf {
        self.blobs().join(format!("sha256-{sha256}"))
    }

    /// Whether a blob is there, with its size. Its digest was checked when it came.
    pub fn has(&self, pin: &Pin) -> bool {
        fs::metadata(self.blob(&pin.sha256)).is_ok_and(|found| found.is_file() && found.len() == pin.size)
    }

    /// Every model that is here, in the order of names. Folders without a lock file are somebody else's. A lock file
    /// that cannot be read, such as one of a later version, does not hide the other models.
    pub fn installed(&self) -> Result<Vec<Installed>> {
        let mut found = Vec::new();
        for folder in list(&self.root)? {
            match read(&folder) {
                Ok(installed) => found.extend(installed),
                Err(error) => tracing::warn!(%error, "a model is left out"),
            }
        }
        found.sort_by(|left, right| left.entry.name.cmp(&right.entry.name));
        Ok(found)
    }

    /// The model of this name, if it is here.
    pub fn find(&self, name: &str) -> Result<Option<Installed>> {
        if crate::is_name(name) {
            read(&self.folder(name))
        } else {
            Ok(None)
        }
    }

    /// The bytes of all blobs and of downloads in progress. Files that were linked in place do not count.
    pub fn bytes(&self) -> Result<u64> {
        let mut total = 0;
        for path in list(&self.blobs())?.into_iter().chain(list(&self.parts())?) {
            // The size on disk of a part: it is sparse until it is whole.
            if let Ok(found) = fs::symlink_metadata(&path)
                && found.is_file()
            {
                total += found
                    .len()
                    .min(std::os::unix::fs::MetadataExt::blocks(&found) * 512);
            }
        }
        Ok(total)
    }

    /// The bytes that other programs may still write on this disk.
    pub fn free(&self) -> Result<u64> {
        let place = self
            .root
            .ancestors()
            .find(|place| place.exists())
            .unwrap_or(&self.root);
        let found = rustix::fs::statvfs(place).map_err(|error| at(place)(error.into()))?;
        Ok(found.f_bavail.saturating_mul(found.f_frsize))
    }

    pub(crate) fn blobs(&self) -> PathBuf {
        self.root.join("blobs")
    }

    pub(crate) fn parts(&self) -> PathBuf {
        self.root.join("parts")
    }

    pub(crate) fn leases(&self) -> PathBuf {
        self.root.join("leases")
    }

    /// The digests of a blob's pieces, as its download left them.
    pub(crate) fn pieces(&self, sha256: &str) -> PathBuf {
        self.blobs().join(format!("sha256-{sha256}.pieces"))
    }

    /// Creates the folders of the store.
    pub(crate) fn prepare(&self) -> Result<()> {
        for folder in [self.blobs(), self.parts(), self.leases()] {
            fs::create_dir_all(&folder).map_err(at(&folder))?;
        }
        Ok(())
    }

    /// Held by everything that adds blobs, so that nothing removes them before a lock file names them.
    pub(crate) async fn adding(&self) -> Result<FileLock> {
        self.prepare()?;
        FileLock::wait(&self.parts().join("store.lock"), Mode::Shared, || ()).await
    }

    /// Held while blobs are removed. `None` while something is added.
    pub(crate) fn removing(&self) -> Result<Option<FileLock>> {
        self.prepare()?;
        FileLock::attempt(&self.parts().join("store.lock"), Mode::Exclusive)
    }

    /// The digests of the blobs that models need. Fails if a lock file cannot be read: its blobs may be needed.
    pub(crate) fn needed(&self) -> Result<HashSet<String>> {
        let mut needed = HashSet::new();
        for folder in list(&self.root)? {
            let installed = read(&folder)?;
            needed.extend(
                installed
                    .iter()
                    .flat_map(Installed::pins)
                    .map(|pin| pin.sha256.clone()),
            );
        }
        Ok(needed)
    }
}

/// The paths in a folder; nothing if the folder does not exist.
pub(crate) fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(found) => found.map(|entry| Ok(entry.map_err(at(folder))?.path())).collect(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(at(folder)(error)),
    }
}

/// The model in a folder, if it has a lock file.
fn read(folder: &Path) -> Result<Option<Installed>> {
    let path = folder.join(LOCK);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error)
            if matches!(
                error.kind(),
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(at(&path)(error)),
    };
    let mut installed: Installed = serde_json::from_str(&text)
        .map_err(|error| Error::Invalid(format!("{}: {error}", path.display())))?;
    folder.clone_into(&mut installed.folder);
    Ok(Some(installed))
}

/// Writes a file that is there whole or not at all, also after a power cut.
pub(crate) fn write_whole(path: &Path, text: &[u8]) -> Result<()> {
    let temporary = path.with_extension(format!("tmp-{}", std::process::id()));
    let mut file = fs::File::create(&temporary).map_err(at(&temporary))?;
    file.write_all(text).map_err(at(&temporary))?;
    file.sync_all().map_err(at(&temporary))?;
    fs::rename(&temporary, path).map_err(at(path))?;
    path.parent().map_or(Ok(()), sync)
}

/// Makes the names in a folder durable.
pub(crate) fn sync(folder: &Path) -> Result<()> {
    fs::File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(at(folder))
}
