//! Says what is known about a file: whether it was made here, carries a mark of this service, or says itself that it
//! was generated. Anybody may ask. Nobody learns whose it was or what it was made from, and nothing of it is kept.

use std::{
    collections::HashMap,
    sync::{Mutex, OnceLock, PoisonError},
    time::Duration,
};

use atelier_domain::{GenerationId, MediaKind, MediaType, RateLimit, RateState, Scope, Timestamp};
use atelier_engines::Seen;
pub use atelier_engines::credentials::{Manifest, ManifestState};
use atelier_media::{Declared, Intake, Received};
use atelier_outbound::{FetchError, Limits, Outbound, Timeouts};
use atelier_store::{Gone, Origin};
use tokio::sync::Semaphore;
use url::Url;
use uuid::Uuid;

use crate::{App, Caller, Error, Result, likeness::WorkFolder, people::network, private::query_of};

/// Files that one network may ask about, on each node.
const PER_MINUTE: u32 = 10;
/// Files that are examined at the same time. More wait for at most so long.
const AT_ONCE: usize = 4;
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a download may take.
const DOWNLOAD: Duration = Duration::from_secs(20);
/// Counters kept before those that have run out are removed.
const KEPT: usize = 20_000;
/// Generations of one millisecond that are looked at.
const SAME_TIME: u32 = 256;
/// The bits of a UUID after its time.
const AFTER_TIME: u32 = 80;

/// The facts known about a file.
#[derive(Debug, Clone)]
pub struct Verdict {
    pub received: Facts,
    /// The generation that made exactly these bytes.
    pub made_by: Option<Known>,
    /// Whether an operator took exactly these bytes down.
    pub was_taken_down: bool,
    pub watermark: Watermarked,
    /// Its Content Credentials; `None`: it has none, or they were not examined.
    pub credentials: Option<Manifest>,
    pub declared: Declared,
}

/// The file itself.
#[derive(Debug, Clone)]
pub struct Facts {
    pub sha256: String,
    pub media_type: MediaType,
    pub size: u64,
}

/// A generation, as far as strangers may know of it.
#[derive(Debug, Clone)]
pub struct Known {
    pub id: GenerationId,
    pub model: String,
    pub kind: MediaKind,
    pub created_at: Timestamp,
    pub is_deleted: bool,
    /// Whether it belongs to the account that asks.
    pub is_own: bool,
}

/// The result of a search for an invisible mark.
#[derive(Debug, Clone)]
pub enum Watermarked {
    /// Only pictures, videos and sounds carry marks, and only a program with the embedded engines reads them.
    NotExamined(&'static str),
    No,
    Yes {
        /// When the generation was accepted.
        at: Timestamp,
        /// How clearly it was read; 6.1 is the least in pictures, and 5.7 in sounds.
        score: f64,
        /// `None`: nothing is left of it, or several generations of that millisecond have this mark.
        made_by: Option<Known>,
    },
}

impl Verdict {
    /// Whether the file, or what it was made of, comes from this service.
    pub fn is_from_here(&self) -> bool {
        self.made_by.is_some() || self.is_signed_here() || matches!(self.watermark, Watermarked::Yes { .. })
    }

    /// Whether the file is as this service signed it.
    pub fn is_signed_here(&self) -> bool {
        let manifest = self.credentials.as_ref();
        manifest.is_some_and(|manifest| manifest.is_own && manifest.state != ManifestState::Invalid)
    }
}

/// The limits and the downloader for examining files, on this node.
#[derive(Debug)]
pub(crate) struct Verifying {
    turns: Semaphore,
    asked: Mutex<HashMap<String, Timestamp>>,
    downloads: OnceLock<Outbound>,
}

impl Default for Verifying {
    fn default() -> Self {
        Self {
            turns: Semaphore::new(AT_ONCE),
            asked: Mutex::default(),
            downloads: OnceLock::new(),
        }
    }
}

impl App {
    /// Takes one question of a client's network, or says how long to wait.
    pub fn take_question(&self, address: &str) -> Result<RateState> {
        let limit = RateLimit {
            per_minute: PER_MINUTE,
        };
        let now = self.now();
        let mut asked = self
            .0
            .verifying
            .asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if asked.len() >= KEPT {
            asked.retain(|_, tat| *tat > now);
        }
        let tat = asked.entry(network(address)).or_default();
        let (next, state) = limit.take(*tat, now).map_err(Error::RateLimited)?;
        *tat = next;
        Ok(state)
    }

    /// A place for the bytes of a file to look at. If dropped early, it leaves nothing behind.
    pub async fn begin_question(&self) -> Result<Intake> {
        let settings = self.settings();
        Ok(Intake::new(&settings.scratch, settings.max_upload_bytes).await?)
    }

    /// Fetches a file to look at, through the guard.
    pub async fn fetch_question(&self, url: &str) -> Result<Received> {
        let wrong = |why: String| Error::parameter("url", format!("`url` cannot be fetched: {why}"));
        let settings = self.settings();
        let mut intake = self.begin_question().await?;
        if let Some(Ok(name)) = self.stored_file(url) {
            if self.store().is_private(&name).await? {
                self.may_read(&name, query_of(url)).await?;
            }
            let mut blob = self.blobs().get(&name, None).await?;
            while let Some(chunk) = futures::StreamExt::next(&mut blob.stream).await {
                let chunk = chunk.map_err(|error| Error::Internal(error.to_string()))?;
                intake.write(&chunk).await?;
            }
            return Ok(intake.finish().await?);
        }
        let url: Url = self
            .guard()
            .check_input_url(url)
            .map_err(|refused| wrong(refused.to_string()))?;
        let limits = Limits {
            max_bytes: settings.max_upload_bytes,
            time: DOWNLOAD,
        };
        let failed = |error: FetchError| wrong(error.to_string());
        let mut download = atelier_outbound::fetch(self.downloads()?, &url, limits)
            .await
            .map_err(failed)?;
        while let Some(chunk) = download.chunk().await.map_err(failed)? {
            intake.write(&chunk).await?;
        }
        Ok(intake.finish().await?)
    }

