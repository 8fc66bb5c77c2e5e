//! `atelier media takedown`: stops serving a file.

use std::sync::Arc;

use atelier_media::Blobs;
use serde_json::json;

use super::OnStore;
use crate::{cli, failure::Failure};

pub(super) async fn run(session: Arc<OnStore>, blobs: Blobs, command: cli::Media) -> Result<(), Failure> {
    let cli::Media::Takedown { file, reason } = command;
    let name = session.admin.take_down(&blobs, &file, &reason).await?;
    let value = json!({ "file": name.as_str(), "reason": reason });
    Ok(session.output.result(&value, || {
        format!("{name} is taken down: its URL answers 410, and the same bytes cannot be stored again.")
    })?)
}
