//! The errors of the client.

use std::time::{Duration, SystemTime};

use reqwest::{
    Response, StatusCode,
    header::{DATE, HeaderMap, RETRY_AFTER},
};
use serde::{Deserialize, de::DeserializeOwned};

use crate::types::Problem;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A value that was passed to the client is invalid.
    #[error("{0}")]
    Setup(String),
    /// The service refused the request. Branch on `code`.
    #[error("{message}")]
    Api {
        status: u16,
        code: String,
        message: String,
        /// Every invalid parameter, if the error is about parameters.
        details: Vec<Problem>,
        request_id: Option<String>,
        retry_after: Option<Duration>,
    },
    /// There was no answer: the service is not reachable, or the connection broke.
    #[error("{}", network(.0))]
    Network(#[from] reqwest::Error),
    /// The answer does not come from this service.
    #[error("unexpected answer (status {status}): {reason}")]
    Answer {
        status: u16,
        reason: String,
        retry_after: Option<Duration>,
    },
    /// A local file cannot be read or written.
    #[error("{path}: {source}")]
    File { path: String, source: std::io::Error },
}

impl Error {
    /// The service's error code, if it refused the request.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Api { code, .. } => Some(code),
            _ => None,
        }
    }
}

#[derive(Deserialize)]
struct Refusal {
    error: Detail,
}

#[derive(Deserialize)]
struct Detail {
    code: String,
    message: String,
    #[serde(default)]
    details: Vec<Problem>,
}

/// Reads an answer: the body of a success, or the service's error.
pub(crate) async fn read<T: DeserializeOwned>(response: Response) -> Result<T, Error> {
    let status = response.status();
    if !status.is_success() {
        return Err(refusal(response).await);
    }
    let body = response.bytes().await?;
    serde_json::from_slice(&body).map_err(|error| Error::Answer {
        status: status.as_u16(),
        reason: error.to_string(),
        retry_after: None,
    })
}

pub(crate) async fn refusal(response: Response) -> Error {
    let status = response.status().as_u16();
    let text = |name: &str| Some(response.headers().get(name)?.to_str().ok()?.to_owned());
    let request_id = text("x-request-id");
    let retry_after = retry_after(response.headers());
    let body = match response.bytes().await {
        Ok(body) => body,
        Err(error) => return error.into(),
    };
    if let Ok(Refusal {
        error: Detail {
            code,
            message,
            details,
        },
    }) = serde_json::from_slice(&body)
    {
        return Error::Api {
            status,
            code,
            message,
            details,
            request_id,
            retry_after,
        };
    }
    let reason = StatusCode::from_u16(status)
        .ok()
        .and_then(|status| status.canonical_reason());
    Error::Answer {
        status,
        reason: reason
            .unwrap_or("the body is not an error of the service")
            .to_owned(),
        retry_after,
    }
}

/// The wait that an answer asks for, in seconds or as a date. Proxies send dates. A date counts from the answer's own
/// `Date`, so that the two clocks need not agree.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(text).ok()?;
    let date = headers.get(DATE).and_then(|value| value.to_str().ok());
    let answered = date.and_then(|date| httpdate::parse_http_date(date).ok());
    Some(
        until
            .duration_since(answered.unwrap_or_else(now))
            .unwrap_or_default(),
    )
}

#[expect(
    clippy::disallowed_methods,
    reason = "a server's date is a time of the real world"
)]
fn now() -> SystemTime {
    SystemTime::now()
}

/// The server and the root cause. The errors in between say only that sending failed.
fn network(error: &reqwest::Error) -> String {
    let who = match error.url() {
        Some(url) => format!("no answer from {}", url.origin().ascii_serialization()),
        None => "no answer".to_owned(),
    };
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    format!("{who}: {cause}")
}
