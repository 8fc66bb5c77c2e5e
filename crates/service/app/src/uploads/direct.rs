//! Uploads that a client sends to the bucket itself: a signed form, then the checks of every upload.
//!
//! Nothing is written down between the two steps. The id of an upload is sealed with a key of the service and says what
//! was asked for. A note in the bucket keeps the outcome, so that completing an upload again answers the same.

use std::{collections::BTreeMap, time::Duration};

use atelier_catalog::Problem;
use atelier_domain::{AccountId, FileName, MediaType, Scope, Timestamp};
use atelier_media::{
    BlobError, Received,
    blobs::incoming::{Allowed, Incoming},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use futures::TryStreamExt as _;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use uuid::Uuid;

use super::Uploaded;
use crate::{App, Caller, Error, Result, System, secrets};

/// The name of the key in the store.
const SECRET: &str = "direct uploads";
/// How long a form is valid.
const FORM: Duration = Duration::from_mins(15);
/// How long after its begin an upload can be completed: a slow one begins late and takes its time.
const OPEN: Duration = Duration::from_hours(1);
/// How long after its begin an upload stays in the bucket. The time beyond [`OPEN`] belongs to checks in progress.
const KEPT: Duration = Duration::from_hours(2);
/// The lengths of an id's parts, in bytes.
const FIXED: usize = 48;
const HASH: usize = 32;

/// A file that a client wants to send to the bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announced {
    /// A media type, such as `image/png`.
    pub content_type: String,
    /// In bytes.
    pub size: u64,
    /// The SHA-256 of the bytes in hexadecimal digits, if the client knows it.
    pub sha256: Option<String>,
}

/// A form for one file.
#[derive(Debug, Clone)]
pub struct DirectUpload {
    pub id: String,
    pub url: String,
    pub fields: BTreeMap<String, String>,
    /// The bucket refuses the form from then on.
    pub expires_at: Timestamp,
    pub complete_before: Timestamp,
}

/// What an id says.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Ticket {
    account: AccountId,
    began: Timestamp,
    random: [u8; 16],
    size: u64,
    sha256: Option<[u8; HASH]>,
}

/// What became of an upload.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Stored(FileName),
    Refused {
        message: String,
        parameter: Option<String>,
    },
}

impl Ticket {
    fn object(&self) -> String {
        Incoming::name(self.began, self.random)
    }

    fn seal(&self, key: &[u8; 32]) -> String {
        let mut bytes = Vec::with_capacity(FIXED + 2 * HASH);
        bytes.extend_from_slice(self.account.0.as_bytes());
        bytes.extend_from_slice(&self.began.micros().to_be_bytes());
        bytes.extend_from_slice(&self.random);
        bytes.extend_from_slice(&self.size.to_be_bytes());
        bytes.extend_from_slice(self.sha256.as_ref().map_or(&[][..], |hash| hash));
        let seal = mac(key, &bytes);
        bytes.extend_from_slice(&seal);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Returns nothing for a text that this service did not seal.
    fn open(key: &[u8; 32], id: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(id).ok()?;
        let (bytes, seal) = bytes.split_at_checked(bytes.len().checked_sub(HASH)?)?;
        if !secrets::equal(seal, &mac(key, bytes)) {
            return None;
        }
        let (account, bytes) = bytes.split_first_chunk()?;
        let (began, bytes) = bytes.split_first_chunk()?;
        let (random, bytes) = bytes.split_first_chunk()?;
        let (size, bytes) = bytes.split_first_chunk()?;
        Some(Self {
            account: AccountId(Uuid::from_bytes(*account)),
            began: Timestamp(i64::from_be_bytes(*began)),
            random: *random,
            size: u64::from_be_bytes(*size),
            sha256: bytes.try_into().ok(),
        })
    }
}

fn mac(key: &[u8; 32], bytes: &[u8]) -> [u8; HASH] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of every length");
    mac.update(bytes);
    mac.finalize().into_bytes().into()
}

impl App {
    /// Signs a form, with which the client sends one file to the bucket.
    pub async fn begin_direct_upload(&self, caller: &Caller, announced: &Announced) -> Result<DirectUpload> {
        let account = caller.may_make(Scope::Upload)?.id;
        let incoming = self.incoming()?;
        let (media_type, sha256) = self.checked(announced)?;
        let now = self.now();
        let mut random = [0; 16];
        self.entropy().fill(&mut random);
        let ticket = Ticket {
            account,
            began: now,
            random,
            size: announced.size,
            sha256,
        };
        let allowed = Allowed {
            name: &ticket.object(),
            media_type,
            size: ticket.size,
            now,
            valid: FORM,
        };
        let form = incoming.form(allowed).await?;
        Ok(DirectUpload {
            id: ticket.seal(&self.upload_key().await?),
            url: form.url,
            fields: form.fields,
            expires_at: now.plus(FORM),
            complete_before: now.plus(OPEN),
        })
    }

