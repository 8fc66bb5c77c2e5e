//! The end of a generation, with its charge or release and its delivery, in one write.

use atelier_domain::{AccountId, DeliveryState, GenerationId, SigningSecrets, Timestamp, WorkerId};
use rusqlite::{Connection, params};

use super::{
    accounts::{Booking, book},
    changes, reviews,
    row::one,
};
use crate::{
    ClaimedDelivery, End, Ended, EntryKind, Finish, Finished, NewDelivery, Outcome, Result,
    values::{secrets, to_json},
};

/// A generation that is about to end.
struct Open {
    seq: i64,
    id: GenerationId,
    account: AccountId,
    hold: i64,
    available: i64,
    secrets: SigningSecrets,
}

pub(super) fn finish(db: &Connection, finish: &Finish) -> Result<Finished> {
    let mut find = db.prepare_cached(
        "SELECT g.seq, g.account, g.hold, a.available, a.signing_secret, a.previous_secret,
                    a.previous_secret_until
             FROM generations g JOIN accounts a ON a.id = g.account
             WHERE g.id = ?1 AND g.epoch = ?2 AND g.state = 'running'",
    )?;
    let open = one(find.query_and_then(params![finish.id.0, finish.epoch], |row| {
        Ok(Open {
            seq: row.get(0)?,
            id: finish.id,
            account: AccountId(row.get(1)?),
            hold: row.get(2)?,
            available: row.get(3)?,
            secrets: secrets(row, 4)?,
        })
    })?)?;
    let Some(open) = open else {
        return Ok(Finished::Stale);
    };

    let (ending, uncovered) = finish.affordable(open.hold, open.available)?;
    open.end(db, &ending.outcome, Some(&finish.served_by), finish.now)?;
    let delivery = match &ending.delivery {
        Some(new) => open.deliver(db, new, finish.deliver_now, finish.now)?,
        None => None,
    };
    Ok(Finished::Ended { uncovered, delivery })
}

pub(super) fn end(db: &Connection, end: &End) -> Result<Ended> {
    let mut find = db.prepare_cached(
        "SELECT g.seq, g.account, g.hold, g.epoch, g.ended_at IS NOT NULL, a.available, a.signing_secret,
                    a.previous_secret, a.previous_secret_until
             FROM generations g JOIN accounts a ON a.id = g.account
             WHERE g.id = ?1",
    )?;
    let found = one(find.query_and_then([end.id.0], |row| {
        let open = Open {
            seq: row.get(0)?,
            id: end.id,
            account: AccountId(row.get(1)?),
            hold: row.get(2)?,
            available: row.get(5)?,
            secrets: secrets(row, 6)?,
        };
        Ok((open, row.get::<_, i64>(3)?, row.get::<_, bool>(4)?))
    })?)?;
    let Some((open, epoch, ended)) = found else {
        return Ok(Ended::NotFound);
    };
    if end.account.is_some_and(|account| account != open.account) {
        return Ok(Ended::NotFound);
    }
    if ended || end.epoch.is_some_and(|expected| expected != epoch) {
        return Ok(Ended::NotProcessing);
    }
    open.end(db, &Outcome::Failed(end.failure.clone()), None, end.now)?;
    reviews::settle(db, end.id.0, end.now)?;
    if let Some(new) = &end.delivery {
        open.deliver(db, new, None, end.now)?;
    }
    if let Some(record) = &end.record {
        changes::record(db, record)?;
    }
    Ok(Ended::Ended)
}

impl Open {
    /// Writes the state and moves the credits: the charge is spent, and the rest of the hold is released.
    fn end(&self, db: &Connection, outcome: &Outcome, served_by: Option<&str>, now: Timestamp) -> Result<()> {
        let (kind, spent) = match outcome {
            Outcome::Completed { output, charge } => {
                db.prepare_cached(
                    "UPDATE generations SET state = 'completed', worker = NULL, lease_until = NULL, ended_at = ?2,
                                            served_by = coalesce(?3, served_by), charged = ?4, output = ?5
                     WHERE seq = ?1",
                )?
                .execute(params![self.seq, now.0, served_by, charge, to_json(output)?])?;
                (EntryKind::Settle, *charge)
            }
            Outcome::Failed(failure) => {
                db.prepare_cached(
                    "UPDATE generations SET state = 'failed', worker = NULL, lease_until = NULL, ended_at = ?2,
                                            served_by = coalesce(?3, served_by), failure = ?4
                     WHERE seq = ?1",
                )?
                .execute(params![self.seq, now.0, served_by, to_json(failure)?])?;
                (EntryKind::Release, 0)
            }
        };
        let back = self.hold - spent;
        db.prepare_cached("UPDATE accounts SET available = available + ?2, held = held - ?3 WHERE id = ?1")?
            .execute(params![self.account.0, back, self.hold])?;
        book(
            db,
            &Booking {
                account: self.account,
                generation: Some(self.id.0),
                kind,
                issued: 0,
                available: back,
                held: -self.hold,
                spent,
                reason: None,
                at: now,
            },
        )
    }

    /// Creates the delivery, leased to a worker if one is named.
    fn deliver(
        &self,
        db: &Connection,
        new: &NewDelivery,
        lease: Option<(WorkerId, Timestamp)>,
        now: Timestamp,
    ) -> Result<Option<Box<ClaimedDelivery>>> {
        let (state, epoch, due_at) = match lease {
            Some((_, until)) => (DeliveryState::Sending, 1, until),
            None => (DeliveryState::Pending, 0, now),
        };
        db.prepare_cached(
            "INSERT INTO deliveries (id, generation, account, state, epoch, attempts, due_at, worker, created_at,
                                     event, host, url, body)
             VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            new.id.0,
            self.id.0,
            self.account.0,
            state.as_str(),
            epoch,
            due_at.0,
            lease.map(|(worker, _)| worker.0),
            now.0,
            new.event.as_str(),
            new.host,
            new.url,
            new.body,
        ])?;
        Ok(lease.map(|(_, until)| {
            let account = (self.account, &self.secrets);
            Box::new(new.leased(self.id, account, now, until))
        }))
    }
}
