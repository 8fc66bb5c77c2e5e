//! `POST /v1/images/generations` and `POST /v1/images/edits`.

use atelier_app::{App, Caller, Error};
use atelier_catalog::ModelType;
use atelier_domain::{FileName, Generation};
use axum::{
    Json,
    extract::{Request, State},
    http::HeaderMap,
    response::{IntoResponse as _, Response},
};
use serde_json::{Value, json};

use super::{
    answer,
    form::Form,
    jobs, multipart,
    translate::{self, Finished},
};
use crate::{
    body::JsonObject,
    error::ApiError,
    gate::{Authenticated, Rate},
};

/// The model of requests that name none.
const DEFAULT_MODEL: &str = "gpt-image-1";

/// The forms of a picture in the answer.
const FORMS: [&str; 2] = ["b64_json", "url"];

pub(super) async fn generate(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    rate: Rate,
    headers: HeaderMap,
    body: JsonObject,
) -> Result<Response, ApiError> {
    let mut form = Form::of_json(body.fields);
    let (request, as_url) = translate(&app, &mut form, Vec::new(), None)?;
    let job = jobs::create(&app, &caller, &rate, &headers, request).await?;
    let id = job.id.to_string();
    Ok(match jobs::wait(&app, &caller, job).await {
        Ok(job) => jobs::named(&id, pictures(&app, &caller, &job, as_url).await?),
        Err(failed) => failed,
    })
}

pub(super) async fn edit(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    rate: Rate,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let mut form = multipart::read(&app, &caller, &rate, request).await?;
    let (mut pictures_in, mut mask) = (Vec::new(), None);
    for (name, url) in std::mem::take(&mut form.files) {
        match name.split('[').next() {
            Some("image") => pictures_in.push(url),
            Some("mask") => mask = Some(url),
            _ => return Err(unknown_file(&name).into()),
        }
    }
    if pictures_in.is_empty() {
        return Err(Error::parameter(
            "image",
            "`image` is required: one or more files of a `multipart/form-data` body",
        )
        .into());
    }
    let mask = match mask {
        Some(url) => Some(app.mask_of_transparency(&caller, &url).await?),
        None => None,
    };
    let (request, as_url) = translate(&app, &mut form, pictures_in, mask)?;
    let job = jobs::create(&app, &caller, &rate, &headers, request).await?;
    let id = job.id.to_string();
    Ok(match jobs::wait(&app, &caller, job).await {
        Ok(job) => jobs::named(&id, pictures(&app, &caller, &job, as_url).await?),
        Err(failed) => failed,
    })
}

pub(super) fn unknown_file(name: &str) -> Error {
    Error::parameter(name, format!("unknown file part `{name}`"))
}

/// The request, and whether the answer has URLs in place of files.
fn translate(
    app: &App,
    form: &mut Form,
    pictures_in: Vec<String>,
    mask: Option<String>,
) -> Result<(Finished, bool), ApiError> {
    let name = form.text("model")?.unwrap_or_else(|| DEFAULT_MODEL.to_owned());
    let model = translate::model(app, &name)?;
    translate::check_kind(model, &[ModelType::Image, ModelType::Tool], "/v1/images")?;
    let mut request = translate::Request::new(model);
    request.words(form, "prompt")?;
    request.count(form)?;
    request.size(form)?;
    request.quality(form)?;
    let file_type = translate::file_type(app, model);
    request.choice(form, "output_format", file_type, &["png"])?;
    request.choice(form, "background", Some("background"), &["auto", "opaque"])?;
    if !pictures_in.is_empty() {
        request.pictures("image", pictures_in)?;
    }
    if let Some(mask) = mask {
        request.set_role(atelier_catalog::Role::Mask, "mask", mask.into())?;
    }
    if let Some(compression) = form.number("output_compression")?
        && compression != 100
    {
        return Err(request.unsupported("output_compression").into());
    }
    form.off("stream")?;
    let as_url = match form.only("response_format", &FORMS)? {
        Some(form) => form == "url",
        // The older models answer with URLs, the newer ones with the pictures.
        None => name.starts_with("dall-e"),
    };
    Ok((request.finish(form), as_url))
}

async fn pictures(app: &App, caller: &Caller, job: &Generation, as_url: bool) -> Result<Response, ApiError> {
    let files: Vec<FileName> = job
        .output
        .iter()
        .flat_map(|output| &output.assets)
        .map(|asset| asset.file.clone())
        .collect();
    let mut said = json!({ "created": job.created_at.millis() / 1_000 });
    if let Some(first) = files.first() {
        let format = match first.media_type().extension() {
            "jpg" => "jpeg",
            other => other,
        };
        said["output_format"] = Value::from(format);
    }
    if as_url {
        let links = app.links(caller).await?;
        let data: Vec<Value> = files
            .iter()
            .map(|file| json!({ "url": links.url(file) }))
            .collect();
        said["data"] = Value::from(data);
        return Ok(Json(said).into_response());
    }
    let mut head = said.to_string();
    head.pop();
    head.push_str(r#","data":["#);
    answer::pictures(app, head, files, "]}").await
}
