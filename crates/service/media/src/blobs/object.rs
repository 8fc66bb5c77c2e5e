//! Stored files in a bucket (S3 or a compatible service), or in memory: `prefix/name`.
//! The layout is flat, so a bucket's public address can serve files directly.

use std::{collections::BTreeMap, fmt, io, ops::Range, path::Path as FilePath, sync::Arc, time::Duration};

use atelier_domain::FileName;
use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::{
    Attribute, Attributes, GetOptions, GetRange, MultipartUpload as _, ObjectStore, ObjectStoreExt as _,
    PutMultipartOptions, PutOptions, PutPayload, RetryConfig, StaticCredentialProvider,
    aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey, AwsCredential},
    client::{HttpClient, HttpConnector},
    path::Path,
};
use tokio::io::AsyncReadExt as _;
use url::Url;

use super::{
    Blob, BlobError, OpenError,
    incoming::{Incoming, Signing},
};
use atelier_outbound::tls;

/// Files up to this size are sent in one request, larger ones in parts of this size.
const PART: usize = 8 * 1024 * 1024;

/// A request that fails is not repeated later than this. Jobs wait in the queue for longer.
const RETRIES: Duration = Duration::from_secs(30);

/// The region of a bucket whose options name none.
const DEFAULT_REGION: &str = "us-east-1";

pub(super) struct Bucket {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    label: String,
    signing: Signing,
    incoming: Option<Incoming>,
}

impl Bucket {
    pub(super) fn memory() -> Self {
        Self {
            store: Arc::new(object_store::memory::InMemory::new()),
            prefix: Path::default(),
            label: "memory:".to_owned(),
            signing: Signing {
                bucket: "memory".to_owned(),
                region: DEFAULT_REGION.to_owned(),
                credentials: Arc::new(StaticCredentialProvider::new(AwsCredential {
                    key_id: String::new(),
                    secret_key: String::new(),
                    token: None,
                })),
            },
            incoming: None,
        }
    }

    pub(super) fn s3(url: &Url, options: &BTreeMap<String, String>) -> Result<Self, OpenError> {
        let (store, prefix) = amazon(url, options)?;
        let signing = Signing {
            bucket: url.host_str().unwrap_or_default().to_owned(),
            region: options
                .get("region")
                .cloned()
                .unwrap_or_else(|| DEFAULT_REGION.to_owned()),
            credentials: Arc::clone(store.credentials()),
        };
        Ok(Self {
            store: Arc::new(store),
            signing,
            incoming: None,
            label: format!("s3://{}{}", url.host_str().unwrap_or_default(), url.path()),
            prefix,
        })
    }

    /// Lets clients upload to the bucket at this address.
    pub(super) fn take_uploads_at(&mut self, address: &str) {
        let store = Arc::clone(&self.store);
        self.incoming = Some(Incoming::new(store, &self.prefix, self.signing.clone(), address));
    }

    pub(super) const fn incoming(&self) -> Option<&Incoming> {
        self.incoming.as_ref()
    }

    pub(super) async fn put_file(&self, source: &FilePath, name: &FileName) -> Result<(), BlobError> {
        put_file(&*self.store, source, &self.key(name), attributes(name)).await
    }

    pub(super) async fn put_bytes(&self, bytes: Bytes, name: &FileName) -> Result<(), BlobError> {
        if self.present(name).await? {
            return Ok(());
        }
        self.send(bytes, name).await
    }

    pub(super) async fn get(&self, name: &FileName, range: Option<Range<u64>>) -> Result<Blob, BlobError> {
        let options = GetOptions {
            range: range.clone().map(GetRange::Bounded),
            ..Default::default()
        };
        let result = match self.store.get_opts(&self.key(name), options).await {
            Ok(result) => result,
            Err(error) => {
                // A bucket answers a bad range like any other failure; the size tells them apart.
                let error = BlobError::from(error);
                if let (Some(range), BlobError::Storage(_)) = (&range, &error) {
                    let size = self.size(name).await?;
                    if range.is_empty() || range.end > size {
                        return Err(BlobError::RangeOutside { size });
                    }
                }
                return Err(error);
            }
        };
        let size = result.meta.size;
        if range.is_some_and(|range| range != result.range) {
            return Err(BlobError::RangeOutside { size });
        }
        Ok(Blob {
            size,
            stream: result.into_stream().map_err(io::Error::other).boxed(),
        })
    }

    pub(super) async fn size(&self, name: &FileName) -> Result<u64, BlobError> {
        Ok(self.store.head(&self.key(name)).await?.size)
    }

    pub(super) async fn delete(&self, name: &FileName) -> Result<(), BlobError> {
        Ok(self.store.delete(&self.key(name)).await?)
    }

    pub(super) async fn check(&self) -> Result<(), BlobError> {
        // A request for one object would say "not found" for a missing bucket too. No name sorts after `~`.
        let last = self.prefix.clone().join("~");
        self.store
            .list_with_offset(Some(&self.prefix), &last)
            .try_next()
            .await?;
        Ok(())
    }

