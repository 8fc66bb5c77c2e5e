//! Joins a service on another machine and runs its jobs.

use std::{fmt, sync::Arc, time::Duration};

use atelier_app::attempts::Attempts;
use atelier_catalog::Catalog;
use atelier_engines::Routes;
use atelier_media::{Scratch, scratch};
use tokio::{
    sync::Semaphore,
    time::{Instant, sleep},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use url::Url;

use super::{
    client::{CallError, Credentials, Remote},
    jobs::Jobs,
    routes::BASE_PATH,
};
use crate::{UNWRITTEN, Worker, Workers, run_jobs};

/// How often a worker says that it is still there.
const HELLO_EVERY: Duration = Duration::from_secs(5);
/// How often forgotten work files are looked for, and when a file is forgotten.
const CLEAR_EVERY: Duration = Duration::from_mins(10);
const FORGOTTEN: Duration = Duration::from_hours(6);
/// How long what runs beside attempts may take to end.
const REST: Duration = Duration::from_secs(5);

/// The options with which a worker joins.
pub struct Join {
    /// The origin of the service.
    pub service: Url,
    pub token: String,
    /// How operators recognise the worker.
    pub name: String,
    /// Certificate authorities to trust besides the usual ones, as PEM.
    pub authorities: Option<Vec<u8>>,
    pub catalog: Catalog,
    pub routes: Routes,
    pub scratch: Scratch,
    /// The memory of this machine, in bytes, if it is known.
    pub memory: Option<u64>,
}

impl fmt::Debug for Join {
    /// Without the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Join")
            .field("service", &self.service.as_str())
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// A worker that has joined.
#[derive(Debug)]
pub struct Joined {
    workers: Workers,
    refused: CancellationToken,
}

impl Joined {
    /// Waits until the service refuses the token.
    pub async fn refused(&self) {
        self.refused.cancelled().await;
    }

    /// Takes no more jobs and gives those that run `grace` to end. The rest goes back to the service.
    pub async fn drain(self, grace: Duration) {
        self.workers.drain(grace).await;
    }
}

/// Joins a service. If it does not answer, this tries again, until it is dropped. An error is final: an address or a
/// token that cannot work.
pub async fn join(join: Join) -> Result<Joined, String> {
    let base = base(&join.service)?;
    let builder = match &join.authorities {
        Some(pem) => atelier_outbound::tls::client_builder_trusting(pem)?,
        None => atelier_outbound::tls::client_builder(),
    };
    let http = builder
        .connect_timeout(Duration::from_secs(10))
        .read_timeout(Duration::from_secs(30))
        .pool_idle_timeout(Duration::from_secs(30))
        .tcp_nodelay(true)
        .user_agent(concat!("atelier/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| format!("cannot set up the HTTP client: {error}"))?;
    let closing = CancellationToken::new();
    let poll = Duration::from_secs(1);
    let credentials = Credentials {
        http,
        base,
        token: join.token,
        name: join.name,
    };
    let routes = join.routes.clone();
    let given = (join.catalog, join.routes);
    let remote = Arc::new(Remote::new(
        credentials,
        given,
        (join.memory, poll),
        closing.clone(),
    ));
    let mut was_silent = false;
    while let Err(error) = remote.hello().await {
        if matches!(error, CallError::Token) {
            return Err(error.to_string());
        }
        if !was_silent {
            tracing::warn!(%error, "the service cannot be joined yet");
        }
        was_silent = true;
        sleep(Duration::from_secs(1)).await;
    }
    let worker = Arc::new(Worker {
        source: Arc::new(Jobs(Arc::clone(&remote))),
        routes,
        attempts: Attempts::default(),
        scratch: join.scratch,
        poll,
        closing,
        running: TaskTracker::new(),
        unwritten: Arc::new(Semaphore::new(UNWRITTEN)),
    });
    let loops = run_jobs(&worker);
    loops.spawn(stay(Arc::clone(&worker), Arc::clone(&remote)));
    loops.close();
    Ok(Joined {
        workers: Workers {
            worker,
            loops,
            rest: REST,
        },
        refused: remote.refused.clone(),
    })
}

/// Says that the worker is still there, and removes forgotten work files.
async fn stay(worker: Arc<Worker>, remote: Arc<Remote>) {
    let mut cleared = None::<Instant>;
    while !(worker.closing.is_cancelled() && worker.running.is_empty()) {
        tokio::select! {
            () = sleep(HELLO_EVERY) => {}
            () = worker.closing.cancelled(), if worker.running.is_empty() => return,
        }
        if let Err(error) = remote.hello().await {
            tracing::warn!(%error, "the service does not know that this worker is still there");
        }
        if cleared.is_none_or(|at| at.elapsed() >= CLEAR_EVERY) {
            cleared = Some(Instant::now());
            if let Err(error) = scratch::sweep(worker.scratch.path(), FORGOTTEN) {
                tracing::warn!(%error, "forgotten work files could not be removed");
            }
        }
    }
}

/// The address of the endpoints. A token is sent in the clear only to this machine.
fn base(service: &Url) -> Result<Url, String> {
    let is_local = match service.host() {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    };
    if service.scheme() != "https" && !(service.scheme() == "http" && is_local) {
        return Err(format!(
            "the service must have an https URL; http is allowed on this machine only (got `{service}`)"
        ));
    }
    let origin = service.as_str().trim_end_matches('/');
    let base = format!("{origin}{BASE_PATH}/");
    base.parse()
        .map_err(|_| format!("the service's URL is invalid (got `{service}`)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_sent_in_the_clear_only_to_this_machine() {
        let joined = |text: &str| base(&text.parse().unwrap()).map(|base| base.to_string());
        let expected = "https://studio.example/workers/v1/".to_owned();
        assert_eq!(joined("https://studio.example"), Ok(expected));
        assert_eq!(
            joined("https://studio.example/a/").unwrap(),
            "https://studio.example/a/workers/v1/"
        );
        assert_eq!(
            joined("http://127.0.0.1:8080").unwrap(),
            "http://127.0.0.1:8080/workers/v1/"
        );
        assert!(joined("http://[::1]:8080").is_ok() && joined("http://localhost:1").is_ok());
        for refused in ["http://studio.example", "http://10.0.0.5:8080", "ftp://127.0.0.1"] {
            let why = joined(refused).unwrap_err();
            assert!(why.starts_with("the service must have an https URL"), "{why}");
        }
    }
}
