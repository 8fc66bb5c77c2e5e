//! One generation with all its details.

use askama::Template;
use atelier_app::generations::detail::GenerationDetail;
use atelier_catalog::{Model, Parameter};
use atelier_domain::Generation;
use axum::extract::{Path, State};
use serde_json::{Value, json};

use super::{ResultView, model_name, words};
use crate::{
    error::{Result, capital},
    frame::{Frame, page},
    pages::{
        playground::Snippets,
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
    inputs: Vec<(String, String)>,
    params: Vec<(String, String)>,
    facts: Vec<(&'static str, String)>,
    metadata: Vec<(String, String)>,
    webhook_url: Option<String>,
    last_failure: Option<String>,
    entries: Vec<EntryRow>,
    deliveries: Vec<(DeliveryRow, Vec<AttemptRow>)>,
    snippets: Snippets,
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
    let (inputs, params) = inputs_and_params(model, &generation);
    Ok(page(&DetailPage {
        frame: signed.frame("Generation", "/account/gallery"),
        model: model_name(&console, &generation.model),
        slug: generation.model.clone(),
        served: console.app.served_model(&generation.model).is_ok(),
        text: words(&generation),
        inputs,
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
            ..ResultView::new(&console, &generation)
        },
    }))
}

/// The body of the request that asks for the same again.
fn request(generation: &Generation) -> Value {
    json!({ "model": generation.model, "params": generation.params })
}

/// A label and a value.
type Row = (String, String);

/// The URLs of input files, and the other parameters.
pub(super) fn inputs_and_params(model: Option<&Model>, generation: &Generation) -> (Vec<Row>, Vec<Row>) {
    let (mut inputs, mut params) = (Vec::new(), Vec::new());
    for (name, value) in &generation.params {
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

/// What the engine reported about the result, without nested values.
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
