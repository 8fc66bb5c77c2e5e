//! Attempts and deliveries on a store that neither answers nor fails, as PostgreSQL does when it is suspended.

#![expect(clippy::unwrap_used, reason = "what fails in here fails the test")]

use std::{
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use atelier_app::{
    Services, Settings, System, accounts::create::CreateAccount, generations::create::CreateGeneration,
    policy::Policy, webhooks::schedule::Schedule,
};
use atelier_catalog::Catalog;
use atelier_domain::{
    Actor, Failure, FailureCode, Plan,
    clock::{Clock, SystemClock},
};
use atelier_engines::{Context, Engine, Job, Made, Route, Routes};
use atelier_media::{Blobs, Scratch, scratch::Quota};
use atelier_outbound::Guard;
use atelier_store::{
    Fault, Faults,
    sqlite::{Options, SqliteStore},
};
use atelier_testkit::CountingEntropy;
use atelier_worker::Options as WorkerOptions;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

/// Long enough for a loaded machine: what stops at three quarters of it has two seconds to do so.
const LEASE: Duration = Duration::from_secs(8);

/// While it stalls, no write of the store ends.
#[derive(Debug, Default)]
struct Stall {
    is_stalled: Mutex<bool>,
    ended: Condvar,
}

impl Stall {
    fn set(&self, is_stalled: bool) {
        *self.is_stalled.lock().unwrap() = is_stalled;
        self.ended.notify_all();
    }
}

impl Faults for Stall {
    fn reach(&self, _: &'static str) -> Option<Fault> {
        let stalled = self.is_stalled.lock().unwrap();
        drop(self.ended.wait_while(stalled, |stalled| *stalled).unwrap());
        None
    }
}

/// Works forever, and tells when it begins and when it is stopped.
#[derive(Debug)]
struct Endless(mpsc::Sender<&'static str>);

struct OnDrop(mpsc::Sender<&'static str>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        let _ = self.0.send("stopped");
    }
}

#[async_trait]
impl Engine for Endless {
    fn name(&self) -> &'static str {
        "endless"
    }

    fn concurrency(&self) -> usize {
        1
    }

    async fn run(&self, job: Job, _: Context) -> Result<Made, Failure> {
        // The work folder has the time of the claim in its name, in microseconds.
        let folder = job.scratch.path().to_string_lossy().into_owned();
        let claimed: i64 = folder.rsplit('-').next().unwrap().parse().unwrap();
        let waited = Duration::from_micros(SystemClock.now().0.abs_diff(claimed));
        self.0
            .send(if waited < LEASE / 2 {
                "begun"
            } else {
                "begun by a claim that is too old"
            })
            .unwrap();
        let _stopped = OnDrop(self.0.clone());
        std::future::pending().await
    }
}

/// While it is on, no end of a generation can be written, and everything else can.
#[derive(Debug, Default)]
struct RefuseEnds(AtomicBool);

impl Faults for RefuseEnds {
    fn reach(&self, place: &'static str) -> Option<Fault> {
        (place == "finish.before_commit" && self.0.load(Ordering::SeqCst)).then_some(Fault::DiskFull)
    }
}

/// While it stalls, no attempt at a delivery is recorded, and no later write ends.
#[derive(Debug, Default)]
struct StallRecords(Stall);

impl Faults for StallRecords {
    fn reach(&self, place: &'static str) -> Option<Fault> {
        match place {
            "record_attempt.before_commit" => self.0.reach(place),
            _ => None,
        }
    }
}

/// Fails at once, in its only slot, and tells when it begins.
#[derive(Debug)]
struct Hasty(mpsc::Sender<&'static str>);

#[async_trait]
impl Engine for Hasty {
    fn name(&self) -> &'static str {
        "hasty"
    }

    fn concurrency(&self) -> usize {
        1
    }

    async fn run(&self, _: Job, _: Context) -> Result<Made, Failure> {
        self.0.send("begun").unwrap();
        Err(Failure::fail(FailureCode::GenerationFailed, "it is hasty"))
    }
}

fn system(folder: &std::path::Path, faults: Arc<dyn Faults>, engine: impl Engine + 'static) -> System {
    let route = Route {
        model: "*".to_owned(),
        engine: engine.name().to_owned(),
        target: None,
        workflow: None,
        body: None,
    };
    let options = Options {
        faults: Some(faults),
        ..Options::new(folder.join("db"))
    };
    System::new(Services {
        store: Arc::new(SqliteStore::open(options).unwrap()),
        catalog: Catalog::load(None).unwrap(),
        blobs: Blobs::memory(),
        routes: Routes::new(vec![Arc::new(engine)], vec![route]).unwrap(),
        guard: Guard { allow_private: true },
        policy: Policy::default(),
        clock: Arc::new(SystemClock),
        entropy: Arc::new(CountingEntropy::default()),
        weights: None,
        settings: Settings {
            media_url: "http://localhost/media".to_owned(),
            private_media: atelier_app::private::PrivateMedia {
                url: "http://localhost/media".to_owned(),
                life: Duration::from_hours(24),
            },
            generations_per_minute: 20,
            requests_per_minute: 600,
            webhook_schedule: Schedule::new(&[5.0]),
            scratch: Scratch::new(folder, Quota::NONE),
            max_upload_bytes: 1 << 20,
            first_operator_credits: 0,
            retention: atelier_app::retention::Retention::default(),
            watermark: atelier_engines::Coverage::Off,
            watermark_key: None,
            oidc: None,
            mail: None,
            in_force: Vec::new(),
        },
    })
}

