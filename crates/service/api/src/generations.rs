//! `POST /generations`, `GET /generations`, `GET /generations/{id}`, `POST /generations/{id}/cancel`.

use std::time::Duration;

use atelier_app::{
    App, Error,
    generations::{
        create::CreateGeneration,
        list::{GenerationFilter, ListGenerations},
        view::{GenerationView, RequestView},
    },
};
use atelier_domain::{MediaKind, Status};
use axum::{
    extract::{Query, State, rejection::QueryRejection},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::{
    base_path::BASE_PATH,
    body::JsonObject,
    envelope::{Data, List, Meta},
    error::ApiError,
    gate::{Authenticated, Rate},
    models::bad_query,
    segment::Segment,
};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
/// The longest `wait` that a client may ask for.
const MAX_WAIT_SECONDS: u64 = 60;

/// A request for any model. Put any field of the model's schema beside these or in `params`.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(
    dead_code,
    reason = "describes the body, which is read as a JSON object and checked by the catalog"
)]
pub(crate) struct GenerationRequest {
    /// The slug of a model or tool, from `GET /models`.
    #[schema(example = "image-gen-4")]
    model: String,
    /// Guiding text. Optional for tools.
    #[schema(example = "a lighthouse on a cliff at dusk, watercolor")]
    prompt: Option<String>,
    /// References, edit source or tool input.
    image_urls: Option<Vec<String>>,
    /// First frame for image-to-video.
    start_frame_url: Option<String>,
    /// Last frame for image-to-video.
    end_frame_url: Option<String>,
    /// Conditioning audio.
    audio_url: Option<String>,
    /// The shape of the picture or video: one of those that the model lists.
    aspect_ratio: Option<String>,
    /// The length of the result, for models with a duration.
    duration_seconds: Option<f64>,
    /// One of the qualities that the model lists.
    quality: Option<String>,
    /// One of the resolutions that the model lists.
    resolution: Option<String>,
    /// The number of results.
    n: Option<i64>,
    /// Any field of the model, by its own name.
    #[schema(value_type = Option<Object>)]
    params: Option<Map<String, Value>>,
    /// A public https URL that receives a signed POST on completion.
    webhook_url: Option<String>,
}

/// The answer to an accepted request.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AcceptedGeneration {
    /// The job's id, for `GET /generations/{id}`.
    #[schema(example = "0190c7e0-5b2e-7cc1-9c0a-7f1d2e3a4b5c")]
    id: String,
    /// Always `generation`.
    #[schema(example = "generation")]
    object: &'static str,
    /// Always `processing`.
    #[schema(example = "processing")]
    status: &'static str,
    /// The slug that the request named.
    #[schema(example = "image-gen-4")]
    model: String,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// `processing`, `completed` or `failed`.
    status: Option<String>,
    /// A model's slug.
    model: Option<String>,
    /// `image`, `video` or `audio`.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// The id of a collection. What is in a collection has completed.
    collection: Option<String>,
    /// 1 to 100, 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// `next_cursor` of the previous page.
    cursor: Option<String>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct WaitQuery {
    /// Wait up to this many seconds for the job to end: 0 to 60.
    #[param(minimum = 0, maximum = 60)]
    wait: Option<u64>,
}

/// Creates a job. It runs in the background: poll it, or set a `webhook_url`.
#[utoipa::path(post, path = "/generations", operation_id = "create_generation", tag = "Generations",
    request_body(content = GenerationRequest, description = "The model and its fields."),
    params(("Idempotency-Key" = Option<String>, Header,
    description = "1 to 255 visible ASCII characters. If you repeat a request with the same key and the same \
    body within 24 hours, you get the first job and are charged nothing more.")),
    responses((status = 201, description = "The job is accepted.", body = Data<AcceptedGeneration>,
    headers(("Location" = String, description = "The path of the job.")))))]
