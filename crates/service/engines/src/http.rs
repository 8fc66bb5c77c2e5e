//! The http engine: every provider that takes a request over HTTP and answers at once or when asked again, described
//! by a profile. One engine is one provider with its key; the routes say which of its models serves which of ours.

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
use atelier_outbound::SetupError;
use reqwest::Response;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep};

use crate::{
    Context, Engine, Job, Made,
    endpoint::{Connected, Endpoint},
};

mod answer;
mod callbacks;
pub(crate) mod exchange;
pub(crate) mod outputs;
pub(crate) mod pace;
mod profile;
pub(crate) mod remote;
pub(crate) mod source;
mod stream;
pub(crate) mod template;

pub use callbacks::Callbacks;
use exchange::{Provider, Said, Taken, misconfigured, misread, to_upload};
use outputs::Gather;
pub(crate) use profile::Auth;
pub use profile::{Profile, ProfileError};
use source::Fields;
pub use template::Template;

/// A question is asked again after this share of the time that the request has taken: the end is noticed within
/// four percent of it, and long requests are not asked after every moment.
const SHARE: f64 = 0.04;

/// Questions that one provider is asked a second at most, whatever waits there.
const QUESTIONS_PER_SECOND: f64 = 1_000.0;
/// The wait before the second question and the longest one, where the profile has no `poll`.
const FIRST_MS: u64 = 500;
const MOST_MS: u64 = 5_000;

/// What makes an engine of a profile.
#[derive(Debug)]
pub struct HttpOptions {
    pub endpoint: Endpoint,
    pub profile: Profile,
    /// Where the provider may tell of progress.
    pub callbacks: Arc<Callbacks>,
}

/// See the module's documentation.
#[derive(Debug)]
pub struct HttpEngine {
    at: Connected,
    provider: Provider,
    callbacks: Arc<Callbacks>,
    /// Requests that are being asked after.
    waiting: Arc<AtomicUsize>,
}

