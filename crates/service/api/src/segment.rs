//! The part of a path that names a resource, whatever bytes a client puts there.

use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};

use crate::error::ApiError;

/// A route's only parameter. If it is not text, the answer is "not found".
#[derive(Debug)]
pub(crate) struct Segment(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Segment {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(text)) => Ok(Self(text)),
            Err(_) => Err(ApiError::not_found("the path is not valid UTF-8")),
        }
    }
}
