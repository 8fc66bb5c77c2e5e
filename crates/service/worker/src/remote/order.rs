//! One job from a service on another machine: its inputs are fetched, and its files are sent in pieces, which go on
//! where a connection broke.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use atelier_domain::{Failure, FailureCode, GenerationId};
use atelier_engines::{Engine, Input, Job, Made, MadeFile};
use atelier_media::Scratch;
use futures::{StreamExt as _, future::BoxFuture};
use reqwest::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use tokio::{
    task::spawn_blocking,
    time::{Instant, sleep},
};

use super::{
    client::{AGAIN, CallError, Remote},
    pieces,
    protocol::{self, DIGEST_HEADER, Finish, Finished, Have, InputFile, Note, OutputFile, Step, Store},
};
use crate::{
    OUR_FAULT_DELAY, local, orders,
    source::{End, Order, Outcome},
    work_folder::WorkFolder,
};

/// How long a piece may take: even 64 KiB a second are enough.
const PIECE_TIMEOUT: Duration = Duration::from_secs(30);
/// The longest wait before a step that failed is tried again.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How often a request to a provider is recorded before the attempt gives up.
const NOTES: usize = 3;

/// A claimed job.
#[derive(Debug)]
pub(super) struct RemoteOrder {
    remote: Arc<Remote>,
    job: protocol::Job,
    claimed_at: Instant,
    /// The files that were made, until their end is written.
    made: Mutex<Option<Arc<Parcel>>>,
    /// The last request of this attempt to a provider.
    noted: Mutex<Option<String>>,
}

/// Files to send.
#[derive(Debug)]
struct Parcel {
    files: Vec<(MadeFile, OutputFile)>,
    metadata: Map<String, Value>,
}

/// A request to a provider is known to the worker and the engine that sent it, and to nobody else.
#[derive(Debug, Serialize, Deserialize)]
struct Remembered {
    worker: String,
    engine: String,
    request: String,
}

impl RemoteOrder {
    pub(super) fn new(remote: Arc<Remote>, job: protocol::Job) -> Self {
        Self {
            remote,
            job,
            claimed_at: Instant::now(),
            made: Mutex::default(),
            noted: Mutex::default(),
        }
    }

    fn path(&self, rest: &str) -> String {
        format!("attempts/{}/{}/{rest}", self.job.id, self.job.epoch)
    }

    /// Returns the request that an earlier attempt on this worker remembered for this engine.
    fn resume(&self, engine: &str) -> Option<String> {
        let remembered: Remembered = serde_json::from_str(self.job.resume.as_deref()?).ok()?;
        let is_ours = remembered.worker == self.remote.name && remembered.engine == engine;
        is_ours.then_some(remembered.request)
    }

    /// Fetches the input files, however often the connection breaks. The attempt ends this at last.
    async fn inputs(&self, scratch: &WorkFolder) -> Result<Vec<Input>, Failure> {
        let mut pause = Pause::default();
        let files = loop {
            let answer: Result<Step<Vec<InputFile>>, _> = self.remote.get(&self.path("inputs")).await;
            match answer {
                Ok(Step {
                    failure: Some(failure),
                    ..
                }) => return Err(failure),
                Ok(Step {
                    ready: true, value, ..
                }) => break value.unwrap_or_default(),
                Ok(_) => {}
                Err(error) => pause.after(self.job.id, &error).await?,
            }
        };
        let mut inputs = Vec::with_capacity(files.len());
        for (number, file) in files.into_iter().enumerate() {
            let path = self.input(number, &file, scratch).await?;
            inputs.push(Input {
                parameter: file.parameter,
                path,
                facts: file.facts,
            });
        }
        Ok(inputs)
    }

    async fn input(&self, number: usize, file: &InputFile, scratch: &WorkFolder) -> Result<PathBuf, Failure> {
        let name = format!("input-{number}.{}", file.facts.media_type.extension());
        let unwritten = |error: &dyn std::fmt::Display| {
            tracing::error!(id = %self.job.id, %error, "an input could not be stored");
            Failure::retry(
                FailureCode::GenerationFailed,
                "an input could not be stored",
                OUR_FAULT_DELAY,
            )
        };
        let created = scratch.0.create(&name).await;
        let mut into = created.map_err(|error| unwritten(&error))?;
        let (mut have, mut pause) = (0, Pause::default());
        while have < file.facts.size {
            let path = self.path(&format!("inputs/{number}?from={have}"));
            // The body may take as long as it likes while it moves.
            let request = self.remote.request(Method::GET, &path);
            let request = request.map(|request| request.timeout(Duration::from_hours(1)));
            let response = match request {
                Ok(request) => self.remote.send(request).await,
                Err(error) => Err(error),
            };
            let response = match response {
                Ok(response) => response,
                Err(error) => {
                    pause.after(self.job.id, &error).await?;
                    continue;
                }
            };
            let mut body = response.bytes_stream();
            while let Some(Ok(bytes)) = body.next().await {
                into.write(&bytes).await.map_err(|error| unwritten(&error))?;
                have += bytes.len() as u64;
                pause = Pause::default();
            }
            if have < file.facts.size {
                let broken = CallError::Other("the connection broke within an input file".to_owned());
                pause.after(self.job.id, &broken).await?;
            }
        }
        Ok(scratch.0.path().join(name))
    }

