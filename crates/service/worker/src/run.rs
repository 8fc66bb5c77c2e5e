//! One attempt at one generation: inputs, engine, outputs, end. No transaction is open meanwhile.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use atelier_app::attempts::{Attempt, Held, Stop};
use atelier_domain::{Failure, FailureCode};
use atelier_engines::{Context, Engine, Made, Memory};
use tokio::{
    sync::OwnedSemaphorePermit,
    time::{Instant, sleep, timeout_at},
};

use crate::{
    OUR_FAULT_DELAY, Worker,
    source::{Order, Outcome},
    work_folder::WorkFolder,
};

/// The wait before the next try to write down an end.
const WRITE_AGAIN: Duration = Duration::from_millis(200);

pub(crate) async fn attempt(
    worker: Arc<Worker>,
    engine: Arc<dyn Engine>,
    order: Arc<dyn Order>,
    held: Held,
    slot: OwnedSemaphorePermit,
) {
    let begun = Instant::now();
    let mut slot = Some(slot);
    order.began();
    let scratch = WorkFolder::of(&worker.scratch, order.id(), order.epoch());
    let result = tokio::select! {
        biased;
        () = held.cancel().cancelled() => Err(held.stopped()),
        () = sleep(order.left()) => Ok(Err(order.timed_out())),
        result = produce(&worker, &*engine, &order, &held, &scratch) => Ok(result),
    };
    // A result that comes together with a stop is discarded.
    match result {
        Err(Some(Stop::Shutdown)) => give_back(&worker, &held).await,
        Err(Some(Stop::Lost) | None) => {
            tracing::info!(id = %order.id(), "an attempt was stopped: it no longer holds its job");
            order.lost(&*engine).await;
        }
        Ok(result) if is_without_place(&result, &scratch) => {
            tracing::warn!(id = %order.id(), "the files of a job found no place: it goes back into the queue");
            // Its own files leave room for others. It is not tried again at once.
            scratch.remove().await;
            tokio::select! {
                () = held.cancel().cancelled() => {}
                () = sleep(OUR_FAULT_DELAY) => {}
            }
            give_back(&worker, &held).await;
        }
        Ok(result) => {
            let is_timeout = code(&result) == Some(FailureCode::GenerationTimeout);
            slot = conclude(&worker, &*engine, (&*order, &held), result, begun, slot).await;
            if is_timeout {
                order.late(&*engine).await;
            }
        }
    }
    drop(held);
    scratch.remove().await;
    drop(slot);
}

fn code(result: &Result<(), Failure>) -> Option<FailureCode> {
    result.as_ref().err().map(|failure| failure.code)
}

/// Whether an attempt failed only because this node's disk is full, or the media storage fails. It does not count, and
/// another node may take the job. A provider's result is not bought again: the next attempt resumes its request.
fn is_without_place(result: &Result<(), Failure>, scratch: &WorkFolder) -> bool {
    let Err(failure) = result else {
        return false;
    };
    failure.is_retryable() && scratch.0.found_no_place()
}

/// Writes down what an attempt asked of a provider, fenced by its epoch.
struct Remembered {
    order: Arc<dyn Order>,
    engine: String,
}

#[async_trait]
impl Memory for Remembered {
    async fn remember(&self, request: &str) -> Result<(), Failure> {
        self.order.remember(&self.engine, request).await
    }
}

/// Everything up to stored outputs.
async fn produce(
    worker: &Worker,
    engine: &dyn Engine,
    order: &Arc<dyn Order>,
    held: &Held,
    scratch: &WorkFolder,
) -> Result<(), Failure> {
    let (mut job, has_alternative) = order.job(engine, scratch).await?;
    let check = worker.routes.safety_check(engine, &mut job);
    if let Some(check) = &check {
        check.inputs(&job.inputs, held.cancel().clone()).await?;
    }
    let mut context = Context::new(held.cancel().clone(), {
        let attempt = held.share();
        move |done| attempt.set_progress(done)
    })
    .with_loading({
        let attempt = held.share();
        move |loading| attempt.set_loading(loading)
    })
    .with_memory(Arc::new(Remembered {
        order: Arc::clone(order),
        engine: engine.name().to_owned(),
    }))
    .with_alternative(has_alternative);
    // What nobody has checked yet is not shown.
    if check.is_none() && order.shows_partial_images() {
        let attempt = held.share();
        context = context.with_partial_images(move |image| attempt.set_partial_image(image));
    }
    let mut made: Made = atelier_engines::attempt(engine, job, context).await?;
    if let Some(check) = check {
        check.run(&mut made, held.cancel().clone()).await?;
    }
    if made.files.is_empty() {
        return Err(Failure::fail(
            FailureCode::GenerationFailed,
            "the engine returned no file",
        ));
    }
    order.store(made, &scratch.0).await
}

/// Writes down the end of an attempt. If that fails, it is tried again for as long as the lease lasts. Meanwhile the
/// attempt leaves its slot, which is returned otherwise: somebody who holds up one account must not keep the engine
/// from others.
async fn conclude(
    worker: &Worker,
    engine: &dyn Engine,
    (order, attempt): (&dyn Order, &Attempt),
    result: Result<(), Failure>,
    begun: Instant,
    slot: Option<OwnedSemaphorePermit>,
) -> Option<OwnedSemaphorePermit> {
    let mut slot = slot;
    let mut _unwritten = None;
    let outcome = code(&result).map_or("completed", FailureCode::as_str);
    count_for_engine(engine.name(), outcome, begun.elapsed());
    let mut end = order.end(engine.name(), result);
    let id = order.id();
    loop {
        let until = attempt.renewed_at() + worker.source.lease();
        match timeout_at(until, end.write()).await {
            Ok(Ok(outcome)) => {
                count(order.model(), outcome, begun.elapsed());
                return slot;
            }
            Ok(Err(error)) if Instant::now() < until && !attempt.cancel().is_cancelled() => {
                tracing::warn!(%id, %error, "the end of a job could not be written yet");
                if slot.is_some()
                    && let Ok(place) = Arc::clone(&worker.unwritten).try_acquire_owned()
                {
                    _unwritten = Some(place);
                    slot = None;
                }
                sleep(WRITE_AGAIN).await;
            }
            Ok(Err(error)) => {
                tracing::error!(%id, %error, "the end of a job could not be written");
                return slot;
            }
            Err(_) => {
                tracing::error!(%id, "the end of a job was not written before its lease ended");
                return slot;
            }
        }
    }
}

async fn give_back(worker: &Worker, attempt: &Attempt) {
    let held = vec![(attempt.id(), attempt.epoch())];
    if let Err(error) = worker.source.give_back(held).await {
        tracing::warn!(id = %attempt.id(), %error, "a job could not be given back: its lease will end");
    }
}

pub(crate) fn count(model: &str, outcome: Outcome, took: Duration) {
    let (model, outcome) = (model.to_owned(), outcome.label());
    metrics::counter!("atelier_attempts_total", "model" => model.clone(), "outcome" => outcome).increment(1);
    metrics::histogram!("atelier_attempt_seconds", "model" => model).record(took);
}

/// Counts the outcome of the attempt at its engine, whatever becomes of the generation.
pub(crate) fn count_for_engine(engine: &str, outcome: &'static str, took: Duration) {
    let name = engine.to_owned();
    metrics::counter!("atelier_engine_attempts_total", "engine" => name.clone(), "outcome" => outcome)
        .increment(1);
    metrics::histogram!("atelier_engine_seconds", "engine" => name).record(took);
}
