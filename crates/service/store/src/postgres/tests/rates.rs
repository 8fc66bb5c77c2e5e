//! Rate limits by the database's clock, and leases that cannot be renewed.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use atelier_domain::{Clock as _, Timestamp, clock::SystemClock};

use super::{fresh, open_with};
use crate::{
    Accept, Accepted, Beat, StoreError, TokenTaken,
    conformance::world::{Shared, World, accept, at, generation},
    postgres::RateClock,
};

const HOUR: Duration = Duration::from_hours(1);

/// Two nodes on one database, whose clock decides.
async fn two() -> Option<(Shared, Shared)> {
    let (_, url) = fresh().await?;
    let database = RateClock::Database;
    Some((open_with(&url, database).await, open_with(&url, database).await))
}

async fn takes(store: &Shared, world: &World, now: Timestamp) -> bool {
    let taken = store.take_token(world.account, 4, now).await.unwrap();
    matches!(taken, TokenTaken::Taken(_))
}

async fn accepts(store: &Shared, world: &World, now: Timestamp) -> bool {
    let mut generation = generation(world.account, 1);
    generation.created_at = now;
    let request = Accept {
        default_per_minute: 4,
        key: None,
        ..accept(generation)
    };
    match store.accept(request).await.unwrap() {
        Accepted::Accepted(_) => true,
        Accepted::Limited(_) => false,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_whose_clocks_differ_count_one_limit_and_lock_nobody_out() {
    let Some((ahead, behind)) = two().await else {
        return;
    };
    let world = World::new(&ahead, 100).await;
    let now = SystemClock.now();
    let (later, earlier) = (now.plus(HOUR), now.minus(HOUR));
    assert!(takes(&ahead, &world, later).await);
    assert!(
        takes(&behind, &world, earlier).await,
        "the node behind is not locked out"
    );
    assert!(accepts(&ahead, &world, later).await);
    assert!(accepts(&behind, &world, earlier).await);
    for passed in [
        takes(&ahead, &world, later).await,
        takes(&behind, &world, earlier).await,
        accepts(&ahead, &world, later).await,
        accepts(&behind, &world, earlier).await,
    ] {
        assert!(!passed, "four a minute, whichever node is asked");
    }
    let caller = behind.caller(&world.key.hash).await.unwrap().unwrap();
    let read_at = caller.database_now.unwrap();
    assert!(read_at.since(now) < HOUR && now.since(read_at) < HOUR);
    assert!(caller.generation_tat > read_at);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_heartbeat_fails_in_time_while_the_server_hangs() {
    let Some((first, url)) = fresh().await else {
        return;
    };
    let postgres = atelier_testkit::postgres().unwrap();
    let schema = url.rsplit("%3D").next().unwrap();
    let store = open_with(&format!("{url}&application_name={schema}"), RateClock::Caller).await;
    let world = World::new(&first, 100).await;
    world.accepted(1).await;
    let claimed = world.claimed(at(1)).await;
    let beat = Beat {
        id: claimed.id,
        epoch: claimed.epoch,
        progress: 0.5,
    };
    assert_eq!(store.heartbeat(vec![beat], at(90)).await.unwrap().lost, []);
    let sql = format!("SELECT pid FROM pg_stat_activity WHERE application_name = '{schema}'");
    let hanging: Vec<String> = postgres.run(&sql).split_whitespace().map(str::to_owned).collect();
    assert!(!hanging.is_empty());
    let signal = |name| Command::new("kill").arg(name).args(&hanging).status().unwrap();
    assert!(signal("-STOP").success());
    let begun = Instant::now();
    let answer = store.heartbeat(vec![beat], at(120)).await;
    let took = begun.elapsed();
    assert!(signal("-CONT").success());
    assert!(matches!(answer, Err(StoreError::Unavailable(_))), "{answer:?}");
    assert!(took < Duration::from_secs(9), "{took:?}");
    assert_eq!(
        store.heartbeat(vec![beat], at(150)).await.unwrap().lost,
        [],
        "it goes on"
    );
}
