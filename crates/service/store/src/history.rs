//! Deletion: who uses a stored file, what accounts and time remove, and what stays of it.
//!
//! A stored file goes when nobody uses it any more. Each user is written down before anything refers to the file, and
//! the last use is removed in the transaction that decides that the file goes. So a file never goes while a job begins
//! to use it.

use async_trait::async_trait;
use atelier_domain::{
    AccountId, AuditRecord, FileFacts, FileName, Generation, GenerationId, MediaKind, State, Timestamp,
};
use serde_json::Map;

use crate::Result;

/// The user of a stored file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    /// The file is part of the program.
    Program,
    /// The account has uploaded it.
    Upload(AccountId),
    /// The generation has made it.
    Output(GenerationId),
}

impl Holder {
    pub(crate) const fn id(self) -> uuid::Uuid {
        match self {
            Self::Program => uuid::Uuid::nil(),
            Self::Upload(account) => account.0,
            Self::Output(generation) => generation.0,
        }
    }

    /// The question whether the holder was removed meanwhile, so that nothing may stay for it. `?1` is its id.
    pub(crate) const fn is_gone(self) -> Option<&'static str> {
        match self {
            Self::Program => None,
            Self::Upload(_) => {
                Some("SELECT EXISTS (SELECT 1 FROM accounts WHERE id = ?1 AND erased_at IS NOT NULL)")
            }
            Self::Output(_) => Some("SELECT NOT EXISTS (SELECT 1 FROM generations WHERE id = ?1)"),
        }
    }

    pub(crate) const fn kind(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Upload(_) => "upload",
            Self::Output(_) => "output",
        }
    }
}

/// The outcome of recording a stored file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// The file is new. Its bytes were stored before.
    New,
    /// The file was known, or was deleted before: its bytes may have gone after the caller stored them. From now on
    /// they stay.
    Known,
    /// The file was deleted and its bytes are being removed: store them and record them again in a moment.
    Leaving,
    /// The file was taken down. Nothing was recorded.
    TakenDown,
}

/// Why a file is not served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gone {
    /// An operator took it down.
    TakenDown,
    /// The last account that used it deleted it.
    Deleted,
}

/// The result of a deletion. The bytes of the files are the caller's to remove, within the lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removal {
    Removed(Vec<FileName>),
    /// It was deleted before.
    Before,
    /// The generation has not ended.
    Unfinished,
    /// There is no such thing.
    Missing,
}

/// The record that is kept of a generation that its owner deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeletedGeneration {
    pub id: GenerationId,
    pub account: AccountId,
    pub model: String,
    pub kind: MediaKind,
    pub state: State,
    pub hold: i64,
    pub charged: Option<i64>,
    pub created_at: Timestamp,
    pub ended_at: Timestamp,
    pub deleted_at: Timestamp,
}

impl DeletedGeneration {
    /// The generation without what it was asked for and what it made.
    pub fn shell(&self) -> Generation {
        Generation {
            id: self.id,
            account: self.account,
            model: self.model.clone(),
            kind: self.kind,
            state: self.state,
            params: Map::new(),
            webhook_url: None,
            hold: self.hold,
            charged: self.charged,
            output: None,
            failure: None,
            progress: 1.0,
            served_by: None,
            attempt: 1,
            epoch: 1,
            created_at: self.created_at,
            started_at: Some(self.created_at),
            ended_at: Some(self.ended_at),
            deadline: self.ended_at,
            attempt_started_at: None,
            request: None,
            past_attempts: Vec::new(),
        }
    }
}

/// A file that an account has uploaded.
#[derive(Debug, Clone, PartialEq)]
pub struct UploadedFile {
    pub name: FileName,
    pub facts: FileFacts,
    /// When it was uploaded last.
    pub at: Timestamp,
}

/// How a deletion is made.
#[derive(Debug, Clone)]
pub struct Deletion {
    pub now: Timestamp,
    /// Until when the caller removes the bytes of files. Later, anybody may.
    pub lease_until: Timestamp,
    pub record: Option<AuditRecord>,
}

/// The kind of rows that retention removes in one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expired {
    /// Generations with everything that belongs to them; their entries are folded.
    Jobs,
    /// The uses of files by generations that have ended. The generations stay.
    Media,
    /// The uses of files by the accounts that uploaded them.
    Uploads,
    /// Bodies of deliveries that have ended, and what their receivers answered. A step looks at `limit` deliveries.
    DeliveryBodies,
    /// The log of requests, `REQUESTS_AT_ONCE` times as many in a step, because its rows are small.
    Requests,
    /// The decisions of the content policy, in steps like those of the log of requests.
    Decisions,
}

/// How many rows a step looks at for each that it may remove: it passes over those of accounts with a retention of
/// their own.
pub(crate) const LOOKED_AT: u32 = 20;

/// A row that a step looks at, and whether it goes.
pub(crate) type Candidate = (Place, bool);

/// The ids that go, and where the next step begins.
pub(crate) fn chosen(found: &[Candidate], step: &Expire) -> (Vec<Place>, Option<Place>) {
    let (mut ids, mut last) = (Vec::new(), None);
    for (id, goes) in found {
        if ids.len() >= step.limit as usize {
            return (ids, last);
        }
        last = Some(*id);
        if *goes {
            ids.push(*id);
        }
    }
    let is_full = ids.len() >= step.limit as usize || found.len() >= (step.limit * LOOKED_AT) as usize;
    (ids, last.filter(|_| is_full))
}

