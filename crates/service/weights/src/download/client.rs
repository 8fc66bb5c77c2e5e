//! Requests: redirects by hand, the token for its own host only, and what a refusal means.

use std::{
    fmt,
    sync::{Arc, Mutex},
    time::Duration,
};

use atelier_outbound::{retry_after, tls};
use reqwest::{
    Method, Response, StatusCode,
    header::{ACCEPT_ENCODING, AUTHORIZATION, IF_RANGE, LOCATION, RANGE},
};
use tokio::time::{Instant, sleep, sleep_until};
use url::Url;

use super::{
    Options, Want,
    answer::{Facts, Fault, Remote, shown},
};
use crate::{
    error::{Error, Result},
    source::Source,
};

const MAX_REDIRECTS: usize = 10;
/// A server that asks for a longer pause fails the download.
const LONGEST_WAIT: Duration = Duration::from_hours(1);
/// The longest pause of our own.
const LONGEST_BACKOFF: Duration = Duration::from_mins(1);

/// Proxies, as the usual variables name them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    /// For `http://` URLs.
    pub http: Option<String>,
    /// For `https://` URLs.
    pub https: Option<String>,
    /// Hosts that are reached directly.
    pub no_proxy: Option<String>,
}

// Their URLs may hold passwords.
impl fmt::Debug for Proxies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proxies")
            .field("no_proxy", &self.no_proxy)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Clone)]
pub(super) struct Client {
    http: reqwest::Client,
    pub(super) options: Arc<Options>,
    /// When the next bytes may be taken, for the bandwidth limit.
    next: Arc<Mutex<Option<Instant>>>,
    /// The endpoint's origin: the only place that gets the token.
    hub: url::Origin,
}

/// An answer that is not a redirect.
pub(super) struct Answer {
    pub(super) response: Response,
    pub(super) url: Url,
    pub(super) facts: Facts,
}

impl Client {
    pub(super) fn new(options: Arc<Options>) -> Result<Self> {
        let wrong = |error: &dyn fmt::Display| Error::Client(error.to_string());
        let mut builder = match &options.ca_pem {
            Some(pem) => tls::client_builder_trusting(pem).map_err(Error::Client)?,
            None => tls::client_builder(),
        };
        let Proxies {
            http,
            https,
            no_proxy,
        } = &options.proxies;
        let except = || no_proxy.as_deref().and_then(reqwest::NoProxy::from_string);
        if let Some(url) = http {
            let proxy = reqwest::Proxy::http(url).map_err(|error| wrong(&error))?;
            builder = builder.proxy(proxy.no_proxy(except()));
        }
        if let Some(url) = https {
            let proxy = reqwest::Proxy::https(url).map_err(|error| wrong(&error))?;
            builder = builder.proxy(proxy.no_proxy(except()));
        }
        let http = builder
            .connect_timeout(options.stall.min(Duration::from_secs(15)))
            .user_agent(concat!("atelier/", env!("CARGO_PKG_VERSION")))
            .referer(false)
            .build()
            .map_err(|error| wrong(&error))?;
        let endpoint = Url::parse(&options.endpoint)
            .map_err(|error| Error::Client(format!("the endpoint {}: {error}", options.endpoint)))?;
        Ok(Self {
            http,
            hub: endpoint.origin(),
            options,
            next: Arc::default(),
        })
    }

    /// Asks the server of a source what it has, and compares that with the index.
    pub(super) async fn remote(&self, want: Want<'_>, source: &Source) -> Result<Remote, Fault> {
        let first = self.first(source)?;
        let (facts, resolved) = self.ask(want.name, source, &first).await?;
        if let Err(reason) = facts.compare(want.pin) {
            return Err(Fault::Source(Error::Source {
                url: shown(&first),
                reason,
            }));
        }
        Ok(Remote {
            source: source.clone(),
            name: want.name.to_owned(),
            pin: want.pin.clone(),
            first,
            resolved: Mutex::new(Some(resolved)),
            etag: facts.etag,
        })
    }

    pub(super) async fn facts(&self, name: &str, source: &Source) -> Result<Facts, Fault> {
        let first = self.first(source)?;
        Ok(self.ask(name, source, &first).await?.0)
    }

    fn first(&self, source: &Source) -> Result<Url, Fault> {
        let wrong = |error: url::ParseError| Fault::Source(Error::Invalid(format!("{source}: {error}")));
        source.url(&self.options.endpoint).map_err(wrong)
    }

