//! Places for webhook deliveries: how many a worker holds, and how many of them it sends at a time. A slow host
//! fills only its own places.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use atelier_app::System;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Deliveries held for each one that may be sent at a time. This keeps quick receivers busy between two claims,
/// and slow ones from holding many deliveries until their leases end.
const HELD_PER_TURN: u32 = 4;
const OPEN: &str = "the semaphore is never closed";

/// The places of one worker.
#[derive(Debug)]
pub(crate) struct Places {
    max: u32,
    per_host: u32,
    /// One for each attempt that is being made.
    turns: Semaphore,
    held: Arc<Mutex<Held>>,
}

/// The deliveries leased to this worker: being sent, or waiting for their turn.
#[derive(Debug, Default)]
struct Held {
    total: u32,
    hosts: HashMap<String, AtHost>,
    /// A delivery found no place.
    waiting: bool,
}

#[derive(Debug)]
struct AtHost {
    count: u32,
    turns: Arc<Semaphore>,
}

/// A place for one delivery, given back when dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    held: Arc<Mutex<Held>>,
    host: String,
    /// The host's.
    turns: Arc<Semaphore>,
    hints: Option<System>,
}

/// The right to send one delivery now, given back when dropped.
#[derive(Debug)]
pub(crate) struct Turn<'a> {
    _at_host: SemaphorePermit<'a>,
    _at_all: SemaphorePermit<'a>,
}

impl Places {
    /// For so many attempts at a time, and so many of them to one host.
    pub(crate) fn new(max: u32, per_host: u32) -> Self {
        Self {
            max: max * HELD_PER_TURN,
            per_host: per_host * HELD_PER_TURN,
            turns: Semaphore::new(max as usize),
            held: Arc::default(),
        }
    }

    /// How many deliveries to one host may be held.
    pub(crate) const fn per_host(&self) -> u32 {
        self.per_host
    }

    /// A place for a delivery to this host, if there is one right now.
    pub(crate) fn reserve(&self, host: String) -> Option<Permit> {
        let mut held = lock(&self.held);
        let at_host = held.hosts.get(&host).map_or(0, |at| at.count);
        if held.total >= self.max || at_host >= self.per_host {
            held.waiting = true;
            return None;
        }
        Some(self.place(&mut held, host))
    }

    /// A place for a delivery that is already leased to this worker. Others may have taken places between the count
    /// and the claim. Then there is one more for a while; otherwise it would wait until its lease ends.
    pub(crate) fn reserve_claimed(&self, host: String) -> Permit {
        self.place(&mut lock(&self.held), host)
    }

    /// How many places are free, and how many are taken at each host.
    pub(crate) fn room(&self) -> (u32, HashMap<String, u32>) {
        let held = lock(&self.held);
        let hosts = held.hosts.iter().map(|(host, at)| (host.clone(), at.count));
        (self.max.saturating_sub(held.total), hosts.collect())
    }

    /// Waits until the delivery in this place may be sent. Its host's turn comes first, so that deliveries waiting for
    /// a slow host take no turn from others.
    pub(crate) async fn turn<'a>(&'a self, permit: &'a Permit) -> Turn<'a> {
        Turn {
            _at_host: permit.turns.acquire().await.expect(OPEN),
            _at_all: self.turns.acquire().await.expect(OPEN),
        }
    }

    fn place(&self, held: &mut Held, host: String) -> Permit {
        held.total += 1;
        let turns = (self.per_host / HELD_PER_TURN) as usize;
        let at_host = held.hosts.entry(host.clone()).or_insert_with(|| AtHost {
            count: 0,
            turns: Arc::new(Semaphore::new(turns)),
        });
        at_host.count += 1;
        Permit {
            held: Arc::clone(&self.held),
            host,
            turns: Arc::clone(&at_host.turns),
            hints: None,
        }
    }
}

impl Permit {
    /// Gives a hint when this place is free again and another delivery had found none.
    pub(crate) fn hint(&mut self, system: System) {
        self.hints = Some(system);
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut held = lock(&self.held);
        held.total -= 1;
        if let Some(at_host) = held.hosts.get_mut(&self.host) {
            at_host.count -= 1;
            if at_host.count == 0 {
                held.hosts.remove(&self.host);
            }
        }
        if std::mem::take(&mut held.waiting)
            && let Some(system) = &self.hints
        {
            system.hint_delivery();
        }
    }
}

/// The counts are valid after a panic at any point.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    fn of(host: &str, count: u32, places: &Places) -> Vec<Permit> {
        (0..count)
            .map(|_| places.reserve(host.to_owned()).unwrap())
            .collect()
    }

    #[test]
    fn a_full_host_takes_no_more_and_leaves_the_others_their_places() {
        let places = Places::new(4, 2);
        let mut at_a = of("a", 2 * HELD_PER_TURN, &places);
        assert!(places.reserve("a".to_owned()).is_none());
        let at_b = of("b", 2 * HELD_PER_TURN, &places);
        assert!(places.reserve("c".to_owned()).is_none(), "all are taken");
        assert_eq!(
            places.room(),
            (0, HashMap::from([("a".to_owned(), 8), ("b".to_owned(), 8)]))
        );
        at_a.pop();
        drop(at_b);
        assert_eq!(places.room(), (9, HashMap::from([("a".to_owned(), 7)])));
    }

    #[test]
    fn a_leased_delivery_finds_a_place_at_a_full_host() {
        let places = Places::new(1, 1);
        let _full = of("a", HELD_PER_TURN, &places);
        let claimed = places.reserve_claimed("a".to_owned());
        assert_eq!(places.room(), (0, HashMap::from([("a".to_owned(), 5)])));
        drop(claimed);
        assert_eq!(places.room(), (0, HashMap::from([("a".to_owned(), 4)])));
    }

    #[test]
    fn a_host_is_sent_as_many_deliveries_as_it_has_turns_and_others_keep_theirs() {
        let places = Places::new(3, 2);
        let at_a = of("a", 3, &places);
        let at_b = of("b", 2, &places);
        let turn = |permit| places.turn(permit).now_or_never();
        let first = turn(&at_a[0]).unwrap();
        let _second = turn(&at_a[1]).unwrap();
        assert!(turn(&at_a[2]).is_none(), "the host has no more turns");
        let _other = turn(&at_b[0]).unwrap();
        assert!(turn(&at_b[1]).is_none(), "nobody has more turns");
        drop(first);
        assert!(turn(&at_b[1]).is_some());
    }
}
