//! The audit's queries.

use std::{convert::Infallible, pin::pin};

use futures::TryStreamExt as _;
use tokio_postgres::SimpleQueryMessage;

use super::{
    error::Result,
    row::get,
    write::{Db, the_row},
};
use crate::{
    Audit,
    audit::{Balances, Rule, SCREENS, Screen, all, rules},
};

/// Without a time limit: an audit holds no lock that others wait for. Its joins fit into so much memory more often.
const SETTINGS: &str = "SET LOCAL statement_timeout = 0; SET LOCAL work_mem = '64MB'; SET LOCAL jit = off";

pub(super) async fn audit(db: &Db) -> Result<Audit> {
    db.batch_execute(SETTINGS).await?;
    let mut balances = Balances::default();
    for screen in SCREENS {
        add_up(db, screen, &mut balances).await?;
    }
    let mut violations = Vec::new();
    for rule in rules(&balances) {
        look(db, rule, &mut violations).await?;
    }
    let counts = the_row(
        db,
        "SELECT (SELECT count(*) FROM accounts), (SELECT count(*) FROM generations), (SELECT count(*) FROM entries),
                (SELECT count(*) FROM deliveries)",
        &[],
    )
    .await?;
    let count = |column| get::<i64>(&counts, column).map(i64::unsigned_abs);
    Ok(Audit {
        accounts: count(0)?,
        generations: count(1)?,
        entries: count(2)?,
        deliveries: count(3)?,
        violations: all(violations, &balances),
    })
}

/// The server adds up what it finds for each account.
async fn add_up(db: &Db, screen: &Screen, balances: &mut Balances) -> Result<()> {
    let columns: Vec<String> = (0..screen.sums.len()).map(|sum| format!("s{sum}")).collect();
    let sql = format!(
        "SELECT account, sum(broken)::bigint, sum({})::bigint FROM ({}) AS screen (account, broken, {})
         GROUP BY account",
        columns.join(")::bigint, sum("),
        screen.sql,
        columns.join(", ")
    );
    for row in db.query(&sql, &[]).await? {
        let mut amounts = Vec::with_capacity(columns.len());
        for (column, sum) in screen.sums.iter().enumerate() {
            amounts.push((*sum, get(&row, column + 2)?));
        }
        balances.add(get(&row, 0)?, get(&row, 1)?, amounts.into_iter());
    }
    Ok(())
}

/// The simple protocol returns every value as text, as the sentences need it.
async fn look(db: &Db, rule: &'static Rule, violations: &mut Vec<String>) -> Result<()> {
    let mut report = rule.report(violations);
    let mut messages = pin!(db.simple_query_raw(rule.breaks).await?);
    while let Some(message) = messages.try_next().await? {
        if let SimpleQueryMessage::Row(row) = message {
            let text = |column| Ok::<_, Infallible>(row.get(column).unwrap_or("nothing").to_owned());
            let Ok(()) = report.add((0..row.len()).map(text));
        }
    }
    report.end();
    Ok(())
}
