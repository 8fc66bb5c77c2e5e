//! Profiles: a provider's HTTP interface as data. A profile says how a job becomes a request and how to read the
//! answers, so a new provider needs a file and no code. `docs/profiles.md` explains the format.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::remote::{Auth, Template, one_or_many};

/// The profiles that ship with the program: names and texts.
const SHIPPED: [(&str, &str); 11] = [
    ("acestep-cpp", include_str!("../../profiles/acestep-cpp.toml")),
    ("cog", include_str!("../../profiles/cog.toml")),
    ("elevenlabs", include_str!("../../profiles/elevenlabs.toml")),
    ("fal", include_str!("../../profiles/fal.toml")),
    ("kie", include_str!("../../profiles/kie.toml")),
    ("openai-images", include_str!("../../profiles/openai-images.toml")),
    ("openai-speech", include_str!("../../profiles/openai-speech.toml")),
    ("openai-videos", include_str!("../../profiles/openai-videos.toml")),
    ("replicate", include_str!("../../profiles/replicate.toml")),
    ("sd-server", include_str!("../../profiles/sd-server.toml")),
    (
        "sd-server-video",
        include_str!("../../profiles/sd-server-video.toml"),
    ),
];

/// One provider's interface.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The purpose of the profile, and the system that it was tested against.
    pub about: String,
    /// The provider's URL, used if the engine's configuration has none.
    pub url: Option<String>,
    pub auth: Option<Auth>,
    /// Other hosts, as `host` or `host:port`, whose addresses in answers may be used to poll, fetch and cancel a
    /// request.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// How to upload input files, for templates with `as = "upload"`.
    pub upload: Option<Upload>,
    /// A request that must be done before, whose result becomes the body of `submit`.
    pub prepare: Option<Prepare>,
    pub submit: Submit,
    #[serde(default)]
    pub answer: Answer,
    /// How to ask for the state of a request. Without it, the answer to `submit` is final.
    pub poll: Option<Poll>,
    /// The follow-up request once the request is done, if the last answer does not contain the outputs.
    pub result: Option<FollowUp>,
    pub outputs: Outputs,
    pub cancel: Option<FollowUp>,
    /// The provider's report of its health.
    pub health: Option<Health>,
    #[serde(default)]
    pub errors: Errors,
    /// The output of a program that atelier starts, while it works.
    pub program: Option<Output>,
}

/// The meaning of a program's output.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// The last match has two groups: the steps done, and all steps.
    pub progress: String,
    /// The field with the number of times that the program takes all steps; without it, once.
    pub passes: Option<String>,
    /// Matches if the program, while it loads, has found no graphics card and is about to use the CPU instead.
    pub no_device: Option<String>,
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
    /// The path below the provider's URL. `{target}` is the route's name of the model, `{job}` our id of the request;
    /// other names are fields.
    pub path: String,
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Additional fields for `path` and `headers`, filled like a body.
    pub fields: Option<Template>,
    /// A JSON body.
    pub body: Option<Template>,
    /// A multipart form, instead of `body`.
    pub form: Option<Template>,
    /// Whether the provider recognises a repeated request by `{job}` in its path, headers or body.
    #[serde(default)]
    pub idempotent: bool,
    /// How long the answer may take. Some providers answer only when the work is done.
    #[serde(default = "half_a_minute")]
    pub timeout_seconds: u64,
}

/// A request with the body of `submit` that is polled like one of `submit`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prepare {
    pub path: String,
    /// The address of its result when it is done; `{id}` is its id.
    pub result: String,
    /// The place of the body of `submit` in the result, as a JSON pointer.
    #[serde(default)]
    pub at: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Upload {
    #[serde(default)]
    pub method: Method,
    /// An absolute URL, or a path below the provider's URL.
    pub path: String,
    /// The form field for the file; without it, the file is the body.
    pub field: Option<String>,
    /// Additional form fields.
    #[serde(default)]
    pub fields: BTreeMap<String, String>,
    /// The place of the file's new address in the answer.
    pub url: String,
}

