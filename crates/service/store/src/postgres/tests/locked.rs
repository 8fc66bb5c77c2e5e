//! Somebody holds the row of an account for as long as they like: its own writes are refused in time, and those of
//! other accounts go on.

use std::{sync::Arc, time::Duration};

use atelier_domain::{AccountId, Generation, PlanChange};
use deadpool_postgres::Object;
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{
    super::{connection, schema::locks},
    fresh, raw,
};
use crate::{
    Accepted, Beat, Finished, StoreError, Unrenewed,
    conformance::{
        erasure::erase,
        world::{World, accept, at, change, completed, end, finish, generation},
    },
};

/// A transaction that holds rows until it is dropped.
struct Lock(Option<Object>);

impl Lock {
    async fn hold(url: &str, rows: &str) -> Self {
        Self::hold_by(url, &format!("SELECT 1 FROM {rows} FOR UPDATE")).await
    }

    async fn hold_by(url: &str, lock: &str) -> Self {
        let pool = connection::pool(&url.parse().unwrap(), 1).unwrap();
        let connection = pool.get().await.unwrap();
        let sql = format!("SET idle_in_transaction_session_timeout = 0; BEGIN; {lock}");
        connection.batch_execute(&sql).await.unwrap();
        Self(Some(connection))
    }

    async fn release(mut self) {
        self.0.take().unwrap().batch_execute("ROLLBACK").await.unwrap();
    }

    async fn hold_account(url: &str, account: AccountId) -> Self {
        Self::hold(url, &format!("accounts WHERE id = '{account}'")).await
    }

    /// As a claim that counts what runs of the account.
    async fn hold_count(url: &str, account: AccountId) -> Self {
        let lock = format!(
            "SELECT pg_advisory_xact_lock({}, hashtext('{account}'))",
            locks::RUNNING
        );
        Self::hold_by(url, &lock).await
    }
}

/// Long enough for everything here on a loaded machine, and much shorter than the lock lasts.
const IN_TIME: Duration = Duration::from_mins(1);

