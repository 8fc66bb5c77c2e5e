//! The writer: a failing item affects no other, a failed commit affects all, and durable writes wait for the disk.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicU32, Ordering},
};

use super::{
    super::{
        Options, SqliteStore, connection,
        newest::Newest,
        writer::{Writer, durable, fleeting},
    },
    open,
};
use crate::{
    Accepted, Fault, Faults, Granted, StoreError,
    conformance::world::{Shared, World, accept, at, change, generation},
};

fn writer(folder: &tempfile::TempDir) -> Writer {
    let path = folder.path().join("store.db");
    let db = connection::open_writer(&path).unwrap();
    Writer::start(db, Newest::open(&path).unwrap(), None).unwrap()
}

#[tokio::test]
async fn the_log_begins_again_although_the_newest_state_is_always_read() {
    const ROUNDS: u32 = 40;
    const BYTES: u32 = 4_000_000;
    let folder = tempfile::tempdir().unwrap();
    let writer = writer(&folder);
    for _ in 0..ROUNDS {
        writer
            .write(fleeting!("test"), |db| {
                db.execute("CREATE TABLE IF NOT EXISTS big (bytes BLOB)", [])?;
                db.execute("DELETE FROM big", [])?;
                db.execute("INSERT INTO big VALUES (zeroblob(?1))", [BYTES])?;
                Ok(())
            })
            .await
            .unwrap();
    }
    let log = std::fs::metadata(folder.path().join("store.db-wal"))
        .unwrap()
        .len();
    assert!(log < u64::from(ROUNDS * BYTES / 2), "the log has {log} bytes");
}

#[tokio::test]
async fn a_panic_fails_one_write_and_the_next_one_works() {
    let folder = tempfile::tempdir().unwrap();
    let writer = writer(&folder);
    let panicked: Result<(), _> = writer
        .write(durable!("test"), |db| {
            db.execute("UPDATE settings SET api_enabled = 0", [])?;
            panic!("as planned")
        })
        .await;
    assert!(matches!(panicked, Err(StoreError::Internal(_))), "{panicked:?}");
    let enabled: bool = writer
        .write(durable!("test"), |db| {
            Ok(db.query_row("SELECT api_enabled FROM settings", [], |row| row.get(0))?)
        })
        .await
        .unwrap();
    assert!(enabled, "what it wrote was undone");
}

#[tokio::test]
async fn a_failed_write_is_undone_and_its_batch_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let writer = writer(&folder);
    let raise = |succeed: bool| {
        writer.write(durable!("test"), move |db| {
            db.execute("UPDATE settings SET checks = checks + 1", [])?;
            if succeed {
                Ok(())
            } else {
                Err(StoreError::Internal("no".to_owned()))
            }
        })
    };
    // All three are queued before the writer's thread can answer one of them.
    let (first, second, third) = tokio::join!(raise(true), raise(false), raise(true));
    assert!(first.is_ok() && second.is_err() && third.is_ok());
    let checks: i64 = writer
        .write(durable!("test"), |db| {
            Ok(db.query_row("SELECT checks FROM settings", [], |row| row.get(0))?)
        })
        .await
        .unwrap();
    assert_eq!(checks, 2);
}

#[tokio::test]
async fn only_a_batch_with_a_durable_write_waits_for_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let writer = writer(&folder);
    let (normal, full) = (1, 2);
    let synchronous = |db: &rusqlite::Connection| -> crate::Result<i64> {
        Ok(db.pragma_query_value(None, "synchronous", |row| row.get(0))?)
    };
    for _ in 0..2 {
        assert_eq!(
            writer.write(fleeting!("test"), synchronous).await.unwrap(),
            normal
        );
        assert_eq!(writer.write(durable!("test"), synchronous).await.unwrap(), full);
    }
    let journal: String = writer
        .write(durable!("test"), |db| {
            Ok(db.pragma_query_value(None, "journal_mode", |row| row.get(0))?)
        })
        .await
        .unwrap();
    assert_eq!(journal, "wal");
}

#[tokio::test]
async fn more_writes_than_the_queue_takes_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let writer = Arc::new(writer(&folder));
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let blocker = tokio::spawn({
        let writer = Arc::clone(&writer);
        async move {
            writer
                .write(durable!("test"), move |_| Ok(wait.recv().is_ok()))
                .await
        }
    });
    let mut waiting = tokio::task::JoinSet::new();
    for _ in 0..5_000 {
        let writer = Arc::clone(&writer);
        waiting.spawn(async move { writer.write(durable!("test"), |_| Ok(())).await });
    }
    // Writes are refused while the writer is blocked, with 4,096 waiting and at most 256 taken.
    let mut refused = 0;
    while refused < 5_000 - 4_096 - 256 {
        let refusal = waiting.join_next().await.unwrap().unwrap();
        assert!(matches!(refusal, Err(StoreError::Busy)), "{refusal:?}");
        refused += 1;
    }
    go.send(()).unwrap();
    assert!(blocker.await.unwrap().unwrap());
    let results = waiting.join_all().await;
    assert!(
        results
            .iter()
            .all(|result| matches!(result, Ok(()) | Err(StoreError::Busy)))
    );
    // The blocking write is one of the 4,096 if the writer had not taken it before the others came.
    assert!(results.iter().filter(|result| result.is_ok()).count() >= 4_095);
}

