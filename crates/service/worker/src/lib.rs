//! The loops that do the work: claim, run and finish generations, keep their leases, deliver webhooks, and take
//! care of lost jobs. Every node may run all of them; the store decides who holds what.
//!
//! The loops that run jobs get them from a source: the store of the service, or a service on another machine, over
//! HTTPS ([`remote`]).

use std::{sync::Arc, time::Duration};

use atelier_app::{
    System,
    attempts::{Attempts, Stop},
};
use atelier_domain::WorkerId;
use atelier_engines::Routes;
use atelier_media::Scratch;
use atelier_outbound::{Outbound, SetupError, Timeouts};
use tokio::{sync::Semaphore, time::Instant};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

mod claim;
mod credentials;
mod heartbeat;
mod inputs;
mod local;
mod marking;
mod orders;
mod places;
mod reaper;
pub mod remote;
mod retention;
mod run;
mod source;
mod webhooks;
mod work_folder;

/// How the loops behave; the defaults are right outside of tests.
#[derive(Debug, Clone)]
pub struct Options {
    /// How long a lease lasts. A worker that cannot renew it stops the job before it ends.
    pub lease: Duration,
    /// How often an idle loop looks for work without a hint.
    pub poll: Duration,
    /// How long one webhook attempt may take.
    pub webhook_timeout: Duration,
    /// How many webhook attempts run at a time, and how many of them to one host.
    pub webhooks_in_flight: u32,
    pub webhooks_per_host: u32,
    /// The largest input file, in bytes, and how long its download may take.
    pub max_input_bytes: u64,
    pub input_timeout: Duration,
    /// How large the input files of one job may be together, in bytes.
    pub max_job_input_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(30),
            poll: Duration::from_secs(1),
            webhook_timeout: Duration::from_secs(10),
            webhooks_in_flight: 512,
            webhooks_per_host: 64,
            max_input_bytes: 256 << 20,
            input_timeout: Duration::from_mins(1),
            max_job_input_bytes: 1 << 30,
        }
    }
}

/// The longest time for loops to end once nothing runs.
const LOOPS_END: Duration = Duration::from_secs(10);

/// The most attempts that wait for the end of their job to be written, without a slot.
const UNWRITTEN: usize = 64;

/// The wait before the next attempt after a failure on our side.
pub(crate) const OUR_FAULT_DELAY: Duration = Duration::from_secs(2);

/// The common state of all loops of a node of the service.
#[derive(Debug)]
pub(crate) struct Node {
    system: System,
    id: WorkerId,
    options: Options,
    fetching: inputs::Fetching,
    webhooks: webhooks::Sender,
    /// Cancelled when no new work is to be taken.
    closing: CancellationToken,
    /// Attempts and deliveries that run.
    running: TaskTracker,
}

/// The common state of the loops that run jobs.
#[derive(Debug)]
pub(crate) struct Worker {
    source: Arc<dyn source::Source>,
    routes: Routes,
    attempts: Attempts,
    scratch: Scratch,
    /// How often an idle loop looks around.
    poll: Duration,
    /// Cancelled when no new work is to be taken.
    closing: CancellationToken,
    /// Attempts that run.
    running: TaskTracker,
    /// Attempts whose end is not written yet, and that have left their engine's slot.
    unwritten: Arc<Semaphore>,
}

/// Running loops. Dropping this does not stop them; [`drain`](Self::drain) does.
#[derive(Debug)]
pub struct Workers {
    worker: Arc<Worker>,
    loops: TaskTracker,
    /// How long what runs beside attempts may take to end.
    rest: Duration,
}

/// Starts every loop of a node of the service.
pub fn start(system: &System, options: Options) -> Result<Workers, SetupError> {
    let attempts = Timeouts {
        connect: Duration::from_secs(10).min(options.webhook_timeout),
        read: options.webhook_timeout,
        total: options.webhook_timeout,
    };
    let webhooks = webhooks::Sender::new(
        Outbound::new(*system.guard(), attempts)?,
        options.webhooks_in_flight,
        options.webhooks_per_host,
    );
    let app = system.app();
    let node = Arc::new(Node {
        system: system.clone(),
        id: WorkerId(app.entropy().uuid(app.now())),
        fetching: inputs::Fetching::new(system, &options)?,
        options,
        webhooks,
        closing: CancellationToken::new(),
        running: TaskTracker::new(),
    });
    let worker = Arc::new(Worker {
        source: Arc::new(local::Local(Arc::clone(&node))),
        routes: system.routes().clone(),
        attempts: system.attempts().clone(),
        scratch: system.settings().scratch.clone(),
        poll: node.options.poll,
        closing: node.closing.clone(),
        running: node.running.clone(),
        unwritten: Arc::new(Semaphore::new(UNWRITTEN)),
    });
    let loops = run_jobs(&worker);
    loops.spawn(webhooks::run(Arc::clone(&node)));
    loops.spawn(reaper::run(Arc::clone(&node)));
    loops.spawn(retention::run(Arc::clone(&node)));
    loops.close();
    let rest = node.options.webhook_timeout + Duration::from_secs(5);
    Ok(Workers { worker, loops, rest })
}

/// Starts the loops that run jobs.
fn run_jobs(worker: &Arc<Worker>) -> TaskTracker {
    let loops = TaskTracker::new();
    loops.spawn(claim_for_all(Arc::clone(worker), loops.clone()));
    loops.spawn(heartbeat::run(Arc::clone(worker)));
    loops
}

/// Begins a loop for each engine, also for those that come later.
async fn claim_for_all(worker: Arc<Worker>, loops: TaskTracker) {
    let mut added = worker.routes.added();
    let mut begun = 0;
    loop {
        added.mark_unchanged();
        let engines = worker.routes.engines();
        let new = engines
            .iter()
            .skip(begun)
            .filter(|engine| !engine.runs_elsewhere());
        for engine in new {
            loops.spawn(claim::run(Arc::clone(&worker), Arc::clone(engine)));
        }
        begun = engines.len();
        tokio::select! {
            () = worker.closing.cancelled() => return,
            changed = added.changed() => if changed.is_err() { return },
        }
    }
}

impl Workers {
    /// Stops taking work and gives running attempts `grace` to end. The rest goes back into the queue with the
    /// attempt not counted. Then the engines close.
    pub async fn drain(self, grace: Duration) {
        let until = Instant::now() + grace;
        self.worker.closing.cancel();
        self.worker.running.close();
        if tokio::time::timeout_at(until, self.worker.running.wait())
            .await
            .is_err()
        {
            self.worker.attempts.stop_all(Stop::Shutdown);
            // Attempts give themselves back now; deliveries end with their own timeout.
            if tokio::time::timeout(self.rest, self.worker.running.wait())
                .await
                .is_err()
            {
                tracing::warn!(
                    "some work did not stop in time: its leases will end and other workers take over"
                );
            }
        }
        // A store that does not answer must not keep the process from ending.
        if tokio::time::timeout(LOOPS_END, self.loops.wait()).await.is_err() {
            tracing::warn!("a loop did not end in time: there is no answer");
        }
        for engine in self.worker.routes.engines() {
            engine.close().await;
        }
        self.worker.routes.close_safety().await;
    }
}
