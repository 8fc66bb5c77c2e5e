//! The files that a generation's parameters name: found in the media storage or downloaded, and checked against the
//! model's rules.

mod budget;
mod download;

use std::{fmt::Display, path::Path, time::Duration};

use atelier_app::System;
use atelier_catalog::{InputUrl, Model};
use atelier_domain::{Failure, FailureCode, FileName, Generation};
use atelier_engines::Input;
use atelier_media::{IntakeError, Scratch};
use atelier_outbound::{Outbound, SetupError, Timeouts};
use futures::StreamExt as _;
use url::Url;

use self::{
    budget::{Budget, Spent},
    download::{DownloadError, Rules, download},
};
use crate::{OUR_FAULT_DELAY, Options};

/// The longest wait for a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// How many downloads of one generation run at a time.
const AT_A_TIME: usize = 4;

/// The common parts of the inputs of one generation.
struct Gathering<'a> {
    fetching: &'a Fetching,
    generation: &'a Generation,
    model: &'a Model,
    scratch: &'a Scratch,
    budget: Budget,
}

/// The downloader of the inputs of jobs.
#[derive(Debug)]
pub(crate) struct Fetching {
    system: System,
    downloads: Outbound,
    max_input_bytes: u64,
    input_timeout: Duration,
    max_job_input_bytes: u64,
}

impl Fetching {
    pub(crate) fn new(system: &System, options: &Options) -> Result<Self, SetupError> {
        let downloads = Outbound::new(
            *system.guard(),
            Timeouts {
                connect: CONNECT,
                read: Duration::from_secs(20),
                total: options.input_timeout,
            },
        )?;
        Ok(Self {
            system: system.clone(),
            downloads,
            max_input_bytes: options.max_input_bytes,
            input_timeout: options.input_timeout,
            max_job_input_bytes: options.max_job_input_bytes,
        })
    }
}

/// Fetches and checks the files of one job.
pub(crate) async fn gather(
    fetching: &Fetching,
    model: &Model,
    generation: &Generation,
    urls: &[InputUrl],
    scratch: &Scratch,
) -> Result<Vec<Input>, Failure> {
    if urls.is_empty() {
        return Ok(Vec::new());
    }
    let gathering = Gathering {
        fetching,
        generation,
        model,
        scratch,
        budget: Budget::new(fetching.max_job_input_bytes),
    };
    let fetches: Vec<_> = urls
        .iter()
        .enumerate()
        .map(|(index, input)| gathering.one(input, index))
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

impl Gathering<'_> {
    async fn one(&self, input: &InputUrl, index: usize) -> Result<Input, Failure> {
        match self.fetching.system.app().stored_file(&input.url) {
            Some(Ok(name)) => self.stored(input, &name).await,
            Some(Err(message)) => Err(Failure::invalid_input(format!(
                "`{}`: {message}",
                input.parameter
            ))),
            None => self.downloaded(input, index).await,
        }
    }

    async fn stored(&self, input: &InputUrl, name: &FileName) -> Result<Input, Failure> {
        let system = &self.fetching.system;
        let unread = |error| {
            tracing::error!(%name, %error, "a stored input could not be read");
            later("a stored input could not be read")
        };
        let missing = || {
            Failure::invalid_input(format!(
                "`{}`: no file is stored at {}",
                input.parameter, input.url
            ))
        };
        let facts = system.stored_input(name).await.map_err(unread)?;
        let facts = facts.ok_or_else(missing)?;
        // Counted before it is copied out of a bucket.
        self.budget
            .count(facts.size)
            .map_err(|spent| refused(input, &spent))?;
        let path = match system.open_input(name, self.scratch).await {
            Ok(path) => path.ok_or_else(missing)?,
            Err(error) => {
                if system.media_fails().await {
                    self.scratch.note_no_place();
                }
                return Err(unread(error));
            }
        };
        self.allowed(input, (&path, name)).await?;
        Ok(Input {
            parameter: input.parameter.clone(),
            path,
            facts,
        })
    }

    /// Whether the content policy allows a file.
    async fn allowed(&self, input: &InputUrl, file: (&Path, &FileName)) -> Result<(), Failure> {
        let system = &self.fetching.system;
        system
            .input_is_allowed(self.generation, &input.parameter, file)
            .await
    }

    async fn downloaded(&self, input: &InputUrl, index: usize) -> Result<Input, Failure> {
        let url: Url = input
            .url
            .parse()
            .map_err(|_| wrong(input, "not an absolute URL"))?;
        let fetching = self.fetching;
        let rules = Rules::new(
            self.model.parameter(&input.parameter),
            fetching.max_input_bytes,
            fetching.input_timeout,
        );
        let received = download(&fetching.downloads, &url, &rules, &self.budget, self.scratch)
            .await
            .map_err(|error| failure(input, error))?;
        // The attempt's folder is removed when the attempt ends, so the file needs no guard of its own.
        let extension = received.facts.media_type.extension();
        let path = self.scratch.path().join(format!("input-{index}.{extension}"));
        tokio::fs::rename(received.path(), &path)
            .await
            .map_err(|error| unstored(&error))?;
        self.allowed(input, (&path, &received.name)).await?;
        Ok(Input {
            parameter: input.parameter.clone(),
            path,
            facts: received.facts.clone(),
        })
    }
}

/// Returns the failure of the job that a failed download means.
fn failure(input: &InputUrl, error: DownloadError) -> Failure {
    match error {
        DownloadError::Fetch(error) => {
            let pause = error.retry_after().unwrap_or(OUR_FAULT_DELAY);
            let mut failure = wrong(input, &error.to_string());
            failure.retry_after = error.is_retryable().then_some(pause);
            failure
        }
        DownloadError::File(error @ (IntakeError::DiskFull | IntakeError::Io(_))) => unstored(&error),
        DownloadError::File(error) => wrong(input, &error.to_string()),
        DownloadError::Type(found) => wrong(input, &format!("{found} is not accepted here")),
        DownloadError::Spent(spent) => refused(input, &spent),
    }
}

fn refused(input: &InputUrl, spent: &Spent) -> Failure {
    wrong(input, &spent.to_string())
}

/// The file that the URL leads to cannot be used.
fn wrong(input: &InputUrl, why: &str) -> Failure {
    Failure::invalid_input(format!("`{}`: {} — {why}", input.parameter, input.url))
}

/// The service is at fault: a later attempt may succeed.
fn unstored(error: &dyn Display) -> Failure {
    tracing::error!(%error, "an input could not be stored");
    later("an input could not be stored")
}

fn later(message: &str) -> Failure {
    Failure::retry(FailureCode::GenerationFailed, message, OUR_FAULT_DELAY)
}
