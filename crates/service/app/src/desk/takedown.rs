//! Takes a media file down: it is not served any more and its bytes are not taken in again.

use atelier_domain::{Actor, Clock, FileName};
use atelier_media::Blobs;
use atelier_store::{Preview, Store, Takedown};

use crate::{App, Error, Operator, Result, audit};

/// The longest reason.
const MAX_REASON: usize = 500;

impl App {
    /// Takes down the file of this name or URL. Its URL answers 410 from now on; what was made with it stays
    /// in the books.
    pub async fn take_down(&self, operator: &Operator, file: &str, reason: &str) -> Result<FileName> {
        let by = operator.actor();
        take_down(self.store(), self.clock(), self.blobs(), &by, file, reason).await
    }

    /// What was taken down, newest first.
    pub async fn takedowns(&self, _: &Operator) -> Result<Vec<Takedown>> {
        Ok(self.store().takedowns(200).await?)
    }

    /// An error where the file was taken down.
    pub async fn still_up(&self, name: &FileName) -> Result<()> {
        if self.store().is_taken_down(name).await? {
            return Err(Error::Gone("this file was taken down".to_owned()));
        }
        Ok(())
    }
}

/// The same for the command line.
pub async fn take_down(
    store: &dyn Store,
    clock: &dyn Clock,
    blobs: &Blobs,
    by: &Actor,
    file: &str,
    reason: &str,
) -> Result<FileName> {
    let name = file.trim().rsplit('/').next().unwrap_or_default();
    let name: FileName = name.parse().map_err(|_| {
        let message = format!("`{file}` is neither the name nor the URL of a stored file");
        Error::parameter("file", message)
    })?;
    let reason = reason.trim();
    if reason.is_empty() || reason.chars().count() > MAX_REASON {
        let message = format!("the reason must have 1 to {MAX_REASON} characters");
        return Err(Error::parameter("reason", message));
    }
    let preview = store.preview(&name).await?;
    let now = clock.now();
    let record = audit::record(now, by, "media.takedown", None, &name);
    let record = audit::with(record, &[("reason", reason.into())]);
    // First the word, then the deed: from here on the file is not served, whatever becomes of its bytes.
    if !store.take_down(&name, reason, now, record).await? {
        return Err(Error::invalid(format!("{name} was taken down before")));
    }
    blobs.delete(&name).await?;
    if let Some(Preview::Made(preview)) = preview {
        blobs.delete(&preview).await?;
    }
    Ok(name)
}
