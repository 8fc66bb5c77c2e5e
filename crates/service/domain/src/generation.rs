//! The generation: one job, from acceptance to its end.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{AccountId, Failure, FileName, GenerationId, MediaKind, Timestamp};

/// The state of a generation inside the service. `Queued → Running → Completed | Failed`, and
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
            .ok_or_else(|| format!("unknown state `{text}`"))
    }
}

/// The state of a generation as clients see it.
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
            .ok_or_else(|| format!("unknown status `{text}`; allowed: processing, completed, failed"))
    }
}

/// One output file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asset {
    pub file: FileName,
    #[serde(rename = "type")]
    pub kind: MediaKind,
}

/// The result of a completed generation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Output {
    pub assets: Vec<Asset>,
    /// The JSON file of word times, if the request asked for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamps: Option<FileName>,
    /// The engine's report about the result, such as which words it understood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Map<String, Value>>,
}

/// One job, as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Generation {
    pub id: GenerationId,
    pub account: AccountId,
    pub model: String,
    /// The kind of media it makes; tools make images.
    pub kind: MediaKind,
    pub state: State,
    /// The validated parameters with defaults, under the model's own names.
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
    /// The engine that made it, or that tried last.
    pub served_by: Option<String>,
    /// The number of attempts begun.
    pub attempt: u32,
    /// Raised by every claim. Each write of a worker carries the epoch of its claim.
    pub epoch: i64,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// When it fails with `generation_timeout`.
    pub deadline: Timestamp,
    /// When the current or last attempt began.
    pub attempt_started_at: Option<Timestamp>,
    /// The request that attempt made to a provider: a [`Noted`] as JSON.
    pub request: Option<String>,
    /// The attempts before that one; they ended without media.
    pub past_attempts: Vec<PastAttempt>,
}

/// A request to a provider that an attempt recorded, and the engine that recorded it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noted {
    pub engine: String,
    /// In the engine's own format.
    pub request: String,
}

/// An attempt that was followed by another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastAttempt {
    pub engine: String,
    pub started_at: Timestamp,
    pub ended_at: Timestamp,
    /// A failure code, or `lost` if its worker went silent.
    pub outcome: String,
    /// The request it made to a provider: a [`Noted`] as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
}

/// A job that was just validated and priced.
#[derive(Debug, Clone, PartialEq)]
pub struct NewGeneration {
    pub id: GenerationId,
    pub account: AccountId,
    pub model: String,
    pub kind: MediaKind,
    pub params: Map<String, Value>,
    pub webhook_url: Option<String>,
    pub hold: i64,
    pub created_at: Timestamp,
    pub deadline: Timestamp,
}

impl Generation {
    /// A job that no attempt has begun yet.
    pub fn queued(new: NewGeneration) -> Self {
        Self {
            id: new.id,
            account: new.account,
            model: new.model,
            kind: new.kind,
            state: State::Queued,
            params: new.params,
            webhook_url: new.webhook_url,
            hold: new.hold,
            charged: None,
            output: None,
            failure: None,
            progress: 0.0,
            served_by: None,
            attempt: 0,
            epoch: 0,
            created_at: new.created_at,
            started_at: None,
            ended_at: None,
            deadline: new.deadline,
            attempt_started_at: None,
            request: None,
            past_attempts: Vec::new(),
        }
    }

    pub const fn status(&self) -> Status {
        self.state.status()
    }
}
