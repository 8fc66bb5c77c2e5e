//! Takes a media file down: it is no longer served, and its bytes are not stored again.

use atelier_domain::{FileName, Takedown};
use atelier_media::Blobs;
use atelier_store::Preview;

use crate::{Admin, App, Error, Operator, Result, audit, likeness::Looking};

/// The longest reason, in characters.
const MAX_REASON: usize = 500;

impl App {
    /// See [`Admin::take_down`].
    pub async fn take_down(&self, operator: &Operator, file: &str, reason: &str) -> Result<FileName> {
        let id = self.entropy().uuid(self.now());
        let looking = self.routes().marking().map(|marking| Looking {
            marking,
            folder: self.settings().scratch.below(format!("takedown-{id}")),
        });
        let admin = self.admin(operator);
        admin.take_down_with(self.blobs(), looking, file, reason).await
    }
}

impl Admin {
    /// Takes down the file of this name or URL. Its URL answers 410 from now on; jobs that made or used it stay in
    /// the ledger.
    pub async fn take_down(&self, blobs: &Blobs, file: &str, reason: &str) -> Result<FileName> {
        self.take_down_with(blobs, None, file, reason).await
    }

    /// The same. If there is somebody who looks at the file first, pictures that look like it are not stored again
    /// either.
    pub async fn take_down_with(
        &self,
        blobs: &Blobs,
        looking: Option<Looking<'_>>,
        file: &str,
        reason: &str,
    ) -> Result<FileName> {
        // A signed link has a query.
        let path = file.trim().split('?').next().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default();
        let name: FileName = name.parse().map_err(|_| {
            let message = format!("`{file}` is neither the name nor the URL of a stored file");
            Error::parameter("file", message)
        })?;
        let reason = reason.trim();
        if reason.is_empty() || reason.chars().count() > MAX_REASON {
            let message = format!("the reason must have 1 to {MAX_REASON} characters");
            return Err(Error::parameter("reason", message));
        }
        let likeness = match looking {
            Some(looking) => looking.at(blobs, &name).await,
            None => None,
        };
        let now = self.now();
        let record = audit::record(now, &self.by, "media.takedown", None, &name);
        let record = audit::with(record, &[("reason", reason.into())]);
        // The record comes first: from here on the file is not served, whatever becomes of its bytes.
        if !self.store.take_down(&name, reason, now, record).await? {
            return Err(Error::invalid(format!("{name} was taken down before")));
        }
        if let Some(likeness) = likeness {
            self.store.note_likeness(&name, likeness).await?;
        }
        blobs.delete(&name).await?;
        // Read after the record: a preview that is made later sees the record and removes itself.
        if let Some(Preview::Made(preview)) = self.store.preview(&name).await? {
            blobs.delete(&preview).await?;
        }
        Ok(name)
    }

    /// Returns the files that were taken down, newest first.
    pub async fn takedowns(&self) -> Result<Vec<Takedown>> {
        Ok(self.store.takedowns(200).await?)
    }
}
