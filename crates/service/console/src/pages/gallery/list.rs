//! The list of generations, with its filters.

use std::collections::HashMap;

use askama::Template;
use atelier_app::{
    Error,
    collections::CollectionView,
    generations::{
        list::{GenerationFilter, ListGenerations},
        search::{DEPTH, Sought},
    },
    models::ListModels,
};
use atelier_domain::{MediaKind, Right, Status};
use axum::{
    extract::{Query, RawQuery, State},
    http::HeaderMap,
};

use super::{Tile, tiles};
use crate::{
    error::Result,
    frame::{Frame, page},
    script::is_script,
    session::Signed,
    state::Console,
    text,
};

/// Generations on a page.
const PAGE: u32 = 24;

const GALLERY: &str = "/account/gallery";

#[derive(Template)]
#[template(path = "gallery/index.html")]
struct GalleryPage {
    frame: Frame,
    tiles: Vec<Tile>,
    more: Option<String>,
    /// How many generations a search has looked at; `None` without a search.
    searched: Option<String>,
    /// Whether the user may mark favourites.
    may_mark: bool,
    following: Option<String>,
    oob: bool,
    /// Whether the search goes on from an earlier page.
    further: bool,
    total: String,
    chosen: Chosen,
    models: Vec<(String, String)>,
    /// The query of this page, for forms that come back to it.
    here: String,
    collections: Vec<CollectionView>,
    /// The collection that something was added to.
    added: Option<CollectionView>,
}

impl GalleryPage {
    /// The collection that is shown.
    fn collection(&self) -> Option<&CollectionView> {
        self.collections
            .iter()
            .find(|one| one.id == self.chosen.collection)
    }
}

/// The address of the page of the gallery that a form was sent from, which says its query as `back`, at a generation.
/// The query is read and written again, so it leads nowhere else. `added` is the collection that it was added to.
pub(super) fn back(query: &str, id: &str, added: Option<&str>) -> String {
    let pairs = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let (chosen, cursor) = Chosen::read(&pairs);
    let mut query = chosen.query(cursor.as_deref());
    if let Some(added) = added {
        let between = if query.is_empty() { "" } else { "&" };
        return format!("{GALLERY}?{query}{between}added={added}");
    }
    if !query.is_empty() {
        query.insert(0, '?');
    }
    format!("{GALLERY}{query}#g-{id}")
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
    may_mark: bool,
    following: Option<String>,
    /// Whether the tiles replace those on the page.
    oob: bool,
}

/// Where the tiles of unfinished jobs are asked for again; `None` if all have ended.
fn following(tiles: &[Tile]) -> Option<String> {
    let open = tiles.iter().filter(|tile| tile.status == "processing");
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(open.map(|tile| ("id", &tile.id)))
        .finish();
    (!query.is_empty()).then(|| format!("{GALLERY}/following?{query}"))
}

/// The tiles of jobs that had not ended, as they are now.
pub(crate) async fn followed(
    State(console): State<Console>,
    signed: Signed,
    RawQuery(query): RawQuery,
) -> Result {
    let query = query.unwrap_or_default();
    let ids = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "id");
    let caller = &signed.signed_in.caller;
    let mut generations = Vec::new();
    for (_, id) in ids.take(PAGE as usize) {
        match console.app.generation(caller, &id).await {
            Ok(generation) => generations.push(generation),
            // It was deleted meanwhile.
            Err(Error::Gone(_) | Error::NotFound(_)) => {}
            Err(other) => return Err(other.into()),
        }
    }
    let tiles = tiles(&console, caller, &generations).await?;
    Ok(page(&TilesPart {
        following: following(&tiles),
        tiles,
        more: None,
        searched: None,
        may_mark: signed.may(Right::Generate),
        oob: true,
    }))
}

#[derive(Debug, Clone, Default)]
struct Chosen {
    kind: String,
    status: String,
    model: String,
    /// Only favourites.
    favourite: bool,
    /// The id of a collection.
    collection: String,
    /// Words of the requests.
    words: String,
}

impl Chosen {
    fn is_set(&self) -> bool {
        !self.words.is_empty() || self.is_filtered()
    }

    /// Whether anything but words is asked for.
    fn is_filtered(&self) -> bool {
        self.favourite
            || [&self.kind, &self.status, &self.model, &self.collection]
                .iter()
                .any(|text| !text.is_empty())
    }

