//! Uploads: files for use in generations, streamed to scratch, named by their content, stored durably.

use atelier_domain::{MediaType, RateState};
use atelier_media::{BlobError, Intake, IntakeError, Received, scratch::ScratchError};
use atelier_store::TokenTaken;

use crate::{App, Caller, Error, Result};

/// A stored upload.
#[derive(Debug, Clone)]
pub struct Uploaded {
    pub url: String,
    pub media_type: MediaType,
    pub size: u64,
}

impl App {
    /// Takes one token of the limit that uploads share with generations.
    pub async fn take_generation_token(&self, caller: &Caller) -> Result<RateState> {
        caller.may_make()?;
        let default = self.settings().generations_per_minute;
        match self
            .store()
            .take_token(caller.account.id, default, self.now())
            .await?
        {
            TokenTaken::Taken(state) => Ok(state),
            TokenTaken::Limited(limited) => Err(Error::RateLimited(limited)),
        }
    }

    /// A place for the bytes of an upload. If dropped early, it leaves nothing behind.
    pub async fn begin_upload(&self, caller: &Caller) -> Result<Intake> {
        caller.may_make()?;
        let settings = self.settings();
        Ok(Intake::new(&settings.scratch, settings.max_upload_bytes).await?)
    }

    /// Stores a finished upload. The same bytes always have the same URL.
    pub async fn finish_upload(&self, _: &Caller, received: &Received) -> Result<Uploaded> {
        let forbidden = || Error::invalid("this file was taken down and cannot be stored again");
        if self.store().is_taken_down(&received.name).await? {
            return Err(forbidden());
        }
        self.blobs().put_file(received.path(), &received.name).await?;
        let recorded = self
            .store()
            .record_file(&received.name, &received.facts, self.now())
            .await?;
        if !recorded {
            self.blobs().delete(&received.name).await?;
            return Err(forbidden());
        }
        Ok(Uploaded {
            url: self.media_url(&received.name),
            media_type: received.facts.media_type,
            size: received.facts.size,
        })
    }
}

impl From<IntakeError> for Error {
    fn from(error: IntakeError) -> Self {
        match error {
            IntakeError::TooLarge { .. } => Self::TooLarge(error.to_string()),
            IntakeError::Empty | IntakeError::Unrecognised => Self::invalid(error.to_string()),
            IntakeError::DiskFull => NO_SPACE,
            IntakeError::Io(_) => Self::Internal(error.to_string()),
        }
    }
}

impl From<ScratchError> for Error {
    fn from(error: ScratchError) -> Self {
        match error {
            ScratchError::Full => NO_SPACE,
            ScratchError::Io(_) => Self::Internal(error.to_string()),
        }
    }
}

impl From<BlobError> for Error {
    fn from(error: BlobError) -> Self {
        match error {
            BlobError::Missing => Self::NotFound("no such file is stored".to_owned()),
            BlobError::DiskFull => NO_SPACE,
            BlobError::RangeOutside { .. } | BlobError::Storage(_) => Self::Internal(error.to_string()),
        }
    }
}

const NO_SPACE: Error = Error::NoSpace("the service has no disk space left for media: nothing was stored");
