//! Webhook deliveries: one for each ended generation that asked for it, those to registered endpoints, and tests; a few
//! attempts each.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{AccountId, DeliveryId, EndpointId, GenerationId, Timestamp};

/// The event that a delivery reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Event {
    #[serde(rename = "generation.completed")]
    Completed,
    #[serde(rename = "generation.failed")]
    Failed,
    /// A generation that its owner cancelled. Only registered endpoints are told so; for others it failed.
    #[serde(rename = "generation.cancelled")]
    Cancelled,
    /// The balance fell below the account's threshold. Only registered endpoints are told.
    #[serde(rename = "account.low_balance")]
    LowBalance,
    /// Sent on request, to test a URL.
    #[serde(rename = "webhook.test")]
    Test,
}

impl Event {
    pub const ALL: [Self; 5] = [
        Self::Completed,
        Self::Failed,
        Self::Cancelled,
        Self::LowBalance,
        Self::Test,
    ];
    /// Those that an endpoint can be registered for.
    pub const SUBSCRIBED: [Self; 4] = [Self::Completed, Self::Failed, Self::Cancelled, Self::LowBalance];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "generation.completed",
            Self::Failed => "generation.failed",
            Self::Cancelled => "generation.cancelled",
            Self::LowBalance => "account.low_balance",
            Self::Test => "webhook.test",
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Event {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|event| event.as_str() == text)
            .ok_or_else(|| {
                format!(
                    "unknown event `{text}`; allowed: {}",
                    Self::ALL.map(Self::as_str).join(", ")
                )
            })
    }
}

/// `Pending → Sending → Delivered | Failed`, and `Sending → Pending` while attempts are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    Pending,
    Sending,
    Delivered,
    Failed,
}

impl DeliveryState {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Sending => "sending",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }
}

impl FromStr for DeliveryState {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Pending, Self::Sending, Self::Delivered, Self::Failed]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| {
                format!("unknown delivery state `{text}`; allowed: pending, sending, delivered, failed")
            })
    }
}

/// One event on its way to one URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub id: DeliveryId,
    pub account: AccountId,
    /// `None`: a test, or about the account.
    pub generation: Option<GenerationId>,
    /// The registered endpoint that it goes to; `None`: a URL that a request named.
    pub endpoint: Option<EndpointId>,
    pub event: Event,
    pub url: String,
    /// The exact bytes of every attempt.
    pub body: Vec<u8>,
    pub state: DeliveryState,
    /// The number of attempts made.
    pub attempts: u32,
    /// How many of them were made before the last manual redelivery, after which the schedule starts again.
    pub attempts_before: u32,
    /// When the next attempt is due, while pending.
    pub due_at: Timestamp,
    pub created_at: Timestamp,
}

/// The outcome of one attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    pub at: Timestamp,
    /// Milliseconds from connecting to the end of the response.
    pub latency_ms: u32,
    /// The HTTP status, if there was a response.
    pub status: Option<u16>,
    /// The failure, if there was no response or it was not 2xx.
    pub error: Option<String>,
    /// The beginning of the response body.
    pub response: Option<String>,
}
