//! The queue: claims, leases, and what returns to the queue.

use std::collections::HashMap;

use atelier_domain::{Generation, GenerationId, State, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use uuid::Uuid;

use super::row;
use crate::{
    Beat, Claim, REVIEW_LANE, Result, Retry, Unrenewed,
    turns::{ACCOUNTS, Shares, Turns, Waiting},
    values::{GENERATION_COLUMNS, generation_columns, to_json},
    work::next_epoch,
};

/// The most idempotency keys removed in one write, so that other writes wait only this long.
pub(super) const PURGE: u32 = 5_000;

pub(super) fn claim(db: &Connection, claim: &Claim, turns: &Turns) -> Result<Vec<Generation>> {
    let max = claim.max as usize;
    let mut waiting = accounts_in_turn(db, claim, turns.last(&claim.lane).next_after())?;
    let mut claimed = Vec::new();
    while !waiting.is_empty() && claimed.len() < max {
        let shares = Shares::new(turns.last(&claim.lane), &waiting, max - claimed.len());
        let mut taken = vec![0; waiting.len()];
        let mut more = Vec::new();
        for (place, account) in waiting.iter().enumerate() {
            let free = shares.most(place).min(max - claimed.len());
            if free == 0 {
                break;
            }
            let own = take_oldest(db, claim, account.account, free)?;
            taken[place] = own.len();
            let room = account.room - own.len();
            if own.len() == free && room > 0 {
                more.push(Waiting { room, ..*account });
            }
            claimed.extend(own);
        }
        if let Some(turn) = shares.end(&waiting, &taken) {
            turns.had(&claim.lane, turn);
        }
        waiting = more;
    }
    Ok(claimed)
}

/// The accounts with due generations in the lane that may have more running, beginning after this id: one seek in the
/// index for each account.
fn accounts_in_turn(db: &Connection, claim: &Claim, begin: Uuid) -> Result<Vec<Waiting>> {
    // The first entry of an account is the one that is due first.
    let mut next = db.prepare_cached(
        "SELECT account, run_at FROM generations INDEXED BY generations_queued_by_account
         WHERE state = 'queued' AND lane = ?1 AND account > ?2 ORDER BY account, run_at LIMIT 1",
    )?;
    let mut accounts = Vec::new();
    let (mut after, mut wrapped) = (begin, false);
    for _ in 0..ACCOUNTS {
        // An account may have nothing of the models.
        if claim.models.is_none() && accounts.len() == claim.max as usize {
            break;
        }
        let found = next
            .query_row(params![claim.lane, after], |row| {
                Ok((row.get(0)?, row.get::<_, i64>(1)?))
            })
            .optional()?;
        match found {
            Some((account, _)) if wrapped && account > begin => break,
            Some((account, run_at)) => {
                if run_at <= claim.now.0 {
                    accounts.extend(with_room(db, account)?);
                }
                after = account;
            }
            None if wrapped => break,
            None => (after, wrapped) = (Uuid::nil(), true),
        }
    }
    Ok(accounts)
}

/// The account, unless no more of its generations may run.
fn with_room(db: &Connection, account: Uuid) -> Result<Option<Waiting>> {
    let (max, weight): (Option<u32>, u32) = db
        .prepare_cached(
            "SELECT coalesce(a.max_running, p.max_running), coalesce(p.weight, 1)
             FROM accounts a LEFT JOIN plans p ON p.name = a.plan_name WHERE a.id = ?1",
        )?
        .query_row([account], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut room = usize::MAX;
    if let Some(max) = max {
        // All that run are few, whatever waits.
        let running: u32 = db
            .prepare_cached(
                "SELECT count(*) FROM generations INDEXED BY generations_running
                 WHERE state = 'running' AND account = ?1",
            )?
            .query_row([account], |row| row.get(0))?;
        room = max.saturating_sub(running) as usize;
    }
    let waiting = Waiting {
        account,
        weight,
        room,
    };
    Ok((room > 0).then_some(waiting))
}

fn take_oldest(db: &Connection, claim: &Claim, account: Uuid, max: usize) -> Result<Vec<Generation>> {
    macro_rules! due {
        ($filter:literal) => {
            concat!(
                "SELECT ",
                generation_columns!(),
                ", g.seq FROM generations g INDEXED BY generations_queued_by_account
                  WHERE g.state = 'queued' AND g.lane = ?1 AND g.account = ?2 AND g.run_at <= ?3",
                $filter,
                " ORDER BY g.run_at, g.id LIMIT ?4"
            )
        };
    }
    // All are read before the first is written, because a write moves rows in the index being read.
    let read = |found: &Row<'_>| Ok((row::generation(found)?, found.get(GENERATION_COLUMNS)?));
    let due: Vec<(Generation, i64)> = match &claim.models {
        None => db
            .prepare_cached(due!(""))?
            .query_and_then(params![claim.lane, account, claim.now.0, max as i64], read)?
            .collect::<Result<_>>()?,
        Some(models) => db
            .prepare_cached(due!(" AND g.model IN (SELECT value FROM json_each(?5))"))?
            .query_and_then(
                params![claim.lane, account, claim.now.0, max as i64, to_json(models)?],
                read,
            )?
            .collect::<Result<_>>()?,
    };
    let mut take = db.prepare_cached(
        "UPDATE generations SET state = 'running', epoch = ?2, attempt = ?3, worker = ?4, lease_until = ?5,
                                started_at = ?6, served_by = ?7, progress = 0, attempt_started_at = ?8
         WHERE seq = ?1",
    )?;
    due.into_iter()
        .map(|(mut generation, seq)| {
            generation.state = State::Running;
            generation.epoch = next_epoch(generation.epoch, claim.now);
            generation.attempt += 1;
            // The time of the first attempt: later attempts do not start the generation again.
            generation.started_at = generation.started_at.or(Some(claim.now));
            generation.served_by = Some(claim.lane.clone());
            generation.progress = 0.0;
            generation.attempt_started_at = Some(claim.now);
            take.execute(params![
                seq,
                generation.epoch,
                generation.attempt,
                claim.worker.0,
                claim.lease_until.0,
                generation.started_at.map(|at| at.0),
                claim.lane,
                claim.now.0,
            ])?;
            Ok(generation)
        })
        .collect()
}

pub(super) fn heartbeat(db: &Connection, beats: &[Beat], lease_until: Timestamp) -> Result<Unrenewed> {
    let mut renew = db.prepare_cached(
        "UPDATE generations SET lease_until = ?3, progress = ?4 WHERE id = ?1 AND epoch = ?2 AND state = 'running'",
    )?;
    let mut lost = Vec::new();
    for beat in beats {
        let progress = beat.clamped_progress();
        if renew.execute(params![beat.id.0, beat.epoch, lease_until.0, progress])? == 0 {
            lost.push(beat.id);
        }
    }
    Ok(Unrenewed {
        lost,
        locked: Vec::new(),
    })
}

pub(super) fn note_request(db: &Connection, id: GenerationId, epoch: i64, request: &str) -> Result<bool> {
    let changed = db
        .prepare_cached(
            "UPDATE generations SET request = ?3 WHERE id = ?1 AND epoch = ?2 AND state = 'running'",
        )?
        .execute(params![id.0, epoch, request])?;
    Ok(changed > 0)
}

/// The running attempt as an item of `past_attempts`: `?1` is now, `?2` its outcome.
macro_rules! with_this_attempt {
    () => {
        "json_insert(coalesce(past_attempts, '[]'), '$[#]', json_object(
             'engine', served_by, 'started_at', attempt_started_at, 'ended_at', ?1, 'outcome', ?2, 'request', request))"
    };
}