/// One of the requests that are being asked after, until this is dropped.
#[derive(Debug)]
struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    fn one_more(all: &Arc<AtomicUsize>) -> Self {
        all.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(all))
    }

    fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl HttpEngine {
    pub fn new(options: HttpOptions) -> Result<Self, SetupError> {
        let patience = Duration::from_secs(options.profile.submit.timeout_seconds);
        let (at, remote) = options.endpoint.connect(options.profile.auth.clone(), patience)?;
        Ok(Self {
            at,
            provider: Provider {
                remote,
                profile: options.profile,
            },
            callbacks: options.callbacks,
            waiting: Arc::default(),
        })
    }

    /// Sends the job's request, unless an earlier attempt has sent it already.
    async fn begin(&self, job: &Job, context: &Context) -> Result<(Taken, Option<Said>), Failure> {
        let resumed: Option<Taken> = job
            .resume
            .as_deref()
            .and_then(|text| serde_json::from_str(text).ok());
        let mut taken = match resumed {
            Some(taken) if taken.id.is_some() && self.provider.profile.poll.is_some() => {
                return Ok((taken, None));
            }
            Some(taken) if self.provider.profile.submit.idempotent => taken,
            _ => Taken::new(format!("{}-{}", job.id, job.attempt)),
        };
        self.at.pace.turn().await;
        if self.provider.profile.submit.idempotent {
            context.remember(&text(&taken)).await?;
        }
        let said = self.send(job, context, &taken).await?;
        if let Said::Json(answer) = &said {
            taken.note(&self.provider.profile, answer);
            if self.provider.profile.poll.is_some() {
                context.remember(&text(&taken)).await?;
            }
        }
        Ok((taken, Some(said)))
    }

    async fn send(&self, job: &Job, context: &Context, taken: &Taken) -> Result<Said, Failure> {
        let profile = &self.provider.profile;
        let own: Option<Template> = job
            .asked
            .body
            .as_ref()
            .map(|body| serde_json::from_value(body.clone()))
            .transpose()
            .map_err(|error| misconfigured(&format!("the route's `body`: {error}")))?;
        let overlaid = |template: &Template| match &own {
            Some(own) => template.overlaid(own),
            None => template.clone(),
        };
        let (body, form) = (
            profile.submit.body.as_ref().map(overlaid),
            profile.submit.form.as_ref().map(overlaid),
        );
        let templates: Vec<_> = body.iter().chain(&form).collect();
        let mut uploaded = exchange::Uploaded::new();
        if let Some(upload) = &profile.upload {
            for input in to_upload(job, &templates) {
                let address = self
                    .provider
                    .upload(upload, &input.path, input.facts.media_type.mime())
                    .await?;
                uploaded.insert(input.path.clone(), address);
            }
        }
        let further = profile.submit.fields.clone();
        let calls_back = templates.iter().any(|template| template.names("$callback"));
        let callback = calls_back.then(|| self.callbacks.expect(context)).flatten();
        let told = callback.as_ref().map(callbacks::Expected::url);
        let (body, form, texts) = fill(job, taken, told, uploaded, [body, form, further]).await?;
        let known = move |name: &str| texts.get(name).cloned();
        let submit = self.provider.submit(taken, &known, body, form);
        let said = match &callback {
            None => submit.await?,
            // While the provider works, it may tell how far it is.
            Some(callback) => tokio::select! {
                said = submit => said?,
                never = callback.listen(&self.provider.profile) => match never {},
            },
        };
        match said {
            Said::Events(events) => self.follow(events, context, taken).await.map(Said::Json),
            said => Ok(said),
        }
    }

    /// Reads the events of an answer as they come; the one that ends the request is the answer.
    async fn follow(&self, mut answer: Response, context: &Context, taken: &Taken) -> Result<Value, Failure> {
        let profile = &self.provider.profile;
        let mut events = stream::Events::default();
        let mut last = None;
        while let Some(bytes) = answer
            .chunk()
            .await
            .map_err(|error| self.provider.unsent(&error, taken))?
        {
            for event in events.feed(&bytes)? {
                if let Some(failure) = profile.hidden_failure(&event) {
                    return Err(failure);
                }
                if let Some(done) = profile.progress(&event) {
                    context.progress(done);
                }
                let tells_state = !profile.answer.state.is_empty();
                if tells_state && profile.state(&event) != answer::State::Waiting {
                    return Ok(event);
                }
                last = Some(event);
            }
        }
        last.ok_or_else(|| misread("it has no events"))
    }

    /// Asks until the request has ended; returns the last answer.
    async fn wait(
        &self,
        job: &Job,
        context: &Context,
        taken: &Taken,
        mut answer: Option<Value>,
    ) -> Result<Value, Failure> {
        let profile = &self.provider.profile;
        let begun = Instant::now();
        // Requests that began together are not asked after together, and none later than its share.
        let spread = 0.5 + (job.seed % 1_000) as f64 / 2_000.0;
        let waiting = Waiting::one_more(&self.waiting);
        loop {
            if let Some(answer) = answer.take() {
                match profile.state(&answer) {
                    answer::State::Done => return Ok(answer),
                    answer::State::Failed(said) => return Err(profile.failed(said)),
                    answer::State::Cancelled => {
                        return Err(profile.failed(Some("it was cancelled at the provider".to_owned())));
                    }
                    answer::State::Waiting => {}
                }
                if let Some(done) = profile.progress(&answer) {
                    context.progress(done);
                }
            }
            let (first, most) = profile
                .poll
                .as_ref()
                .map_or((FIRST_MS, MOST_MS), |poll| (poll.first_ms, poll.most_ms));
            let pause = begun.elapsed().mul_f64(SHARE).clamp(
                Duration::from_millis(first),
                Duration::from_millis(most.max(first)),
            );
            let crowded = Duration::from_secs(1).mul_f64(waiting.count() as f64 / QUESTIONS_PER_SECOND);
            sleep(pause.mul_f64(spread).max(crowded)).await;
            answer = match &profile.poll {
                Some(poll) => self.provider.poll(taken, &poll.path).await?,
                // The same request again asks after the first one, which still runs.
                None if profile.submit.idempotent => match self.send(job, context, taken).await? {
                    Said::Json(answer) => Some(answer),
                    Said::Body(_) | Said::Events(_) => return Err(misread("it is no JSON")),
                },
                None => {
                    return Err(misread(
                        "it is not done, and the profile says no way to ask again",
                    ));
                }
            };
        }
    }

    async fn make(&self, job: Job, context: Context) -> Result<Made, Failure> {
        let profile = &self.provider.profile;
        let (taken, said) = self.begin(&job, &context).await?;
        let said = match said {
            Some(Said::Json(answer)) => Said::Json(self.wait(&job, &context, &taken, Some(answer)).await?),
            Some(said) => said,
            None => Said::Json(self.wait(&job, &context, &taken, None).await?),
        };
        let said = match (&profile.result, said) {
            (Some(ask), Said::Json(_)) => self.provider.result(&taken, ask).await?,
            (_, said) => said,
        };
        let mut made = self.gather(&job, said).await?;
        let id = taken.id.unwrap_or(taken.request);
        made.metadata.insert("engine".to_owned(), json!(self.at.name));
        made.metadata.insert("provider_id".to_owned(), json!(id));
        Ok(made)
    }

    async fn gather(&self, job: &Job, said: Said) -> Result<Made, Failure> {
        let gather = Gather {
            remote: &self.provider.remote,
            elsewhere: &self.at.elsewhere,
            job,
        };
        let profile = &self.provider.profile;
        match said {
            Said::Body(_) if !profile.outputs.body => Err(misread("it is no JSON")),
            Said::Events(_) => Err(misread("it is a stream of events")),
            Said::Body(body) => Ok(Made {
                files: gather.in_body(body).await?,
                metadata: Map::new(),
            }),
            Said::Json(_) if profile.outputs.body => Err(misread("it is JSON, not a file")),
            Said::Json(answer) => {
                let cost = profile
                    .answer
                    .cost
                    .as_ref()
                    .and_then(|at| answer.pointer(at))
                    .cloned();
                let files = gather.in_json(&answer, &profile.outputs).await?;
                let metadata = cost
                    .into_iter()
                    .map(|cost| ("provider_cost".to_owned(), cost))
                    .collect();
                Ok(Made { files, metadata })
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
        // Events are read bit by bit: what they told may still hold the key.
        let made = self.make(job, context).await;
        made.map_err(|failure| self.provider.remote.discreet(failure))
    }

    async fn reach(&self) -> Result<String, String> {
        self.provider.reach().await
    }

    async fn abandon(&self, request: &str) {
        if let Ok(taken) = serde_json::from_str::<Taken>(request) {
            self.provider.cancel(&taken).await;
        }
    }
}

type Filled = (Option<Value>, Option<Value>, HashMap<String, String>);

/// Fills the templates, and the fields that stand in paths and headers. Files are read and encoded: not on the
/// threads that everybody waits for.
async fn fill(
    job: &Job,
    taken: &Taken,
    callback: Option<&str>,
    uploaded: exchange::Uploaded,
    [body, form, further]: [Option<Template>; 3],
) -> Result<Filled, Failure> {
    let (job, request, callback) = (job.clone(), taken.request.clone(), callback.map(str::to_owned));
    let filled = tokio::task::spawn_blocking(move || {
        let fields = Fields {
            job: &job,
            request: &request,
            callback: callback.as_deref(),
            uploaded,
        };
        let mut texts = fields.texts();
        if let Some(Value::Object(further)) = further.map(|further| further.fill(&fields)) {
            texts.extend(
                further
                    .into_iter()
                    .filter_map(|(name, value)| Some((name, template::plain(&value)?))),
            );
        }
        (
            body.map(|body| body.fill(&fields)),
            form.map(|form| form.fill(&fields)),
            texts,
        )
    });
    filled.await.map_err(|_| misread("the request could not be made"))
}

fn text(taken: &Taken) -> String {
    serde_json::to_string(taken).unwrap_or_default()
}

#[cfg(test)]
mod tests;