    /// The choice and the place in the list that a query says.
    fn read(query: &HashMap<String, String>) -> (Self, Option<String>) {
        let get = |name: &str| query.get(name).cloned().unwrap_or_default();
        let chosen = Self {
            kind: get("type"),
            status: get("status"),
            model: get("model"),
            favourite: get("favourite") == "true",
            collection: get("collection"),
            words: get("q").trim().chars().take(200).collect(),
        };
        (chosen, Some(get("cursor")).filter(|cursor| !cursor.is_empty()))
    }

    /// The status in the API, and whether the job was cancelled, which is a failure there. An unknown status is
    /// ignored.
    fn end(&self) -> (Option<Status>, Option<bool>) {
        match self.status.as_str() {
            "failed" => (Some(Status::Failed), Some(false)),
            "cancelled" => (Some(Status::Failed), Some(true)),
            other => (other.parse().ok(), None),
        }
    }

    /// The query of the page that begins after `cursor`.
    fn query(&self, cursor: Option<&str>) -> String {
        let pairs = [
            ("type", self.kind.as_str()),
            ("status", &self.status),
            ("model", &self.model),
            ("favourite", if self.favourite { "true" } else { "" }),
            ("collection", &self.collection),
            ("q", &self.words),
            ("cursor", cursor.unwrap_or_default()),
        ];
        let set = pairs.iter().filter(|(_, value)| !value.is_empty());
        form_urlencoded::Serializer::new(String::new())
            .extend_pairs(set)
            .finish()
    }

    /// The address of the page that begins after `cursor`.
    fn next(&self, cursor: &str) -> String {
        format!("{GALLERY}?{}", self.query(Some(cursor)))
    }
}

pub(crate) async fn index(
    State(console): State<Console>,
    signed: Signed,
    headers: HeaderMap,
    Query(query): Query<HashMap<String, String>>,
) -> Result {
    let (chosen, cursor) = Chosen::read(&query);
    let here = chosen.query(cursor.as_deref());
    let further = cursor.is_some();
    let (app, caller) = (&console.app, &signed.signed_in.caller);
    let collection = match chosen.collection.as_str() {
        "" => None,
        id => Some(app.collection_id(caller, id).await?),
    };
    let (status, cancelled) = chosen.end();
    let list = ListGenerations {
        filter: GenerationFilter {
            status,
            // An unknown kind is ignored.
            kind: kind_of(&chosen.kind),
            model: Some(chosen.model.clone()).filter(|model| !model.is_empty()),
            favourite: chosen.favourite,
            collection,
            oldest_first: false,
        },
        limit: Some(PAGE),
        cursor,
    };
    let (items, next, total, searched) = if chosen.words.is_empty() && cancelled.is_none() {
        let listed = app.list_generations(caller, list).await?;
        (listed.items, listed.next_cursor, listed.total, None)
    } else {
        let sought = Sought {
            words: &chosen.words,
            cancelled,
        };
        let found = app.search_generations(caller, list, sought).await?;
        let total = found.items.len() as u64;
        (
            found.items,
            found.next_cursor,
            total,
            Some(count(found.looked_at as u64)),
        )
    };
    let tiles = tiles(&console, caller, &items).await?;
    let may_mark = signed.may(Right::Generate);
    let more = next.map(|cursor| chosen.next(&cursor));
    if further && is_script(&headers) {
        return Ok(page(&TilesPart {
            following: following(&tiles),
            tiles,
            more,
            searched,
            may_mark,
            oob: false,
        }));
    }
    let collections = app.collections(caller).await?;
    let added = query.get("added");
    let added = added.and_then(|id| collections.iter().find(|one| one.id == *id).cloned());
    let models = console.app.list_models(&ListModels::default())?;
    let models = models
        .models
        .iter()
        .map(|model| (model.summary.slug.to_owned(), model.summary.name.to_owned()));
    Ok(page(&GalleryPage {
        frame: signed.frame("Gallery", "/account/gallery"),
        following: following(&tiles),
        oob: false,
        tiles,
        more,
        searched,
        may_mark,
        further,
        total: count(total),
        chosen,
        models: models.collect(),
        here,
        collections,
        added,
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
