//! The licence of the original weights, and whether anybody has to be asked before they are used.

use std::fmt;

use serde::{Deserialize, Serialize};
use url::Url;

/// The licence of the weights as their makers published them, whatever a copy of them says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Licence {
    /// An SPDX expression, with `LicenseRef-…` for licences that SPDX does not list.
    pub id: String,
    /// Its name; required for `LicenseRef-…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The page with its text.
    pub page: Url,
    pub commercial: Commercial,
    /// A fact to know before use, as a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The regions where use is allowed or excluded, as a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regions: Option<String>,
}

/// Whether the weights may be used commercially.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Commercial {
    Yes,
    No,
    /// Under conditions that the note names.
    Conditions,
    /// Nobody but the maker can say.
    Ask,
}

impl fmt::Display for Commercial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Conditions => "under conditions",
            Self::Ask => "ask the maker",
        })
    }
}

/// The families of licences that let everybody use the weights for everything.
const PERMISSIVE: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unlicense",
    "Zlib",
];
const PERMISSIVE_FAMILIES: &[&str] = &["BSD-", "CC-BY-1", "CC-BY-2", "CC-BY-3", "CC-BY-4"];

impl Licence {
    /// Whether nobody has to be asked: a permissive licence, commercial use allowed, no excluded regions.
    pub fn is_permissive(&self) -> bool {
        let permissive = |id: &str| {
            PERMISSIVE.contains(&id) || PERMISSIVE_FAMILIES.iter().any(|family| id.starts_with(family))
        };
        self.commercial == Commercial::Yes
            && self.regions.is_none()
            && spdx::Expression::parse(&self.id).is_ok_and(|expression| {
                expression.evaluate(|term| term.license.id().is_some_and(|id| permissive(id.name)))
            })
    }

    /// Its name, or its SPDX id where that is its name.
    pub fn short(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.id)
    }

    /// In one line, for people.
    pub fn line(&self) -> String {
        let name = self.short();
        let mut line = format!("{name}; commercial use: {}; {}", self.commercial, self.page);
        for more in [&self.note, &self.regions].into_iter().flatten() {
            line.push_str(". ");
            line.push_str(more.trim_end_matches('.'));
        }
        line
    }

    /// The first fault, in words.
    pub(crate) fn fault(&self) -> Option<String> {
        if let Err(error) = spdx::Expression::parse(&self.id) {
            return Some(format!(
                "`licence.id` must be an SPDX expression such as Apache-2.0 or LicenseRef-Name (got `{}`): {}",
                self.id, error.reason
            ));
        }
        if self.id.contains("LicenseRef-") && self.name.is_none() {
            return Some("`licence.name` is missing: an id of LicenseRef-… requires it".to_owned());
        }
        if self.page.scheme() != "https" {
            return Some(format!(
                "`licence.page` must be an https URL (got `{}`)",
                self.page
            ));
        }
        let explained = self.note.as_ref().is_some_and(|note| !note.trim().is_empty());
        if matches!(self.commercial, Commercial::Conditions | Commercial::Ask) && !explained {
            return Some(
                "`licence.note` is missing: it must name the conditions or what is not clear".to_owned(),
            );
        }
        None
    }
}

/// The licences that an operator allows: the setting `models.licences`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Policy {
    /// `permissive`, or SPDX ids. Empty allows all that are accepted.
    pub allowed: Vec<String>,
}

impl Policy {
    /// Whether weights under this licence may be here at all.
    pub fn allows(&self, licence: &Licence) -> bool {
        self.allowed.is_empty()
            || self
                .allowed
                .iter()
                .any(|word| (word == "permissive" && licence.is_permissive()) || *word == licence.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn licence(id: &str, commercial: Commercial) -> Licence {
        Licence {
            id: id.to_owned(),
            name: id.starts_with("LicenseRef-").then(|| "Own terms".to_owned()),
            page: "https://example.com/licence".parse().unwrap(),
            commercial,
            note: Some("A condition.".to_owned()),
            regions: None,
        }
    }

    #[test]
    fn permissive_licences_need_no_acceptance_and_others_do() {
        for id in [
            "MIT",
            "Apache-2.0",
            "BSD-3-Clause",
            "CC-BY-4.0",
            "CC0-1.0",
            "GPL-3.0-only OR MIT",
        ] {
            assert!(licence(id, Commercial::Yes).is_permissive(), "{id}");
        }
        for id in [
            "CC-BY-NC-4.0",
            "CC-BY-SA-4.0",
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "LicenseRef-Own",
        ] {
            assert!(!licence(id, Commercial::Yes).is_permissive(), "{id}");
        }
        assert!(!licence("MIT", Commercial::Ask).is_permissive());
        let excluded = Licence {
            regions: Some("Not in the EU.".to_owned()),
            ..licence("MIT", Commercial::Yes)
        };
        assert!(!excluded.is_permissive());
    }

    #[test]
    fn the_policy_allows_a_family_or_single_licences() {
        let own = licence("LicenseRef-Own", Commercial::Conditions);
        let mit = licence("MIT", Commercial::Yes);
        let policy = |words: &[&str]| Policy {
            allowed: words.iter().map(|&word| word.to_owned()).collect(),
        };
        for (words, of_own, of_mit) in [
            (&[] as &[&str], true, true),
            (&["permissive"], false, true),
            (&["permissive", "LicenseRef-Own"], true, true),
            (&["Zlib"], false, false),
        ] {
            assert_eq!(policy(words).allows(&own), of_own, "{words:?}");
            assert_eq!(policy(words).allows(&mit), of_mit, "{words:?}");
        }
    }
}
