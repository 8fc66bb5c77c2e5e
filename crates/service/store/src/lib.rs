//! The durable state of the service. Every method of [`Store`] is one whole transaction, so that no
//! caller can hold one open or be dropped in the middle of one.
//!
//! Queue, ledger and outbox are one database: accepting a generation and ending one are each a single
//! atomic write. [`sqlite`] is the embedded default, [`postgres`] the store of several nodes; [`conformance`]
//! states what every implementation must do.

use std::collections::HashMap;

use async_trait::async_trait;
use atelier_domain::{
    Account, AccountId, Attempt, AuditRecord, Delivery, FileFacts, FileName, Generation, GenerationId, KeyId,
    KeyRecord, MediaKind, Status, Timestamp,
};
use tokio::sync::mpsc;

mod accounts;
mod admin;
mod audit;
pub mod conformance;
mod deliveries;
mod faults;
mod links;
pub mod lock;
#[cfg(test)]
mod model;
mod outbox;
mod people;
mod picks;
pub mod postgres;
pub mod sqlite;
mod usage;
mod values;
mod work;

pub use accounts::{
    Accept, Accepted, AccountChange, Caller, Created, Grant, Granted, Idempotency, NewAccount, NewKey,
    TokenTaken,
};
pub use admin::{Admin, Preview};
pub use atelier_domain::{
    Entry, EntryKind, ListedInvitation, Node, NodeEngine, QueueRow, StorageRow, Takedown, UsageRow,
};
pub use deliveries::{ClaimDeliveries, ClaimedDelivery, NewDelivery, NextAttempt, RecordAttempt};
pub use faults::{Fault, Faults};
pub use links::{
    AcceptInvitation, InvitationAccepted, Links, NewInvitation, NewPasswordReset, ResetPassword,
};
pub use outbox::{DeliveryFilter, DeliveryPage, Outbox, Redelivered};
pub use people::{NewSession, People, SessionUse, SignedIn, UserChange, Which};
pub use usage::{GenerationDetail, LedgerPage, LedgerPlace, Usage};
pub use work::{Beat, Claim, End, Ended, Ending, Finish, Finished, Outcome, Overdue, Retry};

/// Why the store could not do what it was asked.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// More writes wait than the store takes on; nothing was written. Try again shortly.
    #[error("the store is busy")]
    Busy,
    /// The disk is full; nothing was written.
    #[error("the disk that holds the store is full")]
    Full,
    /// The database cannot be reached, or its answer did not come. Try again later.
    #[error("{0}")]
    Unavailable(String),
    /// The data folder is in use by another server.
    #[error("{0}")]
    Locked(String),
    /// The database was written by a newer version of the program.
    #[error(
        "the database has schema {found}, this program knows schemas up to {known}: use the newer program"
    )]
    TooNew { found: i64, known: i64 },
    /// Anything else: for the log, not for clients.
    #[error("the store failed: {0}")]
    Internal(String),
}

pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// Where everything durable is kept.
///
/// Methods marked *durable* have reached the disk when they return. The others may be forgotten when the
/// machine loses power (not when the process is killed), which is harmless: what they wrote is only about
/// attempts that such a loss ends too.
#[async_trait]
pub trait Store: People + Links + Outbox + Usage + Admin + Send + Sync + std::fmt::Debug {
    // Accounts, keys, the global switch. All durable, each written down as its `record` says.

