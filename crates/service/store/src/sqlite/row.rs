//! The columns of SQLite's rows.

use atelier_domain::{
    Account, AuditEntry, Delivery, Entry, Generation, Invitation, KeyId, KeyRecord, PasswordReset, Timestamp,
    User,
};
use rusqlite::Row;
use uuid::Uuid;

use crate::{
    Caller, DeletedGeneration, Result, StoreError,
    values::{self, ACCOUNT_COLUMNS, Fields, unreadable},
};

impl Fields for Row<'_> {
    type Error = StoreError;

    fn optional_id(&self, column: usize) -> Result<Option<Uuid>> {
        Ok(self.get(column)?)
    }

    fn optional_integer(&self, column: usize) -> Result<Option<i64>> {
        Ok(self.get(column)?)
    }

    fn optional_boolean(&self, column: usize) -> Result<Option<bool>> {
        Ok(self.get(column)?)
    }

    fn optional_text(&self, column: usize) -> Result<Option<&str>> {
        self.get_ref(column)?.as_str_or_null().map_err(unreadable)
    }

    fn optional_real(&self, column: usize) -> Result<Option<f64>> {
        Ok(self.get(column)?)
    }

    fn bytes(&self, column: usize) -> Result<Vec<u8>> {
        Ok(self.get(column)?)
    }
}

/// The builders as functions of a row of any lifetime, which a generic function is not.
macro_rules! builders {
    ($($name:ident -> $value:ty),* $(,)?) => {
        $(pub(super) fn $name(row: &Row<'_>) -> Result<$value> {
            values::$name(row)
        })*
    };
}

builders! {
    generation -> Generation,
    account -> Account,
    invitation -> Invitation,
    password_reset -> PasswordReset,
    change -> AuditEntry,
    key -> KeyRecord,
    entry -> Entry,
    delivery -> Delivery,
    deleted_generation -> DeletedGeneration,
}

pub(super) fn user(row: &Row<'_>) -> Result<User> {
    values::user(row, 0)
}

/// From the columns of an account, the key's id and last use, the bucket, the switch of the API, the key's limits, and
/// the end of a rotated text.
pub(super) fn caller(row: &Row<'_>) -> Result<Caller> {
    Ok(Caller {
        account: values::account(row)?,
        key: KeyId(row.id(ACCOUNT_COLUMNS)?),
        key_last_used_at: row.optional_moment(ACCOUNT_COLUMNS + 1)?,
        generation_tat: row.moment(ACCOUNT_COLUMNS + 2)?,
        api_enabled: row.get(ACCOUNT_COLUMNS + 3)?,
        limits: row.optional_json(ACCOUNT_COLUMNS + 4)?.unwrap_or_default(),
        until: row.optional_moment(ACCOUNT_COLUMNS + 5)?,
        database_now: None,
    })
}

pub(super) fn moment(row: &Row<'_>, column: usize) -> Result<Option<Timestamp>> {
    row.optional_moment(column)
}

/// The first row, if there is one.
pub(super) fn one<T>(mut rows: impl Iterator<Item = Result<T>>) -> Result<Option<T>> {
    rows.next().transpose()
}
