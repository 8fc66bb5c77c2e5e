//! The gallery: everything the account has made, and one generation with all its details.

mod collections;
mod compare;
mod download;
mod favourite;
mod generation;
mod list;
mod result;

use atelier_app::Caller;
use atelier_domain::{FileName, Generation, Status};
use serde_json::Value;

use crate::{error::PageError, moment::Moment, state::Console};

pub(crate) use collections::{
    collections, create_collection, delete_collection, rename_collection, selected,
};
pub(crate) use compare::compare;
pub(crate) use download::download;
pub(crate) use favourite::{Star, favourite};
pub(crate) use generation::detail;
pub(crate) use list::{followed, index};
pub(crate) use result::{ResultView, cancel, events, result};

/// A generation in the list.
#[derive(Debug, Clone)]
pub(crate) struct Tile {
    pub id: String,
    pub model: String,
    /// The words of the request.
    pub text: String,
    pub kind: &'static str,
    pub status: &'static str,
    /// The text of the badge of an unfinished or failed one.
    pub stage: &'static str,
    pub thumb: Option<String>,
    /// The reason why its first file is no longer served.
    pub gone: Option<&'static str>,
    pub favourite: bool,
    pub ago: Moment,
}

impl Tile {
    pub(crate) fn star(&self) -> Star {
        Star {
            id: self.id.clone(),
            on: self.favourite,
            alone: false,
        }
    }
}

/// The tiles of a list.
pub(crate) async fn tiles(
    console: &Console,
    caller: &Caller,
    generations: &[Generation],
) -> std::result::Result<Vec<Tile>, PageError> {
    let favourites = console.app.favourites(caller, generations).await?;
    let first: Vec<FileName> = generations.iter().filter_map(first_file).cloned().collect();
    let gone = console.app.files_gone(&first).await?;
    let links = console.app.links(caller).await?;
    let tile = |generation: &Generation| {
        let file = first_file(generation);
        let gone = file.and_then(|file| gone.get(file).copied());
        Tile {
            id: generation.id.to_string(),
            model: console.model_name(&generation.model),
            text: words(generation),
            kind: generation.kind.as_str(),
            status: shown_status(generation),
            stage: match console.app.loading(generation) {
                Some(_) => "loading model",
                None => shown_status(generation),
            },
            // A small picture, a frame of a video, or the waveform of a recording.
            thumb: file.filter(|_| gone.is_none()).map(|file| links.preview(file)),
            gone,
            favourite: favourites.contains(&generation.id),
            ago: Moment::ago(generation.created_at, console.app.now()),
        }
    };
    Ok(generations.iter().map(tile).collect())
}

fn first_file(generation: &Generation) -> Option<&FileName> {
    Some(&generation.output.as_ref()?.assets.first()?.file)
}

/// The status as people see it: a job that was cancelled has not failed.
pub(crate) fn shown_status(generation: &Generation) -> &'static str {
    match &generation.failure {
        Some(failure) if generation.status() == Status::Failed && failure.is_cancelled() => "cancelled",
        _ => generation.status().as_str(),
    }
}

/// The words of a request, whichever field has them.
fn words(generation: &Generation) -> String {
    let text = |name| generation.params.get(name).and_then(Value::as_str);
    let words = text("title")
        .or(text("prompt"))
        .or(text("text"))
        .or(text("style"));
    words.unwrap_or_default().chars().take(300).collect()
}

/// The longest part of a file's name that comes from the words of its request, in bytes.
const MAX_NAME: usize = 60;

/// Returns the name for a saved file: the words of its request, the end of its generation's id, and its number if it is
/// not the first.
fn file_name(generation: &Generation, file: &FileName, place: usize) -> String {
    let words = words(generation).to_lowercase();
    let mut name = String::new();
    for word in words
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        if !name.is_empty() && name.len() + word.len() >= MAX_NAME {
            break;
        }
        if !name.is_empty() {
            name.push('-');
        }
        name.extend(word.chars().take(MAX_NAME / 4));
    }
    if name.is_empty() {
        name.clone_from(&generation.model);
    }
    let (id, file) = (generation.id.to_string(), file.to_string());
    let end = id.get(id.len().saturating_sub(6)..).unwrap_or_default();
    let kind = file.rsplit_once('.').map_or("", |(_, kind)| kind);
    if place == 0 {
        return format!("{name}-{end}.{kind}");
    }
    format!("{name}-{end}-{}.{kind}", place + 1)
}
