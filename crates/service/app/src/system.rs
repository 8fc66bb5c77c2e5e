//! The work behind requests: claiming jobs, keeping their leases, giving them back, reading their inputs.
//!
//! The other use cases of [`System`] stand beside those of requests: the end of an attempt in
//! `generations/finish.rs`, deliveries in `webhooks/sending.rs`, this process as a node in `admin/nodes.rs`.

use std::{path::PathBuf, sync::Arc, time::Duration};

use atelier_domain::{FileFacts, FileName, Generation, GenerationId, Noted, WorkerId};
use atelier_engines::{Engine, Serving, routes::Routes};
use atelier_media::Scratch;
use atelier_outbound::Guard;
use atelier_store::{Beat, Claim, Stats, Unrenewed};
use tokio::{sync::Notify, time::Instant};

use crate::{
    App, Result, Services, Settings,
    attempts::{Attempt, Attempts},
    policy::Policy,
};

/// The side of workers, metrics and the process itself. It is not limited to an account, so no request of a
/// client may reach it: an [`App`] is made from it, and not the other way round.
#[derive(Debug, Clone)]
pub struct System {
    pub(crate) app: App,
}

impl System {
    pub fn new(services: Services) -> Self {
        Self {
            app: App::new(services),
        }
    }

    /// Returns the use cases of requests.
    pub const fn app(&self) -> &App {
        &self.app
    }

    pub fn settings(&self) -> &Settings {
        self.app.settings()
    }

    pub fn guard(&self) -> &Guard {
        self.app.guard()
    }

    pub fn policy(&self) -> &Policy {
        self.app.policy()
    }

    pub fn routes(&self) -> &Routes {
        self.app.routes()
    }

    pub fn engines(&self) -> Vec<Arc<dyn Engine>> {
        self.app.routes().engines()
    }

    /// The attempts that run on this node.
    pub fn attempts(&self) -> &Attempts {
        self.app.attempts()
    }

    /// Wakes a lane's claim loop when work has come.
    pub fn work_hint(&self, lane: &str) -> Arc<Notify> {
        self.app.hints().lane(lane)
    }

    /// An attempt at this generation begins: wakes the clients that follow it.
    pub fn attempt_began(&self, id: GenerationId) {
        self.app.hints().changed(id);
    }

    /// Gives queued jobs to the engines that serve their models now.
    pub async fn assign_lanes(&self) -> Result<()> {
        self.app.store().assign_lanes(&self.app.lanes()).await?;
        Ok(())
    }

    /// Says which weights serve models by themselves from now on. Jobs that wait go to them.
    pub async fn serve_weights(&self, serving: Vec<Serving>) -> Result<()> {
        self.app.set_weights(serving);
        self.assign_lanes().await
    }

    /// Takes up to `max` due jobs of a lane, leased to the worker.
    pub async fn claim(
        &self,
        worker: WorkerId,
        lane: &str,
        max: u32,
        lease: Duration,
    ) -> Result<Vec<Generation>> {
        self.claim_models(worker, lane, None, max, lease).await
    }

    /// Takes up to `max` due jobs of a lane, if `models` is set only of these models, leased to the worker.
    pub async fn claim_models(
        &self,
        worker: WorkerId,
        lane: &str,
        models: Option<Vec<String>>,
        max: u32,
        lease: Duration,
    ) -> Result<Vec<Generation>> {
        let now = self.app.now();
        let claim = Claim {
            worker,
            lane: lane.to_owned(),
            models,
            max,
            now,
            lease_until: now.plus(lease),
        };
        Ok(self.app.store().claim(claim).await?)
    }

