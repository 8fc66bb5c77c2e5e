//! One attempt at one generation: inputs, engine, outputs, end. No transaction is open meanwhile.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use atelier_app::{
    Error, System,
    attempts::{Attempt, Held, Stop},
    generations::finish::{AttemptResult, Concluded, timeout_failure},
};
use atelier_catalog::Model;
use atelier_domain::{Failure, FailureCode, Generation, GenerationId, Noted, State};
use atelier_engines::{Asked, Context, Engine, Job, Made, Memory};
use atelier_media::{Scratch, scratch::ScratchError};
use serde_json::{Map, Value};
use tokio::{
    sync::OwnedSemaphorePermit,
    time::{Instant, sleep, timeout_at},
};

use crate::{OUR_FAULT_DELAY, Worker, inputs};

/// The wait before the next try to write down an end.
const WRITE_AGAIN: Duration = Duration::from_millis(200);

pub(crate) async fn attempt(
    worker: Arc<Worker>,
    engine: Arc<dyn Engine>,
    generation: Generation,
    held: Held,
    slot: OwnedSemaphorePermit,
) {
    let system = &worker.system;
    let begun = Instant::now();
    let mut slot = Some(slot);
    system.attempt_began(generation.id);
    let scratch = WorkFolder::of(system, &generation);
    let left = generation.deadline.since(system.app().now());
    let result = tokio::select! {
        biased;
        () = held.cancel().cancelled() => Err(held.stopped()),
        () = sleep(left) => Ok(AttemptResult::Failed(timeout_failure(&generation))),
        result = produce(&worker, &*engine, &generation, &held, &scratch) => {
            Ok(result.unwrap_or_else(AttemptResult::Failed))
        }
    };
    // A result that comes together with a stop is discarded.
    match result {
        Err(Some(Stop::Shutdown)) => give_back(system, &held).await,
        Err(Some(Stop::Lost) | None) => {
            tracing::info!(id = %generation.id, "an attempt was stopped: it does not hold its job any more");
        }
        Ok(result) if is_without_room(&result, &scratch) => {
            tracing::warn!(id = %generation.id, "the files of a job found no room: it goes back into the queue");
            // Its own files leave room for others. It is not tried again at once.
            scratch.remove().await;
            tokio::select! {
                () = held.cancel().cancelled() => {}
                () = sleep(OUR_FAULT_DELAY) => {}
            }
            give_back(system, &held).await;
        }
        Ok(result) => {
            let is_timeout = result.code() == Some(FailureCode::GenerationTimeout);
            slot = conclude(&worker, &*engine, (&generation, &held), result, begun, slot).await;
            if is_timeout {
                system.abandon(generation.account, generation.id);
            }
        }
    }
    drop(held);
    scratch.remove().await;
    drop(slot);
}

/// Whether an attempt failed only because this node's disk is full. It does not count, and another node may take the
/// job. What a provider made is not bought again: the next attempt resumes its request.
fn is_without_room(result: &AttemptResult, scratch: &WorkFolder) -> bool {
    let AttemptResult::Failed(failure) = result else {
        return false;
    };
    failure.is_retryable() && scratch.0.was_full()
}

/// Writes down what an attempt asked of a provider, fenced by its epoch.
struct Remembered {
    system: System,
    id: GenerationId,
    epoch: i64,
    engine: String,
}

#[async_trait]
impl Memory for Remembered {
    async fn remember(&self, request: &str) -> Result<(), Failure> {
        let unnoted = |why: &str| {
            tracing::warn!(id = %self.id, why, "a request to a provider could not be recorded");
            Failure::retry(
                FailureCode::GenerationFailed,
                "the request could not be recorded",
                OUR_FAULT_DELAY,
            )
        };
        let noted = Noted {
            engine: self.engine.clone(),
            request: request.to_owned(),
        };
        match self.system.note_request(self.id, self.epoch, &noted).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(unnoted("another worker holds the job")),
            Err(error) => Err(unnoted(&error.to_string())),
        }
    }
}