pub(crate) async fn create(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    rate: Rate,
    headers: HeaderMap,
    body: JsonObject,
) -> Result<Response, ApiError> {
    let key = idempotency_key(&headers)?;
    let request = CreateGeneration::new(body.fields, &body.bytes, key);
    let created = app.create_generation(&caller, request).await?;
    rate.set(created.rate);
    let id = created.generation.id.to_string();
    let location = HeaderValue::from_str(&format!("{BASE_PATH}/generations/{id}")).expect("a path of ASCII");
    let accepted = AcceptedGeneration {
        id,
        object: "generation",
        status: "processing",
        model: created.generation.model,
    };
    let mut response = (StatusCode::CREATED, Data { data: accepted }).into_response();
    response.headers_mut().insert(header::LOCATION, location);
    if created.replayed {
        response
            .headers_mut()
            .insert(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

/// Returns one job.
#[utoipa::path(get, path = "/generations/{id}", operation_id = "get_generation", tag = "Generations",
    params(("id" = String, Path, description = "The job's id."), WaitQuery), responses((status = 200,
    description = "The job as it is now.", body = Data<GenerationView>)))]
pub(crate) async fn get(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
    query: Result<Query<WaitQuery>, QueryRejection>,
) -> Result<Data<GenerationView>, ApiError> {
    let Query(WaitQuery { wait }) = query.map_err(bad_query)?;
    let generation = match wait {
        None | Some(0) => app.generation(&caller, &id).await?,
        Some(seconds) if seconds <= MAX_WAIT_SECONDS => {
            app.wait_for_generation(&caller, &id, Duration::from_secs(seconds))
                .await?
        }
        Some(seconds) => {
            return Err(Error::invalid(format!(
                "`wait` must be between 0 and {MAX_WAIT_SECONDS} seconds (got {seconds})"
            ))
            .into());
        }
    };
    let links = app.links(&caller).await?;
    Ok(Data {
        data: app.view_with_place(&generation, &links).await?,
    })
}

/// Returns what a job was asked for: the fields as they were accepted, and what was held for it.
#[utoipa::path(get, path = "/generations/{id}/request", operation_id = "get_generation_request",
    tag = "Generations", params(("id" = String, Path, description = "The job's id.")), responses((status = 200,
    description = "What was asked.", body = Data<RequestView>)))]
pub(crate) async fn request(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
) -> Result<Data<RequestView>, ApiError> {
    let generation = app.generation(&caller, &id).await?;
    let links = app.links(&caller).await?;
    Ok(Data {
        data: app.view_request(&generation, &links),
    })
}

/// Lists the account's jobs, newest first.
#[utoipa::path(get, path = "/generations", operation_id = "list_generations", tag = "Generations",
    params(ListQuery), responses((status = 200, description = "A page of jobs.", body = List<GenerationView>)))]
pub(crate) async fn list(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<List<GenerationView>, ApiError> {
    let Query(query) = query.map_err(bad_query)?;
    let collection = match &query.collection {
        Some(id) => Some(app.collection_id(&caller, id).await?),
        None => None,
    };
    let filter = GenerationFilter {
        status: query
            .status
            .map(|text| text.parse::<Status>())
            .transpose()
            .map_err(Error::invalid)?,
        model: query.model,
        kind: query
            .kind
            .map(|text| text.parse::<MediaKind>())
            .transpose()
            .map_err(Error::invalid)?,
        favourite: false,
        collection,
        oldest_first: false,
    };
    let list = ListGenerations {
        filter,
        limit: query.limit,
        cursor: query.cursor,
    };
    let listed = app.list_generations(&caller, list).await?;
    let links = app.links(&caller).await?;
    let data = listed
        .items
        .iter()
        .map(|generation| app.view(generation, &links))
        .collect();
    let meta = Meta {
        total: listed.total,
        limit: listed.limit,
        next_cursor: listed.next_cursor,
    };
    Ok(List { data, meta })
}

/// Cancels an unfinished job: it ends as `failed` and its held credits are released.
#[utoipa::path(post, path = "/generations/{id}/cancel", operation_id = "cancel_generation", tag = "Generations",
    params(("id" = String, Path, description = "The job's id.")), responses((status = 200,
    description = "The cancelled job.", body = Data<GenerationView>)))]
pub(crate) async fn cancel(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
) -> Result<Data<GenerationView>, ApiError> {
    let generation = app.cancel_generation(&caller, &id).await?;
    let links = app.links(&caller).await?;
    Ok(Data {
        data: app.view(&generation, &links),
    })
}

/// The key of a request that may be repeated.
pub(crate) fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() {
        return Err(Error::invalid("`Idempotency-Key` must be sent only once").into());
    }
    // The use case refuses everything but visible ASCII, which covers values that are not UTF-8.
    Ok(Some(String::from_utf8_lossy(value.as_bytes()).into_owned()))
}
