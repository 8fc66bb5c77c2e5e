//! The gallery: everything the account has made, and one generation with all that is known about it.

use std::collections::HashMap;

use askama::Template;
use atelier_app::{
    generations::{
        detail::GenerationDetail,
        list::{GenerationFilter, ListGenerations},
    },
    models::ListModels,
};
use atelier_domain::{FailureCode, Generation, MediaKind, Status};
use axum::{
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Redirect},
};
use serde_json::Value;

use super::{
    usage::EntryRow,
    webhooks::{self, AttemptRow, DeliveryRow},
};
use crate::{
    error::{PageError, Result},
    frame::{Frame, page},
    routes::Console,
    session::{Posted, Signed, is_script},
    text,
};

/// What fits on a screen and a bit.
const PAGE: u32 = 24;

/// A generation in the list.
#[derive(Debug, Clone)]
pub(crate) struct Tile {
    pub id: String,
    pub model: String,
    /// The words it was made from.
    pub text: String,
    pub kind: &'static str,
    pub status: &'static str,
    pub thumb: Option<String>,
    pub ago: String,
}

impl Tile {
    pub(crate) fn new(console: &Console, generation: &Generation) -> Self {
        Self {
            id: generation.id.to_string(),
            model: model_name(console, &generation.model),
            text: words(generation),
            kind: generation.kind.as_str(),
            status: generation.status().as_str(),
            thumb: thumb(generation),
            ago: text::ago(generation.created_at, console.app.now()),
        }
    }
}

/// One generation as it stands: on its way, made, or failed.
#[derive(Debug, Clone)]
pub(crate) struct ResultView {
    pub id: String,
    pub status: &'static str,
    pub queued: bool,
    /// In hundredths.
    pub progress: u32,
    pub assets: Vec<AssetView>,
    pub timestamps: Option<String>,
    pub failure: Option<FailureView>,
    pub cost: String,
    pub took: String,
    /// On the page that is about nothing else.
    pub alone: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct AssetView {
    pub url: String,
    pub kind: &'static str,
    pub name: String,
    pub alt: String,
}

#[derive(Debug, Clone)]
pub(crate) struct FailureView {
    pub code: &'static str,
    pub message: String,
    pub advice: &'static str,
}

impl ResultView {
    pub(crate) fn new(console: &Console, generation: &Generation) -> Self {
        let output = generation.output.as_ref();
        let assets = output.into_iter().flat_map(|output| &output.assets);
        let took = generation
            .ended_at
            .map(|ended| ended.since(generation.created_at));
        Self {
            id: generation.id.to_string(),
            status: generation.status().as_str(),
            queued: generation.started_at.is_none(),
            progress: (generation.progress * 100.0).round() as u32,
            assets: assets
                .map(|asset| AssetView {
                    url: console.app.media_url(&asset.file),
                    kind: asset.kind.as_str(),
                    name: asset.file.to_string(),
                    alt: words(generation),
                })
                .collect(),
            timestamps: output
                .and_then(|output| output.timestamps.as_ref())
                .map(|file| console.app.media_url(file)),
            failure: generation
                .failure
                .as_ref()
                .filter(|_| generation.status() == Status::Failed)
                .map(|failure| FailureView {
                    code: failure.code.as_str(),
                    message: crate::error::capital(&failure.message),
                    advice: advice(failure.code),
                }),
            cost: generation.charged.map(text::credits).unwrap_or_default(),
            took: took.map(text::duration).unwrap_or_default(),
            alone: false,
        }
    }

