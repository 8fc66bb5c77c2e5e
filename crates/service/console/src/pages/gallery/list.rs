//! The list of generations, with its filters.

use std::collections::HashMap;

use askama::Template;
use atelier_app::{
    generations::list::{GenerationFilter, ListGenerations},
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
    total: String,
    chosen: Chosen,
    models: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "gallery/tiles.html")]
struct TilesPart {
    tiles: Vec<Tile>,
    more: Option<String>,
}

#[derive(Debug, Clone, Default)]
struct Chosen {
    kind: String,
    status: String,
    model: String,
}

impl Chosen {
    fn is_set(&self) -> bool {
        !self.kind.is_empty() || !self.status.is_empty() || !self.model.is_empty()
    }

    /// The address of the page that begins after `cursor`.
    fn next(&self, cursor: &str) -> String {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("type", &self.kind)
            .append_pair("status", &self.status)
            .append_pair("model", &self.model)
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
    };
    let cursor = Some(get("cursor")).filter(|cursor| !cursor.is_empty());
    let further = cursor.is_some();
    let listed = console
        .app
        .list_generations(
            &signed.signed_in.caller,
            ListGenerations {
                filter: GenerationFilter {
                    // An unknown kind or status is ignored.
                    status: chosen.status.parse::<Status>().ok(),
                    kind: kind_of(&chosen.kind),
                    model: Some(chosen.model.clone()).filter(|model| !model.is_empty()),
                },
                limit: Some(PAGE),
                cursor,
            },
        )
        .await?;
    let tiles: Vec<Tile> = listed.items.iter().map(|one| Tile::new(&console, one)).collect();
    let more = listed.next_cursor.map(|cursor| chosen.next(&cursor));
    if further && is_script(&headers) {
        return Ok(page(&TilesPart { tiles, more }));
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
        total: text::count(i64::try_from(listed.total).unwrap_or(i64::MAX)),
        chosen,
        models: models.collect(),
    }))
}

fn kind_of(text: &str) -> Option<MediaKind> {
    [MediaKind::Image, MediaKind::Video, MediaKind::Audio]
        .into_iter()
        .find(|kind| kind.as_str() == text)
}
