//! The Model Context Protocol without a transport: reads messages, answers them with the use cases of a [`Service`].
//!
//! It is a translation of the API, so it keeps nothing: no sessions, no jobs. `atelier-api` answers over HTTP, where
//! the service is this one; `atelier mcp` answers over standard input and output, where it is one elsewhere.

mod generate;
mod message;
mod protocol;
mod resources;
mod tools;

use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::{Map, Value};
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

pub use message::{Failed, INVALID_REQUEST, Message, PARSE_ERROR, failure};
pub use protocol::{Request, VERSIONS};

pub type Result<T, E = Refused> = std::result::Result<T, E>;

/// Why the service refused something, in the API's terms.
#[derive(Debug, Clone)]
pub struct Refused {
    /// Branch on this.
    pub code: String,
    pub message: String,
    /// Every invalid parameter: name and message.
    pub details: Vec<(String, String)>,
}

impl Refused {
    /// An argument of a tool is wrong.
    pub(crate) fn argument(name: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            code: "invalid_request".to_owned(),
            message: message.clone(),
            details: vec![(name.to_owned(), message)],
        }
    }
}

/// A small picture of a file.
#[derive(Debug, Clone)]
pub struct Preview {
    pub bytes: Vec<u8>,
    pub mime_type: String,
}

/// A file to store.
#[derive(Debug, Clone)]
pub enum Upload {
    Bytes(Vec<u8>),
    /// A file on the machine of the client.
    Path(String),
}

/// A page of jobs, newest first.
#[derive(Debug, Clone, Default)]
pub struct Page {
    pub jobs: Vec<Value>,
    pub next_cursor: Option<String>,
}

/// One account's service. Values are those of the API's answers. The futures are boxed by name, because with
/// `async_trait` what implements it takes longer to compile.
pub trait Service: Send + Sync {
    /// The models that are served, as `GET /models` lists them.
    fn models(&self) -> BoxFuture<'_, Result<Vec<Value>>>;
    /// One model, as `GET /models/{slug}` shows it.
    fn model<'a>(&'a self, slug: &'a str) -> BoxFuture<'a, Result<Value>>;
    /// Accepts a job and returns its id. The same key is the same job.
    fn create(&self, fields: Map<String, Value>, key: Option<String>) -> BoxFuture<'_, Result<String>>;
    /// The job, as soon as it has changed or the time is up.
    fn job<'a>(&'a self, id: &'a str, wait: Duration) -> BoxFuture<'a, Result<Value>>;
    fn cancel<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<()>>;
    fn jobs(&self, limit: u32, cursor: Option<String>) -> BoxFuture<'_, Result<Page>>;
    fn upload(&self, file: Upload) -> BoxFuture<'_, Result<Value>>;
    fn balance(&self) -> BoxFuture<'_, Result<i64>>;
    /// The preview of an output; `None` if there is none.
    fn preview<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Option<Preview>>>;
    /// Whether files can be named by their paths.
    fn reads_paths(&self) -> bool {
        false
    }
}

/// The context of a request: its cancellation, its notifications and its key.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The client gave up: cancels the job of this request.
    pub cancelled: CancellationToken,
    /// Takes the notifications that come before the result.
    pub notify: UnboundedSender<Value>,
    /// The key that makes a repeated request the same job.
    pub key: Option<String>,
}
