//! Deleting generations and uploads. Each has a page that asks first, which works without scripts.

use std::collections::HashMap;

use askama::Template;
use atelier_domain::FileName;
use axum::{
    extract::{Path, Query, State},
    response::{IntoResponse as _, Redirect},
};

use crate::{
    error::{PageError, Result},
    frame::{Frame, page},
    moment::Moment,
    session::{Posted, Signed},
    state::Console,
    text,
};

/// Uploads on one page.
const UPLOADS: u32 = 50;

#[derive(Template)]
#[template(path = "deletion.html")]
struct DeletionPage {
    frame: Frame,
    heading: &'static str,
    about: String,
    consequence: &'static str,
    picture: Option<String>,
    action: String,
    back: String,
    crumb: &'static str,
}

pub(crate) async fn ask_generation(
    State(console): State<Console>,
    signed: Signed,
    Path(id): Path<String>,
) -> Result {
    let caller = &signed.signed_in.caller;
    let generation = console.app.generation(caller, &id).await?;
    let links = console.app.links(caller).await?;
    let back = format!("/account/gallery/{}", generation.id);
    if !generation.state.is_ended() {
        return Ok(Redirect::to(&back).into_response());
    }
    let asset = generation
        .output
        .as_ref()
        .and_then(|output| output.assets.first());
    Ok(page(&DeletionPage {
        frame: signed.frame("Delete a generation", "/account/gallery"),
        heading: "Delete this generation?",
        about: format!(
            "{}, created {}.",
            console.model_name(&generation.model),
            text::moment(generation.created_at)
        ),
        consequence: "Its prompt, parameters, files and webhook deliveries are removed, and the addresses of its files \
                      stop working. A file that another job or account uses as well stays for them. Usage and ledger \
                      keep what it cost. This cannot be undone.",
        picture: asset.map(|asset| links.preview(&asset.file)),
        action: format!("{back}/delete"),
        back,
        crumb: "Generation",
    }))
}

pub(crate) async fn delete_generation(
    State(console): State<Console>,
    Path(id): Path<String>,
    posted: Posted,
) -> Result {
    let caller = &posted.signed.signed_in.caller;
    console.app.delete_generation(caller, &id).await?;
    Ok(Redirect::to("/account/gallery").into_response())
}

#[derive(Template)]
#[template(path = "uploads.html")]
struct UploadsPage {
    frame: Frame,
    uploads: Vec<UploadRow>,
    next: Option<String>,
    kept: bool,
}

struct UploadRow {
    name: String,
    short: String,
    url: String,
    media_type: &'static str,
    size: String,
    at: Moment,
}

pub(crate) async fn uploads(
    State(console): State<Console>,
    signed: Signed,
    Query(query): Query<HashMap<String, String>>,
) -> Result {
    let after: Option<FileName> = query.get("after").and_then(|after| after.parse().ok());
    let caller = &signed.signed_in.caller;
    let found = console.app.uploads(caller, after, UPLOADS).await?;
    let next = (found.len() >= UPLOADS as usize).then(|| found.last().map(|last| last.name.to_string()));
    let links = console.app.links(caller).await?;
    let row = |upload: atelier_app::uploads::UploadedFile| UploadRow {
        short: upload.name.as_str().chars().take(12).collect(),
        url: links.url(&upload.name),
        media_type: upload.facts.media_type.mime(),
        size: text::size(upload.facts.size),
        at: Moment::new(upload.at),
        name: upload.name.to_string(),
    };
    Ok(page(&UploadsPage {
        frame: signed.frame("Uploads", "/account/gallery"),
        uploads: found.into_iter().map(row).collect(),
        next: next.flatten(),
        kept: query.contains_key("kept"),
    }))
}

pub(crate) async fn ask_upload(
    State(console): State<Console>,
    signed: Signed,
    Path(name): Path<String>,
) -> Result {
    let file: FileName = name.parse().map_err(|_| PageError::missing())?;
    let links = console.app.links_to(&signed.signed_in.caller, &file).await?;
    Ok(page(&DeletionPage {
        frame: signed.frame("Delete an upload", "/account/gallery"),
        heading: "Delete this upload?",
        about: console.app.media_url(&file),
        consequence: "The file goes as soon as no job and no other account uses it, and its address stops working. \
                      Delete the jobs that used it, too, if the file must go. This cannot be undone.",
        picture: Some(links.preview(&file)),
        action: format!("/account/uploads/{file}/delete"),
        back: "/account/uploads".to_owned(),
        crumb: "Uploads",
    }))
}

pub(crate) async fn delete_upload(
    State(console): State<Console>,
    Path(name): Path<String>,
    posted: Posted,
) -> Result {
    let caller = &posted.signed.signed_in.caller;
    let deleted = console.app.delete_upload(caller, &name).await?;
    let kept = if deleted.is_gone { "" } else { "?kept=1" };
    Ok(Redirect::to(&format!("/account/uploads{kept}")).into_response())
}