/// The places of values in an answer, as JSON pointers. Of several pointers, the first that finds a value counts.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The provider's id of the request. Without it, ours is used.
    pub id: Option<String>,
    #[serde(default, deserialize_with = "one_or_many")]
    pub state: Vec<String>,
    pub progress: Option<Progress>,
    pub partial_image: Option<Partial>,
    #[serde(default, deserialize_with = "one_or_many")]
    pub error: Vec<String>,
    /// The cost of the request, in the provider's units; recorded in the metadata.
    pub cost: Option<String>,
    /// Addresses that the provider names for this request, used instead of the profile's paths. They must be at the
    /// provider's own origin or at one of the profile's `hosts`.
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

/// The place of the progress: a number, or a text in which the last match of `pattern` contains it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    pub at: String,
    /// The number at the end.
    #[serde(default = "one")]
    pub of: f64,
    /// One group: the number done, out of `of`. Two groups: the number done and the total.
    pub pattern: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Poll {
    pub path: String,
    /// The delay before the first poll. It grows up to `most_ms` while the request runs.
    #[serde(default = "half_a_second_ms")]
    pub first_ms: u64,
    #[serde(default = "five_seconds_ms")]
    pub most_ms: u64,
}

/// The place of a partial image, a data URL or Base64: a text, or the only group of the last match of `pattern` in one.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Partial {
    pub at: String,
    pub pattern: Option<String>,
}

/// A further request about a request: for its result, or to cancel it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FollowUp {
    #[serde(default)]
    pub method: Method,
    pub path: String,
}

/// How to ask the provider for its health.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Health {
    pub path: String,
    /// The place of the state in the answer.
    pub state: String,
    /// The states in which the provider accepts work.
    pub ready: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outputs {
    /// The places of the files in the last answer, as addresses, data URLs or Base64. `*` stands for every item of a
    /// list.
    #[serde(default, deserialize_with = "one_or_many")]
    pub at: Vec<String>,
    /// The pointers in `at` apply to the JSON text at this place.
    pub parse: Option<String>,
    /// The body of the last answer is the file, or has files as parts if it is `multipart/…`: those of the job's kind.
    #[serde(default)]
    pub body: bool,
    /// The conversion by the embedded engines before the files are checked.
    pub rewrite: Option<Rewrite>,
    /// The place of the word times of speech in the answer.
    pub words: Option<Words>,
}

/// How a file is rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rewrite {
    /// Motion JPEG in AVI becomes MP4.
    Film,
}

/// The times of single characters, as parallel lists.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    pub characters: String,
    pub starts: String,
    pub ends: String,
}

/// The meaning of refusals. Statuses that are not listed have their usual meaning.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Errors {
    /// Statuses of a provider that is busy.
    #[serde(default)]
    pub busy: Vec<u16>,
    /// Statuses that reject the request's input.
    #[serde(default = "client_errors")]
    pub invalid: Vec<u16>,
    /// An error text that contains one of these words, in any case, is a content policy violation.
    #[serde(default)]
    pub policy: Vec<String>,
    /// An error text that contains one of these rejects the request's input; the text after it is the reason.
    #[serde(default)]
    pub refused: Vec<String>,
    /// Success codes inside answers with status 200, as `pointer = [values]`; any other value is an error.
    #[serde(default)]
    pub success: BTreeMap<String, Vec<serde_json::Value>>,
}

