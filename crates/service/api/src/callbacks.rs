//! `POST /callbacks/{token}`: where the providers of engines tell how far a request is. The token is the request's own; what is
//! told is progress and nothing else.

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
    Err(ApiError::not_found("nobody waits for this callback"))
}
