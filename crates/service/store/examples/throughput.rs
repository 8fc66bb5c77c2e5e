//! Measures a store on this machine: acceptances, whole cycles and point reads per second, and the
//! processor time of each. `cargo run --release -p atelier-store --example throughput [FOLDER|URL]`

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark for a terminal"
)]

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use atelier_store::{
    Accepted, Finished, NextAttempt, Store,
    conformance::world::{World, accept, at, claim, completed, finish, generation, record},
    postgres::{self, PostgresStore},
    sqlite::{Options, SqliteStore},
};

const SPAN: Duration = Duration::from_secs(3);

#[tokio::main]
async fn main() {
    let place = std::env::args()
        .nth(1)
        .unwrap_or_else(|| tempfile::tempdir().unwrap().keep().to_string_lossy().into_owned());
    let store = open(&place).await;
    let world = Arc::new(World::new(&store, i64::MAX / 2).await);

    for tasks in [1, 64, 256] {
        let world = Arc::clone(&world);
        measure(&format!("accept, {tasks} tasks"), tasks, move || {
            let world = Arc::clone(&world);
            async move {
                let outcome = world
                    .store
                    .accept(accept(generation(world.account, 3)))
                    .await
                    .unwrap();
                assert!(matches!(outcome, Accepted::Accepted(_)));
                1
            }
        })
        .await;
    }
    drain(&world).await;
    for tasks in [1, 64, 256] {
        let world = Arc::clone(&world);
        measure(&format!("cycle, {tasks} tasks"), tasks, move || {
            cycle(Arc::clone(&world))
        })
        .await;
    }
    let ids: Vec<_> = {
        let page = atelier_store::PageRequest {
            limit: 10_000,
            before: None,
        };
        let page = store
            .generations(world.account, atelier_store::GenerationFilter::default(), page)
            .await
            .unwrap();
        page.items.iter().map(|generation| generation.id).collect()
    };
    let (ids, next) = (Arc::new(ids), Arc::new(AtomicU64::new(0)));
    {
        let (world, ids, next) = (Arc::clone(&world), Arc::clone(&ids), Arc::clone(&next));
        measure("read generation, 64 tasks", 64, move || {
            let (world, id) = (
                Arc::clone(&world),
                ids[next.fetch_add(7, Ordering::Relaxed) as usize % ids.len()],
            );
            async move {
                assert!(world.store.generation(world.account, id).await.unwrap().is_some());
                1
            }
        })
        .await;
    }
    {
        let world = Arc::clone(&world);
        measure("read caller, 64 tasks", 64, move || {
            let world = Arc::clone(&world);
            async move {
                assert!(world.store.caller(&world.key.hash).await.unwrap().is_some());
                1
            }
        })
        .await;
    }
    let begun = Instant::now();
    let audit = store.audit().await.unwrap();
    assert_eq!(audit.violations, Vec::<String>::new());
    println!(
        "audit of {} generations: {:.2?}",
        audit.generations,
        begun.elapsed()
    );
    let begun = Instant::now();
    store.close().await.unwrap();
    println!("close: {:.2?}", begun.elapsed());
    let begun = Instant::now();
    let store = open(&place).await;
    store.check().await.unwrap();
    println!("open and check: {:.2?}", begun.elapsed());
}

/// The store in this folder, or in the PostgreSQL database of this URL.
async fn open(place: &str) -> Arc<dyn Store> {
    if let Ok(url) = place.parse() {
        return Arc::new(PostgresStore::open(postgres::Options::new(url)).await.unwrap());
    }
    std::fs::create_dir_all(place).unwrap();
    let path = PathBuf::from(place).join("bench.db");
    Arc::new(SqliteStore::open(Options::new(path)).unwrap())
}

/// Accept, claim, finish with a delivery, deliver.
async fn cycle(world: Arc<World>) -> u64 {
    let mut generation = generation(world.account, 3);
    generation.webhook_url = Some("https://hooks.example.com/in".to_owned());
    world.store.accept(accept(generation)).await.unwrap();
    let mut done = 0;
    for claimed in world.store.claim(claim(world.worker, 8, at(1))).await.unwrap() {
        let mut request = finish(&claimed, completed(&claimed, 2), at(2));
        request.deliver_now = Some((world.worker, at(60)));
        let Finished::Ended {
            delivery: Some(delivery),
            ..
        } = world.store.finish(request).await.unwrap()
        else {
            panic!("stale")
        };
        let attempt = record(&delivery, NextAttempt::Delivered, at(3));
        assert!(world.store.record_attempt(attempt).await.unwrap());
        done += 1;
    }
    done
}

/// Ends the generations that the acceptances left.
async fn drain(world: &Arc<World>) {
    let begun = Instant::now();
    let mut ended = 0;
    loop {
        let mut tasks = tokio::task::JoinSet::new();
        for claimed in world
            .store
            .claim(claim(world.worker, 1_000, at(1)))
            .await
            .unwrap()
        {
            let store = Arc::clone(&world.store);
            tasks.spawn(async move {
                store
                    .finish(finish(&claimed, completed(&claimed, 2), at(2)))
                    .await
                    .unwrap()
            });
        }
        if tasks.is_empty() {
            break;
        }
        ended += tasks.join_all().await.len();
    }
    println!(
        "claim by 1,000 and finish: {:.0} per second",
        ended as f64 / begun.elapsed().as_secs_f64()
    );
}

async fn measure<F, W>(name: &str, tasks: usize, work: F)
where
    F: Fn() -> W + Clone + Send + 'static,
    W: Future<Output = u64> + Send,
{
    let (begun, cpu, writer) = (
        Instant::now(),
        cpu_time("/proc/self/stat"),
        cpu_time(&writer_stat()),
    );
    let mut running = tokio::task::JoinSet::new();
    for _ in 0..tasks {
        let work = work.clone();
        running.spawn(async move {
            let (mut done, mut slowest) = (0, Duration::ZERO);
            while begun.elapsed() < SPAN {
                let one = Instant::now();
                done += work().await;
                slowest = slowest.max(one.elapsed());
            }
            (done, slowest)
        });
    }
    let results = running.join_all().await;
    let done: u64 = results.iter().map(|(done, _)| done).sum();
    let slowest = results
        .iter()
        .map(|(_, slowest)| *slowest)
        .max()
        .unwrap_or_default();
    let each = |path: &str, before| cpu_time(path).saturating_sub(before).as_secs_f64() * 1e6 / done as f64;
    let (cpu, writer) = (each("/proc/self/stat", cpu), each(&writer_stat(), writer));
    let rate = done as f64 / begun.elapsed().as_secs_f64();
    println!(
        "{name}: {rate:.0} per second, {cpu:.1} µs of processor each ({writer:.1} the writer's), slowest {slowest:.1?}"
    );
}

/// The file in which the system reports the writer's thread.
fn writer_stat() -> String {
    std::fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten()
        .map(|task| task.path())
        .find(|task| {
            std::fs::read_to_string(task.join("comm")).is_ok_and(|name| name.trim() == "store-writer")
        })
        .map(|task| task.join("stat").to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// The user and system time of a process or thread so far, if the system reports it.
fn cpu_time(stat: &str) -> Duration {
    let stat = std::fs::read_to_string(stat).unwrap_or_default();
    let ticks: u64 = stat
        .rsplit(')')
        .next()
        .map(|rest| {
            rest.split_whitespace()
                .skip(11)
                .take(2)
                .filter_map(|field| field.parse::<u64>().ok())
                .sum()
        })
        .unwrap_or_default();
    // Linux counts in hundredths of a second for every program.
    Duration::from_millis(ticks * 10)
}
