//! `/v1/videos`: creates jobs for videos, shows them, sends their files, and deletes them.

use atelier_app::{
    App, Error,
    generations::list::{GenerationFilter, ListGenerations},
};
use atelier_catalog::{ModelType, Role};
use atelier_domain::{Generation, MediaKind, State as JobState};
use axum::{
    Json,
    extract::{Query, Request, State, rejection::QueryRejection},
    http::HeaderMap,
    response::{IntoResponse as _, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{answer, images::unknown_file, jobs, multipart, translate};
use crate::{
    error::ApiError,
    gate::{Authenticated, Rate},
    models::bad_query,
    segment::Segment,
};

/// The model of requests that name none.
const DEFAULT_MODEL: &str = "sora-2";

pub(super) async fn create(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    rate: Rate,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let mut form = multipart::read(&app, &caller, &rate, request).await?;
    let mut frames = Vec::new();
    for (name, url) in std::mem::take(&mut form.files) {
        if name != "input_reference" {
            return Err(unknown_file(&name).into());
        }
        frames.push(url);
    }
    let name = form.text("model")?.unwrap_or_else(|| DEFAULT_MODEL.to_owned());
    let model = translate::model(&app, &name)?;
    translate::check_kind(model, &[ModelType::Video], "/v1/videos")?;
    let mut request = translate::Request::new(model);
    request.words(&mut form, "prompt")?;
    request.size(&mut form)?;
    if let Some(seconds) = form.number("seconds")? {
        request.set_role(Role::Duration, "seconds", seconds)?;
    }
    if !frames.is_empty() {
        request.pictures("input_reference", frames)?;
    }
    let request = request.finish(&mut form);
    let job = jobs::create(&app, &caller, &rate, &headers, request).await?;
    Ok(jobs::named(
        &job.id.to_string(),
        Json(view(&app, &job)).into_response(),
    ))
}

pub(super) async fn get(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
) -> Result<Json<Value>, ApiError> {
    let job = app.generation(&caller, &id).await?;
    check_video(&job)?;
    Ok(Json(view(&app, &job)))
}

/// Deletes the job of a video that has ended, with its files.
pub(super) async fn delete(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
) -> Result<Json<Value>, ApiError> {
    check_video(&app.generation(&caller, &id).await?)?;
    let deleted = app.delete_generation(&caller, &id).await?;
    Ok(Json(json!({
        "id": deleted.id.to_string(),
        "object": "video.deleted",
        "deleted": true,
    })))
}

#[derive(Debug, Deserialize)]
pub(super) struct ListQuery {
    after: Option<String>,
    limit: Option<u32>,
    order: Option<String>,
}

pub(super) async fn list(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Json<Value>, ApiError> {
    let Query(ListQuery { after, limit, order }) = query.map_err(bad_query)?;
    let oldest_first = match order.as_deref() {
        None | Some("desc") => false,
        Some("asc") => true,
        Some(other) => {
            let message = format!("`order` must be asc or desc (got `{other}`)");
            return Err(Error::parameter("order", message).into());
        }
    };
    let list = ListGenerations {
        filter: GenerationFilter {
            kind: Some(MediaKind::Video),
            oldest_first,
            ..GenerationFilter::default()
        },
        limit,
        cursor: after,
    };
    let listed = app.list_generations(&caller, list).await?;
    let data: Vec<Value> = listed.items.iter().map(|job| view(&app, job)).collect();
    Ok(Json(json!({
        "object": "list",
        "first_id": data.first().map(|video| video["id"].clone()),
        "last_id": data.last().map(|video| video["id"].clone()),
        "has_more": listed.next_cursor.is_some(),
        "data": data,
    })))
}

#[derive(Debug, Deserialize)]
pub(super) struct ContentQuery {
    variant: Option<String>,
}

/// Sends the file, or a still of it.
pub(super) async fn content(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
    query: Result<Query<ContentQuery>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(ContentQuery { variant }) = query.map_err(bad_query)?;
    let job = app.generation(&caller, &id).await?;
    check_video(&job)?;
    let file = job.output.iter().flat_map(|output| &output.assets).next();
    let Some(file) = file.map(|asset| &asset.file) else {
        let status = status(&job);
        return Err(
            Error::invalid(format!("the video `{id}` has no content: its status is {status}")).into(),
        );
    };
    match variant.as_deref() {
        None | Some("video") => answer::file(&app, file).await,
        Some("thumbnail") => {
            let preview = app.preview(file).await?;
            let preview = preview.ok_or_else(|| ApiError::not_found("there is no still of this video"))?;
            answer::file(&app, &preview).await
        }
        Some(_) => Err(Error::parameter("variant", "`variant` must be video or thumbnail").into()),
    }
}

fn check_video(job: &Generation) -> Result<(), Error> {
    if job.kind == MediaKind::Video {
        return Ok(());
    }
    Err(Error::NotFound(format!(
        "there is no video with the id `{}`",
        job.id
    )))
}

const fn status(job: &Generation) -> &'static str {
    match job.state {
        JobState::Queued => "queued",
        JobState::Running => "in_progress",
        JobState::Completed => "completed",
        JobState::Failed => "failed",
    }
}

fn view(app: &App, job: &Generation) -> Value {
    let seconds = |at: atelier_domain::Timestamp| at.millis() / 1_000;
    let is_completed = job.state == JobState::Completed;
    let progress = if is_completed { 1.0 } else { job.progress };
    let model = app.catalog().get(&job.model);
    let param = |role| model.and_then(|model| job.params.get(&model.meaning(role)?.name));
    // The request's own size is not kept: the first one that stands for these fields.
    let size = model.and_then(|model| {
        model.openai_sizes().into_iter().find(|size| {
            let fields = model.openai_size(size).unwrap_or_default();
            fields
                .iter()
                .all(|(name, value)| job.params.get(name) == Some(value))
        })
    });
    json!({
        "id": job.id.to_string(),
        "object": "video",
        "model": job.model,
        "status": status(job),
        "progress": (progress * 100.0).round() as i64,
        "created_at": seconds(job.created_at),
        "completed_at": job.ended_at.filter(|_| is_completed).map(seconds),
        "expires_at": null,
        "prompt": param(Role::Text),
        "seconds": param(Role::Duration).map(Value::to_string),
        "size": size,
        "remixed_from_video_id": null,
        "error": job.failure.as_ref().filter(|_| job.state == JobState::Failed).map(|failure| json!({
            "code": failure.code.as_str(),
            "message": failure.message,
        })),
    })
}
