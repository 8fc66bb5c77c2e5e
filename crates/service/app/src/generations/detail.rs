//! Everything about one generation, for its owner: parameters, times, ledger entries, deliveries.

use atelier_domain::{Entry, Failure, Generation, Scope};

use crate::{
    App, Caller, Error, Result,
    webhooks::deliveries::{DeliveryDetail, described, secrets},
};

#[derive(Debug, Clone)]
pub struct GenerationDetail {
    pub generation: Generation,
    /// Why the attempt before the last one ended without media, if there was one.
    pub last_failure: Option<Failure>,
    /// The job's entries in the ledger, in order: a hold, then a settlement or a release.
    pub entries: Vec<Entry>,
    pub deliveries: Vec<DeliveryDetail>,
}

impl App {
    pub async fn generation_detail(&self, caller: &Caller, id: &str) -> Result<GenerationDetail> {
        let missing = || Error::NotFound("there is no generation with this id".to_owned());
        let id = id.parse().map_err(|_| missing())?;
        let account = caller.account(Scope::Read)?;
        let found = self.store().generation_detail(account.id, id).await?;
        let Some(found) = found else {
            return Err(self.not_found(caller, id).await);
        };
        let now = self.now();
        let mut deliveries = Vec::with_capacity(found.deliveries.len());
        for (delivery, attempts) in &found.deliveries {
            let signing = secrets(self.store(), delivery, &account.signing).await?;
            deliveries.push(described(delivery, attempts, &signing, now));
        }
        Ok(GenerationDetail {
            generation: found.generation,
            last_failure: found.last_failure,
            entries: found.entries,
            deliveries,
        })
    }
}
