//! `POST /callbacks/{token}`: where the providers of engines report the progress of a request. Each request has a
//! token of its own, and a callback can report progress but change nothing else.

use atelier_app::App;
use axum::{extract::State, http::StatusCode};
use serde_json::Value;

use crate::{body::JsonObject, error::ApiError, segment::Segment};

pub(crate) async fn tell(
    State(app): State<App>,
    Segment(token): Segment,
    told: JsonObject,
) -> Result<StatusCode, ApiError> {
    if app.tell_callback(&token, Value::Object(told.fields)) {
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(ApiError::not_found("no request is waiting for this callback"))
}
