//! The embedded store against the suite, and the tests of this store alone.

mod audit;
mod collections;
mod erasure;
mod lost_claim;
mod plans;
mod processes;
mod writer;

use std::{path::Path, sync::Arc};

use rusqlite::Connection;

use super::{Options, SqliteStore, connection};
use crate::{Store, model::Ground};

/// An empty store in a folder of its own, which is removed when the second value is dropped.
fn fresh() -> (Arc<dyn Store>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (open(folder.path()), folder)
}

fn open(folder: &Path) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open(Options::new(folder.join("store.db"))).unwrap())
}

/// A direct connection to the database in this folder.
fn raw(folder: &Path) -> Connection {
    connection::open_writer(&folder.join("store.db")).unwrap()
}

/// Files in a folder; after a crash they are used as they are, with a write-ahead log that is not copied into the
/// database.
impl Ground for tempfile::TempDir {
    async fn new() -> Self {
        tempfile::tempdir().unwrap()
    }

    async fn open(&self) -> Arc<dyn Store> {
        open(self.path())
    }

    async fn crash(&mut self) {
        let folder = tempfile::tempdir().unwrap();
        for file in ["store.db", "store.db-wal"] {
            std::fs::copy(self.path().join(file), folder.path().join(file)).unwrap();
        }
        *self = folder;
    }
}

#[test]
fn every_life_of_a_store_keeps_its_books() {
    crate::model::every_life_of_a_store_keeps_its_books::<tempfile::TempDir>(32);
}

mod conformance {
    use super::fresh;

    crate::conformance_tests!(fresh());
}
