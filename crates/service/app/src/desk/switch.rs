//! The global switch of the API.

use atelier_domain::{Actor, Clock};
use atelier_store::Store;

use crate::{App, Operator, Result, audit};

impl App {
    pub async fn api_enabled(&self, _: &Operator) -> Result<bool> {
        Ok(self.store().api_enabled().await?)
    }

    /// Off: every request is refused with `api_disabled`; jobs that were accepted still run.
    pub async fn set_api_enabled(&self, operator: &Operator, enabled: bool) -> Result<()> {
        switch(self.store(), self.clock(), &operator.actor(), enabled).await
    }
}

/// The same for the command line.
pub async fn switch(store: &dyn Store, clock: &dyn Clock, by: &Actor, enabled: bool) -> Result<()> {
    let action = if enabled { "api.enable" } else { "api.disable" };
    let record = audit::record(clock.now(), by, action, None, "api");
    Ok(store.set_api_enabled(enabled, record).await?)
}
