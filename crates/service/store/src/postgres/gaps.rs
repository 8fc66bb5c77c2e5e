//! The parts of the queue's index in which nothing waits any more. What was claimed leaves entries there until a
//! vacuum, which a large table seldom has, and whoever looks for the first one that waits would read through all of
//! them: a claim took 1.1 ms more after 325,000 generations of one account.
//!
//! In a lane, the index is in the order of accounts and times. A gap is of an account, and ends where the first of its
//! generations was found. A look jumps over gaps: it reads the spans between them.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use atelier_domain::Timestamp;
use uuid::Uuid;

use super::floor::Known;

/// The gaps of all lanes that this node knows.
#[derive(Debug, Default)]
pub(super) struct Gaps(Mutex<HashMap<String, Lane>>);

/// By account.
type Lane = HashMap<Uuid, Gap>;

#[derive(Debug, Clone, Copy)]
struct Gap {
    /// How many this node has claimed: about as many entries as the gap has.
    taken: usize,
    /// Where it ends.
    known: Option<Known>,
    /// The time from one look at all of its entries to the next.
    all_after: Duration,
}

/// What a look reads, in the order of turns: the entries between each two of these, without either.
///
/// A scan passes over marked entries without a look at them, and ends at a page behind its end. It finds that out by
/// the first column of a comparison alone, so the ends are accounts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Spans {
    /// Accounts and times.
    pub(super) after: (Vec<Uuid>, Vec<i64>),
    pub(super) before: Vec<Uuid>,
    /// The accounts whose gaps are between them.
    jumped: HashSet<Uuid>,
}

/// What a look found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The first entry of each account that has any.
    pub(super) first: HashMap<Uuid, Timestamp>,
    /// Whether it looked at all accounts.
    pub(super) is_all: bool,
}

impl Gaps {
    /// A generation may be committed so long after the time of its entry: the clocks of nodes agree to within a second.
    const LATE: Duration = Duration::from_secs(1);
    /// How often the entries of an account are read from the first one on, so that one that comes later still, or that
    /// returns to its place, waits no longer: after so many times as long as that took, within these limits.
    const REST: u32 = 50;
    const ALL: Duration = Duration::from_millis(250);
    const ALL_AT_LAST: Duration = Duration::from_secs(2);
    /// A gap of fewer entries is not worth a jump.
    const FEWEST: usize = 1_000;
    /// The most gaps of a lane: each costs a seek.
    const MOST: usize = 64;

    /// The spans of a look at the accounts after this one, in the order of their ids, and then from the least one to
    /// it.
    pub(super) fn spans(&self, lane: &str, after: Uuid) -> Spans {
        let mut gaps: Vec<(Uuid, Timestamp)> = self
            .lanes()
            .get(lane)
            .into_iter()
            .flatten()
            .filter_map(|(account, gap)| Some((*account, gap.fresh()?.from)))
            .collect();
        gaps.sort_unstable();
        let (before, behind) = gaps.split_at(gaps.partition_point(|(account, _)| *account <= after));
        let mut spans = Spans::default();
        spans.between((after, i64::MAX), behind, Uuid::max());
        spans.between((Uuid::nil(), i64::MIN), before, next(after));
        spans
    }

    /// Remembers what a look at these spans found. It began then, when it was `now`.
    pub(super) fn looked(
        &self,
        lane: &str,
        spans: &Spans,
        (begun, now): (Instant, Timestamp),
        found: &Found,
    ) {
        let late = now.minus(Self::LATE);
        for (account, gap) in self.lanes().get_mut(lane).into_iter().flatten() {
            let first = found.first.get(account).copied();
            if first.is_some() || found.is_all {
                let jumped = spans.jumped.contains(account);
                if !jumped {
                    gap.all_after = (begun.elapsed() * Self::REST).clamp(Self::ALL, Self::ALL_AT_LAST);
                }
                gap.known = Known::found(gap.known, jumped, begun, (first, late));
            }
        }
    }

    /// Counts claimed generations. When the lane is full, a new account replaces the one with the fewest and continues
    /// its count, so that accounts with many stay.
    pub(super) fn took(&self, lane: &str, account: Uuid, count: usize) {
        let mut lanes = self.lanes();
        if !lanes.contains_key(lane) {
            lanes.insert(lane.to_owned(), Lane::new());
        }
        let Some(gaps) = lanes.get_mut(lane) else { return };
        let mut taken = 0;
        if !gaps.contains_key(&account) && gaps.len() >= Self::MOST {
            let fewest = gaps.iter().min_by_key(|(_, gap)| gap.taken);
            if let Some((other, gap)) = fewest.map(|(other, gap)| (*other, *gap)) {
                gaps.remove(&other);
                taken = gap.taken;
            }
        }
        let gap = gaps.entry(account).or_insert(Gap {
            taken,
            known: None,
            all_after: Self::ALL,
        });
        gap.taken += count;
    }

    /// The map is valid after a panic at any point.
    fn lanes(&self) -> MutexGuard<'_, HashMap<String, Lane>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Gap {
    /// What is known, if a look may rely on it.
    fn fresh(&self) -> Option<Known> {
        let known = self.known.filter(|known| known.read.elapsed() < self.all_after);
        known.filter(|_| self.taken >= Gaps::FEWEST)
    }
}

