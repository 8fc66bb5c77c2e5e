//! The records of attempts at deliveries, many in one transaction: each job with a webhook makes one.

use std::{collections::HashSet, time::Duration};

use atelier_domain::DeliveryId;
use uuid::Uuid;

use super::{
    batch::{Batch, Outcome},
    error::Result,
    row::{get, optional_text},
    transaction::Pipeline,
    write::{Inner, Op, Parameters, fleeting, rows},
};
use crate::RecordAttempt;

/// Records of attempts as a [`Batch`].
#[derive(Debug)]
pub(super) struct Recording;

impl Batch for Recording {
    type Item = RecordAttempt;
    type Answer = bool;
    type Row = DeliveryId;
    /// One statement locks and writes.
    type Locked = ();

    const OP: Op = fleeting!("record_attempt");

    // A delivery that waits for its record holds a place, and not a turn to be sent.
    const APART: Duration = Duration::from_millis(10);

    fn row(item: &RecordAttempt) -> DeliveryId {
        item.id
    }

    async fn lock(_: &Pipeline<'_>, _: &[&RecordAttempt], _: bool) -> Result<()> {
        Ok(())
    }

    async fn write(
        pipeline: &Pipeline<'_>,
        (): (),
        items: &[&RecordAttempt],
        _again: bool,
        skip: bool,
    ) -> Result<Vec<Outcome<bool>>> {
        // The first of two records of one attempt counts.
        let mut seen = HashSet::new();
        let first: Vec<bool> = items
            .iter()
            .map(|item| seen.insert((item.id.0, item.epoch)))
            .collect();
        let asked: Vec<&RecordAttempt> = items
            .iter()
            .zip(&first)
            .filter_map(|(item, first)| first.then_some(*item))
            .collect();
        let recorded = record(pipeline, &asked, skip).await?;
        let mut locked = HashSet::new();
        if skip && recorded.len() < asked.len() {
            let (ids, epochs) = fences(&asked);
            for found in rows(pipeline.db, SENDING, &[&ids, &epochs]).await? {
                locked.insert(get::<Uuid>(&found, 0)?);
            }
        }
        let answer = |(item, first): (&&RecordAttempt, bool)| {
            if first && locked.contains(&item.id.0) && !recorded.contains(&(item.id.0, item.epoch)) {
                return None;
            }
            Some(Ok(first && recorded.contains(&(item.id.0, item.epoch))))
        };
        Ok(items.iter().zip(first).map(answer).collect())
    }

    fn committed(_: &Inner, _: &RecordAttempt, _: &bool) {}
}

/// Returns the fences that a worker must still hold: deliveries and their epochs.
fn fences(items: &[&RecordAttempt]) -> (Vec<Uuid>, Vec<i64>) {
    items.iter().map(|item| (item.id.0, item.epoch)).unzip()
}

// Each row is found by its id, even if the statement is planned while there are none: another plan would read them all,
// later as well. The rows are locked, so they are still in the same places when they are updated.
macro_rules! record {
    ($lock:literal) => {
        concat!(
            "WITH held AS MATERIALIZED (
                 SELECT d.place, t.* FROM (
                     SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[],
                                          $6::bigint[], $7::bigint[], $8::bigint[], $9::text[], $10::text[])
                         AS t (id, epoch, state, due_at, ended_at, at, latency_ms, status, error, response)
                     ORDER BY id) t CROSS JOIN LATERAL (
                     SELECT ctid AS place FROM deliveries
                     WHERE id = t.id AND epoch = t.epoch AND state = 'sending' FOR NO KEY UPDATE",
            $lock,
            ") d), made AS (
                 UPDATE deliveries d SET state = held.state, due_at = held.due_at, ended_at = held.ended_at,
                                         attempts = d.attempts + 1, worker = NULL
                 FROM held WHERE d.ctid = held.place
                 RETURNING d.id, d.epoch, d.attempts, held.at, held.latency_ms, held.status, held.error,
                           held.response
             ), noted AS (
                 INSERT INTO attempts (delivery, number, at, latency_ms, status, error, response)
                 SELECT id, attempts, at, latency_ms, status, error, response FROM made)
             SELECT id, epoch FROM made"
        )
    };
}

pub(super) const RECORD: &str = record!("");
const RECORD_FREE: &str = record!(" SKIP LOCKED");
const SENDING: &str = "SELECT d.id FROM deliveries d JOIN unnest($1::uuid[], $2::bigint[]) AS t (id, epoch)
     ON d.id = t.id AND d.epoch = t.epoch WHERE d.id = ANY($1) AND d.state = 'sending'";

/// Returns the deliveries whose attempts were recorded, with their epochs.
async fn record(
    pipeline: &Pipeline<'_>,
    asked: &[&RecordAttempt],
    skip: bool,
) -> Result<HashSet<(Uuid, i64)>> {
    let (ids, epochs) = fences(asked);
    let (mut states, mut due, mut ended) = (Vec::new(), Vec::new(), Vec::new());
    for item in asked {
        let (state, due_at, ended_at) = item.becomes();
        states.push(state.as_str());
        due.push(due_at.0);
        ended.push(ended_at.map(|at| at.0));
    }
    let attempts = || asked.iter().map(|item| &item.attempt);
    let moments: Vec<i64> = attempts().map(|attempt| attempt.at.0).collect();
    let latencies: Vec<i64> = attempts().map(|attempt| i64::from(attempt.latency_ms)).collect();
    let statuses: Vec<Option<i64>> = attempts().map(|attempt| attempt.status.map(i64::from)).collect();
    let errors: Vec<_> = attempts()
        .map(|attempt| optional_text(attempt.error.as_ref()))
        .collect();
    let responses: Vec<_> = attempts()
        .map(|attempt| optional_text(attempt.response.as_ref()))
        .collect();
    let sql = if skip { RECORD_FREE } else { RECORD };
    let parameters: Parameters<'_> = &[
        &ids, &epochs, &states, &due, &ended, &moments, &latencies, &statuses, &errors, &responses,
    ];
    let found = pipeline.only(sql, parameters).await?;
    found
        .iter()
        .map(|found| Ok((get(found, 0)?, get(found, 1)?)))
        .collect()
}
