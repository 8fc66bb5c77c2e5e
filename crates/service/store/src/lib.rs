//! The durable state of the service. Every method of [`Store`] is one whole transaction, so no caller can hold
//! one open or be dropped in the middle of one.
//!
//! Queue, ledger and outbox are one database: accepting a generation and ending one are each a single
//! atomic write. [`sqlite`] is the embedded default, [`postgres`] is for several nodes, and `conformance` (a
//! feature, for tests) states what every implementation must do.

use std::collections::HashMap;

use async_trait::async_trait;
use atelier_domain::{
    Account, AccountId, Attempt, AuditRecord, CollectionId, Delivery, FileFacts, FileName, Generation,
    GenerationId, KeyId, KeyRecord, MediaKind, Status, Timestamp,
};
use tokio::sync::mpsc;

mod accounts;
mod admin;
mod audit;
mod collections;
#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
mod decisions;
mod deliveries;
mod endpoints;
mod erasure;
mod export;
mod faults;
mod favourites;
mod hashes;
mod history;
mod identities;
mod keys;
mod links;
mod lists;
pub mod lock;
mod members;
#[cfg(test)]
mod model;
mod origins;
mod outbox;
mod people;
mod picks;
mod places;
mod plans;
pub mod postgres;
mod private;
mod remote;
mod requests;
mod second_factors;
mod shares;
pub mod sqlite;
pub mod transfer;
mod turns;
mod usage;
mod values;
mod work;

pub use accounts::{
    Accept, Accepted, AccountChange, Caller, Created, Grant, Granted, Idempotency, KeyUse, NewAccount,
    NewKey, TokenTaken,
};
pub use admin::{Admin, Preview};
pub use atelier_domain::{
    Entry, EntryKind, ListedInvitation, Node, NodeEngine, QueueRow, StorageRow, Takedown, UsageRow,
};
pub use collections::{Collected, Collections, MOST_COLLECTED, MOST_COLLECTIONS, Named};
pub use decisions::{
    APPROVED, Decision, DecisionCount, DecisionFilter, Decisions, MarkCount, OVERTURNED, REFUSED,
    REVIEW_LANE, Review, ReviewHold, Said, Verdict, WITHDRAWN,
};
pub use deliveries::{ClaimDeliveries, ClaimedDelivery, NewDelivery, NextAttempt, RecordAttempt};
pub use endpoints::{EndpointChange, Endpoints, Happening, OpenEvent, Told};
pub use erasure::{Erase, ErasedStep, Erasure, ErasureBegun};
pub use export::{Export, ExportKey, ExportPage, ExportPart, PARTS};
pub use faults::{Fault, Faults};
pub use favourites::{Favourites, MOST_FAVOURITES, Marked};
pub use hashes::{HashList, Hashes, ListedHash};
pub use history::{
    DeletedGeneration, Deletion, Expire, Expired, ExpiredStep, Gone, History, Holder, Place, Recorded,
    Removal, UploadedFile,
};
pub use identities::{Identified, Identities, IdentityCreated, NewIdentity};
pub use keys::{KeySpending, Keys, NewKeyText};
pub use links::{
    AcceptInvitation, InvitationAccepted, Links, NewInvitation, NewPasswordReset, ResetPassword,
};
pub use members::{ChangeMember, JoinAccount, Joined, MemberChanged, Members};
pub use origins::{Origin, Origins};
pub use outbox::{DeliveryFilter, DeliveryPage, Outbox, Redelivered};
pub use people::{NewSession, People, SessionUse, SignedIn, UserChange, Which};
pub use places::{MOST_AHEAD, Places, QueuePlace, RecentRun};
pub use plans::Plans;
pub use remote::{NewWorkerToken, Remote};
pub use requests::{LoggedRequest, RequestFilter, RequestPage, Requests};
pub use second_factors::{NewSecondFactor, SECRET as TOTP_SECRET, SecondFactor, SecondFactors};
pub use usage::{AccountUsage, GenerationDetail, LedgerPage, LedgerPlace, Usage};
pub use work::{Beat, Claim, End, Ended, Ending, Finish, Finished, Outcome, Overdue, Retry, Unrenewed};

/// Why the store could not do what it was asked.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// Too many writes are waiting; nothing was written. Try again shortly.
    #[error("the store is busy")]
    Busy,
    /// The disk is full; nothing was written.
    #[error("the disk that holds the store is full")]
    Full,
    /// The database is not reachable, or it did not answer. Try again later.
    #[error("{0}")]
    Unavailable(String),
    /// The data folder is in use by another server.
    #[error("{0}")]
    Locked(String),
    /// The database was written by a newer version of the program.
    #[error(
        "the database has schema {found}, but this program knows schemas up to {known}: use the newer program"
    )]
    TooNew { found: i64, known: i64 },
    /// Anything else: for the log, not for clients.
    #[error("the store failed: {0}")]
    Internal(String),
}

pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// Everything durable.
///
/// The writes of methods marked *durable* are on the disk when the method returns. A power failure (not the
/// end of the process) may undo the others. That is harmless: they concern only attempts, which the power failure
/// ends too.
#[async_trait]
pub trait Store:
    History
    + Keys
    + People
    + Links
    + Members
    + Identities
    + SecondFactors
    + Outbox
    + Usage
    + Admin
    + Remote
    + Requests
    + Endpoints
    + Origins
    + Decisions
    + Erasure
    + Export
    + Places
    + Favourites
    + Collections
    + Hashes
    + Plans
    + Send
    + Sync
    + std::fmt::Debug
{
    // Accounts, keys, the switch of the whole API. Writes are durable and recorded as their `record`.

    /// Creates an account with its first key; the opening credits are a grant in the ledger.
    async fn create_account(&self, new: NewAccount, record: AuditRecord) -> Result<Created>;
    async fn account(&self, id: AccountId) -> Result<Option<Account>>;
    async fn account_by_name(&self, name: &str) -> Result<Option<Account>>;
    /// All accounts, by name.
    async fn accounts(&self) -> Result<Vec<Account>>;
    /// Changes what is set in `change`; `None` if there is no such account.
    async fn update_account(
        &self,
        id: AccountId,
        change: AccountChange,
        record: AuditRecord,
    ) -> Result<Option<Account>>;
    /// Adds credits, or removes them if `credits` is negative; the balance never goes below zero.
    async fn grant(
        &self,
        id: AccountId,
        credits: i64,
        reason: &str,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<Granted>;
    /// Grants credits and changes the account in one transaction: both or neither. See [`Self::grant`] and
    /// [`Self::update_account`].
    async fn grant_and_update(
        &self,
        id: AccountId,
        grant: Grant,
        change: AccountChange,
        record: AuditRecord,
    ) -> Result<Granted>;
    /// Makes `secret` the account's signing secret; the current one signs beside it until `previous_until`.
    ///
    /// The current secret is read in the same transaction. Of two rotations at the same time, the later one makes
    /// the earlier one's secret the previous secret. `None` if there is no such account.
    async fn rotate_secret(
        &self,
        id: AccountId,
        secret: String,
        previous_until: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<Account>>;
    async fn create_key(&self, key: NewKey, record: AuditRecord) -> Result<()>;
    /// The account's keys, oldest first, including revoked ones.
    async fn keys(&self, account: AccountId) -> Result<Vec<KeyRecord>>;
    /// Revokes a key, if `account` is set only one of this account; revoking it again keeps the first time. `None`
    /// if there is no such key.
    async fn revoke_key(
        &self,
        account: Option<AccountId>,
        id: KeyId,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<KeyRecord>>;
    async fn set_api_enabled(&self, enabled: bool, record: AuditRecord) -> Result<()>;
    async fn api_enabled(&self) -> Result<bool>;
    /// The account's ledger, newest first, at most `limit` entries.
    async fn ledger(&self, account: AccountId, limit: u32) -> Result<Vec<Entry>>;

    // Acceptance.

    /// The account of a key; `None` for unknown and revoked keys. The text of a key before its rotation leads to it
    /// as well, with the time until which it works. A point read.
    async fn caller(&self, key_hash: &[u8; 32]) -> Result<Option<Caller>>;
    /// Records when keys were last used. Not durable.
    async fn touch_keys(&self, used: Vec<(KeyId, Timestamp)>) -> Result<()>;
    /// Takes one token of the account's generation limit. Not durable.
    async fn take_token(
        &self,
        account: AccountId,
        default_per_minute: u32,
        now: Timestamp,
    ) -> Result<TokenTaken>;
    /// Accepts a generation: idempotency row, rate-limit token, hold, ledger entry and job. Durable.
    ///
    /// The checks, in this order: the account, the idempotency key, the rate limit, the queue, the credits of the key
    /// and of the account's budget, the balance. A generation that is not accepted writes nothing and takes no token.
    async fn accept(&self, accept: Accept) -> Result<Accepted>;
    /// The answer to an earlier use of this idempotency key, if there was one: `Replayed` or `KeyReused`. A point
    /// read, made before the request is validated; [`Self::accept`] checks the key again.
    async fn earlier_use(&self, account: AccountId, key: &Idempotency) -> Result<Option<Accepted>>;

    // Reading.

    /// A generation of this account. A point read.
    async fn generation(&self, account: AccountId, id: GenerationId) -> Result<Option<Generation>>;
    async fn generations(
        &self,
        account: AccountId,
        filter: GenerationFilter,
        page: PageRequest,
    ) -> Result<Page>;

    // Files.

    /// The facts about stored files, in the order of the names.
    async fn files(&self, names: &[FileName]) -> Result<Vec<Option<FileFacts>>>;

    // Work.

    /// Takes up to `max` due generations of a lane. The accounts that wait there have their turns one after another,
    /// each as many in a row as its plan weighs, and each turn takes the oldest generation of the account. They become
    /// running, leased to the worker and served by the lane, under a new epoch and with one more attempt; `started_at`
    /// stays that of the first attempt. Not durable.
    async fn claim(&self, claim: Claim) -> Result<Vec<Generation>>;
    /// Renews leases and records progress; returns the generations for which it could not. Not durable.
    async fn heartbeat(&self, beats: Vec<Beat>, lease_until: Timestamp) -> Result<Unrenewed>;
    /// Ends a running generation, fenced by its epoch: state, output, charge or release, delivery. Durable.
    async fn finish(&self, finish: Finish) -> Result<Finished>;
    /// Puts a running generation back into the queue for another attempt at `run_at`. Returns false if the worker
    /// no longer holds it. Durable.
    async fn retry(&self, retry: Retry) -> Result<bool>;
    /// Records the request that a running attempt made to a provider, fenced by its epoch. The next claim after a
    /// crash or a lost lease returns it. Returns false if the worker no longer holds the generation. Durable.
    async fn note_request(&self, id: GenerationId, epoch: i64, request: String) -> Result<bool>;
    /// Puts running generations back to their place in the queue and does not count the attempt. Generations that
    /// the worker no longer holds are skipped. Durable.
    async fn give_back(&self, held: Vec<(GenerationId, i64)>, now: Timestamp) -> Result<()>;
    /// Ends a generation that has not ended, whichever worker runs it: cancellation, timeout, lost attempts.
    /// Durable.
    async fn end(&self, end: End) -> Result<Ended>;
    /// Puts generations whose lease has expired and that have attempts left at the end of the queue; returns how
    /// many. Durable.
    async fn requeue_lost(&self, now: Timestamp, max_attempts: u32, limit: u32) -> Result<u32>;
    /// Generations that no worker will end: past their deadline, or with an expired lease and no attempt left.
    async fn overdue(&self, now: Timestamp, max_attempts: u32, limit: u32) -> Result<Vec<Overdue>>;
    /// Moves queued generations to the first lane of their model. One that was tried before stays in any of its
    /// model's lanes. Durable.
    async fn assign_lanes(&self, lanes: &HashMap<String, Vec<String>>) -> Result<u32>;
    /// Forgets idempotency keys used before `before`. Not durable.
    async fn purge_idempotency(&self, before: Timestamp) -> Result<u32>;

    // Webhooks.

    /// Takes due deliveries, oldest first, within the limit per host. Not durable.
    async fn claim_deliveries(&self, claim: ClaimDeliveries) -> Result<Vec<ClaimedDelivery>>;
    /// Records an attempt and what comes next, fenced by the epoch. Returns false if the worker no longer holds the
    /// delivery. Not durable.
    async fn record_attempt(&self, record: RecordAttempt) -> Result<bool>;
    /// When the next delivery is due, if that is not after `until`: a pending one, or one whose lease expires while it
    /// is being sent. In the past if deliveries are due whose hosts have no room.
    async fn next_delivery_due(&self, until: Timestamp) -> Result<Option<Timestamp>>;
    /// The deliveries of a generation with their attempts.
    async fn deliveries(&self, generation: GenerationId) -> Result<Vec<(Delivery, Vec<Attempt>)>>;

    // Operation.

    /// Checks every invariant of queue, ledger and outbox on one snapshot.
    async fn audit(&self) -> Result<Audit>;
    /// Returns if reads and writes work.
    async fn check(&self) -> Result<()>;
    async fn stats(&self) -> Result<Stats>;
    /// Waits until all pending writes are done, and closes. Later calls fail.
    async fn close(&self) -> Result<()>;

    /// Returns the announcements of other nodes about their writes from now on. These are hints that save time and may
    /// get lost. `None` if nodes cannot announce anything, or if another receiver exists.
    fn news(&self) -> Option<mpsc::Receiver<News>> {
        None
    }
}

/// An announcement of a node to the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// A generation entered this lane.
    Work(String),
    /// This generation ended.
    Ended(GenerationId),
    /// A delivery is due.
    Delivery,
}

#[derive(Debug, Clone, Default)]
pub struct GenerationFilter {
    pub status: Option<Status>,
    pub model: Option<String>,
    pub kind: Option<MediaKind>,
    /// Only favourites. All of them have completed.
    pub favourite: bool,
    /// Only those in this collection. All of them have completed.
    pub collection: Option<CollectionId>,
    /// The oldest come first instead of the newest.
    pub oldest_first: bool,
}

#[derive(Debug, Clone)]
pub struct PageRequest {
    pub limit: u32,
    /// Only generations older than this one; newer, if the oldest come first.
    pub before: Option<GenerationId>,
}

/// Generations in the order of their filter.
#[derive(Debug, Clone, Default)]
pub struct Page {
    pub items: Vec<Generation>,
    /// The number of matches on all pages.
    pub total: u64,
    pub more: bool,
}

/// The result of an audit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Audit {
    pub accounts: u64,
    pub generations: u64,
    pub entries: u64,
    pub deliveries: u64,
    /// A sentence for each broken invariant, with what breaks it; empty if all hold.
    pub violations: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stats {
    /// Queued generations by lane.
    pub queued: HashMap<String, u64>,
    pub running: u64,
    /// Deliveries that have not ended: pending or being sent.
    pub deliveries_pending: u64,
    /// When the oldest queued generation was accepted.
    pub oldest_queued: Option<Timestamp>,
}
