//! Jobs from the store of this service.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use atelier_app::{
    Error, System,
    attempts::Attempt,
    generations::finish::{AttemptResult, Concluded, Conclusion},
};
use atelier_domain::{
    Failure, FailureCode, FileFacts, Generation, GenerationId, Noted, Output, PromptInFiles, State,
};
use atelier_engines::{Engine, Input, Job, Made, without_prompt};
use atelier_media::Scratch;
use futures::future::BoxFuture;
use tokio::time::Instant;

use crate::{
    Node, OUR_FAULT_DELAY, credentials, marking, orders,
    places::Permit,
    source::{Claimed, End, Order, Outcome, Source},
    work_folder::WorkFolder,
};

/// The store of this service.
#[derive(Debug)]
pub(crate) struct Local(pub(crate) Arc<Node>);

impl Source for Local {
    fn lease(&self) -> Duration {
        self.0.options.lease
    }

    fn must_ask(&self) -> bool {
        false
    }

    fn claim<'a>(&'a self, engine: &'a dyn Engine, max: usize) -> BoxFuture<'a, Result<Claimed, String>> {
        Box::pin(async move {
            let node = &self.0;
            let since = Instant::now();
            let claimed = node
                .system
                .claim(node.id, engine.name(), max as u32, node.options.lease)
                .await;
            let claimed = claimed.map_err(|error| error.to_string())?;
            let order =
                |generation| Arc::new(LocalOrder::new(Arc::clone(node), generation)) as Arc<dyn Order>;
            Ok(Claimed {
                orders: claimed.into_iter().map(order).collect(),
                since,
            })
        })
    }

    fn wait<'a>(&'a self, engine: &'a dyn Engine) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let hint = self.0.system.work_hint(engine.name());
            tokio::select! {
                () = hint.notified() => {}
                () = tokio::time::sleep(self.0.options.poll) => {}
            }
        })
    }

    fn renew<'a>(&'a self, held: &'a [Arc<Attempt>]) -> BoxFuture<'a, Result<Vec<Arc<Attempt>>, String>> {
        Box::pin(async move {
            let renewed = self.0.system.renew(held, self.0.options.lease).await;
            renewed.map_err(|error| error.to_string())
        })
    }

    fn stores(&self) -> BoxFuture<'_, bool> {
        Box::pin(self.0.system.media_works())
    }

    fn give_back(&self, held: Vec<(GenerationId, i64)>) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async move {
            let given = self.0.system.give_back(held).await;
            given.map_err(|error| error.to_string())
        })
    }
}

#[derive(Debug)]
struct LocalOrder {
    node: Arc<Node>,
    generation: Generation,
    inputs: Mutex<Vec<Input>>,
    stored: Mutex<Output>,
}

impl LocalOrder {
    fn new(node: Arc<Node>, generation: Generation) -> Self {
        Self {
            node,
            generation,
            inputs: Mutex::default(),
            stored: Mutex::new(Output {
                assets: Vec::new(),
                timestamps: None,
                metadata: None,
            }),
        }
    }
}

impl Order for LocalOrder {
    fn id(&self) -> GenerationId {
        self.generation.id
    }

    fn epoch(&self) -> i64 {
        self.generation.epoch
    }

    fn model(&self) -> &str {
        &self.generation.model
    }

    fn shows_partial_images(&self) -> bool {
        !self.node.system.checks_results()
    }

    fn left(&self) -> Duration {
        self.generation.deadline.since(self.node.system.app().now())
    }

    fn timed_out(&self) -> Failure {
        self.node.system.timeout_failure(&self.generation)
    }

    fn began(&self) {
        self.node.system.attempt_began(self.generation.id);
    }