    /// Sends all files and has them stored, however often the connection breaks.
    async fn deliver(&self, parcel: &Parcel) -> Result<(), Failure> {
        let store = Store {
            files: parcel.files.iter().map(|(_, facts)| facts.clone()).collect(),
            metadata: parcel.metadata.clone(),
        };
        let mut pause = Pause::default();
        loop {
            for (number, (file, facts)) in parcel.files.iter().enumerate() {
                self.send_file(number, file, facts.size).await?;
            }
            match self.stored(&store).await {
                Ok(done) => return done,
                Err(error) => pause.after(self.job.id, &error).await?,
            }
        }
    }

    async fn stored(&self, store: &Store) -> Result<Result<(), Failure>, CallError> {
        loop {
            let step: Step<()> = self.remote.post(&self.path("store"), store).await?;
            match step.failure {
                Some(failure) => return Ok(Err(failure)),
                None if step.ready => return Ok(Ok(())),
                None => {}
            }
        }
    }

    async fn send_file(&self, number: usize, file: &MadeFile, size: u64) -> Result<(), Failure> {
        let path = self.path(&format!("outputs/{number}"));
        // Most files are sent without a break. Then nobody needs to ask.
        let (mut at, mut pause) = (0, Pause::default());
        while at < size {
            match self.send_piece(&path, file, at).await {
                Ok(have) if have > at => (at, pause) = (have, Pause::default()),
                Ok(_) => {
                    pause
                        .after(self.job.id, &CallError::Other("nothing arrived".to_owned()))
                        .await?;
                }
                Err(error) => {
                    if !matches!(error, CallError::Conflict(_)) {
                        pause.after(self.job.id, &error).await?;
                    }
                    match self.remote.get::<Have>(&path).await {
                        // Another file lies there: this cannot be.
                        Ok(Have { have }) if have > size => {
                            return Err(unsent("it is longer there than here"));
                        }
                        Ok(Have { have }) => at = have,
                        Err(error) => pause.after(self.job.id, &error).await?,
                    }
                }
            }
        }
        Ok(())
    }

    /// Sends the piece that begins at `at`; returns how much has arrived.
    async fn send_piece(&self, path: &str, file: &MadeFile, at: u64) -> Result<u64, CallError> {
        let piece = pieces::read(file, at).await;
        let piece =
            piece.map_err(|error| CallError::Other(format!("an output file cannot be read: {error}")))?;
        let digest = hex::encode(Sha256::digest(&piece));
        let request = self.remote.request(Method::PUT, &format!("{path}?at={at}"))?;
        let request = request.timeout(PIECE_TIMEOUT).header(DIGEST_HEADER, digest);
        let response = self.remote.send(request.body(piece)).await?;
        let have: Have = response
            .json()
            .await
            .map_err(|error| CallError::Other(error.to_string()))?;
        Ok(have.have)
    }
}

/// The waits between tries of one step.
#[derive(Debug, Default)]
struct Pause(u32);

impl Pause {
    /// Waits after an error, unless it is final.
    async fn after(&mut self, id: GenerationId, error: &CallError) -> Result<(), Failure> {
        if matches!(error, CallError::Token | CallError::Lost) {
            return Err(unsent(&error.to_string()));
        }
        tracing::debug!(%id, %error, "a file of a job could not be passed on yet");
        let pause = AGAIN * 2_u32.pow(self.0.min(4));
        self.0 += 1;
        sleep(pause.min(LONGEST_PAUSE)).await;
        Ok(())
    }
}

fn unsent(why: &str) -> Failure {
    tracing::warn!(why, "the files of a job could not be passed on");
    Failure::retry(
        FailureCode::GenerationFailed,
        "the files of the job could not be passed on",
        OUR_FAULT_DELAY,
    )
}

impl Order for RemoteOrder {
    fn id(&self) -> GenerationId {
        self.job.id
    }

    fn epoch(&self) -> i64 {
        self.job.epoch
    }

    fn model(&self) -> &str {
        &self.job.model
    }

    fn left(&self) -> Duration {
        Duration::from_millis(self.job.left_ms).saturating_sub(self.claimed_at.elapsed())
    }

    fn timed_out(&self) -> Failure {
        self.job.timed_out.clone()
    }

    fn shows_partial_images(&self) -> bool {
        self.job.shows_partial_images
    }

    /// The service knows: it handed out the job.
    fn began(&self) {}