/// Everything up to stored outputs.
async fn produce(
    worker: &Arc<Worker>,
    engine: &dyn Engine,
    generation: &Generation,
    held: &Held,
    scratch: &WorkFolder,
) -> Result<AttemptResult, Failure> {
    let (system, app) = (&worker.system, worker.system.app());
    let model = app.catalog().get(&generation.model).ok_or_else(|| {
        Failure::fail(
            FailureCode::GenerationFailed,
            "the model was removed from the catalog",
        )
    })?;
    let targets = app.targets(&generation.model);
    let target = targets
        .iter()
        .find(|target| target.engine.name() == engine.name())
        .ok_or_else(|| {
            let message = "another engine serves the model now";
            Failure::retry(FailureCode::GenerationFailed, message, OUR_FAULT_DELAY)
        })?;
    system.policy().check(&generation.params)?;
    let urls = model.inputs(&generation.params);
    if engine.needs_scratch() || !urls.is_empty() {
        scratch.create().await?;
    }
    let mut inputs = inputs::gather(worker, model, generation, &urls, &scratch.0).await?;
    for input in &mut inputs {
        if let Some(parameter) = model.parameter(&input.parameter) {
            parameter.standard_name().clone_into(&mut input.parameter);
        }
    }
    let input_facts = inputs.iter().map(|input| Some(input.facts.clone())).collect();
    let mut job = Job {
        id: generation.id,
        attempt: generation.attempt,
        model: generation.model.clone(),
        task: target.task.clone(),
        kind: generation.kind,
        params: model.by_role(&generation.params),
        asked: asked(model, &generation.params),
        inputs,
        seed: seed(generation.id),
        options: target.options.clone(),
        resume: resumable(generation, engine),
        scratch: scratch.0.clone(),
    };
    let check = system.routes().safety_check(engine, &mut job);
    let context = Context::new(held.cancel().clone(), {
        let attempt = held.share();
        move |done| attempt.set_progress(done)
    })
    .with_loading({
        let attempt = held.share();
        move |loading| attempt.set_loading(loading)
    })
    .with_memory(Arc::new(Remembered {
        system: system.clone(),
        id: generation.id,
        epoch: generation.epoch,
        engine: engine.name().to_owned(),
    }))
    .with_alternative(targets.len() > 1);
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
    let output = system.store_outputs(made).await.map_err(|error| {
        if let Error::Gone(message) = error {
            return Failure::fail(FailureCode::ContentPolicyViolation, message);
        }
        if matches!(error, Error::NoSpace(_)) {
            scratch.0.note_full();
        }
        tracing::error!(id = %generation.id, %error, "outputs could not be stored");
        Failure::retry(
            FailureCode::GenerationFailed,
            "the outputs could not be stored",
            OUR_FAULT_DELAY,
        )
        .resuming()
    })?;
    Ok(AttemptResult::Made { output, input_facts })
}

/// What the request says by itself: its fields with a value, and whether it is the model's default.
fn asked(model: &Model, params: &Map<String, Value>) -> Vec<Asked> {
    let parameters = model.parameters.iter();
    let asked = parameters.filter_map(|parameter| {
        let value = params.get(&parameter.name).filter(|value| !value.is_null())?;
        Some(Asked {
            name: parameter.name.clone(),
            standard: parameter.standard_name().to_owned(),
            is_chosen: parameter.default.as_ref() != Some(value),
        })
    });
    asked.collect()
}

