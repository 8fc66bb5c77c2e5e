//! How many bytes the inputs of one job may bring together, and whether the scratch folder has room for them.

use std::{
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use atelier_media::scratch::Quota;

/// Bytes written between two looks at the scratch folder.
const STEP: u64 = 8 << 20;

/// Shared by the inputs of one job, which arrive side by side.
#[derive(Debug)]
pub(super) struct Budget {
    most: u64,
    taken: AtomicU64,
    folder: PathBuf,
    quota: Quota,
}

/// What one input has written so far.
#[derive(Debug)]
pub(super) struct Share<'a> {
    budget: &'a Budget,
    /// Bytes that may be written before the folder is looked at again.
    granted: u64,
}

/// Why an input may not go on.
#[derive(Debug)]
pub(super) enum Spent {
    /// The inputs of the job are larger together than `most` bytes.
    Inputs {
        most: u64,
    },
    /// The scratch folder has no room.
    Scratch,
    Io(io::Error),
}

impl Budget {
    /// Allows `most` bytes, within the `quota` of the scratch folder `folder`.
    pub(super) fn new(most: u64, folder: &Path, quota: Quota) -> Self {
        Self {
            most,
            taken: AtomicU64::new(0),
            folder: folder.to_owned(),
            quota,
        }
    }

    pub(super) fn share(&self) -> Share<'_> {
        Share {
            budget: self,
            granted: 0,
        }
    }

    /// Counts bytes that need no room in the scratch folder.
    pub(super) fn count(&self, bytes: u64) -> Result<(), Spent> {
        let taken = self
            .taken
            .fetch_add(bytes, Ordering::Relaxed)
            .saturating_add(bytes);
        if taken > self.most {
            return Err(Spent::Inputs { most: self.most });
        }
        Ok(())
    }
}

impl Share<'_> {
    /// Counts bytes that are about to be written to the scratch folder.
    pub(super) async fn take(&mut self, bytes: u64) -> Result<(), Spent> {
        self.budget.count(bytes)?;
        if bytes > self.granted {
            self.granted = self.grant(bytes).await?;
        }
        self.granted -= bytes;
        Ok(())
    }

    async fn grant(&self, bytes: u64) -> Result<u64, Spent> {
        let (quota, folder) = (self.budget.quota, self.budget.folder.clone());
        let room = tokio::task::spawn_blocking(move || quota.room(&folder))
            .await
            .map_err(|error| Spent::Io(io::Error::other(error)))?
            .map_err(Spent::Io)?;
        if room < bytes {
            return Err(Spent::Scratch);
        }
        Ok(room.min(STEP.max(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quota(most: u64) -> Quota {
        Quota { most, reserve: 0 }
    }

    #[tokio::test]
    async fn inputs_share_what_a_job_may_bring() {
        let folder = tempfile::tempdir().unwrap();
        let budget = Budget::new(100, folder.path(), Quota::NONE);
        let (mut one, mut other) = (budget.share(), budget.share());
        one.take(60).await.unwrap();
        budget.count(10).unwrap();
        other.take(30).await.unwrap();
        assert!(matches!(other.take(1).await, Err(Spent::Inputs { most: 100 })));
    }

    #[tokio::test]
    async fn a_scratch_folder_without_room_stops_an_input() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("other"), [0; 900]).unwrap();
        let budget = Budget::new(u64::MAX, folder.path(), quota(1000));
        let mut share = budget.share();
        share.take(100).await.unwrap();
        // In the meantime the file of this input has been written.
        std::fs::write(folder.path().join("own"), [0; 100]).unwrap();
        assert!(matches!(share.take(1).await, Err(Spent::Scratch)));
    }
}
