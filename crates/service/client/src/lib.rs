//! A typed HTTP client of the service: creates, follows and cancels generations, uploads inputs, downloads outputs,
//! reads the catalog and the balance. Safe requests are retried after errors of the network or the service.

mod error;
mod retry;
mod tls;
mod transfer;
mod types;
mod verify;

use std::{collections::BTreeMap, fmt, time::Duration};

use reqwest::{Method, RequestBuilder, Response, header};
use serde::de::DeserializeOwned;
use url::Url;

use self::types::{Balance, Data};
pub use self::{
    error::Error,
    types::{
        Accepted, Asset, CreateGeneration, Failure, File, Generation, GenerationFilter, List, Meta, Model,
        ModelSummary, Output, Parameter, Problem, Uploaded,
    },
    verify::Question,
};

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The path of the API below a service's origin.
pub const BASE_PATH: &str = "/dev/v1";
/// The longest time that one call of [`Client::wait`] waits, as the service allows.
pub const MAX_WAIT: Duration = Duration::from_mins(1);

/// Calls one service with one key. Clones share their connections.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    /// The base URL, without a trailing slash.
    base: String,
    /// The complete `Authorization` header.
    key: header::HeaderValue,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("base", &self.base)
            .finish_non_exhaustive()
    }
}

impl Client {
    /// A client of the service at `url`, which is its origin or its base URL.
    pub fn new(url: &str, key: &str) -> Result<Self> {
        let parsed =
            Url::parse(url).map_err(|error| Error::Setup(format!("`{url}` is not a URL: {error}")))?;
        if !matches!(parsed.scheme(), "http" | "https") || !parsed.has_host() {
            return Err(Error::Setup(format!("`{url}` is not an http or https URL")));
        }
        let mut base = parsed.as_str().trim_end_matches('/').to_owned();
        if matches!(parsed.path(), "" | "/") {
            base.push_str(BASE_PATH);
        }
        let mut key = header::HeaderValue::from_str(&format!("Bearer {key}"))
            .map_err(|_| Error::Setup("the API key contains invalid characters".to_owned()))?;
        key.set_sensitive(true);
        let http = tls::client_builder()
            .connect_timeout(Duration::from_secs(10))
            // A request that waits for a job receives nothing in the meantime.
            .read_timeout(MAX_WAIT + Duration::from_secs(30))
            .tcp_nodelay(true)
            .user_agent(concat!("atelier-client/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| Error::Setup(error.to_string()))?;
        Ok(Self { http, base, key })
    }

    /// Creates a generation. Each call has its own idempotency key, which makes retries safe.
    pub async fn create(&self, new: &CreateGeneration) -> Result<Accepted> {
        self.create_from(new).await
    }

    /// Creates a generation from a request's fields, as the API takes them.
    pub async fn create_with(&self, fields: &serde_json::Map<String, serde_json::Value>) -> Result<Accepted> {
        self.create_from(fields).await
    }

    async fn create_from(&self, new: &(impl serde::Serialize + Sync)) -> Result<Accepted> {
        let key = retry::idempotency_key();
        self.read(|| {
            Ok(self
                .request(Method::POST, "/generations")
                .header("idempotency-key", &key)
                .json(new))
        })
        .await
    }

    pub async fn get(&self, id: &str) -> Result<Generation> {
        self.read(|| Ok(self.request(Method::GET, &below("generations", id))))
            .await
    }

    /// Waits until the generation has ended, but no longer than `longest` (at most [`MAX_WAIT`]).
    pub async fn wait(&self, id: &str, longest: Duration) -> Result<Generation> {
        let path = format!(
            "{}?wait={}",
            below("generations", id),
            longest.min(MAX_WAIT).as_secs()
        );
        self.read(|| Ok(self.request(Method::GET, &path))).await
    }

    /// The account's generations, newest first.
    pub async fn list(&self, filter: &GenerationFilter) -> Result<List<Generation>> {
        self.send(|| Ok(self.request(Method::GET, &with_query("/generations", &filter.query()))))
            .await
    }

    /// Cancels an unfinished generation.
    pub async fn cancel(&self, id: &str) -> Result<Generation> {
        let path = format!("{}/cancel", below("generations", id));
        let response = self.request(Method::POST, &path).send().await?;
        Ok(error::read::<Data<Generation>>(response).await?.data)
    }

    /// Every model and tool that is served now.
    pub async fn models(&self) -> Result<Vec<ModelSummary>> {
        let mut models = Vec::new();
        let mut query = BTreeMap::from([("limit", "200".to_owned())]);
        loop {
            let path = with_query("/models", &query);
            let page: List<ModelSummary> = self.send(|| Ok(self.request(Method::GET, &path))).await?;
            models.extend(page.data);
            match page.meta.next_cursor {
                Some(cursor) => query.insert("cursor", cursor),
                None => return Ok(models),
            };
        }
    }

    pub async fn model(&self, slug: &str) -> Result<Model> {
        self.read(|| Ok(self.request(Method::GET, &below("models", slug))))
            .await
    }

    /// The available credits.
    pub async fn balance(&self) -> Result<i64> {
        Ok(self
            .read::<Balance>(|| Ok(self.request(Method::GET, "/balance")))
            .await?
            .credits)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http
            .request(method, format!("{}{path}", self.base))
            .header(header::AUTHORIZATION, self.key.clone())
    }

    async fn read<T: DeserializeOwned>(&self, request: impl Fn() -> Result<RequestBuilder>) -> Result<T> {
        Ok(self.send::<Data<T>>(request).await?.data)
    }

    /// Sends a request that can be repeated, with retries.
    async fn send<T: DeserializeOwned>(&self, request: impl Fn() -> Result<RequestBuilder>) -> Result<T> {
        let answer = |response: Response| error::read(response);
        retry::repeat(|| async { answer(request()?.send().await?).await }).await
    }
}

/// A path with one more segment, which may have any characters.
fn below(collection: &str, name: &str) -> String {
    let mut url = Url::parse("http://x").expect("a constant URL is valid");
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.push(collection).push(name);
    }
    url.path().to_owned()
}

fn with_query(path: &str, query: &BTreeMap<&'static str, String>) -> String {
    let mut url = Url::parse("http://x").expect("a constant URL is valid");
    url.set_path(path);
    url.query_pairs_mut().extend_pairs(query);
    match url.query() {
        Some("") | None => path.to_owned(),
        Some(query) => format!("{path}?{query}"),
    }
}

#[cfg(test)]
mod tests;
