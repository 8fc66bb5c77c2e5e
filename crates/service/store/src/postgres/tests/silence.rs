//! A server, or one connection to it, that goes silent: nothing is refused, and nothing is answered.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use atelier_testkit::{Postgres, Relay, Silent, own_postgres};
use tokio::{task::JoinSet, time::timeout};

use super::{
    super::{Options, PostgresStore, schema},
    open, raw,
};
use crate::{News, Result, Store, StoreError, conformance::world::World};

/// A start has ended long before: it takes two or three patient steps, and here dozens of them share a machine that may
/// be slow and loaded.
const IN_TIME: Duration = Duration::from_mins(4);

async fn start(url: &str) -> Result<PostgresStore> {
    let opened = PostgresStore::open(Options::new(url.parse().unwrap()));
    timeout(IN_TIME, opened).await.expect("the start does not end")
}

fn says_so(error: &StoreError, place: &str) {
    let said = error.to_string();
    assert!(matches!(error, StoreError::Unavailable(_)), "{said}");
    assert!(said.contains("the database does not answer"), "{said}");
    assert!(said.contains(place), "{said}");
}

#[tokio::test]
async fn a_server_that_hangs_ends_the_start_with_a_plain_error() {
    let Some(postgres) = own_postgres() else { return };
    let url = postgres.schema();
    let suspended = postgres.suspend();
    let begun = Instant::now();
    says_so(&start(&url).await.unwrap_err(), "postgres:///postgres");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    drop(suspended);
    start(&url).await.unwrap().close().await.unwrap();
}

/// Starts on an empty schema through a relay that goes silent, and then directly.
///
/// Returns the writes that the first start took, if it was one.
async fn start_through(postgres: &'static Postgres, silent: Silent) -> Result<usize> {
    let url = postgres.schema();
    let relay = Relay::start(&postgres.socket(), silent).await;
    let started = start(&postgres.through(&relay, &url)).await;
    let writes = relay.writes();
    drop(relay);
    let store = start(&url).await.unwrap();
    assert!(store.api_enabled().await.unwrap());
    store.close().await.unwrap();
    let version = raw(&url, "SELECT version FROM atelier_schema");
    assert_eq!(version.trim(), schema::known().to_string(), "{silent:?}");
    started.map(|_| writes)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wherever_a_start_is_answered_no_more_it_ends_and_the_next_one_makes_the_schema() {
    let Some(postgres) = atelier_testkit::postgres() else {
        return;
    };
    let writes = start_through(postgres, Silent::Never).await.unwrap();
    assert!(writes > 10, "{writes}");
    let mut starting = JoinSet::new();
    let all = (0..writes).step_by(3).map(Silent::All);
    for silent in (0..writes).map(Silent::First).chain(all) {
        starting.spawn(start_through(postgres, silent));
    }
    let starts = starting.len();
    let mut silent = 0;
    for ended in starting.join_all().await {
        if let Err(error) = ended {
            says_so(&error, "postgres://atelier@127.0.0.1");
            silent += 1;
        }
    }
    // Writes may arrive as one, so the last of them may never be reached.
    assert!(silent > starts / 2, "{silent} of {starts} went silent");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_may_take_long_while_the_server_works_on_it() {
    let Some(postgres) = atelier_testkit::postgres() else {
        return;
    };
    let url = postgres.schema();
    raw(&url, schema::MIGRATIONS[0].1);
    raw(&url, "UPDATE atelier_schema SET version = 6");
    // The next migration changes this table. Longer than the patience of any other step.
    let locked = std::thread::spawn({
        let url = url.clone();
        move || raw(&url, "BEGIN; LOCK TABLE invitations; SELECT pg_sleep(8); COMMIT")
    });
    while raw(
        &url,
        "SELECT count(*) FROM pg_locks WHERE relation = 'invitations'::regclass",
    )
    .trim()
        == "0"
    {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let begun = Instant::now();
    start(&url).await.unwrap().close().await.unwrap();
    assert!(begun.elapsed() > Duration::from_secs(6), "{:?}", begun.elapsed());
    locked.join().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_for_announcements_that_goes_silent_is_replaced() {
    let Some(postgres) = atelier_testkit::postgres() else {
        return;
    };
    let url = postgres.schema();
    let writer = open(&url).await;
    let world = World::new(&writer, 1_000).await;
    let _own = writer.news().unwrap();
    let relay = Relay::start(&postgres.socket(), Silent::Never).await;
    let listener: Arc<dyn Store> = open(&postgres.through(&relay, &url)).await;
    let mut heard = listener.news().unwrap();
    // Something is announced until it is heard.
    let mut hears = async || {
        let begun = Instant::now();
        while begun.elapsed() < IN_TIME {
            world.accepted(1).await;
            if let Ok(news) = timeout(Duration::from_millis(250), heard.recv()).await {
                assert_eq!(news, Some(News::Work("echo".to_owned())));
                return begun.elapsed();
            }
        }
        panic!("nothing was heard within {IN_TIME:?}");
    };
    hears().await;
    relay.forget();
    let took = hears().await;
    assert!(
        took > Duration::from_secs(3),
        "{took:?}: the connection was not silent"
    );
    writer.close().await.unwrap();
}
