//! The ends of generations, each with its charge or release and its delivery, in one transaction. The accounts are
//! locked before the generations, both in the order of their ids.

use std::collections::{BTreeSet, HashMap, HashSet};

use atelier_domain::{AccountId, GenerationId, SigningSecrets};
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
    write::{Db, Inner, Op, fenced, row, rows},
};
use crate::{End, Ended, Finish, Finished, News, Outcome, StoreError, values::secrets};

/// Completions and failures as a [`Batch`].
#[derive(Debug)]
pub(super) struct Finishing;

impl Batch for Finishing {
    type Item = Finish;
    type Answer = Finished;
    type Row = AccountId;
    type Locked = HashMap<AccountId, Locked>;

    // If a connection breaks during a commit, the second try finds what the first one ended and reports it as stale.
    // That is harmless: it means that the worker no longer holds the job, and the delivery is sent when its lease
    // expires.
    const OP: Op = fenced!("finish");

    fn row(item: &Finish) -> AccountId {
        item.account
    }

    async fn lock(pipeline: &Pipeline<'_>, items: &[&Finish], skip: bool) -> Result<Self::Locked> {
        let lock = if skip { LOCK_FREE } else { LOCK_ALL };
        let locked = pipeline.begin(lock, &[&owners(items)]).await?;
        Locked::by_account(&locked)
    }

    async fn lock_more(pipeline: &Pipeline<'_>, locked: &mut Self::Locked, items: &[&Finish]) -> Result<()> {
        let found = rows(pipeline.db, LOCK_FREE, &[&owners(items)]).await?;
        locked.extend(Locked::by_account(&found)?);
        Ok(())
    }

    fn has(locked: &Self::Locked, account: AccountId) -> bool {
        locked.contains_key(&account)
    }

    async fn write(
        pipeline: &Pipeline<'_>,
        accounts: Self::Locked,
        items: &[&Finish],
        _again: bool,
        skip: bool,
    ) -> Result<Vec<Written<Finished>>> {
        let mut round = Round::read(pipeline.db, accounts, items, skip).await?;
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

/// An account whose row is locked.
pub(super) struct Locked {
    available: i64,
    secrets: SigningSecrets,
    /// Whether it has endpoints that may want to be told of ends.
    has_endpoints: bool,
}

impl Locked {
    /// From `id, available` and the secrets, by the account.
    fn by_account(found: &[Row]) -> Result<HashMap<AccountId, Self>> {
        found
            .iter()
            .map(|found| {
                let locked = Self {
                    available: get(found, 1)?,
                    secrets: secrets(found, 2)?,
                    has_endpoints: get(found, 5)?,
                };
                Ok((AccountId(get(found, 0)?), locked))
            })
            .collect()
    }
}

/// The state that decides a batch: rows that it has locked.
struct Round {
    accounts: HashMap<AccountId, Locked>,
    open: HashMap<GenerationId, Open>,
    /// Generations that were left out because somebody else has locked them or their accounts.
    left_out: HashSet<GenerationId>,
}

impl Round {
    async fn read(
        db: &Db,
        accounts: HashMap<AccountId, Locked>,
        items: &[&Finish],
        skip: bool,
    ) -> Result<Self> {
        let ids: Vec<Uuid> = items.iter().map(|item| item.id.0).collect();
        let found = if skip {
            let free: Vec<Uuid> = accounts.keys().map(|account| account.0).collect();
            rows(db, LOCK_FREE_OPEN, &[&ids, &free]).await?
        } else {
            rows(db, LOCK_OPEN, &[&ids]).await?
        };
        let mut open = HashMap::new();
        for found in &found {
            if get(found, 6)? {
                let running = Open::read(found)?;
                open.insert(running.id, running);
            }
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
            accounts,
            open,
            left_out,
        })
    }
}

macro_rules! lock_accounts {
    ($which:literal) => {
        concat!(
            "SELECT id, available, signing_secret, previous_secret, previous_secret_until,
                    EXISTS (SELECT 1 FROM webhook_endpoints w
                            WHERE w.account = accounts.id AND w.enabled AND w.deleted_at IS NULL)
             FROM accounts WHERE id ",
            $which,
            " ORDER BY id FOR NO KEY UPDATE"
        )
    };
}

const LOCK_ALL: &str = lock_accounts!("= ANY($1)");
const LOCK_FREE: &str = concat!(lock_accounts!("= ANY($1)"), " SKIP LOCKED");
// By the primary key alone: an account may have many that run.
const LOCK_OPEN: &str = "SELECT id, account, epoch, hold, kind, model, state = 'running' FROM generations
     WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE";
const LOCK_FREE_OPEN: &str =
    "SELECT id, account, epoch, hold, kind, model, state = 'running' FROM generations
     WHERE id = ANY($1) AND account = ANY($2) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED";
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
    const LOCK: &str = lock_accounts!("= (SELECT account FROM generations WHERE id = $1)");
    let accounts = Locked::by_account(&rows(db, LOCK, &[&end.id.0]).await?)?;
    let found = row(
        db,
        "SELECT id, account, epoch, hold, kind, model, ended_at IS NOT NULL FROM generations
         WHERE id = $1 FOR NO KEY UPDATE",
        &[&end.id.0],
    )
    .await?;
    let Some(found) = found else {
        return Ok(Ended::NotFound);
    };
    let open = Open::read(&found)?;
    let account = accounts
        .get(&open.account)
        .filter(|_| end.account.is_none_or(|account| account == open.account));
    let Some(account) = account else {
        return Ok(Ended::NotFound);
    };
    if get(&found, 6)? || end.epoch.is_some_and(|expected| expected != open.epoch) {
        return Ok(Ended::NotProcessing);
    }
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