    fn job<'a>(
        &'a self,
        engine: &'a dyn Engine,
        scratch: &'a WorkFolder,
    ) -> BoxFuture<'a, Result<(Job, bool), Failure>> {
        Box::pin(async move {
            if let Some(refused) = &self.job.refused {
                return Err(refused.clone());
            }
            let model = self.remote.catalog.get(&self.job.model);
            let targets = model.map(|model| atelier_app::targets(&self.remote.routes, model));
            let mut targets = targets.into_iter().flatten();
            let target = targets
                .find(|target| target.engine.name() == engine.name())
                .ok_or_else(orders::served_elsewhere)?;
            if engine.needs_scratch() || self.job.has_inputs {
                scratch.create().await?;
            }
            let inputs = if self.job.has_inputs {
                self.inputs(scratch).await?
            } else {
                Vec::new()
            };
            let asked = self.job.asked.iter().cloned();
            let job = Job {
                id: self.job.id,
                attempt: self.job.attempt,
                model: self.job.model.clone(),
                task: target.task,
                kind: self.job.kind,
                params: self.job.params.clone(),
                asked: asked.map(Into::into).collect(),
                inputs,
                seed: self.job.seed,
                options: target.options,
                resume: self.resume(engine.name()),
                scratch: scratch.0.clone(),
            };
            Ok((job, self.job.has_alternative))
        })
    }

    fn remember<'a>(&'a self, engine: &'a str, request: &'a str) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            *lock(&self.noted) = Some(request.to_owned());
            let remembered = Remembered {
                worker: self.remote.name.clone(),
                engine: engine.to_owned(),
                request: request.to_owned(),
            };
            let request = serde_json::to_string(&remembered);
            let request = request.map_err(|error| local::unnoted(self.job.id, &error.to_string()))?;
            let note = Note { request };
            let mut tries = 1;
            loop {
                let noted: Result<(), CallError> = self.remote.post(&self.path("note"), &note).await;
                match noted {
                    Ok(()) => return Ok(()),
                    Err(CallError::Other(_)) if tries < NOTES => {
                        tries += 1;
                        sleep(AGAIN).await;
                    }
                    Err(error) => return Err(local::unnoted(self.job.id, &error.to_string())),
                }
            }
        })
    }

    fn store<'a>(&'a self, made: Made, _: &'a Scratch) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let Made { files, metadata } = made;
            let described = spawn_blocking(move || {
                let described = files
                    .into_iter()
                    .map(|file| pieces::facts(&file).map(|facts| (file, facts)));
                described.collect::<std::io::Result<Vec<_>>>()
            });
            let files = match described.await {
                Ok(Ok(files)) => files,
                Ok(Err(error)) => return Err(unsent(&error.to_string())),
                Err(error) => return Err(unsent(&error.to_string())),
            };
            let parcel = Arc::new(Parcel { files, metadata });
            *lock(&self.made) = Some(Arc::clone(&parcel));
            self.deliver(&parcel).await
        })
    }

    fn end<'a>(&'a self, _: &'a str, result: Result<(), Failure>) -> Box<dyn End + 'a> {
        let failure = result.err();
        Box::new(RemoteEnd {
            order: self,
            finish: Finish { failure },
        })
    }

    fn lost<'a>(&'a self, engine: &'a dyn Engine) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let noted = lock(&self.noted).take();
            if let Some(request) = noted {
                engine.abandon(&request).await;
            }
        })
    }

    fn late<'a>(&'a self, engine: &'a dyn Engine) -> BoxFuture<'a, ()> {
        self.lost(engine)
    }
}

struct RemoteEnd<'a> {
    order: &'a RemoteOrder,
    finish: Finish,
}

impl End for RemoteEnd<'_> {
    fn write(&mut self) -> BoxFuture<'_, Result<Outcome, String>> {
        Box::pin(async move {
            let order = self.order;
            let finished: Result<Finished, CallError> =
                order.remote.post(&order.path("finish"), &self.finish).await;
            match finished {
                Ok(Finished { outcome }) => Ok(match outcome.as_str() {
                    "completed" => Outcome::Completed,
                    "retried" => Outcome::Retried,
                    "stale" => Outcome::Stale,
                    _ => Outcome::Failed(self.finish.failure.as_ref().map(|failure| failure.code)),
                }),
                // Also if the first answer was lost on its way.
                Err(CallError::Lost) => Ok(Outcome::Stale),
                Err(CallError::Conflict(why)) => {
                    // The service has started again, or another node of it answers: it needs the files once more.
                    let made = lock(&order.made).clone();
                    if let Some(parcel) = made
                        && let Err(failure) = order.deliver(&parcel).await
                    {
                        self.finish.failure = Some(failure);
                    }
                    Err(why)
                }
                Err(error) => Err(error.to_string()),
            }
        })
    }
}

/// The values are valid after a panic at any point, so a poisoned lock is no reason to stop.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
