//! `/webhook-endpoints`: registered webhook endpoints; `/balance/alert`: when the balance counts as low.

use atelier_app::{
    App, Error,
    webhooks::{
        deliveries::DeliveryDetail,
        endpoints::{EndpointUpdate, EndpointView, LowBalanceView, MOST},
    },
};
use atelier_domain::Scope;
use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    body::JsonObject,
    envelope::{Data, List, Meta},
    error::ApiError,
    gate::{Authenticated, Rate},
    segment::Segment,
};

/// A webhook endpoint to register.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "describes the body, which is read as a JSON object")]
pub(crate) struct NewEndpoint {
    /// A public https URL.
    #[schema(example = "https://example.com/hooks")]
    url: String,
    /// `generation.completed`, `generation.failed`, `generation.cancelled`, `account.low_balance`; all by default.
    events: Option<Vec<String>>,
    /// True by default.
    enabled: Option<bool>,
}

/// The changes to a webhook endpoint. Missing fields stay as they are.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "describes the body, which is read as a JSON object")]
pub(crate) struct EndpointChanges {
    /// A public https URL.
    #[schema(example = "https://example.com/hooks")]
    url: Option<String>,
    /// At least one of `generation.completed`, `generation.failed`, `generation.cancelled`, `account.low_balance`.
    events: Option<Vec<String>>,
    /// A disabled one is told of nothing new.
    enabled: Option<bool>,
}

/// A deleted webhook endpoint.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DeletedEndpoint {
    /// The endpoint's id.
    #[schema(example = "0190c7e0-7a1f-7a11-8b3c-5a6b7c8d9e0f")]
    id: String,
    /// Always `webhook_endpoint`.
    #[schema(example = "webhook_endpoint")]
    object: &'static str,
    /// Always true.
    #[schema(example = true)]
    deleted: bool,
}

/// When the balance counts as low.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "describes the body, which is read as a JSON object")]
pub(crate) struct AlertRequest {
    /// The balance is low below so many available credits; null: it never is.
    #[schema(example = 500, minimum = 0)]
    threshold: Option<i64>,
}

/// Lists the account's webhook endpoints, oldest first.
#[utoipa::path(get, path = "/webhook-endpoints", operation_id = "list_webhook_endpoints", tag = "Webhooks",
    responses((status = 200, description = "All endpoints.", body = List<EndpointView>)))]
pub(crate) async fn list(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
) -> Result<List<EndpointView>, ApiError> {
    let data = app.endpoints(&caller).await?;
    Ok(List {
        meta: Meta {
            total: data.len() as u64,
            limit: MOST,
            next_cursor: None,
        },
        data,
    })
}

/// Registers a webhook endpoint. The answer has its signing secret, which is shown only once.
#[utoipa::path(post, path = "/webhook-endpoints", operation_id = "create_webhook_endpoint", tag = "Webhooks",
    request_body(content = NewEndpoint, description = "Where to send which events."), responses((status = 201,
    description = "The endpoint with its secret.", body = Data<EndpointView>)))]
pub(crate) async fn create(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    body: JsonObject,
) -> Result<Response, ApiError> {
    let data = app.create_endpoint(&caller, update(body)?).await?;
    Ok((StatusCode::CREATED, Data { data }).into_response())
}

/// Returns one webhook endpoint.
#[utoipa::path(get, path = "/webhook-endpoints/{id}", operation_id = "get_webhook_endpoint", tag = "Webhooks",
    params(("id" = String, Path, description = "The endpoint's id.")), responses((status = 200,
    description = "The endpoint.", body = Data<EndpointView>)))]
pub(crate) async fn get(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
) -> Result<Data<EndpointView>, ApiError> {
    let data = app.endpoint(&caller, &id).await?;
    Ok(Data { data })
}

/// Changes a webhook endpoint.
#[utoipa::path(patch, path = "/webhook-endpoints/{id}", operation_id = "update_webhook_endpoint", tag = "Webhooks",
    params(("id" = String, Path, description = "The endpoint's id.")),
    request_body(content = EndpointChanges, description = "What to change."), responses((status = 200,
    description = "The endpoint.", body = Data<EndpointView>)))]
pub(crate) async fn change(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
    body: JsonObject,
) -> Result<Data<EndpointView>, ApiError> {
    let data = app.update_endpoint(&caller, &id, update(body)?).await?;
    Ok(Data { data })
}

