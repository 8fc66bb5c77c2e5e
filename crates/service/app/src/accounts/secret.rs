//! The secret that webhooks are signed with: shown, and changed without a gap.

use std::time::Duration;

use atelier_domain::{Account, Actor, Clock, Entropy, SigningSecrets};
use atelier_store::{AccountChange, Store};

use super::update::find;
use crate::{App, Error, Result, audit, people::SignedIn, secrets};

/// How long the secret before signs beside the new one.
pub const OVERLAP: Duration = Duration::from_secs(24 * 3_600);

/// Gives the account a new signing secret. For [`OVERLAP`] the one before signs too, in the Standard Webhooks
/// header; a secret before that one stops at once.
pub async fn rotate(
    store: &dyn Store,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    by: &Actor,
    name: &str,
) -> Result<Account> {
    let account = find(store, name).await?;
    let now = clock.now();
    let record = audit::record(now, by, "secret.rotate", Some(account.id), name);
    store
        .rotate_secret(
            account.id,
            secrets::new_signing_secret(entropy),
            now.plus(OVERLAP),
            record,
        )
        .await?
        .ok_or_else(|| Error::NotFound(format!("there is no account named `{name}`")))
}

impl App {
    /// The signing secrets of the signed-in user's account. That they were looked at is written down.
    pub async fn reveal_secret(&self, signed_in: &SignedIn) -> Result<SigningSecrets> {
        let account = signed_in.account();
        let now = self.now();
        let record = audit::record(
            now,
            &signed_in.actor(),
            "secret.reveal",
            Some(account.id),
            &account.name,
        );
        let unchanged = AccountChange::default();
        let account = self.store().update_account(account.id, unchanged, record).await?;
        let account = account.ok_or_else(|| Error::NotFound("the account is gone".to_owned()))?;
        Ok(account.signing)
    }

    /// Gives the signed-in user's account a new signing secret; see [`rotate`].
    pub async fn rotate_secret(&self, signed_in: &SignedIn) -> Result<SigningSecrets> {
        let (by, name) = (signed_in.actor(), &signed_in.account().name);
        let account = rotate(self.store(), self.clock(), self.entropy(), &by, name).await?;
        Ok(account.signing)
    }
}
