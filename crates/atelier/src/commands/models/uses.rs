//! `atelier models use` and `unuse`.

use atelier_weights::{Error, Puller};
use serde::Serialize;

use super::super::{Session, catalog::unknown};
use crate::{
    data,
    failure::Failure,
    service, serving,
    uses::{self, Use},
};

/// A choice, and what it means.
#[derive(Serialize)]
struct Chosen<'a> {
    model: &'a str,
    weights: &'a str,
    /// The fields of the model that the weights cannot follow.
    without_effect: Vec<String>,
    /// A route of the configuration comes before the choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden_by: Option<String>,
}

#[derive(Serialize)]
struct Undone<'a> {
    model: &'a str,
    /// The weights that were chosen.
    weights: String,
}

pub(super) fn choose(session: &Session, puller: &Puller, name: &str, slug: &str) -> Result<(), Failure> {
    let config = &session.config;
    let installed = puller.store.find(name)?;
    let entry = installed.ok_or_else(|| Error::NotHere(name.to_owned()))?.entry;
    if let Some(runtime) = serving::missing_program(&entry, &puller.store) {
        return Err(Failure::new(format!(
            "nothing here runs `{name}`: its runtime is `{runtime}`; `atelier models list --all` shows programs"
        )));
    }
    let catalog = service::catalog(config)?;
    let model = catalog
        .get(slug)
        .ok_or_else(|| Failure::usage(unknown(slug, catalog.slugs())))?;
    let task = uses::task(&entry, model).filter(|task| serving::engine(&entry, task).is_some());
    let task = task.ok_or_else(|| {
        let tasks: Vec<_> = entry.serves.iter().map(|serves| serves.task.as_str()).collect();
        Failure::usage(format!(
            "`{name}` cannot serve `{slug}`: its tasks are {}",
            tasks.join(", ")
        ))
    })?;
    data::prepare(&config.data)?;
    let without_effect = serving::without_effect(config, &entry, model, &task);
    let weights = name.to_owned();
    uses::change(config, |chosen| {
        chosen.insert(slug.to_owned(), Use { weights, task });
        Ok(())
    })?;
    let mut routes = config.routes.iter();
    let result = Chosen {
        model: slug,
        weights: name,
        without_effect,
        hidden_by: routes
            .find(|route| atelier_engines::routes::matches(&route.model, slug))
            .map(|route| route.engine.clone()),
    };
    Ok(session.output.result(&result, || text(&result))?)
}

fn text(chosen: &Chosen<'_>) -> String {
    let mut lines = vec![format!("{} serves {} from now on.", chosen.weights, chosen.model)];
    if !chosen.without_effect.is_empty() {
        lines.push(format!(
            "These fields of the model have no effect with it: {}.",
            chosen.without_effect.join(", ")
        ));
    }
    if let Some(engine) = &chosen.hidden_by {
        lines.push(format!(
            "Not yet: a route of the configuration sends its jobs to `{engine}`."
        ));
    }
    lines.join("\n")
}

pub(super) fn undo(session: &Session, slug: &str) -> Result<(), Failure> {
    data::prepare(&session.config.data)?;
    let undone = uses::change(&session.config, |chosen| {
        let undone = chosen.remove(slug);
        undone.ok_or_else(|| Failure::usage(format!("no weights were chosen for `{slug}`")))
    })?;
    let result = Undone {
        model: slug,
        weights: undone.weights,
    };
    Ok(session.output.result(&result, || {
        format!("{} is no longer chosen for {slug}.", result.weights)
    })?)
}
