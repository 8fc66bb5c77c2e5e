//! Makes a model of blobs: unpacks and converts what has to be, links the files, and writes the lock file last.

use std::{
    fs,
    io::Read as _,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{
    archive,
    entry::{Entry, File, Pin},
    error::{Error, Result, at},
    store::{Installed, LOCK, Placed, Store, sync, write_whole},
};

/// The role of the file that the engine `onnx` runs, and the names that it expects.
const GRAPH: &str = "graph";
const GRAPH_FILE: &str = "model.onnx";
const GRAPH_TABLE: &str = "model.json";

/// The built-in conversions and rewrites of graphs. This crate calls them and knows none.
pub trait Prepare: Send + Sync + std::fmt::Debug {
    /// Makes `target` of `source`. `Err` says why it cannot, in words.
    fn prepare(&self, step: &Step<'_>) -> Result<(), String>;
}

/// The conversion of a downloaded file.
#[derive(Debug)]
pub struct Step<'a> {
    pub entry: &'a Entry,
    pub file: &'a File,
    /// The downloaded file.
    pub source: &'a Path,
    /// A folder with all downloaded files of the entry, under their names.
    pub beside: &'a Path,
    /// The file to write; it does not exist.
    pub target: &'a Path,
}

/// No conversions: entries that need one are refused.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPreparation;

impl Prepare for NoPreparation {
    fn prepare(&self, step: &Step<'_>) -> Result<(), String> {
        let File { convert, rewrite, .. } = step.file;
        let wanted: Vec<_> = convert.iter().chain(rewrite).map(String::as_str).collect();
        Err(format!(
            "this program has no conversion `{}`",
            wanted.join("`, `")
        ))
    }
}

/// Makes the model of blobs that are all there. Replaces an earlier version of it.
pub(crate) fn place(store: &Store, entry: &Entry, prepare: &dyn Prepare) -> Result<Installed> {
    let folder = store.folder(&entry.name);
    refuse_foreign(&folder)?;
    let staging = Staging::new(store, &entry.name)?;
    let mut installed = Installed {
        entry: entry.clone(),
        files: Vec::new(),
        origins: Vec::new(),
        folder: folder.clone(),
    };
    let originals = staging.path.join("originals");
    let model = staging.path.join("model");
    for folder in [&originals, &model] {
        fs::create_dir_all(folder).map_err(at(folder))?;
    }
    for file in &entry.files {
        let pin = pin_of(store, file)?;
        link(&store.blob(&pin.sha256), &originals.join(&file.name))?;
        installed.origins.push(pin);
    }
    for (file, origin) in entry.files.iter().zip(installed.origins.clone()) {
        let work = Work {
            store,
            staging: &staging.path,
            originals: &originals,
            model: &model,
            entry,
        };
        installed.files.extend(work.file(file, origin, prepare)?);
    }
    describe_graph(entry, &installed, &model)?;
    let text = serde_json::to_vec_pretty(&installed).map_err(|error| Error::Invalid(error.to_string()))?;
    write_whole(&model.join(LOCK), &text)?;
    swap(&model, &folder, &staging.path)?;
    Ok(installed)
}

/// Refuses a folder that somebody made by hand.
pub(crate) fn refuse_foreign(folder: &Path) -> Result<()> {
    if folder.exists() && !folder.join(LOCK).exists() {
        return Err(Error::InTheWay {
            path: folder.display().to_string(),
        });
    }
    Ok(())
}

/// Returns the size and digest of a file's blob. An entry may lack the size; the blob has one.
pub(crate) fn pin_of(store: &Store, file: &File) -> Result<Pin> {
    let missing = || Error::Invalid(format!("`{}` has not been downloaded", file.name));
    let sha256 = file.sha256.clone().ok_or_else(missing)?;
    let found = fs::metadata(store.blob(&sha256)).map_err(|_| missing())?;
    match file.size {
        Some(size) if size != found.len() => Err(missing()),
        _ => Ok(Pin {
            sha256,
            size: found.len(),
        }),
    }
}

struct Work<'a> {
    store: &'a Store,
    staging: &'a Path,
    originals: &'a Path,
    model: &'a Path,
    entry: &'a Entry,
}

