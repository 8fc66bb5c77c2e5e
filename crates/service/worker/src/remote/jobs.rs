//! The source of a remote worker's jobs.

use std::{sync::Arc, time::Duration};

use atelier_app::attempts::Attempt;
use atelier_domain::GenerationId;
use atelier_engines::Engine;
use futures::future::BoxFuture;
use tokio::time::{Instant, sleep};

use super::{
    client::{AGAIN, CallError, Remote},
    order::RemoteOrder,
    protocol::{self, Beat, Claim, GiveBack, LONGEST_WAIT, Renew, Renewed},
};
use crate::source::{Claimed, Order, Source};

/// The source of a remote worker's jobs.
#[derive(Debug)]
pub(super) struct Jobs(pub(super) Arc<Remote>);

impl Jobs {
    async fn claim_jobs(&self, models: Vec<String>, max: usize) -> Result<Claimed, CallError> {
        let asked_at = Instant::now();
        let claim = Claim {
            models,
            max: max as u32,
            wait_ms: LONGEST_WAIT.as_millis() as u64,
        };
        let claimed: protocol::Claimed = self.0.post("claim", &claim).await?;
        let since = asked_at + Duration::from_millis(claimed.waited_ms).min(asked_at.elapsed());
        let jobs = claimed.jobs.into_iter();
        let orders = jobs.map(|job| Arc::new(RemoteOrder::new(Arc::clone(&self.0), job)) as Arc<dyn Order>);
        Ok(Claimed {
            orders: orders.collect(),
            since,
        })
    }

    /// Sends the last pictures of unfinished results, unless the ones before are still on their way.
    fn show(&self, followed: impl Iterator<Item = Arc<Attempt>>) {
        let Ok(turn) = Arc::clone(&self.0.showing).try_lock_owned() else {
            return;
        };
        let images: Vec<_> = followed
            .filter_map(|attempt| Some((attempt.id(), attempt.epoch(), attempt.take_partial_image()?)))
            .collect();
        if images.is_empty() {
            return;
        }
        let remote = Arc::clone(&self.0);
        tokio::spawn(async move {
            for (id, epoch, image) in images {
                if let Err(error) = remote.show(id, epoch, &image).await {
                    tracing::debug!(%id, %error, "a partial image could not be sent");
                }
            }
            drop(turn);
        });
    }
}

impl Source for Jobs {
    fn lease(&self) -> Duration {
        self.0.lease()
    }

    fn must_ask(&self) -> bool {
        true
    }

    fn claim<'a>(&'a self, engine: &'a dyn Engine, max: usize) -> BoxFuture<'a, Result<Claimed, String>> {
        Box::pin(async move {
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
                claimed = self.claim_jobs(models, max) => claimed,
            };
            if claimed.is_err() {
                sleep(AGAIN).await;
            }
            claimed.map_err(|error| error.to_string())
        })
    }

    /// The claim itself has waited.
    fn wait<'a>(&'a self, _: &'a dyn Engine) -> BoxFuture<'a, ()> {
        Box::pin(async {})
    }

    fn renew<'a>(&'a self, held: &'a [Arc<Attempt>]) -> BoxFuture<'a, Result<Vec<Arc<Attempt>>, String>> {
        Box::pin(async move {
            let asked_at = Instant::now();
            let beats = held.iter().map(|attempt| {
                let beat = attempt.beat();
                Beat {
                    id: beat.id,
                    epoch: beat.epoch,
                    progress: beat.progress,
                    loading: attempt.loading().map(Into::into),
                }
            });
            let renew = Renew {
                held: beats.collect(),
            };
            let renewed: Result<Renewed, CallError> = self.0.post("renew", &renew).await;
            let Renewed {
                lost,
                locked,
                followed,
            } = renewed.map_err(|error| error.to_string())?;
            for attempt in held.iter().filter(|attempt| !locked.contains(&attempt.id())) {
                attempt.renewed(asked_at);
            }
            self.show(
                held.iter()
                    .filter(|attempt| followed.contains(&attempt.id()))
                    .cloned(),
            );
            let is_lost = |attempt: &&Arc<Attempt>| lost.contains(&attempt.id());
            Ok(held.iter().filter(is_lost).cloned().collect())
        })
    }

    fn stores(&self) -> BoxFuture<'_, bool> {
        // The service answers no claim while it cannot.
        Box::pin(std::future::ready(true))
    }

    fn give_back(&self, held: Vec<(GenerationId, i64)>) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async move {
            let beat = |(id, epoch)| Beat {
                id,
                epoch,
                progress: 0.0,
                loading: None,
            };
            let held = held.into_iter().map(beat).collect();
            let given: Result<(), CallError> = self.0.post("give-back", &GiveBack { held }).await;
            given.map_err(|error| error.to_string())
        })
    }
}
