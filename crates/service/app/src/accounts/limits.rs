//! The limits of keys: which are valid, and how a refusal names them.

use std::{fmt, net::IpAddr};

use atelier_catalog::Problem;
use atelier_domain::{KeyLimits, Scope, Timestamp};
pub(crate) use atelier_engines::routes::matches;
use ipnet::IpNet;

use crate::{Error, Result};

/// The most entries of one list of limits.
const MAX_ENTRIES: usize = 100;
/// The most characters of one pattern of models.
const MAX_PATTERN: usize = 100;

/// A limit of a key that does not allow a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyLimit {
    /// The request needs one of these scopes.
    Scope {
        needed: Vec<Scope>,
        allowed: Vec<Scope>,
    },
    Model {
        model: String,
        allowed: Vec<String>,
    },
    /// The address of the client, if it is known.
    Network {
        address: Option<IpAddr>,
        allowed: Vec<String>,
    },
}

impl KeyLimit {
    /// The name of the limit.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Scope { .. } => "scopes",
            Self::Model { .. } => "models",
            Self::Network { .. } => "networks",
        }
    }
}

impl fmt::Display for KeyLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |names: &[String]| names.join("`, `");
        let scopes = |scopes: &[Scope]| scopes.iter().map(ToString::to_string).collect::<Vec<_>>();
        match self {
            Self::Scope { needed, allowed } => write!(
                f,
                "this key does not have the scope `{}`; its scopes are `{}`",
                scopes(needed).join("` or `"),
                quoted(&scopes(allowed))
            ),
            Self::Model { model, allowed } => write!(
                f,
                "this key may not use the model `{model}`; its limit `models` allows `{}`",
                quoted(allowed)
            ),
            Self::Network { address, allowed } => {
                let address = address.map_or_else(|| "an unknown address".to_owned(), |at| format!("`{at}`"));
                write!(
                    f,
                    "this key may not be used from {address}; its limit `networks` allows `{}`",
                    quoted(allowed)
                )
            }
        }
    }
}

/// Whether one of the networks has this address.
pub(crate) fn contains(networks: &[String], address: IpAddr) -> bool {
    let address = address.to_canonical();
    networks
        .iter()
        .filter_map(|network| network.parse::<IpNet>().ok())
        .any(|network| network.contains(&address))
}

/// These limits as they are stored, or everything that is wrong with them.
pub(super) fn checked(limits: KeyLimits, now: Timestamp) -> Result<KeyLimits> {
    let mut problems = Vec::new();
    let mut wrong = |parameter: &str, message: String| {
        problems.push(Problem {
            parameter: parameter.to_owned(),
            message: format!("`{parameter}` {message}"),
        });
    };
    let mut limits = limits;
    limits.scopes.sort_unstable();
    limits.scopes.dedup();
    // All of them limit nothing, also when there are more.
    if limits.scopes.len() == Scope::ALL.len() {
        limits.scopes.clear();
    }
    for (name, list) in [("models", &limits.models), ("networks", &limits.networks)] {
        if list.len() > MAX_ENTRIES {
            wrong(
                name,
                format!("must have at most {MAX_ENTRIES} entries (got {})", list.len()),
            );
        }
    }
    for pattern in &limits.models {
        let valid = |c: char| c.is_ascii_alphanumeric() || "-_.*".contains(c);
        if pattern.is_empty() || pattern.len() > MAX_PATTERN || !pattern.chars().all(valid) {
            let shown: String = pattern.chars().take(MAX_PATTERN).collect();
            wrong(
                "models",
                format!("must be slugs or patterns such as `flux-*` (got `{shown}`)"),
            );
        }
    }
    let mut networks = Vec::new();
    for network in &limits.networks {
        if let Some(network) = parsed(network) {
            networks.push(network.to_string());
        } else {
            let shown: String = network.chars().take(60).collect();
            wrong(
                "networks",
                format!("must be addresses or networks such as `192.0.2.0/24` (got `{shown}`)"),
            );
        }
    }
    limits.networks = networks;
    for (name, credits) in [
        ("credits_per_day", limits.credits_per_day),
        ("credits_per_month", limits.credits_per_month),
    ] {
        if let Some(credits) = credits.filter(|credits| *credits < 0) {
            wrong(name, format!("must be at least 0 (got {credits})"));
        }
    }
    if limits.requests_per_minute == Some(0) {
        wrong("requests_per_minute", "must be at least 1 (got 0)".to_owned());
    }
    if let Some(at) = limits.expires_at.filter(|at| *at <= now) {
        wrong("expires_at", format!("must be in the future (got {at})"));
    }
    if problems.is_empty() {
        Ok(limits)
    } else {
        Err(Error::problems(problems))
    }
}

