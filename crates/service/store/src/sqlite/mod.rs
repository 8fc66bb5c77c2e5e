//! The embedded store: one SQLite database in the data folder, written by one thread and read by many.

mod accept;
mod accounts;
mod admin;
mod audit;
pub mod backup;
mod changes;
mod collections;
mod connection;
mod decisions;
mod deliveries;
mod endpoints;
mod erasure;
mod expiry;
mod export;
mod favourites;
mod finish;
mod hashes;
mod history;
mod identities;
mod invitations;
mod keys;
mod keys_store;
mod links;
mod members;
mod newest;
mod origins;
mod outbox;
mod people;
mod people_store;
mod places;
mod plans;
mod private;
mod read;
mod remote;
mod removal;
mod row;
mod scan;
mod schema;
mod second_factors;
#[cfg(test)]
pub(crate) use schema::known as known_schema;
mod requests;
mod reviews;
#[cfg(test)]
mod tests;
mod usage;
mod work;
mod writer;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use atelier_domain::{
    Account, AccountId, Attempt, AuditRecord, Delivery, FileFacts, FileName, Generation, GenerationId, KeyId,
    KeyRecord, Timestamp,
};

use self::{
    connection::Readers,
    writer::{Writer, durable, fleeting},
};
use crate::{
    Accept, Accepted, AccountChange, Audit, Beat, Caller, Claim, ClaimDeliveries, ClaimedDelivery, Created,
    End, Ended, Entry, Faults, Finish, Finished, GenerationFilter, Grant, Granted, Idempotency, NewAccount,
    NewKey, Overdue, Page, PageRequest, RecordAttempt, Result, Retry, Stats, Store, TokenTaken, Unrenewed,
    shares::Shares, turns::Turns,
};

/// The options to open a store with.
#[derive(Debug, Clone)]
pub struct Options {
    /// The file of the database. It is created if missing, but its folder is not.
    pub path: PathBuf,
    /// The connections kept open for reading.
    pub readers: usize,
    /// The long reads that run at the same time.
    pub scans: usize,
    pub faults: Option<Arc<dyn Faults>>,
}

impl Options {
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            readers: 8,
            scans: 2,
            faults: None,
        }
    }
}

/// The store in one SQLite database.
///
/// Several processes may have the same database open: a server, and command lines beside it. SQLite's locks keep
/// their writes apart. [`crate::lock`] ensures that there is at most one server.
///
/// Point reads run on the calling thread: they take about ten microseconds, less than moving them to another
/// thread. Reads of many rows are moved.
#[derive(Debug)]
pub struct SqliteStore {
    writer: Writer,
    readers: Arc<Readers>,
    /// Of long reads.
    shares: Shares,
    turns: Arc<Turns>,
}

impl SqliteStore {
    /// Opens the database and brings its schema up to date.
    pub fn open(options: Options) -> Result<Self> {
        let db = connection::open_writer(&options.path)?;
        let writer = Writer::start(db, newest::Newest::open(&options.path)?, options.faults)?;
        let readers = Arc::new(Readers::new(options.path, options.readers, options.scans)?);
        Ok(Self {
            writer,
            readers,
            shares: Shares::new(options.scans / 2),
            turns: Arc::default(),
        })
    }
}

/// A connection to a database, of this program's schema, for somebody who takes everything out of it.
pub(crate) fn open_for_transfer(path: &Path) -> Result<rusqlite::Connection> {
    connection::open_writer(path)
}

#[async_trait]
impl Store for SqliteStore {
    async fn create_account(&self, new: NewAccount, record: AuditRecord) -> Result<Created> {
        self.writer
            .write(durable!("create_account"), move |db| {
                let created = accounts::create(db, &new)?;
                if created == Created::Created {
                    changes::record(db, &record)?;
                }
                Ok(created)
            })
            .await
    }

    async fn account(&self, id: AccountId) -> Result<Option<Account>> {
        self.readers.read(|db| accounts::by_id(db, id))
    }

    async fn account_by_name(&self, name: &str) -> Result<Option<Account>> {
        self.readers.read(|db| accounts::by_name(db, name))
    }

    async fn accounts(&self) -> Result<Vec<Account>> {
        self.scan(accounts::all).await
    }

