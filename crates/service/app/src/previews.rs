//! Previews of stored files: a small picture, made once and stored under its own name.
//!
//! Like all foreign bytes, they are decoded in a child process of the embedded engines.

use std::sync::Arc;

use atelier_domain::{FileName, GenerationId, MediaKind};
use atelier_engines::{Context, Engine, Input, Job, MadeFile};
use atelier_media::{Scratch, describe_file};
use atelier_store::Preview;
use serde_json::Map;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::{App, Error, Result};

/// The embedded engines' task that makes one.
const TASK: &str = "thumbnail";
/// Previews made at once: they must not keep jobs from the processor.
const AT_ONCE: usize = 2;

/// Turns for making previews.
#[derive(Debug)]
pub(crate) struct Turns(Semaphore);

impl Default for Turns {
    fn default() -> Self {
        Self(Semaphore::new(AT_ONCE))
    }
}

impl App {
    /// The preview of a stored file, made if it is missing; `None` if none can be made.
    pub async fn preview(&self, file: &FileName) -> Result<Option<FileName>> {
        self.still_up(file).await?;
        if let Some(known) = self.store().preview(file).await? {
            return Ok(made(known));
        }
        let Some(engine) = self.previewer(file) else {
            return Ok(None);
        };
        let _turn = self
            .0
            .previews
            .0
            .acquire()
            .await
            .map_err(|error| Error::Internal(error.to_string()))?;
        if let Some(known) = self.store().preview(file).await? {
            return Ok(made(known));
        }
        let id = GenerationId(self.entropy().uuid(self.now()));
        let scratch = self.settings().scratch.below(format!("preview-{id}"));
        let done = self.make_preview(&*engine, file, id, &scratch).await;
        if let Err(error) = tokio::fs::remove_dir_all(scratch.path()).await {
            tracing::debug!(%error, folder = %scratch.path().display(), "a work folder could not be removed");
        }
        let preview = done?;
        self.store()
            .record_preview(file, preview.clone(), self.now())
            .await?;
        // A takedown that began meanwhile may have looked for a preview before there was one.
        if let (Err(gone @ Error::Gone(_)), Preview::Made(name)) = (self.still_up(file).await, &preview) {
            self.blobs().delete(name).await?;
            return Err(gone);
        }
        Ok(made(preview))
    }

    /// The engine that makes previews of this kind of file.
    fn previewer(&self, file: &FileName) -> Option<Arc<dyn Engine>> {
        file.media_type().kind()?;
        let engine = self.routes().engine(atelier_engines::draft::NAME);
        engine.filter(|engine| engine.serves(TASK, MediaKind::Image))
    }

    async fn make_preview(
        &self,
        engine: &dyn Engine,
        file: &FileName,
        id: GenerationId,
        scratch: &Scratch,
    ) -> Result<Preview> {
        let facts = self.store().files(std::slice::from_ref(file)).await?.remove(0);
        let facts = facts.ok_or_else(missing)?;
        let internal = |error: std::io::Error| Error::Internal(format!("a preview's work files: {error}"));
        let out = scratch.below("out");
        tokio::fs::create_dir_all(out.path()).await.map_err(internal)?;
        let input = format!("input.{}", file.media_type().extension());
        if !self.copy_blob(file, scratch, &input).await? {
            return Err(missing());
        }
        let job = Job {
            id,
            attempt: 1,
            asked: Vec::new(),
            model: TASK.to_owned(),
            task: TASK.to_owned(),
            kind: MediaKind::Image,
            params: Map::new(),
            inputs: vec![Input {
                parameter: "file".to_owned(),
                path: scratch.path().join(input),
                facts,
            }],
            seed: 0,
            options: atelier_engines::RouteOptions::default(),
            resume: None,
            scratch: out,
        };
        let context = Context::new(CancellationToken::new(), |_| {});
        let made = match engine.run(job, context).await {
            Ok(made) => made,
            // Another try would fail in the same way.
            Err(failure) if failure.retry_after.is_none() => return Ok(Preview::Impossible),
            Err(_) => return Err(Error::Unavailable("the preview could not be made: try again")),
        };
        let Some(MadeFile::Path(path)) = made.files.first() else {
            return Ok(Preview::Impossible);
        };
        let (name, _) = describe_file(path).await?;
        self.blobs().put_file(path, &name).await?;
        Ok(Preview::Made(name))
    }
}

fn made(preview: Preview) -> Option<FileName> {
    match preview {
        Preview::Made(name) => Some(name),
        Preview::Impossible => None,
    }
}

fn missing() -> Error {
    Error::NotFound("no file is stored under this name".to_owned())
}
