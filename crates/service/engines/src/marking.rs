//! Hidden marks in pictures, films and sounds: an id of the generation that made them, under the service's key. Child
//! processes of the embedded engines decode the files, write the marks and read them. Readers are processes of their
//! own, so that questions of strangers never hold up results. So are those that mark films, which never hold up
//! pictures and sounds.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    time::Duration,
};

use atelier_domain::{Failure, FailureCode, GenerationId, MediaKind, MediaType};
use atelier_media::{Scratch, sniff};
use atelier_protocol::{Input, Request};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::{Context, DraftEngine, DraftOptions, Engine as _, Job, RouteOptions};

/// The tasks of the embedded engines.
const WRITE: &str = "watermark";
const READ: &str = "watermark-reading";
const LOOK: &str = "likeness";
/// The file that the first of them writes.
const MARKED: &str = "watermarked";
/// How long one picture may take to be marked, and any file to be read, with the wait for a process.
const PATIENCE: Duration = Duration::from_secs(30);
/// The same for a sound to be marked, which lasts up to ten minutes.
const PATIENCE_FOR_SOUND: Duration = Duration::from_secs(90);
/// The same for a film to be marked. The task refuses films that would need more than some 100 seconds of a processor.
const PATIENCE_FOR_FILMS: Duration = Duration::from_mins(5);
/// A marked file may be larger than the one before: room for this many times its size, and this many bytes. A film
/// may grow to eight times its size, and is there twice when it is put together.
const GROWTH: u64 = 3;
const GROWTH_OF_FILMS: u64 = 16;
const AT_LEAST: u64 = 2 << 20;

/// The engines that write and read marks.
#[derive(Debug)]
pub struct Marking {
    writers: DraftEngine,
    films: DraftEngine,
    readers: DraftEngine,
}

/// The outcome of marking a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Written {
    Written,
    /// The picture or film is too small or too empty to carry one, or the sound too short or too quiet.
    TooPlain,
    /// The picture is not a PNG, JPEG or WebP with eight bits a channel, or it is an animation. The film is not an MP4
    /// with H.264 that can be written again, or it is too long. The sound is not a WAV, FLAC or MP3 file.
    Unsupported,
    /// The file carries a signed manifest of its origin, which a mark would break.
    Signed,
    /// The mark could not be written in time, or not at all.
    Failed,
}

impl Written {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::TooPlain => "too_plain",
            Self::Unsupported => "unsupported",
            Self::Signed => "signed",
            Self::Failed => "failed",
        }
    }
}

/// A mark that was read.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Seen {
    /// When the generation was accepted, in milliseconds since 1970.
    pub milliseconds: u64,
    /// The last four bits of its id.
    pub tail: u8,
    /// How clearly it was read; 6.1 is the least in pictures, and 5.7 in sounds.
    pub score: f64,
}

impl Seen {
    /// Whether a generation of this time has this mark.
    pub fn is_of(&self, id: GenerationId) -> bool {
        id.0.as_bytes()[15] & 0xf == self.tail
    }
}

#[derive(Deserialize)]
struct Said {
    watermark: Written,
}

#[derive(Deserialize)]
struct Found {
    found: Option<Seen>,
}

#[derive(Deserialize)]
struct Looked {
    likeness: Option<String>,
}

impl Marking {
    /// `hosts` says how its processes start.
    pub fn new(hosts: DraftOptions) -> Self {
        Self {
            readers: DraftEngine::new(DraftOptions {
                concurrency: 1,
                ..hosts.clone()
            }),
            films: DraftEngine::new(hosts.clone()),
            writers: DraftEngine::new(hosts),
        }
    }

    /// Writes the mark of a generation into a file of its result, in its folder. If that is not possible, the file
    /// stays as it is. Returns `None` for a file that is not a picture, film or sound. `left` is the time that the job
    /// still has: at most half of it is used, because more steps follow.
    pub async fn write(
        &self,
        path: &Path,
        id: GenerationId,
        key: &[u8; 32],
        scratch: &Scratch,
        left: Duration,
    ) -> Option<Written> {
        let media_type = type_of(path.to_owned()).await?;
        media_type.kind()?;
        let Some(patience) = patience(media_type) else {
            return Some(Written::Unsupported);
        };
        let replacing = self.replace(path, media_type, id, key, scratch);
        Some(match timeout(patience.min(left / 2), replacing).await {
            Ok(Ok(written)) => written,
            Ok(Err(why)) => {
                tracing::warn!(job = %id, why, "a result could not be marked");
                Written::Failed
            }
            Err(_) => {
                tracing::warn!(job = %id, "a result could not be marked in time");
                Written::Failed
            }
        })
    }