    async fn update_account(
        &self,
        id: AccountId,
        change: AccountChange,
        record: AuditRecord,
    ) -> Result<Option<Account>> {
        self.writer
            .write(durable!("update_account"), move |db| {
                accounts::update(db, id, &change, &record)
            })
            .await
    }

    async fn grant(
        &self,
        id: AccountId,
        credits: i64,
        reason: &str,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<Granted> {
        let grant = Grant {
            credits,
            reason: reason.to_owned(),
            at: now,
            record,
        };
        self.writer
            .write(durable!("grant"), move |db| accounts::grant(db, id, &grant))
            .await
    }

    async fn grant_and_update(
        &self,
        id: AccountId,
        grant: Grant,
        change: AccountChange,
        record: AuditRecord,
    ) -> Result<Granted> {
        self.writer
            .write(durable!("grant_and_update"), move |db| {
                accounts::grant_and_update(db, id, &grant, &change, &record)
            })
            .await
    }

    async fn rotate_secret(
        &self,
        id: AccountId,
        secret: String,
        previous_until: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<Account>> {
        self.writer
            .write(durable!("rotate_secret"), move |db| {
                accounts::rotate_secret(db, id, &secret, previous_until, &record)
            })
            .await
    }

    async fn create_key(&self, key: NewKey, record: AuditRecord) -> Result<()> {
        self.writer
            .write(durable!("create_key"), move |db| {
                accounts::create_key(db, &key)?;
                changes::record(db, &record)
            })
            .await
    }

    async fn keys(&self, account: AccountId) -> Result<Vec<KeyRecord>> {
        self.readers.read(|db| accounts::keys(db, account))
    }

    async fn revoke_key(
        &self,
        account: Option<AccountId>,
        id: KeyId,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<KeyRecord>> {
        self.writer
            .write(durable!("revoke_key"), move |db| {
                accounts::revoke_key(db, account, id, now, &record)
            })
            .await
    }

    async fn set_api_enabled(&self, enabled: bool, record: AuditRecord) -> Result<()> {
        self.writer
            .write(durable!("set_api_enabled"), move |db| {
                accounts::set_api_enabled(db, enabled)?;
                changes::record(db, &record)
            })
            .await
    }

    async fn api_enabled(&self) -> Result<bool> {
        self.readers.read(accounts::api_enabled)
    }

    async fn ledger(&self, account: AccountId, limit: u32) -> Result<Vec<Entry>> {
        self.scan_of(account, move |db| accounts::ledger(db, account, limit))
            .await
    }

    async fn caller(&self, key_hash: &[u8; 32]) -> Result<Option<Caller>> {
        self.readers.caller(key_hash)
    }

    async fn touch_keys(&self, used: Vec<(KeyId, Timestamp)>) -> Result<()> {
        self.writer
            .write(fleeting!("touch_keys"), move |db| accounts::touch_keys(db, &used))
            .await
    }

    async fn take_token(
        &self,
        account: AccountId,
        default_per_minute: u32,
        now: Timestamp,
    ) -> Result<TokenTaken> {
        self.writer
            .write(fleeting!("take_token"), move |db| {
                accounts::take_token(db, account, default_per_minute, now)
            })
            .await
    }

    async fn accept(&self, accept: Accept) -> Result<Accepted> {
        let prepared = accept::Prepared::new(accept)?;
        self.writer
            .write(durable!("accept"), move |db| accept::accept(db, &prepared))
            .await
    }

    async fn earlier_use(&self, account: AccountId, key: &Idempotency) -> Result<Option<Accepted>> {
        self.readers.read(|db| accept::earlier_use(db, account, key))
    }

    async fn generation(&self, account: AccountId, id: GenerationId) -> Result<Option<Generation>> {
        self.readers.read(|db| read::generation(db, account, id))
    }

    async fn generations(
        &self,
        account: AccountId,
        filter: GenerationFilter,
        page: PageRequest,
    ) -> Result<Page> {
        self.scan_of(account, move |db| read::generations(db, account, &filter, &page))
            .await
    }

    async fn files(&self, names: &[FileName]) -> Result<Vec<Option<FileFacts>>> {
        self.readers.read(|db| read::files(db, names))
    }

    async fn claim(&self, claim: Claim) -> Result<Vec<Generation>> {
        let turns = Arc::clone(&self.turns);
        self.writer
            .write(fleeting!("claim"), move |db| work::claim(db, &claim, &turns))
            .await
    }

    async fn heartbeat(&self, beats: Vec<Beat>, lease_until: Timestamp) -> Result<Unrenewed> {
        self.writer
            .write(fleeting!("heartbeat"), move |db| {
                work::heartbeat(db, &beats, lease_until)
            })
            .await
    }

    async fn finish(&self, finish: Finish) -> Result<Finished> {
        self.writer
            .write(durable!("finish"), move |db| finish::finish(db, &finish))
            .await
    }

    async fn retry(&self, retry: Retry) -> Result<bool> {
        self.writer
            .write(durable!("retry"), move |db| work::retry(db, &retry))
            .await
    }

    async fn note_request(&self, id: GenerationId, epoch: i64, request: String) -> Result<bool> {
        self.writer
            .write(durable!("note_request"), move |db| {
                work::note_request(db, id, epoch, &request)
            })
            .await
    }

    async fn give_back(&self, held: Vec<(GenerationId, i64)>, now: Timestamp) -> Result<()> {
        self.writer
            .write(durable!("give_back"), move |db| work::give_back(db, &held, now))
            .await
    }

    async fn end(&self, end: End) -> Result<Ended> {
        self.writer
            .write(durable!("end"), move |db| finish::end(db, &end))
            .await
    }

    async fn requeue_lost(&self, now: Timestamp, max_attempts: u32, limit: u32) -> Result<u32> {
        self.writer
            .write(durable!("requeue_lost"), move |db| {
                work::requeue_lost(db, now, max_attempts, limit)
            })
            .await
    }

    async fn overdue(&self, now: Timestamp, max_attempts: u32, limit: u32) -> Result<Vec<Overdue>> {
        self.scan(move |db| read::overdue(db, now, max_attempts, limit))
            .await
    }

    async fn assign_lanes(&self, lanes: &HashMap<String, Vec<String>>) -> Result<u32> {
        let lanes = lanes.clone();
        self.writer
            .write(durable!("assign_lanes"), move |db| work::assign_lanes(db, &lanes))
            .await
    }

    async fn purge_idempotency(&self, before: Timestamp) -> Result<u32> {
        let mut purged = 0;
        loop {
            let step = self
                .writer
                .write(fleeting!("purge_idempotency"), move |db| {
                    work::purge_idempotency(db, before)
                })
                .await?;
            purged += step;
            if step < work::PURGE {
                return Ok(purged);
            }
        }
    }

    async fn claim_deliveries(&self, claim: ClaimDeliveries) -> Result<Vec<ClaimedDelivery>> {
        self.writer
            .write(fleeting!("claim_deliveries"), move |db| {
                deliveries::claim(db, &claim)
            })
            .await
    }

    async fn record_attempt(&self, record: RecordAttempt) -> Result<bool> {
        self.writer
            .write(fleeting!("record_attempt"), move |db| {
                deliveries::record_attempt(db, &record)
            })
            .await
    }

    async fn next_delivery_due(&self, until: Timestamp) -> Result<Option<Timestamp>> {
        self.readers.read(|db| deliveries::next_due(db, until))
    }

    async fn deliveries(&self, generation: GenerationId) -> Result<Vec<(Delivery, Vec<Attempt>)>> {
        self.readers
            .snapshot(|db| deliveries::of_generation(db, generation))
    }

    async fn audit(&self) -> Result<Audit> {
        self.scan_long(audit::audit).await
    }

    async fn check(&self) -> Result<()> {
        self.readers.read(accounts::api_enabled)?;
        self.writer
            .write(fleeting!("check"), |db| {
                db.prepare_cached("UPDATE settings SET checks = checks + 1")?
                    .execute([])?;
                Ok(())
            })
            .await
    }

    async fn stats(&self) -> Result<Stats> {
        self.scan(read::stats).await
    }

    async fn close(&self) -> Result<()> {
        // Readers first: the last one to close copies the log into the database, and that must be the writer.
        self.readers.close();
        self.writer.close().await;
        Ok(())
    }
}
