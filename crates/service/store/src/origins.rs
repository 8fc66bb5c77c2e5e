//! The origin of a file or an id, and the secrets of the whole service.

use async_trait::async_trait;
use atelier_domain::{AccountId, FileName, GenerationId, MediaKind, Timestamp};

use crate::{Result, values::Fields};

/// The generation that made something, deleted or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    pub id: GenerationId,
    pub account: AccountId,
    pub model: String,
    pub kind: MediaKind,
    pub created_at: Timestamp,
    pub is_deleted: bool,
}

#[async_trait]
pub trait Origins: Send + Sync + std::fmt::Debug {
    /// The secret of this name. `fresh` becomes it if there is none yet: of several nodes that ask at a time, all get
    /// the same. Durable.
    async fn secret(&self, name: &str, fresh: &[u8], now: Timestamp) -> Result<Vec<u8>>;
    /// The secret of this name, if there is one. A point read.
    async fn known_secret(&self, name: &str) -> Result<Option<Vec<u8>>>;
    /// The generations with ids from `first` to `last`, deleted ones too, at most `limit` of either. A range of an
    /// index.
    async fn made_between(&self, first: GenerationId, last: GenerationId, limit: u32) -> Result<Vec<Origin>>;
    /// The first generation among those that made this file and still use it. A point read.
    async fn maker_of(&self, file: &FileName) -> Result<Option<Origin>>;

    /// Notes what a file looked like that was taken down. Durable.
    async fn note_likeness(&self, file: &FileName, likeness: [u8; 32]) -> Result<()>;
    /// Returns the likenesses of the files that were taken down.
    async fn likenesses(&self) -> Result<Vec<(FileName, Vec<u8>)>>;
}

/// The columns of `made_between`, from a table `g` that also says whether it is that of deleted generations.
pub(crate) fn origin<R: Fields>(row: &R) -> Result<Origin, R::Error> {
    Ok(Origin {
        id: GenerationId(row.id(0)?),
        account: AccountId(row.id(1)?),
        model: row.string(2)?,
        kind: row.named(3)?,
        created_at: row.moment(4)?,
        is_deleted: row.optional_boolean(5)? == Some(true),
    })
}
