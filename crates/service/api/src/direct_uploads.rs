//! `POST /uploads/direct`: uploads that go to the bucket of the service without passing it.

use std::collections::BTreeMap;

use atelier_app::{
    App, Error,
    uploads::direct::{Announced, DirectUpload},
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
    envelope::Data,
    error::ApiError,
    gate::{Authenticated, Rate},
    segment::Segment,
    uploads::Upload,
};

/// The file that will be sent to the bucket.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "describes the body, which is read as a JSON object")]
pub(crate) struct DirectUploadRequest {
    /// One of image/png, image/jpeg, image/webp, image/gif; video/mp4, video/quicktime, video/webm; audio/mpeg,
    /// audio/wav, audio/flac, audio/ogg, audio/mp4, audio/aac.
    #[schema(
        example = "video/mp4",
        pattern = "^(image/(png|jpeg|webp|gif)|video/(mp4|quicktime|webm)|audio/(mpeg|wav|flac|ogg|mp4|aac))$"
    )]
    content_type: String,
    /// The exact size in bytes. At most 25 MiB.
    #[schema(example = 18_874_368, minimum = 1)]
    size: u64,
    /// The SHA-256 of the file in hexadecimal digits. If it is given, a file with another one is refused.
    #[schema(
        example = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
        pattern = "^[0-9a-fA-F]{64}$"
    )]
    sha256: Option<String>,
}

/// A signed form for one file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SignedUpload {
    /// Completes the upload: `POST /uploads/direct/{id}/complete`.
    #[schema(example = "AZrLxE0a…")]
    upload_id: String,
    /// The address of the bucket. Send the form here, without an API key.
    #[schema(example = "https://bucket.s3.eu-central-1.amazonaws.com")]
    url: String,
    /// The fields of the `multipart/form-data` body, as they are. The part `file` follows them.
    #[schema(example = json!({
        "key": "media/incoming/019a8b3c5d6e-5a6b7c8d9e0f5a6b7c8d9e0f5a6b7c8d",
        "Content-Type": "video/mp4",
        "policy": "eyJleHBpcmF0aW9uIjoi…",
        "x-amz-signature": "8afdbf40…"
    }))]
    fields: BTreeMap<String, String>,
    /// The bucket refuses the form from then on.
    #[schema(example = "2026-01-31T12:15:00.000Z")]
    expires_at: String,
    /// The upload cannot be completed from then on, and its file is removed.
    #[schema(example = "2026-01-31T13:00:00.000Z")]
    complete_before: String,
}

/// Begins an upload that goes straight to the service's bucket. Send the file with the returned form within 15 minutes,
/// then complete the upload. A service without such a bucket answers 400: use `POST /uploads`.
#[utoipa::path(post, path = "/uploads/direct", operation_id = "begin_direct_upload", tag = "Uploads",
    request_body(content = DirectUploadRequest, description = "The file to send."), responses((status = 201,
    description = "The form for the file.", body = Data<SignedUpload>)))]
pub(crate) async fn begin(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    rate: Rate,
    body: JsonObject,
) -> Result<Response, ApiError> {
    rate.set(app.take_generation_token(&caller, Scope::Upload).await?);
    let DirectUpload {
        id,
        url,
        fields,
        expires_at,
        complete_before,
    } = app.begin_direct_upload(&caller, &announced(body)?).await?;
    let data = SignedUpload {
        upload_id: id,
        url,
        fields,
        expires_at: expires_at.to_string(),
        complete_before: complete_before.to_string(),
    };
    Ok((StatusCode::CREATED, Data { data }).into_response())
}

/// Checks a file that was sent to the bucket, and stores it for use in generations. The checks and the answer are those
/// of `POST /uploads`. If you complete an upload again, you get the same answer. Before the file has arrived, the
/// answer is 409.
#[utoipa::path(post, path = "/uploads/direct/{id}/complete", operation_id = "complete_direct_upload",
    tag = "Uploads", params(("id" = String, Path, description = "The `upload_id` of the upload.")),
    responses((status = 201, description = "The file is stored.", body = Data<Upload>)))]
pub(crate) async fn complete(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
) -> Result<Response, ApiError> {
    let data = Upload::from(app.complete_direct_upload(&caller, &id).await?);
    Ok((StatusCode::CREATED, Data { data }).into_response())
}

fn announced(mut body: JsonObject) -> Result<Announced, Error> {
    let fields = &mut body.fields;
    let Some(Value::String(content_type)) = fields.remove("content_type") else {
        let message = "`content_type` is required: a media type, such as `image/png`";
        return Err(Error::parameter("content_type", message));
    };
    let Some(size) = fields.remove("size").as_ref().and_then(Value::as_u64) else {
        let message = "`size` is required: a whole number of bytes";
        return Err(Error::parameter("size", message));
    };
    let sha256 = match fields.remove("sha256") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text),
        Some(_) => {
            let message = "`sha256` must be a string of 64 hexadecimal digits";
            return Err(Error::parameter("sha256", message));
        }
    };
    if let Some(field) = fields.keys().next() {
        let message = format!("unknown field `{field}`; known fields: `content_type`, `size`, `sha256`");
        return Err(Error::parameter(field, message));
    }
    Ok(Announced {
        content_type,
        size,
        sha256,
    })
}
