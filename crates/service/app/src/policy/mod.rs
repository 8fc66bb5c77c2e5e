//! The content policy: which words prompts may contain, and who may use which models. Rules come from `policy.toml` and
//! from the list `[policy] blocked_terms` of the configuration.

use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

use atelier_catalog::Model;
use atelier_domain::Account;
use atelier_engines::routes::matches;
use serde_json::{Map, Value};

mod check;
mod deciding;
mod file;
mod fold;
pub(crate) mod hashes;
mod lookalikes;
mod review;
mod term;
mod text;
mod view;

pub use file::PolicyFileError;
pub use review::{Decisions, ReviewJob, ReviewView};
pub use view::{DecisionView, Wait};

use check::{Asking, Check};
use fold::Accents;
use term::Term;
use text::Text;

/// The default list: content that is illegal nearly everywhere.
pub const DEFAULT_BLOCKED: &[&str] = &[
    "child pornography",
    "child porn",
    "csam",
    "child sexual abuse",
    "sexualized child",
    "sexualised child",
];

/// The name of the rule that `[policy] blocked_terms` makes.
pub const BLOCKED_TERMS: &str = "blocked_terms";

/// The most bytes of text times terms in a check that is quick.
const QUICK: usize = 3_000;

/// The most characters of a user's text that a message quotes.
const MAX_QUOTED: usize = 80;

#[derive(Debug, Clone, Default)]
pub struct Policy {
    rules: Vec<Rule>,
    access: Vec<Access>,
    check: Option<Check>,
    asking: Option<Arc<Asking>>,
    review: Reviewing,
    /// Actions for pictures on lists of hashes, by patterns of list names.
    lists: Vec<(String, Action)>,
}

/// The action for a job that a rule matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// It fails.
    Refuse,
    /// It waits for a review.
    Review,
}

/// How long jobs wait for a person, and what happens then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reviewing {
    pub(crate) wait: Duration,
    /// Whether they run if nobody has decided.
    pub(crate) approves: bool,
}

impl Default for Reviewing {
    fn default() -> Self {
        Self {
            wait: Duration::from_hours(24),
            approves: false,
        }
    }
}

/// One rule about words.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    name: String,
    action: Action,
    who: Who,
    terms: Vec<Term>,
    /// Phrases that the rule allows although they contain a term.
    except: Vec<Term>,
}

/// One rule about models and tasks.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    name: String,
    who: Who,
    allow_models: Vec<String>,
    refuse_models: Vec<String>,
    allow_tasks: Vec<String>,
    refuse_tasks: Vec<String>,
}

/// The accounts to which a rule applies, by patterns.
#[derive(Debug, Clone, Default)]
pub(crate) struct Who {
    accounts: Vec<String>,
    plans: Vec<String>,
    except_accounts: Vec<String>,
    except_plans: Vec<String>,
}

/// The account that asks, as far as rules know it.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    pub account: &'a str,
    /// The name of its plan.
    pub plan: Option<&'a str>,
}

impl<'a> Subject<'a> {
    pub fn of(account: &'a Account) -> Self {
        Self {
            account: &account.name,
            plan: account.plan.as_ref().map(|plan| plan.name.as_str()),
        }
    }
}

/// A text that a rule does not simply allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub rule: String,
    pub action: Action,
    /// The matching words of the text, shortened.
    pub words: String,
}

/// A model that a rule does not let an account use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Barred {
    pub rule: String,
    pub model: String,
    /// The reason, as the rest of a sentence.
    pub why: String,
}

impl fmt::Display for Barred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, model, why } = self;
        write!(
            f,
            "this account may not use the model `{model}`: the policy's rule `{rule}` {why}"
        )
    }
}

