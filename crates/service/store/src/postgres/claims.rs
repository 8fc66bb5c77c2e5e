//! Claims: each takes of what waits in a lane, going round the accounts. Generations that others have locked are
//! skipped.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Instant,
};

use atelier_domain::{Generation, Timestamp};
use futures::future::try_join;
use uuid::Uuid;

use super::{
    PostgresStore,
    error::Result,
    gaps::{Found, Gaps},
    limits,
    row::{get, text},
    spacing::Spacing,
    write::{Db, Op, Parameters, fleeting, is_open, rows, write},
};
use crate::{
    Claim,
    turns::{ACCOUNTS, Shares, Turns, Waiting},
    values::{self, Fields as _, GENERATION_COLUMNS, generation_columns},
};

const CLAIM: Op = fleeting!("claim");
/// How often a claim tries again that found only accounts with a limit that another claim counted: a worker that gets
/// nothing waits for the next hint, and theirs has come.
const AGAIN: usize = 10;

/// What a node remembers between its claims.
#[derive(Debug, Default)]
pub(super) struct Claims {
    turns: Turns,
    spacing: Spacing,
    gaps: Gaps,
}

impl PostgresStore {
    pub(super) async fn take_work(&self, claim: Claim) -> crate::Result<Vec<Generation>> {
        for _ in 0..AGAIN {
            let taken = self.try_to_take(claim.clone()).await?;
            if !taken.claimed.is_empty() || !taken.others_count {
                return Ok(taken.claimed);
            }
        }
        Ok(self.try_to_take(claim).await?.claimed)
    }

    async fn try_to_take(&self, claim: Claim) -> crate::Result<Taken> {
        self.claims.spacing.wait(&claim.lane).await;
        let (lane, begun, claims) = (claim.lane.clone(), Instant::now(), Arc::clone(&self.claims));
        let (max, is_of_all_models) = (claim.max as usize, claim.models.is_none());
        let taken = write!(self, CLAIM, begins, |db| self::claim(db, &claim, &claims))?;
        if taken.claimed.len() < max {
            if is_of_all_models && !taken.others_count {
                self.inner.teller.emptied(&lane, begun);
            }
            if taken.claimed.len() != 1 {
                self.claims.spacing.begun(lane, begun);
            }
        }
        Ok(taken)
    }
}

/// What a claim has taken.
#[derive(Default)]
struct Taken {
    claimed: Vec<Generation>,
    /// Whether it passed over an account with a limit that another claim counted.
    others_count: bool,
}

/// Begins a transaction, together with the first read, and claims in it.
async fn claim(db: &Db, claim: &Claim, claims: &Claims) -> Result<Taken> {
    let begin = CLAIM.begin_hot();
    let begin = async { Ok(db.batch_execute(&begin).await?) };
    let ((), taken) = try_join(begin, claim_rounds(db, claim, claims)).await?;
    Ok(taken)
}

async fn claim_rounds(db: &Db, claim: &Claim, claims: &Claims) -> Result<Taken> {
    let mut taken = Taken::default();
    loop {
        let left = claim.max - taken.claimed.len() as u32;
        let round = claim_round(db, claim, left, claims).await?;
        taken.claimed.extend(round.taken.claimed);
        taken.others_count |= round.taken.others_count;
        if !round.more || taken.claimed.len() >= claim.max as usize {
            return Ok(taken);
        }
    }
}