/// The queries for candidates: `?1` is the place, `?2` the first id that is too young, `?3` the number of rows, `?4`
/// the account if the step is of one.
pub(crate) const JOBS: &str =
    "SELECT id, account NOT IN (SELECT id FROM accounts WHERE retention_days IS NOT NULL)
    FROM (SELECT id, account FROM (SELECT id, account FROM generations
              WHERE id > ?1 AND id < ?2 AND ended_at IS NOT NULL ORDER BY id LIMIT ?3) a
          UNION ALL SELECT id, account FROM (SELECT id, account FROM deleted_generations
              WHERE id > ?1 AND id < ?2 ORDER BY id LIMIT ?3) b) t
    ORDER BY id LIMIT ?3";
pub(crate) const JOBS_OF_ONE: &str = "SELECT id, 1 = 1 FROM (
        SELECT id FROM (SELECT id FROM generations WHERE account = ?4 AND state = 'completed' AND id > ?1 AND id < ?2
                        ORDER BY id LIMIT ?3) a
        UNION ALL SELECT id FROM (SELECT id FROM generations
            WHERE account = ?4 AND state = 'failed' AND id > ?1 AND id < ?2 ORDER BY id LIMIT ?3) b
        UNION ALL SELECT id FROM (SELECT id FROM deleted_generations WHERE account = ?4 AND id > ?1 AND id < ?2
                                  ORDER BY id LIMIT ?3) c) t
    ORDER BY id LIMIT ?3";
pub(crate) const MEDIA: &str = "SELECT DISTINCT u.holder, g.account NOT IN (
        SELECT id FROM accounts WHERE retention_days IS NOT NULL)
    FROM file_uses u JOIN generations g ON g.id = u.holder
    WHERE u.holder > ?1 AND u.holder < ?2 AND g.ended_at IS NOT NULL ORDER BY u.holder LIMIT ?3";
/// `?1` is the time, `?2` the number of rows, `?3` the account if the step is of one.
pub(crate) const UPLOADS: &str = "SELECT holder, file FROM file_uses WHERE kind = 'upload' AND at < ?1
    AND holder NOT IN (SELECT id FROM accounts WHERE retention_days IS NOT NULL) ORDER BY at LIMIT ?2";
pub(crate) const UPLOADS_OF_ONE: &str = "SELECT holder, file FROM file_uses
    WHERE holder = ?3 AND kind = 'upload' AND at < ?1 ORDER BY file LIMIT ?2";

/// Decisions about generations that do not wait for a person: those that wait are kept.
pub(crate) const NOT_WAITING: &str = "review_until IS NULL OR settled_at IS NOT NULL";

/// How many rows of the log of requests count as one of a step.
pub(crate) const REQUESTS_AT_ONCE: u32 = 20;

/// The end of a step of retention: the id of the last row that it looked at.
pub type Place = uuid::Uuid;

/// One step of retention: bounded, so that other writes wait only this long.
#[derive(Debug, Clone, Copy)]
pub struct Expire {
    pub what: Expired,
    /// Jobs or uploads of this account. `None`: of all accounts without a retention of their own.
    pub account: Option<AccountId>,
    /// The rows must have begun before this time.
    pub before: Timestamp,
    /// The end of the last step.
    pub after: Place,
    pub limit: u32,
    pub now: Timestamp,
    pub lease_until: Timestamp,
}

/// The result of a step of retention.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpiredStep {
    pub removed: u32,
    pub files: Vec<FileName>,
    /// The start of the next step; `None`: nothing is left.
    pub next: Option<Place>,
}

#[async_trait]
pub trait History: Send + Sync + std::fmt::Debug {
    /// Records the facts about a stored file, if they are not recorded yet, and who uses it. Durable.
    async fn record_file(
        &self,
        name: &FileName,
        facts: &FileFacts,
        holder: Holder,
        now: Timestamp,
    ) -> Result<Recorded>;
    /// Why a file is not served, if so. A point read.
    async fn gone(&self, name: &FileName) -> Result<Option<Gone>>;
    /// Whether links to a file must be signed, because all its owners keep their media private. A few point reads.
    async fn is_private(&self, name: &FileName) -> Result<bool>;
    /// Whether an account has uploaded a file or has a job with it.
    async fn is_file_of(&self, name: &FileName, account: AccountId) -> Result<bool>;
    /// The files that an account has uploaded, in the order of their names, after `after`.
    async fn uploads(
        &self,
        account: AccountId,
        after: Option<FileName>,
        limit: u32,
    ) -> Result<Vec<UploadedFile>>;

    /// Deletes a generation that has ended, with its deliveries. Its entries stay, and so does what is in
    /// [`DeletedGeneration`]. Durable.
    async fn delete_generation(
        &self,
        account: AccountId,
        id: GenerationId,
        deletion: Deletion,
    ) -> Result<Removal>;
    /// A generation that its owner deleted. A point read.
    async fn deleted_generation(
        &self,
        account: AccountId,
        id: GenerationId,
    ) -> Result<Option<DeletedGeneration>>;
    /// Deletes an upload of the account. Durable.
    async fn delete_upload(&self, account: AccountId, name: &FileName, deletion: Deletion)
    -> Result<Removal>;

    /// Takes deleted files whose bytes are still to be removed and that nobody removes now. Durable.
    async fn claim_deleted_files(
        &self,
        now: Timestamp,
        lease_until: Timestamp,
        limit: u32,
    ) -> Result<Vec<FileName>>;
    /// Records that the bytes of deleted files are gone, and forgets their previews. Durable.
    async fn files_removed(&self, names: &[FileName]) -> Result<()>;

    /// Removes what is too old, a few rows at a time. Durable.
    async fn expire(&self, step: Expire) -> Result<ExpiredStep>;
}

/// The smallest id of what was created at this time or later.
pub(crate) fn first_id(at: Timestamp) -> uuid::Uuid {
    let millis = at.millis().max(0).unsigned_abs();
    uuid::Uuid::from_u128(u128::from(millis) << 80)
}
