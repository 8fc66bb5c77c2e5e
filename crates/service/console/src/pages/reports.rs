//! The results and spending of all accounts, for operators: by day, by account and by model.

use std::collections::HashMap;

use askama::Template;
use atelier_app::usage::{AccountUsage, DayTotal, MAX_ACCOUNTS};
use axum::extract::{Query, State};

use super::{
    operator::account_path,
    usage::{ModelRow, PERIODS, charted, days, models},
};
use crate::{
    chart,
    error::Result,
    frame::{Frame, page},
    session::SignedOperator,
    state::Console,
    text,
};

#[derive(Template)]
#[template(path = "operator/usage.html")]
struct ReportPage {
    frame: Frame,
    days: u32,
    periods: [u32; 3],
    /// The account that the page is about; empty for all.
    account: String,
    spent: String,
    completed: String,
    failed: String,
    cancelled: String,
    /// Headings, and SVG of our own with escaped texts.
    charts: [(&'static str, String); 3],
    models: Vec<ModelRow>,
    accounts: Vec<AccountRow>,
    /// Whether there may be more accounts.
    cut: bool,
}

struct AccountRow {
    name: String,
    /// The report of this account, and the page about it.
    report: String,
    page: String,
    /// SVG of our own.
    share: String,
    completed: String,
    failed: String,
    cancelled: String,
    credits: String,
}

pub(crate) async fn usage(
    State(console): State<Console>,
    by: SignedOperator,
    Query(query): Query<HashMap<String, String>>,
) -> Result {
    let (app, operator) = (&console.app, &by.operator);
    let days = days(&query);
    let account = query.get("account").cloned().unwrap_or_default();
    let (report, accounts) = if account.is_empty() {
        let accounts = app.usage_by_account(operator, days).await?;
        (app.service_usage(operator, days).await?, accounts)
    } else {
        (app.usage_of(operator, &account, days).await?, Vec::new())
    };
    let by_day = report.by_day();
    let sum = |of: fn(&DayTotal) -> u64| by_day.iter().map(of).sum::<u64>();
    Ok(page(&ReportPage {
        frame: by.signed.frame("All usage", "/account/operator/usage"),
        days,
        periods: PERIODS,
        spent: text::count(report.credits()),
        completed: text::count(sum(|day| day.completed)),
        failed: text::count(sum(|day| day.failed)),
        cancelled: text::count(sum(|day| day.cancelled)),
        charts: [
            ("Credits", charted(&by_day, "bar", "Credits", |day| day.credits)),
            (
                "Completed jobs",
                charted(&by_day, "bar", "Completed jobs", |day| whole(day.completed)),
            ),
            (
                "Failed jobs",
                charted(&by_day, "bar fail", "Failed jobs", |day| whole(day.failed)),
            ),
        ],
        models: models(&console, &report),
        cut: accounts.len() >= MAX_ACCOUNTS as usize,
        accounts: account_rows(accounts, report.credits(), days),
        account,
    }))
}

fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn account_rows(accounts: Vec<AccountUsage>, whole: i64, days: u32) -> Vec<AccountRow> {
    let row = |of: AccountUsage| {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("account", &of.name)
            .append_pair("days", &days.to_string())
            .finish();
        AccountRow {
            report: format!("/account/operator/usage?{query}"),
            page: account_path(&of.name),
            share: chart::share(of.credits, whole),
            completed: text::count(of.completed),
            failed: text::count(of.failed),
            cancelled: text::count(of.cancelled),
            credits: text::count(of.credits),
            name: of.name,
        }
    };
    accounts.into_iter().map(row).collect()
}
