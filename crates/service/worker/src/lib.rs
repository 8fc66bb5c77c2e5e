//! The loops that do the work: claim, run and finish generations, keep their leases, deliver webhooks, and
//! take care of what was lost. Every node may run all of them; the store decides who holds what.

use std::{sync::Arc, time::Duration};

use atelier_app::App;
use atelier_domain::WorkerId;
use atelier_outbound::{Outbound, SetupError, Timeouts};
use tokio::time::Instant;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

mod claim;
mod heartbeat;
mod held;
mod inputs;
mod places;
mod reaper;
mod run;
mod webhooks;

/// How the loops behave; the defaults are right outside of tests.
#[derive(Debug, Clone)]
pub struct Options {
    /// How long a lease lasts. A worker that cannot renew it stops the job before it ends.
    pub lease: Duration,
    /// How often an idle loop looks for work that no hint told of.
    pub poll: Duration,
    /// How long one webhook attempt may take.
    pub webhook_timeout: Duration,
    /// How many webhook attempts run at a time, and how many of them to one host.
    pub webhooks_in_flight: u32,
    pub webhooks_per_host: u32,
    /// What an input file may weigh, in bytes, and how long its download may take.
    pub max_input_bytes: u64,
    pub input_timeout: Duration,
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
            input_timeout: Duration::from_secs(60),
        }
    }
}

/// What all loops of one worker share.
#[derive(Debug)]
pub(crate) struct Worker {
    app: App,
    id: WorkerId,
    options: Options,
    downloads: Outbound,
    held: held::Held,
    webhooks: webhooks::Sender,
    /// Cancelled when no new work is to be taken.
    closing: CancellationToken,
    /// Attempts and deliveries that run.
    running: TaskTracker,
}

/// Running loops. Dropping it does not stop them; [`drain`](Self::drain) does.
#[derive(Debug)]
pub struct Workers {
    worker: Arc<Worker>,
    loops: TaskTracker,
}

/// Starts every loop.
pub fn start(app: &App, options: Options) -> Result<Workers, SetupError> {
    let connect = Duration::from_secs(10);
    let downloads = Outbound::new(
        *app.guard(),
        Timeouts {
            connect,
            read: Duration::from_secs(20),
            total: options.input_timeout,
        },
    )?;
    let attempts = Timeouts {
        connect: connect.min(options.webhook_timeout),
        read: options.webhook_timeout,
        total: options.webhook_timeout,
    };
    let webhooks = webhooks::Sender::new(
        Outbound::new(*app.guard(), attempts)?,
        options.webhooks_in_flight,
        options.webhooks_per_host,
    );
    let worker = Arc::new(Worker {
        app: app.clone(),
        id: WorkerId(app.entropy().uuid(app.now())),
        options,
        downloads,
        held: held::Held::default(),
        webhooks,
        closing: CancellationToken::new(),
        running: TaskTracker::new(),
    });
    let loops = TaskTracker::new();
    for engine in app.routes().engines() {
        loops.spawn(claim::run(Arc::clone(&worker), Arc::clone(engine)));
    }
    loops.spawn(heartbeat::run(Arc::clone(&worker)));
    loops.spawn(webhooks::run(Arc::clone(&worker)));
    loops.spawn(reaper::run(Arc::clone(&worker)));
    loops.close();
    Ok(Workers { worker, loops })
}

impl Workers {
    /// Stops taking work, gives what runs `grace` to end, puts the rest back into the queue with its
    /// attempt not counted, and closes the engines.
    pub async fn drain(self, grace: Duration) {
        let until = Instant::now() + grace;
        self.worker.closing.cancel();
        self.worker.running.close();
        if tokio::time::timeout_at(until, self.worker.running.wait())
            .await
            .is_err()
        {
            self.worker.held.stop_all(held::Stop::Shutdown);
            // Attempts give themselves back now; deliveries end with their own timeout.
            let rest = self.worker.options.webhook_timeout + Duration::from_secs(5);
            if tokio::time::timeout(rest, self.worker.running.wait())
                .await
                .is_err()
            {
                tracing::warn!(
                    "some work did not stop in time: its leases will run out and others take over"
                );
            }
        }
        self.loops.wait().await;
        for engine in self.worker.app.routes().engines() {
            engine.close().await;
        }
    }
}
