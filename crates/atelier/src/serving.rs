//! Weights that are on this machine serve their models: what serves which model, and how the service follows changes.

use std::{
    fs,
    sync::Arc,
    time::{Duration, SystemTime},
};

use atelier_app::System;
use atelier_catalog::{Catalog, Model};
use atelier_engines::{Asked, Serving, Weights, http};
use atelier_weights::{Entry, Installed, Kind, Pulls, Store};
use tokio::time::MissedTickBehavior;

use crate::{config::Config, failure::Failure, profiles::profile, pulled, studio, uses, weights};

/// How often a running service looks for another choice of the operator.
const LOOK: Duration = Duration::from_millis(500);

/// The engine that runs pulled weights in child processes of this program.
pub(crate) const ENGINE: &str = "weights";

/// The task of weights that examine results.
pub(crate) const SAFETY: &str = "safety";

/// Returns the models that the weights on this machine serve. If several serve one model, the operator's choice comes
/// first, then the one that was pulled last.
pub(crate) fn serving(config: &Config) -> Result<Vec<Serving>, Failure> {
    let store = weights::store(config);
    let mut installed = store.installed()?;
    installed
        .retain(|model| model.entry.kind == Kind::Model && missing_program(&model.entry, &store).is_none());
    if installed.is_empty() {
        return Ok(Vec::new());
    }
    installed.sort_by_key(|model| std::cmp::Reverse(came(model)));
    let catalog = Catalog::load(Some(&config.data.join("catalog")));
    let catalog = catalog.map_err(|error| Failure::new(error.to_string()))?;
    let uses = uses::read(config)?;
    let mut serving = Vec::new();
    for (slug, chosen) in &uses {
        let weights = installed.iter().find(|model| model.entry.name == chosen.weights);
        let made = weights.and_then(|model| one(config, &catalog, &model.entry, Some(slug), &chosen.task));
        serving.extend(made);
    }
    for model in &installed {
        for serves in &model.entry.serves {
            let slug = serves.model.as_deref();
            let is_chosen = slug
                .and_then(|slug| uses.get(slug))
                .is_some_and(|chosen| chosen.weights == model.entry.name);
            if !is_chosen {
                serving.extend(one(config, &catalog, &model.entry, slug, &serves.task));
            }
        }
    }
    Ok(serving)
}

/// The fields of a model that weights cannot follow.
pub(crate) fn without_effect(config: &Config, entry: &Entry, model: &Model, task: &str) -> Vec<String> {
    let Some(name) = pulled::profile(entry) else {
        return Vec::new();
    };
    let fields: Vec<Asked> = model
        .parameters
        .iter()
        .map(|parameter| Asked {
            name: parameter.name.clone(),
            standard: parameter.standard_name().to_owned(),
            is_chosen: true,
        })
        .collect();
    let body = pulled::body(entry, task);
    let left = profile(config, name).and_then(|profile| http::left_out(&profile, body.as_ref(), &fields));
    left.unwrap_or_else(|error| {
        tracing::warn!(
            name = entry.name,
            error,
            "it is not known what weights cannot follow"
        );
        Vec::new()
    })
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
pub(crate) fn engine(entry: &Entry, task: &str) -> Option<String> {
    if !pulled::needs_program(entry) {
        return Some(ENGINE.to_owned());
    }
    (pulled::task(entry) == Some(task)).then(|| pulled::engine_name(entry))
}

/// The runtime of weights that neither this program nor a pulled one can run.
pub(crate) fn missing_program(entry: &Entry, store: &Store) -> Option<String> {
    missing_runtime(entry).filter(|_| !pulled::runs(entry, store))
}

/// The runtime of weights that this program cannot run.
pub(crate) fn missing_runtime(entry: &Entry) -> Option<String> {
    let runtime = entry.runtime.as_deref();
    let runs = runtime.is_some_and(|name| weights::runtimes().contains(&name));
    entry
        .runtime
        .clone()
        .filter(|_| entry.kind == Kind::Model && !runs)
}

/// The first task of weights that this program runs.
pub(crate) fn task(entry: &Entry) -> Option<&str> {
    if missing_runtime(entry).is_some() {
        return None;
    }
    let tasks = studio::onnx_tasks();
    let mut serves = entry.serves.iter().map(|serves| serves.task.as_str());
    serves.find(|task| tasks.contains(task) || (*task == SAFETY && !tasks.is_empty()))
}

/// When a model came.
fn came(model: &Installed) -> SystemTime {
    let lock = fs::metadata(model.folder.join("lock.json"));
    lock.and_then(|lock| lock.modified())
        .unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Returns the [`Serving`] of an entry for one of its tasks; `None` if nothing runs that.
fn one(config: &Config, catalog: &Catalog, entry: &Entry, slug: Option<&str>, task: &str) -> Option<Serving> {
    let engine = engine(entry, task)?;
    let model = slug.and_then(|slug| catalog.get(slug));
    let weights = Weights {
        name: entry.name.clone(),
        title: entry.title.clone(),
        license: entry.licence.short().to_owned(),
        license_url: Some(entry.licence.page.to_string()),
        without_effect: model.map_or_else(Vec::new, |model| without_effect(config, entry, model, task)),
    };
    Some(Serving {
        model: slug.map(str::to_owned),
        task: task.to_owned(),
        engine,
        body: pulled::body(entry, task),
        weights: Arc::new(weights),
    })
}

/// Lets the service follow the store and the operator's choices for as long as it runs: what comes serves at once, what
/// goes serves no more.
pub(crate) async fn follow(config: Config, system: System, pulls: Pulls) {
    let config = Arc::new(config);
    let mut changes = pulls.models();
    // Changes during the start of the service are seen by reading once.
    changes.mark_changed();
    let mut chosen = uses::changed(&config);
    let mut looks = tokio::time::interval(LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { return },
            _ = looks.tick() => {
                let now = uses::changed(&config);
                if now == chosen {
                    continue;
                }
                chosen = now;
            }
        }
        let config = Arc::clone(&config);
        let routes = system.routes().clone();
        let found = tokio::task::spawn_blocking(move || {
            routes.add_newcomers();
            serving(&config).map_err(|error| error.to_string())
        });
        let served = match found.await {
            Ok(Ok(serving)) => system
                .serve_weights(serving)
                .await
                .map_err(|error| error.to_string()),
            Ok(Err(error)) => Err(error),
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = served {
            tracing::warn!(error, "the weights on this machine cannot be served");
        }
    }
}
