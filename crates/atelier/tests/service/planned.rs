//! A server that fails at a planned point: this test program, started again, with the service in its process and
//! a plan in its working directory.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use atelier::{
    config::{Config, Environment, Flags},
    service::{Parts, Role, Service},
};
use atelier_store::{Fault, Faults};
use atelier_testkit::Server;
use serde::{Deserialize, Serialize};
use tokio::signal::unix::{SignalKind, signal};

use crate::setup::PROGRAM;

const PLAN: &str = "plan.json";
/// While this file is in the data folder, every commit fails as if the disk were full.
const FULL: &str = "full";

/// The plan of a server.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Plan {
    /// The process dies at this point …
    pub(crate) abort_at: String,
    /// … when it reaches the point for the nth time after the first job. The first time is 1.
    pub(crate) time: u32,
    pub(crate) lease_seconds: u64,
    pub(crate) max_input_bytes: u64,
    pub(crate) input_timeout_seconds: u64,
    /// [`start`] sets this.
    pub(crate) listen: String,
}

impl Plan {
    /// Nothing fails.
    pub(crate) fn calm() -> Self {
        Self {
            lease_seconds: 3,
            max_input_bytes: 1 << 20,
            input_timeout_seconds: 30,
            ..Self::default()
        }
    }
}

/// Starts a server with this plan.
pub(crate) fn start(server: &mut Server, plan: &Plan) {
    let plan = Plan {
        listen: server.address(),
        ..plan.clone()
    };
    std::fs::write(server.data().join(PLAN), serde_json::to_vec(&plan).unwrap()).unwrap();
    let mut program = Command::new(std::env::current_exe().unwrap());
    program
        .args(["--ignored", "--exact", "planned::serve", "--nocapture"])
        .current_dir(server.data());
    server.start_as(program);
}

/// Fills the disk of a server, or frees it again.
pub(crate) fn fill(server: &Server, full: bool) {
    let path = server.data().join(FULL);
    if full {
        std::fs::write(path, "").unwrap();
    } else {
        std::fs::remove_file(path).unwrap();
    }
}

#[derive(Debug)]
struct Planned {
    plan: Plan,
    full: PathBuf,
    begun: AtomicBool,
    reached: Mutex<HashMap<&'static str, u32>>,
}

impl Faults for Planned {
    fn reach(&self, place: &'static str) -> Option<Fault> {
        if place.ends_with(".before_commit") && self.full.exists() {
            return Some(Fault::DiskFull);
        }
        if place == "accept.before_commit" {
            self.begun.store(true, Ordering::SeqCst);
        }
        if !self.begun.load(Ordering::SeqCst) || place != self.plan.abort_at {
            return None;
        }
        let mut reached = self.reached.lock().unwrap();
        let times = reached.entry(place).or_default();
        *times += 1;
        (*times == self.plan.time).then_some(Fault::Abort)
    }
}

#[test]
#[ignore = "the other tests start it as a server process; it asserts nothing"]
fn serve() {
    let Ok(plan) = std::fs::read(Path::new(PLAN)) else {
        return;
    };
    let plan: Plan = serde_json::from_slice(&plan).unwrap();
    let data = std::env::current_dir().unwrap();
    let flags = Flags {
        data: Some(data.clone()),
        config: None,
        listen: Some(plan.listen.parse().unwrap()),
    };
    let mut config = Config::load(&flags, &Environment::new([])).unwrap();
    config.lease = Duration::from_secs(plan.lease_seconds);
    let system = Parts::system(Role::Everything).unwrap();
    let parts = Parts {
        draft_host: (PROGRAM.into(), vec!["draft-host".into()]),
        worker: atelier_worker::Options {
            webhook_timeout: Duration::from_secs(2),
            max_input_bytes: plan.max_input_bytes,
            input_timeout: Duration::from_secs(plan.input_timeout_seconds),
            ..system.worker.clone()
        },
        faults: Some(Arc::new(Planned {
            plan,
            full: data.join(FULL),
            begun: AtomicBool::new(false),
            reached: Mutex::default(),
        })),
        ..system
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut ends = signal(SignalKind::terminate()).unwrap();
        let service = Service::start(&config, parts).await.unwrap();
        ends.recv().await;
        service.stop().await.unwrap();
    });
}
