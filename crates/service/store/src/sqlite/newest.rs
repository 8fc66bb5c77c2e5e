//! A read of the newest state that always stays open.
//!
//! SQLite locks the write-ahead log for each read with a system call, while it holds a mutex that all connections of
//! the process share. A read of a state that another connection is reading shares that connection's lock, without the
//! call. Point reads take a third less time then.

use std::path::Path;

use rusqlite::Connection;

use super::connection::open_reader;
use crate::Result;

/// The open read. Without it, everything works, only more slowly.
#[derive(Debug)]
pub(super) struct Newest {
    db: Connection,
}

impl Newest {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let newest = Self {
            db: open_reader(path)?,
        };
        newest.renew();
        Ok(newest)
    }

    /// Moves to the state that is the newest now.
    pub(super) fn renew(&self) {
        self.release();
        if let Err(error) = self.hold() {
            tracing::debug!(%error, "the newest state could not be held");
            self.release();
        }
    }

    /// Ends the read. While it is open, the log neither can be copied into the database completely nor begin again.
    pub(super) fn release(&self) {
        if !self.db.is_autocommit()
            && let Err(error) = self.execute("ROLLBACK")
        {
            tracing::debug!(%error, "the newest state could not be released");
        }
    }

    fn hold(&self) -> Result<()> {
        self.execute("BEGIN")?;
        let mut any = self.db.prepare_cached("SELECT 1 FROM sqlite_schema LIMIT 1")?;
        any.query_row([], |_| Ok(()))?;
        Ok(())
    }

    fn execute(&self, sql: &str) -> Result<()> {
        self.db.prepare_cached(sql)?.execute([])?;
        Ok(())
    }
}