/// Why a profile cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("profile `{name}`: {problem}")]
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
            return Err("`submit` must not have both `body` and `form`".to_owned());
        }
        if self.prepare.is_some() && (self.submit.body.is_none() || self.poll.is_none()) {
            return Err("`prepare` requires `submit.body` and `poll`".to_owned());
        }
        let files = self.submit.body.iter().chain(&self.submit.form);
        if self.upload.is_none() && files.clone().any(Template::uploads) {
            return Err("a field with `as = \"upload\"` requires the table `upload`".to_owned());
        }
        if self.submit.body.as_ref().is_some_and(Template::sends_files) {
            return Err("`as = \"file\"` is allowed only in `form`, not in `body`".to_owned());
        }
        if self.outputs.body != self.outputs.at.is_empty() {
            return Err("`outputs` must have either `at` or `body = true`".to_owned());
        }
        if self.poll.is_some() && (self.answer.state.is_empty() || self.answer.states.done.is_empty()) {
            return Err("`poll` requires `answer.state` and `answer.states.done`".to_owned());
        }
        for (name, pattern) in self.patterns() {
            regex::Regex::new(pattern).map_err(|error| format!("`{name}`: {error}"))?;
        }
        if let Some(host) = self.hosts.iter().find(|host| !is_host(host)) {
            return Err(format!(
                "`hosts` must list hosts such as `queue.example.com` or `10.0.0.5:8080` (got `{host}`)"
            ));
        }
        Ok(())
    }

    /// All regular expressions, by the names of their settings.
    fn patterns(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let (progress, partial) = (self.answer.progress.as_ref(), self.answer.partial_image.as_ref());
        let program = self.program.as_ref();
        let patterns = [
            (
                "answer.progress.pattern",
                progress.and_then(|progress| progress.pattern.as_ref()),
            ),
            (
                "answer.partial_image.pattern",
                partial.and_then(|partial| partial.pattern.as_ref()),
            ),
            ("program.progress", program.map(|program| &program.progress)),
            (
                "program.no_device",
                program.and_then(|program| program.no_device.as_ref()),
            ),
        ];
        patterns
            .into_iter()
            .filter_map(|(name, pattern)| Some((name, pattern?)))
    }
}

/// Whether a text is a host with an optional port, and nothing else.
fn is_host(text: &str) -> bool {
    let url = url::Url::parse(&format!("https://{text}/"));
    !text.contains(['/', '@', '?', '#', '\\']) && url.is_ok_and(|url| url.has_host())
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
    fn every_shipped_profile_is_valid() {
        for name in Profile::shipped_names() {
            Profile::shipped(name).unwrap().unwrap();
        }
        assert!(Profile::shipped("nobody").is_none());
    }

    #[test]
    fn a_mistake_in_a_profile_is_explained() {
        let table = [
            ("about = 1", "invalid type"),
            ("about = ''\nsubmit = {}\noutputs = {}", "missing field `path`"),
            (
                "about = ''\nsubmit = {path = '/', colour = 1}\noutputs = {}",
                "unknown field `colour`",
            ),
            (
                "about = ''\nsubmit = {path = '/'}\noutputs = {}",
                "`outputs` must have either",
            ),
            (
                "about = ''\nsubmit = {path = '/', body = {a = {from = 'x', as = 'upload'}}}\noutputs = {at = '/u'}",
                "requires the table `upload`",
            ),
            (
                "about = ''\nsubmit = {path = '/', body = {a = {from = 'x', as = 'file'}}}\noutputs = {at = '/u'}",
                "allowed only in `form`",
            ),
            (
                "about = ''\nsubmit = {path = '/'}\npoll = {path = '/'}\noutputs = {at = '/u'}",
                "`poll` requires",
            ),
            (
                "about = ''\nsubmit = {path = '/'}\nprepare = {path = '/p', result = '/r'}\noutputs = {body = true}",
                "`prepare` requires",
            ),
            (
                "about = ''\nhosts = ['https://queue.example']\nsubmit = {path = '/'}\noutputs = {at = '/u'}",
                "got `https://queue.example`",
            ),
            (
                "about = ''\nhosts = ['user@queue.example']\nsubmit = {path = '/'}\noutputs = {at = '/u'}",
                "got `user@queue.example`",
            ),
        ];
        for (text, expected) in table {
            let error = Profile::parse("mine", text).unwrap_err().to_string();
            assert!(
                error.starts_with("profile `mine`: ") && error.contains(expected),
                "{text}: {error}"
            );
        }
    }
}
