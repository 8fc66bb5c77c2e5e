//! Usage: credits over time and by model, and the ledger with the balance after each entry.

use std::{collections::HashMap, fmt::Write as _};

use askama::Template;
use atelier_app::usage::{DayTotal, UsageReport};
use atelier_domain::{Entry, EntryKind};
use axum::{
    body::Body,
    extract::{Query, State},
    http::header,
    response::{IntoResponse as _, Response},
};
use futures::stream;

use crate::{
    chart::{self, Bar},
    error::Result,
    frame::{Frame, page},
    moment::Moment,
    session::Signed,
    state::Console,
    text,
};

const LEDGER_PAGE: u32 = 25;
/// The periods that can be chosen, in days.
pub(crate) const PERIODS: [u32; 3] = [7, 30, 90];

#[derive(Template)]
#[template(path = "usage.html")]
struct UsagePage {
    frame: Frame,
    days: u32,
    spent: String,
    completed: String,
    failed: String,
    cancelled: String,
    available: String,
    /// The credits below which the balance is low; empty for none.
    threshold: String,
    /// SVG of our own, with escaped texts.
    chart: String,
    models: Vec<ModelRow>,
    entries: Vec<EntryRow>,
    more: Option<String>,
}

pub(super) struct ModelRow {
    pub(super) name: String,
    /// SVG of our own.
    pub(super) share: String,
    pub(super) completed: String,
    pub(super) failed: String,
    pub(super) cancelled: String,
    pub(super) credits: String,
}

pub(crate) struct EntryRow {
    pub when: Moment,
    pub kind: &'static str,
    pub generation: Option<String>,
    pub about: String,
    pub available: String,
    pub held: String,
    pub spent: String,
    pub after: String,
}

impl EntryRow {
    pub(crate) fn new(entry: &Entry, after: Option<i64>) -> Self {
        let generation = entry.generation.map(|id| id.to_string());
        let about = entry.reason.clone().or(generation.clone()).unwrap_or_default();
        Self {
            when: Moment::new(entry.at),
            kind: match entry.kind {
                EntryKind::Grant => "grant",
                EntryKind::Hold => "hold",
                EntryKind::Settle => "charge",
                EntryKind::Release => "release",
            },
            about,
            generation,
            available: text::signed(entry.available),
            held: text::signed(entry.held),
            spent: text::signed(entry.spent),
            after: after.map(text::count).unwrap_or_default(),
        }
    }
}

pub(crate) async fn usage(
    State(console): State<Console>,
    signed: Signed,
    Query(query): Query<HashMap<String, String>>,
) -> Result {
    let caller = &signed.signed_in.caller;
    let days = days(&query);
    let report = console.app.usage(caller, days).await?;
    let cursor = query.get("cursor").map(String::as_str);
    let ledger = console.app.ledger(caller, cursor, LEDGER_PAGE).await?;
    let by_day = report.by_day();
    let sum = |of: fn(&DayTotal) -> u64| by_day.iter().map(of).sum::<u64>();
    Ok(page(&UsagePage {
        frame: signed.frame("Usage", "/account/usage"),
        days,
        spent: text::count(report.credits()),
        completed: text::count(sum(|day| day.completed)),
        failed: text::count(sum(|day| day.failed)),
        cancelled: text::count(sum(|day| day.cancelled)),
        available: text::count(signed.signed_in.account().available),
        threshold: signed
            .signed_in
            .account()
            .low_balance
            .threshold
            .map_or_else(String::new, |threshold| threshold.to_string()),
        chart: charted(&by_day, "bar", "Credits", |day| day.credits),
        models: models(&console, &report),
        entries: ledger
            .items
            .iter()
            .map(|(entry, after)| EntryRow::new(entry, Some(*after)))
            .collect(),
        more: ledger
            .next_cursor
            .map(|cursor| format!("/account/usage?days={days}&cursor={cursor}#ledger")),
    }))
}

/// The credits of each day as CSV.
pub(crate) async fn csv(
    State(console): State<Console>,
    signed: Signed,
    Query(query): Query<HashMap<String, String>>,
) -> Result {
    let report = console.app.usage(&signed.signed_in.caller, days(&query)).await?;
    let mut text = String::from("date,completed,failed,cancelled,credits\r\n");
    for day in report.by_day() {
        let _ = write!(
            text,
            "{},{},{},{},{}\r\n",
            day.date, day.completed, day.failed, day.cancelled, day.credits
        );
    }
    Ok(as_csv("usage.csv", Body::from(text)))
}

/// The complete ledger as CSV, streamed while it is read.
pub(crate) async fn ledger_csv(State(console): State<Console>, signed: Signed) -> Result {
    let export = console.app.ledger_csv(&signed.signed_in.caller)?;
    let pieces = stream::unfold(export, |mut export| async move {
        let piece = export.next().await?;
        Some((piece.map_err(std::io::Error::other), export))
    });
    Ok(as_csv("ledger.csv", Body::from_stream(pieces)))
}

fn as_csv(name: &str, body: Body) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
    ];
    (headers, body).into_response()
}

pub(super) fn days(query: &HashMap<String, String>) -> u32 {
    let asked = query.get("days").and_then(|text| text.parse().ok());
    asked.filter(|days| PERIODS.contains(days)).unwrap_or(30)
}

/// A chart of one amount of each day. `class` is that of its bars.
pub(super) fn charted(by_day: &[DayTotal], class: &str, name: &str, amount: fn(&DayTotal) -> i64) -> String {
    let bar = |day: &DayTotal| {
        let date = text::date_text(&day.date);
        Bar {
            title: format!(
                "{date}: {}, {} completed, {} failed, {} cancelled",
                text::credits(day.credits),
                day.completed,
                day.failed,
                day.cancelled
            ),
            label: date
                .rsplit_once(' ')
                .map_or(String::new(), |(day, _)| day.to_owned()),
            amount: amount(day),
        }
    };
    let bars: Vec<Bar> = by_day.iter().map(bar).collect();
    let sum: i64 = bars.iter().map(|bar| bar.amount).sum();
    let name = format!(
        "{name} by day over {} days: {} in total",
        bars.len(),
        text::count(sum)
    );
    chart::bars(&name, class, &bars)
}

pub(super) fn models(console: &Console, report: &UsageReport) -> Vec<ModelRow> {
    let whole = report.credits();
    let rows = report.by_model().into_iter().map(|total| ModelRow {
        name: console.model_name(&total.model),
        share: chart::share(total.credits, whole),
        completed: text::count(total.completed),
        failed: text::count(total.failed),
        cancelled: text::count(total.cancelled),
        credits: text::count(total.credits),
    });
    rows.collect()
}