    pub(crate) fn is_processing(&self) -> bool {
        self.status == "processing"
    }
}

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

#[derive(Template)]
#[template(path = "gallery/detail.html")]
struct DetailPage {
    frame: Frame,
    result: ResultView,
    model: String,
    slug: String,
    served: bool,
    text: String,
    inputs: Vec<(String, String)>,
    params: Vec<(String, String)>,
    facts: Vec<(&'static str, String)>,
    made: Vec<(String, String)>,
    webhook_url: Option<String>,
    last_failure: Option<String>,
    entries: Vec<EntryRow>,
    deliveries: Vec<(DeliveryRow, Vec<AttemptRow>)>,
}

#[derive(Template)]
#[template(path = "gallery/result.html")]
struct ResultPart {
    result: ResultView,
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
                    // What is no kind or status filters nothing.
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
        .map(|model| (model.slug.to_owned(), model.name.to_owned()));
    Ok(page(&GalleryPage {
        frame: signed.frame("Gallery", "/account/gallery"),
        tiles,
        more,
        total: text::count(i64::try_from(listed.total).unwrap_or(i64::MAX)),
        chosen,
        models: models.collect(),
    }))
}

pub(crate) async fn detail(State(console): State<Console>, signed: Signed, Path(id): Path<String>) -> Result {
    let GenerationDetail {
        generation,
        last_failure,
        entries,
        deliveries,
    } = console
        .app
        .generation_detail(&signed.signed_in.caller, &id)
        .await?;
    let model = console.app.catalog().get(&generation.model);
    let is_file = |name: &str| {
        model
            .and_then(|model| model.parameters.iter().find(|parameter| parameter.name == name))
            .is_some_and(atelier_catalog::Parameter::is_file)
    };
    let (inputs, params): (Vec<_>, Vec<_>) = generation.params.iter().partition(|(name, _)| is_file(name));
    let label = |name: &str| {
        let parameter = model.and_then(|model| model.parameter(name));
        parameter.map_or_else(|| name.to_owned(), |parameter| parameter.label.clone())
    };
    let urls = |value: &Value| -> Vec<String> {
        match value {
            Value::Array(items) => items
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            other => other.as_str().map(str::to_owned).into_iter().collect(),
        }
    };
    let metadata = generation
        .output
        .as_ref()
        .and_then(|output| output.metadata.clone());
    Ok(page(&DetailPage {
        frame: signed.frame("Generation", "/account/gallery"),
        model: model_name(&console, &generation.model),
        slug: generation.model.clone(),
        served: console.app.served_model(&generation.model).is_ok(),
        text: words(&generation),
        inputs: inputs
            .into_iter()
            .flat_map(|(name, value)| urls(value).into_iter().map(|url| (label(name), url)))
            .collect(),
        params: params
            .into_iter()
            .map(|(name, value)| (label(name), said(value)))
            .collect(),
        facts: facts(&generation),
        made: metadata
            .into_iter()
            .flatten()
            .filter(|(_, value)| is_readable(value))
            .map(|(name, value)| (name.replace('_', " "), said(&value)))
            .collect(),
        webhook_url: generation.webhook_url.clone(),
        last_failure: last_failure.map(|failure| crate::error::capital(&failure.message)),
        entries: entries.iter().map(|entry| EntryRow::new(entry, None)).collect(),
        deliveries: deliveries.into_iter().map(webhooks::rows).collect(),
        result: ResultView {
            alone: true,
            ..ResultView::new(&console, &generation)
        },
    }))
}

/// The generation as it stands, for the page that watches it.
pub(crate) async fn result(State(console): State<Console>, signed: Signed, Path(id): Path<String>) -> Result {
    let generation = console.app.generation(&signed.signed_in.caller, &id).await?;
    Ok(page(&ResultPart {
        result: ResultView::new(&console, &generation),
    }))
}

/// What happens to the generation, as it happens.
pub(crate) async fn events(
    State(console): State<Console>,
    signed: Signed,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let caller = &signed.signed_in.caller;
    Ok(match console.app.follow_generation(caller, &id, last).await? {
        Some(follow) => atelier_api::stream_of(console.app.clone(), follow),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

pub(crate) async fn cancel(
    State(console): State<Console>,
    Path(id): Path<String>,
    headers: HeaderMap,
    posted: Posted,
) -> Result {
    let caller = &posted.signed.signed_in.caller;
    let generation = match console.app.cancel_generation(caller, &id).await {
        Ok(generation) => generation,
        // It ended first: that is seen on the page too.
        Err(atelier_app::Error::InvalidRequest { .. }) => console.app.generation(caller, &id).await?,
        Err(other) => return Err(PageError::from(other)),
    };
    if is_script(&headers) {
        return Ok(page(&ResultPart {
            result: ResultView::new(&console, &generation),
        }));
    }
    Ok(Redirect::to(&format!("/account/gallery/{}", generation.id)).into_response())
}

fn kind_of(text: &str) -> Option<MediaKind> {
    [MediaKind::Image, MediaKind::Video, MediaKind::Audio]
        .into_iter()
        .find(|kind| kind.as_str() == text)
}

pub(crate) fn model_name(console: &Console, slug: &str) -> String {
    let model = console.app.catalog().get(slug);
    model.map_or_else(|| slug.to_owned(), |model| model.name.clone())
}

/// The words of a request, whichever field they were in.
fn words(generation: &Generation) -> String {
    let text = |name| generation.params.get(name).and_then(Value::as_str);
    let words = text("title")
        .or(text("prompt"))
        .or(text("text"))
        .or(text("style"));
    words.unwrap_or_default().chars().take(300).collect()
}

/// The preview of the first file: a small picture, a film's frame, a recording's waveform.
fn thumb(generation: &Generation) -> Option<String> {
    let asset = generation.output.as_ref()?.assets.first()?;
    Some(format!("/media/{}/preview", asset.file))
}

/// What is nested is for programs; it is in the API's answer.
fn is_readable(value: &Value) -> bool {
    match value {
        Value::Array(items) => {
            !items.is_empty() && items.iter().all(|item| !item.is_object() && !item.is_array())
        }
        other => !other.is_object() && !other.is_null(),
    }
}

fn said(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Array(items) => items.iter().map(said).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

fn facts(generation: &Generation) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("Id", generation.id.to_string()),
        ("Created", text::moment(generation.created_at)),
    ];
    if let Some(started) = generation.started_at {
        facts.push(("Waited", text::duration(started.since(generation.created_at))));
        if let Some(ended) = generation.ended_at {
            facts.push(("Ran", text::duration(ended.since(started))));
        }
    }
    if let Some(ended) = generation.ended_at {
        facts.push(("Ended", text::moment(ended)));
    }
    if generation.attempt > 1 {
        facts.push(("Attempts", generation.attempt.to_string()));
    }
    if let Some(engine) = &generation.served_by {
        facts.push(("Engine", engine.clone()));
    }
    facts.push(("Held", text::credits(generation.hold)));
    if let Some(charged) = generation.charged {
        facts.push(("Charged", text::credits(charged)));
    }
    facts
}

const fn advice(code: FailureCode) -> &'static str {
    match code {
        FailureCode::ContentPolicyViolation => {
            "Change the words or the files and run it again. Nothing was charged."
        }
        FailureCode::GenerationTimeout => {
            "Ask for less (a smaller size, fewer variations, a shorter duration), or try again when less is going on."
        }
        FailureCode::RateLimited => "The engine behind had too much to do. Try again in a while.",
        FailureCode::InvalidInput => {
            "Check the input files: that they can be fetched, and that their kind and length fit."
        }
        FailureCode::InsufficientCredits => {
            "The real cost exceeded the balance. Ask the operator for credits."
        }
        FailureCode::GenerationFailed => {
            "Run it again. If it keeps failing, tell the operator the id. Nothing was charged."
        }
    }
}
