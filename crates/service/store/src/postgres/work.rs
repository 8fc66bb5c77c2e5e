//! The queue: claims, leases, and what returns to the queue. Several generations are locked in the order of their ids,
//! or those that others have locked are skipped.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Instant,
};

use atelier_domain::{Generation, GenerationId, Timestamp};
use futures::future::try_join;
use tokio_postgres::Row;
use uuid::Uuid;

use super::{
    PostgresStore,
    error::Result,
    limits,
    row::{get, optional_text, text},
    write::{Db, Op, Parameters, execute, fleeting, rows, write},
};
use crate::{
    Beat, Claim, REVIEW_LANE, Retry, Unrenewed,
    turns::{ACCOUNTS, Shares, Turns, Waiting},
    values::{self, Fields as _, GENERATION_COLUMNS, generation_columns},
};

/// The most idempotency keys removed in one write, so that other writes wait only this long.
pub(super) const PURGE: u32 = 5_000;

const CLAIM: Op = fleeting!("claim");

impl PostgresStore {
    pub(super) async fn take_work(&self, claim: Claim) -> crate::Result<Vec<Generation>> {
        self.spacing.wait(&claim.lane).await;
        let (lane, begun, turns) = (claim.lane.clone(), Instant::now(), Arc::clone(&self.turns));
        let (max, is_of_all_models) = (claim.max as usize, claim.models.is_none());
        let claimed = write!(self, CLAIM, begins, |db| self::claim(db, &claim, &turns))?;
        if claimed.len() < max {
            if is_of_all_models {
                self.inner.teller.emptied(&lane, begun);
            }
            if claimed.len() != 1 {
                self.spacing.begun(lane, begun);
            }
        }
        Ok(claimed)
    }
}

/// Begins a transaction, together with the first read, and claims in it.
async fn claim(db: &Db, claim: &Claim, turns: &Turns) -> Result<Vec<Generation>> {
    let begin = CLAIM.begin_hot();
    let begin = async { Ok(db.batch_execute(&begin).await?) };
    let ((), claimed) = try_join(begin, claim_rounds(db, claim, turns)).await?;
    Ok(claimed)
}

async fn claim_rounds(db: &Db, claim: &Claim, turns: &Turns) -> Result<Vec<Generation>> {
    let mut claimed = Vec::new();
    loop {
        let left = claim.max - claimed.len() as u32;
        let round = claim_round(db, claim, left, turns).await?;
        claimed.extend(round.claimed);
        if !round.more || claimed.len() >= claim.max as usize {
            return Ok(claimed);
        }
    }
}

/// The accounts whose turn it is, beginning after the id in `$3`: each by one seek in the index, first those after the
/// id (`rest` 0) and then, once none is left there, those from the beginning up to it (`rest` 1). An account that has
/// nothing due, or as many running as it may, has no turn.
macro_rules! turn {
    ($filter:literal) => {
        concat!(
            "WITH RECURSIVE turn (rest, account, place, found, has_turn, most, weight) AS (
                 SELECT 0, $3::uuid, 0, 0, FALSE, NULL::bigint, 1::bigint
                 UNION ALL
                 SELECT n.rest, n.account, turn.place + 1, turn.found + h.has_turn::int, h.has_turn, l.most, l.weight
                 FROM turn CROSS JOIN LATERAL (
                     (SELECT turn.rest AS rest, account, run_at FROM generations
                      WHERE state = 'queued' AND lane = $1 AND account > turn.account ORDER BY account, run_at LIMIT 1)
                     UNION ALL
                     (SELECT 1, account, run_at FROM generations
                      WHERE turn.rest = 0 AND state = 'queued' AND lane = $1
                          AND account > '00000000-0000-0000-0000-000000000000'
                          AND (SELECT account FROM generations
                               WHERE state = 'queued' AND lane = $1 AND account > turn.account
                               ORDER BY account, run_at LIMIT 1) IS NULL
                      ORDER BY account, run_at LIMIT 1)
                     LIMIT 1) n CROSS JOIN LATERAL (
                     SELECT coalesce(a.max_running, p.max_running) AS most, coalesce(p.weight, 1) AS weight
                     FROM accounts a LEFT JOIN plans p ON p.name = a.plan_name
                     WHERE a.id = n.account OFFSET 0) l CROSS JOIN LATERAL (
                     SELECT n.run_at <= $2 AND (l.most IS NULL OR l.most > (
                         SELECT count(*) FROM generations WHERE state = 'running' AND account = n.account))",
            $filter,
            " AS has_turn OFFSET 0) h
                 WHERE turn.found < $4::bigint AND turn.place < $5 AND (n.rest = 0 OR n.account <= $3))
             SELECT account, most, weight FROM turn WHERE has_turn ORDER BY place"
        )
    };
}

