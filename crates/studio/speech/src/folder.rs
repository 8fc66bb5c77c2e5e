//! A model's folder: `lock.json`, which says what the weights are and where their files are.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use serde_json::Value;

use crate::RUNTIME;

const LOCK: &str = "lock.json";

/// The contents of a folder.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    pub(crate) title: String,
    /// The licence of the weights: its name, or an SPDX id.
    pub(crate) license: Option<String>,
    /// Other folders that this one needs.
    pub(crate) uses: Vec<String>,
    pub(crate) family: Family,
    files: Vec<File>,
}

/// The settings of a family of networks.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "family", rename_all = "lowercase")]
pub(crate) enum Family {
    Kokoro(Kokoro),
    Piper(Piper),
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Kokoro {
    pub(crate) sample_rate: u32,
    /// As the catalog writes them.
    pub(crate) languages: Vec<String>,
    pub(crate) default_voice: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Piper {
    pub(crate) sample_rate: u32,
    /// Such as `en_US-joe-medium`.
    pub(crate) voice: String,
    /// Such as `en_US`.
    pub(crate) language: String,
    pub(crate) noise_scale: f32,
    pub(crate) length_scale: f32,
    pub(crate) noise_w: f32,
}

#[derive(Debug, Deserialize)]
struct Lock {
    entry: Entry,
    #[serde(default)]
    files: Vec<File>,
}

#[derive(Debug, Deserialize)]
struct Entry {
    title: String,
    #[serde(default)]
    licence: Licence,
    #[serde(default)]
    runtime: Option<String>,
    #[serde(default)]
    uses: Vec<String>,
    #[serde(default)]
    settings: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Licence {
    id: Option<String>,
    name: Option<String>,
}

#[derive(Debug, Deserialize)]
struct File {
    role: String,
    name: String,
}

impl Folder {
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let lock = read_lock(path)?;
        let wrong = |why: String| format!("{}: {why}", path.join(LOCK).display());
        if lock.entry.runtime.as_deref() != Some(RUNTIME) {
            let runtime = lock.entry.runtime.unwrap_or_default();
            return Err(wrong(format!("the runtime is `{runtime}`, not `{RUNTIME}`")));
        }
        let family = serde_json::from_value(lock.entry.settings);
        let family = family.map_err(|error| wrong(format!("`settings`: {error}")))?;
        Ok(Self {
            path: path.to_owned(),
            title: lock.entry.title,
            license: lock.entry.licence.name.or(lock.entry.licence.id),
            uses: lock.entry.uses,
            family,
            files: lock.files,
        })
    }

    /// The path of the file with a role.
    pub(crate) fn file(&self, role: &str) -> Result<PathBuf, String> {
        let file = self.files.iter().find(|file| file.role == role);
        let file =
            file.ok_or_else(|| format!("{} has no file with the role `{role}`", self.path.display()))?;
        Ok(self.path.join(&file.name))
    }
}

fn read_lock(path: &Path) -> Result<Lock, String> {
    let path = path.join(LOCK);
    let wrong = |why: String| format!("{}: {why}", path.display());
    let bytes = fs::read(&path).map_err(|error| wrong(error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))
}

/// Reads a model's folder without running it. `None` means that it is not for speech.
pub fn check(path: &Path) -> Option<Result<(), String>> {
    let lock = read_lock(path).ok()?;
    if lock.entry.runtime.as_deref() != Some(RUNTIME) {
        return None;
    }
    Some(Folder::read(path).and_then(|folder| {
        let graph = folder.file("graph")?;
        let parts = folder.uses.iter().map(|part| path.with_file_name(part));
        let missing = std::iter::once(graph).chain(parts).find(|path| !path.exists());
        missing.map_or(Ok(()), |path| Err(format!("{} is missing", path.display())))
    }))
}
