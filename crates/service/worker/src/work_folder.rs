//! The folder with the files of one attempt.

use atelier_domain::{Failure, FailureCode, GenerationId};
use atelier_media::{Scratch, scratch::ScratchError};

use crate::OUR_FAULT_DELAY;

/// The work folder of one attempt, removed afterwards.
#[derive(Debug)]
pub(crate) struct WorkFolder(pub(crate) Scratch);

impl WorkFolder {
    pub(crate) fn of(scratch: &Scratch, id: GenerationId, epoch: i64) -> Self {
        Self(scratch.below(format!("{id}-{epoch}")))
    }

    pub(crate) async fn create(&self) -> Result<(), Failure> {
        tokio::fs::create_dir_all(self.0.path()).await.map_err(|error| {
            tracing::error!(%error, folder = %self.0.path().display(), "a work folder could not be created");
            if matches!(ScratchError::from(error), ScratchError::Full) {
                self.0.note_no_place();
            }
            Failure::retry(
                FailureCode::GenerationFailed,
                "the work folder could not be created",
                OUR_FAULT_DELAY,
            )
        })
    }

    pub(crate) async fn remove(&self) {
        // Engines that need no folder leave none, in most attempts.
        if let Err(error) = std::fs::symlink_metadata(self.0.path())
            && error.kind() == std::io::ErrorKind::NotFound
        {
            return;
        }
        if let Err(error) = tokio::fs::remove_dir_all(self.0.path()).await {
            tracing::warn!(%error, folder = %self.0.path().display(), "a work folder could not be removed");
        }
    }
}
