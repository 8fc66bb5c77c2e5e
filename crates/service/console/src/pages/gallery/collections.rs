//! Named collections: the page that lists them, and the forms of the gallery that fill them.

use askama::Template;
use atelier_app::{
    Error,
    collections::{CollectionView, MOST},
};
use atelier_domain::Right;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse as _, Redirect, Response},
};

use super::list::back;
use crate::{
    error::{Result, capital},
    frame::{Frame, page_with},
    session::{Posted, Signed},
    state::Console,
};

const HERE: &str = "/account/collections";

#[derive(Template)]
#[template(path = "gallery/collections.html")]
struct CollectionsPage {
    frame: Frame,
    collections: Vec<CollectionView>,
    may_change: bool,
    /// The problem of a name.
    problem: String,
    /// The name that was asked for.
    name: String,
    most: u32,
}

async fn shown(
    console: &Console,
    signed: &Signed,
    status: StatusCode,
    (problem, name): (String, String),
) -> Result {
    let collections = console.app.collections(&signed.signed_in.caller).await?;
    let shown = CollectionsPage {
        frame: signed.frame("Collections", "/account/gallery"),
        collections,
        may_change: signed.may(Right::Generate),
        problem,
        name,
        most: MOST,
    };
    Ok(page_with(status, &shown))
}

pub(crate) async fn collections(State(console): State<Console>, signed: Signed) -> Result {
    shown(&console, &signed, StatusCode::OK, (String::new(), String::new())).await
}

/// Leads to the page after a collection got a name, or shows what is wrong with it.
async fn named(
    console: &Console,
    posted: &Posted,
    done: std::result::Result<CollectionView, Error>,
) -> Result {
    match done {
        Ok(_) => Ok(Redirect::to(HERE).into_response()),
        Err(Error::InvalidRequest { message, .. }) => {
            let name = posted.form.get("name").to_owned();
            let problem = (capital(&message), name);
            shown(console, &posted.signed, StatusCode::BAD_REQUEST, problem).await
        }
        Err(other) => Err(other.into()),
    }
}

pub(crate) async fn create_collection(State(console): State<Console>, posted: Posted) -> Result {
    let caller = &posted.signed.signed_in.caller;
    let done = console
        .app
        .create_collection(caller, posted.form.get("name"))
        .await;
    named(&console, &posted, done).await
}

pub(crate) async fn rename_collection(
    State(console): State<Console>,
    Path(id): Path<String>,
    posted: Posted,
) -> Result {
    let caller = &posted.signed.signed_in.caller;
    let name = posted.form.get("name");
    let done = console.app.rename_collection(caller, &id, name).await;
    named(&console, &posted, done).await
}

pub(crate) async fn delete_collection(
    State(console): State<Console>,
    Path(id): Path<String>,
    posted: Posted,
) -> Result {
    let caller = &posted.signed.signed_in.caller;
    console.app.delete_collection(caller, &id).await?;
    Ok(Redirect::to(HERE).into_response())
}

/// Handles the form for the selected generations: download, add to a collection or a new one, or remove from one. Leads
/// back to where they were selected.
pub(crate) async fn selected(State(console): State<Console>, posted: Posted) -> Result {
    let form = &posted.form;
    let ids: Vec<String> = form.all("id").map(str::to_owned).collect();
    let caller = &posted.signed.signed_in.caller;
    let app = &console.app;
    // The key "enter" in the field of the name presses a hidden button.
    let what = match form.get("do") {
        "enter" if form.given("name").is_some() => "new",
        "enter" => "download",
        other => other,
    };
    let collection = match what {
        "new" => {
            let new = app.create_collection(caller, form.get("name")).await?;
            match app.collect(caller, &new.id, &ids).await {
                Ok(filled) => filled,
                Err(error) => {
                    app.delete_collection(caller, &new.id).await?;
                    return Err(error.into());
                }
            }
        }
        "add" => app.collect(caller, form.get("collection"), &ids).await?,
        "remove" => {
            app.uncollect(caller, form.get("from"), &ids).await?;
            return Ok(to_page(form.get("back"), form.get("alone"), &ids, None));
        }
        _ => {
            let query = form_urlencoded::Serializer::new(String::new())
                .extend_pairs(ids.iter().map(|id| ("id", id)))
                .finish();
            return Ok(Redirect::to(&format!("/account/gallery/files.zip?{query}")).into_response());
        }
    };
    Ok(to_page(
        form.get("back"),
        form.get("alone"),
        &ids,
        Some(&collection.id),
    ))
}

/// The page that the form was sent from: that of one generation, or of the gallery, which says what was added to.
fn to_page(query: &str, alone: &str, ids: &[String], added: Option<&str>) -> Response {
    let first = ids.first().map_or("", String::as_str);
    let path = if alone == "true" && ids.len() == 1 {
        format!(
            "/account/gallery/{}",
            form_urlencoded::byte_serialize(first.as_bytes()).collect::<String>()
        )
    } else {
        back(query, first, added)
    };
    Redirect::to(&path).into_response()
}
