//! Licences of trained weights that somebody accepted.

use crate::{Admin, Result, audit};

impl Admin {
    /// Writes into the record of changes that the licence of these weights was accepted.
    pub async fn accept_licence(&self, weights: &str, licence: &str, page: &str) -> Result<()> {
        let record = audit::record(self.now(), &self.by, "licence.accept", None, weights);
        let details = [("licence", licence.into()), ("page", page.into())];
        Ok(self.store.record(audit::with(record, &details)).await?)
    }
}
