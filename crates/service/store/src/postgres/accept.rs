//! The acceptance of a batch of generations in one transaction, each with its hold, its token and its idempotency key.
//! Accounts are locked in the order of their ids, so that nodes do not deadlock.

mod columns;

use std::collections::{BTreeSet, HashMap, HashSet};

use atelier_domain::{AccountId, Generation, GenerationId, RateLimit, RateState, Timestamp};
use tokio_postgres::Row;
use uuid::Uuid;

use self::columns::Columns;
use super::{
    accounts,
    batch::{Batch, Outcome},
    clock::{RateClock, now},
    error::Result,
    history,
    keys::Spent,
    limits,
    row::{get, text},
    transaction::Pipeline,
    uses::{Use, earlier_uses, replayed},
    write::{Db, Inner, Op, fenced, rows},
};
use crate::{
    Accept, Accepted, News, StoreError,
    plans::own_or_plan,
    values::{self, Fields as _},
};

/// Acceptances as a [`Batch`].
#[derive(Debug)]
pub(super) struct Accepting;

/// An acceptance with its parameters as they are stored.
#[derive(Debug)]
pub(super) struct Prepared {
    accept: Accept,
    params: String,
    clock: RateClock,
}

impl Prepared {
    pub(super) fn new(accept: Accept, clock: RateClock) -> Result<Self> {
        let params = values::to_json(&accept.generation.params)?;
        Ok(Self {
            accept,
            params,
            clock,
        })
    }
}

impl Batch for Accepting {
    type Item = Prepared;
    type Answer = Accepted;
    type Row = AccountId;
    type Locked = Locked;

    const OP: Op = fenced!("accept");

    fn row(item: &Prepared) -> AccountId {
        item.accept.generation.account
    }

    async fn lock(pipeline: &Pipeline<'_>, items: &[&Prepared], skip: bool) -> Result<Locked> {
        Locked::read(pipeline, items, skip).await
    }

    async fn lock_more(pipeline: &Pipeline<'_>, locked: &mut Locked, items: &[&Prepared]) -> Result<()> {
        let found = rows(pipeline.db, LOCK_FREE, &[&owners(items)]).await?;
        locked.accounts.extend(read_accounts(pipeline.db, &found).await?);
        Ok(())
    }

    fn has(locked: &Locked, account: AccountId) -> bool {
        locked.accounts.contains_key(&account)
    }

    async fn write(
        pipeline: &Pipeline<'_>,
        locked: Locked,
        items: &[&Prepared],
        again: bool,
        _skip: bool,
    ) -> Result<Vec<Outcome<Accepted>>> {
        let mut round = Round::read(pipeline.db, locked, items, again).await?;
        let verdicts: Vec<Verdict> = items
            .iter()
            .enumerate()
            .map(|(index, item)| round.judge(index, &item.accept))
            .collect();
        let accepted: Vec<_> = round.accepted.iter().map(|index| items[*index]).collect();
        round.spent.write(pipeline.db).await?;
        use_inputs(pipeline.db, &accepted).await?;
        let columns = Columns::new(&round, &accepted);
        let replays: Vec<Uuid> = verdicts.iter().filter_map(Verdict::replay).collect();
        if replays.is_empty() {
            pipeline.commit(&columns.writes()).await?;
            return Ok(answers(verdicts, &HashMap::new()));
        }
        // They may be of this batch.
        pipeline.write(&columns.writes()).await?;
        let replayed = replayed(pipeline.db, &replays).await?;
        pipeline.commit(&[]).await?;
        Ok(answers(verdicts, &replayed))
    }

    fn committed(inner: &Inner, item: &Prepared, answer: &Accepted) {
        if matches!(answer, Accepted::Accepted(_)) {
            inner.teller.tell(News::Work(item.accept.lane.clone()));
        }
    }
}

/// The decision about one item.
enum Verdict {
    /// Somebody else has locked its account.
    Locked,
    Known(Accepted),
    /// The generation of an earlier use of the account's key.
    Replay(AccountId, GenerationId),
}

impl Verdict {
    const fn replay(&self) -> Option<Uuid> {
        match self {
            Self::Replay(_, id) => Some(id.0),
            Self::Known(_) | Self::Locked => None,
        }
    }
}

