//! The audit's queries.

use tokio_postgres::SimpleQueryMessage;

use super::{
    error::Result,
    row::get,
    write::{Db, the_row},
};
use crate::{
    Audit,
    audit::{SCREEN, rules},
};

pub(super) async fn audit(db: &Db) -> Result<Audit> {
    // Without a time limit: it holds no lock that others wait for.
    db.batch_execute("SET LOCAL statement_timeout = 0").await?;
    let mut violations = Vec::new();
    let suspects = get(&the_row(db, SCREEN, &[]).await?, 0)?;
    for rule in rules(suspects) {
        rule.report(&broken(db, rule.breaks).await?, &mut violations);
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
        violations,
    })
}

/// The simple protocol returns every value as text, as the sentences need it.
async fn broken(db: &Db, sql: &str) -> Result<Vec<Vec<String>>> {
    let text = |value: Option<&str>| value.unwrap_or("nothing").to_owned();
    let messages = db.simple_query(sql).await?;
    let rows = messages.iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some((0..row.len()).map(|column| text(row.get(column))).collect()),
        _ => None,
    });
    Ok(rows.collect())
}
