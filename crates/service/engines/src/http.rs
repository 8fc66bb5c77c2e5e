//! The http engine: any provider with an HTTP interface that a profile can describe. One engine is one provider with
//! its key. Routes say which of the provider's models serves which of ours.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use atelier_domain::Failure;
use atelier_outbound::is_loopback;
use reqwest::Response;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep};

use crate::{
    Context, DraftEngine, Engine, Job, Made, MadeFile,
    remote::{
        Connected, Endpoint, EndpointError, Fields, OutputFiles, Uploaded, misconfigured, plain,
        unusable_answer,
    },
};

mod answer;
mod callbacks;
mod events;
mod exchange;
mod outputs;
mod prepare;
mod profile;
mod report;

pub use crate::remote::Template;
use answer::State;
pub use callbacks::Callbacks;
use exchange::{Provider, ProviderRequest, Reply, inputs_to_upload};
pub use profile::{Output, Profile, ProfileError};
pub use report::left_out;

/// Polls wait for this share of a request's age. Its end is noticed within four percent of its run time, and long
/// requests are polled less often.
const SHARE: f64 = 0.04;
/// The most polls per second to one provider, however many requests run there.
const POLLS_PER_SECOND: f64 = 1_000.0;
/// The shortest and the longest delay between polls if the profile has no `poll`.
const FIRST_MS: u64 = 500;
const MOST_MS: u64 = 5_000;

/// The options of an http engine.
#[derive(Debug)]
pub struct HttpOptions {
    pub endpoint: Endpoint,
    pub profile: Profile,
    /// The callbacks through which the provider can report progress.
    pub callbacks: Arc<Callbacks>,
    /// Rewrites files for profiles that ask for it.
    pub rewriter: Option<Arc<DraftEngine>>,
}

/// An engine at a provider that a profile describes.
#[derive(Debug)]
pub struct HttpEngine {
    at: Connected,
    provider: Provider,
    /// The provider is a program on this machine.
    is_local: bool,
    callbacks: Arc<Callbacks>,
    rewriter: Option<Arc<DraftEngine>>,
    /// The number of requests that are being polled.
    polled: Arc<AtomicUsize>,
}

/// Counts a request as polled until this is dropped.
#[derive(Debug)]
struct Polled(Arc<AtomicUsize>);

