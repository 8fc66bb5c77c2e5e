//! Changes an account: credits, plan, beta, limits, signing secret.

use atelier_domain::{Account, Clock, Entropy};
use atelier_store::{AccountChange, Granted, Store};

use crate::{Error, Result, secrets};

/// The account of this name.
pub async fn find(store: &dyn Store, name: &str) -> Result<Account> {
    store
        .account_by_name(name)
        .await?
        .ok_or_else(|| Error::NotFound(format!("there is no account named `{name}`")))
}

/// Changes the account; `credits` are added, or taken away when negative.
pub async fn update(
    store: &dyn Store,
    clock: &dyn Clock,
    name: &str,
    change: AccountChange,
    credits: Option<i64>,
) -> Result<Account> {
    if change.generations_per_minute == Some(Some(0)) {
        return Err(Error::invalid("generations per minute must be at least 1"));
    }
    let account = find(store, name).await?;
    if let Some(credits) = credits.filter(|&credits| credits != 0) {
        let reason = if credits > 0 {
            "granted by the operator"
        } else {
            "taken by the operator"
        };
        match store.grant(account.id, credits, reason, clock.now()).await? {
            Granted::Done { .. } => {}
            Granted::Uncovered { available } => {
                return Err(Error::invalid(format!(
                    "`{name}` has {available} credits left: {} cannot be taken",
                    credits.unsigned_abs()
                )));
            }
            Granted::NoAccount => return Err(Error::NotFound(format!("there is no account named `{name}`"))),
        }
    }
    store
        .update_account(account.id, change)
        .await?
        .ok_or_else(|| Error::NotFound(format!("there is no account named `{name}`")))
}

/// Gives the account a new signing secret; deliveries are signed with it from now on.
pub async fn rotate_secret(store: &dyn Store, entropy: &dyn Entropy, name: &str) -> Result<Account> {
    let account = find(store, name).await?;
    let secret = secrets::new_signing_secret(entropy);
    let change = AccountChange {
        signing_secret: Some(secret),
        ..AccountChange::default()
    };
    store
        .update_account(account.id, change)
        .await?
        .ok_or_else(|| Error::NotFound(format!("there is no account named `{name}`")))
}