impl Spans {
    /// Adds the spans from one place to another one, without these gaps.
    fn between(&mut self, mut after: (Uuid, i64), gaps: &[(Uuid, Timestamp)], before: Uuid) {
        for (account, end) in gaps {
            self.add(after, *account);
            self.jumped.insert(*account);
            after = (*account, end.0.saturating_sub(1));
        }
        self.add(after, before);
    }

    fn add(&mut self, (account, time): (Uuid, i64), before: Uuid) {
        self.after.0.push(account);
        self.after.1.push(time);
        self.before.push(before);
    }
}

/// The id after this one.
const fn next(account: Uuid) -> Uuid {
    Uuid::from_u128(account.as_u128().saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANE: &str = "echo";

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn at(second: i64) -> Timestamp {
        Timestamp(second * 1_000_000)
    }

    /// The spans: each after an account and a second, which may be `MAX` or `MIN`, and before an account.
    fn spans(gaps: &Gaps, after: u128) -> Vec<((u128, i64), u128)> {
        let spans = gaps.spans(LANE, id(after));
        let second = |time: i64| match time {
            i64::MIN | i64::MAX => time,
            time => (time + 1) / 1_000_000,
        };
        let (ids, times) = &spans.after;
        let after = ids
            .iter()
            .zip(times)
            .map(|(id, time)| (id.as_u128(), second(*time)));
        after.zip(spans.before.iter().map(Uuid::as_u128)).collect()
    }

    fn found(first: &[(u128, i64)], is_all: bool) -> Found {
        Found {
            first: first
                .iter()
                .map(|(account, second)| (id(*account), at(*second)))
                .collect(),
            is_all,
        }
    }

    /// A look at what is there at this second.
    fn look(gaps: &Gaps, second: i64, first: &[(u128, i64)], is_all: bool) {
        let spans = gaps.spans(LANE, Uuid::nil());
        gaps.looked(LANE, &spans, (Instant::now(), at(second)), &found(first, is_all));
    }

    const MIN: i64 = i64::MIN;
    const MAX: i64 = i64::MAX;
    const GREATEST: u128 = u128::MAX;

    #[test]
    fn a_look_jumps_over_what_an_account_had_before_its_first_one() {
        let gaps = Gaps::default();
        assert_eq!(spans(&gaps, 5), [((5, MAX), GREATEST), ((0, MIN), 6)]);
        gaps.took(LANE, id(3), 2_000);
        gaps.took(LANE, id(5), 2_000);
        gaps.took(LANE, id(9), 2_000);
        gaps.took(LANE, id(11), 999);
        look(&gaps, 100, &[(3, 40), (5, 50), (9, 60), (11, 70)], true);
        assert_eq!(
            spans(&gaps, 5),
            [
                ((5, MAX), 9),
                ((9, 60), GREATEST),
                ((0, MIN), 3),
                ((3, 40), 5),
                ((5, 50), 6),
            ]
        );
    }

    #[test]
    fn a_gap_ends_before_what_may_be_committed_late() {
        let gaps = Gaps::default();
        gaps.took(LANE, id(3), 2_000);
        let end = || spans(&gaps, 0)[1].0;
        look(&gaps, 100, &[], true);
        assert_eq!(end(), (3, 99), "nothing waits");
        look(&gaps, 103, &[(3, 103)], true);
        assert_eq!(end(), (3, 102));
        look(&gaps, 105, &[(3, 101)], true);
        assert_eq!(
            end(),
            (3, 102),
            "what comes out of order is of the next look at everything"
        );
        look(&gaps, 109, &[], false);
        assert_eq!(end(), (3, 102), "it did not look at this account");
    }

    #[test]
    fn the_entries_of_an_account_are_all_read_again_after_some_time() {
        let gaps = Gaps::default();
        gaps.took(LANE, id(3), 2_000);
        let nothing = gaps.spans(LANE, Uuid::nil());
        let took = |time: Duration| {
            let begun = Instant::now().checked_sub(time).unwrap();
            gaps.looked(LANE, &nothing, (begun, at(100)), &found(&[], true));
        };
        let later = |time: Duration| {
            for gap in gaps.lanes().get_mut(LANE).unwrap().values_mut() {
                let known = gap.known.as_mut().unwrap();
                known.read = known.read.checked_sub(time).unwrap();
            }
            gaps.spans(LANE, Uuid::nil())
        };
        took(Duration::ZERO);
        assert_eq!(later(Gaps::ALL), nothing);
        // What takes longer is done less often, but done.
        took(Duration::from_secs(1));
        assert_ne!(later(Gaps::ALL), nothing);
        assert_eq!(later(Gaps::ALL_AT_LAST), nothing);
        look(&gaps, 102, &[(3, 50)], true);
        assert_eq!(spans(&gaps, 0)[1].0, (3, 50), "one has returned to its place");
    }

    #[test]
    fn accounts_with_many_claims_keep_their_gaps() {
        let gaps = Gaps::default();
        for round in 0..20 {
            gaps.took(LANE, id(1), 200);
            for other in 0..100 {
                gaps.took(LANE, id(1_000 * round + other + 2), 1);
            }
        }
        assert_eq!(gaps.lanes()[LANE].len(), Gaps::MOST);
        assert_eq!(gaps.lanes()[LANE][&id(1)].taken, 4_000);
    }
}