impl Policy {
    /// A policy of whole words that no prompt may contain.
    pub fn new<I: AsRef<str>>(blocked: impl IntoIterator<Item = I>) -> Self {
        let terms = blocked.into_iter();
        let terms: Vec<_> = terms
            .filter_map(|term| Term::new(term.as_ref(), "any", false))
            .collect();
        let rule = (!terms.is_empty()).then(|| Rule {
            name: BLOCKED_TERMS.to_owned(),
            action: Action::Refuse,
            who: Who::default(),
            terms,
            except: Vec::new(),
        });
        Self {
            rules: rule.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Adds the rules of a `policy.toml`; `name` names the file in errors.
    pub fn with_file(mut self, name: &str, text: &str) -> Result<Self, PolicyFileError> {
        let read = file::read(name, text)?;
        self.rules.extend(read.rules);
        // Refusals come first: a refused job requires no review.
        self.rules.sort_by_key(|rule| rule.action);
        self.access.extend(read.access);
        self.check = read.check;
        self.review = read.review;
        self.lists = read.lists;
        Ok(self)
    }

    /// Gives the operator's own check the secret that its calls are signed with. Without a check, nothing changes.
    pub fn with_check_secret(mut self, secret: Option<&str>) -> Result<Self, String> {
        let Some(check) = &self.check else {
            return Ok(self);
        };
        let secret = secret.ok_or_else(|| {
            let name = &check.name;
            format!("the check `{name}` requires a secret for its signatures; set `[policy] check_secret`")
        })?;
        self.asking = Some(Arc::new(check.asking(secret)?));
        Ok(self)
    }

    /// The operator's own check, if it can be asked.
    pub(crate) fn own_check(&self) -> Option<(&Check, &Arc<Asking>)> {
        Some((self.check.as_ref()?, self.asking.as_ref()?))
    }

    pub(crate) fn reviewing(&self) -> Reviewing {
        self.review
    }

    /// Whether there are rules about words.
    pub(crate) fn has_words(&self) -> bool {
        !self.rules.is_empty()
    }

    /// The numbers of rules about words, of their terms, and of rules about models.
    pub fn size(&self) -> (usize, usize, usize) {
        let terms = self.rules.iter().map(|rule| rule.terms.len()).sum();
        (self.rules.len(), terms, self.access.len())
    }

    /// Whether a decision about a job requires its account.
    pub(crate) fn depends_on_account(&self) -> bool {
        self.asking.is_some() || self.rules.iter().any(|rule| !rule.who.is_everybody())
    }

    /// Checks one text.
    pub fn check_text(&self, subject: Option<Subject<'_>>, text: &str) -> Option<Violation> {
        let mut folded: BTreeMap<Accents, Text> = BTreeMap::new();
        let rules = self.rules.iter().filter(|rule| rule.who.includes(subject));
        for rule in rules {
            for term in rule.terms.iter().chain(&rule.except) {
                let accents = term.accents;
                folded.entry(accents).or_insert_with(|| Text::new(text, accents));
            }
            if let Some(at) = rule.find(&folded) {
                return Some(Violation {
                    rule: rule.name.clone(),
                    action: rule.action,
                    words: quoted(&text[at], MAX_QUOTED),
                });
            }
        }
        None
    }

    /// Checks every text in the parameters. An error has the parameter's name and the match: a refusal, or else the
    /// first match that requires a review.
    pub fn check(
        &self,
        subject: Option<Subject<'_>>,
        params: &Map<String, Value>,
    ) -> Result<(), (String, Violation)> {
        if self.rules.is_empty() {
            return Ok(());
        }
        let mut to_review = None;
        for (name, value) in params {
            match self.check_value(subject, value) {
                Some(found) if found.action == Action::Refuse => return Err((name.clone(), found)),
                Some(found) => to_review = to_review.or(Some((name.clone(), found))),
                None => {}
            }
        }
        to_review.map_or(Ok(()), Err)
    }

    /// Whether other tasks can wait for a check of these parameters. It usually takes less than a tenth of a
    /// millisecond then, and about two with texts and terms that were made to take long.
    pub(crate) fn checks_quickly(&self, params: &Map<String, Value>) -> bool {
        let rules = self.rules.iter();
        let terms: usize = rules.map(|rule| rule.terms.len() + rule.except.len()).sum();
        let bytes: usize = params.values().map(bytes_of_texts).sum();
        bytes * terms <= QUICK
    }

    fn check_value(&self, subject: Option<Subject<'_>>, value: &Value) -> Option<Violation> {
        let each = |values: &mut dyn Iterator<Item = &Value>| {
            let mut to_review = None;
            for value in values {
                match self.check_value(subject, value) {
                    Some(found) if found.action == Action::Refuse => return Some(found),
                    found => to_review = to_review.or(found),
                }
            }
            to_review
        };
        match value {
            Value::String(text) => self.check_text(subject, text),
            Value::Array(items) => each(&mut items.iter()),
            Value::Object(members) => each(&mut members.values()),
            _ => None,
        }
    }

    /// Whether an account may use a model.
    pub fn may_use(&self, subject: Subject<'_>, model: &Model) -> Result<(), Barred> {
        let rules = self.access.iter().filter(|rule| rule.who.includes(Some(subject)));
        for rule in rules {
            if let Some(why) = rule.bars(model) {
                return Err(Barred {
                    rule: rule.name.clone(),
                    model: model.slug.clone(),
                    why,
                });
            }
        }
        Ok(())
    }
}

impl Who {
    fn is_everybody(&self) -> bool {
        let lists = [
            &self.accounts,
            &self.plans,
            &self.except_accounts,
            &self.except_plans,
        ];
        lists.into_iter().all(Vec::is_empty)
    }

    /// Without a subject, rules for some accounts apply too.
    fn includes(&self, subject: Option<Subject<'_>>) -> bool {
        let Some(Subject { account, plan }) = subject else {
            return true;
        };
        let account = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, account));
        let plan = |patterns: &[String]| {
            plan.is_some_and(|plan| patterns.iter().any(|pattern| matches(pattern, plan)))
        };
        let named = account(&self.accounts) || plan(&self.plans);
        let everybody = self.accounts.is_empty() && self.plans.is_empty();
        (named || everybody) && !account(&self.except_accounts) && !plan(&self.except_plans)
    }
}