struct Account {
    available: i64,
    own_limit: Option<u32>,
    tat: Timestamp,
    /// By the database's clock.
    read_at: Timestamp,
    /// The limit on queued generations, and how many more there may be.
    queue: Option<(u32, i64)>,
    budget: Option<i64>,
    /// The credits that this batch holds; `None` before the first acceptance.
    hold: Option<i64>,
}

/// The accounts of a batch.
pub(super) struct Locked {
    accounts: HashMap<AccountId, Account>,
    /// Those that were left out because somebody else has locked them.
    others: HashSet<AccountId>,
}

impl Locked {
    async fn read(pipeline: &Pipeline<'_>, items: &[&Prepared], skip: bool) -> Result<Self> {
        let ids = owners(items);
        let lock = if skip { LOCK_FREE } else { LOCK_ALL };
        let found = pipeline.begin(lock, &[&ids]).await?;
        let others = if skip {
            accounts::others(pipeline.db, &ids, &found).await?
        } else {
            HashSet::new()
        };
        let accounts = read_accounts(pipeline.db, &found).await?;
        Ok(Self { accounts, others })
    }
}

/// The accounts of these items, each once.
fn owners(items: &[&Prepared]) -> Vec<Uuid> {
    let owners = items.iter().map(|item| item.accept.generation.account.0);
    owners.collect::<BTreeSet<_>>().into_iter().collect()
}

/// From the rows of [`LOCK_ALL`].
async fn read_accounts(db: &Db, found: &[Row]) -> Result<HashMap<AccountId, Account>> {
    let queues = limits::places(db, found).await?;
    let account = |found: &Row| {
        let id: Uuid = get(found, 0)?;
        let account = Account {
            available: get(found, 1)?,
            own_limit: found.optional_number(2)?,
            tat: Timestamp(get(found, 3)?),
            read_at: Timestamp(get(found, 4)?),
            queue: queues.get(&id).copied(),
            budget: found.optional_integer(BUDGET)?,
            hold: None,
        };
        Ok((AccountId(id), account))
    };
    found.iter().map(account).collect()
}

/// The state that decides a batch, and the rows that it will write.
struct Round {
    clock: RateClock,
    accounts: HashMap<AccountId, Account>,
    others: HashSet<AccountId>,
    spent: Spent,
    uses: HashMap<(AccountId, String), Use>,
    /// Generations that an earlier try of this batch wrote.
    written: HashSet<Uuid>,
    /// The stored inputs that are there. They cannot go before the transaction ends.
    files: HashSet<String>,
    accepted: Vec<usize>,
    /// The items whose use of a key is to be recorded.
    keys: HashMap<(AccountId, String), usize>,
}

impl Round {
    async fn read(
        db: &Db,
        Locked { accounts, others }: Locked,
        items: &[&Prepared],
        again: bool,
    ) -> Result<Self> {
        let budget = |accept: &Accept| accounts.get(&accept.generation.account)?.budget;
        let spent = Spent::read(db, items.iter().map(|item| (&item.accept, budget(&item.accept)))).await?;
        // Read after the accounts are locked: any other use of their keys is committed or waits.
        let uses = earlier_uses(db, items.iter().map(|item| &item.accept)).await?;
        let written = if again {
            let ids: Vec<Uuid> = items.iter().map(|item| item.accept.generation.id.0).collect();
            let found = rows(db, "SELECT id FROM generations WHERE id = ANY($1)", &[&ids]).await?;
            found.iter().map(|found| get(found, 0)).collect::<Result<_>>()?
        } else {
            HashSet::new()
        };
        let files = history::lock_inputs(db, items.iter().flat_map(|item| &item.accept.files)).await?;
        Ok(Self {
            files,
            clock: items.first().map(|item| item.clock).unwrap_or_default(),
            accounts,
            others,
            spent,
            uses,
            written,
            accepted: Vec::new(),
            keys: HashMap::new(),
        })
    }

