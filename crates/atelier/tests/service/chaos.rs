//! Kills under load, of a decent size: `just chaos`. Shorter forms are in the ordinary tests: `crashes`, `shared`,
//! `full_disk` and `remote`.
//!
//! Each run compares what clients were told with what the service has at the end: every accepted job has ended, was
//! settled once and reported in one delivery, every idempotency key leads to its job, the balance and the audit are
//! right, and no work file and no process is left.

use std::time::{Duration, Instant};

use crate::{
    crashes::load::{Books, Chance, Hanging},
    planned::{self, Plan},
    setup::{Account, ECHO, World, until},
};

const KILLS: u32 = 60;
const CREDITS: i64 = 1_000_000;

/// What a run checks beside the books.
#[expect(clippy::print_stderr, reason = "the figures of a recipe")]
async fn nothing_is_left(world: &World, account: &Account, begun: Instant, what: &str) {
    until("the work files are gone", async || world.scratch().is_empty()).await;
    let page = account.http.get("/generations?limit=1").await.json();
    let jobs = page["meta"]["total"].as_u64().unwrap();
    let page = account.http.get("/generations?limit=100").await.json();
    let newest = page["data"].as_array().unwrap();
    for job in newest {
        let path = format!("/generations/{}", job["id"].as_str().unwrap());
        let deletion = account.http.request(reqwest::Method::DELETE, &path);
        assert_eq!(account.http.send(deletion).await.status, 200);
    }
    assert_eq!(world.audit()["generations"], jobs - newest.len() as u64);
    let stored = world.stored();
    assert!(stored.len() <= 2, "the echo and the upload: {stored:?}");
    eprintln!("{what}: {jobs} jobs in {:.0} s", begun.elapsed().as_secs_f64());
}

/// The processes that have this folder among their arguments.
fn processes_of(folder: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(arguments) = std::fs::read(entry.path().join("cmdline")) else {
            continue;
        };
        if String::from_utf8_lossy(&arguments).contains(folder) {
            found.extend(
                entry
                    .file_name()
                    .to_str()
                    .and_then(|name| name.parse::<u32>().ok()),
            );
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: `just chaos sqlite`"]
async fn sqlite() {
    let begun = Instant::now();
    let mut world = World::prepare(ECHO);
    world.server.start();
    let account = world.account(CREDITS);
    let books = Books::new(&account).await;
    let mut chance = Chance::new(0x00c4_a050);
    for _ in 0..KILLS {
        let hanging = Hanging::new().await;
        let clients = books.clients(8, 60);
        let special = books.special_requests(&hanging, true);
        tokio::time::sleep(Duration::from_millis(chance.below(1_500))).await;
        world.server.kill();
        books.wait_for_clients(clients).await;
        books.wait_for_clients(vec![special]).await;
        world.server.start();
    }
    books.balance(&world, &account).await;
    nothing_is_left(&world, &account, begun, &format!("sqlite, {KILLS} kills")).await;
    let data = world.server.data().display().to_string();
    world.server.terminate();
    assert_eq!(processes_of(&data), Vec::<u32>::new());
    world.server.start();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: `just chaos disk`"]
async fn disk() {
    const ROUNDS: u32 = 20;
    let begun = Instant::now();
    let mut world = World::prepare(ECHO);
    let plan = Plan::calm();
    planned::start(&mut world.server, &plan);
    let account = world.account(CREDITS);
    let books = Books::new(&account).await;
    let mut chance = Chance::new(0x00c4_a052);
    for round in 0..ROUNDS {
        let clients = books.patient_clients(4, 40);
        tokio::time::sleep(Duration::from_millis(chance.below(300))).await;
        planned::fill(&world.server, true);
        tokio::time::sleep(Duration::from_millis(500 + chance.below(500))).await;
        if round % 4 == 3 {
            world.server.kill();
            planned::fill(&world.server, false);
            planned::start(&mut world.server, &plan);
        } else {
            planned::fill(&world.server, false);
        }
        books.wait_for_clients(clients).await;
    }
    books.balance(&world, &account).await;
    nothing_is_left(
        &world,
        &account,
        begun,
        &format!("disk, full {ROUNDS} times, 5 kills"),
    )
    .await;
}
