//! The catalog as clients see it: the models that an engine serves now.

use std::borrow::Cow;

use atelier_catalog::{Description, Model, Summary, did_you_mean};
use atelier_engines::{Routes, Weights, draft, routes::Target};
use atelier_weights::{Entry, Puller, Pulls, Runs};
use serde::Serialize;

use crate::{App, Error, Result};

/// The largest page, and the page if no limit is given.
pub const MAX_LIMIT: u32 = 200;

/// The engine that runs pulled weights in child processes.
const EMBEDDED_WEIGHTS: &str = "weights";

/// The filter and the page of a list.
#[derive(Debug, Clone, Default)]
pub struct ListModels {
    /// `image`, `video`, `audio` or `tool`.
    pub model_type: Option<String>,
    pub category: Option<String>,
    /// Words to find in slug, name, category or description, ignoring case.
    pub q: Option<String>,
    pub limit: Option<u32>,
    /// `next_cursor` of the previous page: the last slug on it.
    pub cursor: Option<String>,
}

/// A model and the engine that serves it now.
#[derive(Debug, Clone, Serialize)]
pub struct Served<'a> {
    #[serde(flatten)]
    pub model: Description<'a>,
    /// The rule of the price as a sentence.
    pub price: &'a str,
    /// The engine's name; a generation has it too.
    pub served_by: String,
    #[serde(flatten)]
    pub trained: Trained,
}

/// The trained weights that make a model's results, or could.
#[derive(Debug, Clone, Serialize)]
pub struct Trained {
    /// Drafts come from an embedded engine: sketches that no trained model made.
    pub draft: bool,
    /// The weights that make the results, where they are on this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<Weights>,
    /// The weights that could be pulled to make them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub available_weights: Vec<AvailableWeights>,
}

/// Weights that are not here and that the service would run, by itself or by a program that comes with them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AvailableWeights {
    pub name: String,
    pub title: String,
    /// An SPDX id, or its name.
    pub license: String,
    /// The download in bytes if nothing is here, the program included.
    pub bytes: u64,
    /// The operator's command that downloads them.
    pub command: String,
}

/// A model in the list.
#[derive(Debug, Clone, Serialize)]
pub struct Listed<'a> {
    #[serde(flatten)]
    pub summary: Summary<'a>,
    /// The rule as a sentence.
    pub price: &'a str,
    #[serde(flatten)]
    pub trained: Trained,
}

/// Says that the draft engine does not run the weights that the model describes.
const DRAFT_NOTE: &str = "Served as a draft by an embedded engine, without this model's weights.";

/// A model in brief; `None` without targets, because such a model is not served.
fn summary<'a>(model: &'a Model, targets: &[Target]) -> Option<Summary<'a>> {
    let mut summary = model.summary();
    if is_draft(targets.first()?) && model.vendor.is_some() {
        summary.description = Cow::Owned(format!("{} {DRAFT_NOTE}", model.description));
    }
    Some(summary)
}

/// The program that has to be pulled too.
const fn program(runs: Runs<'_>) -> Option<&Entry> {
    match runs {
        Runs::Program(program) => program,
        Runs::Itself | Runs::Elsewhere => None,
    }
}

/// The operator's command that downloads weights, and the program that runs them.
pub fn pull_command(name: &str, program: Option<&str>) -> String {
    let program = program.map_or_else(String::new, |program| format!(" {program}"));
    format!("atelier models pull {name}{program}")
}

fn trained(target: &Target, routes: &Routes, puller: Option<&Puller>, slug: &str) -> Trained {
    // A route of the operator to another engine comes before weights that are pulled.
    let by_itself = target.engine.name() == draft::NAME || target.options.weights.is_some();
    let candidates = puller
        .filter(|_| by_itself)
        .map(|puller| (puller, puller.candidates(slug)));
    let available = candidates.into_iter().flat_map(|(puller, entries)| {
        let missing = entries
            .into_iter()
            .filter(|(entry, _)| !routes.has_weights(&entry.name));
        missing.map(|(entry, runs)| AvailableWeights {
            name: entry.name.clone(),
            title: entry.title.clone(),
            license: entry.licence.short().to_owned(),
            bytes: puller.bytes_with_used(&entry.name) + program(runs).map_or(0, Entry::download_bytes),
            command: pull_command(&entry.name, program(runs).map(|program| program.name.as_str())),
        })
    });
    Trained {
        draft: is_draft(target),
        weights: target.weights().as_deref().cloned(),
        available_weights: available.collect(),
    }
}

/// The full description of a model; `None` if it is not served. `puller` knows the weights that could be pulled.
pub fn describe<'a>(
    model: &'a Model,
    targets: &[Target],
    routes: &Routes,
    puller: Option<&Puller>,
) -> Option<Served<'a>> {
    let target = targets.first()?;
    Some(Served {
        served_by: target.engine.name().to_owned(),
        trained: trained(target, routes, puller, &model.slug),
        price: &model.pricing.description,
        model: Description {
            summary: summary(model, targets)?,
            ..model.describe()
        },
    })
}

