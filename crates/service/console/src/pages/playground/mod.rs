//! The playground: choose a model, fill in its form, see the price, run it, look at what came of it.

mod fields;
mod request;
mod snippets;
mod upload;

use std::collections::HashMap;

use askama::Template;
use atelier_app::{
    Error,
    generations::{
        create::CreateGeneration,
        list::{GenerationFilter, ListGenerations},
    },
    models::ListModels,
};
use atelier_catalog::{Model, Problem};
use atelier_domain::Status;
use axum::{
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Redirect},
};
use serde_json::{Value, json};

use self::{fields::FieldView, request::Asked, snippets::Snippets};
use super::gallery::{ResultView, Tile};
use crate::{
    error::{Result, capital},
    frame::{Frame, page, page_with},
    routes::Console,
    session::{Posted, Signed, is_script},
    text,
};

pub(crate) use upload::upload;

#[derive(Template)]
#[template(path = "playground/index.html")]
struct IndexPage<'a> {
    frame: Frame,
    cards: Vec<Card<'a>>,
    categories: Vec<&'a str>,
    total: usize,
    chosen: Chosen,
    /// A file that is to be worked on.
    input: String,
    /// Where the next page of models is.
    more: Option<String>,
    further: bool,
}

/// Models on a page.
const PAGE: u32 = 36;

/// The filters as they are set.
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

#[derive(Template)]
#[template(path = "playground/cards.html")]
struct CardsPart<'a> {
    cards: Vec<Card<'a>>,
    input: String,
    more: Option<String>,
    /// They go after those that are there already.
    further: bool,
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

#[derive(Template)]
#[template(path = "playground/model.html")]
struct ModelPage<'a> {
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
    result: Option<ResultView>,
    recent: Vec<Tile>,
    /// Why the last attempt was refused as a whole.
    refusal: Option<String>,
    barred: Option<String>,
    draft: bool,
}

impl ModelPage<'_> {
    /// Whether one of the settings out of sight is set, or wrong.
    fn unfolded(&self) -> bool {
        let touched = |field: &FieldView| !field.value.is_empty() || !field.problem.is_empty();
        !self.webhook_url.is_empty() || self.more.iter().any(touched)
    }
}

/// What the part of the page beside the form says while the form is filled in.
#[derive(Template)]
#[template(path = "playground/quote.html")]
struct QuotePart {
    quote: Quote,
    snippets: Snippets,
    fields: Vec<FieldView>,
    /// A field's problem is put beside the field, wherever that is on the page.
    elsewhere: bool,
}

/// What the request would cost, or why it cannot be priced yet.
#[derive(Debug, Clone)]
struct Quote {
    price: Option<i64>,
    available: i64,
    rule: String,
}

impl Quote {
    fn price_text(&self) -> String {
        self.price.map_or_else(|| "\u{2013}".to_owned(), text::credits)
    }

    fn available_text(&self) -> String {
        text::credits(self.available)
    }

    fn too_dear(&self) -> bool {
        self.price.is_some_and(|price| price > self.available)
    }
}

#[derive(Template)]
#[template(path = "playground/started.html")]
struct StartedPart {
    result: ResultView,
    balance: String,
    fields: Vec<FieldView>,
    elsewhere: bool,
}

#[derive(Template)]
#[template(path = "playground/refused.html")]
struct RefusedPart {
    refusal: String,
    fields: Vec<FieldView>,
    elsewhere: bool,
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
        // Few models take a given file: they are all shown.
        limit: input.is_empty().then_some(PAGE),
        cursor: given(&get("cursor")),
    })?;
    let models = listed
        .models
        .iter()
        .filter_map(|model| console.app.catalog().get(model.slug));
    let takes = |model: &&Model| input.is_empty() || request::place_for(model, &input).is_some();
    let cards = models.filter(takes).map(|model| card(&console, model)).collect();
    let more = listed.next_cursor.map(|cursor| chosen.next(&cursor));
    if is_script(&headers) {
        let further = query.contains_key("cursor");
        return Ok(page(&CardsPart {
            cards,
            input,
            more,
            further,
        }));
    }
    let all = console.app.list_models(&ListModels::default())?;
    let mut categories: Vec<&str> = all.models.iter().map(|model| model.category).collect();
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
        further: false,
    }))
}

fn card<'a>(console: &Console, model: &'a Model) -> Card<'a> {
    Card {
        slug: &model.slug,
        name: &model.name,
        kind: model.model_type.as_str(),
        category: &model.category,
        description: &model.description,
        price: price_in_brief(model),
        draft: is_draft(console, model),
    }
}

/// Somebody's model for which an embedded engine stands in.
fn is_draft(console: &Console, model: &Model) -> bool {
    let engine = console
        .app
        .targets(&model.slug)
        .first()
        .map(|target| target.engine.name());
    model.vendor.is_some() && engine == Some("draft")
}

/// The price's rule without what multiplies it: `4 credits per image`.
fn price_in_brief(model: &Model) -> &str {
    let rule = &model.pricing.description;
    rule.split([',', ';']).next().unwrap_or(rule)
}

