//! The commands on API keys.

use std::time::Duration;

use atelier_domain::{Scope, Timestamp};
use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub enum Key {
    /// Create a key, which is shown only once
    Create {
        /// The account's name
        account: String,
        /// A name by which to recognize the key
        #[arg(long, value_name = "NAME", default_value = "key")]
        name: String,
        #[command(flatten)]
        limits: Limits,
    },
    /// List an account's keys, with their limits and what they spent
    List {
        /// The account's name
        account: String,
    },
    /// Change the given limits of a key; `none` removes one
    #[command(arg_required_else_help = true)]
    Update {
        /// The id from `atelier key list`
        id: String,
        /// A new name by which to recognize the key
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        #[command(flatten)]
        limits: Limits,
    },
    /// Give a key a new text, which is shown only once; the current text works for a while
    Rotate {
        /// The id from `atelier key list`
        id: String,
        /// How long the current text still works, such as 30m, 24h or 7d; at most 30d
        #[arg(long, value_name = "TIME", default_value = "24h", value_parser = duration)]
        overlap: Duration,
    },
    /// Revoke a key; it stops working immediately
    Revoke {
        /// The id from `atelier key list`
        id: String,
    },
}

/// The limits of a key. An absent one is not limited, or not changed.
#[derive(Debug, Clone, Default, Args)]
#[group(skip)]
pub struct Limits {
    /// The scopes of the key: read, generate, upload, webhooks
    #[arg(long, value_name = "SCOPE,…|none")]
    pub scopes: Option<List<Scope>>,
    /// The models that it can use, as slugs or patterns such as `flux-*`
    #[arg(long, value_name = "MODEL,…|none")]
    pub models: Option<List<String>>,
    /// The most credits on one day in UTC
    #[arg(long, value_name = "N|none")]
    pub credits_per_day: Option<Most<i64>>,
    /// The most credits in one month in UTC
    #[arg(long, value_name = "N|none")]
    pub credits_per_month: Option<Most<i64>>,
    /// The most requests in one minute, on each node
    #[arg(long, value_name = "N|none")]
    pub requests_per_minute: Option<Most<u32>>,
    /// The networks from which it can be used, such as 192.0.2.0/24
    #[arg(long, value_name = "CIDR,…|none")]
    pub networks: Option<List<String>>,
    /// When it stops working: a time from now such as 30d, or a date in UTC such as 2027-01-31
    #[arg(long, value_name = "TIME|DATE|none")]
    pub expires: Option<Expiry>,
}

/// Entries with commas between them, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List<T>(pub Vec<T>);

impl<T: std::str::FromStr<Err: ToString>> std::str::FromStr for List<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self(Vec::new()));
        }
        let entries = text.split(',').map(|entry| entry.trim().parse());
        let entries: Result<_, T::Err> = entries.collect();
        entries.map(Self).map_err(|error| error.to_string())
    }
}

/// A limit, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Most<T>(pub Option<T>);

impl<T: std::str::FromStr + PartialOrd + Default> std::str::FromStr for Most<T> {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(number) if number >= T::default() => Ok(Self(Some(number))),
            Err(_) if text == "none" => Ok(Self(None)),
            _ => Err("use a number of at least 0, or none"),
        }
    }
}

/// When a key stops working.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expiry {
    Never,
    In(Duration),
    At(Timestamp),
}

impl Expiry {
    pub fn at(self, now: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Never => None,
            Self::In(time) => Some(now.plus(time)),
            Self::At(at) => Some(at),
        }
    }
}

impl std::str::FromStr for Expiry {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "none" {
            return Ok(Self::Never);
        }
        if let Some(at) = Timestamp::of_date(text) {
            return Ok(Self::At(at));
        }
        duration(text)
            .map(Self::In)
            .map_err(|_| "use a time such as 30d, a date such as 2027-01-31, or none")
    }
}

fn duration(text: &str) -> Result<Duration, &'static str> {
    let wrong = "use a number of minutes, hours or days, such as 30m, 24h or 7d";
    let seconds = match text.chars().last() {
        Some('m') => 60,
        Some('h') => 3_600,
        Some('d') => 86_400,
        _ => return Err(wrong),
    };
    let number: u32 = text[..text.len() - 1].parse().map_err(|_| wrong)?;
    Ok(Duration::from_secs(u64::from(number) * seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_numbers_lists_and_times_or_none() {
        assert_eq!(
            " 5".parse::<Most<i64>>(),
            Err("use a number of at least 0, or none")
        );
        assert_eq!("none".parse(), Ok(Most::<i64>(None)));
        assert_eq!("40".parse(), Ok(Most(Some(40_i64))));
        assert_eq!(
            "-1".parse::<Most<i64>>(),
            Err("use a number of at least 0, or none")
        );
        assert_eq!("read, upload".parse(), Ok(List(vec![Scope::Read, Scope::Upload])));
        assert_eq!(
            "write".parse::<List<Scope>>().unwrap_err(),
            "unknown scope `write`; the scopes are read, generate, upload and webhooks"
        );
        let day = Duration::from_hours(24);
        assert_eq!("1d".parse(), Ok(Expiry::In(day)));
        let now = Timestamp::of_day(5);
        assert_eq!(Expiry::In(day).at(now), Some(Timestamp::of_day(6)));
        let date = "1970-01-09".parse::<Expiry>().unwrap();
        assert_eq!(date.at(now), Some(Timestamp::of_day(8)));
        assert!("soon".parse::<Expiry>().is_err() && "é".parse::<Expiry>().is_err());
    }
}
