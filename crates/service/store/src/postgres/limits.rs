//! The limits of accounts on generations that wait and that run. Whoever counts holds a lock of the account, so that no
//! other node adds to the count meanwhile.

use std::collections::HashMap;

use tokio_postgres::Row;
use uuid::Uuid;

use super::{
    error::Result,
    row::get,
    schema::locks,
    write::{Db, is_open, rows},
};
use crate::{plans::own_or_plan, turns::Waiting, values::Fields as _};

/// The column of `max_queued` in the rows that an acceptance locks.
const MAX_QUEUED: usize = 5;

/// Counts the generations of each account in a state. Account by account, and the state is a parameter, so that only
/// one index fits: another one has those that are queued.
pub(super) const COUNT: &str = concat!(
    "SELECT a.id, g.count FROM unnest($1::uuid[]) AS a (id) CROSS JOIN LATERAL (
         SELECT count(*) FROM generations WHERE ",
    is_open!(),
    " AND state = $2 AND account = a.id) g"
);

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
    for counted in rows(db, COUNT, &[&ids, &"queued"]).await? {
        let (account, queued): (Uuid, i64) = (get(&counted, 0)?, get(&counted, 1)?);
        places
            .entry(account)
            .and_modify(|(_, left)| *left = (*left - queued).max(0));
    }
    Ok(places)
}

/// Counts what runs of the accounts with a limit on it among these. Those that may have no more now do not wait any
/// longer, also because another claim counts them.
///
/// Only claims add to the count, so they exclude each other alone. The rows of busy accounts are nearly always locked,
/// by what is accepted and what ends.
///
/// Returns whether another claim counts one of them now.
pub(super) async fn leave_room(db: &Db, waiting: &mut Vec<Waiting>) -> Result<bool> {
    // Locks that others hold are not waited for: their accounts have their turn later.
    const LOCK: &str = concat!(
        "WITH limited AS MATERIALIZED (SELECT a.id, ",
        own_or_plan!("max_running"),
        " AS most FROM accounts a WHERE a.id = ANY($1))
         SELECT id, most FROM limited WHERE pg_try_advisory_xact_lock($2, hashtext(id::text))"
    );
    let limited = waiting.iter().filter(|account| account.room < usize::MAX);
    let limited: Vec<Uuid> = limited.map(|account| account.account).collect();
    if limited.is_empty() {
        return Ok(false);
    }
    let mut rooms: HashMap<Uuid, usize> = HashMap::new();
    for account in rows(db, LOCK, &[&limited, &locks::RUNNING]).await? {
        let max: Option<u32> = account.optional_number(1)?;
        rooms.insert(get(&account, 0)?, max.map_or(usize::MAX, |max| max as usize));
    }
    let others_count = rooms.len() < limited.len();
    let ids: Vec<Uuid> = rooms.keys().copied().collect();
    for counted in rows(db, COUNT, &[&ids, &"running"]).await? {
        let running: usize = counted.number(1)?;
        let room = rooms.entry(get(&counted, 0)?);
        room.and_modify(|room| *room = room.saturating_sub(running));
    }
    waiting.retain_mut(|account| {
        if account.room < usize::MAX {
            account.room = rooms.get(&account.account).copied().unwrap_or(0);
        }
        account.room > 0
    });
    Ok(others_count)
}
