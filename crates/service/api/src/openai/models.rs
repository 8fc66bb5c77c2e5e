//! `GET /v1/models` and `GET /v1/models/{id}`.

use atelier_app::App;
use atelier_catalog::Model;
use axum::{Json, extract::State};
use serde_json::{Value, json};

use super::translate;
use crate::{error::ApiError, gate::Authenticated, segment::Segment};

pub(super) async fn list(State(app): State<App>, _: Authenticated) -> Json<Value> {
    let served = app.catalog().iter().filter(|model| app.is_served(&model.slug));
    let data: Vec<Value> = served.map(|model| view(&model.slug, model)).collect();
    Json(json!({ "object": "list", "data": data }))
}

pub(super) async fn get(
    State(app): State<App>,
    _: Authenticated,
    Segment(id): Segment,
) -> Result<Json<Value>, ApiError> {
    let model = translate::model(&app, &id)?;
    Ok(Json(view(&id, model)))
}

fn view(id: &str, model: &Model) -> Value {
    json!({
        "id": id,
        "object": "model",
        // The interface has this field; the catalog does not know when models were made.
        "created": 0,
        "owned_by": model.vendor.as_deref().unwrap_or("atelier"),
    })
}
