//! The list of models, with its filters.

use std::collections::HashMap;

use askama::Template;
use atelier_app::models::ListModels;
use atelier_catalog::Model;
use axum::{
    extract::{Query, State},
    http::HeaderMap,
};

use super::{is_draft, request, short_price};
use crate::{
    error::Result,
    frame::{Frame, page},
    session::{Signed, is_script},
    state::Console,
};

/// Models on a page.
const PAGE: u32 = 36;

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
    fn next(&self, cursor: &str) -> String {
        let query = form_urlencoded::Serializer::new(String::new())
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
    price: &'a str,
    draft: bool,
}

impl<'a> Card<'a> {
    fn new(console: &Console, model: &'a Model) -> Self {
        Self {
            slug: &model.slug,
            name: &model.name,
            kind: model.model_type.as_str(),
            category: &model.category,
            description: &model.description,
            price: short_price(model),
            draft: is_draft(console, model),
        }
    }
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
    let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let listed = console.app.list_models(&ListModels {
        model_type: given(&chosen.kind),
        category: given(&chosen.category),
        q: given(&chosen.q),
        // Few models accept a given file, so they fit on one page.
        limit: input.is_empty().then_some(PAGE),
        cursor: given(&get("cursor")),
    })?;
    let models = listed
        .models
        .iter()
        .filter_map(|model| console.app.catalog().get(model.summary.slug));
    let accepts_input = |model: &&Model| input.is_empty() || request::field_for(model, &input).is_some();
    let cards = models
        .filter(accepts_input)
        .map(|model| Card::new(&console, model))
        .collect();
    let more = listed.next_cursor.map(|cursor| chosen.next(&cursor));
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
