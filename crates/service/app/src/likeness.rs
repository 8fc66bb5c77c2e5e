//! Perceptual hashes of pictures, and the distance between them.

use std::path::Path;

use atelier_domain::{FileName, GenerationId, MediaKind, MediaType};
use atelier_engines::Marking;
use atelier_media::{Blobs, Scratch};
use futures::StreamExt as _;

use crate::{Error, Result};

/// The most bits of 256 in which a copy differs. Pictures that have nothing to do with each other differ in about 128.
pub(crate) const NEAR: u32 = 40;

/// Computes the hash of a stored picture before it is taken down.
#[derive(Debug, Clone)]
pub struct Looking<'a> {
    pub marking: &'a Marking,
    /// A folder that nobody else uses. It is removed afterwards.
    pub folder: Scratch,
}

impl Looking<'_> {
    /// The perceptual hash of a stored picture; `None` if it is not a picture, or cannot be decoded.
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
                tracing::warn!(%name, %error, "a file is taken down without a hash: copies are not recognised");
                None
            }
        }
    }
}

/// The perceptual hash of a picture; `None` if it cannot be computed.
pub(crate) async fn look(
    marking: &Marking,
    picture: (&Path, MediaType),
    folder: &Scratch,
) -> Option<[u8; 32]> {
    let id = GenerationId(uuid::Uuid::nil());
    match marking.likeness(picture, id, folder).await {
        Ok(likeness) => likeness,
        Err(failure) => {
            tracing::warn!(
                why = failure.message,
                "a picture could not be compared with others"
            );
            None
        }
    }
}

/// The number of bits in which two hashes differ.
pub(crate) fn distance(one: &[u8; 32], other: &[u8]) -> u32 {
    let pairs = one.iter().zip(other);
    pairs.map(|(one, other)| (one ^ other).count_ones()).sum()
}

/// The hash of a picture file, for lists; `None` if it is too plain, or cannot be decoded.
pub async fn hash_of(looking: Looking<'_>, path: &Path, media_type: MediaType) -> Result<Option<[u8; 32]>> {
    let folder = WorkFolder::new(looking.folder).await?;
    Ok(look(looking.marking, (path, media_type), &folder.0).await)
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
