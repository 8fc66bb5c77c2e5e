//! Downloads one file until its digest fits, or says plainly why it cannot.
//!
//! A file comes in pieces. A piece is written when it is whole, with its digest in the journal. A killed process loses
//! at most the pieces that were on their way, and a broken connection loses nothing. Only the digest of the whole file
//! is known beforehand. If it does not fit, every piece is downloaded again, first those whose connection broke,
//! preferably from a mirror, and only until the digest fits.

mod answer;
mod client;
mod search;
mod span;

use std::{sync::Arc, time::Duration};

use futures::{StreamExt as _, TryStreamExt as _, stream};

pub use self::client::Proxies;
use self::{answer::Fault, client::Client};
use crate::{
    entry::Pin,
    error::{Error, Result},
    locks::{FileLock, Mode},
    meter::{Meter, Step},
    part::{self, Checked, Part},
    source::{HUB, Source},
    store::Store,
};

/// How often pieces that the disk lost are downloaded again before it counts as broken.
const DISK_ROUNDS: usize = 3;
/// The longest run of pieces that one request asks for.
const SPAN: u64 = 64 << 20;

/// How files are downloaded.
#[derive(Debug, Clone)]
pub struct Options {
    /// The hub that `hf://` means, without a trailing slash.
    pub endpoint: String,
    /// The token for the hub. It is sent to the endpoint's own host only.
    pub token: Option<String>,
    /// Never connect to anything.
    pub offline: bool,
    /// Allow plain `http://` URLs.
    pub allow_http: bool,
    /// A server that may be asked without encryption all the same, such as that of the bucket.
    pub plain: Option<url::Url>,
    pub proxies: Proxies,
    /// More certificate authorities, as PEM.
    pub ca_pem: Option<Vec<u8>>,
    /// Bytes per second, for everything together.
    pub bandwidth: Option<u64>,
    /// Requests at the same time for one large file.
    pub ranges: usize,
    /// Files of this size and more come in several ranges at the same time.
    pub parallel_from: u64,
    /// The size of a piece in bytes.
    pub piece: u64,
    /// How long a connection may bring nothing.
    pub stall: Duration,
    /// Attempts without progress before a download fails.
    pub tries: u32,
    /// The pause after the first of them; it doubles each time.
    pub backoff: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            endpoint: HUB.to_owned(),
            token: None,
            offline: false,
            allow_http: false,
            plain: None,
            proxies: Proxies::default(),
            ca_pem: None,
            bandwidth: None,
            ranges: 4,
            parallel_from: 64 << 20,
            piece: 8 << 20,
            stall: Duration::from_secs(30),
            tries: 6,
            backoff: Duration::from_secs(1),
        }
    }
}

/// A file to download.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Want<'a> {
    /// The entry, for messages.
    pub(crate) name: &'a str,
    pub(crate) pin: &'a Pin,
    /// The addresses, in the order to try them.
    pub(crate) sources: &'a [&'a Source],
}

/// Downloads into a store. Clones share connections and the bandwidth limit.
#[derive(Debug, Clone)]
pub struct Downloader {
    store: Store,
    options: Arc<Options>,
    client: Client,
}

