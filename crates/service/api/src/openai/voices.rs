//! `GET /v1/audio/voices`, which OpenAI does not have. Open WebUI asks other services for it, to offer their voices.

use atelier_app::App;
use atelier_catalog::Role;
use axum::{
    Json,
    extract::{Query, State, rejection::QueryRejection},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{speech, translate};
use crate::{error::ApiError, models::bad_query};

#[derive(Debug, Deserialize)]
pub(super) struct VoicesQuery {
    model: Option<String>,
}

/// The voices of a model: OpenAI's names for them, then the model's own. A model without voices has none.
pub(super) async fn list(
    State(app): State<App>,
    query: Result<Query<VoicesQuery>, QueryRejection>,
) -> Result<Json<Value>, ApiError> {
    let Query(VoicesQuery { model }) = query.map_err(bad_query)?;
    let model = translate::model(&app, model.as_deref().unwrap_or(speech::DEFAULT_MODEL))?;
    let named = model.openai.voices.iter();
    let named = named.map(|(theirs, own)| json!({ "id": theirs, "name": format!("{theirs} ({own})") }));
    let own = model
        .meaning(Role::Voice)
        .and_then(|voice| voice.options.as_ref());
    let own = own.into_iter().flatten().filter_map(Value::as_str);
    let own = own.map(|voice| json!({ "id": voice, "name": voice }));
    let voices: Vec<Value> = named.chain(own).collect();
    Ok(Json(json!({ "voices": voices })))
}
