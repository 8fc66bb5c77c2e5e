//! Keys with limits, and the credits that count against limits. The rows of `spent` are read and written only while the
//! account is locked, so that no other node counts at the same time.

use std::collections::{BTreeMap, HashMap};

use atelier_domain::{AccountId, AuditRecord, KeyChange, KeyId, KeyLimits, KeyRecord, Timestamp};
use uuid::Uuid;

use super::{
    changes,
    error::Result,
    row::{get, optional_text},
    write::{Db, execute, row, rows},
};
use crate::{
    Accept, Accepted, KeySpending, KeyUse, NewKeyText,
    keys::{Budgets, first_id},
    values::{self, key_columns},
};

/// How limits are stored: nothing if there are none.
pub(super) fn stored(limits: &KeyLimits) -> Result<Option<String>> {
    Ok((!limits.is_none()).then(|| values::to_json(limits)).transpose()?)
}

pub(super) async fn update(
    db: &Db,
    account: Option<AccountId>,
    id: KeyId,
    change: &KeyChange,
    record: &AuditRecord,
) -> Result<Option<KeyRecord>> {
    let Some(found) = locked(db, account, id).await? else {
        return Ok(None);
    };
    let limits = change.apply(found.limits);
    execute(
        db,
        "UPDATE keys SET name = coalesce($2, name), limits = $3 WHERE id = $1",
        &[&id.0, &optional_text(change.name.as_ref()), &stored(&limits)?],
    )
    .await?;
    if limits.counts_credits() {
        recount(db, found.account, record.at).await?;
    }
    changes::record(db, &record.about(Some(found.account))).await?;
    locked(db, account, id).await
}

pub(super) async fn rotate(
    db: &Db,
    account: Option<AccountId>,
    id: KeyId,
    new: &NewKeyText,
    record: &AuditRecord,
) -> Result<Option<KeyRecord>> {
    let Some(found) = locked(db, account, id).await? else {
        return Ok(None);
    };
    let until = new.previous_until.0;
    let sql = "DELETE FROM old_keys WHERE key = $1 AND until <= $2";
    execute(db, sql, &[&id.0, &new.now.0]).await?;
    let sql = "UPDATE old_keys SET until = least(until, $2) WHERE key = $1";
    execute(db, sql, &[&id.0, &until]).await?;
    let sql = "INSERT INTO old_keys (hash, key, until) SELECT hash, id, $2 FROM keys WHERE id = $1";
    execute(db, sql, &[&id.0, &until]).await?;
    let sql = "UPDATE keys SET hash = $2, prefix = $3 WHERE id = $1";
    execute(db, sql, &[&id.0, &new.hash.as_slice(), &new.prefix]).await?;
    changes::record(db, &record.about(Some(found.account))).await?;
    locked(db, account, id).await
}

/// A key that is not revoked, locked after its account until the transaction ends.
async fn locked(db: &Db, account: Option<AccountId>, id: KeyId) -> Result<Option<KeyRecord>> {
    const ACCOUNT: &str =
        "SELECT id FROM accounts WHERE id = (SELECT account FROM keys WHERE id = $1) FOR NO KEY UPDATE";
    const KEY: &str = concat!(
        "SELECT ",
        key_columns!(),
        " FROM keys k WHERE k.id = $1 AND k.revoked_at IS NULL AND ($2::uuid IS NULL OR k.account = $2)
         FOR NO KEY UPDATE"
    );
    row(db, ACCOUNT, &[&id.0]).await?;
    let found = row(db, KEY, &[&id.0, &account.map(|account| account.0)]).await?;
    found.as_ref().map(values::key).transpose()
}

/// The generations of account $1 that were accepted since $3, the time of the id $2: key, time and credits.
macro_rules! accepted_since {
    () => {
        "SELECT key, created_at, CASE WHEN ended_at IS NULL THEN hold ELSE coalesce(charged, 0) END AS credits
         FROM generations WHERE account = $1 AND id >= $2 AND created_at >= $3"
    };
}

