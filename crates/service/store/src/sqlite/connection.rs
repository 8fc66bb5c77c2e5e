//! How connections are opened and configured, and the readers that stay open.

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

use super::{accounts::Callers, schema};
use crate::{Caller, Result, StoreError};

/// How long a write waits for the write of another process, such as a command line beside the server.
const BUSY: Duration = Duration::from_secs(5);
/// The pause between tries where SQLite does not wait by itself.
const AGAIN: Duration = Duration::from_millis(5);
const STATEMENTS: usize = 128;
/// The steps of SQLite's virtual machine between two looks at the clock.
const STEPS: i32 = 10_000;

/// Opens the connection that writes; creates the database and its schema if they are missing.
pub(super) fn open_writer(path: &Path) -> Result<Connection> {
    let mut db = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .map_err(|error| StoreError::Internal(format!("cannot open {}: {error}", path.display())))?;
    db.busy_timeout(BUSY)?;
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    keep_plans(&db)?;
    keep_a_log(&db)?;
    db.pragma_update(None, "foreign_keys", true)?;
    db.pragma_update(None, "synchronous", "FULL")?;
    // For systems where a plain sync stops at the drive's cache. Elsewhere these do nothing.
    db.pragma_update(None, "fullfsync", true)?;
    db.pragma_update(None, "checkpoint_fullfsync", true)?;
    db.pragma_update(None, "temp_store", "MEMORY")?;
    // A negative number is in KiB.
    db.pragma_update(None, "cache_size", -16_384)?;
    // After a burst, the log is truncated to this many bytes.
    db.pragma_update(None, "journal_size_limit", 67_108_864)?;
    schema::migrate(&mut db)?;
    Ok(db)
}

/// Turns on write-ahead logging, which is a property of the database.
///
/// If two processes do so at the same time on a new database, SQLite refuses one of them immediately, without the
/// wait that other writes have, because each holds a read lock that the other needs released. So it is tried again.
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

pub(super) fn open_reader(path: &Path) -> Result<Connection> {
    let db = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    db.busy_timeout(BUSY)?;
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    keep_plans(&db)?;
    // Not opened read-only: a reader of the log must be able to lock parts of it.
    db.pragma_update(None, "query_only", true)?;
    db.pragma_update(None, "temp_store", "MEMORY")?;
    // A commit empties this cache. To map the file instead costs more, because a commit ends the mapping too, and each
    // end interrupts the other processors.
    db.pragma_update(None, "cache_size", -4_096)?;
    Ok(db)
}

/// Keeps the plan of a prepared statement whatever values are bound. Otherwise SQLite prepares a statement again
/// each time a bound value might make a partial index useful, which costs more than running it.
fn keep_plans(db: &Connection) -> Result<()> {
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

/// Connections for reading. If all are in use, another one is opened.
pub(super) struct Readers {
    path: PathBuf,
    keep: usize,
    idle: Mutex<Vec<Reader>>,
    /// The limit of long reads at the same time: they share the machine with everything else.
    pub(super) scans: Semaphore,
    closed: AtomicBool,
}

struct Reader {
    db: Connection,
    callers: Callers,
}

impl Reader {
    fn open(path: &Path) -> Result<Self> {
        Ok(Self {
            db: open_reader(path)?,
            callers: Callers::default(),
        })
    }
}

impl Readers {
    pub(super) fn new(path: PathBuf, keep: usize, scans: usize) -> Result<Self> {
        let first = Reader::open(&path)?;
        Ok(Self {
            path,
            keep,
            idle: Mutex::new(vec![first]),
            scans: Semaphore::new(scans),
            closed: AtomicBool::new(false),
        })
    }

    pub(super) fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let reader = self.take()?;
        let result = work(&reader.db);
        self.give_back(reader);
        result
    }

    pub(super) fn caller(&self, key_hash: &[u8; 32]) -> Result<Option<Caller>> {
        let mut reader = self.take()?;
        let result = reader.callers.read(&reader.db, key_hash);
        self.give_back(reader);
        result
    }

    fn take(&self) -> Result<Reader> {
        let kept = self.idle().pop();
        if self.closed.load(Ordering::Acquire) {
            return Err(StoreError::Internal("the store is closed".to_owned()));
        }
        match kept {
            Some(reader) => Ok(reader),
            None => Reader::open(&self.path),
        }
    }

    fn give_back(&self, reader: Reader) {
        let mut idle = self.idle();
        if idle.len() < self.keep && !self.closed.load(Ordering::Acquire) {
            idle.push(reader);
        }
    }

    /// Reads like [`Self::read`], with all statements on one state of the database.
    pub(super) fn snapshot<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        self.read(|db| {
            let transaction = db.unchecked_transaction()?;
            work(&transaction)
        })
    }

    /// Reads like [`Self::snapshot`], and is interrupted after `longest`.
    pub(super) fn limited<T>(
        &self,
        longest: Duration,
        work: impl FnOnce(&Connection) -> Result<T>,
    ) -> Result<T> {
        let mut reader = self.take()?;
        let db = &mut reader.db;
        let begun = Instant::now();
        db.progress_handler(STEPS, Some(move || begun.elapsed() > longest))?;
        let result = db
            .unchecked_transaction()
            .map_err(StoreError::from)
            .and_then(|transaction| work(&transaction));
        db.progress_handler(0, None::<fn() -> bool>)?;
        self.give_back(reader);
        result
    }

    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.idle().clear();
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Reader>> {
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
            Some(ErrorCode::DatabaseBusy | ErrorCode::OperationInterrupted) => Self::Busy,
            _ => Self::Internal(error.to_string()),
        }
    }
}
