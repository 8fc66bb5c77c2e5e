//! Runs a filled-in form.

use askama::Template;
use atelier_app::{Error, generations::create::CreateGeneration};
use atelier_catalog::{Model, Problem};
use axum::{
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Redirect},
};
use serde_json::Value;

use super::{
    fields::{self, FieldView},
    model::model_page,
    request::FilledForm,
};
use crate::{
    error::{Result, capital},
    frame::{page, page_with},
    pages::gallery::ResultView,
    script::is_script,
    session::Posted,
    state::Console,
    text,
};

#[derive(Template)]
#[template(path = "playground/started.html")]
struct StartedPart {
    result: ResultView,
    balance: String,
    fields: Vec<FieldView>,
}

#[derive(Template)]
#[template(path = "playground/refused.html")]
struct RefusedPart {
    refusal: String,
    fields: Vec<FieldView>,
}

pub(crate) async fn run(
    State(console): State<Console>,
    Path(slug): Path<String>,
    headers: HeaderMap,
    posted: Posted,
) -> Result {
    let Posted { signed, form } = posted;
    let model = console.app.served_model(&slug)?;
    let form = FilledForm::read(model, &form);
    let body = form.body(model);
    let bytes = Value::Object(body.clone()).to_string();
    let create = CreateGeneration::new(body, bytes.as_bytes(), None);
    let caller = &signed.signed_in.caller;
    let by_script = is_script(&headers);
    let (problems, refusal) = match console.app.create_generation(caller, create).await {
        Ok(created) if by_script => {
            let left = (signed.signed_in.account().available - created.generation.hold).max(0);
            let links = console.app.links(caller).await?;
            return Ok(page(&StartedPart {
                result: ResultView::read(&console, &links, &created.generation).await?,
                balance: text::credits(left),
                fields: fields::views(model, &form, &[]),
            }));
        }
        Ok(created) => {
            let path = format!("/account/gallery/{}", created.generation.id);
            return Ok(Redirect::to(&path).into_response());
        }
        Err(Error::InvalidRequest { message, details }) => invalid(model, &message, details),
        Err(error @ (Error::InsufficientCredits { .. } | Error::RateLimited(_) | Error::ApiDisabled(_))) => {
            (Vec::new(), capital(&error.to_string()))
        }
        Err(other) => return Err(other.into()),
    };
    let fields = fields::views_of_refused(model, &form, &problems);
    if by_script {
        return Ok(page(&RefusedPart { refusal, fields }));
    }
    let mut shown = model_page(&console, &signed, model, &form).await?;
    shown.refuse(model, fields, refusal);
    Ok(page_with(StatusCode::BAD_REQUEST, &shown))
}

/// The problems of the fields, and the message above the form. The message does not repeat problems that are shown
/// beside their fields.
fn invalid(model: &Model, message: &str, details: Vec<Problem>) -> (Vec<Problem>, String) {
    let has_field = |problem: &Problem| model.parameter(&problem.parameter).is_some();
    if !details.is_empty() && details.iter().all(has_field) {
        let message = "Some fields need your attention. Nothing was charged.";
        return (details, message.to_owned());
    }
    (details, capital(message))
}