pub(super) async fn spending(db: &Db, account: AccountId, now: Timestamp) -> Result<Vec<KeySpending>> {
    const SQL: &str = concat!(
        "SELECT key, count(*), coalesce(sum(credits) FILTER (WHERE created_at >= $4), 0)::bigint,
                sum(credits)::bigint
         FROM (",
        accepted_since!(),
        ") t GROUP BY key"
    );
    let month = Timestamp::of_day(now.first_day_of_month());
    let today = Timestamp::of_day(now.day());
    let found = rows(db, SQL, &[&account.0, &first_id(month), &month.0, &today.0]).await?;
    found
        .iter()
        .map(|found| {
            Ok(KeySpending {
                key: get::<Option<Uuid>>(found, 0)?.map(KeyId),
                generations_of_month: get::<i64>(found, 1)?.unsigned_abs(),
                credits_of_day: get(found, 2)?,
                credits_of_month: get(found, 3)?,
            })
        })
        .collect()
}

/// Counts everything of this month for the account and all its keys, because a limit begins to apply. Earlier counts
/// stay, because deleted generations are not found any more. The account is locked.
pub(super) async fn recount(db: &Db, account: AccountId, now: Timestamp) -> Result<()> {
    const COUNT: &str = concat!(
        "WITH month AS (SELECT key, created_at / 86400000000 AS day, credits FROM (",
        accepted_since!(),
        ") t)
         INSERT INTO spent AS s (owner, day, credits)
         SELECT $1::uuid, day, sum(credits)::bigint FROM month GROUP BY day
         UNION ALL SELECT key, day, sum(credits)::bigint FROM month WHERE key IS NOT NULL GROUP BY key, day
         ON CONFLICT (owner, day) DO UPDATE SET credits = greatest(s.credits, excluded.credits)"
    );
    const MARK: &str = "UPDATE generations
         SET spent_day = CASE WHEN created_at >= $2 THEN created_at / 86400000000 END
         WHERE account = $1 AND ended_at IS NULL";
    let since = Timestamp::of_day(now.first_day_of_month());
    execute(db, COUNT, &[&account.0, &first_id(since), &since.0]).await?;
    execute(db, MARK, &[&account.0, &since.0]).await?;
    Ok(())
}

/// The credits that count against the limits in one batch of acceptances, and those that the batch adds.
#[derive(Debug, Default)]
pub(super) struct Spent {
    /// By owner, which is a key or an account, and day.
    known: HashMap<Uuid, BTreeMap<i64, i64>>,
    added: BTreeMap<(Uuid, i64), i64>,
}

impl Spent {
    /// Reads the spending that counts for these acceptances, each with the budget of its account; one statement if any
    /// of them is limited, and none otherwise. The accounts are locked.
    pub(super) async fn read<'a>(
        db: &Db,
        items: impl Iterator<Item = (&'a Accept, Option<i64>)>,
    ) -> Result<Self> {
        let (mut owners, mut since) = (Vec::new(), i64::MAX);
        for (accept, budget) in items.filter(|(accept, budget)| counts(accept, *budget)) {
            since = since.min(accept.generation.created_at.first_day_of_month());
            owners.extend(budget.map(|_| accept.generation.account.0));
            owners.extend(accept.key.map(|key| key.id.0));
        }
        let mut spent = Self::default();
        if owners.is_empty() {
            return Ok(spent);
        }
        let sql = "SELECT owner, day, credits FROM spent WHERE owner = ANY($1) AND day >= $2";
        for found in rows(db, sql, &[&owners, &since]).await? {
            let days = spent.known.entry(get(&found, 0)?).or_default();
            days.insert(get(&found, 1)?, get(&found, 2)?);
        }
        Ok(spent)
    }

    /// The refusal of an acceptance that a limit does not cover.
    pub(super) fn refuse(&self, accept: &Accept, budget: Option<i64>) -> Option<Accepted> {
        if !counts(accept, budget) {
            return None;
        }
        let generation = &accept.generation;
        let now = generation.created_at;
        let mut budgets = Budgets::new(accept.key.as_ref(), budget);
        if let Some(key) = accept.key {
            budgets.key_day.spent = self.since(key.id.0, now.day());
            budgets.key_month.spent = self.since(key.id.0, now.first_day_of_month());
        }
        budgets.account_month.spent = self.since(generation.account.0, now.first_day_of_month());
        budgets.refuse(generation.hold)
    }

    fn since(&self, owner: Uuid, day: i64) -> i64 {
        self.known
            .get(&owner)
            .map_or(0, |days| days.range(day..).map(|(_, credits)| credits).sum())
    }

    /// Counts an accepted hold for its account and its key, if one of them is limited.
    pub(super) fn count(&mut self, accept: &Accept, budget: Option<i64>) {
        let Some(day) = spent_day(accept, budget) else {
            return;
        };
        let generation = &accept.generation;
        let key: Option<&KeyUse> = accept.key.as_ref();
        for owner in std::iter::once(generation.account.0).chain(key.map(|key| key.id.0)) {
            *self.added.entry((owner, day)).or_default() += generation.hold;
            *self.known.entry(owner).or_default().entry(day).or_default() += generation.hold;
        }
    }

    /// Writes what was added, in one statement.
    pub(super) async fn write(&self, db: &Db) -> Result<()> {
        if self.added.is_empty() {
            return Ok(());
        }
        let owners: Vec<Uuid> = self.added.keys().map(|(owner, _)| *owner).collect();
        let days: Vec<i64> = self.added.keys().map(|(_, day)| *day).collect();
        let credits: Vec<i64> = self.added.values().copied().collect();
        execute(
            db,
            "INSERT INTO spent AS s (owner, day, credits)
             SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[])
             ON CONFLICT (owner, day) DO UPDATE SET credits = s.credits + excluded.credits",
            &[&owners, &days, &credits],
        )
        .await?;
        Ok(())
    }
}

/// The day on which an acceptance counts, if its key or its account is limited.
pub(super) fn spent_day(accept: &Accept, budget: Option<i64>) -> Option<i64> {
    counts(accept, budget).then(|| accept.generation.created_at.day())
}

fn counts(accept: &Accept, budget: Option<i64>) -> bool {
    budget.is_some() || accept.key.as_ref().is_some_and(KeyUse::is_limited)
}
