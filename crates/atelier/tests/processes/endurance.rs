//! Many jobs, and many kills: minutes of work, so these tests run only by `just programs`. They print figures.
#![allow(clippy::print_stdout, reason = "the figures are for people")]

use std::{
    fs,
    process::Command,
    time::{Duration, Instant},
};

use atelier_testkit::Http;
use serde_json::{Value, json};

use super::{COMMON, Place, is_running, make, route};
use crate::setup::{Account, World, until};

/// How often something is killed.
const KILLS: usize = 50;
const JOBS: usize = 200;
/// The share of the 1000 MiB that a model takes.
const MEMORY: &str = "memory_mb = 600\nidle_seconds = 2";

/// Two models that do not fit together, in programs that hold 400 MiB.
fn two_models(place: &Place) -> String {
    let engine = |name: &str, profile: &str| {
        let engine = place.engine(name, profile, MEMORY);
        engine.replace("\"0.3\"]", "\"1\", \"400\"]")
    };
    COMMON.to_owned()
        + &engine("one", "openai-images")
        + &engine("two", "sd-server")
        + &route("image-gen-4", "one")
        + &route("flux-1-schnell", "two")
}

/// The same numbers in every run (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

fn request(is_first: bool, seconds: &str) -> Value {
    let model = if is_first { "image-gen-4" } else { "flux-1-schnell" };
    json!({ "model": model, "prompt": format!("a fox that takes {seconds} s") })
}

/// Seconds between two times of a generation.
fn between(job: &Value, from: &str, to: &str) -> f64 {
    let seconds = |name: &str| {
        let text = job[name].as_str().unwrap();
        let clock = &text[11..23];
        let parts: Vec<f64> = clock.split(':').map(|part| part.parse().unwrap()).collect();
        parts[0] * 3_600.0 + parts[1] * 60.0 + parts[2]
    };
    (seconds(to) - seconds(from)).rem_euclid(86_400.0)
}

/// The generation once it has ended, within ten minutes.
async fn ended(http: &Http, id: &str) -> Value {
    for _ in 0..10 {
        let job = http.wait(id).await;
        if job["status"] != "processing" {
            return job;
        }
    }
    panic!("{id} has not ended");
}

/// Makes jobs in random order with pauses between them, and returns the loads and the longest time of a job.
async fn mixed(world: &World, place: &Place, pause: Duration, seconds: &str) -> (usize, f64) {
    let accounts: Vec<Account> = (0..3).map(|_| world.account(100_000)).collect();
    let loads = || place.pids("one").len() + place.pids("two").len();
    let before = loads();
    let mut dice = Dice(88_172_645_463_325_252);
    let mut jobs = Vec::new();
    for _ in 0..JOBS {
        let account = &accounts[dice.below(3) as usize];
        let id = account.http.create(&request(dice.below(2) == 0, seconds)).await;
        jobs.push((account, id));
        tokio::time::sleep(pause).await;
    }
    let mut longest = 0.0_f64;
    for (account, id) in jobs {
        let job = ended(&account.http, &id).await;
        assert_eq!(job["status"], "completed", "{job}");
        assert_eq!(job["attempts"].as_array().unwrap().len(), 1, "{job}");
        longest = longest.max(between(&job, "created_at", "completed_at"));
    }
    (loads() - before, longest)
}

/// The memory that processes can get, in MiB.
fn free_memory() -> u64 {
    let facts = fs::read_to_string("/proc/meminfo").unwrap();
    let line = facts.lines().find(|line| line.starts_with("MemAvailable:"));
    let kib: u64 = line.unwrap().split_whitespace().nth(1).unwrap().parse().unwrap();
    kib >> 10
}

fn kill(pid: u32) {
    let killed = Command::new("kill").args(["-KILL", &pid.to_string()]).status();
    assert!(killed.unwrap().success());
}

/// Waits until no process of the workers is left.
async fn all_gone(place: &Place) {
    until("no program is left", async || {
        ["one", "two"]
            .iter()
            .all(|name| place.pids(name).into_iter().all(|pid| !is_running(pid)))
    })
    .await;
}

/// The program of a round, and whether its model is the first: each has every second round.
fn turn(round: usize) -> (&'static str, bool) {
    if round.is_multiple_of(2) {
        ("one", true)
    } else {
        ("two", false)
    }
}

