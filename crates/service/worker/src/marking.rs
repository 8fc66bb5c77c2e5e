//! Marks the pictures, films and sounds of a result before they are stored. Also those of remote workers are marked
//! here: the key never leaves the service.

use atelier_app::System;
use atelier_domain::Generation;
use atelier_engines::{Made, MadeFile};
use atelier_media::Scratch;
use serde_json::Value;

/// Writes a hidden mark into every picture, film and sound of a result, if the settings say so. The metadata's
/// `watermark` says what became of each. Nothing here fails a job.
pub(crate) async fn mark(system: &System, generation: &Generation, made: &mut Made, scratch: &Scratch) {
    let engine = generation.served_by.as_deref().unwrap_or_default();
    let Some(marking) = system.routes().marking() else {
        return;
    };
    if !system.settings().watermark.covers(engine) {
        return;
    }
    let key = match system.app().watermark_key().await {
        Ok(key) => key,
        Err(error) => {
            tracing::warn!(id = %generation.id, %error, "a result is not marked: the key could not be read");
            return;
        }
    };
    let mut said: Vec<Value> = Vec::new();
    for file in &made.files {
        let MadeFile::Path(path) = file else { continue };
        let left = generation.deadline.since(system.app().now());
        let marked = marking.write(path, generation.id, &key, scratch, left);
        let Some(written) = marked.await else {
            continue;
        };
        metrics::counter!("atelier_watermarks_total", "result" => written.as_str()).increment(1);
        said.push(written.as_str().into());
    }
    if !said.is_empty() {
        made.metadata.insert("watermark".to_owned(), said.into());
    }
}