impl Work<'_> {
    fn file(&self, file: &File, origin: Pin, prepare: &dyn Prepare) -> Result<Vec<Placed>> {
        if let Some(kind) = file.archive() {
            return self.archive(file, kind, &origin);
        }
        let pin = if file.is_prepared() {
            self.prepared(file, &origin, prepare)?
        } else {
            origin
        };
        self.link(&file.role, file.installed_name(), pin)
            .map(|placed| vec![placed])
    }

    fn archive(&self, file: &File, kind: crate::ArchiveKind, origin: &Pin) -> Result<Vec<Placed>> {
        let target = self.staging.join("unpacked");
        fs::create_dir_all(&target).map_err(at(&target))?;
        let unpacked = archive::unpack(&self.store.blob(&origin.sha256), kind, &file.members, &target)?;
        let mut placed = Vec::new();
        for member in unpacked {
            let pin = adopt(self.store, &target.join(&member.name), member.executable)?;
            if member
                .sha256
                .as_ref()
                .is_some_and(|expected| *expected != pin.sha256)
            {
                return Err(Error::Archive {
                    archive: file.name.clone(),
                    reason: format!(
                        "`{}` has the SHA-256 {}, which the entry does not name",
                        member.name, pin.sha256
                    ),
                });
            }
            placed.push(self.link(&file.role, &member.name, pin)?);
        }
        fs::remove_dir_all(&target).map_err(at(&target))?;
        Ok(placed)
    }

    fn prepared(&self, file: &File, origin: &Pin, prepare: &dyn Prepare) -> Result<Pin> {
        let target = self.staging.join("prepared");
        let step = Step {
            entry: self.entry,
            file,
            source: &self.store.blob(&origin.sha256),
            beside: self.originals,
            target: &target,
        };
        prepare.prepare(&step).map_err(|reason| Error::Prepare {
            file: file.name.clone(),
            reason,
        })?;
        adopt(self.store, &target, false)
    }

    fn link(&self, role: &str, name: &str, pin: Pin) -> Result<Placed> {
        let blob = self.store.blob(&pin.sha256);
        link(&blob, &self.model.join(name))?;
        if role == GRAPH && !self.entry.graph.is_empty() && name != GRAPH_FILE {
            link(&blob, &self.model.join(GRAPH_FILE))?;
        }
        Ok(Placed {
            role: role.to_owned(),
            name: name.to_owned(),
            pin,
        })
    }
}

/// Writes `model.json`, which the engine `onnx` reads.
fn describe_graph(entry: &Entry, installed: &Installed, model: &Path) -> Result<()> {
    if entry.graph.is_empty() || installed.path(GRAPH).is_none() {
        return Ok(());
    }
    let mut table = entry.graph.clone();
    table
        .entry("name")
        .or_insert_with(|| Value::String(entry.title.clone()));
    table
        .entry("license")
        .or_insert_with(|| Value::String(entry.licence.short().to_owned()));
    let text = serde_json::to_vec_pretty(&table).map_err(|error| Error::Invalid(error.to_string()))?;
    write_whole(&model.join(GRAPH_TABLE), &text)
}

/// Makes a blob of a file that was made here, and returns what it is.
fn adopt(store: &Store, path: &Path, executable: bool) -> Result<Pin> {
    let pin = hash(path)?;
    let mode = if executable { 0o555 } else { 0o444 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(at(path))?;
    if store.has(&pin) && !executable {
        fs::remove_file(path).map_err(at(path))?;
    } else {
        let blob = store.blob(&pin.sha256);
        fs::rename(path, &blob).map_err(at(&blob))?;
        sync(&store.blobs())?;
    }
    Ok(pin)
}

/// The digest and the size of a file.
pub(crate) fn hash(path: &Path) -> Result<Pin> {
    let mut file = fs::File::open(path).map_err(at(path))?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    let mut size = 0;
    loop {
        let count = file.read(&mut buffer).map_err(at(path))?;
        if count == 0 {
            break;
        }
        digest.update(&buffer[..count]);
        size += count as u64;
    }
    Ok(Pin {
        sha256: hex::encode(digest.finalize()),
        size,
    })
}

/// Gives a blob a further name: a hard link, or a symbolic link if the file system has none or the blob is one itself.
fn link(blob: &Path, name: &Path) -> Result<()> {
    if let Some(folder) = name.parent() {
        fs::create_dir_all(folder).map_err(at(folder))?;
    }
    let target = fs::canonicalize(blob).map_err(at(blob))?;
    if target.parent()
        == blob
            .parent()
            .and_then(|blobs| fs::canonicalize(blobs).ok())
            .as_deref()
        && fs::hard_link(&target, name).is_ok()
    {
        return Ok(());
    }
    std::os::unix::fs::symlink(&target, name).map_err(at(name))
}

/// Puts the finished folder in its place.
fn swap(model: &Path, folder: &Path, staging: &Path) -> Result<()> {
    if folder.exists() {
        let old = staging.join("old");
        fs::rename(folder, &old).map_err(at(folder))?;
    }
    fs::rename(model, folder).map_err(at(folder))?;
    folder.parent().map_or(Ok(()), sync)
}

/// A folder for work in progress. It goes when the work ends; after a crash, the next work on the same model clears it.
struct Staging {
    path: PathBuf,
}

impl Staging {
    fn new(store: &Store, name: &str) -> Result<Self> {
        let path = store.parts().join(format!("{name}.staging"));
        if path.exists() {
            fs::remove_dir_all(&path).map_err(at(&path))?;
        }
        fs::create_dir_all(&path).map_err(at(&path))?;
        Ok(Self { path })
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}
