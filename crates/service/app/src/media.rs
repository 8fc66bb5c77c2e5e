//! Stored files, which are public: their size and their bytes.

use std::ops::Range;

use atelier_domain::FileName;
use atelier_media::{Blob, BlobError};

use crate::{App, Result};

impl App {
    /// The file's size in bytes; `None` if no such file is stored.
    pub async fn media_size(&self, name: &FileName) -> Result<Option<u64>> {
        Ok(self.blobs().head(name).await?)
    }

    /// The file's bytes, or a part of them; `None` if no such file is stored.
    pub async fn media(&self, name: &FileName, range: Option<Range<u64>>) -> Result<Option<Blob>> {
        match self.blobs().get(name, range).await {
            Ok(blob) => Ok(Some(blob)),
            Err(BlobError::Missing) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Passes a provider's callback to the attempt that waits for it; false if none does.
    pub fn tell_callback(&self, token: &str, told: serde_json::Value) -> bool {
        self.routes().callbacks().deliver(token, told)
    }
}
