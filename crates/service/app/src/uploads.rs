//! Uploads: files for use in generations, streamed to scratch, named by their content, stored durably.

pub mod direct;

use atelier_domain::{FileFacts, FileName, MediaType, RateState, Scope, Timestamp};
use atelier_media::{BlobError, Intake, IntakeError, Received, scratch::ScratchError};
use atelier_store::{Gone, Holder, Removal, TokenTaken};

use crate::{App, Caller, Error, Result, audit, storing::Bytewise};

/// A file that an account has uploaded.
#[derive(Debug, Clone, PartialEq)]
pub struct UploadedFile {
    pub name: FileName,
    pub facts: FileFacts,
    /// The last time it was uploaded.
    pub at: Timestamp,
}

impl From<atelier_store::UploadedFile> for UploadedFile {
    fn from(stored: atelier_store::UploadedFile) -> Self {
        Self {
            name: stored.name,
            facts: stored.facts,
            at: stored.at,
        }
    }
}

/// A stored upload.
#[derive(Debug, Clone)]
pub struct Uploaded {
    pub url: String,
    pub media_type: MediaType,
    pub size: u64,
}

/// A deleted upload.
#[derive(Debug, Clone)]
pub struct DeletedUpload {
    pub file: FileName,
    pub url: String,
    /// Whether the file itself is gone. Otherwise a job or another account still uses it.
    pub is_gone: bool,
}

impl App {
    /// Takes one token of the limit that uploads and tests of webhooks share with generations.
    pub async fn take_generation_token(&self, caller: &Caller, scope: Scope) -> Result<RateState> {
        let account = caller.may_make(scope)?.id;
        let default = self.settings().generations_per_minute;
        match self.store().take_token(account, default, self.now()).await? {
            TokenTaken::Taken(state) => Ok(state),
            TokenTaken::Limited(limited) => Err(Error::RateLimited(limited)),
        }
    }

    /// A place for the bytes of an upload. If dropped early, it leaves nothing behind.
    pub async fn begin_upload(&self, caller: &Caller) -> Result<Intake> {
        caller.may_make(Scope::Upload)?;
        let settings = self.settings();
        Ok(Intake::new(&settings.scratch, settings.max_upload_bytes).await?)
    }

    /// Stores a finished upload. The same bytes always have the same URL.
    pub async fn finish_upload(&self, caller: &Caller, received: &Received) -> Result<Uploaded> {
        let account = caller.may_make(Scope::Upload)?.id;
        if self.store().gone(&received.name).await? == Some(Gone::TakenDown) {
            return Err(self.upload_was_taken_down(account).await);
        }
        self.upload_is_allowed(account, (received.path(), &received.facts))
            .await?;
        let (bytes, holder) = (Bytewise::Path(received.path()), Holder::Upload(account));
        match self
            .store_file(bytes, &received.name, &received.facts, holder)
            .await
        {
            Err(Error::Gone(_)) => return Err(self.upload_was_taken_down(account).await),
            stored => stored?,
        }
        Ok(Uploaded {
            url: self.links(caller).await?.url(&received.name),
            media_type: received.facts.media_type,
            size: received.facts.size,
        })
    }

    /// Deletes an upload of the caller. The file goes if nobody else has uploaded it and no job uses it.
    pub async fn delete_upload(&self, caller: &Caller, name: &str) -> Result<DeletedUpload> {
        let missing = || Error::NotFound(format!("there is no upload with the name `{name}`"));
        let file: FileName = name.parse().map_err(|_| missing())?;
        let account = caller.account(Scope::Upload)?.id;
        let record = audit::record(self.now(), &caller.actor(), "upload.delete", Some(account), &file);
        let deletion = self.deletion(Some(record));
        match self.store().delete_upload(account, &file, deletion).await? {
            Removal::Removed(files) => {
                self.remove_bytes(&files).await;
                Ok(DeletedUpload {
                    url: self.media_url(&file),
                    is_gone: !files.is_empty(),
                    file,
                })
            }
            _ => Err(missing()),
        }
    }

    /// The caller's uploads in the order of their names, at most `limit`, after the file `after`.
    pub async fn uploads(
        &self,
        caller: &Caller,
        after: Option<FileName>,
        limit: u32,
    ) -> Result<Vec<UploadedFile>> {
        let account = caller.account(Scope::Read)?.id;
        let uploads = self.store().uploads(account, after, limit).await?;
        Ok(uploads.into_iter().map(UploadedFile::from).collect())
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
            BlobError::RangeOutside { .. } => Self::Internal(error.to_string()),
            BlobError::Storage(_) => {
                tracing::warn!(%error, "a file could not be stored, read or removed");
                Self::Unavailable("the media storage fails: try again shortly")
            }
        }
    }
}

const NO_SPACE: Error = Error::NoSpace("the service has no disk space left for media: nothing was stored");
