//! The requests that a node has answered and not written yet. Equal reads of one key within a minute are one row.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Mutex,
};

use atelier_domain::{AccountId, KeyId, RequestId, Timestamp};
use atelier_store::{LoggedRequest, Place};

use super::{Answered, Asker};

/// The most rows in memory, about 300 bytes each. More are counted as dropped.
const MOST: usize = 10_000;
const MINUTE_MICROS: i64 = 60_000_000;
/// The longest method that is kept, in bytes: clients may send any word.
const LONGEST_METHOD: usize = 16;
/// The longest path that is kept, in bytes.
const LONGEST_PATH: usize = 256;
/// The bits of an id after its time in milliseconds.
const RANDOM_BITS: u32 = 80;

/// The requests that are not written yet.
#[derive(Debug, Default)]
pub(crate) struct RequestLog(pub(super) Mutex<Collected>);

#[derive(Debug, Default)]
pub(super) struct Collected {
    /// Rows to write, each id once.
    due: BTreeMap<RequestId, LoggedRequest>,
    /// Reads that may repeat in this minute; true: counted since the last write.
    open: HashMap<Repeated, (LoggedRequest, bool)>,
    /// Rows that had no room, since the start.
    pub(super) dropped: u64,
    /// The id of the latest new row.
    latest: Option<RequestId>,
}

/// The common parts of equal reads: the account, the key, the status and the path.
type Repeated = (AccountId, Option<KeyId>, u16, String);

impl Collected {
    pub(super) fn is_full(&self) -> bool {
        self.due.len() + self.open.len() >= MOST
    }

    pub(super) fn add(&mut self, asker: Asker, seen: &Answered<'_>, id: impl FnOnce() -> RequestId) {
        let path = &seen.path[..seen.path.floor_char_boundary(LONGEST_PATH)];
        let latency_ms = u32::try_from(seen.latency.as_millis()).unwrap_or(u32::MAX);
        let fold = seen
            .repeats()
            .then(|| (asker.account, asker.key, seen.status, path.to_owned()));
        if let Some((open, changed)) = fold.as_ref().and_then(|fold| self.open.get_mut(fold))
            && minute(open.at) == minute(seen.at)
        {
            open.count = open.count.saturating_add(1);
            open.latency_ms = open.latency_ms.max(latency_ms);
            *changed = true;
            return;
        }
        if self.is_full() {
            self.dropped += 1;
            return;
        }
        let row = LoggedRequest {
            id: self.after_latest(id()),
            account: asker.account,
            key: asker.key,
            at: seen.at,
            method: seen.method[..seen.method.floor_char_boundary(LONGEST_METHOD)].to_owned(),
            path: path.to_owned(),
            status: seen.status,
            code: seen.code.map(str::to_owned),
            latency_ms,
            request_id: seen.request_id.to_owned(),
            generation: seen.generation,
            count: 1,
        };
        match fold {
            None => self.write_later(row),
            Some(fold) => {
                if let Some((ended, true)) = self.open.insert(fold, (row, true)) {
                    self.write_later(ended);
                }
            }
        }
    }

    /// Ids order the log by time, to a millisecond. An id of the latest one's millisecond that is not after it becomes
    /// its successor, so that what came later is later in the log too.
    fn after_latest(&mut self, id: RequestId) -> RequestId {
        let number = id.0.as_u128();
        let successor = self.latest.map(|latest| latest.0.as_u128().saturating_add(1));
        let id = match successor {
            Some(successor) if successor > number && successor >> RANDOM_BITS == number >> RANDOM_BITS => {
                RequestId(Place::from_u128(successor))
            }
            _ => id,
        };
        self.latest = self.latest.max(Some(id));
        id
    }

    pub(super) fn write_later(&mut self, row: LoggedRequest) {
        let known = self.due.get(&row.id).map_or(0, |known| known.count);
        if row.count > known {
            self.due.insert(row.id, row);
        }
    }

    /// Everything to write, in the order of the ids.
    pub(super) fn take(&mut self, now: Timestamp) -> Vec<LoggedRequest> {
        let mut due = std::mem::take(&mut self.due);
        self.open.retain(|_, (row, changed)| {
            if std::mem::take(changed) {
                due.insert(row.id, row.clone());
            }
            minute(row.at) == minute(now)
        });
        due.into_values().collect()
    }
}