    /// `HEAD`, or the first byte where a server does not answer `HEAD`.
    async fn ask(&self, name: &str, source: &Source, first: &Url) -> Result<(Facts, Url), Fault> {
        let mut patience = Patience::new(&self.options);
        loop {
            let asked = match self.send(Method::HEAD, first, &[]).await {
                // Addresses that are signed for GET alone answer HEAD like this.
                Ok(answer) if matches!(answer.response.status().as_u16(), 400 | 403 | 405 | 501) => {
                    self.send(Method::GET, first, &[(RANGE, "bytes=0-0")]).await
                }
                asked => asked,
            };
            let fault = match asked {
                Ok(answer) if answer.response.status().is_success() => return Ok((answer.facts, answer.url)),
                Ok(answer) => self.refusal(name, source, &answer),
                Err(fault) => fault,
            };
            patience.after(fault).await?;
        }
    }

    /// The bytes of a file from `from` on, and before `end`.
    pub(super) async fn range(&self, remote: &Remote, from: u64, end: u64) -> Result<Response, Fault> {
        let range = format!("bytes={from}-{}", end - 1);
        let mut headers = vec![(RANGE, range.as_str())];
        headers.extend(remote.etag.as_deref().map(|etag| (IF_RANGE, etag)));
        let answer = self.get(remote, &headers).await?;
        let wrong = |reason: String| {
            Fault::Source(Error::Source {
                url: shown(&remote.first),
                reason,
            })
        };
        let got = super::answer::content_range;
        let found = answer.response.headers().get(reqwest::header::CONTENT_RANGE);
        let found = found.and_then(|value| got(value.to_str().ok()?));
        match answer.response.status() {
            StatusCode::PARTIAL_CONTENT => {
                answer.facts.compare(&remote.pin).map_err(wrong)?;
                match found {
                    Some(found) if found.from == from => Ok(answer.response),
                    _ => Err(Fault::NoRanges),
                }
            }
            StatusCode::OK => {
                answer.facts.compare(&remote.pin).map_err(wrong)?;
                if from == 0 && end == remote.pin.size {
                    Ok(answer.response)
                } else {
                    Err(Fault::NoRanges)
                }
            }
            StatusCode::RANGE_NOT_SATISFIABLE => Err(wrong(format!(
                "the server does not have the bytes {from} to {end} of a file of {} bytes",
                remote.pin.size
            ))),
            _ => Err(self.refusal(&remote.name, &remote.source, &answer)),
        }
    }

    /// The whole file.
    pub(super) async fn all(&self, remote: &Remote) -> Result<Response, Fault> {
        let answer = self.get(remote, &[]).await?;
        if answer.response.status() != StatusCode::OK {
            return Err(self.refusal(&remote.name, &remote.source, &answer));
        }
        answer.facts.compare(&remote.pin).map_err(|reason| {
            Fault::Source(Error::Source {
                url: shown(&remote.first),
                reason,
            })
        })?;
        Ok(answer.response)
    }

    /// `GET` where the redirects led last time, or from the start.
    async fn get(
        &self,
        remote: &Remote,
        headers: &[(reqwest::header::HeaderName, &str)],
    ) -> Result<Answer, Fault> {
        let resolved = remote.resolved.lock().map(|url| url.clone()).unwrap_or_default();
        let from_start = resolved.is_none();
        let url = resolved.unwrap_or_else(|| remote.first.clone());
        let answer = self.send(Method::GET, &url, headers).await?;
        let status = answer.response.status();
        // Signed addresses expire.
        let refused = matches!(status.as_u16(), 401 | 403 | 404 | 410);
        let keep = |url: Option<Url>| {
            if let Ok(mut resolved) = remote.resolved.lock() {
                *resolved = url;
            }
        };
        if refused && !from_start && url != remote.first {
            keep(None);
            return Err(Fault::Stale {
                url: shown(&url),
                status: status.as_u16(),
            });
        }
        if from_start && status.is_success() {
            keep(Some(answer.url.clone()));
        }
        Ok(answer)
    }

