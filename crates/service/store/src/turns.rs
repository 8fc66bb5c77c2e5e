//! The turns of accounts in a lane: claims go round the accounts that wait there, so that an account with many
//! generations delays the first one of another by a turn and not by all of them. An account has as many turns in a row
//! as its plan weighs, whether claims take one generation or many. Each node goes round by itself.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use uuid::Uuid;

/// The most accounts that one claim looks at.
pub(crate) const ACCOUNTS: u32 = 1_000;

/// The last turn, by lane. Accounts have their turns in the order of their ids.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<HashMap<String, Turn>>);

/// A turn that an account had, and how many more it has before the next account; the least id before the first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Turn {
    account: Uuid,
    left: u32,
}

/// An account that waits in a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub(crate) account: Uuid,
    /// How many turns in a row it has; at least 1.
    pub(crate) weight: u32,
    /// How many more of its generations may run; at least 1.
    pub(crate) room: usize,
}

/// How a claim is divided among accounts, which are in the order of their turns.
#[derive(Debug)]
pub(crate) struct Shares {
    each: Vec<usize>,
    /// The turns of the first account before the second one has its turns.
    first: u32,
    /// The account with the last turn, by its place, and how many more it has.
    last: Option<(usize, u32)>,
}

impl Turns {
    pub(crate) fn last(&self, lane: &str) -> Turn {
        self.lanes().get(lane).copied().unwrap_or_default()
    }

    pub(crate) fn had(&self, lane: &str, turn: Turn) {
        let mut lanes = self.lanes();
        match lanes.get_mut(lane) {
            Some(last) => *last = turn,
            None => {
                lanes.insert(lane.to_owned(), turn);
            }
        }
    }

    fn lanes(&self) -> std::sync::MutexGuard<'_, HashMap<String, Turn>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// The id after which the next claim begins: it begins with the same account if that has turns left.
    pub(crate) const fn next_after(self) -> Uuid {
        if self.left == 0 {
            return self.account;
        }
        Uuid::from_u128(self.account.as_u128().saturating_sub(1))
    }
}

impl Shares {
    /// Divides `max` after this turn: each account has its turns, one after another, until nothing is left.
    pub(crate) fn new(turn: Turn, waiting: &[Waiting], max: usize) -> Self {
        let goes_on = |first: &&Waiting| first.account == turn.account && turn.left > 0;
        let first = waiting.first();
        let first = match first.filter(goes_on) {
            Some(same) => turn.left.min(same.weight),
            None => first.map_or(0, |first| first.weight),
        };
        let mut shares = Self {
            each: vec![0; waiting.len()],
            first,
            last: None,
        };
        let mut left = max;
        for round in 0.. {
            let before = left;
            for (place, account) in waiting.iter().enumerate() {
                let turns = if (round, place) == (0, 0) {
                    first
                } else {
                    account.weight
                };
                let share = &mut shares.each[place];
                let more = (turns as usize).min(account.room - *share).min(left);
                if more > 0 {
                    *share += more;
                    left -= more;
                    shares.last = Some((place, turns - more as u32));
                }
            }
            if left == 0 || left == before {
                break;
            }
        }
        shares
    }

    /// The most that the account at this place may take. One without a share may take one, in case that others leave
    /// something of theirs.
    pub(crate) fn most(&self, place: usize) -> usize {
        self.each[place].max(1)
    }

