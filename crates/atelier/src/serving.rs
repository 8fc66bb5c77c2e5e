//! Weights that are on this machine serve their models: what serves which model, and how the service follows changes.

use std::{fs, sync::Arc, time::SystemTime};

use atelier_app::System;
use atelier_engines::{Serving, Weights};
use atelier_weights::{Entry, Installed, Kind, Pulls, Store};

use crate::{sd_server, studio};

/// The engine that runs pulled weights in child processes of this program.
pub(crate) const ENGINE: &str = "weights";

/// What an entry's `runtime` says if this engine can run it.
const RUNTIMES: [&str; 2] = ["onnx", "speech"];

/// What the weights in the store serve. If several serve one model, the one that was pulled last comes first.
pub(crate) fn serving(store: &Store) -> atelier_weights::Result<Vec<Serving>> {
    let mut installed = store.installed()?;
    installed
        .retain(|model| model.entry.kind == Kind::Model && missing_program(&model.entry, store).is_none());
    installed.sort_by_key(|model| std::cmp::Reverse(came(model)));
    Ok(installed.iter().flat_map(of).collect())
}

/// The models that weights serve by themselves.
pub(crate) fn slugs(entry: &Entry, store: &Store) -> Vec<String> {
    if missing_program(entry, store).is_some() {
        return Vec::new();
    }
    entry
        .serves
        .iter()
        .filter(|serves| engine(entry, &serves.task).is_some())
        .filter_map(|serves| serves.model.clone())
        .collect()
}

/// The engine that runs an entry's weights for a task.
fn engine(entry: &Entry, task: &str) -> Option<String> {
    if entry.runtime.as_deref() != Some(sd_server::RUNTIME) {
        return Some(ENGINE.to_owned());
    }
    sd_server::can(task).then(|| sd_server::engine_name(entry))
}

/// The runtime of weights that neither this program nor a pulled one can run.
pub(crate) fn missing_program(entry: &Entry, store: &Store) -> Option<String> {
    missing_runtime(entry).filter(|_| !sd_server::runs(entry, store))
}

/// The runtime of weights that this program cannot run.
pub(crate) fn missing_runtime(entry: &Entry) -> Option<String> {
    let runtime = entry.runtime.as_deref();
    let runs = runtime.is_some_and(|name| runtimes().contains(&name));
    entry
        .runtime
        .clone()
        .filter(|_| entry.kind == Kind::Model && !runs)
}

/// The runtimes of weights that this program runs.
pub(crate) fn runtimes() -> &'static [&'static str] {
    if studio::onnx_tasks().is_empty() {
        &[]
    } else {
        &RUNTIMES
    }
}

/// The first task of weights that this program runs.
pub(crate) fn task(entry: &Entry) -> Option<&str> {
    if missing_runtime(entry).is_some() {
        return None;
    }
    let tasks = studio::onnx_tasks();
    let mut serves = entry.serves.iter().map(|serves| serves.task.as_str());
    serves.find(|task| tasks.contains(task))
}

/// When a model came.
fn came(model: &Installed) -> SystemTime {
    let lock = fs::metadata(model.folder.join("lock.json"));
    lock.and_then(|lock| lock.modified())
        .unwrap_or(SystemTime::UNIX_EPOCH)
}

fn of(model: &Installed) -> Vec<Serving> {
    let entry = &model.entry;
    let weights = Arc::new(Weights {
        name: entry.name.clone(),
        title: entry.title.clone(),
        license: entry.licence.short().to_owned(),
        license_url: Some(entry.licence.page.to_string()),
    });
    let is_process = entry.runtime.as_deref() == Some(sd_server::RUNTIME);
    let body = is_process.then(|| sd_server::body(entry));
    let of_catalog = entry.serves.iter();
    of_catalog
        .filter_map(|serves| {
            Some(Serving {
                model: serves.model.clone(),
                task: serves.task.clone(),
                engine: engine(entry, &serves.task)?,
                body: body.clone(),
                weights: Arc::clone(&weights),
            })
        })
        .collect()
}

/// Lets the service follow the store for as long as it runs: what comes serves at once, what goes serves no more.
pub(crate) async fn follow(system: System, pulls: Pulls) {
    let mut changes = pulls.models();
    while changes.changed().await.is_ok() {
        let store = pulls.puller().store.clone();
        let found = tokio::task::spawn_blocking(move || serving(&store)).await;
        let served = match found {
            Ok(Ok(serving)) => system
                .serve_weights(serving)
                .await
                .map_err(|error| error.to_string()),
            Ok(Err(error)) => Err(error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = served {
            tracing::warn!(error, "the weights on this machine cannot be served");
        }
    }
}