    fn downloads(&self) -> Result<&Outbound> {
        let known = &self.0.verifying.downloads;
        if let Some(downloads) = known.get() {
            return Ok(downloads);
        }
        let timeouts = Timeouts {
            total: DOWNLOAD,
            ..Timeouts::default()
        };
        let made =
            Outbound::new(*self.guard(), timeouts).map_err(|error| Error::Internal(error.to_string()))?;
        Ok(known.get_or_init(|| made))
    }

    /// Looks at a file. `caller` learns which generations are its own.
    pub async fn verify(&self, received: Received, caller: Option<&Caller>) -> Result<Verdict> {
        let turn = tokio::time::timeout(PATIENCE, self.0.verifying.turns.acquire()).await;
        let _turn = turn
            .map_err(|_| Error::Unavailable("too many files are examined now: try again shortly"))?
            .map_err(|error| Error::Internal(error.to_string()))?;
        let path = received.path().to_owned();
        let declaring = tokio::task::spawn_blocking(move || Declared::of(&path));
        let declared = declaring
            .await
            .map_err(|error| Error::Internal(error.to_string()))?;
        let own = caller
            .and_then(|caller| caller.account(Scope::Read).ok())
            .map(|account| account.id);
        let known = |origin: Origin| Known {
            is_own: own == Some(origin.account),
            id: origin.id,
            model: origin.model,
            kind: origin.kind,
            created_at: origin.created_at,
            is_deleted: origin.is_deleted,
        };
        let maker = self.store().maker_of(&received.name).await?;
        let was_taken_down = self.store().gone(&received.name).await? == Some(Gone::TakenDown);
        let declared = declared.map_err(|error| Error::Internal(error.to_string()))?;
        Ok(Verdict {
            made_by: maker.map(known),
            was_taken_down,
            watermark: self.look_for_mark(&received, known).await?,
            credentials: self.manifest(&received, &declared).await,
            declared,
            received: Facts {
                sha256: received.name.sha256().to_owned(),
                media_type: received.facts.media_type,
                size: received.facts.size,
            },
        })
    }

    async fn manifest(&self, received: &Received, declared: &Declared) -> Option<Manifest> {
        let credentials = self.routes().credentials().filter(|_| declared.has_manifest)?;
        let own = self.signers(credentials).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "signatures are read without a certificate of this service");
            Vec::new()
        });
        match credentials.read(received.path(), &own).await {
            Ok(manifest) => Some(manifest).filter(|manifest| manifest.state != ManifestState::None),
            Err(why) => {
                tracing::warn!(why, "the Content Credentials of a file could not be read");
                None
            }
        }
    }

    async fn look_for_mark(
        &self,
        received: &Received,
        known: impl Fn(Origin) -> Known,
    ) -> Result<Watermarked> {
        let what = match received.facts.media_type.kind() {
            Some(MediaKind::Image) => "the picture cannot be decoded",
            Some(MediaKind::Video) => "the video cannot be decoded",
            Some(MediaKind::Audio) => "the sound cannot be decoded",
            None => {
                return Ok(Watermarked::NotExamined(
                    "only pictures, videos and sounds carry a watermark",
                ));
            }
        };
        let Some(marking) = self.routes().marking() else {
            return Ok(Watermarked::NotExamined("this service cannot read watermarks"));
        };
        let key = self.watermark_key().await?;
        let id = GenerationId(self.entropy().uuid(self.now()));
        let folder = WorkFolder::new(self.settings().scratch.below(format!("verify-{id}"))).await?;
        let file = (received.path(), received.facts.media_type);
        let seen = match marking.read(file, id, &key, &folder.0).await {
            Ok(seen) => seen,
            Err(failure) if failure.is_retryable() => {
                return Err(Error::Unavailable(
                    "the file could not be examined now: try again shortly",
                ));
            }
            Err(_) => return Ok(Watermarked::NotExamined(what)),
        };
        Ok(match seen {
            None => Watermarked::No,
            Some(seen) => Watermarked::Yes {
                at: Timestamp(i64::try_from(seen.milliseconds).unwrap_or_default() * 1_000),
                score: seen.score,
                made_by: self.made_at(seen).await?.map(known),
            },
        })
    }

    /// The only generation that a mark can mean.
    async fn made_at(&self, seen: Seen) -> Result<Option<Origin>> {
        let first = u128::from(seen.milliseconds) << AFTER_TIME;
        let last = first | ((1 << AFTER_TIME) - 1);
        let [first, last] = [first, last].map(|number| GenerationId(Uuid::from_u128(number)));
        let mut found = self.store().made_between(first, last, SAME_TIME).await?;
        found.retain(|origin| seen.is_of(origin.id));
        Ok(if found.len() == 1 { found.pop() } else { None })
    }
}
