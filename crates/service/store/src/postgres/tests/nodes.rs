//! Several nodes on one database: who does what, and what happens to a write whose connection breaks.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use atelier_domain::State;
use tokio::task::JoinSet;

use super::{fresh, open, raw};
use crate::{
    Accepted, ClaimedDelivery, Finished, News, NextAttempt, StoreError,
    conformance::world::{
        Shared, World, accept, at, change, claim_deliveries, completed, end, finish, generation, record,
    },
};

/// Two nodes on one empty database, and its URL.
async fn two() -> Option<(Shared, Shared, String)> {
    let (first, url) = fresh().await?;
    Some((first, open(&url).await, url))
}

/// The same world, seen from another node.
fn on(world: &World, store: &Shared) -> World {
    World {
        store: Arc::clone(store),
        account: world.account,
        key: world.key.clone(),
        worker: atelier_domain::WorkerId(crate::conformance::world::id()),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_start_together_make_one_schema() {
    let Some(postgres) = atelier_testkit::postgres() else {
        return;
    };
    let url = postgres.schema();
    let mut starting = JoinSet::new();
    for _ in 0..6 {
        let url = url.clone();
        starting.spawn(async move { open(&url).await });
    }
    for store in starting.join_all().await {
        assert!(store.api_enabled().await.unwrap());
        store.close().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_accept_claim_and_finish_without_waiting_in_a_circle() {
    const EACH: usize = 60;
    let Some((first, second, _)) = two().await else {
        return;
    };
    let world = World::new(&first, 10_000).await;
    let other = World {
        account: {
            let other = crate::conformance::world::account("grace", 10_000);
            let new = crate::NewAccount {
                key: crate::conformance::world::key(other.id),
                account: other.clone(),
            };
            first.create_account(new, change()).await.unwrap();
            other.id
        },
        ..on(&world, &second)
    };
    // Both nodes accept for both accounts.
    let mut accepting = JoinSet::new();
    for number in 0..EACH * 4 {
        let store = Arc::clone(if number % 2 == 0 { &first } else { &second });
        let account = if number % 4 < 2 {
            world.account
        } else {
            other.account
        };
        accepting.spawn(async move { store.accept(accept(generation(account, 10))).await.unwrap() });
    }
    let accepted = accepting.join_all().await;
    assert!(
        accepted
            .iter()
            .all(|accepted| matches!(accepted, Accepted::Accepted(_)))
    );
    // Both claim and finish; nobody gets what the other has.
    let mut working = JoinSet::new();
    for node in [on(&world, &first), on(&world, &second)] {
        working.spawn(async move {
            let mut done = Vec::new();
            loop {
                let claimed = node.claim(7, at(1)).await;
                if claimed.is_empty() {
                    return done;
                }
                let mut finishing = JoinSet::new();
                for claimed in claimed {
                    let store = Arc::clone(&node.store);
                    finishing.spawn(async move {
                        let ended = store
                            .finish(finish(&claimed, completed(&claimed, 4), at(2)))
                            .await
                            .unwrap();
                        assert!(matches!(ended, Finished::Ended { .. }), "{ended:?}");
                        claimed.id
                    });
                }
                done.extend(finishing.join_all().await);
            }
        });
    }
    let done: Vec<_> = working.join_all().await.into_iter().flatten().collect();
    // One node may see nothing while the other holds the last ones. None are left in the end.
    assert_eq!(done.len(), EACH * 4);
    assert_eq!(done.iter().collect::<HashSet<_>>().len(), EACH * 4);
    for world in [&world, &other] {
        assert_eq!(world.balance().await, (10_000 - 4 * 2 * EACH as i64, 0));
    }
    world.audited().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_claim_deliveries_at_once_share_them() {
    let Some((first, second, _)) = two().await else {
        return;
    };
    let world = World::new(&first, 100).await;
    world.deliveries_to("hooks.example.com:443", 60, at(1)).await;
    let nodes = [on(&world, &first), on(&world, &second)];
    let all = Arc::new(AtomicUsize::new(0));
    let mut claiming = JoinSet::new();
    for node in nodes {
        let all = Arc::clone(&all);
        claiming.spawn(async move {
            let mut claimed = Vec::new();
            // A claim may return nothing while the other node has locked all of them.
            while all.load(Ordering::SeqCst) < 60 {
                let found = node.claim_deliveries(5, 1_000, at(2)).await;
                all.fetch_add(found.len(), Ordering::SeqCst);
                claimed.extend(found);
            }
            for claimed in &claimed {
                let delivered = record(claimed, NextAttempt::Delivered, at(3));
                assert!(node.store.record_attempt(delivered).await.unwrap());
            }
            claimed
                .into_iter()
                .map(|claimed| claimed.delivery.id)
                .collect::<Vec<_>>()
        });
    }
    let claimed = claiming.join_all().await.concat();
    assert_eq!(claimed.iter().collect::<HashSet<_>>().len(), claimed.len());
    assert_eq!(claimed.len(), 60);
    world.audited().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_node_writes_is_announced_to_the_other_and_not_to_itself() {
    let Some((first, second, _)) = two().await else {
        return;
    };
    let world = World::new(&first, 100).await;
    let mut own = first.news().unwrap();
    let mut heard = second.news().unwrap();
    assert!(first.news().is_none(), "one hears for all");
    // A node that has just started to listen may miss the first announcements: they are only hints.
    let accepted = tokio::time::timeout(Duration::from_mins(1), async {
        loop {
            let accepted = world.accepted(1).await;
            if let Ok(news) = tokio::time::timeout(Duration::from_millis(500), heard.recv()).await {
                assert_eq!(news, Some(News::Work("echo".to_owned())));
                return accepted;
            }
        }
    })
    .await
    .unwrap();
    first.end(end(&accepted, at(1))).await.unwrap();
    let ended = tokio::time::timeout(Duration::from_mins(1), async {
        loop {
            match heard.recv().await.unwrap() {
                News::Work(_) => {}
                news => return news,
            }
        }
    });
    assert_eq!(ended.await.unwrap(), News::Ended(accepted.id));
    assert!(own.try_recv().is_err(), "what one knows need not be told");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn broken_connections_lose_and_double_nothing() {
    const ROUNDS: usize = 12;
    let Some((store, url)) = fresh().await else {
        return;
    };
    let postgres = atelier_testkit::postgres().unwrap();
    let schema = url.rsplit("%3D").next().unwrap().to_owned();
    let world = World::new(&store, 100_000).await;
    let stop = Arc::new(AtomicBool::new(false));
    // Ends every connection of this store again and again, whatever it is doing.
    let breaking = std::thread::spawn({
        let stop = Arc::clone(&stop);
        move || {
            while !stop.load(Ordering::SeqCst) {
                postgres.run(&format!(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                     WHERE application_name = 'atelier' AND pid <> pg_backend_pid()
                       AND pid IN (SELECT pid FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
                                   WHERE c.relnamespace = '{schema}'::regnamespace)"
                ));
            }
        }
    });
    let mut accepted = HashSet::new();
    let mut unknown = HashSet::new();
    for _ in 0..ROUNDS {
        let mut accepting = JoinSet::new();
        for _ in 0..10 {
            let (store, generation) = (Arc::clone(&store), generation(world.account, 10));
            accepting.spawn(async move { (generation.id, store.accept(accept(generation)).await) });
        }
        for (id, answer) in accepting.join_all().await {
            match answer {
                Ok(Accepted::Accepted(_)) => assert!(accepted.insert(id)),
                Err(StoreError::Unavailable(_) | StoreError::Busy) => assert!(unknown.insert(id)),
                other => panic!("{other:?}"),
            }
        }
    }
    stop.store(true, Ordering::SeqCst);
    breaking.join().unwrap();
    // Every accepted generation exists once and is paid for.
    let mut held = 0;
    for id in accepted.iter().chain(&unknown) {
        let found = store.generation(world.account, *id).await.unwrap();
        assert!(
            found.is_some() || unknown.contains(id),
            "{id} was accepted and is gone"
        );
        held += found.map_or(0, |found| {
            assert_eq!(found.state, State::Queued);
            found.hold
        });
    }
    assert_eq!(world.balance().await, (100_000 - held, held));
    world.audited().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_locks_no_more_deliveries_than_it_takes() {
    let Some((first, second, url)) = two().await else {
        return;
    };
    let world = World::new(&first, 0).await;
    raw(
        &url,
        &format!(
            "INSERT INTO deliveries (id, account, state, epoch, attempts, due_at, created_at, event, host, url, body)
             SELECT gen_random_uuid(), '{}', 'pending', 0, 0, n, 0, 'generation.completed',
                    CASE WHEN n <= 2000 THEN 'slow' ELSE 'host-' || n % 5 END, 'http://host', ''
             FROM generate_series(1, 2100) n",
            world.account
        ),
    );
    let claim = || claim_deliveries(world.worker, 400, 30, at(1));
    let (one, other) = tokio::join!(first.claim_deliveries(claim()), second.claim_deliveries(claim()));
    let (one, other) = (one.unwrap(), other.unwrap());
    let hosts = |claimed: &[ClaimedDelivery]| {
        let mut hosts = BTreeMap::new();
        for delivery in claimed {
            *hosts.entry(delivery.host.clone()).or_insert(0) += 1;
        }
        hosts
    };
    for claimed in [&one, &other] {
        assert_eq!(hosts(claimed)["slow"], 30);
    }
    let ids: HashSet<_> = one
        .iter()
        .chain(&other)
        .map(|claimed| claimed.delivery.id)
        .collect();
    assert_eq!(ids.len(), one.len() + other.len(), "none is claimed twice");
    assert_eq!(ids.len(), 160, "all of those with room are claimed");
    // A row that was locked and not written keeps the transaction that locked it.
    let locked = raw(
        &url,
        "SELECT count(*) FROM deliveries WHERE xmax <> 0 AND state = 'pending'",
    );
    assert_eq!(locked.trim().lines().last(), Some("0"));
}
