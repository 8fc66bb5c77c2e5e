//! A parameter of a model: its type, its bounds and its description.

use atelier_domain::MediaType;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Number, Value};

use crate::rule::Condition;

/// One field of a model. Serialised as `GET /models/{slug}` shows it.
#[derive(Debug, Clone, Serialize)]
pub struct Parameter {
    pub name: String,
    pub label: String,
    #[serde(rename = "type")]
    pub kind: ParameterType,
    /// A required parameter with a default may be left out.
    pub required: bool,
    pub default: Option<Value>,
    pub options: Option<Vec<Value>>,
    #[serde(serialize_with = "plain_number")]
    pub min: Option<f64>,
    #[serde(serialize_with = "plain_number")]
    pub max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub integer: bool,
    /// Lengths are in Unicode scalar values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<usize>,
    /// The accepted file types; empty for parameters that are not files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accepts: Vec<MediaType>,
    /// Parameters and the values (or `{"set": true}`) that make this one required.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required_when: Option<Map<String, Value>>,
    /// With 1 or more, an empty list is refused; without, it counts as absent.
    #[serde(skip)]
    pub min_items: Option<usize>,
    #[serde(skip)]
    pub format: Option<Format>,
    #[serde(skip)]
    pub role: Option<Role>,
    #[serde(skip)]
    pub files: FileRules,
    /// `required_when`, resolved.
    #[serde(skip)]
    pub(crate) required_conditions: Vec<Condition>,
}

impl Parameter {
    /// Whether it names input files: a URL, or a list of URLs.
    pub fn is_file(&self) -> bool {
        !self.accepts.is_empty()
    }

    /// Whether its values are numbers: any within bounds, or numeric options.
    pub(crate) fn is_number(&self) -> bool {
        match self.kind {
            ParameterType::Number => true,
            ParameterType::Select => self.options.iter().flatten().all(Value::is_number),
            _ => false,
        }
    }

    /// Its smallest possible number; for a select, the smallest option.
    pub(crate) fn least(&self) -> Option<f64> {
        let options = self.options.iter().flatten().filter_map(Value::as_f64);
        self.min.or(options.min_by(f64::total_cmp))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParameterType {
    /// One of the options.
    Select,
    Number,
    /// A line.
    Text,
    /// Lines.
    Textarea,
    Boolean,
    /// Some of the options; without options, a list of file URLs.
    MultiSelect,
    /// A file's URL.
    Url,
}

impl ParameterType {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Select => "select",
            Self::Number => "number",
            Self::Text => "text",
            Self::Textarea => "textarea",
            Self::Boolean => "boolean",
            Self::MultiSelect => "multi_select",
            Self::Url => "url",
        }
    }
}

/// The format of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// An ISO 639-1 code.
    Language,
    /// A colour: `#rrggbb`.
    Color,
}

/// The meaning of a parameter, whatever the model calls it. Requests may use the common names of a role, and
/// engines find its value under one standard name (`crate::standard`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The prompt.
    Text,
    /// The things to avoid, in words.
    NegativeText,
    /// The words to sing.
    Lyrics,
    /// The duration of the output in seconds.
    Duration,
    /// The shape of the picture, `16:9`, or its size in pixels, `1280x720`.
    Size,
    /// The resolution: `2K`, `720p`.
    Resolution,
    /// The number of outputs.
    Count,
    /// The seed of the random numbers.
    Seed,
    /// How much to change the input, 0 to 1.
    Strength,
    /// Pictures to edit or to use as a reference.
    Images,
    /// First and last frame.
    Frames,
    /// Pictures of the subjects to show.
    References,
    /// The part to replace.
    Mask,
    /// The video to edit.
    SourceVideo,
    /// The sound to edit or to follow.
    ConditioningAudio,
    /// Reference sounds, one of several kinds of reference.
    ReferenceAudio,
    /// A recording of the voice to use.
    VoiceSample,
    /// The voice.
    Voice,
    /// The language spoken.
    Language,
}

/// The limits for the files of a parameter. Sizes in bytes, durations in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FileRules {
    pub max_bytes: Option<u64>,
    /// Files must be smaller than this.
    pub below_bytes: Option<u64>,
    pub min_seconds: Option<f64>,
    pub max_seconds: Option<f64>,
    /// Of all files of the parameter together.
    pub combined_min_seconds: Option<f64>,
    pub combined_max_seconds: Option<f64>,
}

/// A JSON number; whole numbers are written without a fraction.
pub(crate) fn number(value: f64) -> Number {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        return Number::from(value as i64);
    }
    // Bounds are finite: the compiler of model files checks it.
    Number::from_f64(value).unwrap_or_else(|| Number::from(0))
}

#[expect(clippy::ref_option, reason = "serde calls it with a reference to the field")]
fn plain_number<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    value.map(number).serialize(serializer)
}
