//! Changes an account: credits, plan, beta, limits.

use atelier_domain::{Account, Actor, Clock};
use atelier_store::{AccountChange, Granted, Store};
use serde_json::json;

use crate::{Error, Result, audit};

/// Credits to add, or to take away where the amount is negative.
#[derive(Debug, Clone)]
pub struct Credits {
    pub amount: i64,
    /// What the ledger says of it; a plain word where there is none.
    pub reason: Option<String>,
}

/// The account of this name.
pub async fn find(store: &dyn Store, name: &str) -> Result<Account> {
    store.account_by_name(name).await?.ok_or_else(|| missing(name))
}

/// Changes the account; what is `None` stays.
pub async fn update(
    store: &dyn Store,
    clock: &dyn Clock,
    by: &Actor,
    name: &str,
    change: AccountChange,
    credits: Option<Credits>,
) -> Result<Account> {
    if change.generations_per_minute == Some(Some(0)) {
        return Err(Error::invalid("generations per minute must be at least 1"));
    }
    let account = find(store, name).await?;
    if let Some(credits) = credits.filter(|credits| credits.amount != 0) {
        grant(store, clock, by, &account, credits).await?;
    }
    if change == AccountChange::default() {
        return find(store, name).await;
    }
    let record = audit::record(clock.now(), by, "account.update", Some(account.id), name);
    let details = [
        ("beta", json!(change.beta)),
        ("plan", json!(change.plan)),
        ("generations_per_minute", json!(change.generations_per_minute)),
    ];
    store
        .update_account(account.id, change, audit::with(record, &details))
        .await?
        .ok_or_else(|| missing(name))
}

async fn grant(
    store: &dyn Store,
    clock: &dyn Clock,
    by: &Actor,
    account: &Account,
    credits: Credits,
) -> Result<()> {
    let Credits { amount, reason } = credits;
    let reason = match reason
        .as_deref()
        .map(str::trim)
        .filter(|reason| !reason.is_empty())
    {
        Some(reason) if reason.chars().count() > 200 => {
            return Err(Error::parameter(
                "reason",
                "the reason must have at most 200 characters",
            ));
        }
        Some(reason) => reason.to_owned(),
        None if amount > 0 => "granted by the operator".to_owned(),
        None => "taken by the operator".to_owned(),
    };
    let now = clock.now();
    let record = audit::record(now, by, "credits.grant", Some(account.id), &account.name);
    let record = audit::with(record, &[("credits", json!(amount)), ("reason", json!(reason))]);
    match store.grant(account.id, amount, &reason, now, record).await? {
        Granted::Done { .. } => Ok(()),
        Granted::Uncovered { .. } if amount > 0 => Err(Error::parameter(
            "credits",
            format!(
                "`{}` cannot have so many credits: {amount} more is too much",
                account.name
            ),
        )),
        Granted::Uncovered { available } => Err(Error::invalid(format!(
            "`{}` has {available} credits left: {} cannot be taken",
            account.name,
            amount.unsigned_abs()
        ))),
        Granted::NoAccount => Err(missing(&account.name)),
    }
}

fn missing(name: &str) -> Error {
    Error::NotFound(format!("there is no account named `{name}`"))
}
