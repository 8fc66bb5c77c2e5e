//! The global switch of the API.

use crate::{Admin, Result, audit};

impl Admin {
    pub async fn api_enabled(&self) -> Result<bool> {
        Ok(self.store.api_enabled().await?)
    }

    /// While the API is off, every request is refused with `api_disabled`; accepted jobs still run.
    pub async fn set_api_enabled(&self, enabled: bool) -> Result<()> {
        let action = if enabled { "api.enable" } else { "api.disable" };
        let record = audit::record(self.now(), &self.by, action, None, "api");
        Ok(self.store.set_api_enabled(enabled, record).await?)
    }
}
