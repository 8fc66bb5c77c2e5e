//! `GET /models` and `GET /models/{slug}`.

use atelier_app::{
    App,
    models::{ListModels, Listed},
};
use axum::extract::{State, rejection::QueryRejection};
use axum::{
    Json,
    extract::Query,
    response::{IntoResponse as _, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use crate::{
    envelope::{Data, List, Meta},
    error::ApiError,
    gate::Authenticated,
    segment::Segment,
};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ModelsQuery {
    /// `image`, `video`, `audio` or `tool`.
    #[serde(rename = "type")]
    model_type: Option<String>,
    /// Create, Edit, Music or Text-to-speech.
    category: Option<String>,
    /// Words to find in the slug, name, category or description.
    q: Option<String>,
    /// 1 to 200, 200 by default.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// `next_cursor` of the previous page.
    cursor: Option<String>,
}

/// A summary of a model.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModelSummary {
    /// The name that requests use.
    #[schema(example = "image-gen-4")]
    pub slug: String,
    /// The name that people read.
    #[schema(example = "Image Gen 4")]
    pub name: String,
    /// `image`, `video`, `audio` or `tool`.
    #[serde(rename = "type")]
    pub model_type: &'static str,
    /// Create, Edit, Music or Text-to-speech.
    #[schema(example = "Create")]
    pub category: String,
    /// The purpose of the model, in a sentence or two.
    pub description: String,
    /// The price of a job, as a sentence. `pricing` of `GET /models/{slug}` has the rule.
    #[schema(example = "4 credits per image, times 2 for 2K and 4 for 4K")]
    pub price: String,
    /// Whether a result would be a draft: made by an embedded engine, without a trained model.
    pub draft: bool,
    /// The weights on the server that make the results: `name`, `title`, `license` and `license_url`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub weights: Option<Value>,
    /// The weights that the operator could pull to make them: `name`, `title`, `license`, `bytes` and `command`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Object>, required = false)]
    pub available_weights: Vec<Value>,
}

/// A model with its complete schema: the summary, the origin of the model, and `capabilities`, `parameters`, `rules`,
/// `pricing`, `limits` and `json_schema`.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModelDescription {
    /// The name that requests use.
    slug: String,
    /// The name that people read.
    name: String,
    /// `image`, `video`, `audio` or `tool`.
    #[serde(rename = "type")]
    model_type: String,
    /// Create, Edit, Music or Text-to-speech.
    category: String,
    /// The purpose of the model, in a sentence or two.
    description: String,
    /// The price of a job, as a sentence.
    price: String,
    /// The engine that would run the job now, as in the `served_by` of generations.
    served_by: String,
    /// Whether the result would be a draft: made by an embedded engine, without a trained model.
    draft: bool,
    /// The weights on the server that make the results: `name`, `title`, `license` and `license_url`. Absent for drafts
    /// and for engines that do not say.
    #[schema(value_type = Option<Object>)]
    weights: Option<Value>,
    /// The weights that the operator could pull to make them: `name`, `title`, `license`, `bytes` and `command`.
    #[schema(value_type = Option<Vec<Object>>)]
    available_weights: Option<Vec<Value>>,
    /// The maker of the model.
    vendor: Option<String>,
    /// `open-weights` or `hosted-api`.
    hosting: Option<String>,
    /// The license of the weights: `id` (an SPDX expression, if known), `name`, `commercial` (`yes`, `no`,
    /// `conditions` or `unknown`) and `note`.
    #[schema(value_type = Option<Object>)]
    license: Option<Value>,
    /// The model's names elsewhere: lists of names by place, such as `huggingface` or `diffusers`.
    #[schema(value_type = Option<Object>)]
    upstream: Option<Value>,
    /// `tasks` lists what the model does, in one vocabulary for all models.
    #[schema(value_type = Object)]
    capabilities: Value,
    /// In the documented order.
    #[schema(value_type = Vec<Object>)]
    parameters: Vec<Value>,
    /// The rules between parameters, as sentences.
    rules: Vec<String>,
    /// The price: `unit`, `credits` per unit, and factors.
    #[schema(value_type = Object)]
    pricing: Value,
    /// `max_processing_seconds`: the longest time from acceptance to the end.
    #[schema(value_type = Object)]
    limits: Value,
    /// JSON Schema 2020-12 of the accepted `params`.
    #[schema(value_type = Object)]
    json_schema: Value,
}

/// Lists every model and tool that is served now.
#[utoipa::path(get, path = "/models", operation_id = "list_models", tag = "Catalog", params(ModelsQuery),
    responses((status = 200, description = "A page of models.", body = List<ModelSummary>)))]
pub(crate) async fn list(
    State(app): State<App>,
    _: Authenticated,
    query: Result<Query<ModelsQuery>, QueryRejection>,
) -> Result<List<ModelSummary>, ApiError> {
    let Query(query) = query.map_err(bad_query)?;
    let listed = app.list_models(&ListModels {
        model_type: query.model_type,
        category: query.category,
        q: query.q,
        limit: query.limit,
        cursor: query.cursor,
    })?;
    let data = listed
        .models
        .into_iter()
        .map(
            |Listed {
                 summary,
                 price,
                 trained,
             }| ModelSummary {
                price: price.to_owned(),
                slug: summary.slug.to_owned(),
                name: summary.name.to_owned(),
                model_type: summary.model_type.as_str(),
                category: summary.category.to_owned(),
                description: summary.description.into_owned(),
                draft: trained.draft,
                weights: trained.weights.map(|weights| json!(weights)),
                available_weights: trained
                    .available_weights
                    .iter()
                    .map(|weights| json!(weights))
                    .collect(),
            },
        )
        .collect();
    let meta = Meta {
        total: listed.total as u64,
        limit: listed.limit,
        next_cursor: listed.next_cursor,
    };
    Ok(List { data, meta })
}

/// Returns one model or tool with its fields, rules, price and JSON Schema.
#[utoipa::path(get, path = "/models/{slug}", operation_id = "get_model", tag = "Catalog", params(("slug" = String,
    Path, description = "From `GET /models`.")), responses((status = 200, description = "The model.",
    body = Data<ModelDescription>)))]
pub(crate) async fn get(
    State(app): State<App>,
    _: Authenticated,
    Segment(slug): Segment,
) -> Result<Response, ApiError> {
    let data = app.described_model(&slug)?;
    Ok(Json(Data { data }).into_response())
}

/// The answer to an invalid query string.
#[expect(clippy::needless_pass_by_value, reason = "`map_err` passes it by value")]
pub(crate) fn bad_query(rejection: QueryRejection) -> ApiError {
    let cause = rejection.body_text();
    let cause = cause
        .strip_prefix("Failed to deserialize query string: ")
        .unwrap_or(&cause);
    atelier_app::Error::invalid(format!("the query string is invalid: {cause}")).into()
}
