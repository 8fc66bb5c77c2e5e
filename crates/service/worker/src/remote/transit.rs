//! The files of remote attempts on their way through this node: inputs to the worker, outputs from it.

use std::{
    collections::HashMap,
    future::Future,
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use atelier_domain::{Failure, FailureCode, Generation, GenerationId, Output, WorkerId};
use atelier_engines::Input;
use atelier_media::Scratch;
use futures::{
    FutureExt as _,
    future::{BoxFuture, Shared},
};
use tokio::time::timeout;

use crate::{OUR_FAULT_DELAY, work_folder::WorkFolder};

/// How long a request waits for a step; then it is asked again.
const PATIENCE: Duration = Duration::from_secs(10);

/// The attempts whose files are here.
#[derive(Debug, Default)]
pub(super) struct Transits(Mutex<HashMap<(GenerationId, i64), Arc<Transit>>>);

/// The files of one attempt.
#[derive(Debug)]
pub(super) struct Transit {
    pub(super) worker: WorkerId,
    pub(super) folder: WorkFolder,
    pub(super) inputs: Step<Vec<Input>>,
    pub(super) stored: Step<Output>,
    /// The attempt has ended, and its files are gone.
    pub(super) is_ended: AtomicBool,
    /// Held while its files or its end are written.
    pub(super) writing: Arc<tokio::sync::Mutex<()>>,
}

impl Transit {
    /// Returns the path of an output file while it arrives.
    pub(super) fn part(&self, number: usize) -> PathBuf {
        self.folder.0.path().join(format!("output-{number}"))
    }
}

impl Transits {
    /// The files of an attempt that the worker holds.
    pub(super) fn of(&self, scratch: &Scratch, worker: WorkerId, generation: &Generation) -> Arc<Transit> {
        let (id, epoch) = (generation.id, generation.epoch);
        let mut all = self.all();
        let transit = all.entry((id, epoch)).or_insert_with(|| {
            Arc::new(Transit {
                worker,
                folder: WorkFolder::of(scratch, id, epoch),
                inputs: Step::default(),
                stored: Step::default(),
                is_ended: AtomicBool::new(false),
                writing: Arc::default(),
            })
        });
        Arc::clone(transit)
    }

    /// Removes the files of an attempt that has ended.
    pub(super) async fn remove(&self, id: GenerationId, epoch: i64) {
        let removed = self.all().remove(&(id, epoch));
        if let Some(transit) = removed {
            transit.is_ended.store(true, Ordering::SeqCst);
            transit.folder.remove().await;
        }
    }

    pub(super) fn list(&self) -> Vec<((GenerationId, i64), Arc<Transit>)> {
        let all = self.all();
        all.iter()
            .map(|(key, transit)| (*key, Arc::clone(transit)))
            .collect()
    }

    fn all(&self) -> MutexGuard<'_, HashMap<(GenerationId, i64), Arc<Transit>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Running<T> = Shared<BoxFuture<'static, Result<Arc<T>, Failure>>>;

/// Something that is done once for an attempt, in the background, however often it is asked for.
pub(super) struct Step<T>(Mutex<Option<Running<T>>>);

impl<T: Send + Sync + 'static> Step<T> {
    /// Begins the step if it has not begun, and waits for its result for a while; `None`: it is not there yet.
    pub(super) async fn take<F>(&self, step: impl FnOnce() -> F) -> Option<Result<Arc<T>, Failure>>
    where
        F: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        let running = {
            let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let begin = || {
                let task = tokio::spawn(step());
                let result = async move { task.await.unwrap_or_else(|_| Err(broken())).map(Arc::new) };
                result.boxed().shared()
            };
            running.get_or_insert_with(begin).clone()
        };
        timeout(PATIENCE, running).await.ok()
    }

    /// The result, if it is there.
    pub(super) fn result(&self) -> Option<Result<Arc<T>, Failure>> {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        running.as_ref()?.peek().cloned()
    }
}

impl<T> Default for Step<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> std::fmt::Debug for Step<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Step").finish_non_exhaustive()
    }
}

fn broken() -> Failure {
    Failure::retry(
        FailureCode::GenerationFailed,
        "a file of the job could not be passed on",
        OUR_FAULT_DELAY,
    )
}
