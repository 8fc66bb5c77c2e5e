//! How connections are opened and set, and the readers that are kept open.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, OpenFlags, config::DbConfig};
use tokio::sync::Semaphore;

use super::schema;
use crate::{Result, StoreError};

/// How long a write waits for another process's write (a command line beside the server), and vice versa.
const BUSY: Duration = Duration::from_secs(5);
/// Between two tries of what SQLite does not wait for by itself.
const AGAIN: Duration = Duration::from_millis(5);
const STATEMENTS: usize = 128;

/// The connection that writes; the database and its schema are made where they are missing.
pub(super) fn open_writer(path: &Path) -> Result<Connection> {
    let mut db = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .map_err(|error| StoreError::Internal(format!("{} does not open: {error}", path.display())))?;
    db.busy_timeout(BUSY)?;
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    keep_plans(&db)?;
    keep_a_log(&db)?;
    db.pragma_update(None, "foreign_keys", true)?;
    db.pragma_update(None, "synchronous", "FULL")?;
    // On systems where a plain sync stops at the drive's cache. Elsewhere these do nothing.
    db.pragma_update(None, "fullfsync", true)?;
    db.pragma_update(None, "checkpoint_fullfsync", true)?;
    db.pragma_update(None, "temp_store", "MEMORY")?;
    // KiB when negative.
    db.pragma_update(None, "cache_size", -16_384)?;
    // The log is cut back to this many bytes when it starts over after a burst.
    db.pragma_update(None, "journal_size_limit", 67_108_864)?;
    schema::migrate(&mut db)?;
    Ok(db)
}

/// Turns write-ahead logging on, which a database keeps from then on.
///
/// Where two processes do so at once on a new database, SQLite refuses one of them at once, without the wait
/// that other writes have: both hold the lock for reading that the other has to let go of. So it is tried again.
fn keep_a_log(db: &Connection) -> Result<()> {
    let until = Instant::now() + BUSY;
    loop {
        match db
            .pragma_update(None, "journal_mode", "WAL")
            .map_err(StoreError::from)
        {
            Err(StoreError::Busy) if Instant::now() < until => std::thread::sleep(AGAIN),
            done => return done,
        }
    }
}

fn open_reader(path: &Path) -> Result<Connection> {
    let db = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    db.busy_timeout(BUSY)?;
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    keep_plans(&db)?;
    // Not opened read-only: whoever reads the log beside a writer must be able to lock parts of it.
    db.pragma_update(None, "query_only", true)?;
    db.pragma_update(None, "temp_store", "MEMORY")?;
    db.pragma_update(None, "cache_size", -4_096)?;
    // A commit empties every reader's page cache. Mapped, the pages need no copying to come back.
    db.pragma_update(None, "mmap_size", 268_435_456_i64)?;
    Ok(db)
}

/// Keeps a prepared statement's plan whatever is bound to it. Without this, SQLite prepares a statement anew
/// at each use where a bound value might make a partial index useful, which costs more than running it.
fn keep_plans(db: &Connection) -> Result<()> {
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

/// Connections for reading. There is always one to have: one more is opened when all are in use.
pub(super) struct Readers {
    path: PathBuf,
    keep: usize,
    idle: Mutex<Vec<Connection>>,
    /// How many long reads run at once: they share the machine with everything else.
    pub(super) scans: Semaphore,
    closed: AtomicBool,
}

impl Readers {
    pub(super) fn new(path: PathBuf, keep: usize, scans: usize) -> Result<Self> {
        let first = open_reader(&path)?;
        Ok(Self {
            path,
            keep,
            idle: Mutex::new(vec![first]),
            scans: Semaphore::new(scans),
            closed: AtomicBool::new(false),
        })
    }

    pub(super) fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let kept = self.idle().pop();
        if self.closed.load(Ordering::Acquire) {
            return Err(StoreError::Internal("the store is closed".to_owned()));
        }
        let db = match kept {
            Some(db) => db,
            None => open_reader(&self.path)?,
        };
        let result = work(&db);
        let mut idle = self.idle();
        if idle.len() < self.keep && !self.closed.load(Ordering::Acquire) {
            idle.push(db);
        }
        result
    }

    /// As [`Self::read`], of one state of the database however many statements it takes.
    pub(super) fn snapshot<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        self.read(|db| {
            let transaction = db.unchecked_transaction()?;
            work(&transaction)
        })
    }

    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.idle().clear();
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Readers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Readers")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::DatabaseBusy) => Self::Busy,
            _ => Self::Internal(error.to_string()),
        }
    }
}