pub(super) const TURN: &str = turn!("");
/// The same for generations of some models.
const TURN_MODELS: &str = turn!(
    " AND EXISTS (SELECT 1 FROM generations WHERE state = 'queued' AND lane = $1 AND account = n.account
                  AND run_at <= $2 AND model = ANY($6))"
);

/// Takes of each account in `$6` at most what is in `$7`, and `$3` in all. The epoch is that of
/// [`next_epoch`](crate::work::next_epoch). The rows are locked, so they are still in the same places when they are
/// updated.
macro_rules! take {
    ($filter:literal) => {
        concat!(
            "WITH waiting AS MATERIALIZED (
                 SELECT account, most, place
                 FROM unnest($6::uuid[], $7::bigint[]) WITH ORDINALITY AS w (account, most, place)
             ), taken AS MATERIALIZED (
                 SELECT d.ctid AS row, w.place FROM waiting w CROSS JOIN LATERAL (
                     SELECT ctid FROM generations
                     WHERE state = 'queued' AND lane = $1 AND account = w.account AND run_at <= $2",
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
const TAKE_MODELS: &str = take!(" AND model = ANY($8)");

/// Others may have locked what an account has, so some more accounts are looked at than are needed.
const SPARE: usize = 4;
/// How often a claim looks for accounts, if others count those that it found.
const LOOKS: usize = 3;

struct Round {
    claimed: Vec<Generation>,
    /// Whether an account took all of its share, so that it may have more.
    more: bool,
}

/// Takes a share for each account whose turn it is.
async fn claim_round(db: &Db, claim: &Claim, max: u32, turns: &Turns) -> Result<Round> {
    let turn = turns.last(&claim.lane);
    let waiting = accounts_in_turn(db, claim, turn.next_after(), max).await?;
    let shares = Shares::new(turn, &waiting, max as usize);
    let ids: Vec<Uuid> = waiting.iter().map(|account| account.account).collect();
    let most: Vec<i64> = (0..waiting.len())
        .map(|place| shares.most(place) as i64)
        .collect();
    let mut round = Round {
        claimed: Vec::new(),
        more: false,
    };
    if waiting.is_empty() {
        return Ok(round);
    }
    let (lane, now, max) = (text(&claim.lane), claim.now.0, i64::from(max));
    let (worker, until) = (claim.worker.0, claim.lease_until.0);
    let parameters: Parameters<'_> = &[&lane, &now, &max, &worker, &until, &ids, &most];
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
        turns.had(&claim.lane, turn);
    }
    round.more = (0..waiting.len()).any(|place| taken[place] == shares.most(place));
    round.claimed = claimed.into_iter().map(|(_, _, generation)| generation).collect();
    Ok(round)
}

/// The accounts that a claim of `max` may take from. It passes over those with a limit that others count now, so that
/// a worker does not wait while further accounts do.
async fn accounts_in_turn(db: &Db, claim: &Claim, begin: Uuid, max: u32) -> Result<Vec<Waiting>> {
    let enough = max as usize + SPARE;
    let (mut begin, mut seen, mut waiting) = (begin, HashSet::new(), Vec::new());
    for _ in 0..LOOKS {
        let mut next = look(db, claim, begin, enough).await?;
        let is_all = next.len() < enough;
        next.retain(|account| seen.insert(account.account));
        let Some(last) = next.last() else { break };
        begin = last.account;
        limits::leave_room(db, &mut next).await?;
        waiting.extend(next);
        if is_all || waiting.len() >= max as usize {
            break;
        }
    }
    Ok(waiting)
}

/// The next accounts after this id. The room of one with a limit is its limit.
async fn look(db: &Db, claim: &Claim, begin: Uuid, enough: usize) -> Result<Vec<Waiting>> {
    let (lane, enough) = (text(&claim.lane), enough as i64);
    let accounts = i32::try_from(ACCOUNTS).unwrap_or(i32::MAX);
    let parameters: Parameters<'_> = &[&lane, &claim.now.0, &begin, &enough, &accounts];
    let found = match &claim.models {
        None => rows(db, TURN, parameters).await?,
        Some(models) => rows(db, TURN_MODELS, &[parameters, &[models]].concat()).await?,
    };
    let account = |found: &Row| {
        Ok(Waiting {
            account: get(found, 0)?,
            weight: found.number(2)?,
            room: found.optional_number(1)?.unwrap_or(usize::MAX),
        })
    };
    found.iter().map(account).collect()
}

/// Rows that others have locked are not waited for, so that one of them does not end all attempts of the worker.
pub(super) async fn heartbeat(db: &Db, beats: &[Beat], lease_until: Timestamp) -> Result<Unrenewed> {
    let ids: Vec<Uuid> = beats.iter().map(|beat| beat.id.0).collect();
    let epochs: Vec<i64> = beats.iter().map(|beat| beat.epoch).collect();
    let progress: Vec<f64> = beats.iter().map(Beat::clamped_progress).collect();
    let renewed = rows(
        db,
        "WITH held AS MATERIALIZED (
             SELECT g.id, t.progress FROM generations g
             JOIN unnest($1::uuid[], $2::bigint[], $3::double precision[]) AS t (id, epoch, progress)
                 ON g.id = t.id AND g.epoch = t.epoch
             WHERE g.state = 'running' ORDER BY g.id FOR NO KEY UPDATE OF g SKIP LOCKED)
         UPDATE generations g SET lease_until = $4, progress = held.progress FROM held WHERE g.id = held.id
         RETURNING g.id",
        &[&ids, &epochs, &progress, &lease_until.0],
    )
    .await?;
    if renewed.len() == beats.len() {
        return Ok(Unrenewed::default());
    }
    let held = rows(
        db,
        "SELECT g.id FROM generations g JOIN unnest($1::uuid[], $2::bigint[]) AS t (id, epoch)
             ON g.id = t.id AND g.epoch = t.epoch WHERE g.state = 'running'",
        &[&ids, &epochs],
    )
    .await?;
    let set = |rows: &[Row]| {
        rows.iter()
            .map(|row| get(row, 0))
            .collect::<Result<HashSet<Uuid>>>()
    };
    let (renewed, held) = (set(&renewed)?, set(&held)?);
    let rest = beats
        .iter()
        .map(|beat| beat.id)
        .filter(|id| !renewed.contains(&id.0));
    let (locked, lost) = rest.partition(|id| held.contains(&id.0));
    Ok(Unrenewed { lost, locked })
}

pub(super) async fn note_request(db: &Db, id: GenerationId, epoch: i64, request: &str) -> Result<bool> {
    let changed = execute(
        db,
        "UPDATE generations SET request = $3 WHERE id = $1 AND epoch = $2 AND state = 'running'",
        &[&id.0, &epoch, &text(request)],
    )
    .await?;
    Ok(changed > 0)
}

/// The running attempt as an item of `past_attempts`: `$1` is now, `$2` its outcome.
macro_rules! with_this_attempt {
    () => {
        "(coalesce(g.past_attempts, '[]')::jsonb || jsonb_build_array(jsonb_build_object(
             'engine', g.served_by, 'started_at', g.attempt_started_at, 'ended_at', $1::bigint, 'outcome', $2::text,
             'request', g.request)))::text"
    };
}