    fn judge(&mut self, index: usize, accept: &Accept) -> Verdict {
        let generation = &accept.generation;
        let now = generation.created_at;
        let Some(account) = self.accounts.get_mut(&generation.account) else {
            return if self.others.contains(&generation.account) {
                Verdict::Locked
            } else {
                Verdict::Known(Accepted::NoAccount)
            };
        };
        let rate = RateLimit::own_or(account.own_limit, accept.default_per_minute);
        let clock = self.clock.decide(now, account.read_at);
        if self.written.contains(&generation.id.0) {
            // Its token was taken then, so this takes none.
            return Verdict::Known(Accepted::Accepted(state_now(rate, account.tat, clock)));
        }
        let key = accept
            .idempotency
            .as_ref()
            .map(|used| (generation.account, text(&used.key).into_owned()));
        if let (Some(used), Some(key)) = (&accept.idempotency, &key)
            && let Some(earlier) = self
                .uses
                .get(key)
                .filter(|earlier| earlier.used_at >= used.valid_since)
        {
            return if earlier.body_hash == used.body_hash {
                Verdict::Replay(generation.account, earlier.generation)
            } else {
                Verdict::Known(Accepted::KeyReused)
            };
        }
        let (tat, rate) = match rate.take(account.tat, clock) {
            Ok(taken) => taken,
            Err(limited) => return Verdict::Known(Accepted::Limited(limited)),
        };
        if let Some((max, 0)) = account.queue {
            return Verdict::Known(Accepted::QueueFull { max });
        }
        if let Some(refused) = self.spent.refuse(accept, account.budget) {
            return Verdict::Known(refused);
        }
        if generation.hold > account.available {
            let available = account.available;
            return Verdict::Known(Accepted::Uncovered { available });
        }
        if let Some(gone) = accept
            .files
            .iter()
            .find(|file| !self.files.contains(file.as_str()))
        {
            return Verdict::Known(Accepted::FileGone(gone.clone()));
        }
        self.spent.count(accept, account.budget);
        account.available -= generation.hold;
        account.tat = tat;
        account.queue = account.queue.map(|(max, left)| (max, left - 1));
        account.hold = Some(account.hold.unwrap_or(0) + generation.hold);
        if let (Some(used), Some(key)) = (&accept.idempotency, key) {
            let use_of_it = Use {
                generation: generation.id,
                body_hash: used.body_hash.to_vec(),
                used_at: now,
            };
            self.uses.insert(key.clone(), use_of_it);
            self.keys.insert(key, index);
        }
        self.accepted.push(index);
        Verdict::Known(Accepted::Accepted(rate))
    }
}

async fn use_inputs(db: &Db, accepted: &[&Prepared]) -> Result<()> {
    let inputs = accepted.iter().flat_map(|item| {
        let generation = &item.accept.generation;
        let uses = item.accept.files.iter();
        uses.map(|file| (generation.id.0, file.as_str(), generation.created_at.0))
    });
    let inputs: Vec<_> = inputs.collect();
    history::use_inputs(db, &inputs).await
}

macro_rules! lock_accounts {
    () => {
        concat!(
            "SELECT a.id, a.available, ",
            own_or_plan!("generations_per_minute"),
            ", a.generation_tat, ",
            now!(),
            ", ",
            own_or_plan!("max_queued"),
            ", a.monthly_budget FROM accounts a WHERE a.id = ANY($1) ORDER BY a.id FOR NO KEY UPDATE OF a"
        )
    };
}

/// The column of `monthly_budget`.
const BUDGET: usize = 6;
const LOCK_ALL: &str = lock_accounts!();
const LOCK_FREE: &str = concat!(lock_accounts!(), " SKIP LOCKED");

fn answers(
    verdicts: Vec<Verdict>,
    replayed: &HashMap<(AccountId, GenerationId), Generation>,
) -> Vec<Outcome<Accepted>> {
    let answer = |verdict| match verdict {
        Verdict::Locked => None,
        Verdict::Known(accepted) => Some(Ok(accepted)),
        Verdict::Replay(account, id) => Some(
            replayed
                .get(&(account, id))
                .map(|first| Accepted::Replayed(Box::new(first.clone())))
                .ok_or_else(|| {
                    StoreError::Internal(format!("generation {id} of an idempotency key is missing"))
                }),
        ),
    };
    verdicts.into_iter().map(answer).collect()
}

fn state_now(rate: RateLimit, tat: Timestamp, now: Timestamp) -> RateState {
    match rate.peek(tat, now) {
        Ok(state) => state,
        Err(limited) => limited.state,
    }
}
