//! The current state of one generation: in progress, completed or failed.

use std::time::Duration;

use askama::Template;
use atelier_app::{generations::waiting::QueueView, private::Links};
use atelier_domain::{FailureCode, FileName, Generation, Status};
use axum::{
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Redirect},
};

use super::{file_name, shown_status, words};
use crate::{
    error::{PageError, Result, capital},
    frame::page,
    moment::Moment,
    script::is_script,
    session::{Posted, Signed},
    state::Console,
    text,
};

/// The state of one generation.
#[derive(Debug, Clone)]
pub(crate) struct ResultView {
    pub id: String,
    pub status: &'static str,
    pub queued: bool,
    /// While the job waits for its engine to load a model: how long that took last time, or nothing.
    pub loading: Option<String>,
    /// While other jobs start before it: how many, and for about how long.
    pub place: Option<String>,
    /// While the job waits for a person: until when.
    pub review: Option<Moment>,
    /// If its refusal was a mistake: what the operator says about it, perhaps nothing.
    pub overturned: Option<String>,
    /// In percent.
    pub progress: u32,
    pub assets: Vec<AssetView>,
    pub timestamps: Option<String>,
    pub failure: Option<FailureView>,
    pub cost: String,
    pub took: String,
    /// The trained weights that made it, with their licence.
    pub weights: Option<String>,
    /// Whether the page is about this generation alone.
    pub alone: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct AssetView {
    pub url: String,
    pub kind: &'static str,
    pub name: String,
    pub alt: String,
    /// The reason why the file is no longer served.
    pub gone: Option<&'static str>,
}

#[derive(Debug, Clone)]
pub(crate) struct FailureView {
    pub code: &'static str,
    pub message: String,
    pub advice: &'static str,
}

impl ResultView {
    /// The state with the place in the queue, and with the files that are no longer served.
    pub(crate) async fn read(
        console: &Console,
        links: &Links,
        generation: &Generation,
    ) -> std::result::Result<Self, PageError> {
        let place = console.app.queue_view(generation).await?;
        let review = console.app.review_view(generation).await?;
        let assets = generation.output.iter().flat_map(|output| &output.assets);
        let files: Vec<FileName> = assets.map(|asset| asset.file.clone()).collect();
        let gone = console.app.files_gone(&files).await?;
        let mut view = Self::new(console, links, generation);
        view.place = place.as_ref().map(place_in_words);
        if let Some(review) = review {
            match review.until {
                Some(until) => view.review = Some(Moment::parse(&until)),
                None => view.overturned = Some(review.note.unwrap_or_default()),
            }
        }
        for (asset, file) in view.assets.iter_mut().zip(&files) {
            asset.gone = gone.get(file).copied();
        }
        Ok(view)
    }

    fn new(console: &Console, links: &Links, generation: &Generation) -> Self {
        let output = generation.output.as_ref();
        let assets = output.into_iter().flat_map(|output| &output.assets);
        let took = generation
            .ended_at
            .map(|ended| ended.since(generation.created_at));
        Self {
            id: generation.id.to_string(),
            status: shown_status(generation),
            queued: generation.started_at.is_none(),
            loading: console.app.loading(generation).map(|loading| {
                let seconds = loading.estimated_seconds;
                let took = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                took.map_or_else(String::new, |took| {
                    format!("took {} last time", text::duration(took))
                })
            }),
            place: None,
            review: None,
            overturned: None,
            progress: (generation.progress * 100.0).round() as u32,
            assets: assets
                .enumerate()
                .map(|(place, asset)| AssetView {
                    url: links.url(&asset.file),
                    kind: asset.kind.as_str(),
                    name: file_name(generation, &asset.file, place),
                    alt: words(generation),
                    gone: None,
                })
                .collect(),
            timestamps: output
                .and_then(|output| output.timestamps.as_ref())
                .map(|file| links.url(file)),
            failure: generation
                .failure
                .as_ref()
                .filter(|failure| generation.status() == Status::Failed && !failure.is_cancelled())
                .map(|failure| FailureView {
                    code: failure.code.as_str(),
                    message: capital(&failure.message),
                    advice: advice(failure.code),
                }),
            cost: generation.charged.map(text::credits).unwrap_or_default(),
            took: took.map(text::duration).unwrap_or_default(),
            weights: weights(generation),
            alone: false,
        }
    }