/// A request to a provider ends with the attempt that made it, unless the next attempt resumes it.
pub(super) async fn retry(db: &Db, retry: &Retry) -> Result<bool> {
    const RETRY: &str = concat!(
        "UPDATE generations g SET state = 'queued', worker = NULL, lease_until = NULL, progress = 0, run_at = $5,
                                  last_failure = $6, lane = coalesce($7, g.lane),
                                  request = CASE WHEN $8 THEN g.request END, past_attempts = ",
        with_this_attempt!(),
        " WHERE g.id = $3 AND g.epoch = $4 AND g.state = 'running'"
    );
    let changed = execute(
        db,
        RETRY,
        &[
            &retry.now.0,
            &retry.failure.code.as_str(),
            &retry.id.0,
            &retry.epoch,
            &retry.run_at.0,
            &values::to_json(&retry.failure)?,
            &optional_text(retry.lane.as_ref()),
            &retry.failure.resumes,
        ],
    )
    .await?;
    Ok(changed > 0)
}

/// Each returns to its place in the queue: its age does not change.
pub(super) async fn give_back(db: &Db, held: &[(GenerationId, i64)], now: Timestamp) -> Result<()> {
    let (ids, epochs): (Vec<Uuid>, Vec<i64>) = held.iter().map(|(id, epoch)| (id.0, *epoch)).unzip();
    execute(
        db,
        "WITH held AS MATERIALIZED (
             SELECT g.id FROM generations g JOIN unnest($1::uuid[], $2::bigint[]) AS t (id, epoch)
                 ON g.id = t.id AND g.epoch = t.epoch
             WHERE g.state = 'running' ORDER BY g.id FOR NO KEY UPDATE OF g)
         UPDATE generations g SET state = 'queued', worker = NULL, lease_until = NULL, progress = 0,
                                  attempt = g.attempt - 1, run_at = least(g.run_at, $3)
         FROM held WHERE g.id = held.id",
        &[&ids, &epochs, &now.0],
    )
    .await?;
    Ok(())
}

