//! Downloads of inputs: through the guard, hop by hop, with caps on size and time.
//! An error says whether another try may help; its message is fit for the client who gave the URL.

use std::{path::Path, time::Duration};

use reqwest::{
    StatusCode,
    header::{CONTENT_LENGTH, LOCATION},
};
use url::Url;

use crate::{
    guard::{Outbound, Refused},
    intake::{Intake, IntakeError, Received},
};

/// Redirects followed before a download is given up.
const MAX_REDIRECTS: usize = 5;

#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    #[error("{0}")]
    Refused(#[from] Refused),
    #[error("the host does not answer: {0}")]
    Network(String),
    #[error("the download took longer than {} seconds", .0.as_secs())]
    TooSlow(Duration),
    #[error("the host answers with status {0}")]
    Status(StatusCode),
    #[error("the host redirects more than {MAX_REDIRECTS} times")]
    TooManyRedirects,
    #[error("the host redirects to nowhere: {0}")]
    Redirect(String),
    /// The file itself is too large, empty or of a wrong type, or the scratch folder fails.
    #[error("{0}")]
    File(#[from] IntakeError),
}

impl FetchError {
    /// Whether the same download may succeed later.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Status(status) => {
                status.is_server_error()
                    || matches!(
                        *status,
                        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT
                    )
            }
            Self::Network(_) | Self::TooSlow(_) => true,
            Self::File(_) => self.is_ours(),
            Self::Refused(_) | Self::TooManyRedirects | Self::Redirect(_) => false,
        }
    }

    /// Whether the service is to blame, not the URL: then it is no fault of the input.
    pub fn is_ours(&self) -> bool {
        matches!(self, Self::File(IntakeError::DiskFull | IntakeError::Io(_)))
    }
}

/// Downloads what `url` names into the folder `scratch`: at most `max_bytes`, within `deadline`.
pub async fn fetch(
    outbound: &Outbound,
    url: &Url,
    max_bytes: u64,
    deadline: Duration,
    scratch: &Path,
) -> Result<Received, FetchError> {
    let download = follow(outbound, url.clone(), max_bytes, deadline, scratch);
    tokio::time::timeout(deadline, download)
        .await
        .unwrap_or(Err(FetchError::TooSlow(deadline)))
}

async fn follow(
    outbound: &Outbound,
    mut url: Url,
    max_bytes: u64,
    deadline: Duration,
    scratch: &Path,
) -> Result<Received, FetchError> {
    for _ in 0..=MAX_REDIRECTS {
        let request = outbound.get(&url)?.timeout(deadline);
        let answer = request.send().await.map_err(|error| network(&error))?;
        let status = answer.status();
        if is_redirect(status) {
            let target = answer
                .headers()
                .get(LOCATION)
                .and_then(|value| value.to_str().ok());
            url = next_hop(outbound, &url, target)?;
            continue;
        }
        if status != StatusCode::OK {
            return Err(FetchError::Status(status));
        }
        return receive(answer, max_bytes, scratch).await;
    }
    Err(FetchError::TooManyRedirects)
}

/// Where a redirect leads, if it may.
fn next_hop(outbound: &Outbound, from: &Url, target: Option<&str>) -> Result<Url, FetchError> {
    let target = target.ok_or_else(|| FetchError::Redirect("it names no target".to_owned()))?;
    let url = from
        .join(target)
        .map_err(|error| FetchError::Redirect(error.to_string()))?;
    outbound.guard().check_url(&url)?;
    Ok(url)
}

async fn receive(
    mut answer: reqwest::Response,
    max_bytes: u64,
    scratch: &Path,
) -> Result<Received, FetchError> {
    let announced = answer
        .headers()
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > max_bytes) {
        return Err(IntakeError::TooLarge { max_bytes }.into());
    }
    let mut intake = Intake::new(scratch, max_bytes).await?;
    while let Some(bytes) = answer.chunk().await.map_err(|error| network(&error))? {
        intake.write(&bytes).await?;
    }
    Ok(intake.finish().await?)
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// A failed exchange in words that name no internals.
fn network(error: &reqwest::Error) -> FetchError {
    if let Some(refused) = Refused::within(error) {
        return FetchError::Refused(refused.clone());
    }
    let what = if error.is_timeout() {
        "it took too long"
    } else if error.is_connect() {
        "no connection can be made"
    } else {
        "the connection broke off"
    };
    tracing::debug!(error = error as &dyn std::error::Error, "a download failed");
    FetchError::Network(what.to_owned())
}

#[cfg(test)]
mod tests;
