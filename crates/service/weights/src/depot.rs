//! Blobs that several nodes share, such as in the service's bucket.

use std::{fmt, path::Path};

use futures::future::BoxFuture;
use url::Url;

use crate::entry::Pin;

/// A place where nodes share blobs. A failure of it costs a download from the origin and nothing else.
pub trait Depot: Send + Sync + fmt::Debug {
    /// An address from which the blob can be downloaded now; `None` if it is not there.
    fn address<'a>(&'a self, pin: &'a Pin) -> BoxFuture<'a, Result<Option<Url>, String>>;

    /// Stores a blob, unless it is there.
    fn put<'a>(&'a self, pin: &'a Pin, blob: &'a Path) -> BoxFuture<'a, Result<(), String>>;

    /// Every blob that is there.
    fn list(&self) -> BoxFuture<'_, Result<Vec<Pin>, String>>;

    /// Removes a blob. Nodes that have it keep theirs.
    fn remove<'a>(&'a self, pin: &'a Pin) -> BoxFuture<'a, Result<(), String>>;
}
