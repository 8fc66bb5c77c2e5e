//! A model file as written: the vocabulary of `catalog/*/*.toml`. Only types and unknown keys are checked
//! here.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use toml::Spanned;

use crate::{
    model::{CatalogRoute, ModelType, OpenAi},
    origin::{Hosting, License, Upstream},
    parameter::{Format, ParameterType, Role},
    price::Unit,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelFile {
    pub(crate) slug: Spanned<String>,
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) model_type: ModelType,
    pub(crate) category: String,
    pub(crate) description: String,
    /// The maker of the model.
    pub(crate) vendor: Option<String>,
    pub(crate) hosting: Option<Hosting>,
    /// The licence of its weights.
    pub(crate) license: Option<License>,
    #[serde(default)]
    pub(crate) upstream: Upstream,
    #[serde(default)]
    pub(crate) capabilities: Map<String, Value>,
    #[serde(default)]
    pub(crate) parameters: Vec<ParameterFile>,
    #[serde(default)]
    pub(crate) rules: Vec<Spanned<RuleFile>>,
    pub(crate) pricing: Spanned<PricingFile>,
    #[serde(default)]
    pub(crate) limits: LimitsFile,
    #[serde(default)]
    pub(crate) routes: Vec<CatalogRoute>,
    /// Names of OpenAI's interface.
    pub(crate) openai: Option<Spanned<OpenAi>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ParameterFile {
    pub(crate) name: Spanned<String>,
    pub(crate) label: String,
    #[serde(rename = "type")]
    pub(crate) kind: ParameterType,
    #[serde(default)]
    pub(crate) required: bool,
    pub(crate) default: Option<Spanned<Value>>,
    pub(crate) options: Option<Spanned<Vec<Value>>>,
    pub(crate) min: Option<f64>,
    pub(crate) max: Option<f64>,
    #[serde(default)]
    pub(crate) integer: bool,
    pub(crate) min_length: Option<usize>,
    pub(crate) max_length: Option<usize>,
    pub(crate) min_items: Option<usize>,
    pub(crate) max_items: Option<usize>,
    pub(crate) format: Option<Format>,
    pub(crate) role: Option<Role>,
    pub(crate) description: Option<String>,
    pub(crate) required_when: Option<Spanned<Map<String, Value>>>,
    /// Media types, or a kind (`image`, `video`, `audio`) for all types of it.
    pub(crate) accepts: Option<Spanned<Vec<String>>>,
    /// The largest file, in bytes.
    pub(crate) max_bytes: Option<u64>,
    /// Files must be smaller than this, in bytes.
    pub(crate) below_bytes: Option<u64>,
    pub(crate) min_seconds: Option<f64>,
    pub(crate) max_seconds: Option<f64>,
    pub(crate) combined_min_seconds: Option<f64>,
    pub(crate) combined_max_seconds: Option<f64>,
}

/// A rule across fields: a table of one key.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RuleFile {
    /// One of these must be given.
    AtLeastOne(Vec<String>),
    /// Groups of which at most one may be used.
    Exclusive(Vec<Vec<String>>),
    CountSum(CountSumFile),
    OnlyWith(OnlyWithFile),
    MaxLength(MaxLengthFile),
    GreaterThan(GreaterThanFile),
    WithinDuration(WithinDurationFile),
    Ignored(IgnoredFile),
    /// A sentence for the documentation, without effect.
    Note(String),
}

/// The entries of lists plus the values of numbers must not exceed `max`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CountSumFile {
    pub(crate) counts: Vec<String>,
    #[serde(default)]
    pub(crate) plus: Vec<String>,
    pub(crate) max: u64,
}

/// A parameter (or one value of it) requires another one, or a condition.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OnlyWithFile {
    pub(crate) parameter: String,
    pub(crate) value: Option<Value>,
    #[serde(default)]
    pub(crate) any_of: Vec<String>,
    #[serde(default)]
    pub(crate) when: Map<String, Value>,
}

/// A shorter maximum length under a condition or for a script.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MaxLengthFile {
    pub(crate) parameter: String,
    pub(crate) max: usize,
    #[serde(default)]
    pub(crate) when: Map<String, Value>,
    pub(crate) script: Option<Script>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Script {
    /// Most letters of the text are Han characters.
    Han,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GreaterThanFile {
    pub(crate) parameter: String,
    pub(crate) than: String,
}

/// A time in seconds that must be within the duration of a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WithinDurationFile {
    pub(crate) parameter: String,
    pub(crate) of: String,
}

/// A parameter that is accepted but has no effect under a condition, or ever, without `when`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct IgnoredFile {
    pub(crate) parameter: String,
    #[serde(default)]
    pub(crate) when: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PricingFile {
    pub(crate) unit: Unit,
    /// Per unit.
    pub(crate) credits: f64,
    /// Added once per job.
    #[serde(default)]
    pub(crate) base: f64,
    /// Counts the units: a number of images or seconds, or the text whose characters count.
    pub(crate) parameter: Option<String>,
    #[serde(default)]
    pub(crate) factors: BTreeMap<String, BTreeMap<String, f64>>,
    pub(crate) source: Option<PricingSourceFile>,
}

/// A file whose seconds count instead of the parameter, up to a maximum.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PricingSourceFile {
    pub(crate) parameter: String,
    pub(crate) max_seconds: f64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LimitsFile {
    pub(crate) max_processing_seconds: Option<u64>,
}