/// Whether an embedded engine makes the results without trained weights.
fn is_draft(target: &Target) -> bool {
    target.engine.name() == draft::NAME && target.weights().is_none()
}

/// A page of the catalog, in its order.
#[derive(Debug)]
pub struct ListedModels<'a> {
    pub models: Vec<Listed<'a>>,
    pub total: usize,
    pub limit: u32,
    pub next_cursor: Option<String>,
}

impl App {
    /// A served model as clients see it.
    pub fn described_model<'a>(&'a self, slug: &str) -> Result<Served<'a>> {
        let pulls = self.pulls();
        let puller = pulls.as_ref().map(Pulls::puller);
        let described = |model: &'a Model| describe(model, &self.targets(&model.slug), self.routes(), puller);
        self.catalog()
            .get(slug)
            .and_then(described)
            .ok_or_else(|| self.no_model(slug))
    }

    /// The model of this slug, if an engine serves it.
    pub fn find_served(&self, slug: &str) -> Option<&Model> {
        self.catalog()
            .get(slug)
            .filter(|model| self.is_served(&model.slug))
    }

    /// As [`find_served`](Self::find_served), with a failure for the client if there is none.
    pub fn served_model(&self, slug: &str) -> Result<&Model> {
        self.find_served(slug).ok_or_else(|| self.no_model(slug))
    }

    /// Whether an embedded engine would make the model's results without trained weights.
    pub fn is_draft(&self, slug: &str) -> bool {
        self.targets(slug).first().is_some_and(is_draft)
    }

    /// Whether an embedded engine serves the model, with or without trained weights. Such engines make files of one
    /// type per kind, whatever the model's fields say.
    pub fn is_embedded(&self, slug: &str) -> bool {
        let names = [draft::NAME, EMBEDDED_WEIGHTS];
        self.targets(slug)
            .first()
            .is_some_and(|target| names.contains(&target.engine.name()))
    }

    pub fn list_models(&self, list: &ListModels) -> Result<ListedModels<'_>> {
        let limit = list.limit.unwrap_or(MAX_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(Error::invalid(format!(
                "`limit` must be between 1 and {MAX_LIMIT} (got {limit})"
            )));
        }
        if let Some(wanted) = &list.model_type
            && !["image", "video", "audio", "tool"].contains(&wanted.as_str())
        {
            return Err(Error::invalid(format!(
                "`type` must be image, video, audio or tool (got `{wanted}`)"
            )));
        }
        let words: Vec<String> = list
            .q
            .as_deref()
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_lowercase)
            .collect();
        let matching: Vec<&Model> = self
            .catalog()
            .iter()
            .filter(|model| self.is_served(&model.slug))
            .filter(|model| {
                list.model_type
                    .as_deref()
                    .is_none_or(|wanted| wanted == model.model_type.as_str())
            })
            .filter(|model| {
                list.category
                    .as_deref()
                    .is_none_or(|wanted| wanted.eq_ignore_ascii_case(&model.category))
            })
            .filter(|model| {
                let text = [&model.slug, &model.name, &model.category, &model.description]
                    .map(|text| text.to_lowercase());
                let text = text.join(" ");
                words.iter().all(|word| text.contains(word))
            })
            .collect();
        let start = match &list.cursor {
            None => 0,
            Some(cursor) => {
                1 + matching
                    .iter()
                    .position(|model| model.slug == *cursor)
                    .ok_or_else(|| {
                        Error::invalid("`cursor` must be the `next_cursor` of the previous page")
                    })?
            }
        };
        let models: Vec<&Model> = matching
            .iter()
            .skip(start)
            .take(limit as usize)
            .copied()
            .collect();
        let more = start + models.len() < matching.len();
        let next_cursor = models.last().filter(|_| more).map(|last| last.slug.clone());
        let pulls = self.pulls();
        let puller = pulls.as_ref().map(Pulls::puller);
        let models = models.into_iter().filter_map(|model| {
            let targets = self.targets(&model.slug);
            Some(Listed {
                summary: summary(model, &targets)?,
                price: &model.pricing.description,
                trained: trained(targets.first()?, self.routes(), puller, &model.slug),
            })
        });
        let models = models.collect();
        Ok(ListedModels {
            models,
            total: matching.len(),
            limit,
            next_cursor,
        })
    }

    /// The failure for a slug that no engine serves. It names similar ones that are served.
    fn no_model(&self, slug: &str) -> Error {
        let slug: String = slug.chars().take(100).collect();
        let served = self.catalog().slugs().filter(|known| self.is_served(known));
        let hint = did_you_mean(&slug, served);
        Error::NotFound(format!(
            "unknown model or tool `{slug}`{hint} GET /models lists all"
        ))
    }
}
