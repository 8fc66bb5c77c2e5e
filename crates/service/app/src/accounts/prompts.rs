//! The places where the files of an account name the prompt that made them.

use atelier_domain::{Generation, PromptInFiles, Right};

use super::update::AccountUpdate;
use crate::{App, Caller, Result, System};

impl App {
    /// Sets it for the caller's account, for files that are made from now on.
    pub async fn set_prompt_in_files(&self, caller: &Caller, place: PromptInFiles) -> Result<()> {
        let account = caller.account(Right::Members)?;
        let update = AccountUpdate {
            prompt_in_files: Some(place),
            ..AccountUpdate::default()
        };
        let admin = self.acting(caller.actor());
        admin.update_account(&account.name, update, None).await?;
        Ok(())
    }
}

impl System {
    /// Returns the place where the files of a job name its prompt: none, if that cannot be read.
    pub async fn prompt_in_files(&self, generation: &Generation) -> PromptInFiles {
        match self.app.store().account(generation.account).await {
            Ok(account) => account.map_or(PromptInFiles::Nowhere, |account| account.prompt_in_files),
            Err(error) => {
                tracing::warn!(id = %generation.id, %error, "a result does not name its prompt");
                PromptInFiles::Nowhere
            }
        }
    }
}
