//! `GET /requests`: what the account asked for lately.

use atelier_app::{
    App,
    requests::{ListRequests, RequestEntry, filter},
};
use axum::extract::{Query, State, rejection::QueryRejection};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    envelope::{List, Meta},
    error::ApiError,
    gate::Authenticated,
    models::bad_query,
};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RequestsQuery {
    /// `2xx`, `3xx`, `4xx` or `5xx`.
    status: Option<String>,
    /// A key's id.
    key: Option<String>,
    /// The first moment: a time in UTC such as `2026-11-23T14:00:00Z`, or a day.
    from: Option<String>,
    /// The end, not included: a time in UTC, or a day.
    until: Option<String>,
    /// 1 to 100, 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// `next_cursor` of the previous page.
    cursor: Option<String>,
}

/// Lists the account's API requests of the last days, newest first. Equal reads by one key that succeeded within the
/// same minute are one entry with a count. Entries appear about a second after the answer.
#[utoipa::path(get, path = "/requests", operation_id = "list_requests", tag = "Account",
    params(RequestsQuery), responses((status = 200, description = "A page of requests.",
    body = List<RequestEntry>)))]
pub(crate) async fn list(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    query: Result<Query<RequestsQuery>, QueryRejection>,
) -> Result<List<RequestEntry>, ApiError> {
    let Query(query) = query.map_err(bad_query)?;
    let filter = filter(
        query.status.as_deref(),
        query.key.as_deref(),
        query.from.as_deref(),
        query.until.as_deref(),
    )?;
    let list = ListRequests {
        filter,
        limit: query.limit,
        cursor: query.cursor,
    };
    let listed = app.list_requests(&caller, list).await?;
    Ok(List {
        data: listed.items,
        meta: Meta {
            total: listed.total,
            limit: listed.limit,
            next_cursor: listed.next_cursor,
        },
    })
}
