//! Workers on other machines: their tokens, what they may claim, and whether any of them is there.

use std::time::Duration;

use atelier_domain::{
    Generation, GenerationId, RemoteWorker, WorkerId, WorkerOffer, WorkerSeen, WorkerToken, WorkerTokenId,
};
use atelier_engines::{Loading, PartialImage, routes::matches};
use atelier_store::NewWorkerToken;
use tokio::time::Instant;

use crate::{Admin, Error, Result, System, accounts::name::check_name, audit, secrets};

/// A worker that was not seen for this long is not there.
pub const SILENT: Duration = Duration::from_secs(30);
/// How often workers are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// A worker that was not seen for this long is forgotten.
const FORGOTTEN: Duration = Duration::from_hours(24 * 7);
/// The most engines or models that a token names.
const MOST_NAMES: usize = 100;

/// A token's text, shown only once, and what is kept of it.
#[derive(Debug, Clone)]
pub struct NewToken {
    pub text: String,
    pub token: WorkerToken,
}

impl Admin {
    /// Creates a token for remote workers; its text is shown only once. It is limited to these engines and models;
    /// empty lists mean no limit.
    pub async fn create_worker_token(
        &self,
        name: &str,
        engines: Vec<String>,
        models: Vec<String>,
    ) -> Result<NewToken> {
        let name = check_name("token", name)?;
        for (what, names) in [("engine", &engines), ("model", &models)] {
            if names.len() > MOST_NAMES || names.iter().any(|name| name.is_empty() || name.len() > 100) {
                return Err(Error::invalid(format!(
                    "a token names at most {MOST_NAMES} {what}s, each with 1 to 100 characters"
                )));
            }
        }
        let now = self.now();
        let text = secrets::new_worker_token(&*self.entropy);
        let token = WorkerToken {
            id: WorkerTokenId(self.entropy.uuid(now)),
            name,
            prefix: secrets::shown_prefix(&text),
            engines,
            models,
            created_at: now,
            revoked_at: None,
        };
        let record = audit::record(now, &self.by, "worker_token.create", None, token.id);
        let details = [
            ("name", token.name.clone().into()),
            ("engines", token.engines.clone().into()),
            ("models", token.models.clone().into()),
        ];
        let new = NewWorkerToken {
            token: token.clone(),
            hash: secrets::key_hash(&text),
        };
        self.store
            .create_worker_token(new, audit::with(record, &details))
            .await?;
        Ok(NewToken { text, token })
    }

    /// All tokens of remote workers, oldest first, including revoked ones.
    pub async fn worker_tokens(&self) -> Result<Vec<WorkerToken>> {
        Ok(self.store.worker_tokens().await?)
    }

    /// Revokes a token. It stops working immediately, on every node. The jobs that its workers run are lost to them
    /// when their leases end.
    pub async fn revoke_worker_token(&self, id: &str) -> Result<WorkerToken> {
        let missing = || Error::NotFound(format!("there is no worker token with the id `{id}`"));
        let token: WorkerTokenId = id.parse().map_err(|_| missing())?;
        let now = self.now();
        let record = audit::record(now, &self.by, "worker_token.revoke", None, token);
        let revoked = self.store.revoke_worker_token(token, now, record).await?;
        revoked.ok_or_else(missing)
    }

    /// The remote workers of the last seven days, in the order they joined.
    pub async fn remote_workers(&self) -> Result<Vec<WorkerSeen>> {
        Ok(self.store.remote_workers().await?)
    }
}

impl System {
    /// The token with this text, if it is not revoked and `worker` joined with it.
    pub async fn worker_token(&self, text: &str, worker: Option<WorkerId>) -> Result<Option<WorkerToken>> {
        let hash = secrets::key_hash(text);
        Ok(self.app.store().worker_token(&hash, worker).await?)
    }

