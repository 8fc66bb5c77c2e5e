//! What can go wrong between a client and the service.

use std::time::Duration;

use reqwest::{Response, StatusCode, header};
use serde::{Deserialize, de::DeserializeOwned};

use crate::types::Problem;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The client was given something it cannot work with.
    #[error("{0}")]
    Setup(String),
    /// The service refused. Branch on `code`.
    #[error("{message}")]
    Api {
        status: u16,
        code: String,
        message: String,
        /// Every parameter that is wrong, where the refusal is about parameters.
        details: Vec<Problem>,
        request_id: Option<String>,
        retry_after: Option<Duration>,
    },
    /// No answer: the service is not there, or the connection broke.
    #[error("{}", network(.0))]
    Network(#[from] reqwest::Error),
    /// Something else than this service answered.
    #[error("the answer (status {status}) is not one of this service: {reason}")]
    Answer { status: u16, reason: String },
    /// A local file.
    #[error("{path}: {source}")]
    File { path: String, source: std::io::Error },
}

impl Error {
    /// The service's own code, where it refused.
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

/// Reads an answer: the body of a success, or the service's refusal.
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
        reason: reason.unwrap_or("no error of the service").to_owned(),
    }
}

/// Who did not answer, and the first cause: what lies between says only that sending failed.
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