    /// Sends a request and follows its redirects.
    async fn send(
        &self,
        method: Method,
        first: &Url,
        headers: &[(reqwest::header::HeaderName, &str)],
    ) -> Result<Answer, Fault> {
        let mut url = first.clone();
        let mut facts = Facts::default();
        for _ in 0..=MAX_REDIRECTS {
            self.check_scheme(&url)?;
            let mut request = self
                .http
                .request(method.clone(), url.clone())
                .header(ACCEPT_ENCODING, "identity");
            for (name, value) in headers {
                request = request.header(name, *value);
            }
            if let Some(token) = self.options.token.as_ref().filter(|_| url.origin() == self.hub) {
                request = request.header(AUTHORIZATION, format!("Bearer {token}"));
            }
            let temporary = |reason: String| Fault::Temporary {
                url: shown(&url),
                reason,
                wait: None,
            };
            let sent = tokio::time::timeout(self.options.stall, request.send()).await;
            let response = sent
                .map_err(|_| temporary(format!("no answer within {:?}", self.options.stall)))?
                .map_err(|error| temporary(cause(&error)))?;
            facts.read(response.headers(), response.status());
            if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
                return Ok(Answer { response, url, facts });
            }
            let target = response
                .headers()
                .get(LOCATION)
                .and_then(|value| value.to_str().ok());
            url = target.and_then(|target| url.join(target).ok()).ok_or_else(|| {
                Fault::Source(Error::Source {
                    url: shown(&url),
                    reason: "the server redirects to no address".to_owned(),
                })
            })?;
        }
        Err(Fault::Source(Error::Source {
            url: shown(first),
            reason: format!("the server redirects more than {MAX_REDIRECTS} times"),
        }))
    }

    fn check_scheme(&self, url: &Url) -> Result<(), Fault> {
        let is_plain = || {
            self.options
                .plain
                .as_ref()
                .is_some_and(|plain| plain.origin() == url.origin())
        };
        if url.scheme() == "https" || (url.scheme() == "http" && (self.options.allow_http || is_plain())) {
            return Ok(());
        }
        Err(Fault::Source(Error::Source {
            url: shown(url),
            reason: "only https is allowed (plain http with `outbound.allow_private`)".to_owned(),
        }))
    }

    /// Returns the fault that an answer without the file means.
    pub(super) fn refusal(&self, name: &str, source: &Source, answer: &Answer) -> Fault {
        let status = answer.response.status();
        let url = answer.url.clone();
        match status.as_u16() {
            401 | 403 if source.is_hub() || url.origin() == self.hub => Fault::Source(Error::Gated {
                name: name.to_owned(),
                host: url.host_str().unwrap_or_default().to_owned(),
                status: status.as_u16(),
                page: source.page(&self.options.endpoint).unwrap_or_else(|| shown(&url)),
            }),
            408 | 425 | 429 | 500.. => Fault::Temporary {
                reason: format!("the server answers with status {}", status.as_u16()),
                wait: retry_after(answer.response.headers()),
                url: shown(&url),
            },
            _ => Fault::Source(Error::Source {
                url: shown(&url),
                reason: format!("the server answers with status {}", status.as_u16()),
            }),
        }
    }

    /// Waits until so many bytes fit into the bandwidth limit.
    pub(super) async fn admit(&self, bytes: u64) {
        let Some(rate) = self.options.bandwidth else {
            return;
        };
        let takes = Duration::from_secs_f64(bytes as f64 / rate as f64);
        let until = {
            let Ok(mut next) = self.next.lock() else { return };
            let now = Instant::now();
            let start = next.unwrap_or(now).max(now);
            *next = Some(start + takes);
            start
        };
        sleep_until(until).await;
    }
}

/// Counts attempts without progress, and waits between them.
pub(super) struct Patience<'a> {
    options: &'a Options,
    failed: u32,
}

impl<'a> Patience<'a> {
    pub(super) const fn new(options: &'a Options) -> Self {
        Self { options, failed: 0 }
    }

    /// The connection brought something before it broke.
    pub(super) const fn progressed(&mut self) {
        self.failed = 0;
    }

    /// Waits before the next attempt, or gives the fault back if there shall be none.
    pub(super) async fn after(&mut self, fault: Fault) -> Result<(), Fault> {
        let (url, wait) = match &fault {
            Fault::Temporary { url, wait, .. } => (url, *wait),
            Fault::Stale { url, .. } => (url, None),
            _ => return Err(fault),
        };
        self.failed += 1;
        if self.failed >= self.options.tries {
            return Err(fault);
        }
        if let Some(wait) = wait.filter(|wait| *wait > LONGEST_WAIT) {
            let url = url.clone();
            return Err(Fault::Source(Error::Wait { url, wait }));
        }
        let backoff = self.options.backoff * 2_u32.pow(self.failed.min(16) - 1);
        let pause = wait.unwrap_or(backoff.min(LONGEST_BACKOFF));
        tracing::debug!(%url, ?pause, "a download is tried again");
        sleep(pause).await;
        Ok(())
    }
}

/// The innermost cause, which names the refused connection or the bad certificate.
pub(super) fn cause(error: &reqwest::Error) -> String {
    let mut found: &dyn std::error::Error = error;
    while let Some(deeper) = found.source() {
        found = deeper;
    }
    found.to_string()
}
