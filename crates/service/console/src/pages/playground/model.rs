//! The form of a model, with its price and the request as code.

use std::collections::HashMap;

use askama::Template;
use atelier_app::{
    Error,
    generations::list::{GenerationFilter, ListGenerations},
};
use atelier_catalog::{Model, Problem};
use atelier_domain::Status;
use axum::extract::{Path, Query, State};
use serde_json::json;

use super::{
    OfferedWeights, SampleView,
    about::About,
    fields::{self, FieldView},
    is_draft, offered,
    request::FilledForm,
    weights, words_field,
};
use crate::{
    error::{PageError, Result, capital},
    frame::{Frame, page},
    pages::{
        gallery::{Tile, tiles},
        snippets::Snippets,
    },
    samples::{self, Sample},
    session::{Posted, Signed},
    state::Console,
    text,
};

#[derive(Template)]
#[template(path = "playground/model.html")]
pub(super) struct ModelPage<'a> {
    frame: Frame,
    slug: &'a str,
    name: &'a str,
    kind: &'static str,
    category: &'a str,
    description: &'a str,
    rules: Vec<String>,
    main: Vec<FieldView>,
    more: Vec<FieldView>,
    webhook_url: String,
    quote: Quote,
    snippets: Snippets,
    recent: Vec<Tile>,
    /// Why the service refused the last attempt to run.
    refusal: Option<String>,
    barred: Option<String>,
    draft: bool,
    weights: Option<String>,
    offered: Vec<OfferedWeights>,
    sample: Option<SampleView>,
    about: About,
    voices: Vec<&'static Sample>,
}

impl ModelPage<'_> {
    /// Whether one of the folded settings is set or invalid.
    fn unfolded(&self) -> bool {
        let touched = |field: &FieldView| !field.value.is_empty() || !field.problem.is_empty();
        !self.webhook_url.is_empty() || self.more.iter().any(touched)
    }

    /// Whether something else than what made the samples serves the model.
    fn is_served_otherwise(&self) -> bool {
        self.sample.as_ref().is_some_and(|view| view.served_otherwise)
    }

    /// Shows why the service refused to run the form.
    pub(super) fn refuse(&mut self, model: &Model, fields: Vec<FieldView>, refusal: String) {
        (self.main, self.more) = fields::split(model, fields);
        self.refusal = Some(refusal);
    }
}

/// The parts of the page that change while the form is filled in.
#[derive(Template)]
#[template(path = "playground/quote.html")]
struct QuotePart {
    /// The balance is shown in several places of the page, which never differ.
    frame: Frame,
    quote: Quote,
    snippets: Snippets,
    fields: Vec<FieldView>,
}

/// The price of the request, as far as it is known.
#[derive(Debug, Clone)]
struct Quote {
    price: Option<i64>,
    available: i64,
    rule: String,
}

impl Quote {
    fn new(signed: &Signed, model: &Model, price: Option<i64>) -> Self {
        Self {
            price,
            available: signed.signed_in.account().available,
            rule: model.pricing.short(),
        }
    }

    fn price_text(&self) -> String {
        self.price.map_or_else(|| "\u{2013}".to_owned(), text::credits)
    }

    fn available_text(&self) -> String {
        text::credits(self.available)
    }

    fn exceeds_balance(&self) -> bool {
        self.price.is_some_and(|price| price > self.available)
    }
}

pub(crate) async fn model(
    State(console): State<Console>,
    signed: Signed,
    Path(slug): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Result {
    let model = console.app.served_model(&slug)?;
    let mut form = match query.get("from") {
        Some(id) => {
            let caller = &signed.signed_in.caller;
            let generation = console.app.generation(caller, id).await?;
            let links = console.app.links(caller).await?;
            FilledForm::of_generation(model, &console.app.shown_params(&generation, &links))
        }
        None => FilledForm::defaults(model),
    };
    let sample = samples::of(&model.slug).filter(|sample| sample.is_words && query.contains_key("sample"));
    if let (Some(sample), Some(field)) = (sample, words_field(model)) {
        form.params.insert(field.to_owned(), sample.told.clone().into());
    }
    if let Some(url) = query.get("input") {
        form.add_input(model, url);
    }
    Ok(page(&model_page(&console, &signed, model, &form).await?))
}

/// The price, the problems and the request as code, for the form as it is filled in so far.
pub(crate) async fn quote(
    State(console): State<Console>,
    Path(slug): Path<String>,
    posted: Posted,
) -> Result {
    let model = console.app.served_model(&slug)?;
    let form = FilledForm::read(model, &posted.form);
    let (price, problems) = estimate(&console, &posted.signed, model, &form).await?;
    Ok(page(&QuotePart {
        frame: posted.signed.frame("", ""),
        quote: Quote::new(&posted.signed, model, price),
        snippets: snippets(&console, model, &form),
        fields: fields::views(model, &form, &problems),
    }))
}

pub(super) async fn model_page<'a>(
    console: &'a Console,
    signed: &Signed,
    model: &'a Model,
    form: &FilledForm,
) -> std::result::Result<ModelPage<'a>, PageError> {
    let (price, problems) = estimate(console, signed, model, form).await?;
    let (main, more) = fields::split(model, fields::views(model, form, &problems));
    Ok(ModelPage {
        frame: signed.frame(&model.name, "/account/playground"),
        slug: &model.slug,
        name: &model.name,
        kind: model.model_type.as_str(),
        category: &model.category,
        description: &model.description,
        rules: model.rules(),
        main,
        more,
        webhook_url: form.webhook_url.clone(),
        quote: Quote::new(signed, model, price),
        snippets: snippets(console, model, form),
        recent: recent(console, signed, model).await?,
        refusal: None,
        barred: signed.signed_in.caller.barred().map(capital),
        draft: is_draft(console, model),
        weights: weights(console, model),
        offered: offered(console, signed, model).await?,
        sample: SampleView::of(console, model),
        about: About::new(model),
        voices: samples::voices(&model.slug),
    })
}

/// The account's newest results of this model.
async fn recent(
    console: &Console,
    signed: &Signed,
    model: &Model,
) -> std::result::Result<Vec<Tile>, PageError> {
    let list = ListGenerations {
        filter: GenerationFilter {
            model: Some(model.slug.clone()),
            status: Some(Status::Completed),
            ..GenerationFilter::default()
        },
        limit: Some(4),
        cursor: None,
    };
    let caller = &signed.signed_in.caller;
    let listed = console.app.list_generations(caller, list).await?;
    tiles(console, caller, &listed.items).await
}

/// The estimated price, or every problem of the form.
async fn estimate(
    console: &Console,
    signed: &Signed,
    model: &Model,
    form: &FilledForm,
) -> std::result::Result<(Option<i64>, Vec<Problem>), PageError> {
    let caller = &signed.signed_in.caller;
    match console.app.estimate(caller, model, &form.params).await {
        Ok(credits) => Ok((Some(credits), Vec::new())),
        Err(Error::InvalidRequest { details, .. }) => Ok((None, details)),
        Err(other) => Err(other.into()),
    }
}

fn snippets(console: &Console, model: &Model, form: &FilledForm) -> Snippets {
    let body = json!(form.body(model));
    Snippets::new(console.base_url(), &body)
}
