//! `atelier media takedown`: stops serving a file.

use std::sync::Arc;

use atelier_app::likeness::Looking;
use atelier_engines::Marking;
use atelier_media::{Blobs, Scratch};
use serde_json::json;

use super::OnStore;
use crate::{cli, failure::Failure};

pub(super) async fn run(
    session: Arc<OnStore>,
    (blobs, looks): (Blobs, Option<(Marking, Scratch)>),
    command: cli::Media,
) -> Result<(), Failure> {
    let cli::Media::Takedown { file, reason } = command;
    let looking = looks.as_ref().map(|(marking, folder)| Looking {
        marking,
        folder: folder.clone(),
    });
    let taken = session
        .admin
        .take_down_with(&blobs, looking, &file, &reason)
        .await;
    if let Some((marking, _)) = &looks {
        marking.close().await;
    }
    let name = taken?;
    let value = json!({ "file": name.as_str(), "reason": reason });
    Ok(session.output.result(&value, || {
        format!("{name} is taken down: its URL answers 410, and the same bytes cannot be stored again.")
    })?)
}