    /// Checks the file in the bucket as [`finish_upload`](Self::finish_upload) checks every upload, and stores it.
    pub async fn complete_direct_upload(&self, caller: &Caller, id: &str) -> Result<Uploaded> {
        let account = caller.may_make(Scope::Upload)?.id;
        let incoming = self.incoming()?;
        let ticket = Ticket::open(&self.upload_key().await?, id)
            .filter(|ticket| ticket.account == account)
            .ok_or_else(|| {
                let id: String = id.chars().take(200).collect();
                Error::NotFound(format!("there is no upload with the id `{id}`"))
            })?;
        let until = ticket.began.plus(OPEN);
        if self.now() >= until {
            return Err(Error::Gone(format!(
                "this upload expired at {until}: begin another one with `POST /uploads/direct`"
            )));
        }
        let name = ticket.object();
        if let Some(outcome) = outcome(incoming, &name).await? {
            return self.again(caller, outcome).await;
        }
        match self.check_and_store(caller, incoming, &ticket).await {
            Ok(Some((uploaded, file))) => {
                close(incoming, &name, &Outcome::Stored(file)).await;
                Ok(uploaded)
            }
            // Another request may have completed it just now.
            Ok(None) => {
                let outcome = outcome(incoming, &name).await?.ok_or_else(|| {
                    let message =
                        "no file has arrived at the bucket for this upload: send it with the form first";
                    Error::Conflict(message.to_owned())
                })?;
                self.again(caller, outcome).await
            }
            Err(Error::InvalidRequest { message, details }) => {
                let parameter = details.first().map(|problem| problem.parameter.clone());
                let refused = Outcome::Refused {
                    message: message.clone(),
                    parameter,
                };
                close(incoming, &name, &refused).await;
                Err(Error::InvalidRequest { message, details })
            }
            Err(error) => Err(error),
        }
    }

    fn incoming(&self) -> Result<&Incoming> {
        self.blobs().incoming().ok_or_else(|| {
            Error::invalid(
                "this service takes no uploads at a bucket: send the file to `POST /uploads`. The operator allows \
                 them with `media.url` (a bucket) and `media.upload_url`",
            )
        })
    }

    /// The media type and the hash that a client announces.
    fn checked(&self, announced: &Announced) -> Result<(MediaType, Option<[u8; HASH]>)> {
        let Announced {
            content_type,
            size,
            sha256,
        } = announced;
        let most = self.settings().max_upload_bytes;
        if *size > most {
            return Err(Error::TooLarge(format!(
                "`size` must be at most {most} bytes (got {size})"
            )));
        }
        let mut problems = Vec::new();
        let mut problem = |parameter: &str, message: String| {
            problems.push(Problem {
                parameter: parameter.to_owned(),
                message,
            });
        };
        let known = MediaType::UPLOADABLE;
        let media_type = known.iter().find(|known| known.mime() == content_type);
        if media_type.is_none() {
            let allowed: Vec<_> = known.iter().map(|known| known.mime()).collect();
            let message = format!(
                "`content_type` must be one of {} (got `{content_type}`)",
                allowed.join(", ")
            );
            problem("content_type", message);
        }
        if *size == 0 {
            problem(
                "size",
                format!("`size` must be between 1 and {most} bytes (got 0)"),
            );
        }
        let hash = sha256.as_ref().map(|text| {
            let mut hash = [0; HASH];
            hex::decode_to_slice(text, &mut hash).map(|()| hash)
        });
        if let (Some(text), Some(Err(_))) = (sha256, &hash) {
            let message = format!("`sha256` must have 64 hexadecimal digits (got `{text}`)");
            problem("sha256", message);
        }
        match (media_type, hash.transpose()) {
            (Some(media_type), Ok(hash)) if problems.is_empty() => Ok((*media_type, hash)),
            _ => Err(Error::problems(problems)),
        }
    }

    /// Treats the file in the bucket as every upload; `None` if it has not arrived.
    async fn check_and_store(
        &self,
        caller: &Caller,
        incoming: &Incoming,
        ticket: &Ticket,
    ) -> Result<Option<(Uploaded, FileName)>> {
        let Some(received) = self.receive(caller, incoming, ticket).await? else {
            return Ok(None);
        };
        let uploaded = self.finish_upload(caller, &received).await?;
        Ok(Some((uploaded, received.name.clone())))
    }

