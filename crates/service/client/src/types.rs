//! The shapes of requests and answers. Fields that a newer service adds are kept in `more`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Debug, Deserialize)]
pub(crate) struct Data<T> {
    pub(crate) data: T,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Balance {
    pub(crate) credits: i64,
}

/// One page of a list.
#[derive(Debug, Clone, Deserialize)]
pub struct List<T> {
    pub data: Vec<T>,
    pub meta: Meta,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Meta {
    pub total: u64,
    pub limit: u32,
    pub next_cursor: Option<String>,
}

/// A generation to create.
#[derive(Debug, Clone, Serialize)]
pub struct CreateGeneration {
    pub model: String,
    /// Fields of the model, and common fields under their common names.
    pub params: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook_url: Option<String>,
}

/// An accepted generation.
#[derive(Debug, Clone, Deserialize)]
pub struct Accepted {
    pub id: String,
    pub status: String,
    pub model: String,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Generation {
    pub id: String,
    pub object: String,
    pub model: String,
    #[serde(rename = "type")]
    pub kind: String,
    /// `processing`, `completed` or `failed`.
    pub status: String,
    /// From 0 to 1, while processing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credits_charged: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Output>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Generation {
    pub fn is_ended(&self) -> bool {
        self.status != "processing"
    }
}

#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Output {
    pub assets: Vec<Asset>,
    /// The word timestamps of speech, as a JSON file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamps: Option<File>,
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Asset {
    pub url: String,
    #[serde(rename = "type")]
    pub kind: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct File {
    pub url: String,
}

/// Why a generation failed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Failure {
    pub code: String,
    #[serde(default)]
    pub message: String,
}

/// One invalid parameter.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Problem {
    pub parameter: String,
    pub message: String,
}

/// The generations to list.
#[derive(Debug, Clone, Default)]
pub struct GenerationFilter {
    pub status: Option<String>,
    pub model: Option<String>,
    pub kind: Option<String>,
    pub limit: Option<u32>,
    pub cursor: Option<String>,
}

impl GenerationFilter {
    pub(crate) fn query(&self) -> BTreeMap<&'static str, String> {
        let limit = self.limit.map(|limit| limit.to_string());
        let all = [
            ("status", &self.status),
            ("model", &self.model),
            ("type", &self.kind),
            ("limit", &limit),
            ("cursor", &self.cursor),
        ];
        all.into_iter()
            .filter_map(|(name, value)| Some((name, value.clone()?)))
            .collect()
    }
}

/// A stored file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Uploaded {
    pub url: String,
    pub mime_type: String,
    /// In bytes.
    pub size: u64,
}

/// A summary of a model.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct ModelSummary {
    pub slug: String,
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub category: String,
    pub description: String,
    /// Whether a result would be a draft, made without a trained model.
    #[serde(default)]
    pub draft: bool,
    /// The weights on the server that make the results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<Value>,
    /// The weights that the operator could pull to make them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub available_weights: Vec<Value>,
}

/// A model with its fields.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Model {
    #[serde(flatten)]
    pub summary: ModelSummary,
    pub parameters: Vec<Parameter>,
    /// The rules between fields, as sentences.
    pub rules: Vec<String>,
    pub pricing: Map<String, Value>,
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Model {
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }
}

/// One field of a model.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Parameter {
    pub name: String,
    pub label: String,
    /// `select`, `number`, `text`, `textarea`, `boolean`, `multi_select` or `url`.
    #[serde(rename = "type")]
    pub kind: String,
    pub required: bool,
    pub default: Value,
    pub options: Option<Vec<Value>>,
    pub min: Option<f64>,
    pub max: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
    /// The media kinds or types that a field for files accepts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepts: Vec<String>,
    #[serde(flatten)]
    pub more: Map<String, Value>,
}