/// Deletes a webhook endpoint. Its undelivered events are dropped.
#[utoipa::path(delete, path = "/webhook-endpoints/{id}", operation_id = "delete_webhook_endpoint", tag = "Webhooks",
    params(("id" = String, Path, description = "The endpoint's id.")), responses((status = 200,
    description = "The endpoint is deleted.", body = Data<DeletedEndpoint>)))]
pub(crate) async fn delete(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
) -> Result<Data<DeletedEndpoint>, ApiError> {
    app.delete_endpoint(&caller, &id).await?;
    Ok(Data {
        data: DeletedEndpoint {
            id,
            object: "webhook_endpoint",
            deleted: true,
        },
    })
}

/// Gives a webhook endpoint another signing secret, which is shown only once. For 24 hours the one before signs beside
/// it in `webhook-signature`.
#[utoipa::path(post, path = "/webhook-endpoints/{id}/rotate-secret", operation_id = "rotate_webhook_endpoint_secret",
    tag = "Webhooks", params(("id" = String, Path, description = "The endpoint's id.")), responses((status = 200,
    description = "The endpoint with its secret.", body = Data<EndpointView>)))]
pub(crate) async fn rotate(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
) -> Result<Data<EndpointView>, ApiError> {
    let data = app.rotate_endpoint_secret(&caller, &id).await?;
    Ok(Data { data })
}

/// Sends a `webhook.test` event to a webhook endpoint, signed with its secret. Its delivery shows the outcome. Tests
/// count against the rate limit on generations.
#[utoipa::path(post, path = "/webhook-endpoints/{id}/test", operation_id = "test_webhook_endpoint", tag = "Webhooks",
    params(("id" = String, Path, description = "The endpoint's id.")), responses((status = 201,
    description = "The delivery of the test event.", body = Data<DeliveryDetail>)))]
pub(crate) async fn test(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
    rate: Rate,
) -> Result<Response, ApiError> {
    rate.set(app.take_generation_token(&caller, Scope::Webhooks).await?);
    let data = app.test_endpoint(&caller, &id).await?;
    Ok((StatusCode::CREATED, Data { data }).into_response())
}

/// Returns when the account's balance counts as low, and since when it is.
#[utoipa::path(get, path = "/balance/alert", operation_id = "get_balance_alert", tag = "Account",
    responses((status = 200, description = "The threshold.", body = Data<LowBalanceView>)))]
pub(crate) async fn alert(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
) -> Result<Data<LowBalanceView>, ApiError> {
    let data = app.low_balance(&caller)?;
    Ok(Data { data })
}

/// Sets the credits below which the balance is low. When it falls below them, endpoints registered for
/// `account.low_balance` are told once, and again only after it was above.
#[utoipa::path(put, path = "/balance/alert", operation_id = "set_balance_alert", tag = "Account",
    request_body(content = AlertRequest, description = "The threshold."), responses((status = 200,
    description = "The threshold.", body = Data<LowBalanceView>)))]
pub(crate) async fn set_alert(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    mut body: JsonObject,
) -> Result<Data<LowBalanceView>, ApiError> {
    let threshold = match body.fields.remove("threshold") {
        Some(Value::Null) => None,
        Some(value) if value.is_i64() => value.as_i64(),
        _ => {
            let message = "`threshold` is required: a whole number of credits, or null";
            return Err(Error::parameter("threshold", message).into());
        }
    };
    no_more(&body, "`threshold`")?;
    let data = app.set_low_balance(&caller, threshold).await?;
    Ok(Data { data })
}

fn update(mut body: JsonObject) -> Result<EndpointUpdate, Error> {
    let mut take = |name: &str| body.fields.remove(name).filter(|value| !value.is_null());
    let update = EndpointUpdate {
        url: match take("url") {
            None => None,
            Some(Value::String(url)) => Some(url),
            Some(_) => return Err(Error::parameter("url", "`url` must be a string")),
        },
        events: take("events")
            .map(serde_json::from_value)
            .transpose()
            .map_err(|_| Error::parameter("events", "`events` must be a list of names of events"))?,
        enabled: match take("enabled") {
            None => None,
            Some(Value::Bool(enabled)) => Some(enabled),
            Some(_) => return Err(Error::parameter("enabled", "`enabled` must be true or false")),
        },
    };
    no_more(&body, "`url`, `events` and `enabled`")?;
    Ok(update)
}

fn no_more(body: &JsonObject, known: &str) -> Result<(), Error> {
    match body.fields.keys().next() {
        None => Ok(()),
        Some(other) => {
            let message = format!("unknown field `{other}`; the fields are {known}");
            Err(Error::parameter(other, message))
        }
    }
}
