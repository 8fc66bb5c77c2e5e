//! The due deliveries that a claim takes: the oldest first, no more than a host has room for. The stores do the
//! reading.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use crate::ClaimDeliveries;

/// How many due deliveries are read by age first; if that goes on, how many beyond those asked for.
const LOOK_AHEAD: u32 = 128;

/// The deliveries that a claim will take.
pub(crate) struct Picks<'a> {
    claim: &'a ClaimDeliveries,
    by_host: HashMap<String, u32>,
    due: Vec<(i64, Uuid, String)>,
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

    /// How many of the oldest due deliveries to offer: first some, then, if [`Self::took_most`] of them, more. If there
    /// are fewer, or the claim is full after them, nothing else is due that it could take.
    pub(crate) const fn oldest(&self) -> [u32; 2] {
        [LOOK_AHEAD, self.claim.max.saturating_add(LOOK_AHEAD)]
    }

    /// Whether most of so many were taken. If not, hosts without room have a backlog, and it is better to read the
    /// hosts one by one than to read through it.
    pub(crate) const fn took_most(&self, offered: u32) -> bool {
        self.due.len() > offered as usize / 2
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
            self.due.push((due_at, id, host.to_owned()));
        }
    }

    /// The hosts of those taken, and how many are of each.
    pub(crate) fn into_hosts(self) -> (Vec<String>, Vec<i64>) {
        let mut hosts: HashMap<String, i64> = HashMap::new();
        for (_, _, host) in self.into_oldest() {
            *hosts.entry(host).or_default() += 1;
        }
        hosts.into_iter().unzip()
    }

    /// The ids of those taken, the oldest first.
    pub(crate) fn into_ids(self) -> Vec<Uuid> {
        self.into_oldest().into_iter().map(|(_, id, _)| id).collect()
    }

    /// The oldest ones taken, as many as were asked for.
    fn into_oldest(mut self) -> Vec<(i64, Uuid, String)> {
        self.due.sort_unstable();
        self.due.truncate(self.claim.max as usize);
        self.due
    }
}