/// A request to a provider ends with the attempt that made it, unless the next attempt resumes it.
pub(super) fn retry(db: &Connection, retry: &Retry) -> Result<bool> {
    const RETRY: &str = concat!(
        "UPDATE generations SET state = 'queued', worker = NULL, lease_until = NULL, progress = 0, run_at = ?5,
                                last_failure = ?6, lane = coalesce(?7, lane),
                                request = CASE WHEN ?8 THEN request END, past_attempts = ",
        with_this_attempt!(),
        " WHERE id = ?3 AND epoch = ?4 AND state = 'running'"
    );
    let changed = db.prepare_cached(RETRY)?.execute(params![
        retry.now.0,
        retry.failure.code.as_str(),
        retry.id.0,
        retry.epoch,
        retry.run_at.0,
        to_json(&retry.failure)?,
        retry.lane,
        retry.failure.resumes,
    ])?;
    Ok(changed > 0)
}

/// Each returns to its place in the queue: its age does not change.
pub(super) fn give_back(db: &Connection, held: &[(GenerationId, i64)], now: Timestamp) -> Result<()> {
    let mut give = db.prepare_cached(
        "UPDATE generations SET state = 'queued', worker = NULL, lease_until = NULL, progress = 0,
                                attempt = attempt - 1, run_at = min(run_at, ?3)
         WHERE id = ?1 AND epoch = ?2 AND state = 'running'",
    )?;
    for (id, epoch) in held {
        give.execute(params![id.0, epoch, now.0])?;
    }
    Ok(())
}

/// Each goes to the end of the queue: a job that kills its worker every time must not block all others.
pub(super) fn requeue_lost(db: &Connection, now: Timestamp, max_attempts: u32, limit: u32) -> Result<u32> {
    const REQUEUE: &str = concat!(
        "UPDATE generations SET state = 'queued', worker = NULL, lease_until = NULL, progress = 0, run_at = ?1,
                                past_attempts = ",
        with_this_attempt!(),
        " WHERE seq IN (SELECT seq FROM generations
                        WHERE state = 'running' AND lease_until <= ?1 AND attempt < ?3
                        ORDER BY lease_until LIMIT ?4)"
    );
    let changed = db
        .prepare_cached(REQUEUE)?
        .execute(params![now.0, "lost", max_attempts, limit])?;
    Ok(u32::try_from(changed).unwrap_or(u32::MAX))
}

pub(super) fn assign_lanes(db: &Connection, lanes: &HashMap<String, Vec<String>>) -> Result<u32> {
    let queued: Vec<(String, String)> = db
        .prepare_cached("SELECT DISTINCT lane, model FROM generations WHERE state = 'queued' AND lane <> ?1")?
        .query_map([REVIEW_LANE], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut assign = db.prepare_cached(
        "UPDATE generations SET lane = ?3
         WHERE state = 'queued' AND lane = ?1 AND model = ?2 AND (attempt = 0 OR NOT ?4)",
    )?;
    let mut moved = 0;
    for (lane, model) in queued {
        let Some(serving) = lanes.get(&model) else {
            continue;
        };
        if let Some(first) = serving.first().filter(|first| **first != lane) {
            moved += assign.execute(params![lane, model, first, serving.contains(&lane)])?;
        }
    }
    Ok(u32::try_from(moved).unwrap_or(u32::MAX))
}

/// Removes at most [`PURGE`] keys and returns how many.
pub(super) fn purge_idempotency(db: &Connection, before: Timestamp) -> Result<u32> {
    let purged = db
        .prepare_cached(
            "DELETE FROM idempotency WHERE (account, key) IN
                 (SELECT account, key FROM idempotency WHERE used_at < ?1 ORDER BY used_at LIMIT ?2)",
        )?
        .execute(params![before.0, PURGE])?;
    Ok(u32::try_from(purged).unwrap_or(u32::MAX))
}
