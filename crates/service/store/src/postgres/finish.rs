//! The ends of generations, each with its charge or release and its delivery, in one transaction.
//!
//! The generations are locked before their accounts, both in the order of their ids. All jobs of an account need its
//! row, so it is locked as late as possible: by the last writes, which are sent together with the commit.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    time::Duration,
};

use atelier_domain::{AccountId, GenerationId, SigningSecrets};
use futures::future::try_join;
use tokio_postgres::Row;
use uuid::Uuid;

use super::{
    batch::{Batch, Outcome as Written},
    changes,
    ends::{Conclusion, Ends, Open},
    error::Result,
    reviews,
    row::get,
    transaction::{Pipeline, execute_all},
    write::{Db, Inner, Op, Tries, fenced, row, rows},
};
use crate::{End, Ended, Finish, Finished, News, Outcome, StoreError, values::secrets};

/// Completions and failures as a [`Batch`].
#[derive(Debug)]
pub(super) struct Finishing;

impl Batch for Finishing {
    type Item = Finish;
    type Answer = Finished;
    type Row = AccountId;
    type Locked = Round;

    // If a connection breaks during a commit, the second try finds what the first one ended and reports it as stale.
    // That is harmless: it means that the worker no longer holds the job, and the delivery is sent when its lease
    // expires.
    const OP: Op = fenced!("finish");

    fn row(item: &Finish) -> AccountId {
        item.account
    }

    /// Otherwise the leases of the generations could not be renewed meanwhile.
    async fn wait(inner: &Inner, account: AccountId, longest: Duration) {
        let waited = async {
            let connection = inner.to_begin(Self::OP).await?;
            let sql = format!(
                "BEGIN; SET LOCAL lock_timeout = {}; SELECT FROM accounts WHERE id = '{account}' FOR NO KEY UPDATE;
                 COMMIT",
                longest.as_millis().max(1)
            );
            match connection.db().batch_execute(&sql).await {
                Ok(()) => connection.back_to_pool(),
                Err(error) => drop(connection.roll_back(error.into()).await),
            }
            Ok(())
        };
        // Whether the account is free now is seen by whoever locks it next.
        let _: Result<()> = Tries::new(Self::OP).within(Box::pin(waited)).await;
    }

    async fn lock(pipeline: &Pipeline<'_>, items: &[&Finish], skip: bool) -> Result<Round> {
        Round::read(pipeline, items, skip).await
    }

    async fn write(
        pipeline: &Pipeline<'_>,
        mut round: Round,
        items: &[&Finish],
        _again: bool,
        skip: bool,
    ) -> Result<Vec<Written<Finished>>> {
        if skip || round.needs_accounts(items) {
            round.lock_accounts(pipeline.db, skip).await?;
        }
        let mut ends = Ends::default();
        let answers = items
            .iter()
            .map(|item| {
                let left_out = round.left_out.contains(&item.id);
                (!left_out).then(|| finish(item, &mut round, &mut ends))
            })
            .collect();
        let accounts = ends.accounts();
        pipeline.commit(&ends.writes(&accounts)).await?;
        Ok(answers)
    }

    fn committed(inner: &Inner, item: &Finish, answer: &Finished) {
        if let Finished::Ended { delivery, .. } = answer {
            inner.teller.tell(News::Ended(item.id));
            if item.ending.delivery.is_some() && delivery.is_none() {
                inner.teller.tell(News::Delivery);
            }
        }
    }
}

/// The accounts of these items, each once.
fn owners(items: &[&Finish]) -> Vec<Uuid> {
    let owners: BTreeSet<Uuid> = items.iter().map(|item| item.account.0).collect();
    owners.into_iter().collect()
}

/// What an end needs to know of its account.
struct Account {
    /// Exact only while the row is locked.
    available: i64,
    secrets: SigningSecrets,
    /// Whether it has endpoints that may want to be told of ends.
    has_endpoints: bool,
}

impl Account {
    /// From the rows of [`ACCOUNTS`], by the account.
    fn by_account(found: &[Row]) -> Result<HashMap<AccountId, Self>> {
        found
            .iter()
            .map(|found| {
                let account = Self {
                    available: get(found, 1)?,
                    secrets: secrets(found, 2)?,
                    has_endpoints: get(found, 5)?,
                };
                Ok((AccountId(get(found, 0)?), account))
            })
            .collect()
    }
}

/// The state that decides a batch.
pub(super) struct Round {
    accounts: HashMap<AccountId, Account>,
    /// Locked.
    open: HashMap<GenerationId, Open>,
    /// Whether the credits of any of them count against a limit. Those are counted while the account is locked.
    counts: bool,
    /// Generations that were left out because somebody else has locked them or their accounts.
    left_out: HashSet<GenerationId>,
}

impl Round {
    async fn read(pipeline: &Pipeline<'_>, items: &[&Finish], skip: bool) -> Result<Self> {
        let db = pipeline.db;
        let ids: Vec<Uuid> = items.iter().map(|item| item.id.0).collect();
        let owners = owners(items);
        let lock = if skip { LOCK_FREE_OPEN } else { LOCK_OPEN };
        let (found, accounts) =
            try_join(pipeline.begin(lock, &[&ids]), rows(db, ACCOUNTS, &[&owners])).await?;
        let (mut open, mut counts) = (HashMap::new(), false);
        for found in &found {
            let running = Open::read(found)?;
            counts |= get::<bool>(found, COUNTS)?;
            open.insert(running.id, running);
        }
        let mut left_out = HashSet::new();
        if skip && open.len() < ids.len() {
            for found in rows(db, RUNNING, &[&ids]).await? {
                let id = GenerationId(get(&found, 0)?);
                if !open.contains_key(&id) {
                    left_out.insert(id);
                }
            }
        }
        Ok(Self {
            accounts: Account::by_account(&accounts)?,
            open,
            counts,
            left_out,
        })
    }

