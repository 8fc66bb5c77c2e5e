//! The audit's queries.

use rusqlite::{Connection, types::ValueRef};

use crate::{
    Audit, Result,
    audit::{Balances, SCREENS, SUMS, Screen, all, rules},
    values::Fields as _,
};

pub(super) fn audit(db: &Connection) -> Result<Audit> {
    let count = |table: &str| -> Result<u64> {
        let rows: i64 = db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?;
        Ok(rows.unsigned_abs())
    };
    let mut balances = Balances::default();
    for screen in SCREENS {
        add_up(db, screen, &mut balances)?;
    }
    let mut violations = Vec::new();
    for rule in rules(&balances) {
        let mut report = rule.report(&mut violations);
        let mut statement = db.prepare(rule.breaks)?;
        let columns = statement.column_count();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            report.add((0..columns).map(|column| row.get_ref(column).map(text)))?;
        }
        report.end();
    }
    Ok(Audit {
        accounts: count("accounts")?,
        generations: count("generations")?,
        entries: count("entries")?,
        deliveries: count("deliveries")?,
        violations: all(violations, &balances),
    })
}

fn add_up(db: &Connection, screen: &Screen, balances: &mut Balances) -> Result<()> {
    let mut statement = db.prepare(screen.sql)?;
    let mut rows = statement.query([])?;
    let mut amounts = [0; SUMS];
    while let Some(row) = rows.next()? {
        for (column, amount) in amounts.iter_mut().enumerate().take(screen.sums.len()) {
            *amount = row.get(column + 2)?;
        }
        let sums = screen.sums.iter().copied().zip(amounts);
        balances.add(row.optional_id(0)?, row.get(1)?, sums);
    }
    Ok(())
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