/// Accepts and claims a generation.
async fn running(world: &World) -> Generation {
    let accepted = world.accepted(1).await;
    let claimed = world.claimed(at(1)).await;
    assert_eq!(claimed.id, accepted.id);
    claimed
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_account_is_refused_in_time_and_holds_up_no_other() {
    let Some((store, url)) = fresh().await else {
        return;
    };
    let locked = World::new(&store, 1_000).await;
    let free = locked.beside("grace", 1_000).await;
    let (mut of_locked, mut of_free) = (Vec::new(), Vec::new());
    for _ in 0..20 {
        of_locked.push(running(&locked).await);
        of_free.push(running(&free).await);
    }
    let lock = Lock::hold_account(&url, locked.account).await;
    // More writes of the locked account than there are connections.
    let mut refused = JoinSet::new();
    for running in of_locked.clone() {
        let (store, asked) = (Arc::clone(&store), accept(generation(locked.account, 1)));
        refused.spawn(async move { store.accept(asked).await.map(|accepted| format!("{accepted:?}")) });
        let store = Arc::clone(&locked.store);
        let ending = finish(&running, completed(&running, 1), at(2));
        refused.spawn(async move { store.finish(ending).await.map(|finished| format!("{finished:?}")) });
        let mut cancel = end(&running, at(2));
        cancel.account = Some(running.account);
        let store = Arc::clone(&locked.store);
        refused.spawn(async move { store.end(cancel).await.map(|ended| format!("{ended:?}")) });
    }
    // The other account's writes come in the same batches, one after another and together.
    let went_on = async {
        let mut together = JoinSet::new();
        for running in &of_free[10..] {
            let store = Arc::clone(&store);
            let ending = finish(running, completed(running, 1), at(2));
            together.spawn(async move { store.finish(ending).await.unwrap() });
        }
        for running in &of_free[..10] {
            let asked = accept(generation(free.account, 1));
            let accepted = store.accept(asked).await.unwrap();
            assert!(matches!(accepted, Accepted::Accepted(_)), "{accepted:?}");
            let finished = free.complete(running, 1, at(2)).await;
            assert!(matches!(finished, Finished::Ended { .. }), "{finished:?}");
        }
        for finished in together.join_all().await {
            assert!(matches!(finished, Finished::Ended { .. }), "{finished:?}");
        }
    };
    timeout(IN_TIME, went_on)
        .await
        .expect("the other account is held up");
    let refused = timeout(IN_TIME, refused.join_all())
        .await
        .expect("somebody waits for the lock");
    assert_eq!(refused.len(), 60);
    for answer in refused {
        assert!(matches!(answer, Err(StoreError::Busy)), "{answer:?}");
    }
    assert_eq!(free.balance().await, (970, 10));
    lock.release().await;
    // Everything refused can be tried again, and counts once.
    for running in &of_locked {
        let finished = locked.complete(running, 1, at(3)).await;
        assert!(matches!(finished, Finished::Ended { .. }), "{finished:?}");
    }
    locked.accepted(5).await;
    assert_eq!(locked.balance().await, (975, 5));
    locked.audited().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_while_a_batch_waits_joins_it_whoever_asks() {
    let Some((store, url)) = fresh().await else {
        return;
    };
    let held = World::new(&store, 1_000).await;
    let other = held.beside("grace", 1_000).await;
    let written_together = "SELECT count(*) FROM
        (SELECT 1 FROM generations GROUP BY xmin::text HAVING count(DISTINCT account) = 2) t";
    // The batch does not wait long, so on a loaded machine the other may come too late.
    for tries in 1.. {
        let lock = Lock::hold_account(&url, held.account).await;
        let (first, then) = (
            accept(generation(held.account, 1)),
            accept(generation(other.account, 1)),
        );
        let (one, another) = (Arc::clone(&store), Arc::clone(&store));
        let waits = tokio::spawn(async move { one.accept(first).await.unwrap() });
        sleep(Duration::from_millis(20)).await;
        let joins = tokio::spawn(async move { another.accept(then).await.unwrap() });
        sleep(Duration::from_millis(5)).await;
        lock.release().await;
        for accepted in [waits.await.unwrap(), joins.await.unwrap()] {
            assert!(matches!(accepted, Accepted::Accepted(_)), "{accepted:?}");
        }
        if raw(&url, written_together).trim() == "1" {
            break;
        }
        assert!(tries < 50, "no batch had generations of both accounts");
    }
    held.audited().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_generation_holds_up_no_other_of_its_account() {
    let Some((store, url)) = fresh().await else {
        return;
    };
    let world = World::new(&store, 1_000).await;
    let (stuck, other) = (running(&world).await, running(&world).await);
    let lock = Lock::hold(&url, &format!("generations WHERE id = '{}'", stuck.id)).await;
    let mut ending = JoinSet::new();
    for running in [&stuck, &other] {
        let (store, id) = (Arc::clone(&store), running.id);
        let ended = finish(running, completed(running, 1), at(2));
        ending.spawn(async move { (id, store.finish(ended).await) });
    }
    for (id, answer) in ending.join_all().await {
        if id == stuck.id {
            assert!(matches!(answer, Err(StoreError::Busy)), "{answer:?}");
        } else {
            assert!(matches!(answer, Ok(Finished::Ended { .. })), "{answer:?}");
        }
    }
    lock.release().await;
    assert!(matches!(
        world.complete(&stuck, 1, at(3)).await,
        Finished::Ended { .. }
    ));
    assert_eq!(world.balance().await, (998, 0));
    world.audited().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_end_that_waits_for_its_generation_does_not_hold_its_account() {
    let Some((store, url)) = fresh().await else {
        return;
    };
    let world = World::new(&store, 1_000).await;
    let (running, queued) = (running(&world).await, world.accepted(1).await);
    let of_account = format!("generations WHERE account = '{}'", world.account);
    let lock = Lock::hold(&url, &of_account).await;
    let mut ending = JoinSet::new();
    let (one, another, third) = (Arc::clone(&store), Arc::clone(&store), Arc::clone(&store));
    let (completes, cancels) = (
        finish(&running, completed(&running, 1), at(2)),
        end(&queued, at(2)),
    );
    let erases = erase(world.account);
    ending.spawn(async move { one.finish(completes).await.map(|_| ()) });
    ending.spawn(async move { another.end(cancels).await.map(|_| ()) });
    ending.spawn(async move { third.erase(erases).await.map(|_| ()) });
    let free = format!(
        "SELECT 1 FROM accounts WHERE id = '{}' FOR NO KEY UPDATE NOWAIT",
        world.account
    );
    let mut looks = 0;
    while !ending.is_empty() {
        raw(&url, &free);
        looks += 1;
        while let Some(answer) = ending.try_join_next() {
            let answer = answer.unwrap();
            assert!(matches!(answer, Err(StoreError::Busy)), "{answer:?}");
        }
    }
    assert!(looks > 2, "they waited while the account was looked at");
    lock.release().await;
    world.audited().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_generation_is_neither_renewed_nor_lost_and_the_others_are_renewed() {
    let Some((store, url)) = fresh().await else {
        return;
    };
    let world = World::new(&store, 1_000).await;
    let (stuck, other) = (running(&world).await, running(&world).await);
    let lock = Lock::hold(&url, &format!("generations WHERE id = '{}'", stuck.id)).await;
    let beats = || {
        let beat = |running: &Generation| Beat {
            id: running.id,
            epoch: running.epoch,
            progress: 0.5,
        };
        vec![beat(&stuck), beat(&other)]
    };
    let unrenewed = Unrenewed {
        lost: Vec::new(),
        locked: vec![stuck.id],
    };
    assert_eq!(store.heartbeat(beats(), at(500)).await.unwrap(), unrenewed);
    assert_eq!(
        store.requeue_lost(at(400), 3, 9).await.unwrap(),
        0,
        "the lease of the other was renewed, and the locked one is left alone"
    );
    lock.release().await;
    assert_eq!(
        store.heartbeat(beats(), at(500)).await.unwrap(),
        Unrenewed::default()
    );
    assert_eq!(store.requeue_lost(at(400), 3, 9).await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lease_of_a_job_is_renewed_while_its_end_waits_for_the_account() {
    let Some((store, url)) = fresh().await else {
        return;
    };
    let world = World::new(&store, 1_000).await;
    let running = running(&world).await;
    let lock = Lock::hold_account(&url, world.account).await;
    let ending = tokio::spawn({
        let (store, ended) = (
            Arc::clone(&store),
            finish(&running, completed(&running, 1), at(2)),
        );
        async move { store.finish(ended).await }
    });
    // Beyond the short wait with other accounts.
    sleep(Duration::from_millis(400)).await;
    let (mut beats, mut renewed) = (0, 0);
    while !ending.is_finished() {
        let beat = Beat {
            id: running.id,
            epoch: running.epoch,
            progress: 0.5,
        };
        beats += 1;
        renewed += usize::from(store.heartbeat(vec![beat], at(500)).await.unwrap() == Unrenewed::default());
        sleep(Duration::from_millis(50)).await;
    }
    assert!(
        renewed * 2 > beats,
        "{renewed} of {beats} heartbeats were renewed"
    );
    assert!(matches!(ending.await.unwrap(), Err(StoreError::Busy)));
    lock.release().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_passes_over_limited_accounts_that_others_count() {
    let Some((store, url)) = fresh().await else {
        return;
    };
    let mut worlds = vec![World::new(&store, 100).await];
    for number in 0..8 {
        worlds.push(worlds[0].beside(&format!("other-{number}"), 100).await);
    }
    for world in &worlds {
        world.accepted(1).await;
    }
    let one = PlanChange {
        max_running: Some(Some(1)),
        ..PlanChange::default()
    };
    // The plan of all of them.
    store.set_plan("studio", one, change()).await.unwrap();
    let mut locks = Vec::new();
    for world in &worlds[..7] {
        locks.push(Lock::hold_count(&url, world.account).await);
    }
    let free = [worlds[7].account, worlds[8].account];
    for free in free {
        assert_eq!(worlds[0].claimed(at(1)).await.account, free);
    }
    assert_eq!(worlds[0].claim(9, at(1)).await, []);
    for lock in locks {
        lock.release().await;
    }
    assert_eq!(worlds[0].claim(9, at(1)).await.len(), 7);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_accepted_of_a_limited_account_does_not_delay_its_claims() {
    let Some((store, url)) = fresh().await else {
        return;
    };
    let world = World::new(&store, 100).await;
    world.accepted(1).await;
    let one = PlanChange {
        max_running: Some(Some(1)),
        ..PlanChange::default()
    };
    store.set_plan("studio", one, change()).await.unwrap();
    // As acceptances and ends do nearly all the time, if there are many.
    let lock = Lock::hold_account(&url, world.account).await;
    assert_eq!(world.claim(9, at(1)).await.len(), 1);
    lock.release().await;
}
