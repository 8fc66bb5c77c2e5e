//! Under which key results are marked.

use crate::{App, Error, Result};

/// The name of the key in the store.
const SECRET: &str = "watermark";

impl App {
    /// The key of all marks: that of the configuration, or else one that the first node made.
    pub async fn watermark_key(&self) -> Result<[u8; 32]> {
        if let Some(key) = self.settings().watermark_key {
            return Ok(key);
        }
        let key = self.0.watermark_key.get_or_try_init(async || {
            let mut fresh = [0; 32];
            self.entropy().fill(&mut fresh);
            let known = self.store().secret(SECRET, &fresh, self.now()).await?;
            let wrong = |_| Error::Internal("the stored key of watermarks does not have 32 bytes".to_owned());
            <[u8; 32]>::try_from(known).map_err(wrong)
        });
        key.await.copied()
    }
}
