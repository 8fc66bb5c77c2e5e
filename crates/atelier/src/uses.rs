//! The weights that the operator has chosen for models: a file in the data folder, which a running service follows.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::SystemTime,
};

use atelier_catalog::Model;
use atelier_weights::Entry;
use serde::{Deserialize, Serialize};

use crate::{config::Config, failure::Failure};

/// The weights that serve one model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Use {
    /// The name of the weights.
    pub(crate) weights: String,
    /// The task that they are asked to do.
    pub(crate) task: String,
}

/// The choices, by the slugs of models.
pub(crate) type Uses = BTreeMap<String, Use>;

fn file(config: &Config) -> PathBuf {
    config.data.join("models-in-use.json")
}

/// When the choices changed last; `None` if there never were any.
pub(crate) fn changed(config: &Config) -> Option<SystemTime> {
    fs::metadata(file(config)).ok()?.modified().ok()
}

pub(crate) fn read(config: &Config) -> Result<Uses, Failure> {
    let path = file(config);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Uses::new()),
        Err(error) => return Err(Failure::new(format!("{}: {error}", path.display()))),
    };
    serde_json::from_str(&text).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

/// Changes the choices. Of several processes that do so at a time, each waits for the one before.
pub(crate) fn change<T>(
    config: &Config,
    change: impl FnOnce(&mut Uses) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let path = file(config);
    let failed = |error: io::Error| Failure::new(format!("{}: {error}", path.display()));
    // The file itself is replaced, so that it cannot be the lock.
    let lock = File::create(path.with_extension("lock")).map_err(failed)?;
    lock.lock().map_err(failed)?;
    let mut uses = read(config)?;
    let changed = change(&mut uses)?;
    let text = serde_json::to_string_pretty(&uses).map_err(|error| Failure::new(error.to_string()))?;
    replace(&path, &(text + "\n")).map_err(failed)?;
    Ok(changed)
}

/// Replaces a file as a whole, also if the machine loses its power meanwhile.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let part = path.with_extension("part");
    let mut written = File::create(&part)?;
    written.write_all(text.as_bytes())?;
    written.sync_all()?;
    fs::rename(&part, path)?;
    File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()
}

/// The models that weights are chosen for.
pub(crate) fn of(uses: &Uses, weights: &str) -> Vec<String> {
    let chosen = uses.iter().filter(|(_, chosen)| chosen.weights == weights);
    chosen.map(|(model, _)| model.clone()).collect()
}

/// Returns the task that weights would do for a model: the one that they name, else a task of theirs that the model's
/// own engines do.
pub(crate) fn task(entry: &Entry, model: &Model) -> Option<String> {
    let of_model = entry
        .serves
        .iter()
        .find(|serves| serves.model.as_deref() == Some(&*model.slug));
    let does = |task: &str| {
        let by_routes = model.routes.iter().any(|route| route.task == task);
        by_routes || model.routes.is_empty() && model.output.as_str() == task
    };
    let found = of_model.or_else(|| entry.serves.iter().find(|serves| does(&serves.task)));
    found.map(|serves| serves.task.clone())
}
