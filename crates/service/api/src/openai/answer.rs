//! Stored files as answers: as they are, or as base64 inside of JSON. Neither is ever whole in memory.

use std::io;

use atelier_app::App;
use atelier_domain::FileName;
use atelier_media::Blob;
use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, header},
    response::Response,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures::{Stream, StreamExt as _, TryStreamExt as _, stream};

use crate::error::ApiError;

/// The file itself, with its type and length.
pub(super) async fn file(app: &App, name: &FileName) -> Result<Response, ApiError> {
    app.still_up(name).await?;
    let missing = || ApiError::not_found("the file is missing");
    let Blob { size, stream } = app.media(name, None).await?.ok_or_else(missing)?;
    let mut response = Response::new(Body::from_stream(stream));
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(name.media_type().mime()),
    );
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(size));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    Ok(response)
}

/// `head`, then one `{"b64_json": "…"}` per file, separated by commas, then `tail`.
pub(super) async fn pictures(
    app: &App,
    head: String,
    files: Vec<FileName>,
    tail: &'static str,
) -> Result<Response, ApiError> {
    let mut parts = Vec::new();
    for (index, name) in files.iter().enumerate() {
        app.still_up(name).await?;
        let missing = || ApiError::not_found("the file is missing");
        let Blob { stream, .. } = app.media(name, None).await?.ok_or_else(missing)?;
        let before = if index == 0 {
            r#"{"b64_json":""#
        } else {
            r#",{"b64_json":""#
        };
        parts.push(piece(before).chain(encoded(stream)).chain(piece("\"}")).boxed());
    }
    let body = piece(head)
        .chain(stream::iter(parts).flatten())
        .chain(piece(tail));
    let mut response = Response::new(Body::from_stream(body));
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

fn piece(text: impl Into<Bytes>) -> impl Stream<Item = io::Result<Bytes>> {
    let bytes: Bytes = text.into();
    stream::once(async move { Ok(bytes) })
}

/// Encodes whole groups of three bytes at a time, and what is left at the end.
fn encoded(
    bytes: impl Stream<Item = io::Result<Bytes>> + Send + 'static,
) -> impl Stream<Item = io::Result<Bytes>> {
    let chunks = bytes.map_ok(Some).chain(stream::once(async { Ok(None) }));
    let mut left = Vec::new();
    chunks.map_ok(move |chunk| {
        let whole = match chunk {
            Some(chunk) => {
                left.extend_from_slice(&chunk);
                left.len() - left.len() % 3
            }
            None => left.len(),
        };
        let text = STANDARD.encode(&left[..whole]);
        left.drain(..whole);
        Bytes::from(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn bytes_that_come_in_chunks_are_encoded_as_one() {
        let all: Vec<u8> = (0..=255).cycle().take(1_000).collect();
        for size in [1, 2, 3, 7, 64, 1_000] {
            let chunks: Vec<_> = all
                .chunks(size)
                .map(|chunk| Ok(Bytes::copy_from_slice(chunk)))
                .collect();
            let text: Vec<Bytes> = encoded(stream::iter(chunks)).try_collect().await.unwrap();
            assert_eq!(text.concat(), STANDARD.encode(&all).into_bytes(), "{size}");
        }
    }
}
