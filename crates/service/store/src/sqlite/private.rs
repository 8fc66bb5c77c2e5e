//! Private media: whose a stored file is.

use atelier_domain::{AccountId, FileName};
use rusqlite::{Connection, params};

use crate::{
    Result,
    private::{ANY, IS_OF, OWNERS, Owners},
};

pub(super) fn is_private(db: &Connection, name: &FileName) -> Result<bool> {
    let any: bool = db.prepare_cached(ANY)?.query_row([], |row| row.get(0))?;
    if !any {
        return Ok(false);
    }
    let owners = db.prepare_cached(OWNERS)?.query_row([name.as_str()], |row| {
        Ok(Owners {
            is_public: row.get(0)?,
            is_owned: row.get(1)?,
            is_used: row.get(2)?,
            is_public_input: row.get(3)?,
        })
    })?;
    Ok(owners.is_private())
}

pub(super) fn is_file_of(db: &Connection, name: &FileName, account: AccountId) -> Result<bool> {
    let mut query = db.prepare_cached(IS_OF)?;
    Ok(query.query_row(params![name.as_str(), account.0], |row| row.get(0))?)
}