pub(crate) async fn model(
    State(console): State<Console>,
    signed: Signed,
    Path(slug): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Result {
    let model = console.app.served_model(&slug)?;
    let mut asked = match query.get("from") {
        Some(id) => {
            let generation = console.app.generation(&signed.signed_in.caller, id).await?;
            Asked::again(model, &generation.params)
        }
        None => Asked::untouched(model),
    };
    if let Some(url) = query.get("input") {
        asked.add_input(model, url);
    }
    let page_view = model_page(&console, &signed, model, &asked).await?;
    Ok(page(&page_view))
}

/// What the form comes to while it is filled in: price, problems, and the request as code.
pub(crate) async fn quote(
    State(console): State<Console>,
    Path(slug): Path<String>,
    posted: Posted,
) -> Result {
    let model = console.app.served_model(&slug)?;
    let asked = Asked::read(model, &posted.form);
    let (price, problems) = price(&console, &posted.signed, model, &asked).await?;
    Ok(page(&QuotePart {
        quote: quote_of(&posted.signed, model, price),
        snippets: snippets(&console, model, &asked),
        fields: fields::views(model, &asked, &problems),
        elsewhere: true,
    }))
}

pub(crate) async fn run(
    State(console): State<Console>,
    Path(slug): Path<String>,
    headers: HeaderMap,
    posted: Posted,
) -> Result {
    let Posted { signed, form } = posted;
    let model = console.app.served_model(&slug)?;
    let asked = Asked::read(model, &form);
    let body = asked.body(model);
    let bytes = Value::Object(body.clone()).to_string();
    let create = CreateGeneration::new(body, bytes.as_bytes(), None);
    let caller = &signed.signed_in.caller;
    let by_script = is_script(&headers);
    let (problems, refusal) = match console.app.create_generation(caller, create).await {
        Ok(created) if by_script => {
            let left = (caller.account.available - created.generation.hold).max(0);
            return Ok(page(&StartedPart {
                result: ResultView::new(&console, &created.generation),
                balance: text::credits(left),
                fields: fields::views(model, &asked, &[]),
                elsewhere: true,
            }));
        }
        Ok(created) => {
            let path = format!("/account/gallery/{}", created.generation.id);
            return Ok(Redirect::to(&path).into_response());
        }
        Err(Error::InvalidRequest { message, details }) => refused(model, &message, details),
        Err(error @ (Error::InsufficientCredits { .. } | Error::RateLimited(_) | Error::ApiDisabled(_))) => {
            (Vec::new(), capital(&error.to_string()))
        }
        Err(other) => return Err(other.into()),
    };
    if by_script {
        return Ok(page(&RefusedPart {
            refusal,
            fields: fields::views_of_refused(model, &asked, &problems),
            elsewhere: true,
        }));
    }
    let mut view = model_page(&console, &signed, model, &asked).await?;
    let all = fields::views_of_refused(model, &asked, &problems);
    (view.main, view.more) = fields::split(model, all);
    view.refusal = Some(refusal);
    Ok(page_with(StatusCode::BAD_REQUEST, &view))
}

/// Problems that stand beside a field need no second mention above the form.
fn refused(model: &Model, message: &str, details: Vec<Problem>) -> (Vec<Problem>, String) {
    let beside = |problem: &Problem| model.parameter(&problem.parameter).is_some();
    if !details.is_empty() && details.iter().all(beside) {
        return (
            details,
            "Some fields need another look. Nothing was charged.".to_owned(),
        );
    }
    (details, capital(message))
}

async fn model_page<'a>(
    console: &'a Console,
    signed: &Signed,
    model: &'a Model,
    asked: &Asked,
) -> std::result::Result<ModelPage<'a>, crate::error::PageError> {
    let (price, problems) = price(console, signed, model, asked).await?;
    let (main, more) = fields::split(model, fields::views(model, asked, &problems));
    let recent = console
        .app
        .list_generations(
            &signed.signed_in.caller,
            ListGenerations {
                filter: GenerationFilter {
                    model: Some(model.slug.clone()),
                    status: Some(Status::Completed),
                    ..GenerationFilter::default()
                },
                limit: Some(4),
                cursor: None,
            },
        )
        .await?;
    Ok(ModelPage {
        frame: signed.frame(&model.name, "/account/playground"),
        slug: &model.slug,
        name: &model.name,
        kind: model.model_type.as_str(),
        category: &model.category,
        description: &model.description,
        rules: model
            .rules()
            .into_iter()
            .chain([model.pricing.description.clone()])
            .collect(),
        main,
        more,
        webhook_url: asked.webhook_url.clone(),
        quote: quote_of(signed, model, price),
        snippets: snippets(console, model, asked),
        result: None,
        recent: recent.items.iter().map(|one| Tile::new(console, one)).collect(),
        refusal: None,
        barred: signed.signed_in.caller.barred().map(capital),
        draft: is_draft(console, model),
    })
}

fn quote_of(signed: &Signed, model: &Model, price: Option<i64>) -> Quote {
    Quote {
        price,
        available: signed.signed_in.account().available,
        rule: price_in_brief(model).to_owned(),
    }
}

/// The estimate, or all that is wrong.
async fn price(
    console: &Console,
    signed: &Signed,
    model: &Model,
    asked: &Asked,
) -> std::result::Result<(Option<i64>, Vec<Problem>), crate::error::PageError> {
    let caller = &signed.signed_in.caller;
    match console.app.estimate(caller, model, &asked.params).await {
        Ok(credits) => Ok((Some(credits), Vec::new())),
        Err(Error::InvalidRequest { details, .. }) => Ok((None, details)),
        Err(other) => Err(other.into()),
    }
}

fn snippets(console: &Console, model: &Model, asked: &Asked) -> Snippets {
    let body = json!(asked.body(model));
    Snippets::new(&console.base_url, &body)
}
