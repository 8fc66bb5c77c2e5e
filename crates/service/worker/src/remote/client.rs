//! The worker's side: requests to the service, and jobs from it.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use atelier_catalog::Catalog;
use atelier_domain::{GenerationId, WorkerEngine, WorkerId, WorkerOffer};
use atelier_engines::{Engine, PartialImage, Routes};
use reqwest::{Method, RequestBuilder, StatusCode};
use serde::{Serialize, de::DeserializeOwned};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::protocol::{Hello, Problem, VERSION, WORKER_HEADER, Welcome};

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
    pub(super) poll: Duration,
    session: Mutex<Session>,
    /// Cancelled when the service refuses the token.
    pub(super) refused: CancellationToken,
    pub(super) closing: CancellationToken,
    /// Held while partial images are sent.
    pub(super) showing: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Debug, Clone, Copy)]
struct Session {
    worker: Option<WorkerId>,
    lease: Duration,
}

/// The client of a worker, with its credentials.
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
    #[error("this worker no longer holds the job")]
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
            showing: Arc::default(),
        }
    }

    /// The lease of the jobs, as the service said last.
    pub(super) fn lease(&self) -> Duration {
        self.session().lease
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
    pub(super) fn models(&self, engine: &dyn Engine) -> Vec<String> {
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

    /// Sends a picture of an unfinished result.
    pub(super) async fn show(
        &self,
        id: GenerationId,
        epoch: i64,
        image: &PartialImage,
    ) -> Result<(), CallError> {
        let path = format!("attempts/{id}/{epoch}/partial-image");
        let request = self.request(Method::PUT, &path)?;
        self.send(request.body(image.bytes().to_vec())).await?;
        Ok(())
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
}
