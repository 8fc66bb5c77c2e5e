//! A model or tool of the catalog, checked and ready for use.

use std::collections::{BTreeMap, HashMap};

use atelier_domain::{FileFacts, MediaKind};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    input::InputUrl,
    origin::{Hosting, License, Upstream},
    parameter::{Parameter, Role},
    price::Pricing,
    rule::Rule,
    task::Task,
};

/// One model or tool: its description, parameters, price and routes.
#[derive(Debug)]
pub struct Model {
    pub slug: String,
    pub name: String,
    pub model_type: ModelType,
    pub category: String,
    pub description: String,
    /// The kind of its output; tools make images.
    pub output: MediaKind,
    /// The maker of the model.
    pub vendor: Option<String>,
    pub hosting: Option<Hosting>,
    /// The licence of its weights; absent if the model has no weights.
    pub license: Option<License>,
    /// Its names elsewhere, for people who write routes.
    pub upstream: Upstream,
    pub capabilities: Map<String, Value>,
    /// From `capabilities.tasks`.
    pub tasks: Vec<Task>,
    /// In the documented order.
    pub parameters: Vec<Parameter>,
    pub pricing: Pricing,
    pub limits: Limits,
    /// The default routes, in order, if the operator has configured none.
    pub routes: Vec<CatalogRoute>,
    /// Names of OpenAI's interface.
    pub openai: OpenAi,
    pub(crate) rules: Vec<Rule>,
    /// Every name that a request may use.
    pub(crate) names: HashMap<String, Target>,
    pub(crate) json_schema: Value,
}

/// The section `[openai]` of a model file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenAi {
    /// Names of OpenAI's models that this model stands in for.
    #[serde(default)]
    pub names: Vec<String>,
    /// The fields that a size such as `1024x1024` stands for.
    #[serde(default)]
    pub sizes: BTreeMap<String, Map<String, Value>>,
    /// The fields that a quality such as `high` stands for.
    #[serde(default)]
    pub qualities: BTreeMap<String, Map<String, Value>>,
    /// The model's voices by the names of OpenAI's.
    #[serde(default)]
    pub voices: BTreeMap<String, String>,
}

impl Model {
    /// The parameter with this name or common name (`duration_seconds` → `duration`).
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.names
            .get(name)
            .map(|target| &self.parameters[target.parameter()])
    }

    /// The parameter with this role.
    pub fn with_role(&self, role: Role) -> Option<&Parameter> {
        self.parameters
            .iter()
            .find(|parameter| parameter.role == Some(role))
    }

    /// Credits to hold for a checked request. A source of unknown duration counts as the longest.
    pub fn estimate(
        &self,
        params: &Map<String, Value>,
        inputs: &[InputUrl],
        facts: &[Option<FileFacts>],
    ) -> i64 {
        self.pricing.estimate(params, inputs, facts)
    }

    /// Credits that a completed generation costs, with the facts known of its inputs by then and the
    /// number of output files it `made`.
    ///
    /// A price per image counts the images made, and never more than were asked for. All other prices
    /// do not depend on `made`.
    pub fn charge(
        &self,
        params: &Map<String, Value>,
        inputs: &[InputUrl],
        facts: &[Option<FileFacts>],
        made: usize,
    ) -> i64 {
        self.pricing.charge(params, inputs, facts, made)
    }
}

/// The target of a name in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// The parameter itself.
    Own(usize),
    /// A common name of the parameter; a single URL for a list is a list of one.
    Common(usize),
    /// The entry of this place in the parameter's list of frames.
    Frame(usize, usize),
}

impl Target {
    pub(crate) const fn parameter(self) -> usize {
        let (Self::Own(index) | Self::Common(index) | Self::Frame(index, _)) = self;
        index
    }
}

/// The type of a model, by which the catalog is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelType {
    Image,
    Video,
    Audio,
    Tool,
}

impl ModelType {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Video => "video",
            Self::Audio => "audio",
            Self::Tool => "tool",
        }
    }

    pub const fn output(self) -> MediaKind {
        match self {
            Self::Image | Self::Tool => MediaKind::Image,
            Self::Video => MediaKind::Video,
            Self::Audio => MediaKind::Audio,
        }
    }

    pub(crate) const fn max_processing_seconds(self) -> u64 {
        match self {
            Self::Image | Self::Tool => 300,
            Self::Audio => 600,
            Self::Video => 1_200,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Counted from acceptance; then the generation fails with `generation_timeout`.
    pub max_processing_seconds: u64,
}

/// An engine that serves the model, and the task it runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogRoute {
    pub engine: String,
    pub task: String,
}
