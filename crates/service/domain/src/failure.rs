//! How a generation fails, and whether another attempt is worth it. The code that meets the error decides:
//! `Failure::retry(…)` or `Failure::fail(…)`.

use std::{fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Serialize};

/// The job-failure codes of the contract. Clients branch on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    InsufficientCredits,
    ContentPolicyViolation,
    GenerationTimeout,
    RateLimited,
    InvalidInput,
    GenerationFailed,
}

impl FailureCode {
    pub const ALL: [Self; 6] = [
        Self::InsufficientCredits,
        Self::ContentPolicyViolation,
        Self::GenerationTimeout,
        Self::RateLimited,
        Self::InvalidInput,
        Self::GenerationFailed,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InsufficientCredits => "insufficient_credits",
            Self::ContentPolicyViolation => "content_policy_violation",
            Self::GenerationTimeout => "generation_timeout",
            Self::RateLimited => "rate_limited",
            Self::InvalidInput => "invalid_input",
            Self::GenerationFailed => "generation_failed",
        }
    }
}

impl fmt::Display for FailureCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for FailureCode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|code| code.as_str() == text)
            .ok_or_else(|| format!("unknown failure code `{text}`"))
    }
}

/// The subject of this service's safety check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Examined {
    Input,
    Result,
}

impl Examined {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Result => "result",
        }
    }
}

/// Why an attempt ended without media.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub code: FailureCode,
    /// For the client: what went wrong and what to do. It contains no internals.
    pub message: String,
    /// Set if another attempt may succeed: the shortest wait before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<Duration>,
    /// Set if the provider did not refuse the request of this attempt: the next attempt asks for the same request's
    /// result instead of sending, and paying for, another one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resumes: bool,
    /// Set if the safety check of this service refused this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Examined>,
}

/// The message of a job that its owner cancelled.
const CANCELLED: &str = "cancelled";

impl Failure {
    /// The end of a job that its owner cancelled, which is a failure for clients.
    pub fn cancelled() -> Self {
        Self::fail(FailureCode::GenerationFailed, CANCELLED)
    }

    /// Whether the owner cancelled the job.
    pub fn is_cancelled(&self) -> bool {
        self.code == FailureCode::GenerationFailed && self.message == CANCELLED
    }

    /// How people see it: `cancelled`, or the code.
    pub fn outcome(&self) -> &'static str {
        if self.is_cancelled() {
            CANCELLED
        } else {
            self.code.as_str()
        }
    }

    /// A final failure: another attempt would fail the same way.
    pub fn fail(code: FailureCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            retry_after: None,
            resumes: false,
            refused: None,
        }
    }

    /// A failure after which another attempt may succeed; clients see `code` when the attempts are used up.
    pub fn retry(code: FailureCode, message: impl Into<String>, after: Duration) -> Self {
        Self {
            code,
            message: message.into(),
            retry_after: Some(after),
            resumes: false,
            refused: None,
        }
    }

    /// The same failure, after which the next attempt resumes this one's request.
    pub fn resuming(self) -> Self {
        Self {
            resumes: true,
            ..self
        }
    }

    pub fn invalid_input(message: impl Into<String>) -> Self {
        Self::fail(FailureCode::InvalidInput, message)
    }

    pub const fn is_retryable(&self) -> bool {
        self.retry_after.is_some()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_reads_back_from_its_text() {
        for code in FailureCode::ALL {
            assert_eq!(code.as_str().parse(), Ok(code));
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
        assert!("cancelled".parse::<FailureCode>().is_err());
    }
}
