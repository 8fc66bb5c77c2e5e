//! Uploads that clients send to the bucket themselves: `prefix/incoming/name`.
//!
//! Each is allowed by a form that is signed with the bucket's credentials (an S3 "POST policy", signature version 4).
//! Nothing serves the objects in this folder. They are checked, stored again under the hash of their bytes, and
//! removed.

use std::{collections::BTreeMap, fmt, io, sync::Arc, time::Duration};

use atelier_domain::{MediaType, Timestamp};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _};
use hmac::{Hmac, KeyInit as _, Mac as _};
use object_store::{
    ObjectStore, ObjectStoreExt as _,
    aws::{AwsCredential, AwsCredentialProvider},
    path::Path,
};
use serde_json::{Value, json};
use sha2::Sha256;

use super::{Blob, BlobError};

/// The folder below the prefix of the media.
const FOLDER: &str = "incoming";
const ALGORITHM: &str = "AWS4-HMAC-SHA256";
/// A note on an upload lies beside it and outlives it.
const NOTE: &str = ".note";
/// Objects that one clean-up looks at.
const MOST: usize = 1_000;

/// What a form is signed with.
#[derive(Clone)]
pub(super) struct Signing {
    pub(super) bucket: String,
    pub(super) region: String,
    pub(super) credentials: AwsCredentialProvider,
}

/// The folder of uploads that are not checked yet.
pub struct Incoming {
    store: Arc<dyn ObjectStore>,
    folder: Path,
    signing: Signing,
    address: String,
}

/// What a form allows: one file of this type and size, until a time.
#[derive(Debug, Clone, Copy)]
pub struct Allowed<'a> {
    /// The name of the object, from [`Incoming::name`].
    pub name: &'a str,
    pub media_type: MediaType,
    /// In bytes.
    pub size: u64,
    pub now: Timestamp,
    pub valid: Duration,
}

/// A form for one upload: a `multipart/form-data` body of these fields and then the part `file`, sent by POST.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    pub url: String,
    pub fields: BTreeMap<String, String>,
}

impl Incoming {
    pub(super) fn new(store: Arc<dyn ObjectStore>, prefix: &Path, signing: Signing, address: &str) -> Self {
        Self {
            store,
            folder: prefix.clone().join(FOLDER),
            signing,
            address: address.to_owned(),
        }
    }

    /// The name of an upload that began at this time. Names sort by time, so a clean-up finds the oldest first.
    pub fn name(began: Timestamp, random: [u8; 16]) -> String {
        format!("{}-{}", moment(began), hex::encode(random))
    }

    /// Signs a form. The bucket refuses another key, type or size, and an upload after the form's time.
    pub async fn form(&self, allowed: Allowed<'_>) -> Result<Form, BlobError> {
        let credential = self.signing.credentials.get_credential().await?;
        Ok(form(
            &self.signing,
            &credential,
            (&self.address, self.key(allowed.name).as_ref()),
            allowed,
        ))
    }

    /// Opens an upload; [`BlobError::Missing`] if it has not arrived.
    pub async fn open(&self, name: &str) -> Result<Blob, BlobError> {
        let result = self.store.get(&self.key(name)).await?;
        Ok(Blob {
            size: result.meta.size,
            stream: result.into_stream().map_err(io::Error::other).boxed(),
        })
    }

    /// Keeps a note on an upload.
    pub async fn note(&self, name: &str, note: Bytes) -> Result<(), BlobError> {
        self.store.put(&self.note_key(name), note.into()).await?;
        Ok(())
    }

    /// The note on an upload, if there is one.
    pub async fn noted(&self, name: &str) -> Result<Option<Bytes>, BlobError> {
        match self.store.get(&self.note_key(name)).await {
            Ok(note) => Ok(Some(note.bytes().await?)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes an upload, but not the note on it. A missing one is not an error.
    pub async fn remove(&self, name: &str) -> Result<(), BlobError> {
        self.delete(&self.key(name)).await
    }

    /// Removes uploads that began before a time, and the notes on them: the oldest, as many as one request lists.
    /// Returns how many objects were removed.
    pub async fn remove_before(&self, time: Timestamp) -> Result<usize, BlobError> {
        let before = moment(time);
        let found: Vec<Path> = self
            .store
            .list(Some(&self.folder))
            .take(MOST)
            .map_ok(|object| object.location)
            .try_collect()
            .await?;
        let mut removed = 0;
        for key in found {
            let is_old = key
                .filename()
                .and_then(|name| name.get(..before.len() + 1))
                .and_then(|start| start.strip_suffix('-'))
                .is_some_and(|began| began < before.as_str());
            if is_old {
                self.delete(&key).await?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    async fn delete(&self, key: &Path) -> Result<(), BlobError> {
        match self.store.delete(key).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn key(&self, name: &str) -> Path {
        self.folder.clone().join(name)
    }

    fn note_key(&self, name: &str) -> Path {
        self.key(&format!("{name}{NOTE}"))
    }
}

impl fmt::Debug for Incoming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Incoming")
            .field("folder", &self.folder)
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

/// Fills in and signs a form, as "Authenticating Requests in Browser-Based Uploads Using POST" (AWS) describes.
fn form(
    signing: &Signing,
    credential: &AwsCredential,
    (address, key): (&str, &str),
    allowed: Allowed<'_>,
) -> Form {
    let Signing { bucket, region, .. } = signing;
    let time = basic(allowed.now);
    let scope = [&time[..8], region, "s3", "aws4_request"];
    let mut fields = BTreeMap::from([
        ("key", key.to_owned()),
        ("Content-Type", allowed.media_type.mime().to_owned()),
        ("x-amz-algorithm", ALGORITHM.to_owned()),
        (
            "x-amz-credential",
            format!("{}/{}", credential.key_id, scope.join("/")),
        ),
        ("x-amz-date", time.clone()),
    ]);
    if let Some(token) = &credential.token {
        fields.insert("x-amz-security-token", token.clone());
    }
    let mut conditions: Vec<Value> = fields
        .iter()
        .map(|(name, value)| json!({ *name: value }))
        .collect();
    conditions.push(json!({ "bucket": bucket }));
    conditions.push(json!(["content-length-range", allowed.size, allowed.size]));
    let expiration = allowed.now.plus(allowed.valid).to_string();
    let policy = json!({ "expiration": expiration, "conditions": conditions }).to_string();
    let policy = STANDARD.encode(policy);
    let secret = format!("AWS4{}", credential.secret_key).into_bytes();
    let key = scope.iter().fold(secret, |key, part| hmac(&key, part));
    fields.insert("x-amz-signature", hex::encode(hmac(&key, &policy)));
    fields.insert("policy", policy);
    Form {
        url: address.to_owned(),
        fields: fields
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    }
}

fn hmac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of every length");
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// A time as names have it: milliseconds since 1970 in hexadecimal digits.
fn moment(time: Timestamp) -> String {
    format!("{:012x}", time.millis().max(0))
}

/// The basic form of ISO 8601: `20261121T093000Z`.
fn basic(time: Timestamp) -> String {
    let text = time.to_string();
    let digits = text.split('.').next().unwrap_or_default().replace(['-', ':'], "");
    format!("{digits}Z")
}

#[cfg(test)]
mod tests;
