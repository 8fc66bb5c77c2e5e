//! The endpoints that remote workers join by. They are no part of the public API: each answers only to the token of a
//! worker, and shows nothing but the jobs that this worker holds.

use std::{future::Future, sync::Arc, time::Duration};

use atelier_app::{System, remote::allowed_models};
use atelier_domain::{Generation, GenerationId, WorkerId, WorkerToken};
use atelier_outbound::SetupError;
use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use tokio::time::{Instant, sleep};

use super::{
    protocol::{
        self, Beat, Claim, Claimed, GiveBack, Hello, Job, LONGEST_WAIT, OLDEST, Problem, ProblemText, Renew,
        Renewed, VERSION, WORKER_HEADER, Welcome,
    },
    transit::Transits,
    upload,
};
use crate::{Options, inputs::Fetching, orders};

/// How often to look for jobs without a hint.
const POLL: Duration = Duration::from_secs(1);
/// How often to look for files of attempts that have ended elsewhere.
const SWEEP: Duration = Duration::from_secs(10);
/// The most jobs in one claim.
const BATCH: u32 = 256;

/// The side of the service.
#[derive(Debug, Clone)]
pub struct Server(pub(super) Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) system: System,
    pub(super) fetching: Fetching,
    lease: Duration,
    pub(super) transits: Transits,
}

impl Server {
    pub fn new(system: &System, options: &Options) -> Result<Self, SetupError> {
        Ok(Self(Arc::new(Inner {
            system: system.clone(),
            fetching: Fetching::new(system, options)?,
            lease: options.lease,
            transits: Transits::default(),
        })))
    }

    /// Removes the files of attempts that their workers have lost, until it is dropped.
    pub async fn sweep(&self) {
        loop {
            sleep(SWEEP).await;
            for ((id, epoch), transit) in self.0.transits.list() {
                let held = self.0.system.held_by(transit.worker, id, epoch).await;
                // A writer notices it too.
                if matches!(held, Ok(None))
                    && let Ok(_writing) = transit.writing.try_lock()
                {
                    self.0.transits.remove(id, epoch).await;
                }
            }
        }
    }
}

/// Why a request was not done.
#[derive(Debug)]
pub(super) enum Refused {
    Token,
    UnknownWorker,
    /// The worker no longer holds the job.
    Lost,
    /// The files are not here, or not all of them.
    Conflict(&'static str),
    NoRoom,
    Invalid(String),
    Unavailable(String),
}

impl From<atelier_app::Error> for Refused {
    fn from(error: atelier_app::Error) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let (status, code, message) = match self {
            Self::Token => (
                StatusCode::UNAUTHORIZED,
                "token_refused",
                "the token is unknown or revoked".to_owned(),
            ),
            Self::UnknownWorker => (
                StatusCode::NOT_FOUND,
                "unknown_worker",
                format!("the header `{WORKER_HEADER}` must name a worker that joined with this token"),
            ),
            Self::Lost => (
                StatusCode::GONE,
                "lost",
                "this worker no longer holds the job".to_owned(),
            ),
            Self::Conflict(why) => (StatusCode::CONFLICT, "conflict", why.to_owned()),
            Self::NoRoom => (
                StatusCode::INSUFFICIENT_STORAGE,
                "no_room",
                "the service has no room for the file now".to_owned(),
            ),
            Self::Invalid(why) => (StatusCode::BAD_REQUEST, "invalid", why),
            Self::Unavailable(why) => {
                tracing::warn!(error = why, "a request of a remote worker failed");
                let message = "the service cannot do this now".to_owned();
                (StatusCode::SERVICE_UNAVAILABLE, "unavailable", message)
            }
        };
        let code = code.to_owned();
        let problem = Problem {
            error: ProblemText { code, message },
        };
        (status, Json(problem)).into_response()
    }
}

pub(super) type Answer<T> = Result<T, Refused>;

impl Inner {
    async fn token(&self, headers: &HeaderMap, worker: Option<WorkerId>) -> Answer<Option<WorkerToken>> {
        Ok(self.system.worker_token(bearer(headers)?, worker).await?)
    }

