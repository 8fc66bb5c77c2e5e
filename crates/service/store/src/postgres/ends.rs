//! The ends of the generations of one transaction, as columns to write: states, credits, entries, counts, deliveries.

use std::collections::HashMap;

use atelier_domain::{AccountId, DeliveryState, GenerationId, SigningSecrets, Timestamp, WorkerId};
use tokio_postgres::{Row, types::ToSql};
use uuid::Uuid;

use super::{
    error::Result,
    removal::LOCK_ACCOUNTS,
    row::{get, optional_text, text},
    transaction::Write,
};
use crate::{ClaimedDelivery, EntryKind, NewDelivery, Outcome, values::to_json};

const MICROSECONDS_PER_DAY: i64 = 86_400_000_000;

/// A generation that is about to end.
pub(super) struct Open {
    pub(super) id: GenerationId,
    pub(super) account: AccountId,
    pub(super) epoch: i64,
    pub(super) hold: i64,
    kind: String,
    model: String,
}

impl Open {
    /// From `id, account, epoch, hold, kind, model`.
    pub(super) fn read(found: &Row) -> Result<Self> {
        Ok(Self {
            id: GenerationId(get(found, 0)?),
            account: AccountId(get(found, 1)?),
            epoch: get(found, 2)?,
            hold: get(found, 3)?,
            kind: get(found, 4)?,
            model: get(found, 5)?,
        })
    }
}

/// How one generation ends.
pub(super) struct Conclusion<'a> {
    pub(super) open: &'a Open,
    pub(super) outcome: &'a Outcome,
    pub(super) served_by: Option<&'a String>,
    pub(super) now: Timestamp,
    /// Whether endpoints of the account may want to be told.
    pub(super) is_event: bool,
}

/// The ends of one transaction, as columns to write.
#[derive(Default)]
pub(super) struct Ends {
    generations: Vec<Uuid>,
    owners: Vec<Uuid>,
    states: Vec<&'static str>,
    moments: Vec<i64>,
    served_by: Vec<Option<String>>,
    charges: Vec<Option<i64>>,
    outputs: Vec<Option<String>>,
    failures: Vec<Option<String>>,
    kinds: Vec<&'static str>,
    /// The credits released from each hold, the hold, and the credits spent.
    back: Vec<i64>,
    holds: Vec<i64>,
    spent: Vec<i64>,
    /// For the daily counts: outcome, model, kind of media, and whether the owner cancelled it.
    outcomes: Vec<String>,
    models: Vec<String>,
    media: Vec<String>,
    days: Vec<i64>,
    cancelled: Vec<bool>,
    /// By account: the credits released and the credits held.
    accounts: HashMap<Uuid, (i64, i64)>,
    deliveries: Deliveries,
    /// Events to be told: generation, account, time.
    events: (Vec<Uuid>, Vec<Uuid>, Vec<i64>),
}

/// By account: the credits released and the credits held.
#[derive(Default)]
pub(super) struct Accounts {
    ids: Vec<Uuid>,
    back: Vec<i64>,
    holds: Vec<i64>,
}

#[derive(Default)]
struct Deliveries {
    ids: Vec<Uuid>,
    generations: Vec<Uuid>,
    owners: Vec<Uuid>,
    states: Vec<&'static str>,
    epochs: Vec<i64>,
    due: Vec<i64>,
    workers: Vec<Option<Uuid>>,
    created: Vec<i64>,
    events: Vec<&'static str>,
    hosts: Vec<String>,
    urls: Vec<String>,
    bodies: Vec<Vec<u8>>,
}

impl Ends {
    /// Adds an end and returns the credits released to the account; negative if the charge exceeds the hold.
    pub(super) fn add(&mut self, end: &Conclusion<'_>) -> Result<i64> {
        let open = end.open;
        let (state, kind, spent, charge, output, failure, outcome) = match end.outcome {
            Outcome::Completed { output, charge } => (
                "completed",
                EntryKind::Settle,
                *charge,
                Some(*charge),
                Some(to_json(output)?),
                None,
                "completed".to_owned(),
            ),
            Outcome::Failed(failure) => (
                "failed",
                EntryKind::Release,
                0,
                None,
                None,
                Some(to_json(failure)?),
                failure.code.as_str().to_owned(),
            ),
        };
        let back = open.hold - spent;
        self.generations.push(open.id.0);
        self.owners.push(open.account.0);
        self.states.push(state);
        self.moments.push(end.now.0);
        self.served_by
            .push(optional_text(end.served_by).map(std::borrow::Cow::into_owned));
        self.charges.push(charge);
        self.outputs.push(output);
        self.failures.push(failure);
        self.kinds.push(kind.as_str());
        self.back.push(back);
        self.holds.push(open.hold);
        self.spent.push(spent);
        self.outcomes.push(outcome);
        self.models.push(open.model.clone());
        self.media.push(open.kind.clone());
        self.days.push(end.now.0.div_euclid(MICROSECONDS_PER_DAY));
        self.cancelled
            .push(matches!(end.outcome, Outcome::Failed(failure) if failure.is_cancelled()));
        if end.is_event {
            self.events.0.push(open.id.0);
            self.events.1.push(open.account.0);
            self.events.2.push(end.now.0);
        }
        let account = self.accounts.entry(open.account.0).or_default();
        account.0 += back;
        account.1 += open.hold;
        Ok(back)
    }

