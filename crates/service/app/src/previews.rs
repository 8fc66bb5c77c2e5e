//! Previews of stored files: a small picture, made once and stored under its own name. And masks of their transparency.
//!
//! Like all foreign bytes, they are decoded in a child process of the embedded engines.

use std::sync::Arc;

use atelier_domain::{FileFacts, FileName, GenerationId, MediaKind, Scope};
use atelier_engines::{Context, Engine, Input, Job, MadeFile};
use atelier_media::{Scratch, describe_file};
use atelier_store::{Holder, Preview};
use serde_json::Map;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_util::sync::CancellationToken;

use crate::{App, Caller, Error, Result, storing::Bytewise};

/// The embedded engines' task that makes a preview, and the one that makes a mask.
const TASK: &str = "thumbnail";
const MASK: &str = "mask";
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
        let Some(engine) = self.previewer(file, TASK) else {
            return Ok(None);
        };
        let _turn = self.turn().await?;
        if let Some(known) = self.store().preview(file).await? {
            return Ok(made(known));
        }
        let preview = match self.derive(&*engine, TASK, file).await? {
            Some((name, _)) => Preview::Made(name),
            None => Preview::Impossible,
        };
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

    /// Makes the mask of an uploaded picture with holes: what is transparent is white, to be replaced, and all else is
    /// black. Returns its URL.
    pub async fn mask_of_transparency(&self, caller: &Caller, url: &str) -> Result<String> {
        let account = caller.may_make(Scope::Generate)?.id;
        let wrong = |message: &str| Error::parameter("mask", message);
        let Some(Ok(file)) = self.stored_file(url) else {
            return Err(missing());
        };
        let engine = self
            .previewer(&file, MASK)
            .ok_or_else(|| wrong("`mask` is not supported by this service: it has no embedded engines"))?;
        let turn = self.turn().await?;
        let made = self.derive(&*engine, MASK, &file).await?;
        drop(turn);
        let (name, facts) = made.ok_or_else(|| {
            wrong("`mask` must be a picture whose transparent parts are to be replaced, such as a PNG with alpha")
        })?;
        let holder = Holder::Upload(account);
        match self.store_file(Bytewise::Stored, &name, &facts, holder).await {
            Err(Error::Gone(_)) => return Err(wrong("this `mask` was taken down and cannot be used again")),
            stored => stored?,
        }
        Ok(self.media_url(&name))
    }

    /// Waits for a turn.
    async fn turn(&self) -> Result<SemaphorePermit<'_>> {
        let turn = self.0.previews.0.acquire().await;
        turn.map_err(|error| Error::Internal(error.to_string()))
    }

    /// The engine that runs one of the tasks here on this kind of file.
    fn previewer(&self, file: &FileName, task: &str) -> Option<Arc<dyn Engine>> {
        file.media_type().kind()?;
        let engine = self.routes().engine(atelier_engines::draft::NAME);
        engine.filter(|engine| engine.serves(task, MediaKind::Image))
    }

    /// Makes and stores a picture from a stored file; `None` if the task cannot.
    async fn derive(
        &self,
        engine: &dyn Engine,
        task: &str,
        file: &FileName,
    ) -> Result<Option<(FileName, FileFacts)>> {
        let id = GenerationId(self.entropy().uuid(self.now()));
        let scratch = self.settings().scratch.below(format!("preview-{id}"));
        let done = self.run_task(engine, task, file, id, &scratch).await;
        if let Err(error) = tokio::fs::remove_dir_all(scratch.path()).await {
            tracing::debug!(%error, folder = %scratch.path().display(), "a work folder could not be removed");
        }
        done
    }

    async fn run_task(
        &self,
        engine: &dyn Engine,
        task: &str,
        file: &FileName,
        id: GenerationId,
        scratch: &Scratch,
    ) -> Result<Option<(FileName, FileFacts)>> {
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
            model: task.to_owned(),
            task: task.to_owned(),
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
            Err(failure) if failure.retry_after.is_none() => return Ok(None),
            Err(_) => return Err(Error::Unavailable("the preview could not be made: try again")),
        };
        let Some(MadeFile::Path(path)) = made.files.first() else {
            return Ok(None);
        };
        let (name, facts) = describe_file(path).await?;
        self.blobs().put_file(path, &name).await?;
        Ok(Some((name, facts)))
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
