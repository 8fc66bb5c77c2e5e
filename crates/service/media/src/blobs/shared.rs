//! Files that are not media and that several nodes share, in the bucket of the media: `prefix/folder/name`.

use std::{collections::BTreeMap, path::Path as FilePath, time::Duration};

use futures_util::TryStreamExt as _;
use object_store::{
    Attributes, ObjectStore as _, ObjectStoreExt as _, aws::AmazonS3, path::Path, signer::Signer as _,
};
use url::Url;

use super::{BlobError, OpenError, object};

/// How long an address is valid: longer than a large download.
const VALID: Duration = Duration::from_hours(24);

/// A folder in a bucket. Its files are written once and never changed.
#[derive(Debug)]
pub struct SharedFiles {
    store: AmazonS3,
    folder: Path,
}

impl SharedFiles {
    /// The folder of this name beside the media at `url`; `None` if the media are not in a bucket. The options are
    /// those of [`Blobs::open`](super::Blobs::open).
    pub fn open(
        url: &str,
        options: &BTreeMap<String, String>,
        folder: &str,
    ) -> Result<Option<Self>, OpenError> {
        let Some(url) = Url::parse(url).ok().filter(|url| url.scheme() == "s3") else {
            return Ok(None);
        };
        let (store, prefix) = object::amazon(&url, options)?;
        Ok(Some(Self {
            store,
            folder: prefix.join(folder),
        }))
    }

    /// An address of a file that is valid for a day without credentials; `None` if there is no such file.
    pub async fn address(&self, name: &str) -> Result<Option<Url>, BlobError> {
        let key = self.key(name);
        match self.store.head(&key).await {
            Ok(_) => Ok(Some(self.store.signed_url(http::Method::GET, &key, VALID).await?)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Stores a local file, unless there is one of this name.
    pub async fn put_file(&self, source: &FilePath, name: &str) -> Result<(), BlobError> {
        object::put_file(&self.store, source, &self.key(name), Attributes::new()).await
    }

    /// The names of all files, with their sizes in bytes.
    pub async fn list(&self) -> Result<Vec<(String, u64)>, BlobError> {
        let mut found = Vec::new();
        let mut objects = self.store.list(Some(&self.folder));
        while let Some(object) = objects.try_next().await? {
            let name = object.location.filename().map(str::to_owned);
            found.extend(name.map(|name| (name, object.size)));
        }
        Ok(found)
    }

    /// Removes a file. A missing file is not an error.
    pub async fn remove(&self, name: &str) -> Result<(), BlobError> {
        match self.store.delete(&self.key(name)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn key(&self, name: &str) -> Path {
        self.folder.clone().join(name)
    }
}