/// Writes down the end of an attempt. A store that fails is asked again for as long as the lease lasts. Meanwhile the
/// attempt leaves its slot, which is returned otherwise: somebody who holds up one account must not keep the engine
/// from others.
async fn conclude(
    worker: &Arc<Worker>,
    engine: &dyn Engine,
    (generation, attempt): (&Generation, &Attempt),
    result: AttemptResult,
    begun: Instant,
    slot: Option<OwnedSemaphorePermit>,
) -> Option<OwnedSemaphorePermit> {
    let (system, mut slot) = (&worker.system, slot);
    let mut _unwritten = None;
    let mut permit = generation
        .webhook_url
        .as_deref()
        .and_then(|url| worker.webhooks.reserve(url));
    let outcome = result.code().map_or("completed", FailureCode::as_str);
    count_for_engine(engine, outcome, begun);
    let mut conclusion = system.conclude(generation, engine.name(), result);
    loop {
        let leased_at = Instant::now();
        let deliver_until = system.app().now().plus(worker.webhook_lease());
        let deliver_now = permit.is_some().then_some((worker.id, deliver_until));
        let until = attempt.renewed_at() + worker.options.lease;
        let written = timeout_at(until, conclusion.write(deliver_now)).await;
        match written {
            Ok(Ok(concluded)) => {
                count(generation, &concluded, begun);
                if let Concluded::Ended {
                    delivery: Some(delivery),
                    ..
                } = concluded
                    && let Some(permit) = permit.take()
                {
                    worker.deliver(*delivery, permit, leased_at);
                }
                return slot;
            }
            Ok(Err(error)) if Instant::now() < until && !attempt.cancel().is_cancelled() => {
                tracing::warn!(id = %generation.id, %error, "the end of a job could not be written yet");
                if slot.is_some()
                    && let Ok(place) = Arc::clone(&worker.unwritten).try_acquire_owned()
                {
                    _unwritten = Some(place);
                    slot = None;
                }
                sleep(WRITE_AGAIN).await;
            }
            Ok(Err(error)) => {
                tracing::error!(id = %generation.id, %error, "the end of a job could not be written");
                return slot;
            }
            Err(_) => {
                tracing::error!(id = %generation.id, "the end of a job was not written before its lease ended");
                return slot;
            }
        }
    }
}

async fn give_back(system: &System, attempt: &Attempt) {
    let held = vec![(attempt.id(), attempt.epoch())];
    if let Err(error) = system.give_back(held).await {
        tracing::warn!(id = %attempt.id(), %error, "a job could not be given back: its lease will end");
    }
}

fn count(generation: &Generation, concluded: &Concluded, begun: Instant) {
    let outcome = match concluded {
        Concluded::Ended {
            state: State::Completed,
            ..
        } => "completed",
        Concluded::Ended { code, .. } => code.map_or("failed", FailureCode::as_str),
        Concluded::Retried => "retried",
        Concluded::Stale => "stale",
    };
    let model = generation.model.clone();
    metrics::counter!("atelier_attempts_total", "model" => model.clone(), "outcome" => outcome).increment(1);
    metrics::histogram!("atelier_attempt_seconds", "model" => model).record(begun.elapsed());
}

/// Counts the outcome of the attempt at its engine, whatever becomes of the generation.
fn count_for_engine(engine: &dyn Engine, outcome: &'static str, begun: Instant) {
    let name = engine.name().to_owned();
    metrics::counter!("atelier_engine_attempts_total", "engine" => name.clone(), "outcome" => outcome)
        .increment(1);
    metrics::histogram!("atelier_engine_seconds", "engine" => name).record(begun.elapsed());
}

/// The request of an earlier attempt of this engine, which its provider may still be working on.
fn resumable(generation: &Generation, engine: &dyn Engine) -> Option<String> {
    let noted: Noted = serde_json::from_str(generation.request.as_deref()?).ok()?;
    (noted.engine == engine.name()).then_some(noted.request)
}

/// The seed of a generation: the random bits of its id.
fn seed(id: GenerationId) -> u64 {
    id.0.as_u64_pair().1
}

/// The work folder of one attempt, removed afterwards.
#[derive(Debug)]
struct WorkFolder(Scratch);

impl WorkFolder {
    fn of(system: &System, generation: &Generation) -> Self {
        let name = format!("{}-{}", generation.id, generation.epoch);
        Self(system.settings().scratch.below(name))
    }

    async fn create(&self) -> Result<(), Failure> {
        tokio::fs::create_dir_all(self.0.path()).await.map_err(|error| {
            tracing::error!(%error, folder = %self.0.path().display(), "a work folder could not be created");
            if matches!(ScratchError::from(error), ScratchError::Full) {
                self.0.note_full();
            }
            Failure::retry(
                FailureCode::GenerationFailed,
                "the work folder could not be created",
                OUR_FAULT_DELAY,
            )
        })
    }

    async fn remove(&self) {
        // Engines that need no folder leave none, in most attempts.
        if let Err(error) = std::fs::symlink_metadata(self.0.path())
            && error.kind() == std::io::ErrorKind::NotFound
        {
            return;
        }
        if let Err(error) = tokio::fs::remove_dir_all(self.0.path()).await {
            tracing::warn!(%error, folder = %self.0.path().display(), "a work folder could not be removed");
        }
    }
}
