//! Stores the files of an attempt durably, before anything says that they exist.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Mutex, PoisonError},
};

use atelier_domain::{Asset, FileFacts, FileName, Generation, MediaType, Output};
use atelier_engines::{Made, MadeFile};
use atelier_media::{describe, intake::describe_file};
use atelier_store::Holder;
use sha2::{Digest, Sha256};

use crate::{App, Error, Result, System, storing::Bytewise};

const TAKEN_DOWN: &str = "the output was taken down before";

/// Files that are part of the program, such as the echo engine's. They are stored once per start.
#[derive(Debug, Default)]
pub(crate) struct FixedOutputs(Mutex<HashMap<(usize, usize), FileName>>);

impl System {
    /// Stores the files of an attempt, in order: media become assets, JSON becomes the word times.
    pub async fn store_outputs(&self, generation: &Generation, made: Made) -> Result<Output> {
        let metadata = (!made.metadata.is_empty()).then_some(made.metadata);
        let mut output = Output {
            assets: Vec::with_capacity(made.files.len()),
            timestamps: None,
            metadata,
        };
        for file in made.files {
            let name = match file {
                MadeFile::Path(path) => self.store_path(generation, &path).await?,
                MadeFile::Bytes(bytes) => self.app.store_fixed(bytes).await?,
            };
            match name.media_type().kind() {
                Some(kind) => output.assets.push(Asset { file: name, kind }),
                None => output.timestamps = Some(name),
            }
        }
        Ok(output)
    }
}

impl System {
    async fn store_path(&self, generation: &Generation, path: &Path) -> Result<FileName> {
        let (name, facts) = if path.extension().is_some_and(|extension| extension == "json") {
            let bytes = tokio::fs::read(path)
                .await
                .map_err(|error| Error::Internal(error.to_string()))?;
            let name = FileName::new(&Sha256::digest(&bytes).into(), MediaType::Json);
            let facts = FileFacts {
                media_type: MediaType::Json,
                size: bytes.len() as u64,
                width: None,
                height: None,
                duration: None,
            };
            (name, facts)
        } else {
            describe_file(path).await?
        };
        self.result_is_allowed(generation, (path, &facts)).await?;
        let holder = Holder::Output(generation.id);
        let stored = self
            .app
            .store_file(Bytewise::Path(path), &name, &facts, holder)
            .await;
        match stored {
            Err(Error::Gone(_)) => Err(self.result_was_taken_down(generation, TAKEN_DOWN).await),
            stored => stored.map(|()| name),
        }
    }
}

impl App {
    async fn store_output(
        &self,
        bytes: Bytewise<'_>,
        name: &FileName,
        facts: &FileFacts,
        holder: Holder,
    ) -> Result<()> {
        match self.store_file(bytes, name, facts, holder).await {
            Err(Error::Gone(_)) => Err(Error::Gone(TAKEN_DOWN.to_owned())),
            stored => stored,
        }
    }

    async fn store_fixed(&self, bytes: &'static [u8]) -> Result<FileName> {
        let key = (bytes.as_ptr() as usize, bytes.len());
        let known = self
            .0
            .fixed_outputs
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&key)
            .cloned();
        if let Some(name) = known {
            return Ok(name);
        }
        let (name, facts) = describe(bytes)?;
        let source = Bytewise::Bytes(bytes);
        self.store_output(source, &name, &facts, Holder::Program).await?;
        self.0
            .fixed_outputs
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(key, name.clone());
        Ok(name)
    }
}
