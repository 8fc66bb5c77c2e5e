//! Imports: files that are already on this machine are recognised by their digests, whatever their names.

use std::{
    collections::{HashMap, HashSet},
    fs::{self, File},
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::Serialize;

use crate::{
    download::blocking,
    entry::{Entry, Pin},
    error::{Error, Result, at},
    index::Index,
    pack,
    place::{hash, pin_of},
    pull::Puller,
    store::{Store, sync},
};

/// The findings of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// Files that an entry names.
    pub recognised: Vec<Recognised>,
    /// The entries that are whole now and were not before.
    pub installed: Vec<String>,
    /// Entries of which some files are here, and the names of those that are not.
    pub incomplete: Vec<Incomplete>,
    /// Entries that only the pack knew; they are kept in the folder of the operator's entries.
    pub added: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recognised {
    pub path: PathBuf,
    /// The entry and its file.
    pub name: String,
    pub file: String,
    pub bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Incomplete {
    pub name: String,
    pub missing: Vec<String>,
}

/// The files to import: found, and not yet stored.
#[derive(Debug, Clone, Default)]
pub struct Find {
    pack: Option<PathBuf>,
    files: Vec<(PathBuf, Pin)>,
    /// The entries that the found files belong to.
    pub entries: Vec<Entry>,
    /// Entries of the pack that the index does not have.
    pub unknown: Vec<Entry>,
}

impl Puller {
    /// Looks for files of the index in a file, a folder with its folders, or a pack. Stores nothing.
    pub async fn find(&self, path: &Path) -> Result<Find> {
        let (index, path) = (Arc::clone(&self.index), path.to_owned());
        let find = blocking(move || find(&index, &path)).await?;
        if let Some(entry) = find
            .entries
            .iter()
            .find(|entry| !self.policy.allows(&entry.licence))
        {
            return Err(Error::LicenceRefused {
                name: entry.name.clone(),
                licence: entry.licence.line(),
            });
        }
        Ok(find)
    }

    /// Stores what was found and installs the entries that are whole with it. With `link`, files stay where they are,
    /// and the store refers to them. New entries of a pack are written to `folder`.
    pub async fn import(&self, find: &Find, link: bool, folder: &Path) -> Result<Imported> {
        let _adding = self.store.adding().await?;
        let (store, copied) = (self.store.clone(), find.clone());
        blocking(move || match &copied.pack {
            Some(path) => pack::unpack(&store, path).map(drop),
            None => copied
                .files
                .iter()
                .try_for_each(|(path, pin)| take(&store, path, pin, link)),
        })
        .await?;
        let mut imported = Imported {
            recognised: recognised(find),
            ..Imported::default()
        };
        for entry in &find.unknown {
            pack::keep_entry(folder, entry)?;
            imported.added.push(entry.name.clone());
        }
        // Used entries come first.
        let mut entries = find.entries.clone();
        entries.sort_by_key(|entry| (!entry.uses.is_empty(), entry.name.clone()));
        for entry in &entries {
            let lacks = |file: &&crate::File| pin_of(&self.store, file).is_err();
            let missing: Vec<String> = entry
                .files
                .iter()
                .filter(lacks)
                .map(|file| file.name.clone())
                .collect();
            if missing.is_empty() {
                let before = self.store.find(&entry.name)?;
                let installed = self.install(entry).await?;
                if before.is_none_or(|before| before.files != installed.files) {
                    imported.installed.push(entry.name.clone());
                }
            } else {
                imported.incomplete.push(Incomplete {
                    name: entry.name.clone(),
                    missing,
                });
            }
        }
        Ok(imported)
    }

    /// Writes a pack of models that are here, with what they use.
    pub async fn export(&self, names: &[String], path: &Path) -> Result<pack::Packed> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut left: Vec<String> = names.to_vec();
        while let Some(name) = left.pop() {
            if entries.iter().any(|entry| entry.name == name) {
                continue;
            }
            match self.store.find(&name)? {
                Some(found) => {
                    left.extend(found.entry.uses.iter().cloned());
                    entries.push(found.entry);
                }
                // Parts for other machines are not here.
                None if names.contains(&name) => return Err(Error::NotHere(name)),
                None => {}
            }
        }
        self.pack(entries, path).await
    }

    /// Writes a pack of entries whose blobs are here, installed or not.
    pub async fn pack(&self, entries: Vec<Entry>, path: &Path) -> Result<pack::Packed> {
        let (store, path) = (self.store.clone(), path.to_owned());
        blocking(move || pack::write(&store, &entries, &path)).await
    }
}

fn find(index: &Index, path: &Path) -> Result<Find> {
    if path.is_file()
        && let Some(entries) = pack::entries(path)?
    {
        let (known, unknown): (Vec<Entry>, Vec<Entry>) = entries
            .into_iter()
            .partition(|entry| index.get(&entry.name).is_some());
        let known = known.iter().filter_map(|entry| index.get(&entry.name)).cloned();
        return Ok(Find {
            pack: Some(path.to_owned()),
            files: Vec::new(),
            entries: known.chain(unknown.iter().cloned()).collect(),
            unknown,
        });
    }
    let wanted = Wanted::of(index);
    let mut find = Find::default();
    let mut seen = HashSet::new();
    for path in walk(path)? {
        let Ok(found) = fs::metadata(&path) else { continue };
        if !wanted.may_be(found.len()) {
            continue;
        }
        let pin = hash(&path)?;
        let Some(names) = wanted.entries.get(&pin.sha256) else {
            continue;
        };
        if !seen.insert(pin.sha256.clone()) {
            continue;
        }
        for name in names {
            if let Some(entry) = index.get(name).filter(|entry| !find.entries.contains(entry)) {
                find.entries.push(entry.clone());
            }
        }
        find.files.push((path, pin));
    }
    Ok(find)
}

/// The files that an index knows.
struct Wanted {
    sizes: HashSet<u64>,
    /// Whether a file is known by its digest alone, so that every size has to be read.
    any_size: bool,
    /// The names of the entries of each digest.
    entries: HashMap<String, Vec<String>>,
}

impl Wanted {
    fn of(index: &Index) -> Self {
        let mut wanted = Self {
            sizes: HashSet::new(),
            any_size: false,
            entries: HashMap::new(),
        };
        for entry in index.iter() {
            for file in &entry.files {
                let Some(sha256) = &file.sha256 else { continue };
                match file.size {
                    Some(size) => {
                        wanted.sizes.insert(size);
                    }
                    None => wanted.any_size = true,
                }
                wanted
                    .entries
                    .entry(sha256.clone())
                    .or_default()
                    .push(entry.name.clone());
            }
        }
        wanted
    }

    /// Only files that may be known are read.
    fn may_be(&self, size: u64) -> bool {
        self.sizes.contains(&size) || (self.any_size && size > 1 << 16)
    }
}

/// The file, or every file of a folder and its folders. Links to files are followed, as the hub's cache requires;
/// links to folders are not.
fn walk(path: &Path) -> Result<Vec<PathBuf>> {
    if !fs::metadata(path).map_err(at(path))?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(at(&folder))? {
            let entry = entry.map_err(at(&folder))?;
            let kind = entry.file_type().map_err(at(&folder))?;
            let path = entry.path();
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() || path.is_file() {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Makes a blob of a file: a copy, or a link to where it is.
fn take(store: &Store, path: &Path, pin: &Pin, link: bool) -> Result<()> {
    if store.has(pin) {
        return Ok(());
    }
    let blob = store.blob(&pin.sha256);
    // A link whose file is gone.
    if fs::symlink_metadata(&blob).is_ok() {
        fs::remove_file(&blob).map_err(at(&blob))?;
    }
    if link {
        let target = fs::canonicalize(path).map_err(at(path))?;
        std::os::unix::fs::symlink(&target, &blob).map_err(at(&blob))?;
        return sync(&store.blobs());
    }
    let mut file = File::open(path).map_err(at(path))?;
    let copied = pack::copy_in(store, &mut file)?;
    if copied == *pin {
        Ok(())
    } else {
        Err(Error::Invalid(format!(
            "{} changed while it was read",
            path.display()
        )))
    }
}

fn recognised(find: &Find) -> Vec<Recognised> {
    let mut recognised = Vec::new();
    for (path, pin) in &find.files {
        for entry in &find.entries {
            let same = |file: &&crate::File| file.sha256.as_ref() == Some(&pin.sha256);
            recognised.extend(entry.files.iter().filter(same).map(|file| Recognised {
                path: path.clone(),
                name: entry.name.clone(),
                file: file.name.clone(),
                bytes: pin.size,
            }));
        }
    }
    recognised
}
