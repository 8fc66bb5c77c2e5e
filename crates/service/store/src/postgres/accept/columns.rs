//! What a batch of acceptances writes, as columns.

use std::borrow::Cow;

use uuid::Uuid;

use super::{
    super::{
        keys::spent_day,
        row::{optional_text, text},
        transaction::Write,
    },
    Prepared, Round,
};

/// The rows of a batch as columns.
#[derive(Default)]
pub(super) struct Columns<'a> {
    ids: Vec<Uuid>,
    owners: Vec<Uuid>,
    lanes: Vec<Cow<'a, str>>,
    created: Vec<i64>,
    deadlines: Vec<i64>,
    holds: Vec<i64>,
    models: Vec<Cow<'a, str>>,
    kinds: Vec<&'a str>,
    webhooks: Vec<Option<Cow<'a, str>>>,
    params: Vec<&'a str>,
    keys: Vec<Option<Uuid>>,
    spent_days: Vec<Option<i64>>,
    /// By account: the credits held, and the limit's state.
    accounts: (Vec<Uuid>, Vec<i64>, Vec<i64>),
    uses: Uses<'a>,
}

/// Uses of idempotency keys.
#[derive(Default)]
struct Uses<'a> {
    owners: Vec<Uuid>,
    keys: Vec<&'a str>,
    hashes: Vec<&'a [u8]>,
    generations: Vec<Uuid>,
    moments: Vec<i64>,
}

impl<'a> Columns<'a> {
    pub(super) fn new(round: &'a Round, accepted: &[&'a Prepared]) -> Self {
        let mut columns = Self::default();
        for item in accepted {
            let (accept, generation) = (&item.accept, &item.accept.generation);
            let budget = round
                .accounts
                .get(&generation.account)
                .and_then(|account| account.budget);
            columns.ids.push(generation.id.0);
            columns.owners.push(generation.account.0);
            columns.lanes.push(text(&accept.lane));
            columns.created.push(generation.created_at.0);
            columns.deadlines.push(generation.deadline.0);
            columns.holds.push(generation.hold);
            columns.models.push(text(&generation.model));
            columns.kinds.push(generation.kind.as_str());
            columns
                .webhooks
                .push(optional_text(generation.webhook_url.as_ref()));
            columns.params.push(&item.params);
            columns.keys.push(accept.key.map(|key| key.id.0));
            columns.spent_days.push(spent_day(accept, budget));
        }
        for (id, account) in &round.accounts {
            if let Some(hold) = account.hold {
                columns.accounts.0.push(id.0);
                columns.accounts.1.push(hold);
                columns.accounts.2.push(account.tat.0);
            }
        }
        for key in round.keys.keys() {
            if let Some((key, used)) = round.uses.get_key_value(key) {
                columns.uses.owners.push(key.0.0);
                columns.uses.keys.push(&key.1);
                columns.uses.hashes.push(&used.body_hash);
                columns.uses.generations.push(used.generation.0);
                columns.uses.moments.push(used.used_at.0);
            }
        }
        columns
    }

    /// One statement for each table.
    pub(super) fn writes(&self) -> Vec<Write<'_>> {
        if self.ids.is_empty() {
            return Vec::new();
        }
        let insert: Write<'_> = (
            INSERT_GENERATIONS,
            vec![
                &self.ids,
                &self.owners,
                &self.lanes,
                &self.created,
                &self.deadlines,
                &self.holds,
                &self.models,
                &self.kinds,
                &self.webhooks,
                &self.params,
                &self.keys,
                &self.spent_days,
            ],
        );
        let (accounts, holds, tats) = &self.accounts;
        let hold: Write<'_> = (HOLD, vec![accounts, holds, tats]);
        let book: Write<'_> = (BOOK, vec![&self.owners, &self.ids, &self.holds, &self.created]);
        let mut writes = vec![insert, hold, book];
        let uses = &self.uses;
        if !uses.owners.is_empty() {
            writes.push((
                NOTE_KEYS,
                vec![
                    &uses.owners,
                    &uses.keys,
                    &uses.hashes,
                    &uses.generations,
                    &uses.moments,
                ],
            ));
        }
        writes
    }
}

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
