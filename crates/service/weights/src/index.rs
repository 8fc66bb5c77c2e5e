//! The index: the entries built into the program, then those of the operator's folder.

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    path::{Path, PathBuf},
};

use crate::{check, entry::Entry};

/// Name and text of every built-in entry.
static BUILTIN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/entries.rs"));

/// Why an index cannot be read. The message names the file.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error("{}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{file}: {reason}")]
    Entry { file: String, reason: String },
}

/// All entries, by name.
#[derive(Debug, Clone, Default)]
pub struct Index {
    entries: BTreeMap<String, Entry>,
}

impl Index {
    /// The entries built into the program.
    pub fn builtin() -> Result<Self, IndexError> {
        Self::of(
            BUILTIN
                .iter()
                .map(|(file, text)| ((*file).to_owned(), (*text).to_owned())),
        )
    }

    /// The built-in entries and every `*.toml` of a folder. A file with the name of a built-in entry replaces it. A
    /// folder that does not exist adds nothing.
    pub fn load(folder: &Path) -> Result<Self, IndexError> {
        let mut index = Self::builtin()?;
        index.entries.extend(Self::of(files(folder)?)?.entries);
        index.check_uses()?;
        Ok(index)
    }

    /// The entries of one folder alone.
    pub fn of_folder(folder: &Path) -> Result<Self, IndexError> {
        Self::of(files(folder)?)
    }

    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.get(name)
    }

    /// In the order of their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.entries.values()
    }

    /// Adds an entry, or replaces the one of its name.
    pub fn add(&mut self, entry: Entry) {
        self.entries.insert(entry.name.clone(), entry);
    }

    /// The entry and all that it uses on such a machine, what is used first. `Err` is a name that is not known.
    pub fn with_used(&self, name: &str, target: &str) -> Result<Vec<&Entry>, String> {
        let mut found = Vec::new();
        self.collect(name, target, &mut HashSet::new(), &mut found)?;
        Ok(found)
    }

    fn collect<'a>(
        &'a self,
        name: &str,
        target: &str,
        seen: &mut HashSet<String>,
        found: &mut Vec<&'a Entry>,
    ) -> Result<(), String> {
        if !seen.insert(name.to_owned()) {
            return Ok(());
        }
        let entry = self.get(name).ok_or_else(|| name.to_owned())?;
        for used in &entry.uses {
            if self.get(used).is_none_or(|used| used.is_for(target)) {
                self.collect(used, target, seen, found)?;
            }
        }
        found.push(entry);
        Ok(())
    }

    fn of(files: impl IntoIterator<Item = (String, String)>) -> Result<Self, IndexError> {
        let mut entries = BTreeMap::new();
        for (file, text) in files {
            let entry = parse(&file, &text)?;
            entries.insert(entry.name.clone(), entry);
        }
        Ok(Self { entries })
    }

    /// Entries may use each other only if they are there.
    fn check_uses(&self) -> Result<(), IndexError> {
        for entry in self.iter() {
            if let Some(used) = entry.uses.iter().find(|used| self.get(used).is_none()) {
                return Err(IndexError::Entry {
                    file: format!("models.d/{}.toml", entry.name),
                    reason: format!("`uses` names `{used}`, but there is no such entry"),
                });
            }
        }
        Ok(())
    }
}

/// Reads one entry. `file` names it in errors; its stem must be the entry's name.
pub fn parse(file: &str, text: &str) -> Result<Entry, IndexError> {
    let wrong = |reason: String| IndexError::Entry {
        file: file.to_owned(),
        reason,
    };
    let entry: Entry =
        toml::from_str(text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))?;
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str());
    match check::fault(&entry, stem) {
        Some(fault) => Err(wrong(fault)),
        None => Ok(entry),
    }
}

/// Every `*.toml` of a folder, with its text, sorted.
fn files(folder: &Path) -> Result<Vec<(String, String)>, IndexError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| IndexError::Read { path, source }
    };
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed(folder))? {
        let path = entry.map_err(failed(folder))?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            paths.push(path);
        }
    }
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).map_err(failed(&path))?;
            Ok((path.display().to_string(), text))
        })
        .collect()
}
