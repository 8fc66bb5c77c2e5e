//! Weights that are on this machine: each serves its models without a route of the operator.

use std::{
    fmt,
    sync::{Arc, PoisonError, RwLock},
};

use serde::Serialize;
use serde_json::Value;

/// The weights that make a model's results, as clients see them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Weights {
    /// The name of the entry.
    pub name: String,
    pub title: String,
    /// The licence of the original weights: an SPDX id, or its name.
    pub license: String,
    /// The address of the licence's text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license_url: Option<String>,
    /// The fields of the model that the weights cannot follow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without_effect: Vec<String>,
}

/// Weights that serve one model of the catalog, or a task of the service itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Serving {
    /// The model's slug; `None` for a task of the service itself.
    pub model: Option<String>,
    /// The task for the engine.
    pub task: String,
    /// The engine that runs the weights.
    pub engine: String,
    /// Laid over the engine's request template.
    pub body: Option<Value>,
    pub weights: Arc<Weights>,
}

/// The weights that serve models by themselves now. All clones share one list.
#[derive(Clone, Default)]
pub(crate) struct Present(Arc<RwLock<Vec<Serving>>>);

impl Present {
    pub(crate) fn set(&self, serving: Vec<Serving>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = serving;
    }

    /// The entries for a model, in the order to try.
    pub(crate) fn of(&self, model: &str) -> Vec<Serving> {
        let serving = self.0.read().unwrap_or_else(PoisonError::into_inner);
        serving
            .iter()
            .filter(|serving| serving.model.as_deref() == Some(model))
            .cloned()
            .collect()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        let serving = self.0.read().unwrap_or_else(PoisonError::into_inner);
        serving.iter().any(|serving| serving.weights.name == name)
    }

    /// The weights of this name that an engine runs.
    pub(crate) fn named(&self, engine: &str, name: &str) -> Option<Arc<Weights>> {
        let serving = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut serving = serving.iter();
        let found = serving.find(|serving| serving.engine == engine && serving.weights.name == name)?;
        Some(Arc::clone(&found.weights))
    }

    /// The weights for a task of the service itself: the first of them.
    pub(crate) fn for_task(&self, task: &str) -> Option<Arc<Weights>> {
        let serving = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut own = serving.iter().filter(|serving| serving.model.is_none());
        own.find(|serving| serving.task == task)
            .map(|serving| Arc::clone(&serving.weights))
    }
}

impl fmt::Debug for Present {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.read().unwrap_or_else(PoisonError::into_inner).fmt(f)
    }
}
