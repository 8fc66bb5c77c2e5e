//! Kills and broken connections under load. It takes a minute or more: `just chaos`.

use std::time::{Duration, Instant};

use atelier_testkit::Http;
use reqwest::Method;

use super::{Cutter, OWN, REMOTE, Worker, maker, pictures, token};
use crate::setup::{World, cheap, until};

const JOBS: usize = 1_000;
const KILLS: usize = 20;
/// Connections that are broken, at least.
const CUTS: u64 = 10;
const WORKERS: usize = 3;
const CREDITS: i64 = 1_000_000;

/// Submits a job, however often the service is away.
async fn submit(client: &Http, number: usize) {
    loop {
        let request = client.request(Method::POST, "/generations").json(&cheap());
        let sent = request
            .header("idempotency-key", format!("job-{number}"))
            .send()
            .await;
        if sent.is_ok_and(|answer| answer.status().is_success()) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn ended(client: &Http, status: &str) -> usize {
    let page = client
        .get(&format!("/generations?limit=1&status={status}"))
        .await
        .json();
    page["meta"]["total"].as_u64().unwrap() as usize
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes a minute or more: `just chaos`"]
async fn every_job_ends_once_whatever_becomes_of_workers_and_connections() {
    let mut world = World::start(REMOTE);
    let account = world.account(CREDITS);
    let (token, _) = token(&world, &[]);
    let cutter = Cutter::start(&world.server.address(), 0).await;
    // One worker that answers at once, and two whose jobs take a while.
    let slow = maker(&pictures(256, Duration::from_millis(200)).await);
    let join = |number: usize| {
        let config = if number == 0 { OWN } else { &slow };
        Worker::join(&cutter.origin(), &token, &format!("box-{number}"), config)
    };
    let mut workers: Vec<Worker> = (0..WORKERS).map(join).collect();
    let begun = Instant::now();
    let client = account.http.clone();
    let sending = tokio::spawn(async move {
        for number in 0..JOBS {
            submit(&client, number).await;
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    });
    let (mut killed, mut restarts, mut breaks) = (0, 0, 0);
    loop {
        let done = ended(&account.http, "completed").await + ended(&account.http, "failed").await;
        if sending.is_finished() && done == JOBS {
            break;
        }
        assert!(
            begun.elapsed() < Duration::from_mins(8),
            "{done} of {JOBS} jobs have ended"
        );
        if killed < KILLS {
            let victim = killed % WORKERS;
            workers[victim].kill();
            workers[victim] = join(victim);
            killed += 1;
            if killed == KILLS / 2 {
                world.server.kill();
                world.server.start();
                restarts += 1;
            }
        }
        tokio::time::sleep(Duration::from_millis(700)).await;
        if breaks < CUTS {
            // Every connection that says anything now is broken.
            cutter.set_after(1);
            tokio::time::sleep(Duration::from_millis(100)).await;
            cutter.set_after(0);
            breaks += 1;
        }
        tokio::time::sleep(Duration::from_millis(700)).await;
    }
    sending.await.unwrap();
    let took = begun.elapsed().as_secs_f64();
    let completed = ended(&account.http, "completed").await;
    let spent = CREDITS - account.credits().await;
    assert_eq!(spent, 4 * completed as i64, "each completed job is settled once");
    assert_eq!(world.audit()["generations"], JOBS);
    until("the files in transit are gone", async || {
        world.scratch().is_empty()
    })
    .await;
    assert!(cutter.cuts() >= CUTS, "{} connections were cut", cutter.cuts());
    eprintln!(
        "{JOBS} jobs, {killed} workers killed, {} connections cut, {restarts} restart of the service: {completed} \
         completed, {} failed after their last attempt, in {took:.0} s",
        cutter.cuts(),
        JOBS - completed,
    );
}
