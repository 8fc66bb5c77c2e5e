//! A generation as clients see it, in answers and in webhooks.

use atelier_domain::{FileName, Generation, Noted, State};
use serde::Serialize;
use serde_json::{Map, Value};
use tokio::time::Instant;
use utoipa::ToSchema;

use super::waiting::QueueView;
use crate::{App, policy::ReviewView, private::Links};

/// One job.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct GenerationView {
    /// The job's id: a UUID whose order is that of creation.
    #[schema(example = "0190c7e0-5b2e-7cc1-9c0a-7f1d2e3a4b5c")]
    pub id: String,
    /// Always `generation`.
    #[schema(example = "generation")]
    pub object: &'static str,
    /// The slug it was created with.
    #[schema(example = "image-gen-4")]
    pub model: String,
    /// `image`, `video` or `audio`.
    #[serde(rename = "type")]
    #[schema(example = "image")]
    pub kind: &'static str,
    /// `processing`, `completed` or `failed`.
    #[schema(example = "completed")]
    pub status: &'static str,
    /// From 0 to 1, while processing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<f64>,
    /// While the job waits for its engine to load a model. Only the node that runs the job knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loading: Option<LoadingView>,
    /// While other jobs start before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<QueueView>,
    /// While the job waits for a person's decision, and if its refusal was a mistake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewView>,
    /// The actual cost, of a completed job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credits_charged: Option<i64>,
    /// Of a completed job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<OutputView>,
    /// Of a failed job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<FailureView>,
    /// The engine that made it.
    pub served_by: Option<String>,
    /// RFC 3339, UTC, milliseconds.
    #[schema(example = "2026-11-21T09:30:00.000Z")]
    pub created_at: String,
    /// When the first attempt began.
    pub started_at: Option<String>,
    /// When it completed or failed.
    pub completed_at: Option<String>,
    /// The attempts of engines, in order. Left out if `served_by` says it all: one attempt, and not at a provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<Vec<EngineAttemptView>>,
}

/// The request of a job.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RequestView {
    /// The job's id.
    #[schema(example = "0190c7e0-5b2e-7cc1-9c0a-7f1d2e3a4b5c")]
    pub id: String,
    /// The slug it was created with.
    #[schema(example = "image-gen-4")]
    pub model: String,
    /// The fields of the model as they were accepted, by its own names and with its defaults.
    #[schema(value_type = Object)]
    pub params: Map<String, Value>,
    /// The address that is notified of the end of the job.
    pub webhook_url: Option<String>,
    /// The credits that were held when the job was accepted.
    #[schema(example = 4)]
    pub credits_estimated: i64,
    /// The actual cost, of a completed job.
    #[schema(example = 4)]
    pub credits_charged: Option<i64>,
}

/// A job waits for its engine to load a model.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LoadingView {
    /// How long that took last time, in seconds. Null if it is not known.
    pub estimated_seconds: Option<f64>,
}

/// One engine's try.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EngineAttemptView {
    /// The engine's name.
    pub engine: String,
    /// When it began: RFC 3339, UTC, milliseconds.
    pub started_at: String,
    /// Null while it runs.
    pub ended_at: Option<String>,
    /// `completed`, a failure's code, or `lost` when its worker no longer reported. Null while it runs.
    pub outcome: Option<String>,
    /// The provider's id of the request, if a provider made it.
    pub provider_id: Option<String>,
}

/// The result of a completed job.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OutputView {
    /// One entry per output file.
    pub assets: Vec<AssetView>,
    /// Image jobs only: the same URLs again, for backward compatibility.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub images: Option<Vec<FileView>>,
    /// The word times of speech, if they were asked for: a JSON file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamps: Option<FileView>,
    /// The engine's report on how it made them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Map<String, Value>>,
}

/// An output file.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AssetView {
    /// Permanent and public. If the account has private media: signed, and it expires.
    pub url: String,
    /// `image`, `video` or `audio`.
    #[serde(rename = "type")]
    pub kind: &'static str,
}

/// A stored file.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FileView {
    /// Permanent and public. If the account has private media: signed, and it expires.
    pub url: String,
}

/// Why a job failed.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FailureView {
    /// One of the job-failure codes; branch on this, never on the message.
    #[schema(example = "generation_failed")]
    pub code: &'static str,
    /// The reason, for people.
    pub message: String,
}

impl App {
    /// Whether the generation waits for its engine to load a model, as far as this node knows.
    pub fn loading(&self, generation: &Generation) -> Option<LoadingView> {
        if generation.state != State::Running {
            return None;
        }
        let here = self.attempts().loading(generation.id, generation.epoch);
        let loading = here.or_else(|| self.loads().of((generation.id, generation.epoch), Instant::now()))?;
        Some(LoadingView {
            estimated_seconds: loading.estimate.map(|time| time.as_secs_f64()),
        })
    }

