//! The catalog as clients see it: the models that an engine serves now.

use atelier_catalog::Model;

use crate::{App, Error, Result};

/// The largest page, and the page of those who ask for none.
pub const MAX_LIMIT: u32 = 200;

/// What to list.
#[derive(Debug, Clone, Default)]
pub struct ListModels {
    /// `image`, `video`, `audio` or `tool`.
    pub model_type: Option<String>,
    pub category: Option<String>,
    /// Words to find in slug, name or description, whatever their case.
    pub q: Option<String>,
    pub limit: Option<u32>,
    /// `next_cursor` of the page before: the last slug on it.
    pub cursor: Option<String>,
}

/// A page of the catalog, in its order.
#[derive(Debug)]
pub struct ListedModels<'a> {
    pub models: Vec<&'a Model>,
    pub total: usize,
    pub limit: u32,
    pub next_cursor: Option<String>,
}

impl App {
    /// The model of this slug, if an engine serves it.
    pub fn served_model(&self, slug: &str) -> Result<&Model> {
        self.catalog()
            .get(slug)
            .filter(|model| !self.targets(&model.slug).is_empty())
            .ok_or_else(|| {
                let slug: String = slug.chars().take(100).collect();
                Error::NotFound(format!(
                    "there is no model or tool `{slug}`: GET /models lists those there are"
                ))
            })
    }

    pub fn list_models(&self, list: &ListModels) -> Result<ListedModels<'_>> {
        let limit = list.limit.unwrap_or(MAX_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(Error::invalid(format!(
                "`limit` must be 1 to {MAX_LIMIT}, not {limit}"
            )));
        }
        if let Some(wanted) = &list.model_type
            && !["image", "video", "audio", "tool"].contains(&wanted.as_str())
        {
            return Err(Error::invalid(format!(
                "`type` must be image, video, audio or tool, not `{wanted}`"
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
            .filter(|model| !self.targets(&model.slug).is_empty())
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
                    .ok_or_else(|| Error::invalid("`cursor` must be the `next_cursor` of the page before"))?
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
        Ok(ListedModels {
            models,
            total: matching.len(),
            limit,
            next_cursor,
        })
    }
}
