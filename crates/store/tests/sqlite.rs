//! The embedded store against the suite that every store must pass.

use std::sync::Arc;

use atelier_store::{
    Store,
    sqlite::{Options, SqliteStore},
};

fn fresh() -> (Arc<dyn Store>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(Options::new(folder.path().join("atelier.db"))).unwrap();
    (Arc::new(store), folder)
}

atelier_store::conformance_tests!(super::fresh());