    /// The generation as its owner sees it.
    pub fn view(&self, generation: &Generation, links: &Links) -> GenerationView {
        GenerationView {
            id: generation.id.to_string(),
            object: "generation",
            model: generation.model.clone(),
            kind: generation.kind.as_str(),
            status: generation.status().as_str(),
            progress: (!generation.state.is_ended()).then_some(generation.progress),
            loading: self.loading(generation),
            queue: None,
            review: None,
            credits_charged: generation
                .charged
                .filter(|_| generation.state == State::Completed),
            output: generation.output.as_ref().map(|output| OutputView {
                assets: output
                    .assets
                    .iter()
                    .map(|asset| AssetView {
                        url: links.url(&asset.file),
                        kind: asset.kind.as_str(),
                    })
                    .collect(),
                images: (generation.kind == atelier_domain::MediaKind::Image).then(|| {
                    output
                        .assets
                        .iter()
                        .map(|asset| FileView {
                            url: links.url(&asset.file),
                        })
                        .collect()
                }),
                timestamps: output
                    .timestamps
                    .as_ref()
                    .map(|file| FileView { url: links.url(file) }),
                metadata: output.metadata.clone(),
            }),
            error: generation
                .failure
                .as_ref()
                .filter(|_| generation.state == State::Failed)
                .map(|failure| FailureView {
                    code: failure.code.as_str(),
                    message: failure.message.clone(),
                }),
            served_by: generation.served_by.clone(),
            created_at: generation.created_at.rfc3339(),
            started_at: generation.started_at.map(atelier_domain::Timestamp::rfc3339),
            completed_at: generation.ended_at.map(atelier_domain::Timestamp::rfc3339),
            attempts: told(attempts(generation)),
        }
    }

    /// Returns the request of a job.
    pub fn view_request(&self, generation: &Generation, links: &Links) -> RequestView {
        RequestView {
            id: generation.id.to_string(),
            model: generation.model.clone(),
            params: self.shown_params(generation, links),
            webhook_url: generation.webhook_url.clone(),
            credits_estimated: generation.hold,
            credits_charged: generation.charged,
        }
    }

    /// The parameters of a job, with links to its inputs that work.
    pub fn shown_params(&self, generation: &Generation, links: &Links) -> Map<String, Value> {
        let mut params = generation.params.clone();
        let model = self.catalog().get(&generation.model);
        if let Some(model) = model.filter(|_| links.are_signed()) {
            for input in model.inputs(&generation.params) {
                if let Some(value) = params.get_mut(&input.parameter) {
                    self.replace_links(value, &|file| Some(links.url(file)));
                }
            }
        }
        params
    }

    /// The permanent address of a stored file, which opens it if it is public.
    pub fn media_url(&self, file: &FileName) -> String {
        format!("{}/{file}", self.settings().media_url)
    }

    /// The stored file that a URL names: `None` for URLs elsewhere, an error for URLs below `{media_url}` that name
    /// no file.
    pub fn stored_file(&self, url: &str) -> Option<Result<FileName, String>> {
        let settings = self.settings();
        let own = [&settings.media_url, &settings.private_media.url];
        let below = own
            .into_iter()
            .filter_map(|own| url.strip_prefix(own)?.strip_prefix('/'));
        // A signed link has a query.
        let mut names = below.map(|name| name.split_once('?').map_or(name, |(name, _)| name).parse());
        let first: Result<FileName, String> = names.next()?;
        Some(first.or_else(|error| names.find(Result::is_ok).unwrap_or(Err(error))))
    }
}

/// Left out if there is only one attempt, of an engine of our own: the rest of the view says the same.
fn told(attempts: Vec<EngineAttemptView>) -> Option<Vec<EngineAttemptView>> {
    let has_news = attempts.len() > 1 || attempts.iter().any(|attempt| attempt.provider_id.is_some());
    has_news.then_some(attempts)
}

fn attempts(generation: &Generation) -> Vec<EngineAttemptView> {
    let past = generation.past_attempts.iter().map(|past| EngineAttemptView {
        engine: past.engine.clone(),
        started_at: past.started_at.rfc3339(),
        ended_at: Some(past.ended_at.rfc3339()),
        outcome: Some(past.outcome.clone()),
        provider_id: past.request.as_deref().and_then(provider_id),
    });
    past.chain(last_attempt(generation)).collect()
}

/// The attempt that runs, or that ended the generation; `None` between two attempts.
fn last_attempt(generation: &Generation) -> Option<EngineAttemptView> {
    if generation.state == State::Queued {
        return None;
    }
    let in_metadata = || {
        let metadata = generation.output.as_ref()?.metadata.as_ref()?;
        metadata.get("provider_id")?.as_str().map(str::to_owned)
    };
    let outcome = match generation.state {
        State::Queued | State::Running => None,
        State::Completed => Some("completed".to_owned()),
        State::Failed => generation
            .failure
            .as_ref()
            .map(|failure| failure.code.as_str().to_owned()),
    };
    Some(EngineAttemptView {
        engine: generation.served_by.clone()?,
        started_at: generation.attempt_started_at?.rfc3339(),
        ended_at: generation.ended_at.map(atelier_domain::Timestamp::rfc3339),
        outcome,
        provider_id: generation
            .request
            .as_deref()
            .and_then(provider_id)
            .or_else(in_metadata),
    })
}

/// The provider's id in what an engine remembered.
fn provider_id(request: &str) -> Option<String> {
    let noted: Noted = serde_json::from_str(request).ok()?;
    let request: Value = serde_json::from_str(&noted.request).ok()?;
    request.get("id")?.as_str().map(str::to_owned)
}
