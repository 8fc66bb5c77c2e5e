//! Makes an account with its first key.

use atelier_domain::{Account, AccountId, Actor, Clock, Entropy, Plan, SigningSecrets};
use atelier_store::{Created, NewAccount, Store};

use super::keys::{self, NewKey};
use crate::{Error, Result, audit, secrets};

/// What the operator says of a new account.
#[derive(Debug, Clone)]
pub struct CreateAccount {
    pub name: String,
    pub credits: i64,
    pub plan: Option<Plan>,
    pub beta: bool,
    pub generations_per_minute: Option<u32>,
}

/// A new account, and its key's text, which is not kept anywhere.
#[derive(Debug, Clone)]
pub struct CreatedAccount {
    pub account: Account,
    pub key: NewKey,
}

pub async fn create(
    store: &dyn Store,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    by: &Actor,
    new: CreateAccount,
) -> Result<CreatedAccount> {
    let name = check_name("account", &new.name)?;
    if new.credits < 0 {
        return Err(Error::invalid(format!(
            "credits must be 0 or more, not {}",
            new.credits
        )));
    }
    if new.generations_per_minute == Some(0) {
        return Err(Error::invalid("generations per minute must be at least 1"));
    }
    let now = clock.now();
    let account = Account {
        id: AccountId(entropy.uuid(now)),
        name: name.clone(),
        beta: new.beta,
        plan: new.plan,
        available: new.credits,
        held: 0,
        signing: SigningSecrets::new(secrets::new_signing_secret(entropy)),
        generations_per_minute: new.generations_per_minute,
        created_at: now,
    };
    let (key, stored) = keys::new_key(account.id, "first", now, entropy);
    let record = audit::record(now, by, "account.create", Some(account.id), &name);
    let record = audit::with(record, &[("credits", account.available.into())]);
    let made = NewAccount {
        account: account.clone(),
        key: stored,
    };
    match store.create_account(made, record).await? {
        Created::Created => Ok(CreatedAccount { account, key }),
        Created::NameTaken => Err(Error::invalid(format!(
            "an account named `{name}` exists already"
        ))),
    }
}

/// Names are shown in lists and typed in commands: 1 to 100 characters, none of them a control character.
pub(crate) fn check_name(what: &str, name: &str) -> Result<String> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 100 || name.chars().any(char::is_control) {
        return Err(Error::invalid(format!(
            "the {what}'s name must be 1 to 100 characters without control characters, not {name:?}"
        )));
    }
    Ok(name.to_owned())
}
