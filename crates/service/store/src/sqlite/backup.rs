//! Copies of the database while a server uses it, and the checks of such a copy.

use std::{path::Path, thread, time::Duration};

use atelier_domain::FileName;
use rusqlite::{
    Connection, OpenFlags,
    backup::{Backup, StepResult},
};

use super::{audit, connection, schema};
use crate::{Audit, Result, StoreError};

/// The pages that are copied at a time.
const STEP: i32 = 256;
/// How long to wait for a lock, and how often.
const AGAIN: Duration = Duration::from_millis(20);
const TRIES: u32 = 500;

/// The contents of a copy of a database.
#[derive(Debug)]
pub struct Contents {
    /// The stored files that its rows name: media, and previews of them.
    pub files: Vec<FileName>,
    /// Previews can be made again, so they may be missing.
    pub previews: Vec<FileName>,
    /// The audit of the copy; `None` if another version of the program wrote it.
    pub audit: Option<Audit>,
}

/// Copies the database at `from` into the new file `to`, as it is at this moment, whoever writes meanwhile. `copied`
/// is told the bytes of each step, and may wait to leave the disk to others. The copy is one file, without a log.
///
/// The copy is made within one read transaction: otherwise each commit of another process would begin it anew. While
/// it lasts, the write-ahead log grows.
pub fn back_up(from: &Path, to: &Path, mut copied: impl FnMut(u64)) -> Result<()> {
    let source = connection::open_reader(from)?;
    is_ours(&source)?;
    let page: i64 = source.pragma_query_value(None, "page_size", |row| row.get(0))?;
    let snapshot = source.unchecked_transaction()?;
    // A read begins the transaction.
    let _: i64 = snapshot.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let mut target = Connection::open(to)?;
    copy(&snapshot, &mut target, |pages| {
        copied(pages.saturating_mul(page).unsigned_abs());
    })?;
    drop(snapshot);
    target.pragma_update(None, "journal_mode", "DELETE")?;
    target.close().map_err(|(_, error)| error.into())
}

fn copy(source: &Connection, target: &mut Connection, mut copied: impl FnMut(i64)) -> Result<()> {
    let backup = Backup::new(source, target)?;
    let (mut done, mut tries) = (0, 0);
    loop {
        let step = backup.step(STEP)?;
        match step {
            StepResult::Busy | StepResult::Locked if tries < TRIES => {
                tries += 1;
                thread::sleep(AGAIN);
                continue;
            }
            StepResult::Busy | StepResult::Locked => return Err(StoreError::Busy),
            _ => {}
        }
        let progress = backup.progress();
        let so_far = i64::from(progress.pagecount - progress.remaining);
        copied(so_far - done);
        done = so_far;
        if step == StepResult::Done {
            return Ok(());
        }
    }
}

/// Checks a copy in every way there is: the database's own check, its references, and the audit. The error names what
/// is wrong.
pub fn examine(copy: &Path) -> Result<Contents> {
    let db = Connection::open_with_flags(copy, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let version = is_ours(&db)?;
    let broken = |what: &str| StoreError::Internal(format!("the copy of the database is damaged: {what}"));
    let checked: String = db.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if checked != "ok" {
        return Err(broken(&checked));
    }
    let lost: i64 = db.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| {
        row.get(0)
    })?;
    if lost > 0 {
        return Err(broken(&format!("{lost} rows name rows that do not exist")));
    }
    let audit = (version == schema::known())
        .then(|| audit::audit(&db))
        .transpose()?;
    Ok(Contents {
        files: names(&db, "SELECT name FROM files ORDER BY name")?,
        previews: names(
            &db,
            "SELECT preview FROM previews WHERE preview IS NOT NULL ORDER BY preview",
        )?,
        audit,
    })
}

/// Whether the file of this name is recorded in the database now: it is not if it was taken down.
pub fn records(database: &Path, name: &FileName) -> Result<bool> {
    let db = connection::open_reader(database)?;
    let sql = "SELECT EXISTS (SELECT 1 FROM files WHERE name = ?1)";
    Ok(db.query_row(sql, [name.as_str()], |row| row.get(0))?)
}

fn names(db: &Connection, sql: &str) -> Result<Vec<FileName>> {
    let mut statement = db.prepare(sql)?;
    let names = statement.query_map([], |row| row.get::<_, String>(0))?;
    names
        .map(|name| {
            let name = name?;
            name.parse()
                .map_err(|_| StoreError::Internal(format!("`{name}` is not the name of a stored file")))
        })
        .collect()
}

/// The version of a database of this program.
fn is_ours(db: &Connection) -> Result<i64> {
    let id: i32 = db.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if id != schema::APPLICATION_ID {
        return Err(StoreError::Internal("it is not a database of atelier".to_owned()));
    }
    let found = schema::version(db)?;
    let known = schema::known();
    if found > known {
        return Err(StoreError::TooNew { found, known });
    }
    Ok(found)
}
