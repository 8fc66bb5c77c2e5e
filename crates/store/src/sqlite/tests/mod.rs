//! The embedded store against the suite, and what is asked of it alone.

mod audit;
mod model;
mod plans;
mod processes;
mod writer;

use std::{path::Path, sync::Arc};

use rusqlite::Connection;

use super::{Options, SqliteStore, connection};
use crate::Store;

/// An empty store in a folder of its own, which goes when the second value does.
fn fresh() -> (Arc<dyn Store>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (open(folder.path()), folder)
}

fn open(folder: &Path) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open(Options::new(folder.join("store.db"))).unwrap())
}

/// A connection to the database of a store in this folder, past the store.
fn raw(folder: &Path) -> Connection {
    connection::open_writer(&folder.join("store.db")).unwrap()
}

mod conformance {
    use super::fresh;

    crate::conformance_tests!(fresh());
}