    /// Creates the delivery, leased to a worker if one is named.
    pub(super) fn deliver(
        &mut self,
        open: &Open,
        new: &NewDelivery,
        lease: Option<(WorkerId, Timestamp)>,
        now: Timestamp,
        secrets: &SigningSecrets,
    ) -> Option<Box<ClaimedDelivery>> {
        let (state, epoch, due_at) = match lease {
            Some((_, until)) => (DeliveryState::Sending, 1, until),
            None => (DeliveryState::Pending, 0, now),
        };
        let all = &mut self.deliveries;
        all.ids.push(new.id.0);
        all.generations.push(open.id.0);
        all.owners.push(open.account.0);
        all.states.push(state.as_str());
        all.epochs.push(epoch);
        all.due.push(due_at.0);
        all.workers.push(lease.map(|(worker, _)| worker.0));
        all.created.push(now.0);
        all.events.push(new.event.as_str());
        all.hosts.push(text(&new.host).into_owned());
        all.urls.push(text(&new.url).into_owned());
        all.bodies.push(new.body.clone());
        lease.map(|(_, until)| Box::new(new.leased(open.id, (open.account, secrets), now, until)))
    }

    /// The credits of each account.
    pub(super) fn accounts(&self) -> Accounts {
        let mut accounts = Accounts::default();
        for (id, (back, holds)) in &self.accounts {
            accounts.ids.push(*id);
            accounts.back.push(*back);
            accounts.holds.push(*holds);
        }
        accounts
    }

    /// One statement for each table. Those that need the rows of accounts come last.
    pub(super) fn writes<'a>(&'a self, accounts: &'a Accounts) -> Vec<Write<'a>> {
        if self.generations.is_empty() {
            return Vec::new();
        }
        let end: Write<'a> = (
            END,
            vec![
                &self.generations,
                &self.states,
                &self.moments,
                &self.served_by,
                &self.charges,
                &self.outputs,
                &self.failures,
            ],
        );
        let book: Write<'a> = (
            BOOK,
            vec![
                &self.owners,
                &self.generations,
                &self.kinds,
                &self.back,
                &self.holds,
                &self.spent,
                &self.moments,
            ],
        );
        let count: Write<'a> = (
            COUNT,
            vec![
                &self.owners,
                &self.days,
                &self.models,
                &self.outcomes,
                &self.media,
                &self.spent,
                &self.cancelled,
            ],
        );
        let move_credits: Write<'a> = (MOVE, vec![&accounts.ids, &accounts.back, &accounts.holds]);
        let mut writes = vec![end];
        writes.extend(self.deliveries.write());
        let (generations, owners, moments) = &self.events;
        if !generations.is_empty() {
            writes.push((HAPPEN, vec![generations, owners, moments]));
        }
        // The next one would lock several in any order.
        if accounts.ids.len() > 1 {
            writes.push((LOCK_ACCOUNTS, vec![&accounts.ids]));
        }
        writes.extend([move_credits, book, count]);
        writes
    }
}

impl Deliveries {
    fn write(&self) -> Option<Write<'_>> {
        let columns: Vec<&(dyn ToSql + Sync)> = vec![
            &self.ids,
            &self.generations,
            &self.owners,
            &self.states,
            &self.epochs,
            &self.due,
            &self.workers,
            &self.created,
            &self.events,
            &self.hosts,
            &self.urls,
            &self.bodies,
        ];
        (!self.ids.is_empty()).then_some((DELIVER, columns))
    }
}

const HAPPEN: &str = "INSERT INTO webhook_events (id, account, kind, at)
     SELECT id, account, 'end', at FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS t (id, account, at)";

const END: &str = "UPDATE generations g SET state = t.state, worker = NULL, lease_until = NULL, ended_at = t.at,
                        served_by = coalesce(t.served_by, g.served_by), charged = t.charged, output = t.output,
                        failure = t.failure
     FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[])
          AS t (id, state, at, served_by, charged, output, failure)
     WHERE g.id = t.id";

const MOVE: &str = "UPDATE accounts a SET available = a.available + t.back, held = a.held - t.hold
     FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS t (id, back, hold) WHERE a.id = t.id";

// In the order in which they end, so that the ledger has the same order.
const BOOK: &str = "INSERT INTO entries (account, generation, kind, issued, available, held, spent, at)
     SELECT account, generation, kind, 0, back, -hold, spent, at
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
          WITH ORDINALITY AS t (account, generation, kind, back, hold, spent, at, place)
     ORDER BY place";

const COUNT: &str = "INSERT INTO usage AS u (account, day, model, outcome, kind, generations, credits, cancelled)
     SELECT account, day, model, outcome, max(kind), count(*), sum(spent)::bigint, count(*) FILTER (WHERE cancelled)
     FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::boolean[])
          AS t (account, day, model, outcome, kind, spent, cancelled)
     GROUP BY account, day, model, outcome
     ON CONFLICT (account, day, model, outcome)
     DO UPDATE SET generations = u.generations + excluded.generations, credits = u.credits + excluded.credits,
                   cancelled = u.cancelled + excluded.cancelled";

const DELIVER: &str =
    "INSERT INTO deliveries (id, generation, account, state, epoch, attempts, due_at, worker, created_at, event,
                             host, url, body)
     SELECT id, generation, account, state, epoch, 0, due_at, worker, created_at, event, host, url, body
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bigint[], $6::bigint[], $7::uuid[],
                 $8::bigint[], $9::text[], $10::text[], $11::text[], $12::bytea[])
          AS t (id, generation, account, state, epoch, due_at, worker, created_at, event, host, url, body)";
