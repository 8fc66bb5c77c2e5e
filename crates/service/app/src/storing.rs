//! Puts files into the media storage: their bytes, then the record that somebody uses them. And removes the bytes of
//! files that nobody uses any more.

use std::{collections::HashMap, path::Path, time::Duration};

use atelier_domain::{FileFacts, FileName, Timestamp};
use atelier_media::Blobs;
use atelier_store::{Deletion, Gone, Holder, Preview, Recorded, Store};
use bytes::Bytes;

use crate::{App, Error, Result, System};

/// How long the bytes of a deleted file are left to whoever deleted it.
const LEASE: Duration = Duration::from_mins(10);
/// The longest removal of one file. It is much shorter than the lease, so a removal never meets a file that came back.
const LONGEST: Duration = Duration::from_mins(1);
/// Files removed with one lease.
const AT_ONCE: u32 = 5;
/// How often, and after which pauses, a file is stored again whose deleted copy is being removed.
const TRIES: u32 = 30;
const PAUSE: Duration = Duration::from_millis(100);

/// The source of the bytes of a file.
pub(crate) enum Bytewise<'a> {
    Path(&'a Path),
    Bytes(&'static [u8]),
    /// They are stored already.
    Stored,
}

impl App {
    /// Stores a file that `holder` uses. If it was taken down, nothing stays of it.
    pub(crate) async fn store_file(
        &self,
        bytes: Bytewise<'_>,
        name: &FileName,
        facts: &FileFacts,
        holder: Holder,
    ) -> Result<()> {
        for _ in 0..TRIES {
            self.put(&bytes, name).await?;
            match self.store().record_file(name, facts, holder, self.now()).await? {
                Recorded::New => return Ok(()),
                Recorded::Known => {
                    // The bytes may have been removed after they were put there, but they are no longer removed.
                    if self.blobs().head(name).await?.is_none() {
                        self.put(&bytes, name).await?;
                    }
                    return Ok(());
                }
                Recorded::TakenDown => {
                    self.blobs().delete(name).await?;
                    return Err(Error::Gone("this file was taken down".to_owned()));
                }
                Recorded::Leaving => tokio::time::sleep(PAUSE).await,
            }
        }
        Err(Error::Unavailable(
            "a deleted copy of this file is still being removed: try again shortly",
        ))
    }

    async fn put(&self, bytes: &Bytewise<'_>, name: &FileName) -> Result<()> {
        match bytes {
            Bytewise::Path(path) => self.blobs().put_file(path, name).await?,
            Bytewise::Bytes(bytes) => self.blobs().put_bytes(Bytes::from_static(bytes), name).await?,
            Bytewise::Stored => {}
        }
        Ok(())
    }

    /// A deletion that begins now, with the record of who made it.
    pub(crate) fn deletion(&self, record: Option<atelier_domain::AuditRecord>) -> Deletion {
        let now = self.now();
        Deletion {
            now,
            lease_until: lease_until(now),
            record,
        }
    }

    /// See [`remove_bytes`].
    pub(crate) async fn remove_bytes(&self, files: &[FileName]) {
        remove_bytes(self.store(), self.blobs(), files).await;
    }

    /// The files among these that are no longer served, with the reasons in words for people.
    pub async fn files_gone(&self, names: &[FileName]) -> Result<HashMap<FileName, &'static str>> {
        let mut gone = HashMap::new();
        for (name, facts) in names.iter().zip(self.store().files(names).await?) {
            if facts.is_some() {
                continue;
            }
            let why = match self.store().gone(name).await? {
                None => continue,
                Some(Gone::TakenDown) => "taken down",
                Some(Gone::Deleted) => "deleted",
            };
            gone.insert(name.clone(), why);
        }
        Ok(gone)
    }

    /// An error if the file is no longer served.
    pub async fn still_up(&self, name: &FileName) -> Result<()> {
        match self.store().gone(name).await? {
            None => Ok(()),
            Some(Gone::TakenDown) => Err(Error::Gone("this file was taken down".to_owned())),
            Some(Gone::Deleted) => Err(Error::Gone("this file was deleted".to_owned())),
        }
    }
}

/// Until when the bytes of files that are deleted now are left to whoever deletes them.
pub(crate) fn lease_until(now: Timestamp) -> Timestamp {
    now.plus(LEASE)
}

/// Removes the bytes of files whose removal was leased just now. A failed removal is tried again after the lease.
pub(crate) async fn remove_bytes(store: &dyn Store, blobs: &Blobs, files: &[FileName]) {
    let mut removed = Vec::with_capacity(files.len());
    for file in files {
        match tokio::time::timeout(LONGEST, remove_file(store, blobs, file)).await {
            Ok(Ok(())) => removed.push(file.clone()),
            Ok(Err(error)) => tracing::warn!(%file, %error, "a deleted file could not be removed"),
            Err(_) => tracing::warn!(%file, "a deleted file could not be removed in time"),
        }
    }
    if let Err(error) = store.files_removed(&removed).await {
        tracing::warn!(%error, "the removal of deleted files could not be recorded");
    }
}

async fn remove_file(store: &dyn Store, blobs: &Blobs, file: &FileName) -> Result<()> {
    blobs.delete(file).await?;
    if let Some(Preview::Made(preview)) = store.preview(file).await?
        && store.files(std::slice::from_ref(&preview)).await? == [None]
    {
        blobs.delete(&preview).await?;
    }
    Ok(())
}

impl System {
    /// Removes the bytes of files that were deleted by somebody who did not come to that.
    pub async fn remove_deleted_files(&self) -> Result<()> {
        loop {
            let app = &self.app;
            let deletion = app.deletion(None);
            let files = app
                .store()
                .claim_deleted_files(deletion.now, deletion.lease_until, AT_ONCE)
                .await?;
            if files.is_empty() {
                return Ok(());
            }
            app.remove_bytes(&files).await;
        }
    }
}