/// Each goes to the end of the queue: a job that kills its worker every time must not block all others.
pub(super) async fn requeue_lost(db: &Db, now: Timestamp, max_attempts: u32, limit: u32) -> Result<u32> {
    const REQUEUE: &str = concat!(
        "WITH lost AS MATERIALIZED (
             SELECT id FROM generations WHERE state = 'running' AND lease_until <= $1 AND attempt < $3
             ORDER BY lease_until LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED)
         UPDATE generations g SET state = 'queued', worker = NULL, lease_until = NULL, progress = 0, run_at = $1,
                                  past_attempts = ",
        with_this_attempt!(),
        " FROM lost WHERE g.id = lost.id"
    );
    let changed = execute(
        db,
        REQUEUE,
        &[&now.0, &"lost", &i64::from(max_attempts), &i64::from(limit)],
    )
    .await?;
    Ok(u32::try_from(changed).unwrap_or(u32::MAX))
}

/// Skips what another node is claiming or moving now: that node decides where it goes.
pub(super) async fn assign_lanes(db: &Db, lanes: &HashMap<String, Vec<String>>) -> Result<u32> {
    let (mut models, mut firsts, mut served, mut serving) = (vec![], vec![], vec![], vec![]);
    for (model, lanes) in lanes {
        if let Some(first) = lanes.first() {
            models.push(text(model));
            firsts.push(text(first));
        }
        for lane in lanes {
            served.push(text(model));
            serving.push(text(lane));
        }
    }
    let moved = execute(
        db,
        "WITH elsewhere AS MATERIALIZED (
             SELECT g.id, t.lane FROM generations g JOIN unnest($1::text[], $2::text[]) AS t (model, lane)
                 ON g.model = t.model AND g.lane <> t.lane
             WHERE g.state = 'queued' AND g.lane <> $3 AND (g.attempt = 0 OR NOT EXISTS (
                 SELECT 1 FROM unnest($4::text[], $5::text[]) AS o (model, lane)
                 WHERE o.model = g.model AND o.lane = g.lane))
             FOR NO KEY UPDATE OF g SKIP LOCKED)
         UPDATE generations g SET lane = elsewhere.lane FROM elsewhere WHERE g.id = elsewhere.id",
        &[&models, &firsts, &REVIEW_LANE, &served, &serving],
    )
    .await?;
    Ok(u32::try_from(moved).unwrap_or(u32::MAX))
}

/// Removes at most [`PURGE`] keys and returns how many.
pub(super) async fn purge_idempotency(db: &Db, before: Timestamp) -> Result<u32> {
    let purged = execute(
        db,
        "WITH old AS MATERIALIZED (
             SELECT account, key FROM idempotency WHERE used_at < $1 ORDER BY used_at LIMIT $2
             FOR UPDATE SKIP LOCKED)
         DELETE FROM idempotency i USING old WHERE i.account = old.account AND i.key = old.key",
        &[&before.0, &i64::from(PURGE)],
    )
    .await?;
    Ok(u32::try_from(purged).unwrap_or(u32::MAX))
}
