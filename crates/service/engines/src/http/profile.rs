//! A profile: one provider's HTTP interface as data. It says how a job becomes a request and where the answer
//! stands in what comes back; adding a provider is a file. `docs/profiles.md` explains the format.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::template::Template;

/// The profiles that ship with the program: name and text.
const SHIPPED: [(&str, &str); 9] = [
    ("cog", include_str!("../../profiles/cog.toml")),
    ("elevenlabs", include_str!("../../profiles/elevenlabs.toml")),
    ("fal", include_str!("../../profiles/fal.toml")),
    ("kie", include_str!("../../profiles/kie.toml")),
    ("openai-images", include_str!("../../profiles/openai-images.toml")),
    ("openai-speech", include_str!("../../profiles/openai-speech.toml")),
    ("openai-videos", include_str!("../../profiles/openai-videos.toml")),
    ("replicate", include_str!("../../profiles/replicate.toml")),
    ("sd-server", include_str!("../../profiles/sd-server.toml")),
];

/// One provider's interface.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// What it is for, and what it was tried against.
    pub about: String,
    /// The provider's origin, where the engine's configuration names none.
    pub url: Option<String>,
    pub auth: Option<Auth>,
    /// Brings an input file to the provider, where a template says `as = "upload"`.
    pub upload: Option<Upload>,
    pub submit: Submit,
    #[serde(default)]
    pub answer: Answer,
    /// How to ask for the state of a request. Without it, the answer to `submit` is the end.
    pub poll: Option<Poll>,
    /// What to fetch once the request is done, where the outputs do not stand in the last answer.
    pub result: Option<Ask>,
    pub outputs: Outputs,
    pub cancel: Option<Ask>,
    /// Where the provider says whether it is well.
    pub health: Option<Health>,
    #[serde(default)]
    pub errors: Errors,
}

/// How the engine's key is sent.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Auth {
    pub header: String,
    /// `{key}` stands for the key.
    #[serde(default = "bearer")]
    pub value: String,
}

impl Auth {
    /// The usual way.
    pub(crate) fn bearer() -> Self {
        Self {
            header: "authorization".to_owned(),
            value: bearer(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    Get,
    #[default]
    Post,
    Put,
    Delete,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submit {
    #[serde(default)]
    pub method: Method,
    /// Below the origin; `{target}` is the route's name of the model, `{job}` our own id of the request, other names are
    /// fields.
    pub path: String,
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Further names for `path` and `headers`, made like a body.
    pub fields: Option<Template>,
    /// A JSON body.
    pub body: Option<Template>,
    /// A multipart form instead.
    pub form: Option<Template>,
    /// Whether the provider takes a repeated request for the same one, by `{job}` in path, header or body.
    #[serde(default)]
    pub idempotent: bool,
    /// The answer comes only when the work is done, which may take this long.
    #[serde(default = "half_a_minute")]
    pub timeout_seconds: u64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Upload {
    #[serde(default)]
    pub method: Method,
    /// Absolute, or below the origin.
    pub path: String,
    /// The form field of the file; without it the file is the body.
    pub field: Option<String>,
    /// Further form fields.
    #[serde(default)]
    pub fields: BTreeMap<String, String>,
    /// Where the file's new address stands in the answer.
    pub url: String,
}

/// Where things stand in an answer, as JSON pointers; of several, the first that is there counts.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The provider's id of the request. Without it, ours.
    pub id: Option<String>,
    #[serde(default, deserialize_with = "one_or_many")]
    pub state: Vec<String>,
    pub progress: Option<Progress>,
    #[serde(default, deserialize_with = "one_or_many")]
    pub error: Vec<String>,
    /// What the provider says the request cost, in its own units: for the metadata.
    pub cost: Option<String>,
    /// Addresses that the provider gives for this request; they go before the paths of the profile.
    pub poll_url: Option<String>,
    pub result_url: Option<String>,
    pub cancel_url: Option<String>,
    #[serde(default)]
    pub states: States,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct States {
    #[serde(default)]
    pub waiting: Vec<String>,
    #[serde(default)]
    pub done: Vec<String>,
    #[serde(default)]
    pub failed: Vec<String>,
    #[serde(default)]
    pub cancelled: Vec<String>,
}

/// Where progress stands: a number, or a text whose last match of `pattern` tells it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    pub at: String,
    /// What the number is when all is done.
    #[serde(default = "one")]
    pub of: f64,
    /// With one group, a share of `of`; with two, done and all.
    pub pattern: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Poll {
    pub path: String,
    /// The wait before the second question; it grows towards `most_ms` while the request goes on.
    #[serde(default = "half_a_second_ms")]
    pub first_ms: u64,
    #[serde(default = "five_seconds_ms")]
    pub most_ms: u64,
}

/// One more request about a request.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    #[serde(default)]
    pub method: Method,
    pub path: String,
}

/// A question without a job.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Health {
    pub path: String,
    /// Where the answer's state stands, and the states in which it takes work.
    pub state: String,
    pub ready: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outputs {
    /// Where the files stand in the last answer: addresses, data URLs or Base64. `*` stands for every item of a list.
    #[serde(default, deserialize_with = "one_or_many")]
    pub at: Vec<String>,
    /// A text at this place is JSON in which `at` is meant.
    pub parse: Option<String>,
    /// The body of the last answer is the file.
    #[serde(default)]
    pub body: bool,
    /// Word times that came with speech.
    pub words: Option<Words>,
}

/// Times of single characters, as parallel lists; words are made of them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    pub characters: String,
    pub starts: String,
    pub ends: String,
}

/// What refusals mean. Statuses that nothing is said about have their usual meaning.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Errors {
    /// Statuses of a provider that has no room at the moment.
    #[serde(default)]
    pub busy: Vec<u16>,
    /// Statuses that refuse the request for what it asks.
    #[serde(default = "client_errors")]
    pub invalid: Vec<u16>,
    /// An error text with one of these words, in any case, is a refusal by content policy.
    #[serde(default)]
    pub policy: Vec<String>,
    /// An error text with one of these refuses the request for what it asks; what stands after it says why.
    #[serde(default)]
    pub refused: Vec<String>,
    /// Codes inside of answers with status 200, as `pointer = [values]` of success; anything else is an error.
    #[serde(default)]
    pub success: BTreeMap<String, Vec<serde_json::Value>>,
}

/// Why a profile cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the profile `{name}`: {problem}")]
pub struct ProfileError {
    pub name: String,
    pub problem: String,
}

impl Profile {
    /// Reads a profile's text. `name` is for errors.
    pub fn parse(name: &str, text: &str) -> Result<Self, ProfileError> {
        let wrong = |problem: String| ProfileError {
            name: name.to_owned(),
            problem,
        };
        let profile: Self = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        profile.check().map_err(wrong)?;
        Ok(profile)
    }

    /// A profile that ships with the program.
    pub fn shipped(name: &str) -> Option<Result<Self, ProfileError>> {
        let (_, text) = SHIPPED.iter().find(|(known, _)| *known == name)?;
        Some(Self::parse(name, text))
    }

    /// The names of the profiles that ship with the program.
    pub fn shipped_names() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|(name, _)| *name)
    }

