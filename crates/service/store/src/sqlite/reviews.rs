//! Generations that wait until a person decides.

use atelier_domain::{GenerationId, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use uuid::Uuid;

use super::changes;
use crate::{
    Decision, OVERTURNED, REVIEW_LANE, Result, ReviewHold, Verdict,
    decisions::{NEVER, decision, decision_columns},
};

pub(super) fn hold(db: &Connection, hold: &ReviewHold) -> Result<bool> {
    let one = &hold.decision;
    let found: Option<(i64, i64)> = db
        .prepare_cached(
            "SELECT run_at, deadline FROM generations WHERE id = ?1 AND epoch = ?2 AND state = 'running'",
        )?
        .query_row(params![one.generation.0, hold.epoch], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    let (Some((place, deadline)), Some(review)) = (found, &one.review) else {
        return Ok(false);
    };
    let (left, deadline) = hold.deadlines(deadline);
    db.prepare_cached(
        "UPDATE generations SET state = 'queued', worker = NULL, lease_until = NULL, progress = 0,
                                attempt = attempt - 1, lane = ?2, run_at = ?3, deadline = ?4
         WHERE id = ?1",
    )?
    .execute(params![one.generation.0, REVIEW_LANE, NEVER, deadline])?;
    // An earlier attempt may have been decided about by the same rule: unchecked, for example.
    db.prepare_cached(
        "INSERT INTO policy_decisions (id, at, rule, stage, decision, account, model, generation, part, review_until,
                                       review_approves, queue_place, time_left)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
         ON CONFLICT (generation, stage, rule) DO UPDATE SET
             decision = excluded.decision, part = excluded.part, review_until = excluded.review_until,
             review_approves = excluded.review_approves, queue_place = excluded.queue_place,
             time_left = excluded.time_left, settled_at = NULL, verdict = NULL, verdict_at = NULL, note = NULL",
    )?
    .execute(params![
        one.id,
        one.at.0,
        one.rule,
        one.stage,
        one.decision,
        one.account.0,
        one.model,
        one.generation.0,
        review.part,
        review.until.0,
        review.approves,
        place,
        left,
    ])?;
    Ok(true)
}

pub(super) fn decide(db: &Connection, verdict: &Verdict) -> Result<Option<Decision>> {
    let changed = db
        .prepare_cached(
            "UPDATE policy_decisions SET verdict = ?2, verdict_at = ?3, note = ?4
             WHERE id = ?1 AND review_until IS NOT NULL AND settled_at IS NULL AND verdict IS NULL",
        )?
        .execute(params![verdict.id, verdict.verdict, verdict.now.0, verdict.note])?;
    said(db, verdict, changed)
}

pub(super) fn overturn(db: &Connection, verdict: &Verdict) -> Result<Option<Decision>> {
    let changed = db
        .prepare_cached(
            "UPDATE policy_decisions SET verdict = ?2, verdict_at = ?3, note = ?4
             WHERE id = ?1 AND ((decision = 'refused' AND verdict IS NULL)
                                OR (verdict = 'refused' AND settled_at IS NOT NULL))",
        )?
        .execute(params![verdict.id, OVERTURNED, verdict.now.0, verdict.note])?;
    said(db, verdict, changed)
}

/// The decision after it was changed, with its record.
fn said(db: &Connection, verdict: &Verdict, changed: usize) -> Result<Option<Decision>> {
    const ONE: &str = concat!(
        "SELECT ",
        decision_columns!(),
        " FROM policy_decisions WHERE id = ?1"
    );
    if changed == 0 {
        return Ok(None);
    }
    changes::record(db, &verdict.record)?;
    let mut find = db.prepare_cached(ONE)?;
    let mut found = find.query_and_then([verdict.id], |row: &Row<'_>| decision(row))?;
    found.next().transpose()
}

pub(super) fn due(db: &Connection, now: Timestamp, limit: u32) -> Result<Vec<Decision>> {
    const DUE: &str = concat!(
        "SELECT ",
        decision_columns!(),
        " FROM policy_decisions WHERE review_until IS NOT NULL AND settled_at IS NULL
             AND (verdict IS NOT NULL OR review_until <= ?1)
         ORDER BY review_until, id LIMIT ?2"
    );
    db.prepare_cached(DUE)?
        .query_and_then(params![now.0, limit], |row: &Row<'_>| decision(row))?
        .collect()
}

pub(super) fn release(db: &Connection, id: GenerationId, lane: &str, now: Timestamp) -> Result<bool> {
    let waits: Option<(i64, i64)> = db
        .prepare_cached(
            "SELECT queue_place, time_left FROM policy_decisions
             WHERE generation = ?1 AND review_until IS NOT NULL AND settled_at IS NULL AND verdict = 'approved'",
        )?
        .query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((place, left)) = waits else {
        return Ok(false);
    };
    let released = db
        .prepare_cached(
            "UPDATE generations SET lane = ?2, run_at = ?3, deadline = ?4,
                                    started_at = CASE WHEN attempt = 0 THEN ?5 ELSE started_at END
             WHERE id = ?1 AND state = 'queued' AND run_at = ?6",
        )?
        .execute(params![
            id.0,
            lane,
            place,
            now.0.saturating_add(left),
            now.0,
            NEVER
        ])?;
    settle(db, id.0, now)?;
    Ok(released > 0)
}

/// A generation does not wait any more.
pub(super) fn settle(db: &Connection, generation: Uuid, now: Timestamp) -> Result<()> {
    db.prepare_cached(
        "UPDATE policy_decisions SET settled_at = ?2, verdict = coalesce(verdict, 'withdrawn'),
                                     verdict_at = coalesce(verdict_at, ?2)
         WHERE generation = ?1 AND review_until IS NOT NULL AND settled_at IS NULL",
    )?
    .execute(params![generation, now.0])?;
    Ok(())
}
