//! The limits of accounts on generations that wait and that run. The caller that counts has locked the account's row,
//! so that no other node adds to the count meanwhile.

use std::collections::{HashMap, HashSet};

use tokio_postgres::Row;
use uuid::Uuid;

use super::{
    error::Result,
    row::{get, text},
    write::{Db, rows},
};
use crate::values::Fields as _;

/// The column of `max_queued` in the rows that an acceptance locks.
const MAX_QUEUED: usize = 5;

/// The limit of each account that has one, and how many more of its generations may wait. `accounts` are locked.
pub(super) async fn places(db: &Db, accounts: &[Row]) -> Result<HashMap<Uuid, (u32, i64)>> {
    let mut places = HashMap::new();
    for account in accounts {
        if let Some(max) = account.optional_number::<u32>(MAX_QUEUED)? {
            places.insert(get::<Uuid>(account, 0)?, (max, i64::from(max)));
        }
    }
    if places.is_empty() {
        return Ok(places);
    }
    let ids: Vec<Uuid> = places.keys().copied().collect();
    let sql = "SELECT account, count(*) FROM generations
               WHERE account = ANY($1) AND ended_at IS NULL AND state = 'queued' GROUP BY account";
    for counted in rows(db, sql, &[&ids]).await? {
        let (account, queued): (Uuid, i64) = (get(&counted, 0)?, get(&counted, 1)?);
        places
            .entry(account)
            .and_modify(|(_, left)| *left = (*left - queued).max(0));
    }
    Ok(places)
}

/// The accounts with a limit on running generations, for one claim.
#[derive(Debug, Default)]
pub(super) struct Rooms {
    /// Those that may have more, and how many more.
    pub(super) accounts: Vec<Uuid>,
    pub(super) left: Vec<i64>,
    /// Those that may have none now, also because another node counts them.
    pub(super) exhausted: Vec<Uuid>,
}

/// Counts what runs of the limited accounts that wait in this lane, and locks them.
pub(super) async fn rooms(db: &Db, lane: &str) -> Result<Rooms> {
    let limited = rows(db, "SELECT id FROM accounts WHERE max_running IS NOT NULL", &[]).await?;
    if limited.is_empty() {
        return Ok(Rooms::default());
    }
    let limited: Vec<Uuid> = limited.iter().map(|row| get(row, 0)).collect::<Result<_>>()?;
    // Locks that others hold are not waited for: their accounts have their turn later.
    let locked = rows(
        db,
        "SELECT a.id, a.max_running FROM accounts a
         WHERE a.id = ANY($1) AND a.max_running IS NOT NULL AND EXISTS (
             SELECT 1 FROM generations WHERE state = 'queued' AND lane = $2 AND account = a.id)
         ORDER BY a.id FOR NO KEY UPDATE OF a SKIP LOCKED",
        &[&limited, &text(lane)],
    )
    .await?;
    let mut left: HashMap<Uuid, i64> = HashMap::new();
    for account in &locked {
        left.insert(get(account, 0)?, get(account, 1)?);
    }
    let ids: Vec<Uuid> = left.keys().copied().collect();
    let sql = "SELECT account, count(*) FROM generations
               WHERE state = 'running' AND account = ANY($1) GROUP BY account";
    for counted in rows(db, sql, &[&ids]).await? {
        let (account, running): (Uuid, i64) = (get(&counted, 0)?, get(&counted, 1)?);
        left.entry(account).and_modify(|left| *left -= running);
    }
    left.retain(|_, left| *left > 0);
    let open: HashSet<Uuid> = left.keys().copied().collect();
    let (accounts, left) = left.into_iter().unzip();
    Ok(Rooms {
        accounts,
        left,
        exhausted: limited.into_iter().filter(|id| !open.contains(id)).collect(),
    })
}
