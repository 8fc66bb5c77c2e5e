//! Lists of an account that has a tenth of a long history, by every filter.

use std::time::{Duration, Instant};

use super::history;
use crate::{
    context::Context,
    database,
    error::Result,
    figure::Figure,
    http::{self, Connection},
    load::percentile,
    server::{BASE, Data},
};

const JOBS: u64 = 1_000_000;
const ACCOUNTS: u64 = 1_000;
/// Written by the store; the others are copies of these.
const PATTERNS: u64 = 1_000;
const TIMES: usize = 500;
const WARM_UP: usize = 20;

const FILTERS: &[(&str, &str)] = &[
    ("all", ""),
    ("completed", "&status=completed"),
    ("failed", "&status=failed"),
    ("in progress", "&status=processing"),
    ("of a model", "&model=image-gen-4"),
    ("of a kind that has none", "&type=audio"),
    (
        "failed, of a model and a kind",
        "&status=failed&model=image-gen-4&type=image",
    ),
];

/// On SQLite, and on PostgreSQL if there is a database.
pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let mut figures = lists(context, &Data::echo(context)?, "").await?;
    if let Some(url) = &context.postgres {
        let data = Data::postgres(context, url).await?;
        figures.extend(lists(context, &data, ", on PostgreSQL").await?);
        database::clear(url).await?;
    }
    Ok(figures)
}

async fn lists(context: &Context, data: &Data, store: &str) -> Result<Vec<Figure>> {
    history::fill(data, PATTERNS, None).await?;
    let jobs = context.jobs.unwrap_or_else(|| context.amount(JOBS));
    history::multiply(data, jobs, ACCOUNTS).await?;
    let service = data.serve(&["--no-workers"]).await?;
    let mut connection = Connection::open(service.port).await?;
    let mut figures = Vec::new();
    for (name, filter) in FILTERS {
        let path = format!("{BASE}/generations?limit=20{filter}");
        let request = http::request("GET", &path, &data.key, None);
        let mut times: Vec<Duration> = Vec::with_capacity(TIMES);
        for turn in 0..WARM_UP + TIMES {
            let begun = Instant::now();
            connection.expect(200, &request).await?;
            if turn >= WARM_UP {
                times.push(begun.elapsed());
            }
        }
        figures.push(
            Figure::millis(
                format!("{name}, of {jobs} jobs, p99{store}"),
                percentile(&mut times, 0.99),
            )
            .at_most(20.0),
        );
    }
    Ok(figures)
}
