//! A model or tool of the catalog, checked and ready for use.

use std::collections::HashMap;

use atelier_domain::MediaKind;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    check::Target,
    origin::{Hosting, License, Upstream},
    parameter::{Parameter, Role},
    price::Pricing,
    rule::Rule,
    task::Task,
};

/// One model or tool: what it is, what it takes, what it costs and what serves it.
#[derive(Debug)]
pub struct Model {
    pub slug: String,
    pub name: String,
    pub model_type: ModelType,
    pub category: String,
    pub description: String,
    /// What it makes; tools make images.
    pub output: MediaKind,
    /// Who made it.
    pub vendor: Option<String>,
    pub hosting: Option<Hosting>,
    /// Of its weights; models that are nobody's weights have none.
    pub license: Option<License>,
    /// What others call it, for those who write routes.
    pub upstream: Upstream,
    pub capabilities: Map<String, Value>,
    /// Those of `capabilities.tasks`.
    pub tasks: Vec<Task>,
    /// In the documented order.
    pub parameters: Vec<Parameter>,
    pub pricing: Pricing,
    pub limits: Limits,
    /// Who serves it where the operator has not said otherwise, in the order to try.
    pub routes: Vec<CatalogRoute>,
    pub(crate) rules: Vec<Rule>,
    /// Every name that a request may use.
    pub(crate) names: HashMap<String, Target>,
    pub(crate) json_schema: Value,
}

impl Model {
    /// The parameter of this name, or that this common name means here (`duration_seconds` → `duration`).
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.names
            .get(name)
            .map(|target| &self.parameters[target.parameter()])
    }

    /// The parameter that has this role.
    pub fn with_role(&self, role: Role) -> Option<&Parameter> {
        self.parameters
            .iter()
            .find(|parameter| parameter.role == Some(role))
    }
}

/// What the catalog sorts models by.
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

/// An engine that serves the model, and what to ask of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogRoute {
    pub engine: String,
    pub task: String,
}