    /// Fetches the file from the bucket; `None` if it has not arrived.
    async fn receive(
        &self,
        caller: &Caller,
        incoming: &Incoming,
        ticket: &Ticket,
    ) -> Result<Option<Received>> {
        let mut blob = match incoming.open(&ticket.object()).await {
            Ok(blob) => blob,
            Err(BlobError::Missing) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        if blob.size != ticket.size {
            let message = format!(
                "`size` was {} bytes, and the file in the bucket has {}: begin another upload",
                ticket.size, blob.size
            );
            return Err(Error::parameter("size", message));
        }
        let mut intake = self.begin_upload(caller).await?;
        while let Some(chunk) = blob.stream.try_next().await.map_err(BlobError::from)? {
            intake.write(&chunk).await?;
        }
        let received = intake.finish().await?;
        if let Some(hash) = ticket.sha256.map(hex::encode)
            && hash != received.name.sha256()
        {
            let message = format!(
                "`sha256` was {hash}, and the file in the bucket has {}: begin another upload",
                received.name.sha256()
            );
            return Err(Error::parameter("sha256", message));
        }
        Ok(Some(received))
    }

    /// The answer to an upload that was completed before.
    async fn again(&self, caller: &Caller, outcome: Outcome) -> Result<Uploaded> {
        let file = match outcome {
            Outcome::Stored(file) => file,
            Outcome::Refused { message, parameter } => {
                return Err(match parameter {
                    Some(parameter) => Error::parameter(&parameter, message),
                    None => Error::invalid(message),
                });
            }
        };
        self.still_up(&file).await?;
        let facts = self.store().files(std::slice::from_ref(&file)).await?;
        let is_own = self.store().is_file_of(&file, caller.id()).await?;
        let Some(facts) = facts.into_iter().flatten().next().filter(|_| is_own) else {
            return Err(Error::Gone("this upload was deleted".to_owned()));
        };
        Ok(Uploaded {
            url: self.links(caller).await?.url(&file),
            media_type: facts.media_type,
            size: facts.size,
        })
    }

    /// The key that seals the ids of uploads. The first node makes it.
    async fn upload_key(&self) -> Result<[u8; 32]> {
        let key = self.0.upload_key.get_or_try_init(async || {
            let mut fresh = [0; 32];
            self.entropy().fill(&mut fresh);
            let known = self.store().secret(SECRET, &fresh, self.now()).await?;
            let wrong =
                |_| Error::Internal("the stored key of direct uploads does not have 32 bytes".to_owned());
            <[u8; 32]>::try_from(known).map_err(wrong)
        });
        key.await.copied()
    }
}

impl System {
    /// Removes the oldest uploads in the bucket that nobody completed in time, and notes on completed ones.
    pub async fn remove_old_incoming(&self) -> Result<usize> {
        match self.app.blobs().incoming() {
            None => Ok(0),
            Some(incoming) => Ok(incoming.remove_before(self.app.now().minus(KEPT)).await?),
        }
    }
}

async fn outcome(incoming: &Incoming, name: &str) -> Result<Option<Outcome>> {
    let unreadable = |error| Error::Internal(format!("the note on an upload cannot be read: {error}"));
    match incoming.noted(name).await? {
        None => Ok(None),
        Some(note) => serde_json::from_slice(&note).map(Some).map_err(unreadable),
    }
}

/// Notes the outcome and removes the upload. Without the note, the upload stays, so that it can be completed again.
async fn close(incoming: &Incoming, name: &str, outcome: &Outcome) {
    let noted = match serde_json::to_vec(outcome) {
        Ok(note) => incoming.note(name, note.into()).await,
        Err(error) => Err(BlobError::Storage(Box::new(error))),
    };
    let closed = match noted {
        Ok(()) => incoming.remove(name).await,
        failed => failed,
    };
    if let Err(error) = closed {
        tracing::warn!(%error, "a completed upload could not be removed from the bucket yet");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticket(sha256: Option<[u8; HASH]>) -> Ticket {
        Ticket {
            account: AccountId(Uuid::from_u128(7)),
            began: Timestamp(1_795_000_000_000_000),
            random: [9; 16],
            size: 48_213,
            sha256,
        }
    }

    #[test]
    fn an_id_says_what_was_sealed_and_only_with_the_same_key() {
        for sealed in [ticket(None), ticket(Some([3; HASH]))] {
            let id = sealed.seal(&[1; 32]);
            assert_eq!(Ticket::open(&[1; 32], &id), Some(sealed));
            assert_eq!(Ticket::open(&[2; 32], &id), None);
        }
    }

    #[test]
    fn an_id_that_was_changed_is_unknown() {
        let id = ticket(Some([3; HASH])).seal(&[1; 32]);
        for index in 0..id.len() {
            let mut other = id.clone().into_bytes();
            other[index] = if other[index] == b'A' { b'B' } else { b'A' };
            let other = String::from_utf8(other).unwrap();
            assert_eq!(Ticket::open(&[1; 32], &other), None, "{other}");
        }
        for wrong in [
            "",
            "A",
            "AAAA",
            "not base64!",
            &id[..id.len() - 4],
            &format!("{id}AAAA"),
        ] {
            assert_eq!(Ticket::open(&[1; 32], wrong), None, "{wrong}");
        }
    }
}
