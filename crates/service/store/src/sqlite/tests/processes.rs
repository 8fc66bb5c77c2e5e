//! A command line beside a running server: two stores on one database, as two processes have it open.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use rusqlite::trace::{TraceEvent, TraceEventCodes};

use super::{open, raw};
use crate::{
    Accepted, Granted, StoreError,
    conformance::world::{World, accept, at, change, generation},
    sqlite::{Options, SqliteStore, accounts::Callers},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_writers_beside_each_other_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (server, command) = (open(folder.path()), open(folder.path()));
    let world = World::new(&server, 0).await;
    let account = world.account;
    let grants = async |store: Arc<dyn crate::Store>| {
        for _ in 0..100 {
            assert!(matches!(
                store.grant(account, 1, "one", at(1), change()).await.unwrap(),
                Granted::Done { .. }
            ));
        }
    };
    tokio::join!(grants(Arc::clone(&server)), grants(Arc::clone(&command)));
    assert_eq!(world.balance().await, (200, 0));
    world.audited().await;
}

#[tokio::test]
async fn a_key_revoked_by_a_command_stops_working_on_the_server_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (server, command) = (open(folder.path()), open(folder.path()));
    let world = World::new(&server, 0).await;
    assert!(server.caller(&world.key.hash).await.unwrap().is_some());
    command
        .revoke_key(None, world.key.record.id, at(1), change())
        .await
        .unwrap();
    assert!(server.caller(&world.key.hash).await.unwrap().is_none());
}

#[tokio::test]
async fn what_a_command_changes_about_an_account_is_seen_by_its_next_request() {
    let folder = tempfile::tempdir().unwrap();
    let (server, command) = (open(folder.path()), open(folder.path()));
    let world = World::new(&server, 0).await;
    for credits in 0..3 {
        let caller = server.caller(&world.key.hash).await.unwrap().unwrap();
        assert_eq!(caller.account.available, credits);
        command
            .grant(world.account, 1, "one", at(1), change())
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn the_requests_of_a_key_between_two_commits_read_it_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = open(folder.path());
    let world = World::new(&server, 0).await;
    let mut db = raw(folder.path());
    let statements = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&statements);
    db.trace_v2(
        TraceEventCodes::SQLITE_TRACE_STMT,
        Some(move |event: TraceEvent<'_>| {
            if let TraceEvent::Stmt(_, sql) = event
                && sql.starts_with("SELECT")
            {
                seen.fetch_add(1, Ordering::Relaxed);
            }
        }),
    )
    .unwrap();
    let mut callers = Callers::default();
    let mut read = || callers.read(&db, &world.key.hash).unwrap().unwrap();
    for _ in 0..5 {
        read();
    }
    assert_eq!(statements.load(Ordering::Relaxed), 1);
    server
        .grant(world.account, 1, "one", at(1), change())
        .await
        .unwrap();
    assert_eq!(read().account.available, 1);
    assert_eq!(statements.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn many_opening_a_new_database_at_once_all_get_it() {
    // Several rounds, because the moment in which two of them conflict is short.
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let threads: Vec<_> = (0..8)
            .map(|_| {
                let path = folder.path().join("store.db");
                std::thread::spawn(move || SqliteStore::open(Options::new(path)).map(|_| ()))
            })
            .collect();
        for thread in threads {
            thread.join().unwrap().unwrap();
        }
    }
}

#[tokio::test]
async fn what_was_answered_is_there_after_a_store_that_was_never_closed() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path());
    let world = World::new(&first, 100).await;
    let accepted = world.accepted(10).await;
    // A killed process leaves its files as they are now: copied, with the log.
    let copy = tempfile::tempdir().unwrap();
    for file in ["store.db", "store.db-wal"] {
        std::fs::copy(folder.path().join(file), copy.path().join(file)).unwrap();
    }
    let after = open(copy.path());
    assert_eq!(
        after.generation(world.account, accepted.id).await.unwrap(),
        Some(accepted)
    );
    assert_eq!(after.audit().await.unwrap().violations, Vec::<String>::new());
    assert!(matches!(
        after.accept(accept(generation(world.account, 90))).await.unwrap(),
        Accepted::Accepted(_)
    ));
}

#[tokio::test]
async fn a_newer_database_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path()).close().await.unwrap();
    super::raw(folder.path())
        .pragma_update(None, "user_version", 9_999)
        .unwrap();
    let error = SqliteStore::open(Options::new(folder.path().join("store.db"))).unwrap_err();
    assert!(
        matches!(error, StoreError::TooNew { found: 9_999, .. }),
        "{error}"
    );
}

#[tokio::test]
async fn a_folder_that_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no/such/store.db");
    let error = SqliteStore::open(Options::new(&path)).unwrap_err().to_string();
    assert!(error.contains(path.to_str().unwrap()), "{error}");
}
