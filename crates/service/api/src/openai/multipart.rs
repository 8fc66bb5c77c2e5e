//! Multipart forms: texts are fields, files are stored as uploads are, while they stream in.

use atelier_app::{App, Caller, Error};
use atelier_domain::Scope;
use atelier_media::Received;
use axum::{
    extract::{
        FromRequest as _, Multipart, Request,
        multipart::{Field, MultipartError},
    },
    http::header,
};
use serde_json::{Map, Value};

use super::form::Form;
use crate::{body::JsonObject, error::ApiError, gate::Rate};

/// The longest text, in bytes; prompts have at most 32,000 characters.
const MAX_TEXT: usize = 256 * 1024;
/// The most parts of one form.
const MAX_PARTS: usize = 64;

/// Reads a body that is JSON or a form. A form with files takes a token of the rate limit, as an upload does.
pub(super) async fn read(
    app: &App,
    caller: &Caller,
    rate: &Rate,
    request: Request,
) -> Result<Form, ApiError> {
    let is_form = request
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|text| text.trim_start().to_ascii_lowercase().starts_with("multipart/"));
    if !is_form {
        let body = JsonObject::from_request(request, &()).await?;
        return Ok(Form::of_json(body.fields));
    }
    let invalid = || Error::invalid("the body must be `multipart/form-data` with a boundary");
    let mut parts = Multipart::from_request(request, &())
        .await
        .map_err(|_| invalid())?;
    let (mut fields, mut files) = (Map::new(), Vec::new());
    let mut count = 0;
    while let Some(field) = parts.next_field().await.map_err(|error| broken(&error))? {
        count += 1;
        if count > MAX_PARTS {
            return Err(Error::invalid(format!("the form has more than {MAX_PARTS} parts")).into());
        }
        let name = field.name().unwrap_or_default().to_owned();
        if field.file_name().is_none() {
            let text = text(field, &name).await?;
            fields.insert(name, Value::from(text));
            continue;
        }
        if files.is_empty() {
            rate.set(app.take_generation_token(caller, Scope::Upload).await?);
        }
        let received = receive(app, caller, field)
            .await
            .map_err(|error| error.about(&name))?;
        let stored = app
            .finish_upload(caller, &received)
            .await
            .map_err(|error| ApiError::from(error).about(&name))?;
        files.push((name, stored.url));
    }
    Ok(Form::of_parts(fields, files))
}

fn broken(error: &MultipartError) -> ApiError {
    ApiError::broken_body(error, "the multipart body is malformed or incomplete")
}

async fn text(mut field: Field<'_>, name: &str) -> Result<String, ApiError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|error| broken(&error))? {
        if bytes.len() + chunk.len() > MAX_TEXT {
            return Err(Error::TooLarge(format!("`{name}` is longer than {MAX_TEXT} bytes")).into());
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|_| Error::parameter(name, format!("`{name}` is not UTF-8")).into())
}

async fn receive(app: &App, caller: &Caller, mut field: Field<'_>) -> Result<Received, ApiError> {
    let mut intake = app.begin_upload(caller).await?;
    while let Some(chunk) = field.chunk().await.map_err(|error| broken(&error))? {
        intake.write(&chunk).await.map_err(Error::from)?;
    }
    Ok(intake.finish().await.map_err(Error::from)?)
}