/// A network, or an address as the network of itself alone.
fn parsed(text: &str) -> Option<IpNet> {
    let text = text.trim();
    let network = text.parse::<IpNet>().ok();
    let network = network.or_else(|| Some(IpNet::from(text.parse::<IpAddr>().ok()?)))?;
    Some(network.trunc())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_800_000_000_000_000);

    #[test]
    fn valid_limits_are_stored_in_one_form() {
        let limits = KeyLimits {
            scopes: vec![Scope::Upload, Scope::Read, Scope::Read],
            networks: vec!["192.0.2.77/24".to_owned(), "2001:db8::1".to_owned()],
            ..KeyLimits::default()
        };
        let stored = checked(limits, NOW).unwrap();
        assert_eq!(stored.scopes, [Scope::Read, Scope::Upload]);
        assert_eq!(stored.networks, ["192.0.2.0/24", "2001:db8::1/128"]);
        let all = KeyLimits {
            scopes: Scope::ALL.to_vec(),
            ..KeyLimits::default()
        };
        assert!(checked(all, NOW).unwrap().is_none(), "all scopes limit nothing");
    }

    #[test]
    fn everything_wrong_is_named_at_once() {
        let limits = KeyLimits {
            models: vec!["flux 1".to_owned()],
            credits_per_day: Some(-1),
            requests_per_minute: Some(0),
            networks: vec!["home".to_owned()],
            expires_at: Some(NOW),
            ..KeyLimits::default()
        };
        let Err(Error::InvalidRequest { details, .. }) = checked(limits, NOW) else {
            panic!("these limits are wrong");
        };
        let names: Vec<_> = details.iter().map(|problem| problem.parameter.as_str()).collect();
        assert_eq!(
            names,
            [
                "models",
                "networks",
                "credits_per_day",
                "requests_per_minute",
                "expires_at"
            ]
        );
        assert_eq!(
            details[2].message,
            "`credits_per_day` must be at least 0 (got -1)"
        );
    }

    #[test]
    fn a_network_contains_its_addresses_also_where_they_are_mapped() {
        let networks = ["192.0.2.0/24".to_owned()];
        assert!(contains(&networks, "192.0.2.9".parse().unwrap()));
        assert!(contains(&networks, "::ffff:192.0.2.9".parse().unwrap()));
        assert!(!contains(&networks, "192.0.3.9".parse().unwrap()));
    }

    #[test]
    fn a_refusal_names_the_limit_what_was_asked_and_what_is_allowed() {
        let scope = KeyLimit::Scope {
            needed: vec![Scope::Generate],
            allowed: vec![Scope::Read, Scope::Upload],
        };
        assert_eq!(
            scope.to_string(),
            "this key does not have the scope `generate`; its scopes are `read`, `upload`"
        );
        let model = KeyLimit::Model {
            model: "music-gen".to_owned(),
            allowed: vec!["image-*".to_owned()],
        };
        assert_eq!(
            model.to_string(),
            "this key may not use the model `music-gen`; its limit `models` allows `image-*`"
        );
    }
}
