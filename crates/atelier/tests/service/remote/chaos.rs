//! Kills and a bad network under load, in a long form (`just chaos remote`) and in a short one.

use std::{
    collections::{BTreeSet, HashMap},
    time::{Duration, Instant},
};

use atelier_testkit::Http;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{
    Cutter, REMOTE, Worker,
    cut::Network,
    maker, pictures,
    takeover::{Kill, Takeover, takeovers},
    token,
};
use crate::{
    chaos::processes_of,
    crashes::load::Books,
    setup::{World, until},
};

/// How much happens in a run.
struct Run {
    jobs: usize,
    /// After each job.
    pause: Duration,
    /// Of workers. The service is killed too, once for so many.
    kills: usize,
    kills_per_restart: usize,
    /// How often the network gets bad: connections break, packets vanish, packets are slow, in turn.
    cuts: usize,
}

/// A job whose worker is killed is taken back within a lease and five seconds.
const TAKEOVER: Duration = Duration::from_secs(5 + 5);
/// A job whose worker could not be told that it has it goes back, and begins a moment later than it could.
const MOMENT: Duration = Duration::from_secs(1);
const WORKERS: usize = 3;
/// How many files of a worker's unfinished jobs may be stored when the service is killed.
const UNFINISHED: usize = 8;
const CREDITS: i64 = 1_000_000;

