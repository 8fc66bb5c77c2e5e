//! `/collections`: named collections of results.

use atelier_app::{
    App, Error,
    collections::{CollectionView, MOST},
};
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
    gate::Authenticated,
    segment::Segment,
};

/// The name of a collection.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "describes the body, which is read as a JSON object")]
pub(crate) struct CollectionName {
    /// 1 to 100 characters. Each collection of an account has a different name.
    #[schema(example = "Boats", min_length = 1, max_length = 100)]
    name: String,
}

/// The generations to add or to remove.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "describes the body, which is read as a JSON object")]
pub(crate) struct CollectedGenerations {
    /// The ids of 1 to 100 generations.
    #[schema(example = json!(["0190c7e0-5b2e-7cc1-9c0a-7f1d2e3a4b5c"]), min_items = 1, max_items = 100)]
    generations: Vec<String>,
}

/// A deleted collection.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DeletedCollection {
    /// The collection's id.
    #[schema(example = "0190c7e0-7a1f-7a11-8b3c-5a6b7c8d9e0f")]
    id: String,
    /// Always `collection`.
    #[schema(example = "collection")]
    object: &'static str,
    /// Always true.
    #[schema(example = true)]
    deleted: bool,
}

/// Lists the account's collections, by name. `GET /generations?collection=ID` lists what one contains.
#[utoipa::path(get, path = "/collections", operation_id = "list_collections", tag = "Collections",
    responses((status = 200, description = "All collections.", body = List<CollectionView>)))]
pub(crate) async fn list(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
) -> Result<List<CollectionView>, ApiError> {
    let data = app.collections(&caller).await?;
    Ok(List {
        meta: Meta {
            total: data.len() as u64,
            limit: MOST,
            next_cursor: None,
        },
        data,
    })
}

/// Creates an empty collection. An account has at most 200.
#[utoipa::path(post, path = "/collections", operation_id = "create_collection", tag = "Collections",
    request_body(content = CollectionName, description = "The name."), responses((status = 201,
    description = "The collection.", body = Data<CollectionView>)))]
pub(crate) async fn create(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    body: JsonObject,
) -> Result<Response, ApiError> {
    let data = app.create_collection(&caller, &name(body)?).await?;
    Ok((StatusCode::CREATED, Data { data }).into_response())
}

/// Returns one collection.
#[utoipa::path(get, path = "/collections/{id}", operation_id = "get_collection", tag = "Collections",
    params(("id" = String, Path, description = "The collection's id.")), responses((status = 200,
    description = "The collection.", body = Data<CollectionView>)))]
pub(crate) async fn get(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
) -> Result<Data<CollectionView>, ApiError> {
    let data = app.collection(&caller, &id).await?;
    Ok(Data { data })
}

/// Gives a collection another name.
#[utoipa::path(patch, path = "/collections/{id}", operation_id = "rename_collection", tag = "Collections",
    params(("id" = String, Path, description = "The collection's id.")),
    request_body(content = CollectionName, description = "The new name."), responses((status = 200,
    description = "The collection.", body = Data<CollectionView>)))]
pub(crate) async fn rename(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
    body: JsonObject,
) -> Result<Data<CollectionView>, ApiError> {
    let data = app.rename_collection(&caller, &id, &name(body)?).await?;
    Ok(Data { data })
}

/// Deletes a collection. Its generations stay.
#[utoipa::path(delete, path = "/collections/{id}", operation_id = "delete_collection", tag = "Collections",
    params(("id" = String, Path, description = "The collection's id.")), responses((status = 200,
    description = "The collection is deleted.", body = Data<DeletedCollection>)))]
pub(crate) async fn delete(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
) -> Result<Data<DeletedCollection>, ApiError> {
    app.delete_collection(&caller, &id).await?;
    Ok(Data {
        data: DeletedCollection {
            id,
            object: "collection",
            deleted: true,
        },
    })
}

/// Adds completed generations to a collection: all of them or, if one is unknown, none. Generations that are already in
/// it stay. A collection contains at most 10,000.
#[utoipa::path(post, path = "/collections/{id}/add", operation_id = "add_to_collection", tag = "Collections",
    params(("id" = String, Path, description = "The collection's id.")),
    request_body(content = CollectedGenerations, description = "The generations to add."), responses((status = 200,
    description = "The collection.", body = Data<CollectionView>)))]
pub(crate) async fn add(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
    body: JsonObject,
) -> Result<Data<CollectionView>, ApiError> {
    let data = app.collect(&caller, &id, &generations(body)?).await?;
    Ok(Data { data })
}

/// Removes generations from a collection. They stay in the account. Generations that are not in the collection are
/// skipped.
#[utoipa::path(post, path = "/collections/{id}/remove", operation_id = "remove_from_collection", tag = "Collections",
    params(("id" = String, Path, description = "The collection's id.")),
    request_body(content = CollectedGenerations, description = "The generations to remove."), responses((status = 200,
    description = "The collection.", body = Data<CollectionView>)))]
pub(crate) async fn remove(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
    body: JsonObject,
) -> Result<Data<CollectionView>, ApiError> {
    let data = app.uncollect(&caller, &id, &generations(body)?).await?;
    Ok(Data { data })
}

fn name(mut body: JsonObject) -> Result<String, Error> {
    let Some(Value::String(name)) = body.fields.remove("name") else {
        return Err(Error::parameter("name", "`name` is required: a string"));
    };
    no_more(&body, "name")?;
    Ok(name)
}

fn generations(mut body: JsonObject) -> Result<Vec<String>, Error> {
    let given = body.fields.remove("generations").unwrap_or_default();
    let ids = serde_json::from_value(given).map_err(|_| {
        let message = "`generations` is required: a list of the ids of generations";
        Error::parameter("generations", message)
    })?;
    no_more(&body, "generations")?;
    Ok(ids)
}

/// Refuses unknown fields.
fn no_more(body: &JsonObject, known: &str) -> Result<(), Error> {
    match body.fields.keys().next() {
        None => Ok(()),
        Some(field) => {
            let message = format!("unknown field `{field}`; the only field is `{known}`");
            Err(Error::parameter(field, message))
        }
    }
}