impl Polled {
    fn new(all: &Arc<AtomicUsize>) -> Self {
        all.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(all))
    }

    fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Drop for Polled {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl HttpEngine {
    pub fn new(options: HttpOptions) -> Result<Self, EndpointError> {
        let profile = options.profile;
        let patience = Duration::from_secs(profile.submit.timeout_seconds);
        let is_local = options.endpoint.url.host().is_some_and(|host| is_loopback(&host));
        let (at, server) = options
            .endpoint
            .connect(profile.auth.clone(), profile.hosts.clone(), patience)?;
        Ok(Self {
            at,
            provider: Provider { profile, server },
            is_local,
            callbacks: options.callbacks,
            rewriter: options.rewriter,
            polled: Arc::default(),
        })
    }

    async fn make(&self, job: Job, context: Context) -> Result<Made, Failure> {
        let (request, reply) = self.begin(&job, &context).await?;
        let reply = match reply {
            Some(Reply::Json(answer)) => {
                Reply::Json(self.wait(&job, &context, &request, Some(answer)).await?)
            }
            Some(reply) => reply,
            None => Reply::Json(self.wait(&job, &context, &request, None).await?),
        };
        let reply = match (&self.provider.profile.result, reply) {
            (Some(how), Reply::Json(_)) => self.provider.result(&request, how).await?,
            (_, reply) => reply,
        };
        let mut made = self.collect(&job, reply).await?;
        if self.provider.profile.outputs.rewrite.is_some() {
            made = self.rewritten(&job, &context, made).await?;
        }
        if let Some(weights) = &job.options.weights {
            made.metadata.extend(report::weights(weights));
            if let [Some(body), _] = self.templates(&job)? {
                made.metadata.extend(report::report(&job, &body));
            }
        }
        let id = request.id.unwrap_or(request.request);
        made.metadata.insert("engine".to_owned(), json!(self.at.name));
        made.metadata.insert("provider_id".to_owned(), json!(id));
        Ok(made)
    }

    /// Sends the job's request, unless an earlier attempt has already sent it.
    async fn begin(&self, job: &Job, context: &Context) -> Result<(ProviderRequest, Option<Reply>), Failure> {
        let profile = &self.provider.profile;
        let earlier: Option<ProviderRequest> = job
            .resume
            .as_deref()
            .and_then(|text| serde_json::from_str(text).ok());
        let mut request = match earlier {
            Some(earlier) if earlier.id.is_some() && profile.poll.is_some() => return Ok((earlier, None)),
            Some(earlier) if profile.submit.idempotent => earlier,
            _ => ProviderRequest::new(format!("{}-{}", job.id, job.attempt)),
        };
        self.at.throttle.wait().await;
        if profile.submit.idempotent {
            context.remember(&as_text(&request)).await?;
        }
        let prepared = match &profile.prepare {
            Some(how) => Some(self.prepared(job, context, &request, how).await?),
            None => None,
        };
        let reply = self.send(job, context, &request, prepared).await?;
        if let Reply::Json(answer) = &reply {
            request.note(profile, answer);
            if profile.poll.is_some() {
                context.remember(&as_text(&request)).await?;
            }
        }
        Ok((request, Some(reply)))
    }

    /// The templates of the body and the form, with the route's laid over them.
    fn templates(&self, job: &Job) -> Result<[Option<Template>; 2], Failure> {
        let over = job.options.body.clone().map(serde_json::from_value::<Template>);
        let over = over.transpose();
        let over = over.map_err(|error| misconfigured(&format!("the route's `body`: {error}")))?;
        let overlaid = |template: &Template| match &over {
            Some(over) => template.overlaid(over),
            None => template.clone(),
        };
        let submit = &self.provider.profile.submit;
        Ok([&submit.body, &submit.form].map(|template| template.as_ref().map(overlaid)))
    }

    /// Sends a request. `prepared` is its body, if it was made before.
    async fn send(
        &self,
        job: &Job,
        context: &Context,
        request: &ProviderRequest,
        prepared: Option<Value>,
    ) -> Result<Reply, Failure> {
        let profile = &self.provider.profile;
        let [body, form] = self.templates(job)?;
        let templates: Vec<_> = body.iter().chain(&form).collect();
        let mut uploaded = Uploaded::new();
        if let Some(upload) = &profile.upload {
            for input in inputs_to_upload(job, &templates) {
                let mime = input.facts.media_type.mime();
                let address = self.provider.upload(upload, &input.path, mime).await?;
                uploaded.insert(input.path.clone(), address);
            }
        }
        let calls_back = templates.iter().any(|template| template.names("$callback"));
        let callback = calls_back
            .then(|| self.callbacks.expect(self.is_local, context))
            .flatten();
        let callback_url = callback.as_ref().map(callbacks::Expected::url);
        let templates = [body, form, profile.submit.fields.clone()];
        let (body, form, texts) = fill(job, request, callback_url, uploaded, templates).await?;
        let field = move |name: &str| texts.get(name).cloned();
        let submit = self.provider.submit(request, &field, prepared.or(body), form);
        let reply = match &callback {
            None => submit.await?,
            // The provider may report progress before it answers.
            Some(callback) => tokio::select! {
                reply = submit => reply?,
                never = callback.listen(profile) => match never {},
            },
        };
        match reply {
            Reply::Events(events) => self.follow(events, context, request).await.map(Reply::Json),
            reply => Ok(reply),
        }
    }

    /// Reads server-sent events as they arrive. Returns the event that ends the request.
    async fn follow(
        &self,
        mut answer: Response,
        context: &Context,
        request: &ProviderRequest,
    ) -> Result<Value, Failure> {
        let profile = &self.provider.profile;
        let mut events = events::Events::new(self.provider.server.limits.answer);
        let mut last = None;
        while let Some(bytes) = answer
            .chunk()
            .await
            .map_err(|error| self.provider.unanswered(&error, request))?
        {
            for event in events.feed(&bytes)? {
                if let Some(failure) = profile.hidden_failure(&event) {
                    return Err(failure);
                }
                profile.report(&event, context);
                let has_state = !profile.answer.state.is_empty();
                if has_state && profile.state(&event) != State::Waiting {
                    return Ok(event);
                }
                last = Some(event);
            }
        }
        last.ok_or_else(|| unusable_answer("it has no events"))
    }

    /// Polls until the request has ended. Returns the last answer.
    async fn wait(
        &self,
        job: &Job,
        context: &Context,
        request: &ProviderRequest,
        mut answer: Option<Value>,
    ) -> Result<Value, Failure> {
        let profile = &self.provider.profile;
        let begun = Instant::now();
        // Spreads the polls of requests that started together, without exceeding the share of any.
        let spread = 0.5 + (job.seed % 1_000) as f64 / 2_000.0;
        let polled = Polled::new(&self.polled);
        loop {
            if let Some(answer) = answer.take() {
                match profile.state(&answer) {
                    State::Done => return Ok(answer),
                    State::Failed(said) => return Err(profile.failed(said)),
                    State::Cancelled => {
                        return Err(profile.failed(Some("it was cancelled at the provider".to_owned())));
                    }
                    State::Waiting => {}
                }
                profile.report(&answer, context);
            }
            let crowded = Duration::from_secs(1).mul_f64(polled.count() as f64 / POLLS_PER_SECOND);
            sleep(self.delay(begun).mul_f64(spread).max(crowded)).await;
            answer = self.ask_again(job, context, request).await?;
        }
    }

    /// How long to wait before the next poll of a request.
    fn delay(&self, begun: Instant) -> Duration {
        let poll = self.provider.profile.poll.as_ref();
        let (first, most) = poll.map_or((FIRST_MS, MOST_MS), |poll| (poll.first_ms, poll.most_ms));
        let (first, most) = (Duration::from_millis(first), Duration::from_millis(most));
        begun.elapsed().mul_f64(SHARE).clamp(first, most.max(first))
    }

    async fn ask_again(
        &self,
        job: &Job,
        context: &Context,
        request: &ProviderRequest,
    ) -> Result<Option<Value>, Failure> {
        let profile = &self.provider.profile;
        if let Some(poll) = &profile.poll {
            return self.provider.poll(request, &poll.path).await;
        }
        if !profile.submit.idempotent {
            return Err(unusable_answer(
                "the request is not done, and the profile has no `poll`",
            ));
        }
        // Repeating the request asks for the state of the first one, which still runs.
        match self.send(job, context, request, None).await? {
            Reply::Json(answer) => Ok(Some(answer)),
            Reply::Body(_) | Reply::Events(_) => Err(unusable_answer("it is not JSON")),
        }
    }

    /// The same files as the embedded engines rewrite them.
    async fn rewritten(&self, job: &Job, context: &Context, made: Made) -> Result<Made, Failure> {
        let rewriter = self.rewriter.as_ref();
        let rewriter =
            rewriter.ok_or_else(|| misconfigured("this program has no engine that rewrites films"))?;
        let mut all = Made {
            files: Vec::new(),
            metadata: made.metadata,
        };
        for file in made.files {
            let MadeFile::Path(path) = file else { continue };
            let Made { files, metadata } = outputs::rewritten(rewriter, job, context, path).await?;
            all.files.extend(files);
            all.metadata.extend(metadata);
        }
        Ok(all)
    }

    async fn collect(&self, job: &Job, reply: Reply) -> Result<Made, Failure> {
        let mut files = OutputFiles::new(&self.provider.server, job);
        let profile = &self.provider.profile;
        match reply {
            Reply::Events(_) => Err(unusable_answer("it is a stream of events")),
            Reply::Body(_) if !profile.outputs.body => Err(unusable_answer("it is not JSON")),
            Reply::Json(_) if profile.outputs.body => Err(unusable_answer("it is JSON, not a file")),
            Reply::Body(body) => Ok(Made {
                files: files
                    .add_body(body)
                    .await?
                    .into_iter()
                    .map(MadeFile::Path)
                    .collect(),
                metadata: Map::new(),
            }),
            Reply::Json(answer) => {
                let cost = profile.answer.cost.as_ref();
                let cost = cost.and_then(|at| answer.pointer(at)).cloned();
                Ok(Made {
                    files: outputs::collect(files, &answer, &profile.outputs).await?,
                    metadata: cost
                        .into_iter()
                        .map(|cost| ("provider_cost".to_owned(), cost))
                        .collect(),
                })
            }
        }
    }
}

#[async_trait]
impl Engine for HttpEngine {
    fn name(&self) -> &str {
        &self.at.name
    }

    fn concurrency(&self) -> usize {
        self.at.concurrency
    }

    fn is_remote(&self) -> bool {
        true
    }

    async fn run(&self, job: Job, context: Context) -> Result<Made, Failure> {
        // Events are read piece by piece, so the key is not masked in them yet.
        let made = self.make(job, context).await;
        made.map_err(|failure| self.provider.server.without_key(failure))
    }

    async fn health(&self) -> Result<String, String> {
        self.provider.health().await
    }

    async fn abandon(&self, request: &str) {
        if let Ok(request) = serde_json::from_str::<ProviderRequest>(request) {
            self.provider.cancel(&request).await;
        }
    }
}

type Filled = (Option<Value>, Option<Value>, HashMap<String, String>);

/// Fills the templates `[body, form, fields]`. The fields become texts for paths and headers. This reads and encodes
/// files, so it runs on a thread that may block.
async fn fill(
    job: &Job,
    request: &ProviderRequest,
    callback: Option<&str>,
    uploaded: Uploaded,
    [body, form, further]: [Option<Template>; 3],
) -> Result<Filled, Failure> {
    let (job, request, callback) = (job.clone(), request.request.clone(), callback.map(str::to_owned));
    let filled = tokio::task::spawn_blocking(move || {
        let fields = Fields {
            job: &job,
            request: &request,
            callback: callback.as_deref(),
            uploaded,
        };
        let mut texts = fields.texts();
        if let Some(Value::Object(further)) = further.map(|further| further.fill(&fields)) {
            let text = |(name, value): (String, Value)| Some((name, plain(&value)?));
            texts.extend(further.into_iter().filter_map(text));
        }
        (
            body.map(|body| body.fill(&fields)),
            form.map(|form| form.fill(&fields)),
            texts,
        )
    });
    filled
        .await
        .map_err(|_| misconfigured("the request could not be filled in"))
}

fn as_text(request: &ProviderRequest) -> String {
    serde_json::to_string(request).unwrap_or_default()
}

#[cfg(test)]
mod tests;
