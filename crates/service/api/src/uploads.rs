//! `POST /uploads`: one part named `file`, hashed and stored while it streams in.

use atelier_app::{App, Caller, Error, uploads::Uploaded};
use atelier_domain::Scope;
use atelier_media::Received;
use axum::{
    extract::{
        Multipart, State,
        multipart::{Field, MultipartError, MultipartRejection},
    },
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    body::MAX_DRAINED,
    envelope::Data,
    error::ApiError,
    gate::{Authenticated, Rate},
};

/// A stored file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Upload {
    /// Permanent and public; the same bytes always get the same URL. If the account has private media: signed, and it
    /// expires.
    #[schema(example = "https://media.example.com/4abe….png")]
    url: String,
    /// Detected from the bytes.
    #[schema(example = "image/png")]
    mime_type: &'static str,
    /// In bytes.
    #[schema(example = 48_213)]
    size: u64,
}

impl From<Uploaded> for Upload {
    fn from(stored: Uploaded) -> Self {
        Self {
            url: stored.url,
            mime_type: stored.media_type.mime(),
            size: stored.size,
        }
    }
}

/// The multipart body.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the body, which is streamed")]
pub(crate) struct UploadRequest {
    /// At most 25 MiB: PNG, JPEG, WebP, GIF; MP4, MOV, WebM; MP3, WAV, FLAC, Ogg, M4A, AAC.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// Stores a file for use in generations.
#[utoipa::path(post, path = "/uploads", operation_id = "upload_file", tag = "Uploads",
    request_body(content = UploadRequest, description = "One file.", content_type = "multipart/form-data"),
    responses((status = 201, description = "The file is stored.", body = Data<Upload>)))]
pub(crate) async fn create(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    rate: Rate,
    multipart: Result<Multipart, MultipartRejection>,
) -> Result<Response, ApiError> {
    rate.set(app.take_generation_token(&caller, Scope::Upload).await?);
    let multipart = multipart.map_err(|_| {
        Error::invalid("the body must be `multipart/form-data` with a boundary and one part named `file`")
    })?;
    let received = receive(&app, &caller, multipart).await?;
    let data = Upload::from(app.finish_upload(&caller, &received).await?);
    Ok((StatusCode::CREATED, Data { data }).into_response())
}

/// Reads the body to its end. Unwanted parts are read too, up to a limit, so that the client sees the answer
/// instead of a broken connection.
async fn receive(app: &App, caller: &Caller, mut multipart: Multipart) -> Result<Received, ApiError> {
    let broken = |error: MultipartError| {
        ApiError::broken_body(&error, "the multipart body is malformed or incomplete")
    };
    let mut file: Option<Result<Received, Error>> = None;
    let mut drained = 0;
    while let Some(mut field) = multipart.next_field().await.map_err(broken)? {
        if field.name() != Some("file") {
            drain(&mut field, &mut drained).await?;
            continue;
        }
        if file.is_some() {
            drain(&mut field, &mut drained).await?;
            file = Some(Err(Error::invalid(
                "the body has more than one part named `file`: send one file per request",
            )));
            continue;
        }
        let mut intake = app.begin_upload(caller).await?;
        let mut failed = None;
        while let Some(chunk) = field.chunk().await.map_err(broken)? {
            if let Err(error) = intake.write(&chunk).await {
                failed = Some(Error::from(error));
                break;
            }
        }
        file = Some(match failed {
            None => intake.finish().await.map_err(Error::from),
            Some(error) => {
                drop(intake);
                drain(&mut field, &mut drained).await?;
                Err(error)
            }
        });
    }
    let missing = || Error::invalid("the body has no part named `file`");
    Ok(file.ok_or_else(missing)??)
}

async fn drain(field: &mut Field<'_>, drained: &mut usize) -> Result<(), ApiError> {
    while let Ok(Some(chunk)) = field.chunk().await {
        *drained += chunk.len();
        if *drained > MAX_DRAINED {
            return Err(Error::TooLarge("the body is far larger than the upload limit".to_owned()).into());
        }
    }
    Ok(())
}