/// Fails commits as if the disk were full while this is set; counts the points reached.
#[derive(Debug, Default)]
struct Disk {
    full: AtomicBool,
    after: AtomicU32,
    seen: Mutex<Vec<&'static str>>,
}

impl Faults for Disk {
    fn reach(&self, place: &'static str) -> Option<Fault> {
        self.seen.lock().unwrap().push(place);
        if place == "accept.after_commit" {
            self.after.fetch_add(1, Ordering::Relaxed);
        }
        let full = place == "accept.before_commit" && self.full.load(Ordering::Relaxed);
        full.then_some(Fault::DiskFull)
    }
}

#[tokio::test]
async fn a_full_disk_refuses_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Arc::new(Disk::default());
    let faults: Arc<dyn Faults> = Arc::clone(&disk) as _;
    let options = Options {
        faults: Some(faults),
        ..Options::new(folder.path().join("store.db"))
    };
    let store: Shared = Arc::new(SqliteStore::open(options).unwrap());
    let world = World::new(&store, 100).await;
    world.accepted(10).await;

    disk.full.store(true, Ordering::Relaxed);
    let refused = generation(world.account, 10);
    assert!(matches!(
        store.accept(accept(refused.clone())).await,
        Err(StoreError::Full)
    ));
    assert_eq!(world.balance().await, (90, 10));
    assert_eq!(store.generation(world.account, refused.id).await.unwrap(), None);
    assert_eq!(
        disk.after.load(Ordering::Relaxed),
        1,
        "only the first one was committed"
    );

    disk.full.store(false, Ordering::Relaxed);
    assert!(matches!(
        store.accept(accept(refused)).await.unwrap(),
        Accepted::Accepted(_)
    ));
    world.audited().await;
    let seen = disk.seen.lock().unwrap();
    assert_eq!(
        seen[..2],
        ["create_account.before_commit", "create_account.after_commit"]
    );
}

#[tokio::test]
async fn a_database_out_of_pages_is_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let writer = writer(&folder);
    writer
        .write(durable!("test"), |db| {
            // SQLite answers as it would for a disk without room.
            let pages: i64 = db.pragma_query_value(None, "page_count", |row| row.get(0))?;
            db.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?;
            Ok(())
        })
        .await
        .unwrap();
    let grow = |db: &rusqlite::Connection| {
        let name = "x".repeat(100_000);
        db.execute(
            "INSERT INTO files VALUES (?1, 'image/png', 1, NULL, NULL, NULL, 0)",
            [name],
        )?;
        Ok(())
    };
    let small = |db: &rusqlite::Connection| {
        db.execute("UPDATE settings SET checks = checks + 1", [])?;
        Ok(())
    };
    let (large, small) = tokio::join!(
        writer.write(durable!("test"), grow),
        writer.write(durable!("test"), small)
    );
    assert!(matches!(large, Err(StoreError::Full)), "{large:?}");
    assert!(matches!(small, Ok(()) | Err(StoreError::Full)), "{small:?}");
    let checks = writer
        .write(durable!("test"), |db| {
            Ok(db.query_row("SELECT checks FROM settings", [], |row| row.get::<_, i64>(0))?)
        })
        .await
        .unwrap();
    assert_eq!(
        checks,
        i64::from(small.is_ok()),
        "what was answered is what was written"
    );
}

#[tokio::test]
async fn closing_waits_for_what_was_asked_before() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let world = World::new(&store, 0).await;
    let mut granting = tokio::task::JoinSet::new();
    for _ in 0..300 {
        let (store, account) = (Arc::clone(&store), world.account);
        granting.spawn(async move { store.grant(account, 1, "one", at(1), change()).await });
    }
    tokio::task::yield_now().await;
    store.close().await.unwrap();
    let done = granting
        .join_all()
        .await
        .iter()
        .filter(|granted| matches!(granted, Ok(Granted::Done { .. })))
        .count();
    assert!(
        !folder.path().join("store.db-wal").exists(),
        "the log is copied and gone"
    );
    let again = open(folder.path());
    let account = again.account(world.account).await.unwrap().unwrap();
    assert_eq!(
        account.available,
        i64::try_from(done).unwrap(),
        "what was answered is what is there"
    );
}
