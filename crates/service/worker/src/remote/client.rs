//! The worker's side: requests to the service, and jobs from it.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use atelier_app::attempts::Attempt;
use atelier_catalog::Catalog;
use atelier_domain::{GenerationId, WorkerEngine, WorkerId, WorkerOffer};
use atelier_engines::{Engine, Routes};
use reqwest::{Method, RequestBuilder, StatusCode};
use serde::{Serialize, de::DeserializeOwned};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::{
    order::RemoteOrder,
    protocol::{
        self, Beat, Claim, GiveBack, Hello, LONGEST_WAIT, Problem, Renew, Renewed, VERSION, WORKER_HEADER,
        Welcome,
    },
};
use crate::source::{Claimed, Order, Source};

/// How long a request may take, beyond what it waits for at the service.
const TIMEOUT: Duration = Duration::from_secs(25);
/// The wait before a request that failed is sent again.
pub(super) const AGAIN: Duration = Duration::from_millis(500);

/// A service on another machine.
pub(crate) struct Remote {
    http: reqwest::Client,
    base: Url,
    token: String,
    pub(super) name: String,
    pub(super) catalog: Catalog,
    pub(super) routes: Routes,
    memory: Option<u64>,
    /// How often an engine without models is looked at again.
    poll: Duration,
    session: Mutex<Session>,
    /// Cancelled when the service refuses the token.
    pub(super) refused: CancellationToken,
    closing: CancellationToken,
}

#[derive(Debug, Clone, Copy)]
struct Session {
    worker: Option<WorkerId>,
    lease: Duration,
}

/// What a worker joins with.
pub(super) struct Credentials {
    pub(super) http: reqwest::Client,
    /// The address of the endpoints, with a slash at its end.
    pub(super) base: Url,
    pub(super) token: String,
    pub(super) name: String,
}

impl fmt::Debug for Remote {
    /// Without the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote")
            .field("base", &self.base.as_str())
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Why the service did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum CallError {
    #[error("the service refuses the token: it is unknown or revoked")]
    Token,
    #[error("this worker does not hold the job any more")]
    Lost,
    #[error("{0}")]
    Conflict(String),
    #[error("{0}")]
    Other(String),
}

impl CallError {
    fn unanswered(error: &reqwest::Error) -> Self {
        // The cause says more than the error of the client, which names the address.
        let mut cause: &dyn std::error::Error = error;
        while let Some(source) = cause.source() {
            cause = source;
        }
        Self::Other(format!("the service does not answer: {cause}"))
    }
}

impl Remote {
    pub(super) fn new(
        with: Credentials,
        (catalog, routes): (Catalog, Routes),
        (memory, poll): (Option<u64>, Duration),
        closing: CancellationToken,
    ) -> Self {
        Self {
            http: with.http,
            base: with.base,
            token: with.token,
            name: with.name,
            catalog,
            routes,
            memory,
            poll,
            session: Mutex::new(Session {
                worker: None,
                lease: Duration::from_secs(30),
            }),
            refused: CancellationToken::new(),
            closing,
        }
    }

    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins, or says that this worker is still there.
    pub(super) async fn hello(&self) -> Result<(), CallError> {
        let engines = self.routes.engines();
        let engine = |engine: &Arc<dyn Engine>| WorkerEngine {
            name: engine.name().to_owned(),
            slots: engine.concurrency() as u32,
            models: self.models(&**engine).len() as u32,
        };
        let hello = Hello {
            protocol: VERSION,
            name: self.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            worker: self.session().worker,
            offer: WorkerOffer {
                engines: engines
                    .iter()
                    .map(engine)
                    .filter(|engine| engine.models > 0)
                    .collect(),
                memory: self.memory,
            },
        };
        let welcome: Welcome = self.post("hello", &hello).await?;
        *self.session() = Session {
            worker: Some(welcome.worker),
            lease: Duration::from_millis(welcome.lease_ms.max(1_000)),
        };
        Ok(())
    }

    /// The models that an engine of this worker serves.
    fn models(&self, engine: &dyn Engine) -> Vec<String> {
        let serves = |model: &&atelier_catalog::Model| {
            let targets = atelier_app::targets(&self.routes, model);
            targets
                .first()
                .is_some_and(|target| target.engine.name() == engine.name())
        };
        let models = self.catalog.iter().filter(serves);
        models.map(|model| model.slug.clone()).collect()
    }

