//! Moves everything from the embedded store to an empty PostgreSQL database, in one transaction.

mod tables;

use std::{fmt::Write as _, io::Cursor, path::Path};

use futures::SinkExt as _;
use rusqlite::{Connection, TransactionBehavior, types::ValueRef};

use self::tables::{Column, Kind, TABLES, Table};
use crate::{
    Audit, Result, StoreError,
    postgres::{self, PostgresUrl, transfer::Target},
    sqlite,
};

/// The bytes that are sent at a time.
const BATCH: usize = 1 << 20;

/// The result of a move.
#[derive(Debug)]
pub struct Moved {
    /// The rows of each table.
    pub rows: Vec<(&'static str, u64)>,
    /// The audit of the new database.
    pub audit: Audit,
}

/// Copies all rows of the database file at `from` to the empty database at `to`. Either everything is there
/// afterwards, counted and audited, or nothing. Nobody can write to the file meanwhile; it stays as it is.
///
/// `moved` is told each table and the number of its rows.
pub async fn to_postgres(from: &Path, to: &PostgresUrl, mut moved: impl FnMut(&str, u64)) -> Result<Moved> {
    let mut source = sqlite::open_for_transfer(from)?;
    let source = source.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let pool = postgres::transfer::open(to).await?;
    let target = Target::begin(&pool, TABLES.iter().map(|table| table.name)).await?;
    let mut rows = Vec::with_capacity(TABLES.len());
    for table in TABLES {
        let copied = copy(&source, &target, table).await?;
        let (here, there) = (count(&source, table.name)?, target.count(table.name).await?);
        if here != there || here != copied {
            return Err(StoreError::Internal(format!(
                "the table {} has {here} rows, but {there} were stored",
                table.name
            )));
        }
        moved(table.name, here);
        rows.push((table.name, here));
    }
    let enabled: bool = source.query_row("SELECT api_enabled FROM settings", [], |row| row.get(0))?;
    let stored: i64 = source.query_row("SELECT coalesce(sum(bytes), 0) FROM storage", [], |row| {
        row.get(0)
    })?;
    let audit = target.complete(enabled, stored).await?;
    Ok(Moved { rows, audit })
}

fn count(db: &Connection, table: &str) -> Result<u64> {
    let rows: i64 = db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?;
    Ok(rows.unsigned_abs())
}

/// Copies a table and returns the number of rows.
async fn copy(source: &Connection, target: &Target, table: &Table) -> Result<u64> {
    let columns: Vec<&str> = table.columns.iter().map(|column| column.sqlite).collect();
    let sql = format!(
        "SELECT {} FROM {} ORDER BY {}",
        columns.join(", "),
        table.name,
        table.order
    );
    let mut statement = source.prepare(&sql)?;
    let mut rows = statement.query([])?;
    let into: Vec<&str> = table.columns.iter().map(|column| column.postgres).collect();
    let mut sink = Box::pin(target.copy_in(table.name, &into.join(", ")).await?);
    let (mut batch, mut copied) = (String::new(), 0);
    let failed = |error| postgres::transfer::failed(table.name, error);
    while let Some(row) = rows.next()? {
        for (index, column) in table.columns.iter().enumerate() {
            if index > 0 {
                batch.push('\t');
            }
            push(&mut batch, row.get_ref(index)?, column)?;
        }
        batch.push('\n');
        copied += 1;
        if batch.len() >= BATCH {
            let full = std::mem::take(&mut batch);
            sink.send(Cursor::new(full.into_bytes())).await.map_err(failed)?;
        }
    }
    sink.send(Cursor::new(batch.into_bytes())).await.map_err(failed)?;
    sink.as_mut().finish().await.map_err(failed)?;
    Ok(copied)
}

/// Adds a value in the text format of `COPY`.
fn push(batch: &mut String, value: ValueRef<'_>, column: &Column) -> Result<()> {
    let wrong = || {
        let what = value.data_type();
        StoreError::Internal(format!(
            "the column {} has a value of the type {what}",
            column.sqlite
        ))
    };
    // Writing to a string cannot fail.
    let _ = match (column.kind, value) {
        (_, ValueRef::Null) => batch.write_str("\\N"),
        (Kind::Id, ValueRef::Blob(bytes)) => {
            let id = uuid::Uuid::from_slice(bytes).map_err(|_| wrong())?;
            write!(batch, "{}", id.hyphenated())
        }
        (Kind::Bytes, ValueRef::Blob(bytes)) => {
            batch.push_str("\\\\x");
            bytes.iter().try_for_each(|byte| write!(batch, "{byte:02x}"))
        }
        (Kind::Bool, ValueRef::Integer(number)) => batch.write_str(if number == 0 { "f" } else { "t" }),
        (Kind::Integer, ValueRef::Integer(number)) => write!(batch, "{number}"),
        (Kind::Real, ValueRef::Real(number)) => write!(batch, "{number}"),
        (Kind::Text, ValueRef::Text(text)) => {
            let text = std::str::from_utf8(text).map_err(|_| wrong())?;
            for letter in text.chars() {
                match letter {
                    '\\' => batch.push_str("\\\\"),
                    '\t' => batch.push_str("\\t"),
                    '\n' => batch.push_str("\\n"),
                    '\r' => batch.push_str("\\r"),
                    // PostgreSQL cannot store it. JSON has it escaped.
                    '\0' => batch.push('\u{fffd}'),
                    other => batch.push(other),
                }
            }
            Ok(())
        }
        _ => return Err(wrong()),
    };
    Ok(())
}

#[cfg(test)]
mod tests;
