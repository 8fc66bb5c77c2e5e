//! The models in the documentation: a list of what is served, and a page for each with its fields, rules, limits and
//! prices.

use askama::Template;
use atelier_app::models::ListModels;
use atelier_catalog::{Model, Parameter};
use axum::extract::{Path, Request, State};
use serde_json::Value;

use super::{Entry, entries};
use crate::{
    error::Result,
    frame::{Frame, page},
    pages::{
        playground::{About, example_body},
        snippets::Snippets,
    },
    reference::Field,
    session,
    state::Console,
};

/// The page that lists them.
pub(super) const PATH: &str = "/docs/models";

#[derive(Template)]
#[template(path = "docs/models.html")]
struct ModelsPage<'a> {
    frame: Frame,
    entries: Vec<Entry>,
    here: &'static str,
    /// By kind.
    groups: Vec<(&'static str, Vec<Row<'a>>)>,
}

/// A model's slug, name and price.
type Row<'a> = (&'a str, &'a str, String);

#[derive(Template)]
#[template(path = "docs/model.html")]
struct ModelPage<'a> {
    frame: Frame,
    entries: Vec<Entry>,
    here: &'static str,
    model: &'a Model,
    fields: Vec<Field>,
    title: &'static str,
    rules: Vec<String>,
    about: About,
    snippets: Snippets,
}

pub(crate) async fn models(State(console): State<Console>, request: Request) -> Result {
    let (parts, _) = request.into_parts();
    let frame = session::open_frame(&console, &parts, "Models", "/docs").await;
    let mut groups: Vec<(&'static str, Vec<_>)> = Vec::new();
    let mut list = ListModels::default();
    loop {
        let listed = console.app.list_models(&list)?;
        for listed in &listed.models {
            let summary = &listed.summary;
            let row = (summary.slug, summary.name, listed.price.to_owned());
            let kind = summary.model_type.as_str();
            match groups.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, rows)) => rows.push(row),
                None => groups.push((kind, vec![row])),
            }
        }
        list.cursor = listed.next_cursor;
        if list.cursor.is_none() {
            break;
        }
    }
    Ok(page(&ModelsPage {
        frame,
        entries: entries(),
        here: PATH,
        groups,
    }))
}

pub(crate) async fn model(
    State(console): State<Console>,
    Path(slug): Path<String>,
    request: Request,
) -> Result {
    let (parts, _) = request.into_parts();
    let model = console.app.served_model(&slug)?;
    Ok(page(&ModelPage {
        frame: session::open_frame(&console, &parts, &model.name, "/docs").await,
        entries: entries(),
        here: PATH,
        fields: model.parameters.iter().map(field).collect(),
        title: "Parameters",
        rules: model.rules(),
        about: About::new(model),
        snippets: Snippets::new(console.base_url(), &example_body(model)),
        model,
    }))
}

fn field(parameter: &Parameter) -> Field {
    let mut facts: Vec<String> = parameter.description.iter().cloned().collect();
    if let Some(options) = &parameter.options {
        let options: Vec<String> = options
            .iter()
            .map(|option| format!("`{}`", shown(option)))
            .collect();
        facts.push(format!("One of {}.", options.join(", ")));
    }
    match (parameter.min, parameter.max) {
        (Some(min), Some(max)) => facts.push(format!("{min} to {max}.")),
        (Some(min), None) => facts.push(format!("At least {min}.")),
        (None, Some(max)) => facts.push(format!("At most {max}.")),
        (None, None) => {}
    }
    if let Some(most) = parameter.max_length {
        facts.push(format!("At most {most} characters."));
    }
    if let Some(default) = &parameter.default {
        facts.push(format!("Default: `{}`.", shown(default)));
    }
    Field {
        name: parameter.name.clone(),
        place: String::new(),
        kind: parameter.kind.as_str().to_owned(),
        schema: None,
        required: parameter.required && parameter.default.is_none(),
        description: facts.join(" "),
    }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
