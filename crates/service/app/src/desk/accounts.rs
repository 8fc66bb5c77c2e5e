//! Accounts, as operators make and change them.

use atelier_domain::Account;
use atelier_store::AccountChange;

use crate::{
    App, Operator, Result,
    accounts::{
        create::{self, CreateAccount, CreatedAccount},
        update::{self, Credits},
    },
};

impl App {
    /// All accounts, by name.
    pub async fn accounts(&self, _: &Operator) -> Result<Vec<Account>> {
        Ok(self.store().accounts().await?)
    }

    /// The account of this name.
    pub async fn account_named(&self, _: &Operator, name: &str) -> Result<Account> {
        update::find(self.store(), name).await
    }

    /// Makes an account with its first key, whose text is shown this once.
    pub async fn create_account(&self, operator: &Operator, new: CreateAccount) -> Result<CreatedAccount> {
        create::create(self.store(), self.clock(), self.entropy(), &operator.actor(), new).await
    }

    /// Changes beta, plan or limits; what is `None` stays.
    pub async fn update_account(
        &self,
        operator: &Operator,
        name: &str,
        change: AccountChange,
    ) -> Result<Account> {
        update::update(self.store(), self.clock(), &operator.actor(), name, change, None).await
    }

    /// Adds credits, or takes some away where they are negative; never below zero. The reason stands in the
    /// ledger for the account to read.
    pub async fn grant_credits(
        &self,
        operator: &Operator,
        name: &str,
        credits: i64,
        reason: &str,
    ) -> Result<Account> {
        let credits = Credits {
            amount: credits,
            reason: Some(reason.to_owned()),
        };
        let unchanged = AccountChange::default();
        update::update(
            self.store(),
            self.clock(),
            &operator.actor(),
            name,
            unchanged,
            Some(credits),
        )
        .await
    }
}
