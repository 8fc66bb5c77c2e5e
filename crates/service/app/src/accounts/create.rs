//! Creates an account with its first key.

use atelier_domain::{Account, AccountId, LowBalance, Plan, PromptInFiles, QueueLimits, SigningSecrets};
use atelier_store::{Created, NewAccount};

use super::{
    keys::{self, NewKey},
    name::check_name,
};
use crate::{Admin, Error, Result, audit, secrets};

/// The operator's choices for a new account.
#[derive(Debug, Clone)]
pub struct CreateAccount {
    pub name: String,
    pub credits: i64,
    pub plan: Option<Plan>,
    pub beta: bool,
    pub generations_per_minute: Option<u32>,
    /// Whether links to its files are signed and expire.
    pub private_media: bool,
}

/// A new account, and its key's text, which is not kept anywhere.
#[derive(Debug, Clone)]
pub struct CreatedAccount {
    pub account: Account,
    pub key: NewKey,
}

impl Admin {
    /// Creates an account with its first key, whose text is shown only once.
    pub async fn create_account(&self, new: CreateAccount) -> Result<CreatedAccount> {
        let name = check_name("account", &new.name)?;
        if new.credits < 0 {
            return Err(Error::invalid(format!(
                "credits must be 0 or more (got {})",
                new.credits
            )));
        }
        if new.generations_per_minute == Some(0) {
            return Err(Error::invalid(
                "generations per minute must be at least 1 (got 0)",
            ));
        }
        let now = self.now();
        let account = Account {
            id: AccountId(self.entropy.uuid(now)),
            name: name.clone(),
            beta: new.beta,
            plan: new.plan,
            available: new.credits,
            held: 0,
            signing: SigningSecrets::new(secrets::new_signing_secret(&*self.entropy)),
            generations_per_minute: new.generations_per_minute,
            plan_per_minute: None,
            queue: QueueLimits::default(),
            monthly_budget: None,
            retention_days: None,
            private_media: new.private_media,
            prompt_in_files: PromptInFiles::Metadata,
            low_balance: LowBalance::default(),
            created_at: now,
        };
        let (key, stored) = keys::new_key(account.id, "first", now, &*self.entropy);
        let record = audit::record(now, &self.by, "account.create", Some(account.id), &name);
        let record = audit::with(record, &[("credits", account.available.into())]);
        let created = NewAccount {
            account: account.clone(),
            key: stored,
        };
        match self.store.create_account(created, record).await? {
            Created::Created => Ok(CreatedAccount { account, key }),
            Created::NameTaken => Err(Error::invalid(format!(
                "an account named `{name}` already exists"
            ))),
        }
    }
}
