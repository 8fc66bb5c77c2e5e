//! The content policy: words that no prompt may contain. Operators can set their own list.

use atelier_domain::{Failure, FailureCode};
use serde_json::{Map, Value};

/// The default list: what is unlawful nearly everywhere.
pub const DEFAULT_BLOCKED: &[&str] = &[
    "child pornography",
    "child porn",
    "csam",
    "child sexual abuse",
    "sexualized child",
    "sexualised child",
];

#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// Lower-case words, single spaces between them.
    blocked: Vec<String>,
}

impl Policy {
    pub fn new<I: AsRef<str>>(blocked: impl IntoIterator<Item = I>) -> Self {
        let blocked = blocked
            .into_iter()
            .map(|term| words(term.as_ref()))
            .filter(|term| !term.is_empty());
        Self {
            blocked: blocked.collect(),
        }
    }

    /// Checks every text among the parameters.
    pub fn check(&self, params: &Map<String, Value>) -> Result<(), Failure> {
        if self.blocked.is_empty() {
            return Ok(());
        }
        for (name, value) in params {
            let Value::String(text) = value else { continue };
            let text = format!(" {} ", words(text));
            if self
                .blocked
                .iter()
                .any(|term| text.contains(&format!(" {term} ")))
            {
                return Err(Failure::fail(
                    FailureCode::ContentPolicyViolation,
                    format!("`{name}` asks for something that this service's content policy does not allow"),
                ));
            }
        }
        Ok(())
    }
}

/// The text in lower case, with single spaces for everything but letters and digits.
fn words(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for part in text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty())
    {
        if !words.is_empty() {
            words.push(' ');
        }
        words.extend(part.chars().flat_map(char::to_lowercase));
    }
    words
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(prompt: &str) -> Result<(), Failure> {
        let params = json!({ "prompt": prompt, "n": 1 });
        Policy::new(["forbidden thing"]).check(params.as_object().unwrap())
    }

    #[test]
    fn a_blocked_term_is_refused_however_it_is_written() {
        for prompt in ["a forbidden thing", "FORBIDDEN, thing!", "x\nforbidden\tthing"] {
            assert_eq!(
                check(prompt).unwrap_err().code,
                FailureCode::ContentPolicyViolation,
                "{prompt}"
            );
        }
    }

    #[test]
    fn words_that_only_contain_a_term_pass() {
        assert!(check("an unforbidden thing").is_ok());
        assert!(check("forbidden things").is_ok());
    }
}
