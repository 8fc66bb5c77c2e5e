//! Takedowns also stop copies: pictures that look like one that was taken down are not stored.

use std::path::Path;

use atelier_domain::{FileName, GenerationId, MediaKind, MediaType};
use atelier_engines::Marking;
use atelier_media::{Blobs, Scratch};
use futures::StreamExt as _;

use crate::{App, Error, Result};

/// The most bits of 256 in which a copy differs. Pictures that have nothing to do with each other differ in about 128.
const NEAR: u32 = 40;

/// What looks at a stored picture before it is taken down.
#[derive(Debug, Clone)]
pub struct Looking<'a> {
    pub marking: &'a Marking,
    /// A folder that nobody else uses. It is removed afterwards.
    pub folder: Scratch,
}

impl Looking<'_> {
    /// What a stored picture looks like; `None` if it is none, or cannot be looked at.
    pub(crate) async fn at(self, blobs: &Blobs, name: &FileName) -> Option<[u8; 32]> {
        if name.media_type().kind() != Some(MediaKind::Image) {
            return None;
        }
        let looked = async {
            let folder = WorkFolder::new(self.folder).await?;
            let mut blob = blobs.get(name, None).await?;
            let mut file = folder.0.create("picture").await?;
            while let Some(chunk) = blob.stream.next().await {
                let chunk = chunk.map_err(|error| Error::Internal(error.to_string()))?;
                file.write(&chunk).await?;
            }
            drop(file);
            let path = folder.0.path().join("picture");
            Ok::<_, Error>(look(self.marking, (&path, name.media_type()), &folder.0).await)
        };
        match looked.await {
            Ok(likeness) => likeness,
            Err(error) => {
                tracing::warn!(%name, %error, "a file is taken down without a look at it: copies are not recognised");
                None
            }
        }
    }
}

async fn look(marking: &Marking, picture: (&Path, MediaType), folder: &Scratch) -> Option<[u8; 32]> {
    let id = GenerationId(uuid::Uuid::nil());
    match marking.likeness(picture, id, folder).await {
        Ok(likeness) => likeness,
        Err(failure) => {
            tracing::warn!(
                why = failure.message,
                "a picture could not be compared with what was taken down"
            );
            None
        }
    }
}

impl App {
    /// Whether a picture looks like one that was taken down. What cannot be looked at does not.
    pub(crate) async fn is_like_taken_down(&self, path: &Path, media_type: MediaType) -> Result<bool> {
        let Some(marking) = self.routes().marking() else {
            return Ok(false);
        };
        if media_type.kind() != Some(MediaKind::Image) {
            return Ok(false);
        }
        let known = self.store().likenesses().await?;
        if known.is_empty() {
            return Ok(false);
        }
        let id = self.entropy().uuid(self.now());
        let folder = WorkFolder::new(self.settings().scratch.below(format!("look-{id}"))).await?;
        let Some(likeness) = look(marking, (path, media_type), &folder.0).await else {
            return Ok(false);
        };
        let differs = |other: &[u8]| {
            let pairs = likeness.iter().zip(other);
            pairs.map(|(one, other)| (one ^ other).count_ones()).sum::<u32>()
        };
        let near = known.iter().find(|(_, other)| differs(other) <= NEAR);
        if let Some((file, _)) = near {
            tracing::info!(%file, "a picture is refused: it looks like one that was taken down");
        }
        Ok(near.is_some())
    }
}

/// A work folder, removed when it is dropped.
#[derive(Debug)]
pub(crate) struct WorkFolder(pub(crate) Scratch);

impl WorkFolder {
    pub(crate) async fn new(folder: Scratch) -> Result<Self> {
        let unmade = |error: std::io::Error| Error::Internal(format!("a work folder: {error}"));
        tokio::fs::create_dir_all(folder.path()).await.map_err(unmade)?;
        Ok(Self(folder))
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // It holds one file at most, so this takes no time.
        if let Err(error) = std::fs::remove_dir_all(self.0.path())
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::debug!(%error, "a work folder could not be removed");
        }
    }
}
