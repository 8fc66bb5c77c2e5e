//! The protocol of a remote worker and its service, as JSON. Unknown fields are ignored, and new ones are optional, so
//! that a worker and a service of different versions understand each other.

use std::time::Duration;

use atelier_domain::{Failure, FileFacts, GenerationId, MediaKind, WorkerId, WorkerOffer};
use atelier_engines::{Asked, Loading};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of the protocol that this program speaks, and the oldest that it understands.
pub const VERSION: u32 = 1;
pub(crate) const OLDEST: u32 = 1;

/// Names the worker in every request but the first.
pub(crate) const WORKER_HEADER: &str = "atelier-worker";
/// The SHA-256 of the body, in hexadecimal digits.
pub(crate) const DIGEST_HEADER: &str = "atelier-sha256";

/// The longest time for which the service waits for jobs before it answers. Checks of the policy follow.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(15);
/// The bytes of a file that are sent in one request, at most.
pub(crate) const PIECE: usize = 1 << 20;

/// A worker joins, or says that it is still there.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Hello {
    pub(crate) protocol: u32,
    pub(crate) name: String,
    pub(crate) version: String,
    /// The id from the first answer.
    #[serde(default)]
    pub(crate) worker: Option<WorkerId>,
    #[serde(default)]
    pub(crate) offer: WorkerOffer,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Welcome {
    /// The version to speak: the older one of both sides.
    pub(crate) protocol: u32,
    pub(crate) worker: WorkerId,
    pub(crate) lease_ms: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Claim {
    pub(crate) models: Vec<String>,
    pub(crate) max: u32,
    /// How long to wait for jobs.
    #[serde(default)]
    pub(crate) wait_ms: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Claimed {
    /// How long the service waited before the leases began.
    pub(crate) waited_ms: u64,
    pub(crate) jobs: Vec<Job>,
}

/// A claimed job. Nothing in it names the account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) id: GenerationId,
    pub(crate) epoch: i64,
    pub(crate) attempt: u32,
    pub(crate) model: String,
    pub(crate) kind: MediaKind,
    /// How long it may still take.
    pub(crate) left_ms: u64,
    /// How it fails if it takes longer.
    pub(crate) timed_out: Failure,
    /// Set if it cannot be run at all: how it fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) refused: Option<Failure>,
    #[serde(default)]
    pub(crate) params: Map<String, Value>,
    #[serde(default)]
    pub(crate) asked: Vec<AskedField>,
    pub(crate) seed: u64,
    /// The text that an earlier attempt remembered.
    #[serde(default)]
    pub(crate) resume: Option<String>,
    #[serde(default)]
    pub(crate) has_inputs: bool,
    #[serde(default)]
    pub(crate) has_alternative: bool,
    /// Whether pictures of the unfinished result may be sent.
    #[serde(default)]
    pub(crate) shows_partial_images: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct AskedField {
    name: String,
    standard: String,
    is_chosen: bool,
}

impl From<Asked> for AskedField {
    fn from(asked: Asked) -> Self {
        Self {
            name: asked.name,
            standard: asked.standard,
            is_chosen: asked.is_chosen,
        }
    }
}

impl From<AskedField> for Asked {
    fn from(asked: AskedField) -> Self {
        Self {
            name: asked.name,
            standard: asked.standard,
            is_chosen: asked.is_chosen,
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Renew {
    pub(crate) held: Vec<Beat>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Beat {
    pub(crate) id: GenerationId,
    pub(crate) epoch: i64,
    #[serde(default)]
    pub(crate) progress: f64,
    /// Set while the attempt waits for its engine to load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) loading: Option<Load>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Load {
    /// How long it took last time.
    #[serde(default)]
    pub(crate) estimate_ms: Option<u64>,
}

impl From<Loading> for Load {
    fn from(loading: Loading) -> Self {
        Self {
            estimate_ms: loading.estimate.map(|time| time.as_millis() as u64),
        }
    }
}

impl From<Load> for Loading {
    fn from(load: Load) -> Self {
        Self {
            estimate: load.estimate_ms.map(Duration::from_millis),
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Renewed {
    /// The worker no longer holds them.
    pub(crate) lost: Vec<GenerationId>,
    /// Not renewed this time, and still held.
    #[serde(default)]
    pub(crate) locked: Vec<GenerationId>,
    /// Somebody wants to see pictures of their unfinished results.
    #[serde(default)]
    pub(crate) followed: Vec<GenerationId>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct GiveBack {
    pub(crate) held: Vec<Beat>,
}

/// The result of a step that the service takes in the background.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Step<T> {
    /// False: ask again.
    pub(crate) ready: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<Failure>,
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<T>,
}

/// An input file, at its place in the list.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct InputFile {
    pub(crate) parameter: String,
    pub(crate) facts: FileFacts,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Have {
    /// How many bytes of the file have arrived.
    pub(crate) have: u64,
}

/// The files of an attempt, all of which have been sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Store {
    pub(crate) files: Vec<OutputFile>,
    #[serde(default)]
    pub(crate) metadata: Map<String, Value>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct OutputFile {
    pub(crate) size: u64,
    /// In hexadecimal digits.
    pub(crate) sha256: String,
    /// A side file, such as word times.
    #[serde(default)]
    pub(crate) is_json: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Finish {
    /// `None`: the stored files are the result.
    #[serde(default)]
    pub(crate) failure: Option<Failure>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Finished {
    /// `completed`, `failed`, `retried` or `stale`.
    pub(crate) outcome: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Note {
    pub(crate) request: String,
}

/// The body of an answer that is not a success.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Problem {
    pub(crate) error: ProblemText,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ProblemText {
    /// `token_refused`, `unknown_worker`, `lost`, `conflict`, `no_room`, `invalid` or `unavailable`.
    pub(crate) code: String,
    pub(crate) message: String,
}