/// How many jobs a program has been asked for.
fn asked(place: &Place, name: &str) -> usize {
    let log = place.log(name);
    log.iter().filter(|line| line.starts_with("asked ")).count()
}

#[tokio::test]
#[ignore = "takes minutes: just programs"]
async fn two_models_that_do_not_fit_together_are_seldom_loaded_and_no_job_fails() {
    let place = Place::new();
    let world = World::start(&two_models(&place));
    let begun = Instant::now();
    let (loads, longest) = mixed(&world, &place, Duration::ZERO, "0.5").await;
    println!(
        "{JOBS} jobs at once, 0.5 s each: {loads} loads (best order: 2), the longest job {longest:.1} s"
    );
    println!("  all: {:.1} s", begun.elapsed().as_secs_f64());
    assert!(loads <= 6, "{loads}");
    all_gone(&place).await;
    let begun = Instant::now();
    let (loads, longest) = mixed(&world, &place, Duration::from_millis(900), "0.5").await;
    println!("{JOBS} jobs, one each 0.9 s: {loads} loads, the longest job {longest:.1} s");
    println!("  all: {:.1} s", begun.elapsed().as_secs_f64());
    all_gone(&place).await;
}

#[tokio::test]
#[ignore = "takes minutes: just programs"]
async fn a_program_that_is_killed_in_the_middle_of_fifty_jobs_loses_none() {
    let place = Place::new();
    let world = World::start(&two_models(&place));
    let account = world.account(100_000);
    let memory = free_memory();
    let mut longest = 0.0_f64;
    for round in 0..KILLS {
        let (name, is_first) = turn(round);
        let before = asked(&place, name);
        let id = account.http.create(&request(is_first, "0.5")).await;
        until("the program works", async || asked(&place, name) > before).await;
        let pid = *place.pids(name).last().unwrap();
        kill(pid);
        let job = account.http.wait(&id).await;
        assert_eq!(job["status"], "completed", "round {round}: {job}");
        assert_eq!(
            job["attempts"].as_array().unwrap().len(),
            2,
            "round {round}: {job}"
        );
        assert!(!is_running(pid), "round {round}");
        longest = longest.max(between(&job, "created_at", "completed_at"));
    }
    all_gone(&place).await;
    let loads = place.pids("one").len() + place.pids("two").len();
    println!("{KILLS} programs killed in the middle of a job: {KILLS} jobs completed, {loads} loads");
    println!(
        "  the longest job {longest:.1} s; free memory {memory} MiB before, {} MiB after",
        free_memory()
    );
}

#[tokio::test]
#[ignore = "takes minutes: just programs"]
async fn a_service_that_is_killed_in_the_middle_of_fifty_jobs_loses_none_and_leaves_no_program() {
    let place = Place::new();
    // A killed service holds its job until its lease ends, also against the next one.
    let config = two_models(&place) + "[workers]\nlease_seconds = 4\n";
    let mut world = World::start(&config);
    let account = world.account(100_000);
    let memory = free_memory();
    let (mut slowest, mut longest) = (Duration::ZERO, 0.0_f64);
    for round in 0..KILLS {
        let (name, is_first) = turn(round);
        let before = asked(&place, name);
        // The connections of an earlier client are gone.
        let id = world
            .server
            .http(&account.key)
            .create(&request(is_first, "1.0"))
            .await;
        until("the program works", async || asked(&place, name) > before).await;
        let pid = *place.pids(name).last().unwrap();
        let killed = Instant::now();
        world.server.kill();
        until("the program is gone", async || !is_running(pid)).await;
        slowest = slowest.max(killed.elapsed());
        world.server.start();
        let job = world.server.http(&account.key).wait(&id).await;
        assert_eq!(job["status"], "completed", "round {round}: {job}");
        longest = longest.max(between(&job, "created_at", "completed_at"));
    }
    let shown = make(&world.server.http(&account.key), &request(true, "0.1")).await;
    assert_eq!(shown["status"], "completed", "{shown}");
    all_gone(&place).await;
    println!("{KILLS} services killed in the middle of a job: {KILLS} jobs completed");
    println!(
        "  a program was gone after at most {:.0} ms",
        slowest.as_secs_f64() * 1e3
    );
    println!(
        "  the longest job {longest:.1} s; free memory {memory} MiB before, {} MiB after",
        free_memory()
    );
}
