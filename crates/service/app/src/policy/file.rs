//! Reads a `policy.toml`. Reports every mistake with its line and its key.

use std::{
    collections::{BTreeMap, HashSet},
    time::Duration,
};

use atelier_catalog::Task;
use serde::Deserialize;
use toml::Spanned;
use url::Url;

use super::{Access, Action, Reviewing, Rule, Who, check::Check, term::Term};

/// The most characters of a term.
const MAX_TERM: usize = 200;
/// The most terms of a file: every prompt is compared with all of them.
const MAX_TERMS: usize = 20_000;
/// The deadline of the operator's own check, in seconds: the default, and the longest. While a job waits for the answer
/// it occupies a slot of its engine, and a remote worker waits for its jobs.
const DEADLINE: f64 = 3.0;
const MAX_DEADLINE: f64 = 8.0;
/// The longest and the shortest time that a job waits for a review, in hours.
const MAX_REVIEW: f64 = 720.0;
const MIN_REVIEW: f64 = 0.001;

/// The mistakes of a file: one sentence for each, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct PolicyFileError(pub Vec<String>);

/// The rules of a file.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) rules: Vec<Rule>,
    pub(super) access: Vec<Access>,
    pub(super) check: Option<Check>,
    pub(super) review: Reviewing,
    pub(super) lists: Vec<(String, Action)>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    rules: Vec<FileRule>,
    #[serde(default)]
    access: Vec<FileAccess>,
    check: Option<FileCheck>,
    review: Option<FileReview>,
    #[serde(default)]
    hashes: Vec<FileHashes>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileHashes {
    list: String,
    #[serde(default = "refuse")]
    action: Spanned<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileReview {
    hours: Option<Spanned<f64>>,
    after: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRule {
    name: Spanned<String>,
    #[serde(default = "refuse")]
    action: Spanned<String>,
    #[serde(default)]
    accounts: Vec<String>,
    #[serde(default)]
    plans: Vec<String>,
    #[serde(default)]
    except_accounts: Vec<String>,
    #[serde(default)]
    except_plans: Vec<String>,
    terms: BTreeMap<Spanned<String>, Vec<Spanned<String>>>,
    #[serde(default)]
    except: BTreeMap<Spanned<String>, Vec<Spanned<String>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileAccess {
    name: Spanned<String>,
    #[serde(default)]
    accounts: Vec<String>,
    #[serde(default)]
    plans: Vec<String>,
    #[serde(default)]
    except_accounts: Vec<String>,
    #[serde(default)]
    except_plans: Vec<String>,
    #[serde(default)]
    allow_models: Vec<String>,
    #[serde(default)]
    refuse_models: Vec<String>,
    #[serde(default)]
    allow_tasks: Vec<Spanned<String>>,
    #[serde(default)]
    refuse_tasks: Vec<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileCheck {
    name: Spanned<String>,
    url: Spanned<String>,
    deadline_seconds: Option<Spanned<f64>>,
    away: Spanned<String>,
    #[serde(default)]
    after: bool,
    #[serde(default)]
    accounts: Vec<String>,
    #[serde(default)]
    plans: Vec<String>,
    #[serde(default)]
    except_accounts: Vec<String>,
    #[serde(default)]
    except_plans: Vec<String>,
}

fn refuse() -> Spanned<String> {
    Spanned::new(0..0, "refuse".to_owned())
}

/// Reads the text of a file that `name` names in errors.
pub(super) fn read(name: &str, text: &str) -> Result<Read, PolicyFileError> {
    let mut reading = Reading {
        name,
        text,
        names: HashSet::new(),
        terms: 0,
        problems: Vec::new(),
    };
    let file: File = match toml::from_str(text) {
        Ok(file) => file,
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            let message = error.message().lines().collect::<Vec<_>>().join(", ");
            reading.problem(at, &message);
            return Err(PolicyFileError(reading.problems));
        }
    };
    let rules = file.rules.into_iter().map(|rule| reading.rule(rule)).collect();
    let access = file.access.into_iter().map(|rule| reading.access(rule)).collect();
    let check = file.check.and_then(|check| reading.check(check));
    let lists = file.hashes.into_iter();
    let lists = lists.map(|one| (one.list, reading.action(&one.action))).collect();
    let review = file
        .review
        .map_or_else(Reviewing::default, |review| reading.review(&review));
    if reading.terms > MAX_TERMS {
        let found = reading.terms;
        reading.problem(
            0,
            &format!("a file can have at most {MAX_TERMS} terms (got {found})"),
        );
    }
    if reading.problems.is_empty() {
        Ok(Read {
            rules,
            access,
            check,
            review,
            lists,
        })
    } else {
        Err(PolicyFileError(reading.problems))
    }
}

struct Reading<'a> {
    name: &'a str,
    text: &'a str,
    names: HashSet<String>,
    terms: usize,
    problems: Vec<String>,
}

impl Reading<'_> {
    /// Notes a mistake at a byte of the file, with the line and the key there.
    fn problem(&mut self, at: usize, message: &str) {
        let before = self.text.get(..at).unwrap_or_default();
        let line = 1 + before.bytes().filter(|&byte| byte == b'\n').count();
        // The key of a long list is on an earlier line.
        let lines: Vec<_> = self.text.lines().take(line).collect();
        let key = lines.iter().rev().find_map(|line| key_of(line));
        let key = key.map(|key| format!("`{key}`: ")).unwrap_or_default();
        self.problems
            .push(format!("{}:{line}: {key}{message}", self.name));
    }

    /// The name of a rule, which messages and records show.
    fn rule_name(&mut self, name: &Spanned<String>) -> String {
        let at = name.span().start;
        let name = name.get_ref();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.len() > 60 || !name.chars().all(is_plain) {
            let message = format!("a name must have 1 to 60 letters, digits, `-`, `_` or `.` (got {name:?})");
            self.problem(at, &message);
        }
        if !self.names.insert(name.clone()) || name == super::BLOCKED_TERMS {
            self.problem(at, &format!("the name `{name}` is already used by another rule"));
        }
        name.clone()
    }

    fn rule(&mut self, rule: FileRule) -> Rule {
        let name = self.rule_name(&rule.name);
        let action = self.action(&rule.action);
        let terms = self.terms(&rule.terms);
        if terms.is_empty() {
            self.problem(rule.name.span().start, &format!("the rule `{name}` has no terms"));
        }
        Rule {
            name,
            action,
            who: Who {
                accounts: rule.accounts,
                plans: rule.plans,
                except_accounts: rule.except_accounts,
                except_plans: rule.except_plans,
            },
            terms,
            except: self.terms(&rule.except),
        }
    }

    fn action(&mut self, action: &Spanned<String>) -> Action {
        match action.get_ref().as_str() {
            "refuse" => {}
            "review" => return Action::Review,
            other => {
                let message = format!("unknown action `{other}`; allowed: refuse, review");
                self.problem(action.span().start, &message);
            }
        }
        Action::Refuse
    }

    fn review(&mut self, review: &FileReview) -> Reviewing {
        let mut read = Reviewing::default();
        if let Some(hours) = &review.hours {
            let given = *hours.get_ref();
            if (MIN_REVIEW..=MAX_REVIEW).contains(&given) {
                read.wait = Duration::from_secs_f64(given * 3_600.0);
            } else {
                let message = format!("must be between {MIN_REVIEW} and {MAX_REVIEW} (got {given})");
                self.problem(hours.span().start, &message);
            }
        }
        if let Some(after) = &review.after {
            match after.get_ref().as_str() {
                "approve" => read.approves = true,
                "refuse" => {}
                other => {
                    let message = format!("must be `refuse` or `approve` (got {other:?})");
                    self.problem(after.span().start, &message);
                }
            }
        }
        read
    }

    fn terms(&mut self, by_language: &BTreeMap<Spanned<String>, Vec<Spanned<String>>>) -> Vec<Term> {
        let mut read = Vec::new();
        for (language, terms) in by_language {
            let code = language.get_ref();
            let is_code = matches!(code.len(), 2 | 3) && code.bytes().all(|byte| byte.is_ascii_lowercase());
            if !is_code {
                let message = format!(
                    "unknown language `{code}`; use `any`, or a code of two or three letters such as `de`"
                );
                self.problem(language.span().start, &message);
            }
            for term in terms {
                let text = term.get_ref();
                if text.chars().count() > MAX_TERM {
                    self.problem(
                        term.span().start,
                        &format!("a term can have at most {MAX_TERM} characters"),
                    );
                }
                match Term::new(text, code, true) {
                    Some(term) => read.push(term),
                    None => self.problem(
                        term.span().start,
                        &format!("a term must have letters or digits (got {text:?})"),
                    ),
                }
            }
        }
        self.terms += read.len();
        read
    }

    fn access(&mut self, rule: FileAccess) -> Access {
        let name = self.rule_name(&rule.name);
        let (allow_tasks, refuse_tasks) = (self.tasks(rule.allow_tasks), self.tasks(rule.refuse_tasks));
        let lists = [
            &rule.allow_models,
            &rule.refuse_models,
            &allow_tasks,
            &refuse_tasks,
        ];
        if lists.iter().all(|list| list.is_empty()) {
            let message = format!(
                "the rule `{name}` allows and refuses nothing; it requires `allow_models`, `refuse_models`, \
                 `allow_tasks` or `refuse_tasks`"
            );
            self.problem(rule.name.span().start, &message);
        }
        Access {
            name,
            who: Who {
                accounts: rule.accounts,
                plans: rule.plans,
                except_accounts: rule.except_accounts,
                except_plans: rule.except_plans,
            },
            allow_models: rule.allow_models,
            refuse_models: rule.refuse_models,
            allow_tasks,
            refuse_tasks,
        }
    }

    /// `None`: a mistake was noted.
    fn check(&mut self, check: FileCheck) -> Option<Check> {
        let name = self.rule_name(&check.name);
        let url = Url::parse(check.url.get_ref())
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        if url.is_none() {
            let message = format!("must be an http or https URL (got {:?})", check.url.get_ref());
            self.problem(check.url.span().start, &message);
        }
        let seconds = check.deadline_seconds.as_ref();
        let deadline = seconds.map_or(DEADLINE, |seconds| *seconds.get_ref());
        if !(0.1..=MAX_DEADLINE).contains(&deadline) {
            let at = seconds.map_or(0, |seconds| seconds.span().start);
            let message = format!("must be between 0.1 and {MAX_DEADLINE} (got {deadline})");
            self.problem(at, &message);
            return None;
        }
        let away = check.away.get_ref().as_str();
        if !matches!(away, "open" | "closed") {
            let message = format!("must be `open` or `closed` (got {away:?})");
            self.problem(check.away.span().start, &message);
        }
        Some(Check {
            name,
            url: url?,
            deadline: Duration::from_secs_f64(deadline),
            is_open: away == "open",
            asks_after: check.after,
            who: Who {
                accounts: check.accounts,
                plans: check.plans,
                except_accounts: check.except_accounts,
                except_plans: check.except_plans,
            },
        })
    }

    fn tasks(&mut self, words: Vec<Spanned<String>>) -> Vec<String> {
        for word in &words {
            let known: Result<Task, _> = serde_json::from_value(word.get_ref().as_str().into());
            if known.is_err() {
                let message = format!(
                    "unknown task `{}`; `atelier catalog MODEL` lists the tasks of a model",
                    word.get_ref()
                );
                self.problem(word.span().start, &message);
            }
        }
        words.into_iter().map(Spanned::into_inner).collect()
    }
}

/// The key of a line such as `name = "x"`, if it has one.
fn key_of(line: &str) -> Option<&str> {
    let (key, _) = line.split_once('=')?;
    let key = key.trim();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (!key.is_empty() && key.chars().all(is_plain)).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mistake_names_its_line_and_its_key() {
        for (text, expected) in [
            (
                "[[rules]]\nname = 3\nterms = {}",
                "p:2: `name`: invalid type: integer `3`, expected a string",
            ),
            (
                "[[rules]]\nname = \"a\"\nterm = {}\n",
                "p:3: `term`: unknown field `term`, expected one of `name`, `action`, `accounts`, `plans`, \
                 `except_accounts`, `except_plans`, `terms`, `except`",
            ),
            (
                "[[rules]]\nname = \"a\"\n[rules.terms]\nen = [\n  \"x\",\n  \"?!\",\n]",
                "p:6: `en`: a term must have letters or digits (got \"?!\")",
            ),
            (
                "[[rules]]\nname = \"a\"\naction = \"block\"\n[rules.terms]\nEnglish = [\"x\"]",
                "p:3: `action`: unknown action `block`; allowed: refuse, review\n\
                 p:5: `English`: unknown language `English`; use `any`, or a code of two or three letters such as `de`",
            ),
            (
                "[[access]]\nname = \"a\"\nallow_tasks = [\"painting\"]",
                "p:3: `allow_tasks`: unknown task `painting`; `atelier catalog MODEL` lists the tasks of a model",
            ),
            (
                "[[access]]\nname = \"a b\"\nrefuse_models = [\"x\"]",
                "p:2: `name`: a name must have 1 to 60 letters, digits, `-`, `_` or `.` (got \"a b\")",
            ),
            (
                "[review]\nhours = 1000.0\nafter = \"run\"",
                "p:2: `hours`: must be between 0.001 and 720 (got 1000)\n\
                 p:3: `after`: must be `refuse` or `approve` (got \"run\")",
            ),
            (
                "[check]\nname = \"own\"\nurl = \"ftp://x\"\naway = \"shut\"",
                "p:3: `url`: must be an http or https URL (got \"ftp://x\")\n\
                 p:4: `away`: must be `open` or `closed` (got \"shut\")",
            ),
            (
                "[check]\nname = \"own\"\nurl = \"http://x\"\naway = \"open\"\ndeadline_seconds = 60.0",
                "p:5: `deadline_seconds`: must be between 0.1 and 8 (got 60)",
            ),
        ] {
            assert_eq!(read("p", text).unwrap_err().to_string(), expected);
        }
    }
}
