//! Changes an account: credits, plan, beta, limits.

use atelier_domain::{Account, AuditRecord, Plan, PromptInFiles};
use atelier_store::{AccountChange, Grant, Granted};
use serde_json::json;

use crate::{Admin, Error, Result, audit};

/// The least days after which jobs of an account may go.
const MIN_RETENTION_DAYS: u32 = 2;

/// The changes to an account; `None` leaves a value as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountUpdate {
    pub beta: Option<bool>,
    /// `Some(None)`: no plan.
    pub plan: Option<Option<Plan>>,
    /// `Some(None)`: the service's default.
    pub generations_per_minute: Option<Option<u32>>,
    /// `Some(None)`: any number.
    pub max_queued: Option<Option<u32>>,
    pub max_running: Option<Option<u32>>,
    /// The most credits in one month in UTC; `Some(None)`: no limit.
    pub monthly_budget: Option<Option<i64>>,
    /// After how many days its jobs and uploads go; `Some(None)`: as the configuration says.
    pub retention_days: Option<Option<u32>>,
    /// Whether links to its files are signed and expire.
    pub private_media: Option<bool>,
    pub prompt_in_files: Option<PromptInFiles>,
}

/// Credits to add (negative to remove).
#[derive(Debug, Clone)]
pub struct Credits {
    pub amount: i64,
    /// The reason in the ledger; a default if missing or blank.
    pub reason: Option<String>,
}

impl Admin {
    /// All accounts, by name.
    pub async fn accounts(&self) -> Result<Vec<Account>> {
        Ok(self.store.accounts().await?)
    }

    /// The account of this name.
    pub async fn account(&self, name: &str) -> Result<Account> {
        let account = self.store.account_by_name(name).await?;
        account.ok_or_else(|| missing(name))
    }

    /// Changes the account and its credits in one transaction; what is `None` stays.
    pub async fn update_account(
        &self,
        name: &str,
        update: AccountUpdate,
        credits: Option<Credits>,
    ) -> Result<Account> {
        let limits = [
            ("generations per minute", update.generations_per_minute),
            ("queued jobs", update.max_queued),
            ("running jobs", update.max_running),
        ];
        if let Some((what, _)) = limits.iter().find(|(_, limit)| *limit == Some(Some(0))) {
            return Err(Error::invalid(format!("{what} must be at least 1 (got 0)")));
        }
        if let Some(Some(budget @ ..0)) = update.monthly_budget {
            return Err(Error::invalid(format!(
                "the monthly budget must be at least 0 (got {budget})"
            )));
        }
        if let Some(Some(days @ ..MIN_RETENTION_DAYS)) = update.retention_days {
            return Err(Error::invalid(format!(
                "jobs are kept for at least {MIN_RETENTION_DAYS} days (got {days}): idempotency keys lead to them"
            )));
        }
        let account = self.account(name).await?;
        let credits = credits.filter(|credits| credits.amount != 0);
        match (credits, update == AccountUpdate::default()) {
            (None, true) => {}
            (None, false) => {
                let (change, record) = self.change(&account, update);
                let changed = self.store.update_account(account.id, change, record).await?;
                return changed.ok_or_else(|| missing(name));
            }
            (Some(credits), true) => {
                let grant = self.grant(&account, &credits)?;
                let Grant {
                    credits: amount,
                    reason,
                    at,
                    record,
                } = grant;
                let granted = self.store.grant(account.id, amount, &reason, at, record);
                was_granted(granted.await?, &account, amount)?;
            }
            (Some(credits), false) => {
                let grant = self.grant(&account, &credits)?;
                let (change, record) = self.change(&account, update);
                let granted = self.store.grant_and_update(account.id, grant, change, record);
                was_granted(granted.await?, &account, credits.amount)?;
            }
        }
        self.account(name).await
    }

    fn change(&self, account: &Account, update: AccountUpdate) -> (AccountChange, AuditRecord) {
        let (id, name) = (Some(account.id), &account.name);
        let record = audit::record(self.now(), &self.by, "account.update", id, name);
        let details = [
            ("beta", json!(update.beta)),
            ("plan", json!(update.plan)),
            ("generations_per_minute", json!(update.generations_per_minute)),
            ("max_queued", json!(update.max_queued)),
            ("max_running", json!(update.max_running)),
            ("monthly_budget", json!(update.monthly_budget)),
            ("retention_days", json!(update.retention_days)),
            ("private_media", json!(update.private_media)),
            (
                "prompt_in_files",
                json!(update.prompt_in_files.map(PromptInFiles::as_str)),
            ),
        ];
        let change = AccountChange {
            beta: update.beta,
            plan: update.plan,
            generations_per_minute: update.generations_per_minute,
            max_queued: update.max_queued,
            max_running: update.max_running,
            monthly_budget: update.monthly_budget,
            retention_days: update.retention_days,
            private_media: update.private_media,
            prompt_in_files: update.prompt_in_files,
        };
        (change, audit::with(record, &details))
    }

    /// Adds credits, or removes some if the amount is negative; the balance never goes below zero. The account
    /// reads the reason in its ledger.
    pub async fn grant_credits(&self, name: &str, amount: i64, reason: &str) -> Result<Account> {
        let credits = Credits {
            amount,
            reason: Some(reason.to_owned()),
        };
        self.update_account(name, AccountUpdate::default(), Some(credits))
            .await
    }

    fn grant(&self, account: &Account, credits: &Credits) -> Result<Grant> {
        let amount = credits.amount;
        let reason = credits.checked_reason()?;
        let at = self.now();
        let record = audit::record(at, &self.by, "credits.grant", Some(account.id), &account.name);
        let record = audit::with(record, &[("credits", json!(amount)), ("reason", json!(reason))]);
        Ok(Grant {
            credits: amount,
            reason,
            at,
            record,
        })
    }
}

fn was_granted(granted: Granted, account: &Account, amount: i64) -> Result<()> {
    match granted {
        Granted::Done { .. } => Ok(()),
        Granted::Uncovered { .. } if amount > 0 => Err(too_many(account, amount)),
        Granted::Uncovered { available } => Err(too_few(account, available, amount)),
        Granted::NoAccount => Err(missing(&account.name)),
    }
}

impl Credits {
    fn checked_reason(&self) -> Result<String> {
        let given = self.reason.as_deref().map(str::trim);
        match given.filter(|reason| !reason.is_empty()) {
            Some(reason) if reason.chars().count() > 200 => Err(Error::parameter(
                "reason",
                "the reason must have at most 200 characters",
            )),
            Some(reason) => Ok(reason.to_owned()),
            None if self.amount > 0 => Ok("granted by the operator".to_owned()),
            None => Ok("taken by the operator".to_owned()),
        }
    }
}

fn too_many(account: &Account, amount: i64) -> Error {
    let message = format!(
        "`{}` cannot hold that many credits: {amount} more is too much",
        account.name
    );
    Error::parameter("credits", message)
}

fn too_few(account: &Account, available: i64, amount: i64) -> Error {
    Error::invalid(format!(
        "`{}` has {available} credits left, so {} cannot be removed",
        account.name,
        amount.unsigned_abs()
    ))
}

fn missing(name: &str) -> Error {
    Error::NotFound(format!("there is no account named `{name}`"))
}
