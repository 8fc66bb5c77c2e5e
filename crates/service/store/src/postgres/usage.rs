//! Usage by day, pages of the ledger, details of generations.

use async_trait::async_trait;
use atelier_domain::{AccountId, GenerationId};

use super::{
    PostgresStore, deliveries,
    error::Result,
    read as reading,
    row::get,
    write::{Db, read, row, rows, snapshot},
};
use crate::{
    AccountUsage, Entry, GenerationDetail, LedgerPage, LedgerPlace, Usage, UsageRow,
    values::{self, Fields as _, entry_columns},
};

#[async_trait]
impl Usage for PostgresStore {
    async fn usage(&self, account: Option<AccountId>, days: (i64, i64)) -> crate::Result<Vec<UsageRow>> {
        read!(self, |db| usage(db, account, days))
    }

    async fn usage_by_account(&self, days: (i64, i64), limit: u32) -> crate::Result<Vec<AccountUsage>> {
        read!(self, |db| usage_by_account(db, days, limit))
    }

    async fn ledger_page(
        &self,
        account: AccountId,
        before: Option<LedgerPlace>,
        limit: u32,
    ) -> crate::Result<LedgerPage> {
        snapshot!(self, of account, |db| ledger_page(db, account, before, limit))
    }

    async fn ledger_after(&self, account: AccountId, after: i64, limit: u32) -> crate::Result<Vec<Entry>> {
        read!(self, |db| ledger_after(db, account, after, limit))
    }

    async fn generation_detail(
        &self,
        account: AccountId,
        id: GenerationId,
    ) -> crate::Result<Option<GenerationDetail>> {
        snapshot!(self, |db| detail(db, account, id))
    }
}

async fn usage(db: &Db, account: Option<AccountId>, (from, to): (i64, i64)) -> Result<Vec<UsageRow>> {
    let found = match account {
        Some(account) => {
            rows(
                db,
                "SELECT day, model, kind, outcome, generations, credits, cancelled FROM usage
                 WHERE account = $1 AND day BETWEEN $2 AND $3 ORDER BY day, model, outcome",
                &[&account.0, &from, &to],
            )
            .await?
        }
        None => {
            rows(
                db,
                "SELECT day, model, max(kind), outcome, sum(generations)::bigint, sum(credits)::bigint,
                    sum(cancelled)::bigint FROM usage
                 WHERE day BETWEEN $1 AND $2 GROUP BY day, model, outcome ORDER BY day, model, outcome",
                &[&from, &to],
            )
            .await?
        }
    };
    found
        .iter()
        .map(|found| {
            Ok(UsageRow {
                day: get(found, 0)?,
                model: get(found, 1)?,
                kind: found.named(2)?,
                outcome: get(found, 3)?,
                generations: get::<i64>(found, 4)?.unsigned_abs(),
                credits: get(found, 5)?,
                cancelled: get::<i64>(found, 6)?.unsigned_abs(),
            })
        })
        .collect()
}

async fn usage_by_account(db: &Db, (from, to): (i64, i64), limit: u32) -> Result<Vec<AccountUsage>> {
    let found = rows(
        db,
        "SELECT u.account, a.name,
                coalesce(sum(u.generations) FILTER (WHERE u.outcome = 'completed'), 0)::bigint,
                coalesce(sum(u.generations - u.cancelled) FILTER (WHERE u.outcome <> 'completed'), 0)::bigint,
                sum(u.cancelled)::bigint, sum(u.credits)::bigint
         FROM usage u JOIN accounts a ON a.id = u.account WHERE u.day BETWEEN $1 AND $2
         GROUP BY u.account, a.name ORDER BY 6 DESC, 3 DESC, a.name LIMIT $3",
        &[&from, &to, &i64::from(limit)],
    )
    .await?;
    found
        .iter()
        .map(|found| {
            Ok(AccountUsage {
                account: AccountId(get(found, 0)?),
                name: get(found, 1)?,
                completed: get::<i64>(found, 2)?.unsigned_abs(),
                failed: get::<i64>(found, 3)?.unsigned_abs(),
                cancelled: get::<i64>(found, 4)?.unsigned_abs(),
                credits: get(found, 5)?,
            })
        })
        .collect()
}

async fn ledger_page(
    db: &Db,
    account: AccountId,
    before: Option<LedgerPlace>,
    limit: u32,
) -> Result<LedgerPage> {
    const PAGE: &str = concat!(
        "SELECT ",
        entry_columns!(),
        " FROM entries e WHERE e.account = $1 AND e.id < $2 ORDER BY e.id DESC LIMIT $3"
    );
    let (before, available) = if let Some(place) = before {
        (place.entry, place.available)
    } else {
        let found = row(db, "SELECT available FROM accounts WHERE id = $1", &[&account.0]).await?;
        let available: Option<i64> = found.map(|found| get(&found, 0)).transpose()?;
        (i64::MAX, available.unwrap_or_default())
    };
    let found = rows(db, PAGE, &[&account.0, &before, &(i64::from(limit) + 1)]).await?;
    let entries = found.iter().map(values::entry).collect::<Result<Vec<_>>>()?;
    Ok(LedgerPage::new(entries, available, limit))
}

async fn ledger_after(db: &Db, account: AccountId, after: i64, limit: u32) -> Result<Vec<Entry>> {
    const SQL: &str = concat!(
        "SELECT ",
        entry_columns!(),
        " FROM entries e WHERE e.account = $1 AND e.id > $2 ORDER BY e.id LIMIT $3"
    );
    let found = rows(db, SQL, &[&account.0, &after, &i64::from(limit)]).await?;
    found.iter().map(values::entry).collect()
}

async fn detail(db: &Db, account: AccountId, id: GenerationId) -> Result<Option<GenerationDetail>> {
    // Two reads, one for each partial index of the ledger.
    const HOLD: &str = concat!(
        "SELECT ",
        entry_columns!(),
        " FROM entries e WHERE e.generation = $1 AND e.kind = 'hold'"
    );
    const END: &str = concat!(
        "SELECT ",
        entry_columns!(),
        " FROM entries e WHERE e.generation = $1 AND e.kind IN ('settle', 'release')"
    );
    let Some(generation) = reading::generation(db, account, id).await? else {
        return Ok(None);
    };
    let found = row(db, "SELECT last_failure FROM generations WHERE id = $1", &[&id.0]).await?;
    let last_failure = match &found {
        Some(found) => found.optional_json(0)?,
        None => None,
    };
    let mut entries: Vec<Entry> = Vec::with_capacity(2);
    for sql in [HOLD, END] {
        for found in rows(db, sql, &[&id.0]).await? {
            entries.push(values::entry(&found)?);
        }
    }
    Ok(Some(GenerationDetail {
        generation,
        last_failure,
        entries,
        deliveries: deliveries::of_generation(db, id).await?,
    }))
}