    /// The worker that sends a request, and its token.
    pub(super) async fn worker(&self, headers: &HeaderMap) -> Answer<(WorkerId, WorkerToken)> {
        let named = headers.get(WORKER_HEADER).and_then(|id| id.to_str().ok());
        let worker: Option<WorkerId> = named.and_then(|id| id.parse().ok());
        if let Some(worker) = worker
            && let Some(token) = self.token(headers, Some(worker)).await?
        {
            return Ok((worker, token));
        }
        match self.token(headers, None).await? {
            Some(_) => Err(Refused::UnknownWorker),
            None => Err(Refused::Token),
        }
    }
}

fn bearer(headers: &HeaderMap) -> Answer<&str> {
    let value = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    value
        .and_then(|value| value.strip_prefix("Bearer "))
        .ok_or(Refused::Token)
}

/// Does something to its end, even if the worker does not wait for the answer.
pub(super) async fn to_its_end<T: Send + 'static>(
    work: impl Future<Output = Answer<T>> + Send + 'static,
) -> Answer<T> {
    let done = tokio::spawn(work).await;
    done.unwrap_or_else(|error| Err(Refused::Unavailable(error.to_string())))
}

pub(super) async fn hello(
    State(server): State<Server>,
    headers: HeaderMap,
    Json(hello): Json<Hello>,
) -> Answer<Json<Welcome>> {
    let server = server.0;
    let token = server.token(&headers, None).await?.ok_or(Refused::Token)?;
    if hello.protocol < OLDEST {
        return Err(Refused::Invalid(format!(
            "the worker speaks version {} of the protocol; this service requires {OLDEST} or newer",
            hello.protocol
        )));
    }
    // Somebody else's id is as good as none.
    let known = match hello.worker {
        Some(worker) if server.token(&headers, Some(worker)).await?.is_some() => Some(worker),
        _ => None,
    };
    let short = |text: String| {
        text.chars()
            .filter(|c| !c.is_control())
            .take(100)
            .collect::<String>()
    };
    let mut offer = hello.offer;
    offer.engines.truncate(100);
    for engine in &mut offer.engines {
        engine.name = short(std::mem::take(&mut engine.name));
    }
    let (name, version) = (short(hello.name), short(hello.version));
    if known.is_none() {
        tracing::info!(name, version, token = token.name, "a remote worker has joined");
    }
    let worker = to_its_end(async move {
        let joined = server
            .system
            .join_worker(&token, known, name, version, offer)
            .await;
        Ok((joined?, server.lease))
    });
    let (worker, lease) = worker.await?;
    Ok(Json(Welcome {
        protocol: VERSION.min(hello.protocol),
        worker,
        lease_ms: lease.as_millis() as u64,
    }))
}

pub(super) async fn claim(
    State(server): State<Server>,
    headers: HeaderMap,
    Json(claim): Json<Claim>,
) -> Answer<Json<Claimed>> {
    let asked_at = Instant::now();
    let until = asked_at + Duration::from_millis(claim.wait_ms).min(LONGEST_WAIT);
    loop {
        // A token that is revoked while its worker waits gets nothing more.
        let (worker, token) = server.0.worker(&headers).await?;
        let lanes = server.0.system.remote_lanes(&token);
        let models = allowed_models(&token, claim.models.clone());
        if !models.is_empty() && server.0.system.media_works().await {
            let (since, max) = (Instant::now(), claim.max.clamp(1, BATCH));
            let found = deliverable(&server, worker, lanes.clone(), models, max).await?;
            if !found.0.is_empty() {
                let waited_ms = since.duration_since(asked_at).as_millis() as u64;
                let jobs = found.described(&server.0).await;
                return Ok(Json(Claimed { waited_ms, jobs }));
            }
        }
        if Instant::now() >= until {
            break;
        }
        let hints: Vec<_> = lanes.iter().map(|lane| server.0.system.work_hint(lane)).collect();
        let hinted = hints.iter().map(|hint| Box::pin(hint.notified()));
        let hinted = async {
            if hints.is_empty() {
                std::future::pending::<()>().await;
            }
            futures::future::select_all(hinted).await;
        };
        tokio::select! {
            () = server.0.system.closed() => break,
            () = hinted => {}
            () = sleep(POLL) => {}
        }
    }
    Ok(Json(Claimed {
        waited_ms: asked_at.elapsed().as_millis() as u64,
        jobs: Vec::new(),
    }))
}

/// Claimed jobs on their way to a worker. If nobody waits for them, they go back.
struct Deliverable(Vec<Generation>, Server);

