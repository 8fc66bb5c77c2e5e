//! The input files of a generation: read from the media storage or downloaded through the guard, probed, and
//! checked against the model's rules.

use std::{path::Path, sync::Arc};

use atelier_catalog::{InputUrl, Model};
use atelier_domain::{Failure, FailureCode, FileName, Generation};
use atelier_engines::Input;
use atelier_media::{Intake, IntakeError, Received};
use atelier_outbound::{FetchError, Limits};
use futures::StreamExt as _;
use url::Url;

use crate::{Worker, run::OUR_FAULT_DELAY};

/// How many downloads of one generation run at a time.
const AT_A_TIME: usize = 4;

pub(crate) async fn gather(
    worker: &Arc<Worker>,
    model: &Model,
    generation: &Generation,
    urls: &[InputUrl],
    scratch: &Path,
) -> Result<Vec<Input>, Failure> {
    if urls.is_empty() {
        return Ok(Vec::new());
    }
    let fetches: Vec<_> = urls
        .iter()
        .enumerate()
        .map(|(index, input)| one(worker, input, index, scratch))
        .collect();
    let inputs: Vec<Input> = futures::stream::iter(fetches)
        .buffered(AT_A_TIME)
        .collect::<Vec<_>>()
        .await
        .into_iter()
        .collect::<Result<_, _>>()?;
    let facts: Vec<_> = inputs.iter().map(|input| Some(input.facts.clone())).collect();
    let problems = model.check_files(&generation.params, urls, &facts);
    if problems.is_empty() {
        return Ok(inputs);
    }
    let message = problems
        .iter()
        .map(|problem| problem.message.as_str())
        .collect::<Vec<_>>()
        .join("; ");
    Err(Failure::invalid_input(message))
}

async fn one(worker: &Arc<Worker>, input: &InputUrl, index: usize, scratch: &Path) -> Result<Input, Failure> {
    match worker.system.app().stored_file(&input.url) {
        Some(Ok(name)) => stored(worker, input, &name, scratch).await,
        Some(Err(message)) => Err(Failure::invalid_input(format!(
            "`{}`: {message}",
            input.parameter
        ))),
        None => downloaded(worker, input, index, scratch).await,
    }
}

async fn stored(
    worker: &Worker,
    input: &InputUrl,
    name: &FileName,
    scratch: &Path,
) -> Result<Input, Failure> {
    let opened = worker.system.open_input(name, scratch).await.map_err(|error| {
        tracing::error!(%name, %error, "a stored input could not be read");
        our_fault("a stored input could not be read")
    })?;
    let (path, facts) = opened.ok_or_else(|| {
        Failure::invalid_input(format!(
            "`{}`: no file is stored at {}",
            input.parameter, input.url
        ))
    })?;
    Ok(Input {
        parameter: input.parameter.clone(),
        path,
        facts,
    })
}

fn our_fault(message: &str) -> Failure {
    Failure::retry(FailureCode::GenerationFailed, message, OUR_FAULT_DELAY)
}

async fn downloaded(
    worker: &Worker,
    input: &InputUrl,
    index: usize,
    scratch: &Path,
) -> Result<Input, Failure> {
    let refuse =
        |why: String| Failure::invalid_input(format!("`{}`: {} — {why}", input.parameter, input.url));
    let url: Url = input
        .url
        .parse()
        .map_err(|_| refuse("not an absolute URL".to_owned()))?;
    let received = download(worker, &url, scratch)
        .await
        .map_err(|error| match error {
            DownloadError::Fetch(error) => {
                let pause = error.retry_after().unwrap_or(OUR_FAULT_DELAY);
                let mut failure = refuse(error.to_string());
                failure.retry_after = error.is_retryable().then_some(pause);
                failure
            }
            DownloadError::File(error @ (IntakeError::DiskFull | IntakeError::Io(_))) => {
                tracing::error!(%error, "an input could not be stored");
                our_fault("an input could not be stored")
            }
            DownloadError::File(error) => refuse(error.to_string()),
        })?;
    // The attempt's folder is removed with the attempt, so the file needs no guard of its own.
    let path = scratch.join(format!("input-{index}.{}", received.facts.media_type.extension()));
    tokio::fs::rename(received.path(), &path).await.map_err(|error| {
        tracing::error!(%error, "an input could not be moved");
        our_fault("an input could not be stored")
    })?;
    Ok(Input {
        parameter: input.parameter.clone(),
        path,
        facts: received.facts.clone(),
    })
}

enum DownloadError {
    Fetch(FetchError),
    File(IntakeError),
}

impl From<FetchError> for DownloadError {
    fn from(error: FetchError) -> Self {
        Self::Fetch(error)
    }
}

impl From<IntakeError> for DownloadError {
    fn from(error: IntakeError) -> Self {
        Self::File(error)
    }
}

async fn download(worker: &Worker, url: &Url, scratch: &Path) -> Result<Received, DownloadError> {
    let limits = Limits {
        max_bytes: worker.options.max_input_bytes,
        time: worker.options.input_timeout,
    };
    let mut download = atelier_outbound::fetch(&worker.downloads, url, limits).await?;
    let mut intake = Intake::new(scratch, limits.max_bytes).await?;
    while let Some(bytes) = download.chunk().await? {
        intake.write(&bytes).await?;
    }
    Ok(intake.finish().await?)
}
