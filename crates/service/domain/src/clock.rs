//! Time and randomness, passed in wherever they are needed so that tests can control them.

use std::{
    fmt,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A moment: microseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    pub const fn micros(self) -> i64 {
        self.0
    }

    pub const fn millis(self) -> i64 {
        self.0.div_euclid(1_000)
    }

    pub fn plus(self, duration: Duration) -> Self {
        Self(
            self.0
                .saturating_add(i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)),
        )
    }

    pub fn minus(self, duration: Duration) -> Self {
        Self(
            self.0
                .saturating_sub(i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)),
        )
    }

    /// The time since `earlier`; zero if `earlier` is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// The day in UTC, counted from 1970-01-01.
    pub const fn day(self) -> i64 {
        self.0.div_euclid(86_400_000_000)
    }

    /// The first day of the month in UTC, counted like [`Self::day`].
    pub fn first_day_of_month(self) -> i64 {
        let (_, _, of_month) = civil_from_days(self.day());
        self.day() - (of_month - 1)
    }

    /// The first moment of a date in UTC such as `2026-12-31`; `None` if it is not a date.
    pub fn of_date(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let mut number = |digits: usize| -> Option<i64> {
            let part = parts.next().filter(|part| part.len() == digits)?;
            part.bytes()
                .all(|byte| byte.is_ascii_digit())
                .then(|| part.parse().ok())?
        };
        let date = (number(4)?, number(2)?, number(2)?);
        let (year, month, of_month) = date;
        // Within a day of the right one: a year has 365.2425 days, a month 30.44.
        let near = (year - 1970) * 146_097 / 400 + (month - 1) * 3_044 / 100 + of_month - 1;
        let day = (near - 4..=near + 4).find(|day| civil_from_days(*day) == date)?;
        parts.next().is_none().then_some(Self::of_day(day))
    }

    /// From a time in UTC, such as `2026-11-23T14:00Z` or `2026-11-23T14:00:05.250Z`, or from a date.
    pub fn of_text(text: &str) -> Option<Self> {
        let Some((date, time)) = text.split_once(['T', 't']) else {
            return Self::of_date(text);
        };
        let time = time.strip_suffix(['Z', 'z'])?;
        let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(fraction) || fraction.is_empty() || fraction.len() > 9 {
            return None;
        }
        let mut parts = time.split(':');
        let mut number = |below: i64| -> Option<i64> {
            let part = parts.next().filter(|part| part.len() == 2 && digits(part))?;
            part.parse().ok().filter(|number| *number < below)
        };
        let (hour, minute) = (number(24)?, number(60)?);
        let second = if time.len() > 5 { number(60)? } else { 0 };
        let micros = format!("{fraction:0<6}").get(..6)?.parse::<i64>().ok()?;
        let of_day = ((hour * 60 + minute) * 60 + second) * 1_000_000 + micros;
        let day = Self::of_date(date)?;
        parts.next().is_none().then_some(Self(day.0 + of_day))
    }

    /// The first moment of a day that is counted like [`Self::day`].
    pub const fn of_day(day: i64) -> Self {
        Self(day.saturating_mul(86_400_000_000))
    }

    /// RFC 3339, UTC, milliseconds, `Z`: `2026-11-21T09:30:00.000Z`.
    pub fn rfc3339(self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.millis();
        let (days, of_day) = (millis.div_euclid(86_400_000), millis.rem_euclid(86_400_000));
        let (year, month, day) = civil_from_days(days);
        let (seconds, fraction) = (of_day / 1_000, of_day % 1_000);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{fraction:03}Z",
            seconds / 3_600,
            seconds / 60 % 60,
            seconds % 60
        )
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Days since 1970-01-01 to year, month, day in the proleptic Gregorian calendar.
/// Howard Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// The source of time.
pub trait Clock: Send + Sync + fmt::Debug {
    fn now(&self) -> Timestamp;
}

/// The system clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the only place that reads the system clock"
    )]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }
}

/// The source of ids and secrets.
pub trait Entropy: Send + Sync + fmt::Debug {
    /// Fills the buffer with bytes that nobody can guess.
    fn fill(&self, bytes: &mut [u8]);

    /// A UUID of version 7 for this moment.
    fn uuid(&self, now: Timestamp) -> Uuid {
        let mut random = [0; 10];
        self.fill(&mut random);
        uuid::Builder::from_unix_timestamp_millis(u64::try_from(now.millis()).unwrap_or(0), &random)
            .into_uuid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_rfc3339_in_utc_with_milliseconds() {
        assert_eq!(Timestamp(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(
            Timestamp(951_782_400_000_000).to_string(),
            "2000-02-29T00:00:00.000Z"
        );
        assert_eq!(
            Timestamp(1_795_253_747_123_999).to_string(),
            "2026-11-21T09:35:47.123Z"
        );
        assert_eq!(Timestamp(-1).to_string(), "1969-12-31T23:59:59.999Z");
    }

    #[test]
    fn every_date_is_read_as_its_first_moment() {
        for day in (-200_000..2_000_000).step_by(17) {
            let at = Timestamp::of_day(day);
            let shown = at.to_string();
            let date = shown.split('T').next().unwrap();
            if date.len() == 10 {
                assert_eq!(Timestamp::of_date(date), Some(at), "{date}");
            }
        }
        for wrong in [
            "2026-02-29",
            "2026-13-01",
            "2026-1-1",
            "2026-01-01-01",
            "+026-01-01",
            "soon",
            "",
        ] {
            assert_eq!(Timestamp::of_date(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_month_begins_on_its_first_day() {
        let leap_day = Timestamp(951_782_400_000_001);
        let first = Timestamp::of_day(leap_day.first_day_of_month());
        assert_eq!(first.to_string(), "2000-02-01T00:00:00.000Z");
        assert_eq!(Timestamp::of_day(first.day()), first);
        assert_eq!(first.first_day_of_month(), first.day());
    }

    #[test]
    fn a_later_moment_is_never_negative_time_away() {
        assert_eq!(Timestamp(5).since(Timestamp(9)), Duration::ZERO);
        assert_eq!(Timestamp(9).since(Timestamp(5)), Duration::from_micros(4));
    }
}
