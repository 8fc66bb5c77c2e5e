//! The store of several nodes: one PostgreSQL database, used through a pool of connections.

mod accept;
mod accounts;
mod admin;
mod audit;
mod batch;
mod batcher;
mod changes;
mod claims;
mod clock;
mod collections;
mod connection;
mod decisions;
mod deliveries;
mod endpoints;
mod ends;
mod erasure;
mod error;
mod expiry;
mod export;
mod favourites;
mod finish;
mod floor;
mod gaps;
mod hashes;
mod history;
mod identities;
mod invitations;
mod keys;
mod keys_store;
mod lanes;
mod limits;
mod links;
mod lookups;
mod members;
mod news;
mod origins;
mod outbox;
mod people;
mod people_store;
mod places;
mod plans;
mod private;
mod read;
mod recording;
mod remote;
mod removal;
mod requests;
mod reviews;
mod row;
mod schema;
mod second_factors;
mod spacing;
#[cfg(test)]
mod tests;
mod transaction;
pub(crate) mod transfer;
mod url;
mod usage;
mod uses;
mod work;
mod write;

use std::{
    collections::HashMap,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use async_trait::async_trait;
use atelier_domain::{
    Account, AccountId, Attempt, AuditRecord, Delivery, FileFacts, FileName, Generation, GenerationId, KeyId,
    KeyRecord, Timestamp,
};
use tokio::sync::mpsc;

use self::{
    accept::Accepting,
    batcher::Batcher,
    claims::Claims,
    finish::Finishing,
    lookups::{Accounts, Callers, Lookups},
    news::Teller,
    recording::Recording,
    write::{Inner, durable, fenced, fleeting, prompt, read, snapshot, write},
};
pub use self::{
    clock::RateClock,
    url::{PostgresUrl, masked},
};
use crate::{
    Accept, Accepted, AccountChange, Audit, Beat, Caller, Claim, ClaimDeliveries, ClaimedDelivery, Created,
    End, Ended, Entry, Faults, Finish, Finished, GenerationFilter, Grant, Granted, Idempotency, NewAccount,
    NewKey, News, Overdue, Page, PageRequest, RecordAttempt, Result, Retry, Stats, Store, StoreError,
    TokenTaken, Unrenewed,
};

/// The limit of one try of an operation. A worker must learn well within a lease that it was not renewed, and a client
/// should not wait for long.
const PATIENCE: Duration = Duration::from_secs(5);

/// The options to open a store with.
#[derive(Debug, Clone)]
pub struct Options {
    pub url: PostgresUrl,
    /// The most connections; another one receives the announcements of other nodes.
    pub connections: usize,
    pub faults: Option<Arc<dyn Faults>>,
    pub rate_clock: RateClock,
}

impl Options {
    pub fn new(url: PostgresUrl) -> Self {
        Self {
            url,
            connections: 16,
            faults: None,
            rate_clock: RateClock::default(),
        }
    }
}

/// The store in one PostgreSQL database, which any number of nodes share.
///
/// Rows that a write depends on are locked when they are read, in the same order everywhere: accounts before
/// generations, each in the order of their ids. Claims skip locked rows instead of waiting for them.
#[derive(Debug)]
pub struct PostgresStore {
    inner: Arc<Inner>,
    accepting: Batcher<Accepting>,
    finishing: Batcher<Finishing>,
    recording: Batcher<Recording>,
    callers: Lookups<Callers>,
    accounts: Lookups<Accounts>,
    url: PostgresUrl,
    rate_clock: RateClock,
    claims: Arc<Claims>,
}

impl PostgresStore {
    /// Connects, and brings the schema up to date.
    pub async fn open(options: Options) -> Result<Self> {
        let pool = connection::pool(&options.url, options.connections)?;
        let opened = schema::migrate(&options.url, &pool)
            .await
            .map_err(StoreError::from);
        opened.map_err(|error| match error {
            StoreError::Unavailable(why) => {
                StoreError::Unavailable(format!("cannot reach {}: {why}", options.url))
            }
            StoreError::Internal(why) => StoreError::Internal(format!("cannot use {}: {why}", options.url)),
            other => other,
        })?;
        let inner = Arc::new(Inner::new(pool, Teller::new(), options.faults));
        Ok(Self {
            accepting: Batcher::start(Arc::clone(&inner)),
            finishing: Batcher::start(Arc::clone(&inner)),
            recording: Batcher::start(Arc::clone(&inner)),
            callers: Lookups::start(Arc::clone(&inner), Callers(options.rate_clock)),
            accounts: Lookups::start(Arc::clone(&inner), Accounts),
            inner,
            url: options.url,
            rate_clock: options.rate_clock,
            claims: Arc::default(),
        })
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn create_account(&self, new: NewAccount, record: AuditRecord) -> Result<Created> {
        write!(self, durable!("create_account"), |db| accounts::create(
            db, &new, &record
        ))
    }

    async fn account(&self, id: AccountId) -> Result<Option<Account>> {
        self.accounts.find(id).await
    }

    async fn account_by_name(&self, name: &str) -> Result<Option<Account>> {
        read!(self, |db| accounts::by_name(db, name))
    }

    async fn accounts(&self) -> Result<Vec<Account>> {
        snapshot!(self, |db| accounts::all(db))
    }

    async fn update_account(
        &self,
        id: AccountId,
        change: AccountChange,
        record: AuditRecord,
    ) -> Result<Option<Account>> {
        write!(self, durable!("update_account"), |db| {
            accounts::update(db, id, &change, &record)
        })
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
        write!(self, durable!("grant"), |db| accounts::grant(db, id, &grant))
    }

    async fn grant_and_update(
        &self,
        id: AccountId,
        grant: Grant,
        change: AccountChange,
        record: AuditRecord,
    ) -> Result<Granted> {
        write!(self, durable!("grant_and_update"), |db| {
            accounts::grant_and_update(db, id, &grant, &change, &record)
        })
    }

    async fn rotate_secret(
        &self,
        id: AccountId,
        secret: String,
        previous_until: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<Account>> {
        write!(self, durable!("rotate_secret"), |db| {
            accounts::rotate_secret(db, id, &secret, previous_until, &record)
        })
    }

    async fn create_key(&self, key: NewKey, record: AuditRecord) -> Result<()> {
        write!(self, durable!("create_key"), |db| {
            accounts::create_key(db, &key, &record)
        })
    }

    async fn keys(&self, account: AccountId) -> Result<Vec<KeyRecord>> {
        read!(self, |db| accounts::keys(db, account))
    }

    async fn revoke_key(
        &self,
        account: Option<AccountId>,
        id: KeyId,
        now: Timestamp,
        record: AuditRecord,
    ) -> Result<Option<KeyRecord>> {
        write!(self, durable!("revoke_key"), |db| {
            accounts::revoke_key(db, account, id, now, &record)
        })
    }

    async fn set_api_enabled(&self, enabled: bool, record: AuditRecord) -> Result<()> {
        write!(self, durable!("set_api_enabled"), |db| {
            accounts::set_api_enabled(db, enabled, &record)
        })
    }

    async fn api_enabled(&self) -> Result<bool> {
        read!(self, |db| accounts::api_enabled(db))
    }

    async fn ledger(&self, account: AccountId, limit: u32) -> Result<Vec<Entry>> {
        snapshot!(self, of account, |db| accounts::ledger(db, account, limit))
    }

    async fn caller(&self, key_hash: &[u8; 32]) -> Result<Option<Caller>> {
        self.callers.find(*key_hash).await
    }

    async fn touch_keys(&self, used: Vec<(KeyId, Timestamp)>) -> Result<()> {
        write!(self, fleeting!("touch_keys"), |db| accounts::touch_keys(
            db, &used
        ))
    }

    async fn take_token(
        &self,
        account: AccountId,
        default_per_minute: u32,
        now: Timestamp,
    ) -> Result<TokenTaken> {
        let clock = self.rate_clock;
        let share = self.inner.share(account).await?;
        let taken = write!(self, fleeting!("take_token"), |db| {
            accounts::take_token(db, account, default_per_minute, now, clock)
        });
        if matches!(taken, Err(StoreError::Busy)) {
            share.refuse_others();
        }
        taken
    }

    async fn accept(&self, accept: Accept) -> Result<Accepted> {
        let prepared = accept::Prepared::new(accept, self.rate_clock)?;
        self.accepting.write(prepared).await
    }

    async fn earlier_use(&self, account: AccountId, key: &Idempotency) -> Result<Option<Accepted>> {
        read!(self, |db| read::earlier_use(db, account, key))
    }

    async fn generation(&self, account: AccountId, id: GenerationId) -> Result<Option<Generation>> {
        read!(self, |db| read::generation(db, account, id))
    }

    async fn generations(
        &self,
        account: AccountId,
        filter: GenerationFilter,
        page: PageRequest,
    ) -> Result<Page> {
        snapshot!(self, of account, |db| read::generations(db, account, &filter, &page))
    }

    async fn files(&self, names: &[FileName]) -> Result<Vec<Option<FileFacts>>> {
        read!(self, |db| read::files(db, names))
    }

    async fn claim(&self, claim: Claim) -> Result<Vec<Generation>> {
        self.take_work(claim).await
    }

    async fn heartbeat(&self, beats: Vec<Beat>, lease_until: Timestamp) -> Result<Unrenewed> {
        write!(self, prompt!("heartbeat"), |db| {
            work::heartbeat(db, &beats, lease_until)
        })
    }

    async fn finish(&self, finish: Finish) -> Result<Finished> {
        self.finishing.write(finish).await
    }

    async fn retry(&self, retry: Retry) -> Result<bool> {
        write!(self, fenced!("retry"), |db| work::retry(db, &retry))
    }

    async fn note_request(&self, id: GenerationId, epoch: i64, request: String) -> Result<bool> {
        write!(self, fenced!("note_request"), |db| {
            work::note_request(db, id, epoch, &request)
        })
    }

    async fn give_back(&self, held: Vec<(GenerationId, i64)>, now: Timestamp) -> Result<()> {
        write!(self, fenced!("give_back"), |db| work::give_back(db, &held, now))
    }

    async fn end(&self, end: End) -> Result<Ended> {
        let (id, delivers) = (end.id, end.delivery.is_some());
        let share = match end.account {
            Some(account) => Some(self.inner.share(account).await?),
            None => None,
        };
        let ended = write!(self, durable!("end"), |db| finish::end(db, &end));
        if let (Some(share), Err(StoreError::Busy)) = (share, &ended) {
            share.refuse_others();
        }
        let ended = ended?;
        if ended == Ended::Ended {
            self.inner.teller.tell(News::Ended(id));
            if delivers {
                self.inner.teller.tell(News::Delivery);
            }
        }
        Ok(ended)
    }

    async fn requeue_lost(&self, now: Timestamp, max_attempts: u32, limit: u32) -> Result<u32> {
        write!(self, fenced!("requeue_lost"), |db| {
            work::requeue_lost(db, now, max_attempts, limit)
        })
    }

    async fn overdue(&self, now: Timestamp, max_attempts: u32, limit: u32) -> Result<Vec<Overdue>> {
        snapshot!(self, |db| read::overdue(db, now, max_attempts, limit))
    }

    async fn assign_lanes(&self, lanes: &HashMap<String, Vec<String>>) -> Result<u32> {
        let lanes = lanes.clone();
        write!(self, fenced!("assign_lanes"), |db| work::assign_lanes(db, &lanes))
    }

    async fn purge_idempotency(&self, before: Timestamp) -> Result<u32> {
        let mut purged = 0;
        loop {
            let step = write!(self, fleeting!("purge_idempotency"), |db| {
                work::purge_idempotency(db, before)
            })?;
            purged += step;
            if step < work::PURGE {
                return Ok(purged);
            }
        }
    }

    async fn claim_deliveries(&self, claim: ClaimDeliveries) -> Result<Vec<ClaimedDelivery>> {
        self.take_deliveries(claim).await
    }

    async fn record_attempt(&self, record: RecordAttempt) -> Result<bool> {
        self.recording.write(record).await
    }

    async fn next_delivery_due(&self, until: Timestamp) -> Result<Option<Timestamp>> {
        let from = self.inner.floor.begin();
        read!(self, |db| deliveries::next_due(db, from, until))
    }

    async fn deliveries(&self, generation: GenerationId) -> Result<Vec<(Delivery, Vec<Attempt>)>> {
        snapshot!(self, |db| deliveries::of_generation(db, generation))
    }

    async fn audit(&self) -> Result<Audit> {
        snapshot!(self, long, |db| audit::audit(db))
    }

    async fn check(&self) -> Result<()> {
        read!(self, |db| accounts::api_enabled(db))?;
        write!(self, fleeting!("check"), |db| accounts::check(db))
    }

    async fn stats(&self) -> Result<Stats> {
        snapshot!(self, |db| read::stats(db))
    }

    async fn close(&self) -> Result<()> {
        self.inner.is_closed.store(true, Ordering::Release);
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
        self.inner.pool.close();
        Ok(())
    }

    fn news(&self) -> Option<mpsc::Receiver<News>> {
        let config = self.url.config().ok()?;
        let tls = self.url.tls(&config).ok()?;
        self.inner.teller.listen(config, tls)
    }
}
