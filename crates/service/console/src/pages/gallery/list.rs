//! The list of generations, with its filters.

use std::collections::HashMap;

use askama::Template;
use atelier_app::{
    generations::{
        list::{GenerationFilter, ListGenerations},
        search::DEPTH,
    },
    models::ListModels,
};
use atelier_domain::{MediaKind, Status};
use axum::{
    extract::{Query, State},
    http::HeaderMap,
};

use super::Tile;
use crate::{
    error::Result,
    frame::{Frame, page},
    session::{Signed, is_script},
    state::Console,
    text,
};

/// Generations on a page.
const PAGE: u32 = 24;

#[derive(Template)]
#[template(path = "gallery/index.html")]
struct GalleryPage {
    frame: Frame,
    tiles: Vec<Tile>,
    more: Option<String>,
    /// How many generations a search has looked at; `None` without a search.
    searched: Option<String>,
    /// Whether the search goes on from an earlier page.
    further: bool,
    total: String,
    chosen: Chosen,
    models: Vec<(String, String)>,
}

/// How many generations one search looks at.
fn depth() -> String {
    count(DEPTH as u64)
}

#[derive(Template)]
#[template(path = "gallery/tiles.html")]
struct TilesPart {
    tiles: Vec<Tile>,
    more: Option<String>,
    searched: Option<String>,
}

#[derive(Debug, Clone, Default)]
struct Chosen {
    kind: String,
    status: String,
    model: String,
    /// Words of the requests.
    words: String,
}

impl Chosen {
    fn is_set(&self) -> bool {
        !self.words.is_empty() || !self.kind.is_empty() || !self.status.is_empty() || !self.model.is_empty()
    }

    /// The address of the page that begins after `cursor`.
    fn next(&self, cursor: &str) -> String {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("type", &self.kind)
            .append_pair("status", &self.status)
            .append_pair("model", &self.model)
            .append_pair("q", &self.words)
            .append_pair("cursor", cursor)
            .finish();
        format!("/account/gallery?{query}")
    }
}

pub(crate) async fn index(
    State(console): State<Console>,
    signed: Signed,
    headers: HeaderMap,
    Query(query): Query<HashMap<String, String>>,
) -> Result {
    let get = |name: &str| query.get(name).cloned().unwrap_or_default();
    let chosen = Chosen {
        kind: get("type"),
        status: get("status"),
        model: get("model"),
        words: get("q").trim().chars().take(200).collect(),
    };
    let cursor = Some(get("cursor")).filter(|cursor| !cursor.is_empty());
    let further = cursor.is_some();
    let list = ListGenerations {
        filter: GenerationFilter {
            // An unknown kind or status is ignored.
            status: chosen.status.parse::<Status>().ok(),
            kind: kind_of(&chosen.kind),
            model: Some(chosen.model.clone()).filter(|model| !model.is_empty()),
        },
        limit: Some(PAGE),
        cursor,
    };
    let (app, caller) = (&console.app, &signed.signed_in.caller);
    let (items, next, total, searched) = if chosen.words.is_empty() {
        let listed = app.list_generations(caller, list).await?;
        (listed.items, listed.next_cursor, listed.total, None)
    } else {
        let found = app.search_generations(caller, list, &chosen.words).await?;
        let total = found.items.len() as u64;
        (
            found.items,
            found.next_cursor,
            total,
            Some(count(found.looked_at as u64)),
        )
    };
    let tiles: Vec<Tile> = items.iter().map(|one| Tile::new(&console, one)).collect();
    let more = next.map(|cursor| chosen.next(&cursor));
    if further && is_script(&headers) {
        return Ok(page(&TilesPart {
            tiles,
            more,
            searched,
        }));
    }
    let models = console.app.list_models(&ListModels::default())?;
    let models = models
        .models
        .iter()
        .map(|model| (model.summary.slug.to_owned(), model.summary.name.to_owned()));
    Ok(page(&GalleryPage {
        frame: signed.frame("Gallery", "/account/gallery"),
        tiles,
        more,
        searched,
        further,
        total: count(total),
        chosen,
        models: models.collect(),
    }))
}

fn count(number: u64) -> String {
    text::count(i64::try_from(number).unwrap_or(i64::MAX))
}

fn kind_of(text: &str) -> Option<MediaKind> {
    [MediaKind::Image, MediaKind::Video, MediaKind::Audio]
        .into_iter()
        .find(|kind| kind.as_str() == text)
}