    async fn replace(
        &self,
        path: &Path,
        media_type: MediaType,
        id: GenerationId,
        key: &[u8; 32],
        scratch: &Scratch,
    ) -> Result<Written, String> {
        let (hosts, growth) = match media_type {
            MediaType::Mp4 => (&self.films, GROWTH_OF_FILMS),
            _ => (&self.writers, GROWTH),
        };
        let size = tokio::fs::metadata(path).await.map_err(text)?.len();
        let mut room = scratch.reservation();
        room.need(size * growth + AT_LEAST).await.map_err(text)?;
        let out = scratch.below("marking");
        tokio::fs::create_dir_all(out.path()).await.map_err(text)?;
        let params = [("key", hex::encode(key)), ("id", id.0.simple().to_string())];
        let request = request(WRITE, &params, (path, media_type), out.path());
        let answer = ask(hosts, &request, id, &out).await;
        let said = match answer.and_then(|metadata| said::<Said>(metadata, WRITE)) {
            Ok(Said { watermark }) => watermark,
            Err(failure) => return Err(failure.message),
        };
        let marked = out.path().join(MARKED);
        if said == Written::Written {
            // Only the name is the host's: a link, say, would not be its file.
            if !tokio::fs::symlink_metadata(&marked)
                .await
                .map_err(text)?
                .is_file()
            {
                return Err("the marked result is not a file".to_owned());
            }
            tokio::fs::rename(&marked, path).await.map_err(text)?;
        }
        Ok(said)
    }

    /// Reads the mark of a picture, film or sound, a stranger's perhaps; `None`: it has none of this key.
    pub async fn read(
        &self,
        file: (&Path, MediaType),
        id: GenerationId,
        key: &[u8; 32],
        scratch: &Scratch,
    ) -> Result<Option<Seen>, Failure> {
        let request = request(READ, &[("key", hex::encode(key))], file, scratch.path());
        let late = || Failure::retry(FailureCode::GenerationTimeout, "too busy", PATIENCE);
        let asked = timeout(PATIENCE, ask(&self.readers, &request, id, scratch)).await;
        let found = said::<Found>(asked.map_err(|_| late())??, READ)?;
        Ok(found.found)
    }

    /// Returns the likeness of a picture, as 256 bits; `None`: it shows next to nothing. Bits that differ are
    /// differences.
    pub async fn likeness(
        &self,
        picture: (&Path, MediaType),
        id: GenerationId,
        scratch: &Scratch,
    ) -> Result<Option<[u8; 32]>, Failure> {
        let request = request(LOOK, &[], picture, scratch.path());
        let late = || Failure::retry(FailureCode::GenerationTimeout, "too busy", PATIENCE);
        let asked = timeout(PATIENCE, ask(&self.writers, &request, id, scratch)).await;
        let Looked { likeness } = said(asked.map_err(|_| late())??, LOOK)?;
        let mut bits = [0; 32];
        let read = likeness.map(|digits| hex::decode_to_slice(digits, &mut bits));
        Ok(read.and_then(Result::ok).map(|()| bits))
    }

    /// Ends its processes.
    pub async fn close(&self) {
        self.writers.close().await;
        self.films.close().await;
        self.readers.close().await;
    }
}

/// How long a file of this type may take to be marked; `None`: no file of it is.
fn patience(media_type: MediaType) -> Option<Duration> {
    match media_type {
        MediaType::Png | MediaType::Jpeg | MediaType::Webp => Some(PATIENCE),
        MediaType::Mp4 => Some(PATIENCE_FOR_FILMS),
        MediaType::Wav | MediaType::Flac | MediaType::Mp3 => Some(PATIENCE_FOR_SOUND),
        _ => None,
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn said<T: serde::de::DeserializeOwned>(metadata: Map<String, Value>, task: &str) -> Result<T, Failure> {
    serde_json::from_value(Value::Object(metadata)).map_err(|error| {
        Failure::fail(
            FailureCode::GenerationFailed,
            format!("the task {task} gave an answer that cannot be read: {error}"),
        )
    })
}

async fn ask(
    hosts: &DraftEngine,
    request: &Request,
    id: GenerationId,
    scratch: &Scratch,
) -> Result<Map<String, Value>, Failure> {
    let job = Job {
        id,
        attempt: 1,
        model: request.task.clone(),
        task: request.task.clone(),
        kind: MediaKind::Image,
        params: Map::new(),
        asked: Vec::new(),
        inputs: Vec::new(),
        seed: 0,
        options: RouteOptions::default(),
        resume: None,
        scratch: scratch.clone(),
    };
    let context = Context::new(CancellationToken::new(), |_| {});
    let answer = hosts.on_a_host(&job, request, &context).await?;
    Ok(answer.metadata)
}

fn request(task: &str, params: &[(&str, String)], file: (&Path, MediaType), out: &Path) -> Request {
    Request {
        task: task.to_owned(),
        params: params
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect(),
        inputs: vec![Input {
            parameter: "file".to_owned(),
            path: file.0.to_owned(),
            media_type: file.1.mime().to_owned(),
            seconds: None,
        }],
        seed: 0,
        out: out.to_owned(),
    }
}

/// Returns the type of a file from its first bytes.
async fn type_of(path: PathBuf) -> Option<MediaType> {
    let reading = tokio::task::spawn_blocking(move || {
        let mut head = Vec::new();
        let file = fs::File::open(path).ok()?;
        file.take(sniff::HEAD as u64).read_to_end(&mut head).ok()?;
        sniff::sniff(&head)
    });
    reading.await.ok().flatten()
}