    /// Whether the accounts are locked before anything is written: a charge exceeds its hold, or credits count against
    /// a limit.
    fn needs_accounts(&self, items: &[&Finish]) -> bool {
        let mut open = items
            .iter()
            .filter_map(|item| Some((item, self.open.get(&item.id)?)));
        self.counts || open.any(|(item, open)| !item.ending.is_covered(open.hold, 0))
    }

    async fn lock_accounts(&mut self, db: &Db, skip: bool) -> Result<()> {
        let owners: BTreeSet<Uuid> = self.open.values().map(|open| open.account.0).collect();
        let owners: Vec<Uuid> = owners.into_iter().collect();
        let lock = if skip { LOCK_FREE } else { LOCK_ALL };
        self.accounts = Account::by_account(&rows(db, lock, &[&owners]).await?)?;
        let locked = self
            .open
            .values()
            .filter(|open| !self.accounts.contains_key(&open.account));
        self.left_out.extend(locked.map(|open| open.id));
        Ok(())
    }
}

macro_rules! accounts {
    ($lock:literal) => {
        concat!(
            "SELECT id, available, signing_secret, previous_secret, previous_secret_until,
                    EXISTS (SELECT 1 FROM webhook_endpoints w
                            WHERE w.account = accounts.id AND w.enabled AND w.deleted_at IS NULL)
             FROM accounts WHERE id = ANY($1) ORDER BY id",
            $lock
        )
    };
}

const ACCOUNTS: &str = accounts!("");
const LOCK_ALL: &str = accounts!(" FOR NO KEY UPDATE");
const LOCK_FREE: &str = accounts!(" FOR NO KEY UPDATE SKIP LOCKED");

/// Only what runs has a lease. A condition on the state would let the server read an index of all that run.
macro_rules! lock_open {
    ($lock:literal) => {
        concat!(
            "SELECT id, account, epoch, hold, kind, model, spent_day IS NOT NULL FROM generations
             WHERE id = ANY($1) AND lease_until IS NOT NULL ORDER BY id FOR NO KEY UPDATE",
            $lock
        )
    };
}

/// The column that says whether the credits count against a limit.
const COUNTS: usize = 6;
const LOCK_OPEN: &str = lock_open!("");
const LOCK_FREE_OPEN: &str = lock_open!(" SKIP LOCKED");
const RUNNING: &str = "SELECT id FROM generations WHERE id = ANY($1) AND state = 'running'";

fn finish(finish: &Finish, round: &mut Round, ends: &mut Ends) -> Result<Finished, StoreError> {
    // An earlier item of the batch may have ended it.
    let held = round
        .open
        .get(&finish.id)
        .filter(|open| open.epoch == finish.epoch);
    let Some(account) = held.and_then(|open| round.accounts.get_mut(&open.account)) else {
        return Ok(Finished::Stale);
    };
    let Some(held) = held else {
        return Ok(Finished::Stale);
    };
    let (ending, uncovered) = finish.affordable(held.hold, account.available)?;
    let end = Conclusion {
        open: held,
        outcome: &ending.outcome,
        served_by: Some(&finish.served_by),
        now: finish.now,
        is_event: account.has_endpoints,
    };
    account.available += ends.add(&end).map_err(StoreError::from)?;
    let delivery = ending
        .delivery
        .as_ref()
        .and_then(|new| ends.deliver(held, new, finish.deliver_now, finish.now, &account.secrets));
    round.open.remove(&finish.id);
    Ok(Finished::Ended { uncovered, delivery })
}

pub(super) async fn end(db: &Db, end: &End) -> Result<Ended> {
    let found = row(
        db,
        "SELECT id, account, epoch, hold, kind, model FROM generations
         WHERE id = $1 AND ended_at IS NULL FOR NO KEY UPDATE",
        &[&end.id.0],
    )
    .await?;
    let Some(found) = found else {
        return ended_before(db, end).await;
    };
    let open = Open::read(&found)?;
    if end.account.is_some_and(|account| account != open.account) {
        return Ok(Ended::NotFound);
    }
    if end.epoch.is_some_and(|expected| expected != open.epoch) {
        return Ok(Ended::NotProcessing);
    }
    let accounts = Account::by_account(&rows(db, LOCK_ALL, &[&[open.account.0].as_slice()]).await?)?;
    let Some(account) = accounts.get(&open.account) else {
        return Ok(Ended::NotFound);
    };
    let mut ends = Ends::default();
    let outcome = Outcome::Failed(end.failure.clone());
    ends.add(&Conclusion {
        open: &open,
        outcome: &outcome,
        served_by: None,
        now: end.now,
        is_event: account.has_endpoints,
    })?;
    if let Some(new) = &end.delivery {
        ends.deliver(&open, new, None, end.now, &account.secrets);
    }
    let accounts = ends.accounts();
    execute_all(db, &ends.writes(&accounts)).await?;
    reviews::settle(db, end.id.0, end.now).await?;
    if let Some(record) = &end.record {
        changes::record(db, record).await?;
    }
    Ok(Ended::Ended)
}

/// The answer for a generation that is not open. It is not locked, because who removes it locks its account first.
async fn ended_before(db: &Db, end: &End) -> Result<Ended> {
    let found = row(db, "SELECT account FROM generations WHERE id = $1", &[&end.id.0]).await?;
    let owner = found.map(|found| get(&found, 0)).transpose()?.map(AccountId);
    let is_known = owner.is_some_and(|owner| end.account.is_none_or(|account| account == owner));
    Ok(if is_known {
        Ended::NotProcessing
    } else {
        Ended::NotFound
    })
}