async fn ended(client: &Http, status: &str) -> usize {
    loop {
        let answer = client.get(&format!("/generations?limit=1&status={status}")).await;
        let page = answer.json();
        if let Some(total) = page["meta"]["total"].as_u64() {
            return total as usize;
        }
        // A busy service asks to try again, also if too many watchers ask at the same time.
        assert!([429, 503].contains(&answer.status.as_u16()), "{page}");
        tokio::time::sleep(Duration::from_millis(200)).await;
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

/// Checks that every file of a job is complete. No other files may exist, except one for each attempt that did not end
/// its job, and `again`: those that were sent again because the service was killed.
async fn stored_whole(world: &World, client: &Http, jobs: &HashMap<String, Value>, again: usize) {
    let mut made = BTreeSet::new();
    let mut interrupted = 0;
    for job in jobs.values() {
        let attempts = job["attempts"].as_array().into_iter().flatten();
        interrupted += attempts
            .filter(|attempt| attempt["outcome"] != "completed")
            .count();
        for asset in job["output"]["assets"].as_array().into_iter().flatten() {
            let url = asset["url"].as_str().unwrap();
            made.insert(url.rsplit_once('/').unwrap().1.to_owned());
        }
    }
    let stored: BTreeSet<String> = world.stored().into_iter().collect();
    let missing: Vec<_> = made.difference(&stored).collect();
    assert!(
        missing.is_empty(),
        "files of jobs that are not stored: {missing:?}"
    );
    let others = stored.difference(&made).count();
    assert!(
        others <= interrupted + again,
        "{others} files are not the result of a job, but only {interrupted} attempts were interrupted"
    );
    for name in &made {
        let file = client.get(&format!("//media/{name}")).await;
        assert_eq!(file.status, 200, "{name}");
        // A file is named by its bytes.
        let hash = hex::encode(Sha256::digest(&file.bytes));
        assert_eq!(name.split_once('.').unwrap().0, hash, "it is torn");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes ten minutes or more: `just chaos remote`"]
async fn every_job_ends_once_whatever_becomes_of_workers_and_connections() {
    let took_over = chaos(Run {
        jobs: 20_000,
        pause: Duration::from_millis(25),
        kills: 200,
        kills_per_restart: 40,
        cuts: 100,
    })
    .await;
    let late: Vec<_> = took_over.iter().filter(|job| job.took > TAKEOVER).collect();
    assert!(late.is_empty(), "not taken back within {TAKEOVER:?}: {late:?}");
    let overtaken: Vec<_> = took_over.iter().filter(|job| job.overtaken > MOMENT).collect();
    assert!(
        overtaken.is_empty(),
        "later jobs began before them: {overtaken:?}"
    );
    assert!(
        took_over.len() >= 200,
        "only {} jobs ran during a kill",
        took_over.len()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn some_kills_of_workers_and_a_bad_network_lose_and_double_nothing() {
    chaos(Run {
        jobs: 150,
        pause: Duration::from_millis(60),
        kills: 6,
        kills_per_restart: 4,
        cuts: 3,
    })
    .await;
}

/// Returns the jobs that were taken from workers that were killed.
#[expect(clippy::print_stderr, reason = "the figures of a recipe")]
async fn chaos(run: Run) -> Vec<Takeover> {
    let mut world = World::start(REMOTE);
    let account = world.account(CREDITS);
    let (token, _) = token(&world, &[]);
    let cutter = Cutter::start(&world.server.address(), 0).await;
    // One worker whose jobs take no time, and two whose jobs take a while.
    let quick = maker(&pictures(16, Duration::ZERO).await);
    let slow = maker(&pictures(256, Duration::from_millis(200)).await);
    let join = |number: usize| {
        let config = if number == 0 { &quick } else { &slow };
        Worker::join(&cutter.origin(), &token, &format!("box-{number}"), config)
    };
    let mut workers: Vec<Worker> = (0..WORKERS).map(join).collect();
    let mut folders: Vec<String> = workers.iter().map(Worker::folder).collect();
    let begun = Instant::now();
    let books = Books::new(&account).await;
    let sending = books.patient_client(run.jobs, run.pause);
    let (mut kills, mut restarts, mut breaks) = (Vec::new(), 0, 0);
    loop {
        let done = ended(&account.http, "completed").await + ended(&account.http, "failed").await;
        if sending.is_finished() && done == run.jobs && kills.len() == run.kills && breaks == run.cuts {
            break;
        }
        assert!(
            begun.elapsed() < Duration::from_mins(40),
            "{done} of {} jobs have ended, {} workers were killed",
            run.jobs,
            kills.len()
        );
        if kills.len() < run.kills {
            let victim = kills.len() % WORKERS;
            kills.push(Kill::of(&mut workers[victim]));
            workers[victim] = join(victim);
            folders.push(workers[victim].folder());
            if kills.len().is_multiple_of(run.kills_per_restart) {
                world.server.kill();
                world.server.start();
                restarts += 1;
            }
        }
        tokio::time::sleep(Duration::from_millis(700)).await;
        if breaks < run.cuts && kills.len().is_multiple_of(2) {
            trouble(&cutter, breaks).await;
            breaks += 1;
        }
        tokio::time::sleep(Duration::from_millis(700)).await;
    }
    sending.await.unwrap();
    let took = begun.elapsed().as_secs_f64();
    let jobs = books.balance(&world, &account).await;
    assert_eq!(jobs.len(), run.jobs);
    let completed = jobs.values().filter(|job| job["status"] == "completed").count();
    stored_whole(&world, &account.http, &jobs, restarts * WORKERS * UNFINISHED).await;
    until("the files in transit are gone", async || {
        world.scratch().is_empty()
    })
    .await;
    drop(workers);
    for folder in folders {
        assert_eq!(processes_of(&folder), Vec::<u32>::new(), "of a worker");
    }
    let took_over = takeovers(&kills, &jobs);
    eprintln!(
        "{} jobs, {} workers killed, the network bad {breaks} times, {} connections cut, {restarts} kills of the \
         service: {completed} completed, {} failed after their last attempt, in {took:.0} s",
        run.jobs,
        kills.len(),
        cutter.cuts(),
        run.jobs - completed,
    );
    let took = took_over.iter().map(|job| job.took).collect();
    let waited = took_over.iter().filter_map(|job| job.waited).collect();
    let overtaken = took_over.iter().map(|job| job.overtaken).max();
    eprintln!(
        "{} attempts ran when their workers were killed, and the jobs of {} were taken back: {}. Then they waited in \
         the queue: {}. At most, a later job began {:.1} s earlier",
        kills.iter().map(Kill::attempts).sum::<usize>(),
        took_over.len(),
        distribution(took),
        distribution(waited),
        overtaken.unwrap_or_default().as_secs_f64(),
    );
    took_over
}

fn distribution(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |percent: usize| {
        let place = (times.len() * percent).div_ceil(100).max(1) - 1;
        times.get(place).copied().unwrap_or_default().as_secs_f64()
    };
    format!(
        "{:.1} s the median, {:.1} s for 99 of 100, {:.1} s the longest",
        at(50),
        at(99),
        at(100)
    )
}
