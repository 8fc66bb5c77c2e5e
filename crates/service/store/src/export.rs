//! The data that the service keeps about an account, as rows to hand out: everything but secrets.
//!
//! A part is read page by page in the order of its key, so that neither memory nor the time of a read grows with the
//! account. Both databases run the same queries: `?1` is the account, and `{user}` the column that names a user.

use std::fmt::Write as _;

use async_trait::async_trait;
use atelier_domain::{AccountId, Timestamp};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::{
    Result,
    values::{Fields, unreadable},
};

mod parts;

pub use parts::PARTS;

/// How a value is stored, and so how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Id,
    Integer,
    Bool,
    Real,
    Text,
    /// Microseconds; written in RFC 3339.
    Time,
    /// JSON in a text.
    Json,
    /// Bytes: JSON, or else text.
    Body,
}

#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) sql: &'static str,
    pub(crate) kind: Kind,
}

/// A kind of rows.
#[derive(Debug)]
pub struct ExportPart {
    /// The name of the file that its rows go to. Parts of one file follow each other.
    pub file: &'static str,
    pub(crate) columns: &'static [Column],
    pub(crate) from: &'static str,
    pub(crate) owned: &'static str,
    /// The columns that sort the rows: each is unique with all of them. Ids, integers and texts only.
    pub(crate) key: &'static [(&'static str, Kind)],
}

/// The value of a column of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportKey {
    Id(Uuid),
    Integer(i64),
    Text(String),
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExportPage {
    pub rows: Vec<Map<String, Value>>,
    /// The start of the next page; `None`: this is the last one.
    pub next: Option<Vec<ExportKey>>,
}

#[async_trait]
pub trait Export: Send + Sync + std::fmt::Debug {
    /// At most `limit` rows of a part after a key; an empty one is the beginning.
    async fn export(
        &self,
        account: AccountId,
        part: &'static ExportPart,
        after: &[ExportKey],
        limit: u32,
    ) -> Result<ExportPage>;
}

impl ExportPart {
    /// The query of a page: the columns, then those of the key. The values of the key follow the account.
    pub(crate) fn sql(&self, user: &str, after: &[ExportKey], limit: u32) -> String {
        let columns = self.columns.iter().map(|column| column.sql);
        let key: Vec<&str> = self.key.iter().map(|(sql, _)| *sql).collect();
        let all: Vec<&str> = columns.chain(key.iter().copied()).collect();
        let key = key.join(", ");
        let mut sql = format!(
            "SELECT {} FROM {} WHERE {}",
            all.join(", "),
            self.from,
            self.owned
        );
        if !after.is_empty() {
            let values: Vec<String> = (2..after.len() + 2).map(|number| format!("?{number}")).collect();
            let _ = write!(sql, " AND ({key}) > ({})", values.join(", "));
        }
        let _ = write!(sql, " ORDER BY {key} LIMIT {limit}");
        sql.replace("{user}", user)
    }

    /// The page of these rows.
    pub(crate) fn page<R: Fields>(&self, found: &[R], limit: u32) -> Result<ExportPage, R::Error> {
        let rows = found
            .iter()
            .map(|row| self.row(row))
            .collect::<Result<_, R::Error>>()?;
        let last = found.last().filter(|_| found.len() >= limit as usize);
        Ok(ExportPage {
            rows,
            next: last.map(|row| self.key_of(row)).transpose()?,
        })
    }

    pub(crate) fn row<R: Fields>(&self, row: &R) -> Result<Map<String, Value>, R::Error> {
        let mut values = Map::new();
        for (index, column) in self.columns.iter().enumerate() {
            values.insert(column.name.to_owned(), value(row, index, column.kind)?);
        }
        Ok(values)
    }

    pub(crate) fn key_of<R: Fields>(&self, row: &R) -> Result<Vec<ExportKey>, R::Error> {
        let first = self.columns.len();
        let part = |(index, (_, kind)): (usize, &(&str, Kind))| {
            Ok(match kind {
                Kind::Id => ExportKey::Id(row.id(first + index)?),
                Kind::Integer => ExportKey::Integer(row.integer(first + index)?),
                _ => ExportKey::Text(row.string(first + index)?),
            })
        };
        self.key.iter().enumerate().map(part).collect()
    }
}

fn value<R: Fields>(row: &R, index: usize, kind: Kind) -> Result<Value, R::Error> {
    Ok(match kind {
        Kind::Id => json!(row.optional_id(index)?),
        Kind::Integer => json!(row.optional_integer(index)?),
        Kind::Bool => json!(row.optional_boolean(index)?),
        Kind::Real => json!(row.optional_real(index)?),
        Kind::Text => json!(row.optional_text(index)?),
        Kind::Time => json!(row.optional_integer(index)?.map(|at| Timestamp(at).rfc3339())),
        Kind::Json => match row.optional_text(index)? {
            None => Value::Null,
            Some(text) => serde_json::from_str(text).map_err(unreadable)?,
        },
        Kind::Body => {
            let bytes = row.bytes(index)?;
            serde_json::from_slice(&bytes).unwrap_or_else(|_| json!(String::from_utf8_lossy(&bytes)))
        }
    })
}
