//! The shapes of every successful answer: `{data}`, and `{data, meta}` for lists.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

/// One resource.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Data<T> {
    /// The resource.
    pub data: T,
}

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct List<T> {
    /// The items of this page.
    pub data: Vec<T>,
    /// The position of this page in the list.
    pub meta: Meta,
}

/// The position of a page in its list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Meta {
    /// How many items there are on all pages.
    pub total: u64,
    /// The largest number of items on this page.
    pub limit: u32,
    /// The `cursor` of the next page; null on the last page.
    pub next_cursor: Option<String>,
}

impl<T: Serialize> IntoResponse for Data<T> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

impl<T: Serialize> IntoResponse for List<T> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}
