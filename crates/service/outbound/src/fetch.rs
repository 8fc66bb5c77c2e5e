//! Downloads through the guard, redirect by redirect, with limits on size and time.
//! An error says whether a retry may help. Its message can be shown to the client that gave the URL.

use std::{future::Future, time::Duration};

use bytes::Bytes;
use reqwest::{
    Response, StatusCode,
    header::{CONTENT_LENGTH, LOCATION},
};
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::{Outbound, Refused};

/// Redirects followed before a download fails.
const MAX_REDIRECTS: usize = 5;

/// The limits on a download.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub max_bytes: u64,
    /// From the first request to the last byte, redirects included.
    pub time: Duration,
}

#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    #[error("{0}")]
    Refused(#[from] Refused),
    #[error("the host does not answer: {0}")]
    Network(String),
    #[error("the download took longer than {} seconds", .0.as_secs())]
    TooSlow(Duration),
    #[error("the host answers with status {status}")]
    Status {
        status: StatusCode,
        /// How long the host asks to wait before a retry.
        retry_after: Option<Duration>,
    },
    #[error("the host redirects more than {MAX_REDIRECTS} times")]
    TooManyRedirects,
    #[error("the redirect cannot be followed: {0}")]
    Redirect(String),
    #[error("the file is larger than {max_bytes} bytes")]
    TooLarge { max_bytes: u64 },
}

impl FetchError {
    /// Whether the same download may succeed later.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Status { status, .. } => {
                status.is_server_error()
                    || matches!(
                        *status,
                        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT
                    )
            }
            Self::Network(_) | Self::TooSlow(_) => true,
            Self::Refused(_) | Self::TooManyRedirects | Self::Redirect(_) | Self::TooLarge { .. } => false,
        }
    }

    /// How long the host asks to wait before a retry.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

/// A download whose body is still to come. Dropping it closes the connection.
#[derive(Debug)]
pub struct Download {
    response: Response,
    limits: Limits,
    ends: Instant,
    received: u64,
}

/// Requests what `url` names and follows redirects. The body is read with [`Download::chunk`].
pub async fn fetch(outbound: &Outbound, url: &Url, limits: Limits) -> Result<Download, FetchError> {
    let ends = Instant::now() + limits.time;
    let response = before(ends, limits, follow(outbound, url.clone(), limits.time)).await?;
    let announced = response
        .headers()
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let max_bytes = limits.max_bytes;
    if announced.is_some_and(|length| length > max_bytes) {
        return Err(FetchError::TooLarge { max_bytes });
    }
    Ok(Download {
        response,
        limits,
        ends,
        received: 0,
    })
}

impl Download {
    /// The next bytes, or `None` at the end. Stops at the limits, whatever the host announced.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, FetchError> {
        let next = async { self.response.chunk().await.map_err(|error| network(&error)) };
        let Some(bytes) = before(self.ends, self.limits, next).await? else {
            return Ok(None);
        };
        self.received += bytes.len() as u64;
        let max_bytes = self.limits.max_bytes;
        if self.received > max_bytes {
            return Err(FetchError::TooLarge { max_bytes });
        }
        Ok(Some(bytes))
    }
}

async fn before<T>(
    ends: Instant,
    limits: Limits,
    work: impl Future<Output = Result<T, FetchError>>,
) -> Result<T, FetchError> {
    timeout_at(ends, work)
        .await
        .unwrap_or(Err(FetchError::TooSlow(limits.time)))
}

async fn follow(outbound: &Outbound, mut url: Url, time: Duration) -> Result<Response, FetchError> {
    for _ in 0..=MAX_REDIRECTS {
        // Replaces the client's own limit. The deadline of the whole fetch comes first, because it names the cause.
        let request = outbound.get(&url)?.timeout(time + Duration::from_secs(1));
        let response = request.send().await.map_err(|error| network(&error))?;
        let status = response.status();
        if is_redirect(status) {
            let target = response
                .headers()
                .get(LOCATION)
                .and_then(|value| value.to_str().ok());
            url = next_hop(outbound, &url, target)?;
        } else if status == StatusCode::OK {
            return Ok(response);
        } else {
            return Err(FetchError::Status {
                status,
                retry_after: crate::retry_after(response.headers()),
            });
        }
    }
    Err(FetchError::TooManyRedirects)
}

/// The target of a redirect, if the guard permits it.
fn next_hop(outbound: &Outbound, from: &Url, target: Option<&str>) -> Result<Url, FetchError> {
    let target = target.ok_or_else(|| FetchError::Redirect("it names no target".to_owned()))?;
    let url = from
        .join(target)
        .map_err(|error| FetchError::Redirect(error.to_string()))?;
    outbound.guard().check_url(&url)?;
    Ok(url)
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Describes a failed exchange without naming internals.
fn network(error: &reqwest::Error) -> FetchError {
    if let Some(refused) = Refused::within(error) {
        return FetchError::Refused(refused.clone());
    }
    let what = if error.is_timeout() {
        "it took too long"
    } else if error.is_connect() {
        "the connection failed"
    } else {
        "the connection broke off"
    };
    tracing::debug!(error = error as &dyn std::error::Error, "a download failed");
    FetchError::Network(what.to_owned())
}

#[cfg(test)]
mod tests;
