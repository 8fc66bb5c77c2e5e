//! Stored files by name: in a folder, in memory or in a bucket, behind one type.
//! A file is written once and never changes. Its name is the hash of its bytes.

mod folder;
pub mod incoming;
mod object;
mod shared;
mod watch;

use std::{
    collections::BTreeMap,
    fmt, io,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use atelier_domain::FileName;
use bytes::Bytes;
use futures_util::{StreamExt as _, stream::BoxStream};
use url::Url;

use self::{folder::Folder, incoming::Incoming, object::Bucket, watch::Watch};
pub use shared::SharedFiles;

/// The storage of files. Clones share it.
#[derive(Clone)]
pub struct Blobs {
    place: Arc<Place>,
    watch: Arc<Watch>,
}

enum Place {
    Folder(Folder),
    Bucket(Box<Bucket>),
}

/// A stored file opened for reading.
pub struct Blob {
    /// Bytes of the whole file, whatever the range.
    pub size: u64,
    /// The requested bytes, in order. Dropping the stream closes the file.
    pub stream: BoxStream<'static, io::Result<Bytes>>,
}

#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    #[error("no file is stored under this name")]
    Missing,
    #[error("the media storage is full")]
    DiskFull,
    #[error("the range lies outside the {size} bytes of the file")]
    RangeOutside { size: u64 },
    #[error("the media storage failed: {0}")]
    Storage(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<io::Error> for BlobError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull,
            _ => Self::Storage(Box::new(error)),
        }
    }
}

/// Why a storage cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("`{url}` is not a media storage: expected file:/path, memory: or s3://bucket/prefix ({reason})")]
    Url { url: String, reason: String },
    #[error("the media folder {path} cannot be used: {source}")]
    Folder { path: PathBuf, source: io::Error },
    #[error("the bucket cannot be used: {0}")]
    Bucket(String),
    #[error("clients can upload straight to a bucket only: the media storage must be s3://bucket/prefix")]
    NoBucket,
}

impl Blobs {
    /// Opens the storage at `url`: `file:///path` or `file:/path` (created if missing), `memory:`, or
    /// `s3://bucket/prefix`. `options` are for buckets: `access_key_id`, `secret_access_key`, `session_token`,
    /// `region`, `endpoint`, `allow_http`, `virtual_hosted_style_request` and the other keys of
    /// [`AmazonS3ConfigKey`](object_store::aws::AmazonS3ConfigKey).
    pub fn open(url: &str, options: &BTreeMap<String, String>) -> Result<Self, OpenError> {
        let wrong = |reason: &str| OpenError::Url {
            url: url.to_owned(),
            reason: reason.to_owned(),
        };
        let (scheme, rest) = url.split_once(':').ok_or_else(|| wrong("it has no scheme"))?;
        match scheme.to_ascii_lowercase().as_str() {
            "memory" => Ok(Self::memory()),
            "file" => {
                // The URL parser would take a relative path for an absolute one.
                if !rest.starts_with('/') {
                    return Err(wrong("the path must be absolute"));
                }
                let parsed = Url::parse(url).map_err(|error| wrong(&error.to_string()))?;
                if parsed.query().is_some() || parsed.fragment().is_some() {
                    return Err(wrong("`?` and `#` in the path are written %3F and %23"));
                }
                let path = parsed
                    .to_file_path()
                    .map_err(|()| wrong("it names another machine"))?;
                Self::folder(&path)
            }
            "s3" => {
                let parsed = Url::parse(url).map_err(|error| wrong(&error.to_string()))?;
                Bucket::s3(&parsed, options).map(Self::from_bucket)
            }
            _ => Err(wrong("the scheme is unknown")),
        }
    }

    /// Files in a folder of this machine, which is created if it is missing.
    pub fn folder(path: &Path) -> Result<Self, OpenError> {
        let folder = Folder::open(path).map_err(|source| OpenError::Folder {
            path: path.to_owned(),
            source,
        })?;
        Ok(Self::at(Place::Folder(folder)))
    }

    /// Files in memory, gone with the process.
    pub fn memory() -> Self {
        Self::from_bucket(Bucket::memory())
    }

    /// Lets clients upload to the bucket themselves, at the address at which they reach it.
    pub fn taking_uploads_at(self, address: &str) -> Result<Self, OpenError> {
        match Arc::into_inner(self.place) {
            Some(Place::Bucket(mut bucket)) => {
                bucket.take_uploads_at(address);
                Ok(Self::from_bucket(*bucket))
            }
            _ => Err(OpenError::NoBucket),
        }
    }

    /// The uploads that clients send to the bucket; `None` if they cannot.
    pub fn incoming(&self) -> Option<&Incoming> {
        match &*self.place {
            Place::Folder(_) => None,
            Place::Bucket(bucket) => bucket.incoming(),
        }
    }

    fn from_bucket(bucket: Bucket) -> Self {
        Self::at(Place::Bucket(Box::new(bucket)))
    }

    fn at(place: Place) -> Self {
        Self {
            place: Arc::new(place),
            watch: Arc::default(),
        }
    }

