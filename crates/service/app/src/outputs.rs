//! Stores the files of an attempt durably, before anything says that they exist.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Mutex, PoisonError},
};

use atelier_domain::{Asset, FileFacts, FileName, MediaType, Output};
use atelier_engines::{Made, MadeFile};
use atelier_media::{describe, intake::describe_file};
use sha2::{Digest, Sha256};

use crate::{App, Error, Result, System};

/// Files that are part of the program, such as the echo engine's. They are stored once per start.
#[derive(Debug, Default)]
pub(crate) struct FixedOutputs(Mutex<HashMap<(usize, usize), FileName>>);

impl System {
    /// Stores the files of an attempt, in order: media become assets, JSON becomes the word times.
    pub async fn store_outputs(&self, made: Made) -> Result<Output> {
        let metadata = (!made.metadata.is_empty()).then_some(made.metadata);
        let mut output = Output {
            assets: Vec::with_capacity(made.files.len()),
            timestamps: None,
            metadata,
        };
        for file in made.files {
            let name = match file {
                MadeFile::Path(path) => self.app.store_path(&path).await?,
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

impl App {
    async fn store_path(&self, path: &Path) -> Result<FileName> {
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
        self.blobs().put_file(path, &name).await?;
        self.record_output(&name, &facts).await?;
        Ok(name)
    }

    /// Records a stored file. If it was taken down before, its bytes are removed again.
    async fn record_output(&self, name: &FileName, facts: &FileFacts) -> Result<()> {
        if self.store().record_file(name, facts, self.now()).await? {
            return Ok(());
        }
        self.blobs().delete(name).await?;
        Err(Error::Gone("the output was taken down before".to_owned()))
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
        self.blobs().put_bytes(bytes.into(), &name).await?;
        self.record_output(&name, &facts).await?;
        self.0
            .fixed_outputs
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(key, name.clone());
        Ok(name)
    }
}