    /// A worker joins, or says that it is still there. Returns its id.
    pub async fn join_worker(
        &self,
        token: &WorkerToken,
        known: Option<WorkerId>,
        name: String,
        version: String,
        offer: WorkerOffer,
    ) -> Result<WorkerId> {
        let now = self.app.now();
        let id = known.unwrap_or_else(|| WorkerId(self.app.entropy().uuid(now)));
        let worker = RemoteWorker {
            id,
            token: token.id,
            name,
            version,
            joined_at: now,
            seen_at: now,
            offer,
        };
        self.app.store().note_worker(worker, now.minus(FORGOTTEN)).await?;
        Ok(id)
    }

    /// The engines of remote workers that a token may claim jobs of.
    pub fn remote_lanes(&self, token: &WorkerToken) -> Vec<String> {
        let lanes = self.remote_engines().into_iter();
        lanes.filter(|name| token.allows_engine(name)).collect()
    }

    fn remote_engines(&self) -> Vec<String> {
        let engines = self.engines();
        let remote = engines.iter().filter(|engine| engine.runs_elsewhere());
        remote.map(|engine| engine.name().to_owned()).collect()
    }

    /// The generation that this worker runs under this epoch; `None` if it does not hold it.
    pub async fn held_by(
        &self,
        worker: WorkerId,
        id: GenerationId,
        epoch: i64,
    ) -> Result<Option<Generation>> {
        Ok(self.app.store().held_by(worker, id, epoch).await?)
    }

    /// Notes whether the attempt of a remote worker waits for its engine to load.
    pub fn note_loading(&self, id: GenerationId, epoch: i64, loading: Option<Loading>) {
        self.app.loads().note((id, epoch), loading, Instant::now());
    }

    /// Which of these generations are followed on this node.
    pub fn followed(&self, ids: impl IntoIterator<Item = GenerationId>) -> Vec<GenerationId> {
        let followed = self.app.followed();
        ids.into_iter().filter(|id| followed.contains(*id)).collect()
    }

    /// Shows a picture of the unfinished result of a running generation to those who follow it on this node.
    pub fn show_partial_image(&self, generation: &Generation, image: PartialImage) {
        self.app.followed().show(generation.id, generation.epoch, image);
    }

    /// Waits until the service stops.
    pub async fn closed(&self) {
        self.app.hints().closed().await;
    }

    /// Opens the breaker of each remote engine that has no worker, so that its jobs go to the next route, and closes
    /// it again when one has come. Runs until it is dropped.
    pub async fn follow_remote_workers(&self) {
        let engines = self.remote_engines();
        if engines.is_empty() {
            return;
        }
        let began = Instant::now();
        loop {
            let tokens = self.app.store().worker_tokens().await;
            let seen = match (tokens, self.app.store().remote_workers().await) {
                (Ok(tokens), Ok(workers)) => Some((tokens, workers)),
                (Err(error), _) | (_, Err(error)) => {
                    tracing::warn!(%error, "remote workers could not be looked for");
                    None
                }
            };
            if let Some((tokens, workers)) = seen {
                let since = self.app.now().minus(SILENT);
                let mut changed = false;
                for engine in &engines {
                    let is_there = workers.iter().any(|seen| {
                        let mut tokens = tokens.iter().filter(|token| token.id == seen.worker.token);
                        seen.worker.seen_at >= since
                            && tokens.any(|token| token.revoked_at.is_none() && token.allows_engine(engine))
                    });
                    // After a start, the workers need a moment to find the service again.
                    let is_absent = !is_there && began.elapsed() >= SILENT;
                    if let Some(breaker) = self.routes().breaker(engine)
                        && breaker.set_absent(is_absent)
                    {
                        changed = true;
                        tracing::info!(engine, is_absent, "the remote workers of an engine came or went");
                    }
                }
                if changed && let Err(error) = self.assign_lanes().await {
                    tracing::warn!(%error, "waiting jobs could not be moved");
                }
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}

/// The models among `offered` that a token may claim jobs of.
pub fn allowed_models(token: &WorkerToken, offered: Vec<String>) -> Vec<String> {
    let is_allowed = |model: &String| {
        token.models.is_empty() || token.models.iter().any(|pattern| matches(pattern, model))
    };
    offered.into_iter().filter(is_allowed).collect()
}