    async fn present(&self, name: &FileName) -> Result<bool, BlobError> {
        match self.size(name).await {
            Ok(_) => Ok(true),
            Err(BlobError::Missing) => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn send(&self, bytes: Bytes, name: &FileName) -> Result<(), BlobError> {
        let options = PutOptions {
            attributes: attributes(name),
            ..Default::default()
        };
        self.store
            .put_opts(&self.key(name), bytes.into(), options)
            .await?;
        Ok(())
    }

    fn key(&self, name: &FileName) -> Path {
        self.prefix.clone().join(name.as_str())
    }
}

/// The client of a bucket, and the prefix in it.
pub(super) fn amazon(url: &Url, options: &BTreeMap<String, String>) -> Result<(AmazonS3, Path), OpenError> {
    let wrong = |reason: &str| OpenError::Url {
        url: url.to_string(),
        reason: reason.to_owned(),
    };
    let bucket = url
        .host_str()
        .filter(|host| !host.is_empty())
        .ok_or_else(|| wrong("it names no bucket"))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("credentials belong in the options"));
    }
    let prefix = Path::from_url_path(url.path()).map_err(|error| wrong(&error.to_string()))?;
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(bucket)
        .with_http_connector(Connector)
        .with_retry(RetryConfig {
            retry_timeout: RETRIES,
            ..RetryConfig::default()
        });
    for (key, value) in options {
        let key: AmazonS3ConfigKey = key
            .parse()
            .map_err(|_| OpenError::Bucket(format!("`{key}` is no option of a bucket")))?;
        builder = builder.with_config(key, value);
    }
    let store = builder
        .build()
        .map_err(|error| OpenError::Bucket(error.to_string()))?;
    Ok((store, prefix))
}

/// Stores a file under a key, unless there is one.
pub(super) async fn put_file(
    store: &dyn ObjectStore,
    source: &FilePath,
    key: &Path,
    attributes: Attributes,
) -> Result<(), BlobError> {
    let unreadable = |error: io::Error| BlobError::Storage(Box::new(error));
    match store.head(key).await {
        Ok(_) => return Ok(()),
        Err(object_store::Error::NotFound { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let mut file = tokio::fs::File::open(source).await.map_err(unreadable)?;
    let size = file.metadata().await.map_err(unreadable)?.len();
    if size <= PART as u64 {
        let mut bytes = Vec::with_capacity(size as usize);
        file.read_to_end(&mut bytes).await.map_err(unreadable)?;
        let options = PutOptions {
            attributes,
            ..Default::default()
        };
        store.put_opts(key, bytes.into(), options).await?;
        return Ok(());
    }
    let options = PutMultipartOptions {
        attributes,
        ..Default::default()
    };
    let part = part_size(size);
    let mut upload = store.put_multipart_opts(key, options).await?;
    let sent = async {
        loop {
            let mut bytes = Vec::with_capacity(part);
            (&mut file)
                .take(part as u64)
                .read_to_end(&mut bytes)
                .await
                .map_err(unreadable)?;
            if bytes.is_empty() {
                break;
            }
            upload.put_part(PutPayload::from(bytes)).await?;
        }
        upload.complete().await?;
        Ok(())
    }
    .await;
    if sent.is_err() {
        // The upload has already failed. The bucket's lifecycle rule removes the parts that stay behind.
        if let Err(error) = upload.abort().await {
            tracing::warn!(%key, %error, "an unfinished upload could not be removed from the bucket");
        }
    }
    sent
}

/// The size of a part: S3 takes 10,000 parts.
const fn part_size(size: u64) -> usize {
    let least = size.div_ceil(10_000) as usize;
    if least > PART { least } else { PART }
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label)
    }
}

impl From<object_store::Error> for BlobError {
    fn from(error: object_store::Error) -> Self {
        match error {
            object_store::Error::NotFound { .. } => Self::Missing,
            other => Self::Storage(Box::new(other)),
        }
    }
}

/// The headers that a bucket must send with each file that it serves itself.
fn attributes(name: &FileName) -> Attributes {
    Attributes::from_iter([
        (Attribute::ContentType, name.media_type().mime()),
        (Attribute::CacheControl, "public, max-age=31536000, immutable"),
    ])
}

/// Connects to buckets with the TLS of the rest of the service. The operator configured the address, so the guard does
/// not apply.
#[derive(Debug)]
struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, _: &object_store::ClientOptions) -> object_store::Result<HttpClient> {
        let client = tls::client_builder()
            .connect_timeout(Duration::from_secs(5))
            .read_timeout(Duration::from_secs(30))
            .build()
            .map_err(|source| object_store::Error::Generic {
                store: "S3",
                source: Box::new(source),
            })?;
        Ok(HttpClient::new(client))
    }
}
