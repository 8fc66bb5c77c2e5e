//! Kills and a bad network under load. It takes ten minutes or more: `just chaos remote`.

use std::time::{Duration, Instant};

use atelier_testkit::Http;
use reqwest::Method;
use tokio::task::JoinSet;

use super::{Cutter, OWN, REMOTE, Worker, cut::Network, maker, pictures, token};
use crate::setup::{World, cheap, until};

const JOBS: usize = 20_000;
/// Of workers. The service is killed too, once for each [`KILLS_PER_RESTART`].
const KILLS: usize = 200;
const KILLS_PER_RESTART: usize = 40;
/// How often the network gets bad: connections break, packets vanish, packets are slow, in turn.
const CUTS: usize = 100;
/// A job whose worker is killed runs again within a lease and five seconds.
const TAKEOVER: Duration = Duration::from_secs(5 + 5);
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

/// How long each of the jobs that run now takes until it has ended.
async fn watch(client: Http, watched: &mut JoinSet<Duration>) {
    let page = client
        .get("/generations?limit=100&status=processing")
        .await
        .json();
    for job in page["data"].as_array().unwrap() {
        let (client, path) = (
            client.clone(),
            format!("/generations/{}", job["id"].as_str().unwrap()),
        );
        watched.spawn(async move {
            let begun = Instant::now();
            loop {
                tokio::time::sleep(Duration::from_millis(500)).await;
                let sent = client.request(Method::GET, &path).send().await;
                let Ok(answer) = sent.and_then(reqwest::Response::error_for_status) else {
                    // The service was killed.
                    continue;
                };
                let job: serde_json::Value = answer.json().await.unwrap_or_default();
                let status = job["data"]["status"].as_str().unwrap_or_default().to_owned();
                if ["completed", "failed"].contains(&status.as_str()) {
                    return begun.elapsed();
                }
            }
        });
    }
}

/// Makes the network bad for a moment: each time in another way.
async fn trouble(cutter: &Cutter, number: usize) {
    match number % 3 {
        // Every connection that says anything now is broken.
        0 => cutter.set_after(1),
        1 => cutter.set_network(Network::Silent),
        _ => cutter.set_network(Network::Slow),
    }
    let takes = if number.is_multiple_of(3) { 100 } else { 2_000 };
    tokio::time::sleep(Duration::from_millis(takes)).await;
    cutter.set_after(0);
    cutter.set_network(Network::Good);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes ten minutes or more: `just chaos remote`"]
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
    let mut watched = JoinSet::new();
    loop {
        let done = ended(&account.http, "completed").await + ended(&account.http, "failed").await;
        if sending.is_finished() && done == JOBS && killed == KILLS && breaks == CUTS {
            break;
        }
        assert!(
            begun.elapsed() < Duration::from_mins(40),
            "{done} of {JOBS} jobs have ended, {killed} workers were killed"
        );
        if killed < KILLS {
            watch(account.http.clone(), &mut watched).await;
            let victim = killed % WORKERS;
            workers[victim].kill();
            workers[victim] = join(victim);
            killed += 1;
            if killed.is_multiple_of(KILLS_PER_RESTART) {
                world.server.kill();
                world.server.start();
                restarts += 1;
            }
        }
        tokio::time::sleep(Duration::from_millis(700)).await;
        if breaks < CUTS && killed.is_multiple_of(2) {
            trouble(&cutter, breaks).await;
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
    // Some lose several workers, or run into a bad network as well.
    let mut took_over = watched.join_all().await;
    took_over.sort();
    let most = took_over[took_over.len() * 19 / 20];
    assert!(
        most <= TAKEOVER,
        "of 20 jobs that ran during a kill, one took more than {most:?}"
    );
    eprintln!(
        "{JOBS} jobs, {killed} workers killed, the network bad {breaks} times, {} connections cut, {restarts} kills of \
         the service: {completed} completed, {} failed after their last attempt, in {took:.0} s. {} jobs ran when a \
         worker was killed: 19 of 20 ended within {:.1} s, the slowest after {:.1} s",
        cutter.cuts(),
        JOBS - completed,
        took_over.len(),
        most.as_secs_f64(),
        took_over.last().copied().unwrap_or_default().as_secs_f64(),
    );
}