/// The accounts whose turn it is: each by one seek in the index, in the spans between `$3`, `$6` and `$7`. An
/// account that has nothing due, or as many running as it may, has no turn.
macro_rules! turn {
    ($filter:literal) => {
        concat!(
            "WITH RECURSIVE turn (span, account, after, first, place, found, has_turn, most, weight) AS (
                 SELECT 1, ($3::uuid[])[1], ($6::bigint[])[1], 0::bigint, 0, 0, FALSE, NULL::bigint, 1::bigint
                 UNION ALL
                 SELECT n.span, n.account, 9223372036854775807, n.run_at, turn.place + 1,
                        turn.found + h.has_turn::int, h.has_turn, l.most, l.weight
                 FROM turn CROSS JOIN LATERAL (
                     SELECT s.span, g.account, g.run_at
                     FROM (SELECT generate_series(turn.span, cardinality($3::uuid[])) AS span) s CROSS JOIN LATERAL (
                         SELECT account, run_at FROM generations
                         WHERE state = 'queued' AND lane = $1
                             AND (account, run_at) > (
                                 CASE s.span WHEN turn.span THEN turn.account ELSE ($3::uuid[])[s.span] END,
                                 CASE s.span WHEN turn.span THEN turn.after ELSE ($6::bigint[])[s.span] END)
                             AND account < ($7::uuid[])[s.span]
                         ORDER BY account, run_at LIMIT 1) g
                     LIMIT 1) n CROSS JOIN LATERAL (
                     SELECT coalesce(a.max_running, p.max_running) AS most, coalesce(p.weight, 1) AS weight
                     FROM accounts a LEFT JOIN plans p ON p.name = a.plan_name
                     WHERE a.id = n.account OFFSET 0) l CROSS JOIN LATERAL (
                     SELECT n.run_at <= $2 AND (l.most IS NULL OR l.most > (
                         SELECT count(*) FROM generations
                         WHERE ",
            is_open!(),
            " AND state = 'running' AND account = n.account))",
            $filter,
            " AS has_turn OFFSET 0) h
                 WHERE turn.found < $4::bigint AND turn.place < $5)
             SELECT account, first, has_turn, most, weight FROM turn WHERE place > 0 ORDER BY place"
        )
    };
}

pub(super) const TURN: &str = turn!("");
/// The same for generations of some models.
const TURN_MODELS: &str = turn!(
    " AND EXISTS (SELECT 1 FROM generations WHERE state = 'queued' AND lane = $1 AND account = n.account
                  AND run_at BETWEEN n.run_at AND $2 AND model = ANY($8))"
);

/// Takes of each account in `$6`, from the time in `$8` on, at most what is in `$7`, and `$3` in all. The epoch is that
/// of [`next_epoch`](crate::work::next_epoch). The rows are locked, so they are still in the same places when they are
/// updated.
macro_rules! take {
    ($filter:literal) => {
        concat!(
            "WITH waiting AS MATERIALIZED (
                 SELECT account, most, first, place
                 FROM unnest($6::uuid[], $7::bigint[], $8::bigint[]) WITH ORDINALITY AS w (account, most, first, place)
             ), taken AS MATERIALIZED (
                 SELECT d.ctid AS row, w.place FROM waiting w CROSS JOIN LATERAL (
                     SELECT ctid FROM generations
                     WHERE state = 'queued' AND lane = $1 AND account = w.account AND run_at BETWEEN w.first AND $2",
            $filter,
            "
                     ORDER BY run_at, id LIMIT w.most FOR NO KEY UPDATE SKIP LOCKED) d
                 LIMIT $3::bigint)
             UPDATE generations g SET state = 'running', epoch = greatest(g.epoch + 1, $2),
                                      attempt = g.attempt + 1, worker = $4, lease_until = $5,
                                      started_at = coalesce(g.started_at, $2), served_by = $1, progress = 0,
                                      attempt_started_at = $2
             FROM taken WHERE g.ctid = taken.row RETURNING ",
            generation_columns!(),
            ", g.run_at, taken.place"
        )
    };
}

pub(super) const TAKE: &str = take!("");
/// The same for generations of some models.
const TAKE_MODELS: &str = take!(" AND model = ANY($9)");

/// Others may have locked what an account has, so some more accounts are looked at than are needed.
const SPARE: usize = 4;
/// How often a claim looks for accounts, if others count those that it found.
const LOOKS: usize = 3;

#[derive(Default)]
struct Round {
    taken: Taken,
    /// Whether an account took all of its share, so that it may have more.
    more: bool,
}

/// The accounts that a claim may take from.
#[derive(Default)]
struct InTurn {
    waiting: Vec<Waiting>,
    /// The time of the first generation of each.
    first: HashMap<Uuid, Timestamp>,
    others_count: bool,
}