    pub(crate) fn is_processing(&self) -> bool {
        self.status == "processing"
    }
}

/// `3 jobs before it, about 10 s, then about 4 s to make`. The script of the page says the same.
fn place_in_words(place: &QueueView) -> String {
    let jobs = if place.ahead == 1 { "job" } else { "jobs" };
    let more = if place.more { "more than " } else { "" };
    let about = |seconds: Option<f64>| seconds.map(text::about);
    let wait = about(place.estimated_seconds).map_or_else(String::new, |wait| format!(", {wait}"));
    let run = about(place.run_seconds).map_or_else(String::new, |run| format!(", then {run} to make"));
    format!("{more}{} {jobs} before it{wait}{run}", place.ahead)
}

/// The trained weights that made the result, as its metadata says.
fn weights(generation: &Generation) -> Option<String> {
    let metadata = generation.output.as_ref()?.metadata.as_ref()?;
    let told = |name: &str| metadata.get(name)?.as_str();
    let title = told("weights")?;
    Some(told("weights_license").map_or_else(|| title.to_owned(), |license| format!("{title} ({license})")))
}

#[derive(Template)]
#[template(path = "gallery/result.html")]
struct ResultPart {
    result: ResultView,
}

/// The state of the generation, for the page that watches it.
pub(crate) async fn result(State(console): State<Console>, signed: Signed, Path(id): Path<String>) -> Result {
    let caller = &signed.signed_in.caller;
    let generation = console.app.generation(caller, &id).await?;
    let links = console.app.links(caller).await?;
    Ok(page(&ResultPart {
        result: ResultView::read(&console, &links, &generation).await?,
    }))
}

/// Streams the progress of the generation.
pub(crate) async fn events(
    State(console): State<Console>,
    signed: Signed,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let caller = &signed.signed_in.caller;
    Ok(match console.app.follow_generation(caller, &id, last).await? {
        Some(follow) => atelier_api::stream_of(console.app.clone(), follow),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

pub(crate) async fn cancel(
    State(console): State<Console>,
    Path(id): Path<String>,
    headers: HeaderMap,
    posted: Posted,
) -> Result {
    let caller = &posted.signed.signed_in.caller;
    let generation = match console.app.cancel_generation(caller, &id).await {
        Ok(generation) => generation,
        // The job ended first; the page shows how.
        Err(atelier_app::Error::InvalidRequest { .. }) => console.app.generation(caller, &id).await?,
        Err(other) => return Err(PageError::from(other)),
    };
    if is_script(&headers) {
        let links = console.app.links(caller).await?;
        return Ok(page(&ResultPart {
            result: ResultView::read(&console, &links, &generation).await?,
        }));
    }
    Ok(Redirect::to(&format!("/account/gallery/{}", generation.id)).into_response())
}

const fn advice(code: FailureCode) -> &'static str {
    match code {
        FailureCode::ContentPolicyViolation => {
            "Change the prompt or the files and run it again. Nothing was charged."
        }
        FailureCode::GenerationTimeout => {
            "Ask for a smaller size, fewer variations or a shorter duration, or try again later. Nothing was charged."
        }
        FailureCode::RateLimited => "The engine was too busy. Try again later. Nothing was charged.",
        FailureCode::InvalidInput => {
            "Check that the input files can be downloaded and have the right type and length. Nothing was charged."
        }
        FailureCode::InsufficientCredits => {
            "The actual cost exceeded your balance. Ask the operator for credits. Nothing was charged."
        }
        FailureCode::GenerationFailed => {
            "Run it again. If it keeps failing, report the id to the operator. Nothing was charged."
        }
    }
}
