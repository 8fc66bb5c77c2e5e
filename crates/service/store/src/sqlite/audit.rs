//! The audit's queries.

use rusqlite::{Connection, Row, types::ValueRef};

use crate::{
    Audit, Result,
    audit::{SCREEN, rules},
};

pub(super) fn audit(db: &Connection) -> Result<Audit> {
    let count = |table: &str| -> Result<u64> {
        let rows: i64 = db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?;
        Ok(rows.unsigned_abs())
    };
    let mut violations = Vec::new();
    let suspects = db.query_row(SCREEN, [], |row| row.get(0))?;
    for rule in rules(suspects) {
        rule.report(&broken(db, rule.breaks)?, &mut violations);
    }
    Ok(Audit {
        accounts: count("accounts")?,
        generations: count("generations")?,
        entries: count("entries")?,
        deliveries: count("deliveries")?,
        violations,
    })
}

fn broken(db: &Connection, sql: &str) -> Result<Vec<Vec<String>>> {
    let mut statement = db.prepare(sql)?;
    let columns = statement.column_count();
    let texts = |row: &Row<'_>| -> Result<Vec<String>> {
        (0..columns)
            .map(|column| Ok(text(row.get_ref(column)?)))
            .collect()
    };
    statement.query_and_then([], texts)?.collect()
}

fn text(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "nothing".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => uuid::Uuid::from_slice(bytes).map_or_else(
            |_| format!("{} bytes", bytes.len()),
            |id| id.hyphenated().to_string(),
        ),
    }
}
