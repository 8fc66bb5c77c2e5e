//! Generations and credits by day and by model.

use std::collections::BTreeMap;

use atelier_domain::{AccountId, MediaKind, Right, Timestamp, UsageRow};

use crate::{App, Caller, Error, Operator, Result};

const DAY_MICROS: i64 = 86_400_000_000;
/// The longest report, in days.
pub const MAX_DAYS: u32 = 366;

/// The most accounts of a report.
pub const MAX_ACCOUNTS: u32 = 100;

/// The generations that ended within some days, including today.
#[derive(Debug, Clone)]
pub struct UsageReport {
    /// Days since 1970-01-01 in UTC: the first and the last.
    pub days: (i64, i64),
    pub rows: Vec<UsageRow>,
}

/// One day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayTotal {
    /// `2026-11-21`.
    pub date: String,
    pub completed: u64,
    pub failed: u64,
    pub cancelled: u64,
    pub credits: i64,
}

/// One model over all days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelTotal {
    pub model: String,
    pub kind: MediaKind,
    pub completed: u64,
    pub failed: u64,
    pub cancelled: u64,
    pub credits: i64,
}

/// The results and costs of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountUsage {
    pub account: AccountId,
    pub name: String,
    pub completed: u64,
    /// Without those that were cancelled.
    pub failed: u64,
    pub cancelled: u64,
    pub credits: i64,
}

impl From<atelier_store::AccountUsage> for AccountUsage {
    fn from(stored: atelier_store::AccountUsage) -> Self {
        Self {
            account: stored.account,
            name: stored.name,
            completed: stored.completed,
            failed: stored.failed,
            cancelled: stored.cancelled,
            credits: stored.credits,
        }
    }
}

impl App {
    /// Returns the account's results and spending during the last `days` days.
    pub async fn usage(&self, caller: &Caller, days: u32) -> Result<UsageReport> {
        let days = last_days(self.now(), days);
        let rows = self
            .store()
            .usage(Some(caller.account(Right::Spending)?.id), days)
            .await?;
        Ok(UsageReport { days, rows })
    }

    /// Returns the results and spending of each account during the last `days` days: those that spent the most first,
    /// at most [`MAX_ACCOUNTS`].
    pub async fn usage_by_account(&self, _: &Operator, days: u32) -> Result<Vec<AccountUsage>> {
        let days = last_days(self.now(), days);
        let accounts = self.store().usage_by_account(days, MAX_ACCOUNTS).await?;
        Ok(accounts.into_iter().map(AccountUsage::from).collect())
    }

    /// Returns the results and spending of one account, for operators.
    pub async fn usage_of(&self, _: &Operator, name: &str, days: u32) -> Result<UsageReport> {
        let missing = || Error::NotFound(format!("there is no account named `{name}`"));
        let account = self.store().account_by_name(name).await?.ok_or_else(missing)?;
        let days = last_days(self.now(), days);
        let rows = self.store().usage(Some(account.id), days).await?;
        Ok(UsageReport { days, rows })
    }

    /// Returns the results and spending of all accounts together.
    pub async fn service_usage(&self, _: &Operator, days: u32) -> Result<UsageReport> {
        let days = last_days(self.now(), days);
        let rows = self.store().usage(None, days).await?;
        Ok(UsageReport { days, rows })
    }
}

impl UsageReport {
    /// Every day in order, including empty ones.
    pub fn by_day(&self) -> Vec<DayTotal> {
        let mut totals: Vec<_> = (self.days.0..=self.days.1)
            .map(|day| DayTotal {
                date: date(day),
                completed: 0,
                failed: 0,
                cancelled: 0,
                credits: 0,
            })
            .collect();
        for row in &self.rows {
            if let Some(total) = usize::try_from(row.day - self.days.0)
                .ok()
                .and_then(|index| totals.get_mut(index))
            {
                total.credits += row.credits;
                total.completed += completed(row);
                total.failed += row.failed();
                total.cancelled += row.cancelled;
            }
        }
        totals
    }