impl Downloader {
    pub fn new(store: Store, options: Options) -> Result<Self> {
        let options = Arc::new(options);
        Ok(Self {
            store,
            client: Client::new(Arc::clone(&options))?,
            options,
        })
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Size and SHA-256 that the server of an address announces, each if it does.
    pub async fn announced(&self, name: &str, source: &Source) -> Result<(Option<u64>, Option<String>)> {
        if self.options.offline {
            return Err(Error::Offline(name.to_owned()));
        }
        let facts = self.client.facts(name, source).await.map_err(Fault::into_error)?;
        Ok((facts.size, facts.sha256))
    }

    /// Makes the blob be there. Two who ask share one download.
    pub(crate) async fn fetch(&self, want: Want<'_>, meter: &Meter) -> Result<()> {
        let (pin, start) = (want.pin, meter.verified());
        let done = || meter.set_verified(start + pin.size);
        if self.store.has(pin) {
            done();
            return Ok(());
        }
        if self.options.offline {
            return Err(Error::Offline(want.name.to_owned()));
        }
        self.store.prepare()?;
        let lock = self.store.parts().join(format!("{}.lock", pin.sha256));
        let _lock = FileLock::wait(&lock, Mode::Exclusive, || {
            meter.enter(Step::Waiting);
            meter.set_verified(start + part::bytes_of(&self.store, pin));
        })
        .await?;
        if self.store.has(pin) {
            done();
            return Ok(());
        }
        let part = Arc::new(Part::open(&self.store, pin, self.options.piece)?);
        for _ in 0..DISK_ROUNDS {
            meter.enter(Step::Downloading);
            meter.set_verified(start + part.bytes());
            self.fill(want, &part, meter).await?;
            meter.enter(Step::Checking);
            match check(&part).await? {
                Checked::Whole => return finish(&part, &self.store).await,
                Checked::Lost(pieces) => {
                    tracing::warn!(file = %pin.sha256, pieces = pieces.len(), "the disk lost pieces of a download");
                    part.forget(&pieces)?;
                }
                Checked::Other(found) => {
                    meter.enter(Step::Searching);
                    return match self.search(want, &part, meter, found).await {
                        Ok(()) => finish(&part, &self.store).await,
                        Err(error) => {
                            if matches!(error, Error::WrongBytes { .. }) {
                                part.discard();
                            }
                            Err(error)
                        }
                    };
                }
            }
        }
        Err(Error::Invalid(format!(
            "{}: the disk does not keep what is written to it",
            self.store.parts().display()
        )))
    }

    /// Downloads the missing pieces, from the first source that has them.
    async fn fill(&self, want: Want<'_>, part: &Arc<Part>, meter: &Meter) -> Result<()> {
        let mut first = None;
        for source in want.sources {
            match self.fill_from(want, source, part, meter).await {
                Ok(()) => return Ok(()),
                Err(Fault::Local(error)) => return Err(error),
                Err(fault) => {
                    let error = fault.into_error();
                    tracing::info!(%error, "a source of weights failed");
                    first.get_or_insert(error);
                }
            }
        }
        Err(first.unwrap_or_else(|| Error::Invalid(format!("`{}` has a file without an address", want.name))))
    }

    async fn fill_from(
        &self,
        want: Want<'_>,
        source: &Source,
        part: &Arc<Part>,
        meter: &Meter,
    ) -> Result<(), Fault> {
        if part.missing(usize::MAX).is_empty() {
            return Ok(());
        }
        let remote = self.client.remote(want, source).await?;
        let parallel = want.pin.size >= self.options.parallel_from;
        let (ways, longest) = if parallel {
            let ways = self.options.ranges.max(1);
            // A file that is not much larger than a span is shared out evenly.
            let even = part.count().div_ceil(ways);
            (ways, even.min((SPAN / part.piece_size()) as usize).max(1))
        } else {
            (1, usize::MAX)
        };
        let runs = part.missing(longest);
        let spans = stream::iter(
            runs.into_iter()
                .map(|run| self.client.span(&remote, part, run, meter)),
        );
        match spans.buffer_unordered(ways).try_collect::<()>().await {
            Err(Fault::NoRanges) => self.client.whole(&remote, part, meter).await,
            done => done,
        }
    }
}

async fn check(part: &Arc<Part>) -> Result<Checked> {
    let part = Arc::clone(part);
    blocking(move || part.check()).await
}

async fn finish(part: &Arc<Part>, store: &Store) -> Result<()> {
    let (part, store) = (Arc::clone(part), store.clone());
    blocking(move || part.finish(&store)).await
}

/// Runs file operations off the threads that serve connections.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(Error::Invalid(format!("a file operation ended early: {error}"))))
}