    /// The turn after which the next claim begins, if so many were taken by each; `None` if nothing was taken.
    pub(crate) fn end(&self, waiting: &[Waiting], taken: &[usize]) -> Option<Turn> {
        let (place, left) = if taken == self.each {
            self.last?
        } else {
            // What others left went to later accounts. One that has nothing more has no more turns.
            let place = taken.iter().rposition(|taken| *taken > 0)?;
            let turns = if place == 0 {
                self.first
            } else {
                waiting[place].weight
            };
            let more = taken[place] >= self.each[place];
            let had = u32::try_from(taken[place]).unwrap_or(u32::MAX);
            (place, if more { turns.saturating_sub(had) } else { 0 })
        };
        let account = waiting[place].account;
        Some(Turn { account, left })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANE: &str = "echo";

    fn account(number: u128, weight: u32) -> Waiting {
        Waiting {
            account: Uuid::from_u128(number),
            weight,
            room: usize::MAX,
        }
    }

    /// The accounts in the order in which claims of `max` take from them; all have enough.
    fn claims(turns: &Turns, accounts: &[Waiting], sizes: &[usize]) -> Vec<Vec<usize>> {
        let claim = |max: &usize| {
            let turn = turns.last(LANE);
            let (before, after): (Vec<_>, Vec<_>) = accounts
                .iter()
                .partition(|waiting| waiting.account <= turn.next_after());
            let waiting = [after, before].concat();
            let shares = Shares::new(turn, &waiting, *max);
            turns.had(LANE, shares.end(&waiting, &shares.each).unwrap());
            let of = |account: &Waiting| waiting.iter().position(|one| one == account).unwrap();
            accounts.iter().map(|account| shares.each[of(account)]).collect()
        };
        sizes.iter().map(claim).collect()
    }

    #[test]
    fn an_account_has_as_many_turns_in_a_row_as_it_weighs() {
        let turns = Turns::default();
        let accounts = [account(1, 3), account(2, 1)];
        let order: Vec<usize> = claims(&turns, &accounts, &[1; 8])
            .iter()
            .map(|taken| taken.iter().position(|taken| *taken == 1).unwrap())
            .collect();
        assert_eq!(order, [0, 0, 0, 1, 0, 0, 0, 1]);
    }

    #[test]
    fn claims_of_any_size_share_by_weight() {
        let accounts = [account(1, 3), account(2, 1), account(3, 2)];
        assert_eq!(claims(&Turns::default(), &accounts, &[12]), [[6, 2, 4]]);
        for size in [1, 2, 4, 5, 7] {
            let taken = claims(&Turns::default(), &accounts, &vec![size; 60 / size]);
            let sum = |place: usize| taken.iter().map(|taken| taken[place]).sum::<usize>();
            let rounds = (60 / size * size) / 6;
            for (place, account) in accounts.iter().enumerate() {
                let fair = rounds * account.weight as usize;
                let most = fair + account.weight as usize;
                assert!((fair..=most).contains(&sum(place)), "{size}: {taken:?}");
            }
        }
    }

    #[test]
    fn accounts_of_one_weight_share_evenly_and_none_misses_its_turn() {
        let accounts = [account(1, 1), account(2, 1), account(3, 1), account(4, 1)];
        let taken = claims(&Turns::default(), &accounts, &[5, 1, 6]);
        assert_eq!(taken, [[2, 1, 1, 1], [0, 1, 0, 0], [1, 1, 2, 2]]);
    }

    #[test]
    fn an_account_takes_no_more_than_it_has_room_for() {
        let mut accounts = [account(1, 3), account(2, 1)];
        accounts[0].room = 2;
        let shares = Shares::new(Turn::default(), &accounts, 8);
        assert_eq!(shares.each, [2, 6]);
        accounts[1].room = 1;
        let shares = Shares::new(Turn::default(), &accounts, 8);
        assert_eq!(shares.each, [2, 1]);
        assert_eq!([shares.most(0), shares.most(1)], [2, 1]);
    }

    #[test]
    fn an_account_that_has_nothing_more_leaves_its_turns_to_the_next() {
        let accounts = [account(1, 3), account(2, 3)];
        let shares = Shares::new(Turn::default(), &accounts, 3);
        assert_eq!((shares.most(0), shares.most(1)), (3, 1));
        let end = |taken: [usize; 2]| shares.end(&accounts, &taken);
        let turn = |place: usize, left| {
            let account = accounts[place].account;
            Some(Turn { account, left })
        };
        assert_eq!(end([3, 0]), turn(0, 0));
        assert_eq!(end([2, 0]), turn(0, 0), "it has nothing more");
        assert_eq!(end([2, 1]), turn(1, 2));
        assert_eq!(end([0, 0]), None);
        let next = end([2, 1]).unwrap();
        assert_eq!(next.next_after(), Uuid::from_u128(1), "the second goes on");
        assert_eq!(Shares::new(next, &accounts[1..], 3).last, Some((0, 2)));
    }
}