    /// Every model that was used, the most expensive first.
    pub fn by_model(&self) -> Vec<ModelTotal> {
        let mut totals: BTreeMap<&str, ModelTotal> = BTreeMap::new();
        for row in &self.rows {
            let total = totals.entry(&row.model).or_insert_with(|| ModelTotal {
                model: row.model.clone(),
                kind: row.kind,
                completed: 0,
                failed: 0,
                cancelled: 0,
                credits: 0,
            });
            total.credits += row.credits;
            total.completed += completed(row);
            total.failed += row.failed();
            total.cancelled += row.cancelled;
        }
        let mut totals: Vec<_> = totals.into_values().collect();
        totals.sort_by_key(|total| (-total.credits, std::cmp::Reverse(total.completed)));
        totals
    }

    /// How many failed, by code and model, the most frequent first. Cancelled jobs have not failed.
    pub fn failures(&self) -> Vec<(&str, &str, u64)> {
        let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
        for row in self.rows.iter().filter(|row| row.failed() > 0) {
            *counts.entry((&row.outcome, &row.model)).or_default() += row.failed();
        }
        let mut counts: Vec<_> = counts
            .into_iter()
            .map(|((code, model), count)| (code, model, count))
            .collect();
        counts.sort_by_key(|(_, _, count)| std::cmp::Reverse(*count));
        counts
    }

    /// Credits charged over all days.
    pub fn credits(&self) -> i64 {
        self.rows.iter().map(|row| row.credits).sum()
    }
}

fn completed(row: &UsageRow) -> u64 {
    if row.outcome == "completed" {
        row.generations
    } else {
        0
    }
}

fn last_days(now: Timestamp, days: u32) -> (i64, i64) {
    let today = now.micros().div_euclid(DAY_MICROS);
    (today - i64::from(days.clamp(1, MAX_DAYS)) + 1, today)
}

fn date(day: i64) -> String {
    let mut text = Timestamp(day * DAY_MICROS).rfc3339();
    text.truncate("2026-11-21".len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(day: i64, model: &str, outcome: &str, generations: u64, credits: i64) -> UsageRow {
        UsageRow {
            day,
            model: model.to_owned(),
            kind: MediaKind::Image,
            outcome: outcome.to_owned(),
            generations,
            credits,
            cancelled: 0,
        }
    }

    #[test]
    fn days_without_anything_are_there_and_sums_agree() {
        let now = Timestamp(20_000 * DAY_MICROS + 5);
        let report = UsageReport {
            days: last_days(now, 3),
            rows: vec![
                row(19_998, "a", "completed", 2, 10),
                row(20_000, "a", "invalid_input", 3, 0),
                row(20_000, "b", "completed", 1, 70),
                UsageRow {
                    cancelled: 2,
                    ..row(20_000, "b", "generation_failed", 3, 0)
                },
            ],
        };
        let days = report.by_day();
        assert_eq!(
            days.iter().map(|day| day.date.as_str()).collect::<Vec<_>>(),
            ["2024-10-02", "2024-10-03", "2024-10-04"]
        );
        assert_eq!(
            days.iter()
                .map(|day| (day.completed, day.failed, day.cancelled, day.credits))
                .collect::<Vec<_>>(),
            [(2, 0, 0, 10), (0, 0, 0, 0), (1, 4, 2, 70)]
        );
        let models = report.by_model();
        assert_eq!((models[0].model.as_str(), models[0].credits), ("b", 70));
        assert_eq!((models[0].failed, models[0].cancelled), (1, 2));
        assert_eq!((models[1].completed, models[1].failed), (2, 3));
        assert_eq!(
            report.failures(),
            [("invalid_input", "a", 3), ("generation_failed", "b", 1)]
        );
        assert_eq!(report.credits(), 80);
    }
}
