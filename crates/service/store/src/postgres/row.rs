//! The columns of PostgreSQL's rows, and texts as PostgreSQL takes them.

use std::borrow::Cow;

use atelier_domain::Timestamp;
use tokio_postgres::{Row, types::FromSql};
use uuid::Uuid;

use super::error::{Error, Result};
use crate::values::{self, Fields};

impl Fields for Row {
    type Error = Error;

    fn optional_id(&self, column: usize) -> Result<Option<Uuid>> {
        get(self, column)
    }

    fn optional_integer(&self, column: usize) -> Result<Option<i64>> {
        get(self, column)
    }

    fn optional_boolean(&self, column: usize) -> Result<Option<bool>> {
        get(self, column)
    }

    fn optional_text(&self, column: usize) -> Result<Option<&str>> {
        get(self, column)
    }

    fn optional_real(&self, column: usize) -> Result<Option<f64>> {
        get(self, column)
    }

    fn bytes(&self, column: usize) -> Result<Vec<u8>> {
        get(self, column)
    }
}

/// The value of a column; one of another type is an error, never a panic.
pub(super) fn get<'r, T: FromSql<'r>>(row: &'r Row, column: usize) -> Result<T> {
    row.try_get(column).map_err(|error| unreadable(&error))
}

pub(super) fn moment(row: &Row, column: usize) -> Result<Option<Timestamp>> {
    row.optional_moment(column)
}

pub(super) fn unreadable(error: &dyn std::fmt::Display) -> Error {
    values::unreadable(error).into()
}

/// A text without the zero character, which PostgreSQL does not store.
pub(super) fn text(text: &str) -> Cow<'_, str> {
    if text.contains('\0') {
        Cow::Owned(text.replace('\0', "\u{FFFD}"))
    } else {
        Cow::Borrowed(text)
    }
}

pub(super) fn optional_text(found: Option<&String>) -> Option<Cow<'_, str>> {
    found.map(|found| text(found))
}
