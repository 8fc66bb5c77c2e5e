//! Stores a file that was dropped on a form. The body is the file, and the answer is its URL.

use atelier_app::{Error, uploads::Uploaded};
use atelier_domain::Scope;
use axum::{
    Json,
    body::Body,
    extract::{FromRequestParts as _, Request, State},
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use futures::StreamExt as _;
use serde_json::json;

use crate::{
    csrf,
    error::{PageError, capital, wait_before_retry},
    origin,
    session::Signed,
    state::Console,
};

pub(crate) async fn upload(State(console): State<Console>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let Ok(signed) = Signed::from_request_parts(&mut parts, &console).await else {
        return refused(StatusCode::UNAUTHORIZED, "Your session has ended. Sign in again.");
    };
    let given = parts
        .headers
        .get(csrf::HEADER)
        .and_then(|value| value.to_str().ok());
    let own = origin::is_own(&console.options.public_url, &parts.headers);
    if !own || !signed.signed_in.csrf_matches(given.unwrap_or_default()) {
        return PageError::Forged.into_response();
    }
    match receive(&console, &signed, body).await {
        Ok(Uploaded {
            url,
            media_type,
            size,
        }) => {
            let uploaded = json!({ "url": url, "mime_type": media_type.mime(), "size": size });
            (StatusCode::CREATED, Json(uploaded)).into_response()
        }
        Err(error @ Error::Internal(_)) => PageError::App(error).into_response(),
        Err(error) => {
            let status = match &error {
                Error::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
                Error::RateLimited(_) => StatusCode::TOO_MANY_REQUESTS,
                Error::Unavailable(_) | Error::NoSpace(_) => StatusCode::SERVICE_UNAVAILABLE,
                _ => StatusCode::BAD_REQUEST,
            };
            let mut refusal = refused(status, &capital(&error.to_string()));
            if let Error::RateLimited(limited) = &error {
                wait_before_retry(&mut refusal, limited.retry_after_seconds);
            }
            refusal
        }
    }
}

async fn receive(console: &Console, signed: &Signed, body: Body) -> atelier_app::Result<Uploaded> {
    let app = &console.app;
    let caller = &signed.signed_in.caller;
    app.take_generation_token(caller, Scope::Upload).await?;
    let mut intake = app.begin_upload(caller).await?;
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| Error::invalid("the upload was interrupted"))?;
        intake.write(&chunk).await?;
    }
    app.finish_upload(caller, &intake.finish().await?).await
}

fn refused(status: StatusCode, message: &str) -> Response {
    (status, Json(json!({ "message": message }))).into_response()
}
