//! The generation: one job, from acceptance to its end.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{AccountId, Failure, FileName, GenerationId, MediaKind, Timestamp};

/// Where a generation stands inside the service. `Queued → Running → Completed | Failed`, and
/// `Running → Queued` when an attempt is given back, lost or retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Queued,
    Running,
    Completed,
    Failed,
}

impl State {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }

    pub const fn status(self) -> Status {
        match self {
            Self::Queued | Self::Running => Status::Processing,
            Self::Completed => Status::Completed,
            Self::Failed => Status::Failed,
        }
    }

    pub const fn is_ended(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }
}

impl std::str::FromStr for State {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Queued, Self::Running, Self::Completed, Self::Failed]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| format!("`{text}` is no state"))
    }
}

/// Where a generation stands as clients see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Processing,
    Completed,
    Failed,
}

impl Status {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Processing => "processing",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }
}

impl std::str::FromStr for Status {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Processing, Self::Completed, Self::Failed]
            .into_iter()
            .find(|status| status.as_str() == text)
            .ok_or_else(|| format!("`{text}` is no status: processing, completed or failed"))
    }
}

/// One output file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asset {
    pub file: FileName,
    #[serde(rename = "type")]
    pub kind: MediaKind,
}

/// What a completed generation made.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Output {
    pub assets: Vec<Asset>,
    /// The JSON file of word times, where speech was asked for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamps: Option<FileName>,
    /// What the engine has to say about how it made them, such as which words it understood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Map<String, Value>>,
}

/// One job, as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Generation {
    pub id: GenerationId,
    pub account: AccountId,
    pub model: String,
    /// What it makes; tools make images.
    pub kind: MediaKind,
    pub state: State,
    /// The validated parameters, defaults filled in, under the model's own names.
    pub params: Map<String, Value>,
    pub webhook_url: Option<String>,
    /// Credits held at acceptance.
    pub hold: i64,
    /// Credits charged; set when completed.
    pub charged: Option<i64>,
    /// Set when completed.
    pub output: Option<Output>,
    /// Set when failed.
    pub failure: Option<Failure>,
    /// 0 to 1, as last reported by the running attempt.
    pub progress: f64,
    /// The engine that made it, or last tried.
    pub served_by: Option<String>,
    /// How many attempts have begun.
    pub attempt: u32,
    /// Raised by every claim; a write by a worker carries the epoch it was given.
    pub epoch: i64,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// When `generation_timeout` ends it.
    pub deadline: Timestamp,
    /// When the attempt that runs, or ran last, began.
    pub attempt_started_at: Option<Timestamp>,
    /// What that attempt remembered of a request that it made elsewhere: a [`Noted`] as JSON.
    pub request: Option<String>,
    /// The attempts before that one which ended without media.
    pub past_attempts: Vec<PastAttempt>,
}

/// What an attempt remembered, and which engine's word it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noted {
    pub engine: String,
    /// In the engine's own words.
    pub request: String,
}

/// An attempt that was followed by another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastAttempt {
    pub engine: String,
    pub started_at: Timestamp,
    pub ended_at: Timestamp,
    /// A failure's code, or `lost` when its worker was not heard of any more.
    pub outcome: String,
    /// What it remembered of a request that it made elsewhere: a [`Noted`] as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
}

impl Generation {
    pub const fn status(&self) -> Status {
        self.state.status()
    }
}