    pub(super) fn request(&self, method: Method, path: &str) -> Result<RequestBuilder, CallError> {
        let url = self.base.join(path);
        let url = url.map_err(|error| CallError::Other(error.to_string()))?;
        let request = self
            .http
            .request(method, url)
            .bearer_auth(&self.token)
            .timeout(TIMEOUT);
        Ok(match self.session().worker {
            Some(worker) => request.header(WORKER_HEADER, worker.to_string()),
            None => request,
        })
    }

    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &(impl Serialize + Sync),
    ) -> Result<T, CallError> {
        let request = self.request(Method::POST, path)?;
        let response = self.send(request.json(body)).await?;
        let bytes = response.bytes().await;
        let bytes = bytes.map_err(|error| CallError::unanswered(&error))?;
        // An answer without content says that it is done.
        let bytes = if bytes.is_empty() {
            &b"null"[..]
        } else {
            &bytes[..]
        };
        serde_json::from_slice(bytes)
            .map_err(|error| CallError::Other(format!("the service's answer is not understood: {error}")))
    }

    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, CallError> {
        let response = self.send(self.request(Method::GET, path)?).await?;
        let value = response.json().await;
        value.map_err(|error| CallError::unanswered(&error))
    }

    /// Sends a request; an answer that is not a success is an error.
    pub(super) async fn send(&self, request: RequestBuilder) -> Result<reqwest::Response, CallError> {
        let sent = request.send().await;
        let response = sent.map_err(|error| CallError::unanswered(&error))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let problem = response.json::<Problem>().await;
        let (code, message) = problem.map_or_else(
            |_| (String::new(), format!("the service answered {status}")),
            |problem| (problem.error.code, problem.error.message),
        );
        Err(match (status, code.as_str()) {
            (StatusCode::UNAUTHORIZED, "token_refused") => {
                self.refused.cancel();
                CallError::Token
            }
            (StatusCode::NOT_FOUND, "unknown_worker") => {
                // The next hello makes it known again, under a new id.
                self.session().worker = None;
                CallError::Other(message)
            }
            (StatusCode::GONE, "lost") => CallError::Lost,
            (StatusCode::CONFLICT, _) => CallError::Conflict(message),
            _ => CallError::Other(message),
        })
    }

    async fn claim_jobs(self: Arc<Self>, models: Vec<String>, max: usize) -> Result<Claimed, CallError> {
        let asked_at = Instant::now();
        let claim = Claim {
            models,
            max: max as u32,
            wait_ms: LONGEST_WAIT.as_millis() as u64,
        };
        let claimed: protocol::Claimed = self.post("claim", &claim).await?;
        let since = asked_at + Duration::from_millis(claimed.waited_ms).min(asked_at.elapsed());
        let jobs = claimed.jobs.into_iter();
        let orders = jobs.map(|job| Arc::new(RemoteOrder::new(Arc::clone(&self), job)) as Arc<dyn Order>);
        Ok(Claimed {
            orders: orders.collect(),
            since,
        })
    }
}

/// The source of a remote worker's jobs.
#[derive(Debug)]
pub(super) struct Jobs(pub(super) Arc<Remote>);

#[async_trait]
impl Source for Jobs {
    fn lease(&self) -> Duration {
        self.0.session().lease
    }

    fn must_ask(&self) -> bool {
        true
    }

    async fn claim(&self, engine: &dyn Engine, max: usize) -> Result<Claimed, String> {
        let nothing = || Claimed {
            orders: Vec::new(),
            since: Instant::now(),
        };
        let models = self.0.models(engine);
        if models.is_empty() {
            sleep(self.0.poll).await;
            return Ok(nothing());
        }
        let claimed = tokio::select! {
            () = self.0.closing.cancelled() => return Ok(nothing()),
            claimed = Arc::clone(&self.0).claim_jobs(models, max) => claimed,
        };
        if claimed.is_err() {
            sleep(AGAIN).await;
        }
        claimed.map_err(|error| error.to_string())
    }

    /// The claim itself has waited.
    async fn wait(&self, _: &dyn Engine) {}

    async fn renew(&self, held: &[Arc<Attempt>]) -> Result<Vec<Arc<Attempt>>, String> {
        let asked_at = Instant::now();
        let beats = held.iter().map(|attempt| {
            let beat = attempt.beat();
            Beat {
                id: beat.id,
                epoch: beat.epoch,
                progress: beat.progress,
            }
        });
        let renew = Renew {
            held: beats.collect(),
        };
        let renewed: Result<Renewed, CallError> = self.0.post("renew", &renew).await;
        let Renewed { lost, locked } = renewed.map_err(|error| error.to_string())?;
        for attempt in held.iter().filter(|attempt| !locked.contains(&attempt.id())) {
            attempt.renewed(asked_at);
        }
        let is_lost = |attempt: &&Arc<Attempt>| lost.contains(&attempt.id());
        Ok(held.iter().filter(is_lost).cloned().collect())
    }

    async fn give_back(&self, held: Vec<(GenerationId, i64)>) -> Result<(), String> {
        let beat = |(id, epoch)| Beat {
            id,
            epoch,
            progress: 0.0,
        };
        let held = held.into_iter().map(beat).collect();
        let given: Result<(), CallError> = self.0.post("give-back", &GiveBack { held }).await;
        given.map_err(|error| error.to_string())
    }
}
