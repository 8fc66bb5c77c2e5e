//! Deletes a generation that has ended, with its files as far as nobody else uses them.

use atelier_domain::{GenerationId, Scope};
use atelier_store::{DeletedGeneration, Removal};

use super::get::READING;
use crate::{App, Caller, Error, Result, audit};

impl App {
    /// Deletes the caller's generation. Its ledger entries stay.
    pub async fn delete_generation(&self, caller: &Caller, id: &str) -> Result<DeletedGeneration> {
        let missing = || Error::NotFound(format!("there is no generation with the id `{id}`"));
        let account = caller.account(Scope::Generate)?.id;
        let id: GenerationId = id.parse().map_err(|_| missing())?;
        let record = audit::record(
            self.now(),
            &caller.actor(),
            "generation.delete",
            Some(account),
            id,
        );
        let deletion = self.deletion(Some(record));
        match self.store().delete_generation(account, id, deletion).await? {
            Removal::Removed(files) => self.remove_bytes(&files).await,
            Removal::Before => {}
            Removal::Missing => return Err(missing()),
            Removal::Unfinished => {
                return Err(Error::Conflict(format!(
                    "generation `{id}` has not ended: cancel it first, or wait until it has ended"
                )));
            }
        }
        let deleted = self.store().deleted_generation(account, id).await?;
        deleted.ok_or_else(missing)
    }

    /// The error about a generation that is not found: it never was, or it was deleted.
    pub(crate) async fn not_found(&self, caller: &Caller, id: GenerationId) -> Error {
        let account = match caller.account_for(&READING) {
            Ok(account) => account.id,
            Err(error) => return error,
        };
        match self.store().deleted_generation(account, id).await {
            Ok(Some(deleted)) => {
                Error::Gone(format!("generation `{id}` was deleted at {}", deleted.deleted_at))
            }
            Ok(None) => Error::NotFound(format!("there is no generation with the id `{id}`")),
            Err(error) => error.into(),
        }
    }
}