    fn check(&self) -> Result<(), String> {
        if self.submit.body.is_some() && self.submit.form.is_some() {
            return Err("`submit` has a `body` and a `form`; a request has one of them".to_owned());
        }
        let files = self.submit.body.iter().chain(&self.submit.form);
        if self.upload.is_none() && files.clone().any(Template::uploads) {
            return Err("a field is sent `as = \"upload\"`, but there is no table `upload`".to_owned());
        }
        if self.submit.body.as_ref().is_some_and(Template::sends_files) {
            return Err("a field is sent `as = \"file\"`, which only a `form` can".to_owned());
        }
        if self.outputs.body != self.outputs.at.is_empty() {
            return Err("`outputs` says either where the files stand (`at`) or that the body is the file (`body = true`)".to_owned());
        }
        if self.poll.is_some() && (self.answer.state.is_empty() || self.answer.states.done.is_empty()) {
            return Err(
                "with `poll`, `answer.state` and `answer.states.done` say when it is done".to_owned(),
            );
        }
        if let Some(pattern) = self
            .answer
            .progress
            .as_ref()
            .and_then(|progress| progress.pattern.as_ref())
        {
            regex::Regex::new(pattern).map_err(|error| format!("`answer.progress.pattern`: {error}"))?;
        }
        Ok(())
    }
}

pub(super) fn one_or_many<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(one) => vec![one],
        OneOrMany::Many(many) => many,
    })
}

fn bearer() -> String {
    "Bearer {key}".to_owned()
}

const fn half_a_minute() -> u64 {
    30
}

const fn half_a_second_ms() -> u64 {
    500
}

const fn five_seconds_ms() -> u64 {
    5_000
}

const fn one() -> f64 {
    1.0
}

fn client_errors() -> Vec<u16> {
    vec![400, 413, 415, 422]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_profile_can_be_read() {
        for name in Profile::shipped_names() {
            Profile::shipped(name).unwrap().unwrap();
        }
        assert!(Profile::shipped("nobody").is_none());
    }

    #[test]
    fn a_mistake_in_a_profile_is_named() {
        let table = [
            ("about = 1", "invalid type"),
            ("about = ''\nsubmit = {}\noutputs = {}", "missing field `path`"),
            (
                "about = ''\nsubmit = {path = '/', colour = 1}\noutputs = {}",
                "unknown field `colour`",
            ),
            (
                "about = ''\nsubmit = {path = '/'}\noutputs = {}",
                "`outputs` says either",
            ),
            (
                "about = ''\nsubmit = {path = '/', body = {a = {from = 'x', as = 'upload'}}}\noutputs = {at = '/u'}",
                "no table `upload`",
            ),
            (
                "about = ''\nsubmit = {path = '/', body = {a = {from = 'x', as = 'file'}}}\noutputs = {at = '/u'}",
                "only a `form` can",
            ),
            (
                "about = ''\nsubmit = {path = '/'}\npoll = {path = '/'}\noutputs = {at = '/u'}",
                "say when it is done",
            ),
        ];
        for (text, expected) in table {
            let error = Profile::parse("mine", text).unwrap_err().to_string();
            assert!(
                error.starts_with("the profile `mine`: ") && error.contains(expected),
                "{text}: {error}"
            );
        }
    }
}
