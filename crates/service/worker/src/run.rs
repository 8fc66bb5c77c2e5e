//! One attempt at one generation: inputs, engine, outputs, end. No transaction is open meanwhile.

use std::{path::PathBuf, sync::Arc, time::Duration};

use async_trait::async_trait;
use atelier_app::{
    App, Error,
    generations::finish::{AttemptResult, Concluded, timeout_failure},
    hints,
};
use atelier_domain::{Failure, FailureCode, Generation, GenerationId, Noted, State};
use atelier_engines::{Context, Engine, Job, Made, Memory};
use tokio::time::{Instant, sleep};

use crate::{
    Worker,
    held::{Attempt, Stop},
    inputs,
};

/// How long the wait is before an attempt that failed on our side is repeated.
pub(crate) const OUR_FAULT_DELAY: Duration = Duration::from_secs(2);

pub(crate) async fn attempt(
    worker: Arc<Worker>,
    engine: Arc<dyn Engine>,
    generation: Generation,
    attempt: Arc<Attempt>,
) {
    let app = &worker.app;
    let begun = Instant::now();
    let running = hints::Attempt {
        epoch: generation.epoch,
        lane: engine.name().to_owned(),
        cancel: attempt.cancel.clone(),
        progress: attempt.progress_cell(),
    };
    let registered = app.hints().started(generation.id, running);
    let scratch = Scratch::of(app, &generation);
    let left = generation.deadline.since(app.now());
    let result = tokio::select! {
        biased;
        () = attempt.cancel.cancelled() => Err(attempt.stopped()),
        () = sleep(left) => Ok(AttemptResult::Failed(timeout_failure(&generation))),
        result = produce(&worker, &*engine, &generation, &attempt, &scratch) => {
            Ok(result.unwrap_or_else(AttemptResult::Failed))
        }
    };
    // A result that came together with a stop is nobody's any more.
    match result {
        Err(Stop::Lost) => {
            tracing::info!(id = %generation.id, "an attempt was stopped: somebody else ended it");
        }
        Err(Stop::Shutdown) => give_back(app, &attempt).await,
        Ok(result) => {
            let is_given_up = matches!(&result, AttemptResult::Failed(failure) if failure.code == FailureCode::GenerationTimeout);
            conclude(&worker, &*engine, &generation, &attempt, result, begun).await;
            if is_given_up {
                app.abandon(generation.account, generation.id);
            }
        }
    }
    worker.held.release(&attempt);
    drop(registered);
    scratch.remove().await;
}

/// Keeps an attempt's word in the store, fenced by its epoch.
struct Remembered {
    app: App,
    id: GenerationId,
    epoch: i64,
    engine: String,
}

#[async_trait]
impl Memory for Remembered {
    async fn remember(&self, request: &str) -> Result<(), Failure> {
        let unnoted = |why: &str| {
            tracing::warn!(id = %self.id, why, "a request to a provider could not be noted");
            Failure::retry(
                FailureCode::GenerationFailed,
                "the request could not be noted",
                OUR_FAULT_DELAY,
            )
        };
        let noted = Noted {
            engine: self.engine.clone(),
            request: request.to_owned(),
        };
        let noted = serde_json::to_string(&noted).map_err(|error| unnoted(&error.to_string()))?;
        match self.app.store().note_request(self.id, self.epoch, noted).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(unnoted("the generation is held by somebody else")),
            Err(error) => Err(unnoted(&error.to_string())),
        }
    }
}

/// Everything up to stored outputs.
async fn produce(
    worker: &Arc<Worker>,
    engine: &dyn Engine,
    generation: &Generation,
    attempt: &Arc<Attempt>,
    scratch: &Scratch,
) -> Result<AttemptResult, Failure> {
    let app = &worker.app;
    let model = app.catalog().get(&generation.model).ok_or_else(|| {
        Failure::fail(
            FailureCode::GenerationFailed,
            "the model has been taken out of the catalog meanwhile",
        )
    })?;
    let target = app
        .targets(&generation.model)
        .iter()
        .find(|target| target.engine.name() == engine.name())
        .ok_or_else(|| {
            let message = "the model is served by another engine now";
            Failure::retry(FailureCode::GenerationFailed, message, OUR_FAULT_DELAY)
        })?;
    app.policy().check(&generation.params)?;
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
    let job = Job {
        id: generation.id,
        attempt: generation.attempt,
        model: generation.model.clone(),
        task: target.task.clone(),
        kind: generation.kind,
        params: model.by_role(&generation.params),
        inputs,
        seed: seed(generation.id),
        asked: target.asked.clone(),
        resume: resumable(generation, engine),
        scratch: scratch.0.clone(),
    };
    let context = Context::new(attempt.cancel.clone(), {
        let attempt = Arc::clone(attempt);
        move |done| attempt.set_progress(done)
    })
    .with_memory(Arc::new(Remembered {
        app: app.clone(),
        id: generation.id,
        epoch: generation.epoch,
        engine: engine.name().to_owned(),
    }))
    .with_alternative(app.targets(&generation.model).len() > 1);
    let made: Made = atelier_engines::attempt(engine, job, context).await?;
    if made.files.is_empty() {
        return Err(Failure::fail(
            FailureCode::GenerationFailed,
            "the engine made no file",
        ));
    }
    let output = app.store_outputs(made).await.map_err(|error| {
        if let Error::Gone(message) = error {
            return Failure::fail(FailureCode::ContentPolicyViolation, message);
        }
        tracing::error!(id = %generation.id, %error, "outputs could not be stored");
        Failure::retry(
            FailureCode::GenerationFailed,
            "the outputs could not be stored",
            OUR_FAULT_DELAY,
        )
    })?;
    Ok(AttemptResult::Made { output, input_facts })
}