/// Claims jobs from the first lane that has any.
async fn deliverable(
    server: &Server,
    worker: WorkerId,
    lanes: Vec<String>,
    models: Vec<String>,
    max: u32,
) -> Answer<Deliverable> {
    let server = server.clone();
    to_its_end(async move {
        for lane in lanes {
            let models = Some(models.clone());
            let system = &server.0.system;
            let claimed = system
                .claim_models(worker, &lane, models, max, server.0.lease)
                .await?;
            if !claimed.is_empty() {
                return Ok(Deliverable(claimed, server));
            }
        }
        Ok(Deliverable(Vec::new(), server))
    })
    .await
}

impl Deliverable {
    async fn described(mut self, server: &Inner) -> Vec<Job> {
        // At the same time: each may wait for the operator's own check.
        let jobs = self.0.iter().map(|generation| described(server, generation));
        let jobs = futures::future::join_all(jobs).await;
        // From here on they are the worker's.
        self.0.clear();
        jobs
    }
}

impl Drop for Deliverable {
    fn drop(&mut self) {
        let held: Vec<_> = self.0.iter().map(|job| (job.id, job.epoch)).collect();
        if held.is_empty() {
            return;
        }
        let system = self.1.0.system.clone();
        tokio::spawn(async move {
            if let Err(error) = system.give_back(held).await {
                tracing::warn!(%error, "jobs that nobody waited for could not be given back");
            }
        });
    }
}

async fn described(server: &Inner, generation: &Generation) -> Job {
    let system = &server.system;
    system.attempt_began(generation.id);
    let left = generation.deadline.since(system.app().now());
    let mut job = Job {
        id: generation.id,
        epoch: generation.epoch,
        attempt: generation.attempt,
        model: generation.model.clone(),
        kind: generation.kind,
        left_ms: left.as_millis() as u64,
        timed_out: system.timeout_failure(generation),
        refused: None,
        params: serde_json::Map::new(),
        asked: Vec::new(),
        seed: orders::seed(generation.id),
        resume: None,
        has_inputs: false,
        has_alternative: false,
        shows_partial_images: false,
    };
    let described = orders::describe(system, generation, lane(generation));
    let described = match system.policy_allows(generation).await.and(described) {
        Ok(mut described) => described.link_inputs(system).await.map(|()| described),
        Err(failure) => Err(failure),
    };
    match described {
        Ok(described) => {
            job.has_inputs = !described.urls.is_empty();
            job.has_alternative = described.has_alternative;
            job.shows_partial_images = upload::shows_partial_images(system, &described.params);
            job.params = described.params;
            job.asked = described
                .asked
                .into_iter()
                .map(protocol::AskedField::from)
                .collect();
            job.resume = described.resume;
        }
        Err(failure) => job.refused = Some(failure),
    }
    job
}

/// The lane that a running generation was claimed from.
pub(super) fn lane(generation: &Generation) -> &str {
    generation.served_by.as_deref().unwrap_or_default()
}

pub(super) async fn renew(
    State(server): State<Server>,
    headers: HeaderMap,
    Json(renew): Json<Renew>,
) -> Answer<Json<Renewed>> {
    server.0.worker(&headers).await?;
    to_its_end(async move {
        let system = &server.0.system;
        let held = renew.held;
        let beats = held.iter().map(|beat| (beat.id, beat.epoch, beat.progress));
        let renewed = system.renew_remote(beats.collect(), server.0.lease).await?;
        let (lost, locked) = (renewed.lost, renewed.locked);
        for beat in held.iter().filter(|beat| !lost.contains(&beat.id)) {
            system.note_loading(beat.id, beat.epoch, beat.loading.map(Into::into));
        }
        let followed = system.followed(held.iter().map(|beat| beat.id));
        Ok(Json(Renewed {
            lost,
            locked,
            followed,
        }))
    })
    .await
}

pub(super) async fn give_back(
    State(server): State<Server>,
    headers: HeaderMap,
    Json(GiveBack { held }): Json<GiveBack>,
) -> Answer<()> {
    let (worker, _) = server.0.worker(&headers).await?;
    to_its_end(async move {
        let mut given: Vec<(GenerationId, i64)> = Vec::new();
        for Beat { id, epoch, .. } in held {
            if server.0.system.held_by(worker, id, epoch).await?.is_some() {
                given.push((id, epoch));
            }
        }
        server.0.system.give_back(given.clone()).await?;
        for (id, epoch) in given {
            server.0.transits.remove(id, epoch).await;
        }
        Ok(())
    })
    .await
}
