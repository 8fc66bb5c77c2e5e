//! A model as clients see it: the summary for `GET /models`, the full description for `GET /models/{slug}`.

use std::{borrow::Cow, collections::BTreeMap};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    model::{Limits, Model, ModelType},
    origin::{Hosting, License, Upstream},
    parameter::Parameter,
    price::Pricing,
    sentence,
};

/// An entry of `GET /models`.
#[derive(Debug, Clone, Serialize)]
pub struct Summary<'a> {
    pub slug: &'a str,
    pub name: &'a str,
    #[serde(rename = "type")]
    pub model_type: ModelType,
    pub category: &'a str,
    pub description: Cow<'a, str>,
}

/// The answer of `GET /models/{slug}`.
#[derive(Debug, Clone, Serialize)]
pub struct Description<'a> {
    #[serde(flatten)]
    pub summary: Summary<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vendor: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hosting: Option<Hosting>,
    /// The licence of the weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<&'a License>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub upstream: &'a Upstream,
    pub capabilities: &'a Map<String, Value>,
    /// In the documented order.
    pub parameters: &'a [Parameter],
    /// Sentences.
    pub rules: Vec<String>,
    pub pricing: &'a Pricing,
    pub limits: Limits,
    /// JSON Schema 2020-12 of the accepted `params`.
    pub json_schema: &'a Value,
}

impl Model {
    pub fn summary(&self) -> Summary<'_> {
        Summary {
            slug: &self.slug,
            name: &self.name,
            model_type: self.model_type,
            category: &self.category,
            description: Cow::Borrowed(&self.description),
        }
    }

    pub fn describe(&self) -> Description<'_> {
        Description {
            summary: self.summary(),
            vendor: self.vendor.as_deref(),
            hosting: self.hosting,
            license: self.license.as_ref(),
            upstream: &self.upstream,
            capabilities: &self.capabilities,
            parameters: &self.parameters,
            rules: self.rules(),
            pricing: &self.pricing,
            limits: self.limits,
            json_schema: &self.json_schema,
        }
    }

    /// The rules across parameters and for files, as sentences.
    pub fn rules(&self) -> Vec<String> {
        sentence::rules(&self.parameters, &self.rules)
    }

    /// JSON Schema 2020-12 of the accepted `params`. Rules that a schema cannot express (the script of a text,
    /// a comparison of two numbers, the content of a file) are only in `rules`.
    pub fn json_schema(&self) -> Value {
        self.json_schema.clone()
    }
}
