//! The secret that webhooks are signed with: shown, and changed without a gap.

use std::time::Duration;

use atelier_domain::{Account, Right, SigningSecrets};
use atelier_store::AccountChange;

use crate::{Admin, App, Error, Result, audit, people::SignedIn, secrets};

/// How long the previous secret still signs beside the new one.
pub const OVERLAP: Duration = Duration::from_hours(24);

impl Admin {
    /// Gives the account a new signing secret. The previous one also signs for [`OVERLAP`], in the Standard
    /// Webhooks header; older ones stop immediately.
    pub async fn rotate_secret(&self, account: &str) -> Result<Account> {
        let account = self.account(account).await?;
        let now = self.now();
        let secret = secrets::new_signing_secret(&*self.entropy);
        let (id, name) = (account.id, &account.name);
        let record = audit::record(now, &self.by, "secret.rotate", Some(id), name);
        let until = now.plus(OVERLAP);
        let rotated = self.store.rotate_secret(id, secret, until, record).await?;
        rotated.ok_or_else(|| Error::NotFound(format!("there is no account named `{name}`")))
    }
}

impl App {
    /// The signing secrets of the signed-in user's account. The look at them is written into the record of
    /// changes.
    pub async fn reveal_secret(&self, signed_in: &SignedIn) -> Result<SigningSecrets> {
        let account = signed_in.may(Right::Webhooks)?;
        let (by, id) = (signed_in.actor(), account.id);
        let record = audit::record(self.now(), &by, "secret.reveal", Some(id), &account.name);
        let unchanged = AccountChange::default();
        let account = self.store().update_account(id, unchanged, record).await?;
        let account = account.ok_or_else(|| Error::NotFound("the account no longer exists".to_owned()))?;
        Ok(account.signing)
    }

    /// Gives the signed-in user's account a new signing secret; see [`Admin::rotate_secret`].
    pub async fn rotate_secret(&self, signed_in: &SignedIn) -> Result<SigningSecrets> {
        let account = signed_in.may(Right::Webhooks)?;
        let admin = self.acting(signed_in.actor());
        let account = admin.rotate_secret(&account.name).await?;
        Ok(account.signing)
    }
}
