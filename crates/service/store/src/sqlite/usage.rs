//! Usage by day, pages of the ledger, details of generations.

use async_trait::async_trait;
use atelier_domain::{AccountId, GenerationId};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{SqliteStore, deliveries, read, row};
use crate::{
    AccountUsage, Entry, GenerationDetail, LedgerPage, LedgerPlace, Result, Usage, UsageRow,
    values::{Fields as _, entry_columns},
};

#[async_trait]
impl Usage for SqliteStore {
    async fn usage(&self, account: Option<AccountId>, days: (i64, i64)) -> Result<Vec<UsageRow>> {
        match account {
            Some(one) => self.scan_of(one, move |db| usage(db, account, days)).await,
            None => self.scan(move |db| usage(db, account, days)).await,
        }
    }

    async fn usage_by_account(&self, days: (i64, i64), limit: u32) -> Result<Vec<AccountUsage>> {
        self.scan(move |db| usage_by_account(db, days, limit)).await
    }

    async fn ledger_page(
        &self,
        account: AccountId,
        before: Option<LedgerPlace>,
        limit: u32,
    ) -> Result<LedgerPage> {
        self.scan_of(account, move |db| ledger_page(db, account, before, limit))
            .await
    }

    async fn ledger_after(&self, account: AccountId, after: i64, limit: u32) -> Result<Vec<Entry>> {
        self.scan_of(account, move |db| ledger_after(db, account, after, limit))
            .await
    }

    async fn generation_detail(
        &self,
        account: AccountId,
        id: GenerationId,
    ) -> Result<Option<GenerationDetail>> {
        self.readers.snapshot(|db| detail(db, account, id))
    }
}

pub(super) fn usage(
    db: &Connection,
    account: Option<AccountId>,
    (from, to): (i64, i64),
) -> Result<Vec<UsageRow>> {
    let read = |row: &Row<'_>| -> Result<UsageRow> {
        Ok(UsageRow {
            day: row.get(0)?,
            model: row.get(1)?,
            kind: row.named(2)?,
            outcome: row.get(3)?,
            generations: row.get::<_, i64>(4)?.unsigned_abs(),
            credits: row.get(5)?,
            cancelled: row.get::<_, i64>(6)?.unsigned_abs(),
        })
    };
    match account {
        Some(account) => db
            .prepare_cached(
                "SELECT day, model, kind, outcome, generations, credits, cancelled FROM usage
                 WHERE account = ?1 AND day BETWEEN ?2 AND ?3 ORDER BY day, model, outcome",
            )?
            .query_and_then(params![account.0, from, to], read)?
            .collect(),
        None => db
            .prepare_cached(
                "SELECT day, model, max(kind), outcome, sum(generations), sum(credits), sum(cancelled) FROM usage
                 WHERE day BETWEEN ?1 AND ?2 GROUP BY day, model, outcome ORDER BY day, model, outcome",
            )?
            .query_and_then(params![from, to], read)?
            .collect(),
    }
}

fn usage_by_account(db: &Connection, (from, to): (i64, i64), limit: u32) -> Result<Vec<AccountUsage>> {
    db.prepare_cached(
        "SELECT u.account, a.name, coalesce(sum(u.generations) FILTER (WHERE u.outcome = 'completed'), 0),
                coalesce(sum(u.generations - u.cancelled) FILTER (WHERE u.outcome <> 'completed'), 0),
                sum(u.cancelled), sum(u.credits)
         FROM usage u JOIN accounts a ON a.id = u.account WHERE u.day BETWEEN ?1 AND ?2
         GROUP BY u.account ORDER BY 6 DESC, 3 DESC, a.name LIMIT ?3",
    )?
    .query_and_then(params![from, to, limit], |row: &Row<'_>| {
        Ok(AccountUsage {
            account: AccountId(row.get(0)?),
            name: row.get(1)?,
            completed: row.get::<_, i64>(2)?.unsigned_abs(),
            failed: row.get::<_, i64>(3)?.unsigned_abs(),
            cancelled: row.get::<_, i64>(4)?.unsigned_abs(),
            credits: row.get(5)?,
        })
    })?
    .collect()
}

pub(super) fn ledger_page(
    db: &Connection,
    account: AccountId,
    before: Option<LedgerPlace>,
    limit: u32,
) -> Result<LedgerPage> {
    let (before, available) = if let Some(place) = before {
        (place.entry, place.available)
    } else {
        let available: Option<i64> = db
            .prepare_cached("SELECT available FROM accounts WHERE id = ?1")?
            .query_row([account.0], |row| row.get(0))
            .optional()?;
        (i64::MAX, available.unwrap_or_default())
    };
    let entries = db
        .prepare_cached(&format!(
            "SELECT {} FROM entries e WHERE e.account = ?1 AND e.id < ?2 ORDER BY e.id DESC LIMIT ?3",
            entry_columns!()
        ))?
        .query_and_then(params![account.0, before, i64::from(limit) + 1], row::entry)?
        .collect::<Result<Vec<Entry>>>()?;
    Ok(LedgerPage::new(entries, available, limit))
}

fn ledger_after(db: &Connection, account: AccountId, after: i64, limit: u32) -> Result<Vec<Entry>> {
    db.prepare_cached(&format!(
        "SELECT {} FROM entries e WHERE e.account = ?1 AND e.id > ?2 ORDER BY e.id LIMIT ?3",
        entry_columns!()
    ))?
    .query_and_then(params![account.0, after, limit], row::entry)?
    .collect()
}

pub(super) fn detail(
    db: &Connection,
    account: AccountId,
    id: GenerationId,
) -> Result<Option<GenerationDetail>> {
    let Some(generation) = read::generation(db, account, id)? else {
        return Ok(None);
    };
    let last_failure = db
        .prepare_cached("SELECT last_failure FROM generations WHERE id = ?1")?
        .query_and_then([id.0], |found| found.optional_json(0))?
        .next()
        .transpose()?
        .flatten();
    // Two reads, one for each partial index of the ledger.
    let mut entries: Vec<Entry> = Vec::with_capacity(2);
    for kinds in ["kind = 'hold'", "kind IN ('settle', 'release')"] {
        let mut find = db.prepare_cached(&format!(
            "SELECT {} FROM entries e WHERE e.generation = ?1 AND {kinds}",
            entry_columns!()
        ))?;
        for entry in find.query_and_then([id.0], row::entry)? {
            entries.push(entry?);
        }
    }
    Ok(Some(GenerationDetail {
        generation,
        last_failure,
        entries,
        deliveries: deliveries::of_generation(db, id)?,
    }))
}