impl Rule {
    /// The first match of a term that is not part of an exception.
    fn find(&self, texts: &BTreeMap<Accents, Text>) -> Option<std::ops::Range<usize>> {
        let found = |term: &Term| -> Vec<_> {
            let text = texts.get(&term.accents);
            text.into_iter().flat_map(|text| term.find(text)).collect()
        };
        let mut allowed = None;
        self.terms.iter().find_map(|term| {
            found(term).into_iter().find(|at| {
                let allowed =
                    allowed.get_or_insert_with(|| self.except.iter().flat_map(found).collect::<Vec<_>>());
                !allowed
                    .iter()
                    .any(|wide| wide.start <= at.start && at.end <= wide.end)
            })
        })
    }
}

impl Access {
    /// The reason not to allow a model, as the rest of a sentence.
    fn bars(&self, model: &Model) -> Option<String> {
        let slug = &model.slug;
        let is_in = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, slug));
        if is_in(&self.refuse_models) {
            return Some("refuses it".to_owned());
        }
        if !self.allow_models.is_empty() && !is_in(&self.allow_models) {
            return Some(format!("allows `{}`", self.allow_models.join("`, `")));
        }
        let tasks = model
            .tasks
            .iter()
            .filter_map(|task| serde_json::to_value(task).ok());
        let tasks: Vec<_> = tasks
            .filter_map(|task| task.as_str().map(str::to_owned))
            .collect();
        if let Some(task) = tasks.iter().find(|task| self.refuse_tasks.contains(task)) {
            return Some(format!("refuses the task `{task}`"));
        }
        let is_allowed =
            self.allow_tasks.is_empty() || tasks.iter().any(|task| self.allow_tasks.contains(task));
        (!is_allowed).then(|| format!("allows models for `{}`", self.allow_tasks.join("`, `")))
    }
}

/// The bytes of all texts in a value, and one for each text.
fn bytes_of_texts(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 1,
        Value::Array(items) => items.iter().map(bytes_of_texts).sum(),
        Value::Object(members) => members.values().map(bytes_of_texts).sum(),
        _ => 0,
    }
}

/// Words of a user's text, on one line and shortened.
fn quoted(words: &str, most: usize) -> String {
    let words: String = words
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if words.chars().count() <= most {
        return words;
    }
    format!("{}…", words.chars().take(most).collect::<String>())
}

#[cfg(test)]
mod tests;
