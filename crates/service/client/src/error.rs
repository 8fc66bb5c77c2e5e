//! The errors of the client.

use std::time::Duration;

use reqwest::{Response, StatusCode, header};
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
    Answer { status: u16, reason: String },
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
    })
}

pub(crate) async fn refusal(response: Response) -> Error {
    let status = response.status().as_u16();
    let text = |name: &str| Some(response.headers().get(name)?.to_str().ok()?.to_owned());
    let request_id = text("x-request-id");
    let retry_after = text(header::RETRY_AFTER.as_str())
        .and_then(|text| text.parse().ok())
        .map(Duration::from_secs);
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
    }
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
