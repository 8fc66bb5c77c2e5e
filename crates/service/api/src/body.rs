//! Reads a body of limited size and with the right content type as a JSON object.

use atelier_app::Error;
use atelier_catalog::parse_body;
use axum::{
    body::{Body, Bytes},
    extract::{FromRequest, Request},
    http::{HeaderMap, header},
};
use bytes::BytesMut;
use futures::StreamExt as _;
use serde_json::{Map, Value};

use crate::error::ApiError;

const MAX_BYTES: usize = 1 << 20;
/// A body that is too large is still read up to this limit, so that the client sees the answer instead of a broken
/// connection.
pub(crate) const MAX_DRAINED: usize = 64 << 20;

/// A JSON object and the bytes it was read from.
#[derive(Debug)]
pub(crate) struct JsonObject {
    pub(crate) fields: Map<String, Value>,
    pub(crate) bytes: Bytes,
}

impl<S: Sync> FromRequest<S> for JsonObject {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, Self::Rejection> {
        let is_json = is_json(request.headers());
        let bytes = read(request.into_body()).await?;
        if !is_json {
            return Err(
                Error::invalid("the body must be JSON, sent with `Content-Type: application/json`").into(),
            );
        }
        let fields = parse_body(&bytes).map_err(Error::invalid)?;
        Ok(Self { fields, bytes })
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(Ok(content_type)) = headers.get(header::CONTENT_TYPE).map(|value| value.to_str()) else {
        return false;
    };
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

async fn read(body: Body) -> Result<Bytes, ApiError> {
    let mut stream = body.into_data_stream();
    let mut bytes = BytesMut::new();
    let mut seen = 0;
    while let Some(chunk) = stream.next().await {
        let chunk =
            chunk.map_err(|error| ApiError::broken_body(&error, "the body ended before it was complete"))?;
        seen += chunk.len();
        if seen <= MAX_BYTES {
            bytes.extend_from_slice(&chunk);
        } else if seen > MAX_DRAINED {
            break;
        }
    }
    if seen > MAX_BYTES {
        return Err(Error::TooLarge(format!("the body is larger than {MAX_BYTES} bytes (1 MiB)")).into());
    }
    Ok(bytes.freeze())
}
