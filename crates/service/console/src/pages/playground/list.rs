//! The list of models, with its filters.

use std::collections::HashMap;

use askama::Template;
use atelier_app::models::ListModels;
use atelier_catalog::Model;
use axum::{
    extract::{Query, State},
    http::HeaderMap,
};

use super::{SampleView, is_draft, request};
use crate::{
    error::{PageError, Result},
    frame::{Frame, page},
    script::is_script,
    session::Signed,
    state::Console,
};

/// Models on a page.
const PAGE: usize = 36;

#[derive(Template)]
#[template(path = "playground/index.html")]
struct IndexPage<'a> {
    frame: Frame,
    cards: Vec<Card<'a>>,
    categories: Vec<&'a str>,
    total: usize,
    chosen: Chosen,
    /// A file to use as input.
    input: String,
    /// The address of the next page of models.
    more: Option<String>,
}

/// The cards that replace those on the page after the filters change.
#[derive(Template)]
#[template(path = "playground/cards.html")]
struct CardsPart<'a> {
    cards: Vec<Card<'a>>,
    input: String,
    more: Option<String>,
}

/// The cards that are appended to those on the page.
#[derive(Template)]
#[template(path = "playground/more_cards.html")]
struct MoreCardsPart<'a> {
    cards: Vec<Card<'a>>,
    input: String,
    more: Option<String>,
}

/// The chosen filters.
#[derive(Debug, Clone, Default)]
struct Chosen {
    kind: String,
    category: String,
    q: String,
}

impl Chosen {
    /// The address of the page that begins after `cursor`.
    fn next(&self, cursor: &str, input: &str) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if !input.is_empty() {
            query.append_pair("input", input);
        }
        let query = query
            .append_pair("type", &self.kind)
            .append_pair("category", &self.category)
            .append_pair("q", &self.q)
            .append_pair("cursor", cursor)
            .finish();
        format!("/account/playground?{query}")
    }
}

/// A model in the list.
#[derive(Debug)]
struct Card<'a> {
    slug: &'a str,
    name: &'a str,
    kind: &'static str,
    category: &'a str,
    description: &'a str,
    price: String,
    draft: bool,
    sample: Option<SampleView>,
}

impl<'a> Card<'a> {
    fn new(console: &Console, model: &'a Model) -> Self {
        Self {
            slug: &model.slug,
            name: &model.name,
            kind: model.model_type.as_str(),
            category: &model.category,
            description: &model.description,
            price: model.pricing.short(),
            draft: is_draft(console, model),
            sample: SampleView::of(console, model),
        }
    }
}

/// The models that fit the filters: those that make what they promise come before those served by drafts, and otherwise
/// they keep the order of the catalog.
fn matching<'a>(console: &'a Console, chosen: &Chosen) -> std::result::Result<Vec<&'a Model>, PageError> {
    let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let mut list = ListModels {
        model_type: given(&chosen.kind),
        category: given(&chosen.category),
        q: given(&chosen.q),
        ..ListModels::default()
    };
    let mut models = Vec::new();
    loop {
        let listed = console.app.list_models(&list)?;
        let slugs = listed.models.iter().map(|model| model.summary.slug);
        models.extend(slugs.filter_map(|slug| console.app.catalog().get(slug)));
        list.cursor = listed.next_cursor;
        if list.cursor.is_none() {
            break;
        }
    }
    models.sort_by_key(|model| is_draft(console, model));
    Ok(models)
}

pub(crate) async fn index(
    State(console): State<Console>,
    signed: Signed,
    headers: HeaderMap,
    Query(query): Query<HashMap<String, String>>,
) -> Result {
    let get = |name: &str| {
        query
            .get(name)
            .map(|value| value.trim().to_owned())
            .unwrap_or_default()
    };
    let chosen = Chosen {
        kind: get("type"),
        category: get("category"),
        q: get("q"),
    };
    let input = get("input");
    let mut models = matching(&console, &chosen)?;
    models.retain(|model| input.is_empty() || request::field_for(model, &input).is_some());
    let cursor = get("cursor");
    let start = models.iter().position(|model| model.slug == cursor);
    let start = start.map_or(0, |last| last + 1);
    let shown = &models[start..models.len().min(start + PAGE)];
    let more = shown.last().filter(|_| start + PAGE < models.len());
    let more = more.map(|last| chosen.next(&last.slug, &input));
    let cards = shown.iter().map(|model| Card::new(&console, model)).collect();
    if is_script(&headers) {
        return Ok(if query.contains_key("cursor") {
            page(&MoreCardsPart { cards, input, more })
        } else {
            page(&CardsPart { cards, input, more })
        });
    }
    let all = console.app.list_models(&ListModels::default())?;
    let mut categories: Vec<&str> = all.models.iter().map(|model| model.summary.category).collect();
    categories.sort_unstable();
    categories.dedup();
    Ok(page(&IndexPage {
        frame: signed.frame("Playground", "/account/playground"),
        cards,
        categories,
        total: all.total,
        chosen,
        input,
        more,
    }))
}