/// Writes the end down. The store being busy is no reason to lose a result: it is tried until the lease is over.
async fn conclude(
    worker: &Arc<Worker>,
    engine: &dyn Engine,
    generation: &Generation,
    attempt: &Attempt,
    result: AttemptResult,
    begun: Instant,
) {
    let app = &worker.app;
    let mut permit = generation
        .webhook_url
        .as_deref()
        .and_then(|url| worker.webhooks.reserve(url));
    let outcome = match &result {
        AttemptResult::Made { .. } => "completed",
        AttemptResult::Failed(failure) => failure.code.as_str(),
    };
    let mut result = Some(result);
    loop {
        let leased_at = Instant::now();
        let deliver_now = permit
            .is_some()
            .then(|| (worker.id, app.now().plus(worker.webhook_lease())));
        let this = match &result {
            Some(AttemptResult::Failed(failure)) => AttemptResult::Failed(failure.clone()),
            Some(AttemptResult::Made { output, input_facts }) => AttemptResult::Made {
                output: output.clone(),
                input_facts: input_facts.clone(),
            },
            None => return,
        };
        match app.conclude(generation, engine.name(), this, deliver_now).await {
            Ok(concluded) => {
                result = None;
                count(generation, &concluded, begun);
                count_for_engine(engine, outcome, begun);
                if let Concluded::Ended {
                    delivery: Some(delivery),
                    ..
                } = concluded
                    && let Some(permit) = permit.take()
                {
                    worker.deliver(*delivery, permit, leased_at);
                }
            }
            Err(error)
                if attempt.renewed_at().elapsed() < worker.options.lease
                    && !attempt.cancel.is_cancelled() =>
            {
                tracing::warn!(id = %generation.id, %error, "the end of a generation could not be written yet");
                sleep(Duration::from_millis(200)).await;
            }
            Err(error) => {
                tracing::error!(id = %generation.id, %error, "the end of a generation could not be written");
                return;
            }
        }
    }
}

async fn give_back(app: &App, attempt: &Attempt) {
    if let Err(error) = app
        .store()
        .give_back(vec![(attempt.id, attempt.epoch)], app.now())
        .await
    {
        tracing::warn!(id = %attempt.id, %error, "a generation could not be given back: its lease will run out");
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

/// What the attempt came to at its engine, whatever becomes of the generation.
fn count_for_engine(engine: &dyn Engine, outcome: &'static str, begun: Instant) {
    let name = engine.name().to_owned();
    metrics::counter!("atelier_engine_attempts_total", "engine" => name.clone(), "outcome" => outcome)
        .increment(1);
    metrics::histogram!("atelier_engine_seconds", "engine" => name).record(begun.elapsed());
}

/// What an earlier attempt of this engine asked elsewhere and may still be under way.
fn resumable(generation: &Generation, engine: &dyn Engine) -> Option<String> {
    let noted: Noted = serde_json::from_str(generation.request.as_deref()?).ok()?;
    (noted.engine == engine.name()).then_some(noted.request)
}

/// What all chance of a generation comes from: the random bits of its id.
fn seed(id: GenerationId) -> u64 {
    id.0.as_u64_pair().1
}

/// The work folder of one attempt, removed afterwards.
#[derive(Debug)]
struct Scratch(PathBuf);

impl Scratch {
    fn of(app: &App, generation: &Generation) -> Self {
        Self(
            app.settings()
                .scratch
                .join(format!("{}-{}", generation.id, generation.epoch)),
        )
    }

    async fn create(&self) -> Result<(), Failure> {
        tokio::fs::create_dir_all(&self.0).await.map_err(|error| {
            tracing::error!(%error, folder = %self.0.display(), "a work folder could not be made");
            Failure::retry(
                FailureCode::GenerationFailed,
                "no work folder could be made",
                OUR_FAULT_DELAY,
            )
        })
    }

    async fn remove(self) {
        // Most attempts of engines that need no folder have none.
        if let Err(error) = std::fs::symlink_metadata(&self.0)
            && error.kind() == std::io::ErrorKind::NotFound
        {
            return;
        }
        if let Err(error) = tokio::fs::remove_dir_all(&self.0).await {
            tracing::warn!(%error, folder = %self.0.display(), "a work folder could not be removed");
        }
    }
}