async fn submit(system: &System, name: &str) {
    submit_with(system, name, json!({})).await;
}

async fn submit_with(system: &System, name: &str, mut fields: serde_json::Value) {
    let new = CreateAccount {
        name: name.to_owned(),
        credits: 100,
        plan: Some(Plan {
            name: "standard".to_owned(),
            active: true,
        }),
        beta: true,
        generations_per_minute: None,
        private_media: false,
    };
    let created = system.admin(Actor::Cli).create_account(new).await.unwrap();
    let caller = system
        .app()
        .authenticate(&created.key.text, || None)
        .await
        .unwrap();
    fields["model"] = "image-gen-4".into();
    fields["prompt"] = "a lighthouse".into();
    let fields = fields.as_object().unwrap().clone();
    let request = CreateGeneration::new(fields, b"body", None);
    system.app().create_generation(&caller, request).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_whose_end_cannot_be_written_leaves_its_slot_to_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let refuse = Arc::new(RefuseEnds::default());
    let (tell, told) = mpsc::channel();
    let system = system(folder.path(), Arc::clone(&refuse) as _, Hasty(tell));
    submit(&system, "house").await;
    submit(&system, "garden").await;
    refuse.0.store(true, Ordering::SeqCst);
    // The leases do not end before the test does.
    let options = WorkerOptions {
        lease: Duration::from_mins(10),
        ..WorkerOptions::default()
    };
    let workers = atelier_worker::start(&system, options).unwrap();
    let next = || tokio::task::block_in_place(|| told.recv_timeout(Duration::from_mins(1)));
    assert_eq!(next(), Ok("begun"));
    assert_eq!(next(), Ok("begun"), "the only slot is taken");
    refuse.0.store(false, Ordering::SeqCst);
    workers.drain(Duration::from_mins(1)).await;
    let stats = system.stats().await.unwrap();
    assert_eq!((stats.running, stats.queued.len()), (0, 0), "both have ended");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_stops_before_its_lease_ends_while_the_store_does_not_answer() {
    let folder = tempfile::tempdir().unwrap();
    let stall = Arc::new(Stall::default());
    let (tell, told) = mpsc::channel();
    let system = system(folder.path(), Arc::clone(&stall) as _, Endless(tell));
    submit(&system, "house").await;
    let options = WorkerOptions {
        lease: LEASE,
        ..WorkerOptions::default()
    };
    let claimed_after = Instant::now();
    let workers = atelier_worker::start(&system, options).unwrap();
    let next = |within| tokio::task::block_in_place(|| told.recv_timeout(within));
    assert_eq!(next(LEASE), Ok("begun"));

    stall.set(true);
    assert_eq!(next(2 * LEASE), Ok("stopped"));
    let ran = claimed_after.elapsed();
    assert!(
        ran < LEASE,
        "it ran for {ran:?}, and another node may claim it after {LEASE:?}"
    );
    stall.set(false);
    workers.drain(Duration::ZERO).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_that_is_answered_too_late_is_given_back_and_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let stall = Arc::new(Stall::default());
    let (tell, told) = mpsc::channel();
    let system = system(folder.path(), Arc::clone(&stall) as _, Endless(tell));
    submit(&system, "house").await;
    let options = WorkerOptions {
        lease: LEASE,
        ..WorkerOptions::default()
    };
    stall.set(true);
    let workers = atelier_worker::start(&system, options).unwrap();
    let next = |within| tokio::task::block_in_place(|| told.recv_timeout(within));
    // A job whose claim is answered after three quarters of its lease is not begun.
    let late = LEASE * 3 / 4 + Duration::from_secs(1);
    assert_eq!(next(late), Err(mpsc::RecvTimeoutError::Timeout));
    stall.set(false);
    assert_eq!(next(LEASE), Ok("begun"), "by a claim of its own");
    workers.drain(Duration::ZERO).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_that_waits_for_its_record_takes_no_turn_from_the_next_one() {
    let receiver = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let hook = json!({ "webhook_url": format!("http://{}/hook", receiver.local_addr().unwrap()) });
    let folder = tempfile::tempdir().unwrap();
    let stall = Arc::new(StallRecords::default());
    let (tell, told) = mpsc::channel();
    let system = system(folder.path(), Arc::clone(&stall) as _, Hasty(tell));
    submit_with(&system, "house", hook.clone()).await;
    submit_with(&system, "garden", hook).await;
    stall.0.set(true);
    let options = WorkerOptions {
        webhooks_per_host: 1,
        ..WorkerOptions::default()
    };
    let workers = atelier_worker::start(&system, options).unwrap();
    let arrived = async || {
        let (mut stream, _) = tokio::time::timeout(Duration::from_secs(30), receiver.accept())
            .await
            .expect("a delivery arrives")
            .unwrap();
        let mut request = [0; 16];
        stream.read_exact(&mut request).await.unwrap();
        assert_eq!(&request, b"POST /hook HTTP/");
        stream
    };
    let mut first = arrived().await;
    // Both jobs have ended, so that both deliveries are there before the store stalls.
    for _ in 0..2 {
        assert_eq!(told.recv_timeout(Duration::from_secs(30)), Ok("begun"));
    }
    while system.stats().await.unwrap().running > 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    first
        .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        .await
        .unwrap();
    // Its record stalls from here on.
    let second = arrived().await;
    stall.0.set(false);
    drop(second);
    workers.drain(Duration::ZERO).await;
}
