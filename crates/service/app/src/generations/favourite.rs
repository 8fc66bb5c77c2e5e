//! Marks results as favourites of the account.

use std::collections::HashSet;

use atelier_domain::{Generation, GenerationId, Scope};
use atelier_store::{MOST_FAVOURITES, Marked};

use crate::{App, Caller, Error, Result};

impl App {
    /// Makes a completed generation a favourite, or not one.
    pub async fn set_favourite(&self, caller: &Caller, id: &str, favourite: bool) -> Result<GenerationId> {
        let account = caller.account(Scope::Generate)?.id;
        let missing = || Error::NotFound(format!("there is no completed generation with the id `{id}`"));
        let id: GenerationId = id.parse().map_err(|_| missing())?;
        let since = favourite.then(|| self.now());
        match self.store().set_favourite(account, id, since).await? {
            Marked::Marked => Ok(id),
            Marked::Missing => Err(missing()),
            Marked::Full => Err(Error::invalid(format!(
                "an account has at most {MOST_FAVOURITES} favourites: remove others first"
            ))),
        }
    }

    /// Returns the ids of those of these generations that are favourites.
    pub async fn favourites(
        &self,
        caller: &Caller,
        generations: &[Generation],
    ) -> Result<HashSet<GenerationId>> {
        let account = caller.account(Scope::Read)?.id;
        let completed = generations.iter().filter(|one| one.output.is_some());
        let ids: Vec<GenerationId> = completed.map(|one| one.id).collect();
        Ok(self.store().favourites(account, &ids).await?)
    }
}
