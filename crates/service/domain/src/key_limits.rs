//! The limits on an API key: scopes, models, credits, requests, networks, and expiry.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// A group of requests that a key can be limited to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Read jobs, the balance, the log of requests and deliveries.
    Read,
    /// Create and cancel jobs, and read a job by its id.
    Generate,
    /// Upload files.
    Upload,
    /// Send webhooks again, and test them.
    Webhooks,
}

impl Scope {
    /// All scopes, in the order in which people see them.
    pub const ALL: [Self; 4] = [Self::Read, Self::Generate, Self::Upload, Self::Webhooks];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Generate => "generate",
            Self::Upload => "upload",
            Self::Webhooks => "webhooks",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Scope {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|scope| scope.as_str() == text)
            .ok_or_else(|| {
                format!("unknown scope `{text}`; the scopes are read, generate, upload and webhooks")
            })
    }
}

/// The limits of one key. An empty list and `None` mean that nothing is limited.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeyLimits {
    /// The permissions of the key.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Scope>,
    /// The models that it may use, by slug; `*` stands for any text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    /// The most credits on one day in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credits_per_day: Option<i64>,
    /// The most credits in one month in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credits_per_month: Option<i64>,
    /// The most requests of any kind in one minute, on each node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u32>,
    /// The networks that it may be used from, in CIDR notation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<String>,
    /// When it stops working.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

impl KeyLimits {
    /// Whether nothing is limited.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the key may do what the scope names.
    pub fn allows(&self, scope: Scope) -> bool {
        self.scopes.is_empty() || self.scopes.contains(&scope)
    }

    /// Whether the credits of its jobs are counted.
    pub const fn counts_credits(&self) -> bool {
        self.credits_per_day.is_some() || self.credits_per_month.is_some()
    }
}

/// The changes to a key; `None` leaves a value as it is, and an empty list or `Some(None)` removes a limit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyChange {
    pub name: Option<String>,
    pub scopes: Option<Vec<Scope>>,
    pub models: Option<Vec<String>>,
    pub credits_per_day: Option<Option<i64>>,
    pub credits_per_month: Option<Option<i64>>,
    pub requests_per_minute: Option<Option<u32>>,
    pub networks: Option<Vec<String>>,
    pub expires_at: Option<Option<Timestamp>>,
}

impl KeyChange {
    /// A change of all limits.
    pub fn to(limits: KeyLimits) -> Self {
        Self {
            name: None,
            scopes: Some(limits.scopes),
            models: Some(limits.models),
            credits_per_day: Some(limits.credits_per_day),
            credits_per_month: Some(limits.credits_per_month),
            requests_per_minute: Some(limits.requests_per_minute),
            networks: Some(limits.networks),
            expires_at: Some(limits.expires_at),
        }
    }

    /// The limits after the change.
    #[must_use]
    pub fn apply(&self, limits: KeyLimits) -> KeyLimits {
        KeyLimits {
            scopes: self.scopes.clone().unwrap_or(limits.scopes),
            models: self.models.clone().unwrap_or(limits.models),
            credits_per_day: self.credits_per_day.unwrap_or(limits.credits_per_day),
            credits_per_month: self.credits_per_month.unwrap_or(limits.credits_per_month),
            requests_per_minute: self.requests_per_minute.unwrap_or(limits.requests_per_minute),
            networks: self.networks.clone().unwrap_or(limits.networks),
            expires_at: self.expires_at.unwrap_or(limits.expires_at),
        }
    }
}

/// A limit on credits that a job would exceed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreditLimit {
    /// Of a key, on one day.
    KeyDay,
    /// Of a key, in one month.
    KeyMonth,
    /// Of an account, in one month.
    AccountMonth,
}

impl CreditLimit {
    /// The name of the limit, as settings and requests have it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::KeyDay => "credits_per_day",
            Self::KeyMonth => "credits_per_month",
            Self::AccountMonth => "monthly_budget",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_limits_allow_every_scope_and_are_stored_as_nothing() {
        let none = KeyLimits::default();
        assert!(none.is_none() && Scope::ALL.iter().all(|scope| none.allows(*scope)));
        assert_eq!(serde_json::to_string(&none).unwrap(), "{}");
    }

    #[test]
    fn named_scopes_exclude_all_others() {
        let limits: KeyLimits = serde_json::from_str(r#"{"scopes": ["read", "upload"]}"#).unwrap();
        let allowed: Vec<_> = Scope::ALL
            .into_iter()
            .filter(|scope| limits.allows(*scope))
            .collect();
        assert_eq!(allowed, [Scope::Read, Scope::Upload]);
        assert_eq!(
            "write".parse::<Scope>().unwrap_err(),
            "unknown scope `write`; the scopes are read, generate, upload and webhooks"
        );
    }
}
