//! The acceptance of a batch of generations in one transaction, each with its hold, its token and its idempotency key.
//! Accounts are locked in the order of their ids, so that nodes do not deadlock.

use std::collections::{BTreeSet, HashMap, HashSet};

use atelier_domain::{AccountId, GenerationId, RateLimit, RateState, Timestamp};
use futures::future::try_join4;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::{
    accounts,
    batch::{Batch, Outcome},
    clock::{RateClock, now},
    error::Result,
    history,
    keys::{Spent, spent_day},
    limits,
    row::{get, optional_text, text},
    uses::{Use, earlier_uses},
    write::{Db, Inner, Op, fenced, rows},
};
use crate::{
    Accept, Accepted, News, StoreError,
    plans::own_or_plan,
    values::{self, Fields as _, generation_columns},
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

    const OP: Op = fenced!("accept");

    fn row(item: &Prepared) -> AccountId {
        item.accept.generation.account
    }

    async fn write(db: &Db, items: &[&Prepared], again: bool, skip: bool) -> Result<Vec<Outcome<Accepted>>> {
        let mut round = Round::read(db, items, again, skip).await?;
        let verdicts: Vec<Verdict> = items
            .iter()
            .enumerate()
            .map(|(index, item)| round.judge(index, &item.accept))
            .collect();
        round.write(db, items).await?;
        answers(db, verdicts).await
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

/// The state that decides a batch, and the rows that it will write.
struct Round {
    clock: RateClock,
    accounts: HashMap<AccountId, Account>,
    /// Accounts that were left out because somebody else has locked them.
    locked: HashSet<AccountId>,
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
    async fn read(db: &Db, items: &[&Prepared], again: bool, skip: bool) -> Result<Self> {
        let ids: BTreeSet<Uuid> = items
            .iter()
            .map(|item| item.accept.generation.account.0)
            .collect();
        let ids: Vec<Uuid> = ids.into_iter().collect();
        let lock = if skip { LOCK_FREE } else { LOCK_ALL };
        let found = rows(db, lock, &[&ids]).await?;
        let locked = if skip {
            accounts::others(db, &ids, &found).await?
        } else {
            HashSet::new()
        };
        let queues = limits::places(db, &found).await?;
        let accounts = found
            .iter()
            .map(|found| {
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
            })
            .collect::<Result<HashMap<_, _>>>()?;
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
            locked,
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
            return if self.locked.contains(&generation.account) {
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

    /// Writes everything with one statement for each table, all sent together.
    async fn write(&self, db: &Db, items: &[&Prepared]) -> Result<()> {
        if self.accepted.is_empty() {
            return Ok(());
        }
        let accepted: Vec<&Prepared> = self.accepted.iter().map(|index| items[*index]).collect();
        let column =
            |of: fn(&Accept) -> i64| -> Vec<i64> { accepted.iter().map(|item| of(&item.accept)).collect() };
        let ids: Vec<Uuid> = accepted.iter().map(|item| item.accept.generation.id.0).collect();
        let owners: Vec<Uuid> = accepted
            .iter()
            .map(|item| item.accept.generation.account.0)
            .collect();
        let lanes: Vec<_> = accepted.iter().map(|item| text(&item.accept.lane)).collect();
        let models: Vec<_> = accepted
            .iter()
            .map(|item| text(&item.accept.generation.model))
            .collect();
        let kinds: Vec<&str> = accepted
            .iter()
            .map(|item| item.accept.generation.kind.as_str())
            .collect();
        let webhooks: Vec<_> = accepted
            .iter()
            .map(|item| optional_text(item.accept.generation.webhook_url.as_ref()))
            .collect();
        let params: Vec<&str> = accepted.iter().map(|item| item.params.as_str()).collect();
        let created = column(|accept| accept.generation.created_at.0);
        let deadlines = column(|accept| accept.generation.deadline.0);
        let holds = column(|accept| accept.generation.hold);
        let keys: Vec<Option<Uuid>> = accepted.iter().map(|item| Some(item.accept.key?.id.0)).collect();
        let budget = |accept: &Accept| self.accounts.get(&accept.generation.account)?.budget;
        let spent_days: Vec<Option<i64>> = accepted
            .iter()
            .map(|item| spent_day(&item.accept, budget(&item.accept)))
            .collect();

        let changed: Vec<(Uuid, i64, i64)> = self
            .accounts
            .iter()
            .filter_map(|(id, account)| Some((id.0, account.hold?, account.tat.0)))
            .collect();
        let account_ids: Vec<Uuid> = changed.iter().map(|changed| changed.0).collect();
        let account_holds: Vec<i64> = changed.iter().map(|changed| changed.1).collect();
        let tats: Vec<i64> = changed.iter().map(|changed| changed.2).collect();

        let uses: Vec<(&(AccountId, String), &Use)> = self
            .keys
            .keys()
            .filter_map(|key| self.uses.get_key_value(key))
            .collect();
        let use_owners: Vec<Uuid> = uses.iter().map(|(key, _)| key.0.0).collect();
        let use_keys: Vec<&str> = uses.iter().map(|(key, _)| key.1.as_str()).collect();
        let use_hashes: Vec<&[u8]> = uses.iter().map(|(_, used)| used.body_hash.as_slice()).collect();
        let use_generations: Vec<Uuid> = uses.iter().map(|(_, used)| used.generation.0).collect();
        let use_moments: Vec<i64> = uses.iter().map(|(_, used)| used.used_at.0).collect();

        let insert = db.prepare_cached(INSERT_GENERATIONS).await?;
        let hold = db.prepare_cached(HOLD).await?;
        let book = db.prepare_cached(BOOK).await?;
        let note = db.prepare_cached(NOTE_KEYS).await?;
        try_join4(
            db.execute(
                &insert,
                &[
                    &ids,
                    &owners,
                    &lanes,
                    &created,
                    &deadlines,
                    &holds,
                    &models,
                    &kinds,
                    &webhooks,
                    &params,
                    &keys,
                    &spent_days,
                ],
            ),
            db.execute(&hold, &[&account_ids, &account_holds, &tats]),
            db.execute(&book, &[&owners, &ids, &holds, &created]),
            async {
                if use_keys.is_empty() {
                    return Ok(0);
                }
                let uses: &[&(dyn ToSql + Sync)] = &[
                    &use_owners,
                    &use_keys,
                    &use_hashes,
                    &use_generations,
                    &use_moments,
                ];
                db.execute(&note, uses).await
            },
        )
        .await?;
        self.spent.write(db).await?;
        use_inputs(db, &accepted).await
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

const INSERT_GENERATIONS: &str =
    "INSERT INTO generations (id, account, state, epoch, attempt, lane, run_at, deadline, hold, progress,
                              created_at, model, kind, webhook_url, params, key, spent_day)
     SELECT id, account, 'queued', 0, 0, lane, at, deadline, hold, 0, at, model, kind, webhook_url, params, key, day
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
                 $8::text[], $9::text[], $10::text[], $11::uuid[], $12::bigint[])
          AS t (id, account, lane, at, deadline, hold, model, kind, webhook_url, params, key, day)";

const HOLD: &str =
    "UPDATE accounts a SET available = a.available - t.hold, held = a.held + t.hold, generation_tat = t.tat
     FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS t (id, hold, tat) WHERE a.id = t.id";

// In the order of acceptance, so that the ledger has the same order.
const BOOK: &str = "INSERT INTO entries (account, generation, kind, issued, available, held, spent, at)
     SELECT account, generation, 'hold', 0, -hold, hold, 0, at
     FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[]) WITH ORDINALITY
          AS t (account, generation, hold, at, place)
     ORDER BY place";

// An earlier use is still there only if it is too old to count.
const NOTE_KEYS: &str = "INSERT INTO idempotency (account, key, body_hash, generation, used_at)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::uuid[], $5::bigint[])
     ON CONFLICT (account, key) DO UPDATE
     SET body_hash = excluded.body_hash, generation = excluded.generation, used_at = excluded.used_at";

/// The answers, with replayed generations as they are now.
async fn answers(db: &Db, verdicts: Vec<Verdict>) -> Result<Vec<Outcome<Accepted>>> {
    const FIND: &str = concat!(
        "SELECT ",
        generation_columns!(),
        " FROM generations g WHERE g.id = ANY($1)"
    );
    let replayed: Vec<Uuid> = verdicts
        .iter()
        .filter_map(|verdict| match verdict {
            Verdict::Replay(_, id) => Some(id.0),
            Verdict::Known(_) | Verdict::Locked => None,
        })
        .collect();
    let mut generations = HashMap::new();
    if !replayed.is_empty() {
        for found in rows(db, FIND, &[&replayed]).await? {
            let generation = values::generation(&found)?;
            generations.insert((generation.account, generation.id), generation);
        }
        for deleted in history::deleted_of(db, &replayed).await? {
            generations.insert((deleted.account, deleted.id), deleted.shell());
        }
    }
    let answer = |verdict| match verdict {
        Verdict::Locked => None,
        Verdict::Known(accepted) => Some(Ok(accepted)),
        Verdict::Replay(account, id) => Some(
            generations
                .get(&(account, id))
                .map(|first| Accepted::Replayed(Box::new(first.clone())))
                .ok_or_else(|| {
                    StoreError::Internal(format!("generation {id} of an idempotency key is missing"))
                }),
        ),
    };
    Ok(verdicts.into_iter().map(answer).collect())
}

fn state_now(rate: RateLimit, tat: Timestamp, now: Timestamp) -> RateState {
    match rate.peek(tat, now) {
        Ok(state) => state,
        Err(limited) => limited.state,
    }
}
