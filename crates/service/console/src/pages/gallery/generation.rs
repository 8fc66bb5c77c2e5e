//! One generation with all its details.

use askama::Template;
use atelier_app::{collections::CollectionView, generations::detail::GenerationDetail, private::Links};
use atelier_catalog::{Model, Parameter};
use atelier_domain::{FileName, Generation, Right};
use axum::extract::{Path, State};
use serde_json::{Map, Value, json};

use super::{ResultView, Star, words};
use crate::{
    error::{PageError, Result, capital},
    frame::{Frame, page},
    moment::{Moment, Shown},
    pages::{
        snippets::Snippets,
        usage::EntryRow,
        webhooks::{self, AttemptRow, DeliveryRow},
    },
    session::Signed,
    state::Console,
    text,
};

#[derive(Template)]
#[template(path = "gallery/detail.html")]
struct DetailPage {
    frame: Frame,
    result: ResultView,
    model: String,
    slug: String,
    served: bool,
    text: String,
    inputs: Vec<InputRow>,
    star: Option<Star>,
    /// The collections that contain it.
    collections: Vec<CollectionView>,
    /// The other collections, for those who may add to them.
    offered: Vec<CollectionView>,
    params: Vec<(String, String)>,
    facts: Vec<(&'static str, Shown)>,
    metadata: Vec<(String, String)>,
    webhook_url: Option<String>,
    last_failure: Option<String>,
    entries: Vec<EntryRow>,
    deliveries: Vec<(DeliveryRow, Vec<AttemptRow>)>,
    snippets: Snippets,
}

/// An input file.
struct InputRow {
    label: String,
    url: String,
    /// A small picture, if the file is stored here.
    preview: Option<String>,
    /// The reason why the file is no longer served.
    gone: Option<&'static str>,
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
    let links = console.app.links(&signed.signed_in.caller).await?;
    let (inputs, params) = inputs_and_params(model, &console.app.shown_params(&generation, &links));
    let inputs = input_rows(&console, &links, inputs).await?;
    let star = star(&console, &signed, &generation).await?;
    let caller = &signed.signed_in.caller;
    let contained = console.app.collections_with(caller, &generation).await?;
    let offered = match star {
        Some(_) => console.app.collections(caller).await?,
        None => Vec::new(),
    };
    let is_contained = |one: &CollectionView| contained.iter().any(|other| other.id == one.id);
    let offered = offered.into_iter().filter(|one| !is_contained(one)).collect();
    Ok(page(&DetailPage {
        frame: signed.frame("Generation", "/account/gallery"),
        model: console.model_name(&generation.model),
        slug: generation.model.clone(),
        served: console.app.find_served(&generation.model).is_some(),
        text: words(&generation),
        inputs,
        star,
        collections: contained,
        offered,
        params,
        facts: facts(&generation),
        metadata: metadata(&generation),
        webhook_url: generation.webhook_url.clone(),
        last_failure: last_failure.map(|failure| capital(&failure.message)),
        entries: entries.iter().map(|entry| EntryRow::new(entry, None)).collect(),
        deliveries: deliveries.into_iter().map(webhooks::rows).collect(),
        snippets: Snippets::new(console.base_url(), &request(&generation)),
        result: ResultView {
            alone: true,
            ..ResultView::read(&console, &links, &generation).await?
        },
    }))
}

/// The button for favourites, if the user may use it.
async fn star(
    console: &Console,
    signed: &Signed,
    generation: &Generation,
) -> std::result::Result<Option<Star>, PageError> {
    if generation.state != atelier_domain::State::Completed || !signed.may(Right::Generate) {
        return Ok(None);
    }
    let caller = &signed.signed_in.caller;
    let favourites = console
        .app
        .favourites(caller, std::slice::from_ref(generation))
        .await?;
    Ok(Some(Star {
        id: generation.id.to_string(),
        on: favourites.contains(&generation.id),
        alone: true,
    }))
}

async fn input_rows(
    console: &Console,
    links: &Links,
    inputs: Vec<Row>,
) -> std::result::Result<Vec<InputRow>, PageError> {
    let stored = |url: &str| console.app.stored_file(url).and_then(std::result::Result::ok);
    let files: Vec<FileName> = inputs.iter().filter_map(|(_, url)| stored(url)).collect();
    let gone = console.app.files_gone(&files).await?;
    let row = |(label, url): Row| {
        let file = stored(&url);
        InputRow {
            label,
            gone: file.as_ref().and_then(|file| gone.get(file).copied()),
            preview: file.map(|file| links.preview(&file)),
            url,
        }
    };
    Ok(inputs.into_iter().map(row).collect())
}

/// The body of the request that asks for the same again.
fn request(generation: &Generation) -> Value {
    json!({ "model": generation.model, "params": generation.params })
}

/// A label and a value.
type Row = (String, String);

/// The URLs of input files, and the other parameters.
pub(super) fn inputs_and_params(model: Option<&Model>, of: &Map<String, Value>) -> (Vec<Row>, Vec<Row>) {
    let (mut inputs, mut params) = (Vec::new(), Vec::new());
    for (name, value) in of {
        let parameter = model.and_then(|model| model.parameter(name));
        let label = parameter.map_or(name, |parameter| &parameter.label);
        if parameter.is_some_and(Parameter::is_file) {
            let urls = value
                .as_array()
                .map_or(std::slice::from_ref(value), Vec::as_slice);
            let urls = urls.iter().filter_map(Value::as_str);
            inputs.extend(urls.map(|url| (label.clone(), url.to_owned())));
        } else {
            params.push((label.clone(), plain(value)));
        }
    }
    (inputs, params)
}

/// Returns the engine's report about the result, without nested values.
fn metadata(generation: &Generation) -> Vec<Row> {
    let output = generation.output.as_ref();
    let metadata = output.and_then(|output| output.metadata.as_ref());
    let members = metadata.into_iter().flatten();
    members
        .filter(|(_, value)| is_readable(value))
        .map(|(name, value)| (name.replace('_', " "), plain(value)))
        .collect()
}

/// Whether a value can be shown in one line. Nested values are left to the API.
fn is_readable(value: &Value) -> bool {
    match value {
        Value::Array(items) => {
            !items.is_empty() && items.iter().all(|item| !item.is_object() && !item.is_array())
        }
        other => !other.is_object() && !other.is_null(),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

fn facts(generation: &Generation) -> Vec<(&'static str, Shown)> {
    let mut facts = vec![
        ("Id", generation.id.to_string().into()),
        ("Created", Shown::Moment(Moment::new(generation.created_at))),
    ];
    if let Some(started) = generation.started_at {
        facts.push((
            "Waited",
            text::duration(started.since(generation.created_at)).into(),
        ));
        if let Some(ended) = generation.ended_at {
            facts.push(("Ran", text::duration(ended.since(started)).into()));
        }
    }
    if let Some(ended) = generation.ended_at {
        facts.push(("Ended", Shown::Moment(Moment::new(ended))));
    }
    if generation.attempt > 1 {
        facts.push(("Attempts", generation.attempt.to_string().into()));
    }
    if let Some(engine) = &generation.served_by {
        facts.push(("Engine", engine.clone().into()));
    }
    facts.push(("Held", text::credits(generation.hold).into()));
    if let Some(charged) = generation.charged {
        facts.push(("Charged", text::credits(charged).into()));
    }
    facts
}
