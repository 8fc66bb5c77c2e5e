//! The due deliveries that a claim takes: the oldest first, no more than a host has room for. The stores do the
//! reading.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use crate::ClaimDeliveries;

/// How many due deliveries are read by age, beyond those asked for, before the hosts are read one by one.
const LOOK_AHEAD: u32 = 128;

/// The deliveries that a claim will take.
pub(crate) struct Picks<'a> {
    claim: &'a ClaimDeliveries,
    by_host: HashMap<String, u32>,
    due: Vec<(i64, Uuid)>,
    seen: HashSet<Uuid>,
}

impl<'a> Picks<'a> {
    pub(crate) fn new(claim: &'a ClaimDeliveries) -> Self {
        Self {
            claim,
            by_host: claim.in_flight.clone(),
            due: Vec::new(),
            seen: HashSet::new(),
        }
    }

    /// How many of the oldest due deliveries to offer. If there are fewer, or the claim is full after them,
    /// nothing else is due that it could take.
    pub(crate) const fn oldest(&self) -> u32 {
        self.claim.max.saturating_add(LOOK_AHEAD)
    }

    pub(crate) const fn is_full(&self) -> bool {
        self.due.len() >= self.claim.max as usize
    }

    pub(crate) fn has_room(&self, host: &str) -> bool {
        self.by_host.get(host).copied().unwrap_or(0) < self.claim.per_host
    }

    /// Takes a delivery if its host has room for it. Offering one twice takes it once.
    pub(crate) fn offer(&mut self, host: &str, due_at: i64, id: Uuid) {
        if self.has_room(host) && self.seen.insert(id) {
            *self.by_host.entry(host.to_owned()).or_default() += 1;
            self.due.push((due_at, id));
        }
    }

    /// How many were taken of each host.
    pub(crate) fn of_hosts(&self) -> (Vec<&str>, Vec<i64>) {
        let taken = self.by_host.iter().map(|(host, count)| {
            let before = self.claim.in_flight.get(host).copied().unwrap_or(0);
            (host.as_str(), i64::from(count - before))
        });
        taken.filter(|(_, taken)| *taken > 0).unzip()
    }

    /// The oldest ones taken, as many as were asked for.
    pub(crate) fn into_ids(mut self) -> Vec<Uuid> {
        self.due.sort_unstable();
        self.due.truncate(self.claim.max as usize);
        self.due.into_iter().map(|(_, id)| id).collect()
    }
}
