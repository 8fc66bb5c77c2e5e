//! The catalog as clients see it: the models that an engine serves now.

use std::borrow::Cow;

use atelier_catalog::{Description, Model, Summary};
use atelier_engines::{Weights, draft, routes::Target};
use serde::Serialize;

use crate::{App, Error, Result};

/// The largest page, and the page if no limit is given.
pub const MAX_LIMIT: u32 = 200;

/// What to list.
#[derive(Debug, Clone, Default)]
pub struct ListModels {
    /// `image`, `video`, `audio` or `tool`.
    pub model_type: Option<String>,
    pub category: Option<String>,
    /// Words to find in slug, name or description, ignoring case.
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
    /// The engine's name; a generation has it too.
    pub served_by: String,
    /// Drafts come from an embedded engine: sketches that no trained model made.
    pub draft: bool,
    /// The weights that make its results, where they are on this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<Weights>,
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

/// The full description of a model; `None` if it is not served.
pub fn describe<'a>(model: &'a Model, targets: &[Target]) -> Option<Served<'a>> {
    let target = targets.first()?;
    let model = Description {
        summary: summary(model, targets)?,
        ..model.describe()
    };
    Some(Served {
        model,
        served_by: target.engine.name().to_owned(),
        draft: is_draft(target),
        weights: target.options.weights.as_deref().cloned(),
    })
}

fn is_draft(target: &Target) -> bool {
    target.engine.name() == draft::NAME
}

/// A page of the catalog, in its order.
#[derive(Debug)]
pub struct ListedModels<'a> {
    pub models: Vec<Summary<'a>>,
    pub total: usize,
    pub limit: u32,
    pub next_cursor: Option<String>,
}

impl App {
    /// A served model as clients see it.
    pub fn described_model<'a>(&'a self, slug: &str) -> Result<Served<'a>> {
        let described = |model: &'a Model| describe(model, &self.targets(&model.slug));
        self.catalog()
            .get(slug)
            .and_then(described)
            .ok_or_else(|| no_model(slug))
    }

    /// The model of this slug, if an engine serves it.
    pub fn served_model(&self, slug: &str) -> Result<&Model> {
        self.catalog()
            .get(slug)
            .filter(|model| self.is_served(&model.slug))
            .ok_or_else(|| no_model(slug))
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
                let text = format!("{} {} {}", model.slug, model.name, model.description).to_lowercase();
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
        let models = models
            .into_iter()
            .filter_map(|model| summary(model, &self.targets(&model.slug)))
            .collect();
        Ok(ListedModels {
            models,
            total: matching.len(),
            limit,
            next_cursor,
        })
    }
}

fn no_model(slug: &str) -> Error {
    let slug: String = slug.chars().take(100).collect();
    Error::NotFound(format!("unknown model or tool `{slug}`: GET /models lists all"))
}
