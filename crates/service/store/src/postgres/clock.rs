//! The clock that decides rate limits.

use atelier_domain::Timestamp;

/// The clock that rate limits are counted by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RateClock {
    /// The database's: nodes whose clocks differ count one limit, and none locks the others out.
    #[default]
    Database,
    /// The caller's, for tests that hold the time still.
    Caller,
}

impl RateClock {
    /// The time that counts, of the caller's and the database's.
    pub(super) const fn decide(self, caller: Timestamp, database: Timestamp) -> Timestamp {
        match self {
            Self::Database => database,
            Self::Caller => caller,
        }
    }

    /// The database's time if it counts.
    pub(super) const fn database(self, now: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Database => Some(now),
            Self::Caller => None,
        }
    }
}

/// The database's clock in microseconds, when the row is read.
macro_rules! now {
    () => {
        "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
    };
}

pub(super) use now;
