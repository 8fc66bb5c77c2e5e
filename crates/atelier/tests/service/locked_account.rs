//! Somebody holds a lock on the row of one account in PostgreSQL: this account is refused in time, and no other account
//! notices.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use atelier_testkit::Answer;
use tokio::time::sleep;

use crate::setup::{Account, ECHO, World, cheap, until};

/// How long the lock is held.
const HELD: Duration = Duration::from_secs(5);
/// The longest wait of a caller whose account is locked.
const REFUSED: Duration = Duration::from_secs(2);
/// The longest wait of others, with what a loaded machine needs.
const SERVED: Duration = Duration::from_millis(1_500);
/// The callers of the locked account.
const CALLERS: usize = 8;
/// The requests of the other account.
const REQUESTS: usize = 20;

/// An answer and how long it took.
async fn timed(answer: impl Future<Output = Answer>) -> (Answer, Duration) {
    let begun = Instant::now();
    (answer.await, begun.elapsed())
}

/// One caller of the locked account, until the lock is released. Returns the number of refusals.
async fn is_refused(account: &Account, released: &AtomicBool) -> usize {
    let mut refusals = 0;
    while !released.load(Ordering::SeqCst) {
        let (answer, took) = timed(account.http.post("/generations", &cheap())).await;
        // A request that waited for the lock when it was released is accepted.
        if answer.status == 201 {
            continue;
        }
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (503, "unavailable")
        );
        assert!(answer.header("retry-after").is_some());
        assert!(took < REFUSED, "{took:?}");
        refusals += 1;
        sleep(Duration::from_millis(50)).await;
    }
    refusals
}

/// The other account, which is served all the time.
async fn is_served(account: &Account) {
    for _ in 0..REQUESTS {
        let (created, took) = timed(account.http.post("/generations", &cheap())).await;
        assert_eq!(created.status, 201, "{}", created.json());
        assert!(took < SERVED, "{took:?}");
        let (read, took) = timed(account.http.get("/balance")).await;
        assert_eq!(read.status, 200);
        assert!(took < SERVED, "{took:?}");
        sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_account_is_refused_in_time_and_others_do_not_notice() {
    let Some(postgres) = atelier_testkit::postgres() else {
        return;
    };
    let url = postgres.schema();
    let schema = url.rsplit("%3D").next().unwrap().to_owned();
    let world = World::start(&format!("{ECHO}[store]\nurl = \"{url}\"\n"));
    let (locked, other) = (world.account(1_000), world.account(1_000));
    let row = format!("SELECT id FROM {schema}.accounts WHERE name = '{}'", locked.name);

    let lock = format!("{row} FOR UPDATE; SELECT pg_sleep({})", HELD.as_secs());
    let holder = tokio::task::spawn_blocking(move || postgres.run(&lock));
    until("the row is locked", async || {
        postgres
            .run(&format!("{row} FOR UPDATE SKIP LOCKED"))
            .trim()
            .is_empty()
    })
    .await;
    let released = AtomicBool::new(false);
    let callers = futures::future::join_all((0..CALLERS).map(|_| is_refused(&locked, &released)));
    let ((), refusals, ()) = tokio::join!(is_served(&other), callers, async {
        holder.await.unwrap();
        released.store(true, Ordering::SeqCst);
    });
    assert!(
        refusals.iter().all(|refusals| *refusals > 0),
        "everybody was refused: {refusals:?}"
    );
    assert_eq!(locked.http.get("/balance").await.status, 200);
    let id = locked.http.create(&cheap()).await;
    assert_eq!(locked.http.wait(&id).await["status"], "completed");
    assert_eq!(
        other.credits().await,
        1_000 - 4 * REQUESTS as i64,
        "each job was charged once"
    );
}
