//! `/webhooks/deliveries`, `/webhooks/test`: list deliveries, send them again, and send a test.

use atelier_app::{
    App, Error,
    webhooks::deliveries::{DeliveryDetail, DeliveryView, ListDeliveries, filter},
};
use atelier_domain::Scope;
use axum::{
    extract::{Query, State, rejection::QueryRejection},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::{
    body::JsonObject,
    envelope::{Data, List, Meta},
    error::ApiError,
    gate::{Authenticated, Rate},
    models::bad_query,
    segment::Segment,
};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DeliveriesQuery {
    /// `pending`, `sending`, `delivered` or `failed`.
    state: Option<String>,
    /// `generation.completed`, `generation.failed` or `webhook.test`.
    event: Option<String>,
    /// A generation's id.
    generation: Option<String>,
    /// 1 to 100, 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// `next_cursor` of the previous page.
    cursor: Option<String>,
}

/// The address for a test event.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "describes the body, which is read as a JSON object")]
pub(crate) struct TestRequest {
    /// A public https URL.
    #[schema(example = "https://example.com/hooks")]
    url: String,
}

/// How many deliveries were sent again.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RedeliveredCount {
    /// The deliveries that are due again.
    #[schema(example = 3)]
    redelivered: u32,
}

/// Lists the account's webhook deliveries, newest first.
#[utoipa::path(get, path = "/webhooks/deliveries", operation_id = "list_deliveries", tag = "Webhooks",
    params(DeliveriesQuery), responses((status = 200, description = "A page of deliveries.",
    body = List<DeliveryView>)))]
pub(crate) async fn list(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    query: Result<Query<DeliveriesQuery>, QueryRejection>,
) -> Result<List<DeliveryView>, ApiError> {
    let Query(query) = query.map_err(bad_query)?;
    let filter = filter(
        query.state.as_deref(),
        query.event.as_deref(),
        query.generation.as_deref(),
    )?;
    let list = ListDeliveries {
        filter,
        limit: query.limit,
        cursor: query.cursor,
    };
    let listed = app.list_deliveries(&caller, list).await?;
    Ok(List {
        data: listed.items,
        meta: Meta {
            total: listed.total,
            limit: listed.limit,
            next_cursor: listed.next_cursor,
        },
    })
}

/// Returns one delivery with every attempt, the exact body and the headers that sign it.
#[utoipa::path(get, path = "/webhooks/deliveries/{id}", operation_id = "get_delivery", tag = "Webhooks",
    params(("id" = String, Path, description = "The delivery's id.")), responses((status = 200,
    description = "The delivery.", body = Data<DeliveryDetail>)))]
pub(crate) async fn get(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
) -> Result<Data<DeliveryDetail>, ApiError> {
    let data = app.delivery(&caller, &id).await?;
    Ok(Data { data })
}

/// Sends a finished delivery again: same id, same bytes, new attempts.
#[utoipa::path(post, path = "/webhooks/deliveries/{id}/redeliver", operation_id = "redeliver", tag = "Webhooks",
    params(("id" = String, Path, description = "The delivery's id.")), responses((status = 200,
    description = "The delivery, which is due now.", body = Data<DeliveryDetail>)))]
pub(crate) async fn redeliver(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
) -> Result<Data<DeliveryDetail>, ApiError> {
    let data = app.redeliver(&caller, &id).await?;
    Ok(Data { data })
}

/// Sends the account's failed deliveries again: the newest 1,000 of them.
#[utoipa::path(post, path = "/webhooks/deliveries/redeliver-failed", operation_id = "redeliver_failed",
    tag = "Webhooks", responses((status = 200, description = "How many are due now.",
    body = Data<RedeliveredCount>)))]
pub(crate) async fn redeliver_failed(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
) -> Result<Data<RedeliveredCount>, ApiError> {
    let redelivered = app.redeliver_failed(&caller).await?;
    Ok(Data {
        data: RedeliveredCount { redelivered },
    })
}

/// Sends a `webhook.test` event to a URL, signed like every other event. Its delivery shows the outcome.
/// Tests count against the rate limit on generations.
#[utoipa::path(post, path = "/webhooks/test", operation_id = "test_webhook", tag = "Webhooks",
    request_body(content = TestRequest, description = "Where to send it."), responses((status = 201,
    description = "The delivery of the test event.", body = Data<DeliveryDetail>)))]
pub(crate) async fn test(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    rate: Rate,
    body: JsonObject,
) -> Result<Response, ApiError> {
    let url = asked_url(body)?;
    rate.set(app.take_generation_token(&caller, Scope::Webhooks).await?);
    let data = app.test_webhook(&caller, &url).await?;
    Ok((StatusCode::CREATED, Data { data }).into_response())
}

fn asked_url(mut body: JsonObject) -> Result<String, Error> {
    let url = match body.fields.remove("url") {
        Some(Value::String(url)) => url,
        None | Some(Value::Null) => {
            return Err(Error::parameter(
                "url",
                "`url` is required: where to send the test event",
            ));
        }
        Some(_) => return Err(Error::parameter("url", "`url` must be a string")),
    };
    match body.fields.keys().next() {
        Some(other) => {
            let message = format!("unknown field `{other}`; the only field is `url`");
            Err(Error::parameter(other, message))
        }
        None => Ok(url),
    }
}