    /// Makes an account with its first key; the opening credits are a grant in the ledger.
    async fn create_account(&self, new: NewAccount, record: AuditRecord) -> Result<Created>;
    async fn account(&self, id: AccountId) -> Result<Option<Account>>;
    async fn account_by_name(&self, name: &str) -> Result<Option<Account>>;
    /// All accounts, by name.
    async fn accounts(&self) -> Result<Vec<Account>>;
    /// Changes what is set in `change`; `None` when there is no such account.
    async fn update_account(
        &self,
        id: AccountId,
        change: AccountChange,
        record: AuditRecord,
    ) -> Result<Option<Account>>;
    /// Adds credits, or takes some away when `credits` is negative; never below zero.
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
    /// Makes `secret` the account's signing secret; the one it had signs beside it until `previous_until`. The
    /// current secret is read in the same transaction, so no rotation is lost: of two at once, the later makes
    /// the earlier one's secret the previous one. `None` if there is no such account.
    async fn rotate_secret(
        &self,
        id: AccountId,
        secret: String,
        previous_until: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<Account>>;
    async fn create_key(&self, key: NewKey, record: AuditRecord) -> Result<()>;
    /// The account's keys, oldest first, revoked ones too.
    async fn keys(&self, account: AccountId) -> Result<Vec<KeyRecord>>;
    /// Revokes a key, only this account's where one is named; revoking twice keeps the first time. `None` when
    /// there is no such key.
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

    // The way in.

    /// Who a key belongs to; `None` for unknown and revoked keys. A point read.
    async fn caller(&self, key_hash: &[u8; 32]) -> Result<Option<Caller>>;
    /// Notes when keys were last used. Not durable.
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
    /// Checked in this order: the account, the idempotency key, the rate limit, the balance. Whatever is not
    /// accepted leaves nothing behind, so it takes no token either.
    async fn accept(&self, accept: Accept) -> Result<Accepted>;
    /// The answer to an earlier use of this idempotency key, if there was one: `Replayed` or `KeyReused`. A point
    /// read, made before the request is validated; [`Self::accept`] checks the key again.
    async fn earlier_use(&self, account: AccountId, key: &Idempotency) -> Result<Option<Accepted>>;

    // Reading.

    /// One generation, if it is this account's. A point read.
    async fn generation(&self, account: AccountId, id: GenerationId) -> Result<Option<Generation>>;
    async fn generations(
        &self,
        account: AccountId,
        filter: GenerationFilter,
        page: PageRequest,
    ) -> Result<Page>;

    // Files.

    /// Notes what is known of a stored file; knowing it already is fine. False, and nothing is noted, where the
    /// file was taken down. Durable.
    async fn record_file(&self, name: &FileName, facts: &FileFacts, now: Timestamp) -> Result<bool>;
    /// What is known of stored files, in the order asked for.
    async fn files(&self, names: &[FileName]) -> Result<Vec<Option<FileFacts>>>;

    // Work.

    /// Takes up to `max` due generations of a lane, oldest first: state running, epoch and attempt raised,
    /// leased to the worker, served by the lane. `started_at` stays that of the first attempt. Not durable.
    async fn claim(&self, claim: Claim) -> Result<Vec<Generation>>;
    /// Renews leases and notes progress; answers which of them the worker does not hold any more. Not durable.
    async fn heartbeat(&self, beats: Vec<Beat>, lease_until: Timestamp) -> Result<Vec<GenerationId>>;
    /// Ends a running generation, fenced by its epoch: state, output, charge or release, delivery. Durable.
    async fn finish(&self, finish: Finish) -> Result<Finished>;
    /// Puts a running generation back into the queue for another attempt at `run_at`. False: not held any more. Durable.
    async fn retry(&self, retry: Retry) -> Result<bool>;
    /// Notes the request that a running attempt made elsewhere, fenced by its epoch: the next claim after a crash or a
    /// lost lease carries it. False: not held any more. Durable.
    async fn note_request(&self, id: GenerationId, epoch: i64, request: String) -> Result<bool>;
    /// Puts running generations back where they were in the queue, the attempt not counted. What is not held
    /// any more is passed over. Durable.
    async fn give_back(&self, held: Vec<(GenerationId, i64)>, now: Timestamp) -> Result<()>;
    /// Ends a generation that has not ended yet, whoever runs it: cancellation, timeout, lost attempts. Durable.
    async fn end(&self, end: End) -> Result<Ended>;
    /// Puts generations whose lease is over and that have attempts left at the end of the queue; how many.
    /// Durable.
    async fn requeue_lost(&self, now: Timestamp, max_attempts: u32, limit: u32) -> Result<u32>;
    /// Generations that nobody will end by himself: past their deadline, or their lease is over with no attempt left.
    async fn overdue(&self, now: Timestamp, max_attempts: u32, limit: u32) -> Result<Vec<Overdue>>;
    /// Moves queued generations of each model to the lane that serves it now. Durable.
    async fn assign_lanes(&self, lanes: &HashMap<String, String>) -> Result<u32>;
    /// Forgets idempotency keys used before `before`. Not durable.
    async fn purge_idempotency(&self, before: Timestamp) -> Result<u32>;

    // Webhooks.

    /// Takes due deliveries, oldest first, no more than a host has room for. Not durable.
    async fn claim_deliveries(&self, claim: ClaimDeliveries) -> Result<Vec<ClaimedDelivery>>;
    /// Notes an attempt and what comes next, fenced by the epoch. False: not held any more. Not durable.
    async fn record_attempt(&self, record: RecordAttempt) -> Result<bool>;
    /// When the next delivery is due: a pending one, or one that is being sent and whose lease runs out. A
    /// moment in the past when there are due ones whose hosts have no room.
    async fn next_delivery_due(&self) -> Result<Option<Timestamp>>;
    /// The deliveries of a generation with their attempts.
    async fn deliveries(&self, generation: GenerationId) -> Result<Vec<(Delivery, Vec<Attempt>)>>;

    // Operation.

    /// Checks every invariant of queue, ledger and outbox on one snapshot.
    async fn audit(&self) -> Result<Audit>;
    /// Answers when reads and writes work.
    async fn check(&self) -> Result<()>;
    async fn stats(&self) -> Result<Stats>;
    /// Waits until all writes asked for have been made, and closes. Later calls fail.
    async fn close(&self) -> Result<()>;

    /// What other nodes tell of their writes, from now on: hints that make things quicker, and may get lost. `None`
    /// where no node can tell anything, or where somebody hears already.
    fn news(&self) -> Option<mpsc::Receiver<News>> {
        None
    }
}

/// What a node tells the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// A generation has come into this lane.
    Work(String),
    /// This generation has ended.
    Ended(GenerationId),
    /// A delivery is due.
    Delivery,
}

#[derive(Debug, Clone, Default)]
pub struct GenerationFilter {
    pub status: Option<Status>,
    pub model: Option<String>,
    pub kind: Option<MediaKind>,
}

#[derive(Debug, Clone)]
pub struct PageRequest {
    pub limit: u32,
    /// Only generations older than this one.
    pub before: Option<GenerationId>,
}

/// Newest first.
#[derive(Debug, Clone)]
pub struct Page {
    pub items: Vec<Generation>,
    /// How many match the filter on all pages.
    pub total: u64,
    pub more: bool,
}

/// What an audit found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Audit {
    pub accounts: u64,
    pub generations: u64,
    pub entries: u64,
    pub deliveries: u64,
    /// One sentence per broken invariant, naming what breaks it; empty when all hold.
    pub violations: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stats {
    /// Queued generations by lane.
    pub queued: HashMap<String, u64>,
    pub running: u64,
    /// Deliveries that have not ended: waiting or being sent.
    pub deliveries_pending: u64,
    /// When the oldest queued generation was accepted.
    pub oldest_queued: Option<Timestamp>,
}