const fn minute(at: Timestamp) -> i64 {
    at.0.div_euclid(MINUTE_MICROS)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const ASKER: Asker = Asker {
        account: AccountId(Place::nil()),
        key: Some(KeyId(Place::nil())),
    };

    fn seen(method: &'static str, path: &'static str, status: u16, second: i64) -> Answered<'static> {
        Answered {
            at: Timestamp(second * 1_000_000),
            method,
            path,
            status,
            code: None,
            latency: Duration::from_millis(second.unsigned_abs()),
            request_id: "r",
            generation: None,
        }
    }

    fn add(collected: &mut Collected, seen: &Answered<'_>) {
        let number = collected.due.len() + collected.open.len() + 1;
        let id = RequestId(Place::from_u128(
            u128::from(seen.at.0.unsigned_abs()) << 64 | number as u128,
        ));
        collected.add(ASKER, seen, || id);
    }

    fn counts(rows: &[LoggedRequest]) -> Vec<(&str, u16, u32, u32)> {
        rows.iter()
            .map(|row| (row.path.as_str(), row.status, row.count, row.latency_ms))
            .collect()
    }

    #[test]
    fn equal_polls_of_a_minute_are_one_row_that_counts_them() {
        let mut collected = Collected::default();
        for second in 0..3 {
            add(&mut collected, &seen("GET", "/generations/a", 200, second));
            add(&mut collected, &seen("POST", "/generations", 201, second));
            add(&mut collected, &seen("GET", "/generations/b", 404, second));
        }
        let first = collected.take(Timestamp(3_000_000));
        assert_eq!(counts(&first)[0], ("/generations/a", 200, 3, 2));
        assert_eq!(first.len(), 7, "what changes something or fails is a row each");
        assert_eq!(
            collected.take(Timestamp(3_500_000)),
            [],
            "nothing is written twice"
        );

        add(&mut collected, &seen("GET", "/generations/a", 200, 59));
        let second = collected.take(Timestamp(60_000_000));
        assert_eq!(counts(&second), [("/generations/a", 200, 4, 59)]);
        assert_eq!(second[0].id, first[0].id, "the same row has a higher count");

        add(&mut collected, &seen("GET", "/generations/a", 200, 60));
        let third = collected.take(Timestamp(61_000_000));
        assert_eq!(counts(&third), [("/generations/a", 200, 1, 60)]);
        assert_ne!(third[0].id, first[0].id, "another minute is another row");
    }

    #[test]
    fn requests_of_one_millisecond_keep_their_order() {
        let mut collected = Collected::default();
        let at = |millis: u128, random: u128| RequestId(Place::from_u128(millis << RANDOM_BITS | random));
        let paths = ["/first", "/second", "/third", "/of an earlier time", "/fifth"];
        let ids = [at(7, 9), at(7, 3), at(7, 5), at(6, 1), at(8, 0)];
        for (path, id) in paths.into_iter().zip(ids) {
            collected.add(ASKER, &seen("POST", path, 201, 0), || id);
        }
        let rows = collected.take(Timestamp(0));
        let shown: Vec<_> = rows.iter().map(|row| (row.path.as_str(), row.id)).collect();
        assert_eq!(
            shown,
            [
                ("/of an earlier time", at(6, 1)),
                ("/first", at(7, 9)),
                ("/second", at(7, 10)),
                ("/third", at(7, 11)),
                ("/fifth", at(8, 0)),
            ]
        );
    }

    #[test]
    fn what_has_no_room_is_counted_as_dropped() {
        let mut collected = Collected::default();
        for second in 0..MOST as i64 + 5 {
            add(&mut collected, &seen("POST", "/uploads", 201, second));
        }
        assert_eq!((collected.due.len(), collected.dropped), (MOST, 5));
        assert_eq!(collected.take(Timestamp(0)).len(), MOST);
        add(&mut collected, &seen("POST", "/uploads", 201, 0));
        assert_eq!((collected.due.len(), collected.dropped), (1, 5));
    }
}