/// Takes a share for each account whose turn it is.
async fn claim_round(db: &Db, claim: &Claim, max: u32, claims: &Claims) -> Result<Round> {
    let turn = claims.turns.last(&claim.lane);
    let InTurn {
        waiting,
        first,
        others_count,
    } = accounts_in_turn(db, claim, (turn.next_after(), max), &claims.gaps).await?;
    let shares = Shares::new(turn, &waiting, max as usize);
    let ids: Vec<Uuid> = waiting.iter().map(|account| account.account).collect();
    let most: Vec<i64> = (0..waiting.len())
        .map(|place| shares.most(place) as i64)
        .collect();
    let first: Vec<i64> = ids
        .iter()
        .map(|id| first.get(id).map_or(i64::MIN, |at| at.0))
        .collect();
    let mut round = Round::default();
    round.taken.others_count = others_count;
    if waiting.is_empty() {
        return Ok(round);
    }
    let (lane, now, max) = (text(&claim.lane), claim.now.0, i64::from(max));
    let (worker, until) = (claim.worker.0, claim.lease_until.0);
    let parameters: Parameters<'_> = &[&lane, &now, &max, &worker, &until, &ids, &most, &first];
    let found = match &claim.models {
        None => rows(db, TAKE, parameters).await?,
        Some(models) => rows(db, TAKE_MODELS, &[parameters, &[models]].concat()).await?,
    };
    let mut taken = vec![0; waiting.len()];
    let mut claimed = found
        .iter()
        .map(|found| {
            let place = get::<i64>(found, GENERATION_COLUMNS + 1)? as usize - 1;
            let run_at: i64 = get(found, GENERATION_COLUMNS)?;
            taken[place] += 1;
            Ok((place, run_at, values::generation(found)?))
        })
        .collect::<Result<Vec<_>>>()?;
    claimed.sort_by_key(|(place, run_at, generation)| (*place, *run_at, generation.id));
    if let Some(turn) = shares.end(&waiting, &taken) {
        claims.turns.had(&claim.lane, turn);
    }
    for (account, count) in ids.iter().zip(&taken).filter(|(_, count)| **count > 0) {
        claims.gaps.took(&claim.lane, *account, *count);
    }
    round.more = (0..waiting.len()).any(|place| taken[place] == shares.most(place));
    round.taken.claimed = claimed.into_iter().map(|(_, _, generation)| generation).collect();
    Ok(round)
}

/// The accounts after this one that a claim of so many may take from. It passes over those with a limit that others
/// count now, so that a worker does not wait while further accounts do.
async fn accounts_in_turn(
    db: &Db,
    claim: &Claim,
    (mut begin, max): (Uuid, u32),
    gaps: &Gaps,
) -> Result<InTurn> {
    let enough = max as usize + SPARE;
    let (mut seen, mut turns) = (HashSet::new(), InTurn::default());
    for _ in 0..LOOKS {
        let (mut next, first) = look(db, claim, (begin, enough), gaps).await?;
        let is_all = next.len() < enough;
        next.retain(|account| seen.insert(account.account));
        let Some(last) = next.last() else { break };
        begin = last.account;
        turns.others_count |= limits::leave_room(db, &mut next).await?;
        turns.waiting.extend(next);
        turns.first.extend(first);
        if is_all || turns.waiting.len() >= max as usize {
            break;
        }
    }
    Ok(turns)
}

/// The next accounts after this one, and the first times of these and others. The room of one with a limit is its
/// limit.
async fn look(
    db: &Db,
    claim: &Claim,
    (begin, enough): (Uuid, usize),
    gaps: &Gaps,
) -> Result<(Vec<Waiting>, HashMap<Uuid, Timestamp>)> {
    let (lane, most) = (text(&claim.lane), enough as i64);
    let accounts = i32::try_from(ACCOUNTS).unwrap_or(i32::MAX);
    let begun = Instant::now();
    let spans = gaps.spans(&claim.lane, begin);
    let (ids, times) = &spans.after;
    let parameters: Parameters<'_> = &[&lane, &claim.now.0, ids, &most, &accounts, times, &spans.before];
    let rows = match &claim.models {
        None => rows(db, TURN, parameters).await?,
        Some(models) => rows(db, TURN_MODELS, &[parameters, &[models]].concat()).await?,
    };
    let (mut waiting, mut found) = (Vec::new(), Found::default());
    for row in &rows {
        let account = get(row, 0)?;
        found.first.insert(account, Timestamp(get(row, 1)?));
        if get(row, 2)? {
            waiting.push(Waiting {
                account,
                weight: row.number(4)?,
                room: row.optional_number(3)?.unwrap_or(usize::MAX),
            });
        }
    }
    found.is_all = waiting.len() < enough && rows.len() < ACCOUNTS as usize;
    gaps.looked(&claim.lane, &spans, (begun, claim.now), &found);
    Ok((waiting, found.first))
}