    fn job<'a>(
        &'a self,
        engine: &'a dyn Engine,
        scratch: &'a WorkFolder,
    ) -> BoxFuture<'a, Result<(Job, bool), Failure>> {
        Box::pin(async move {
            let mut described = orders::describe(&self.node.system, &self.generation, engine.name())?;
            self.node.system.policy_allows(&self.generation).await?;
            described.link_inputs(&self.node.system).await?;
            if engine.needs_scratch() || !described.urls.is_empty() {
                scratch.create().await?;
            }
            let inputs = described.inputs(&self.node.fetching, &scratch.0).await?;
            inputs.clone_into(&mut lock(&self.inputs));
            let has_alternative = described.has_alternative;
            Ok((described.job(inputs, scratch.0.clone()), has_alternative))
        })
    }

    fn remember<'a>(&'a self, engine: &'a str, request: &'a str) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let noted = Noted {
                engine: engine.to_owned(),
                request: request.to_owned(),
            };
            let (id, epoch) = (self.generation.id, self.generation.epoch);
            match self.node.system.note_request(id, epoch, &noted).await {
                Ok(true) => Ok(()),
                Ok(false) => Err(unnoted(id, "another worker holds the job")),
                Err(error) => Err(unnoted(id, &error.to_string())),
            }
        })
    }

    fn store<'a>(&'a self, made: Made, scratch: &'a Scratch) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let inputs = lock(&self.inputs).clone();
            let stored = store_outputs(&self.node.system, &self.generation, made, &inputs, scratch).await?;
            *lock(&self.stored) = stored;
            Ok(())
        })
    }

    fn end<'a>(&'a self, engine: &'a str, result: Result<(), Failure>) -> Box<dyn End + 'a> {
        let node = &self.node;
        let webhook = self.generation.webhook_url.as_deref();
        let result = match result {
            Ok(()) => AttemptResult::Made {
                output: lock(&self.stored).clone(),
                input_facts: facts(std::mem::take(&mut lock(&self.inputs))),
            },
            Err(failure) => AttemptResult::Failed(failure),
        };
        Box::new(LocalEnd {
            node,
            permit: webhook.and_then(|url| node.webhooks.reserve(url)),
            conclusion: node.system.conclude(&self.generation, engine, result),
        })
    }

    fn lost<'a>(&'a self, _: &'a dyn Engine) -> BoxFuture<'a, ()> {
        Box::pin(async {})
    }

    fn late<'a>(&'a self, _: &'a dyn Engine) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            self.node
                .system
                .abandon(self.generation.account, self.generation.id);
        })
    }
}

fn facts(inputs: Vec<Input>) -> Vec<Option<FileFacts>> {
    inputs.into_iter().map(|input| Some(input.facts)).collect()
}

/// The failure of a job whose request to a provider could not be recorded.
pub(crate) fn unnoted(id: GenerationId, why: &str) -> Failure {
    tracing::warn!(%id, why, "a request to a provider could not be recorded");
    Failure::retry(
        FailureCode::GenerationFailed,
        "the request could not be recorded",
        OUR_FAULT_DELAY,
    )
}

/// Marks and signs what an attempt made from these inputs, and stores it durably.
pub(crate) async fn store_outputs(
    system: &System,
    generation: &Generation,
    mut made: Made,
    inputs: &[Input],
    scratch: &Scratch,
) -> Result<Output, Failure> {
    let id = generation.id;
    let prompt = if made.files.iter().any(|file| file.medium().is_some()) {
        system.prompt_in_files(generation).await
    } else {
        PromptInFiles::Nowhere
    };
    if prompt == PromptInFiles::Nowhere {
        without_prompt(&made, generation.kind, scratch).await;
    }
    marking::mark(system, generation, &mut made, scratch).await;
    credentials::sign(system, (generation, prompt), &mut made, inputs, scratch).await;
    match system.store_outputs(generation, made).await {
        Ok(output) => {
            system.result_is_checked(generation, &output).await?;
            Ok(output)
        }
        Err(Error::Gone(message)) => Err(Failure::fail(FailureCode::ContentPolicyViolation, message)),
        Err(error) => {
            tracing::error!(%id, %error, "outputs could not be stored");
            if matches!(error, Error::NoSpace(_)) || system.media_fails().await {
                scratch.note_no_place();
            }
            let failure = Failure::retry(
                FailureCode::GenerationFailed,
                "the outputs could not be stored",
                OUR_FAULT_DELAY,
            );
            Err(failure.resuming())
        }
    }
}

struct LocalEnd<'a> {
    node: &'a Arc<Node>,
    conclusion: Conclusion<'a>,
    /// A place for the webhook's first attempt.
    permit: Option<Permit>,
}

impl End for LocalEnd<'_> {
    fn write(&mut self) -> BoxFuture<'_, Result<Outcome, String>> {
        Box::pin(async move {
            let leased_at = Instant::now();
            let deliver_until = self.node.system.app().now().plus(self.node.webhook_lease());
            let deliver_now = self.permit.is_some().then_some((self.node.id, deliver_until));
            let concluded = self.conclusion.write(deliver_now).await;
            let concluded = concluded.map_err(|error| error.to_string())?;
            let outcome = outcome(&concluded);
            if let Concluded::Ended {
                delivery: Some(delivery),
                ..
            } = concluded
                && let Some(permit) = self.permit.take()
            {
                self.node.deliver(*delivery, permit, leased_at);
            }
            Ok(outcome)
        })
    }
}

pub(crate) fn outcome(concluded: &Concluded) -> Outcome {
    match concluded {
        Concluded::Ended {
            state: State::Completed,
            ..
        } => Outcome::Completed,
        Concluded::Ended { code, .. } => Outcome::Failed(*code),
        Concluded::Retried => Outcome::Retried,
        Concluded::Stale => Outcome::Stale,
    }
}

/// The values are valid after a panic at any point, so a poisoned lock is no reason to stop.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
