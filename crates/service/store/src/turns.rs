//! The turns of accounts in a lane: claims go round the accounts that wait there, so that an account with many
//! generations delays the first one of another by a turn and not by all of them. Each node goes round by itself.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use uuid::Uuid;

/// The most accounts that one claim looks at.
pub(crate) const ACCOUNTS: u32 = 1_000;

/// The account that had its turn last, by lane. Accounts have their turns in the order of their ids.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<HashMap<String, Uuid>>);

impl Turns {
    /// The account that had the last turn; the least id there is before the first.
    pub(crate) fn last(&self, lane: &str) -> Uuid {
        self.lanes().get(lane).copied().unwrap_or_default()
    }

    /// This account has had its turn.
    pub(crate) fn had(&self, lane: &str, account: Uuid) {
        let mut lanes = self.lanes();
        match lanes.get_mut(lane) {
            Some(last) => *last = account,
            None => {
                lanes.insert(lane.to_owned(), account);
            }
        }
    }

    fn lanes(&self) -> std::sync::MutexGuard<'_, HashMap<String, Uuid>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many each of `accounts` may take, so that together they take at least `left`.
pub(crate) fn share(left: usize, accounts: usize) -> usize {
    left.div_ceil(accounts.max(1))
}