    /// Stores a finished local file under `name`. When this returns, the file survives a crash of the machine. If the
    /// file is already stored, nothing happens. The file at `path` stays and must not be changed any more, because a
    /// folder may share its bytes instead of copying them.
    pub async fn put_file(&self, path: &Path, name: &FileName) -> Result<(), BlobError> {
        match &*self.place {
            Place::Folder(_) => {
                let (path, name) = (path.to_owned(), name.clone());
                let put = self.in_folder(move |folder| folder.put_file(&path, &name)).await;
                self.noted(put).await
            }
            Place::Bucket(bucket) => bucket.put_file(path, name).await,
        }
    }

    /// Stores bytes under `name`, with the same promises as [`put_file`](Self::put_file).
    pub async fn put_bytes(&self, bytes: Bytes, name: &FileName) -> Result<(), BlobError> {
        match &*self.place {
            Place::Folder(_) => {
                let name = name.clone();
                let put = self
                    .in_folder(move |folder| folder.put_bytes(&bytes, &name))
                    .await;
                self.noted(put).await
            }
            Place::Bucket(bucket) => bucket.put_bytes(bytes, name).await,
        }
    }

    /// Opens a file, or a range of its bytes. The range must be within the file and not empty.
    pub async fn get(&self, name: &FileName, range: Option<Range<u64>>) -> Result<Blob, BlobError> {
        match &*self.place {
            Place::Folder(_) => {
                let name = name.clone();
                let (file, size) = self.in_folder(move |folder| folder.open_file(&name)).await?;
                let range = range.unwrap_or(0..size);
                if size > 0 && (range.is_empty() || range.end > size) {
                    return Err(BlobError::RangeOutside { size });
                }
                Ok(Blob {
                    size,
                    stream: folder::stream(file, range).boxed(),
                })
            }
            Place::Bucket(bucket) => bucket.get(name, range).await,
        }
    }

    /// The size of a stored file in bytes, or `None` if there is no such file.
    pub async fn head(&self, name: &FileName) -> Result<Option<u64>, BlobError> {
        let size = match &*self.place {
            Place::Folder(_) => {
                let name = name.clone();
                self.in_folder(move |folder| folder.size(&name)).await
            }
            Place::Bucket(bucket) => bucket.size(name).await,
        };
        match size {
            Ok(size) => Ok(Some(size)),
            Err(BlobError::Missing) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes a file. It is not an error if there is none.
    pub async fn delete(&self, name: &FileName) -> Result<(), BlobError> {
        let done = match &*self.place {
            Place::Folder(_) => {
                let name = name.clone();
                self.in_folder(move |folder| folder.delete(&name)).await
            }
            Place::Bucket(bucket) => bucket.delete(name).await,
        };
        match done {
            Err(BlobError::Missing) => Ok(()),
            other => other,
        }
    }

    /// Whether the storage answers and, for a folder, can be written to.
    pub async fn check(&self) -> Result<(), BlobError> {
        match &*self.place {
            Place::Folder(_) => self.in_folder(Folder::check).await,
            Place::Bucket(bucket) => bucket.check().await,
        }
    }

    /// Looks at the storage after a file found no room, so that [`works`](Self::works) is false from then on.
    async fn noted(&self, put: Result<(), BlobError>) -> Result<(), BlobError> {
        if matches!(put, Err(BlobError::DiskFull)) {
            self.look().await;
        }
        put
    }

    /// Whether files find room, as far as is known.
    pub fn has_room(&self) -> bool {
        match &*self.place {
            Place::Folder(folder) => folder.lacks_room_for(Instant::now()).is_none(),
            Place::Bucket(_) => true,
        }
    }

    /// Fails if a file found no room within the last minute and still would not fit.
    async fn check_room(&self) -> Result<(), BlobError> {
        match &*self.place {
            Place::Folder(_) => self.in_folder(|folder| folder.check_room(Instant::now())).await,
            Place::Bucket(_) => Ok(()),
        }
    }

    /// The path of the file on this machine, so that a reader needs no copy. `None` if files are not in a folder. Does
    /// not check that the file exists.
    pub fn local_path(&self, name: &FileName) -> Option<PathBuf> {
        match &*self.place {
            Place::Folder(folder) => Some(folder.path(name)),
            Place::Bucket(_) => None,
        }
    }

    /// Runs file system calls on a thread that may block.
    async fn in_folder<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Folder) -> Result<T, BlobError> + Send + 'static,
    ) -> Result<T, BlobError> {
        let place = Arc::clone(&self.place);
        let done = tokio::task::spawn_blocking(move || match &*place {
            Place::Folder(folder) => work(folder),
            Place::Bucket(_) => Err(BlobError::Storage("a bucket has no folder".into())),
        });
        done.await
            .unwrap_or_else(|error| Err(BlobError::Storage(Box::new(error))))
    }
}

impl fmt::Debug for Blobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.place {
            Place::Folder(folder) => write!(f, "Blobs({})", folder.root().display()),
            Place::Bucket(bucket) => write!(f, "Blobs({bucket})"),
        }
    }
}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blob")
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