    /// Renews the leases of these attempts and writes down their progress. Returns those whose jobs the
    /// worker no longer holds.
    pub async fn renew(&self, attempts: &[Arc<Attempt>], lease: Duration) -> Result<Vec<Arc<Attempt>>> {
        let asked_at = Instant::now();
        let beats = attempts.iter().map(|attempt| attempt.beat()).collect();
        let until = self.app.now().plus(lease);
        let Unrenewed { lost, locked } = self.app.store().heartbeat(beats, until).await?;
        let is_lost = |attempt: &&Arc<Attempt>| lost.contains(&attempt.id());
        for attempt in attempts {
            if !locked.contains(&attempt.id()) {
                attempt.renewed(asked_at);
            }
        }
        Ok(attempts.iter().filter(is_lost).cloned().collect())
    }

    /// Renews leases that remote workers hold, each named by id, epoch and progress.
    pub async fn renew_remote(
        &self,
        held: Vec<(GenerationId, i64, f64)>,
        lease: Duration,
    ) -> Result<Unrenewed> {
        let beat = |(id, epoch, progress)| Beat { id, epoch, progress };
        let until = self.app.now().plus(lease);
        let beats = held.into_iter().map(beat).collect();
        Ok(self.app.store().heartbeat(beats, until).await?)
    }

    /// Puts running jobs back where they were in the queue, with this attempt not counted. Each is named by
    /// its id and the epoch of its claim.
    pub async fn give_back(&self, held: Vec<(GenerationId, i64)>) -> Result<()> {
        Ok(self.app.store().give_back(held, self.app.now()).await?)
    }

    /// Writes down the request that an attempt made at a provider. False: the worker no longer holds the job.
    pub async fn note_request(&self, id: GenerationId, epoch: i64, noted: &Noted) -> Result<bool> {
        let noted =
            serde_json::to_string(noted).map_err(|error| crate::Error::Internal(error.to_string()))?;
        Ok(self.app.store().note_request(id, epoch, noted).await?)
    }

    /// Returns the facts known about a stored file; `None` if no such file is stored.
    pub async fn stored_input(&self, name: &FileName) -> Result<Option<FileFacts>> {
        let known = self.app.store().files(std::slice::from_ref(name)).await?;
        Ok(known.into_iter().next().flatten())
    }

    /// A stored file as a local one, which is made in `scratch` if the bytes are stored elsewhere; `None` if no
    /// such file is stored.
    pub async fn open_input(&self, name: &FileName, scratch: &Scratch) -> Result<Option<PathBuf>> {
        if let Some(path) = self.app.blobs().local_path(name) {
            return Ok(Some(path));
        }
        let copied = self.app.copy_blob(name, scratch, name.as_str()).await?;
        Ok(copied.then(|| scratch.path().join(name.as_str())))
    }

    /// Whether the media storage works, as far as is known. Jobs wait in the queue until it does.
    pub async fn media_works(&self) -> bool {
        self.app.blobs().works().await
    }

    /// Whether a file could not be stored or read because the media storage fails, and not this one file.
    pub async fn media_fails(&self) -> bool {
        !self.app.blobs().look().await
    }

    /// Forgets idempotency keys that are too old to count.
    pub async fn purge_idempotency(&self) -> Result<()> {
        let horizon = self.app.idempotency_horizon();
        self.app.store().purge_idempotency(horizon).await?;
        Ok(())
    }

    /// Returns the numbers of waiting and running jobs, for metrics.
    pub async fn stats(&self) -> Result<Stats> {
        Ok(self.app.store().stats().await?)
    }

    /// The service stops: clients that follow a generation are let go.
    pub fn close(&self) {
        self.app.hints().close();
    }
}

impl App {
    /// Copies a stored file into a work folder, under the name `as_file`; false if it is not stored.
    pub(crate) async fn copy_blob(&self, name: &FileName, scratch: &Scratch, as_file: &str) -> Result<bool> {
        let mut blob = match self.blobs().get(name, None).await {
            Ok(blob) => blob,
            Err(atelier_media::BlobError::Missing) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        let mut file = scratch.create(as_file).await?;
        while let Some(chunk) = futures::StreamExt::next(&mut blob.stream).await {
            let chunk = chunk.map_err(|error| crate::Error::from(atelier_media::BlobError::from(error)))?;
            file.write(&chunk).await?;
        }
        Ok(true)
    }
}
