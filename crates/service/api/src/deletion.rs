//! `DELETE /generations/{id}` and `DELETE /uploads/{name}`.

use atelier_app::App;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{envelope::Data, error::ApiError, gate::Authenticated, segment::Segment};

/// A deleted job.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DeletedGeneration {
    /// The job's id. `GET /generations/{id}` answers 410 from now on.
    #[schema(example = "0190c7e0-5b2e-7cc1-9c0a-7f1d2e3a4b5c")]
    id: String,
    /// Always `generation`.
    #[schema(example = "generation")]
    object: &'static str,
    /// Always true.
    #[schema(example = true)]
    deleted: bool,
    /// When the job was deleted first.
    #[schema(example = "2026-01-31T12:00:00.000Z")]
    deleted_at: String,
}

/// A deleted upload.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DeletedUpload {
    /// The URL that the upload had.
    #[schema(example = "https://media.example.com/4abe….png")]
    url: String,
    /// Always true: the upload no longer belongs to the account.
    #[schema(example = true)]
    deleted: bool,
    /// Whether the file is gone and its URL answers 410. False while a job or another account uses the same file.
    #[schema(example = true)]
    file_gone: bool,
}

/// Deletes a job that has ended, with its files and webhook deliveries. Its ledger entries stay. If you delete it
/// again, you get the same answer.
#[utoipa::path(delete, path = "/generations/{id}", operation_id = "delete_generation", tag = "Generations",
    params(("id" = String, Path, description = "The job's id.")), responses((status = 200,
    description = "The job is deleted.", body = Data<DeletedGeneration>)))]
pub(crate) async fn generation(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
) -> Result<Data<DeletedGeneration>, ApiError> {
    let deleted = app.delete_generation(&caller, &id).await?;
    Ok(Data {
        data: DeletedGeneration {
            id: deleted.id.to_string(),
            object: "generation",
            deleted: true,
            deleted_at: deleted.deleted_at.to_string(),
        },
    })
}

/// Deletes an upload. Its file goes as soon as no job and no other account uses the same file.
#[utoipa::path(delete, path = "/uploads/{name}", operation_id = "delete_upload", tag = "Uploads",
    params(("name" = String, Path, description = "The last part of the upload's URL.")), responses((status = 200,
    description = "The upload is deleted.", body = Data<DeletedUpload>)))]
pub(crate) async fn upload(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(name): Segment,
) -> Result<Data<DeletedUpload>, ApiError> {
    let deleted = app.delete_upload(&caller, &name).await?;
    Ok(Data {
        data: DeletedUpload {
            url: deleted.url,
            deleted: true,
            file_gone: deleted.is_gone,
        },
    })
}
