//! Routes from models to engines: the operator's, or else those of the catalog. A model can have several targets. The
//! first serves it, the others replace it when it fails.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, PoisonError, RwLock},
};

use atelier_domain::MediaKind;
use atelier_processes::Programs;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::sync::watch;

use crate::{
    Breaker, Credentials, Engine, Job, Marking, RouteOptions, Safety, SafetyCheck,
    http::Callbacks,
    safety,
    weights::{Present, Serving, Weights},
};

/// A route of the operator: which engine serves which models.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Route {
    /// A model's slug, or a pattern such as `video-*` in which `*` stands for any text.
    pub model: String,
    /// An engine's name.
    pub engine: String,
    /// The engine's name of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// For engines of the kind `comfyui`: a workflow in the data folder's `workflows`, or a shipped one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
    /// Laid over the request template of the engine's profile, or over the workflow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
}

impl Route {
    /// The options for the engine.
    pub fn options(&self) -> RouteOptions {
        RouteOptions {
            target: self.target.clone(),
            workflow: self.workflow.clone(),
            body: self.body.clone(),
            weights: None,
        }
    }
}

/// An engine that can run a model's jobs.
#[derive(Debug, Clone)]
pub struct Target {
    pub engine: Arc<dyn Engine>,
    /// Only for external engines.
    pub breaker: Option<Arc<Breaker>>,
    /// The task for the engine.
    pub task: String,
    pub options: RouteOptions,
}

/// Why routes are invalid. The service does not start with such routes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RouteError {
    #[error("the route of `{model}` names the unknown engine `{engine}`; known engines: {}", .known.join(", "))]
    UnknownEngine {
        model: String,
        engine: String,
        known: Vec<String>,
    },
    #[error("a route to the engine `{engine}` has an empty `model`; use `*` for every model")]
    NoModel { engine: String },
    #[error("two engines have the name `{0}`; names must be unique")]
    TwoOfOneName(String),
}

/// Finds engines that are not there yet.
#[derive(Clone)]
pub struct Newcomers(pub Arc<Find>);

impl fmt::Debug for Newcomers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Newcomers").finish_non_exhaustive()
    }
}

/// Makes the engines that [`Routes::engine`] does not know.
pub type Find = dyn Fn(&Routes) -> Vec<Arc<dyn Engine>> + Send + Sync;

/// The engines, and the routes to them.
#[derive(Clone)]
pub struct Routes {
    /// They only grow. All clones share them.
    engines: Arc<RwLock<Vec<Arc<dyn Engine>>>>,
    breakers: Arc<RwLock<HashMap<String, Arc<Breaker>>>>,
    added: watch::Sender<usize>,
    newcomers: Option<Newcomers>,
    callbacks: Arc<Callbacks>,
    configured: Vec<Route>,
    present: Present,
    safety: Option<Arc<Safety>>,
    marking: Option<Arc<Marking>>,
    credentials: Option<Arc<Credentials>>,
    programs: Option<Programs>,
}

impl Target {
    /// The weights that make its results: those that it runs, or those in the program.
    pub fn weights(&self) -> Option<Arc<Weights>> {
        self.options
            .weights
            .clone()
            .or_else(|| self.engine.weights(&self.task))
    }
}

impl Routes {
    pub fn new(engines: Vec<Arc<dyn Engine>>, configured: Vec<Route>) -> Result<Self, RouteError> {
        for (at, engine) in engines.iter().enumerate() {
            if engines[..at]
                .iter()
                .any(|earlier| earlier.name() == engine.name())
            {
                return Err(RouteError::TwoOfOneName(engine.name().to_owned()));
            }
        }
        let remote = engines.iter().filter(|engine| engine.is_remote());
        let breakers = remote
            .map(|engine| (engine.name().to_owned(), Arc::default()))
            .collect();
        let routes = Self {
            engines: Arc::new(RwLock::new(engines)),
            breakers: Arc::new(RwLock::new(breakers)),
            added: watch::Sender::default(),
            newcomers: None,
            callbacks: Arc::default(),
            configured,
            present: Present::default(),
            programs: None,
            safety: None,
            marking: None,
            credentials: None,
        };
        for Route { model, engine, .. } in &routes.configured {
            if model.is_empty() {
                return Err(RouteError::NoModel {
                    engine: engine.clone(),
                });
            }
            if routes.engine(engine).is_none() {
                return Err(RouteError::UnknownEngine {
                    model: model.clone(),
                    engine: engine.clone(),
                    known: routes
                        .engines()
                        .iter()
                        .map(|engine| engine.name().to_owned())
                        .collect(),
                });
            }
        }
        Ok(routes)
    }

    /// The engines that are there now.
    pub fn engines(&self) -> Vec<Arc<dyn Engine>> {
        self.engines
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub fn engine(&self, name: &str) -> Option<Arc<dyn Engine>> {
        let engines = self.engines.read().unwrap_or_else(PoisonError::into_inner);
        engines.iter().find(|engine| engine.name() == name).cloned()
    }

    /// Adds what finds engines that came after the start, such as those of pulled weights.
    pub fn with_newcomers(self, newcomers: Newcomers) -> Self {
        Self {
            newcomers: Some(newcomers),
            ..self
        }
    }

    /// Looks for engines that came after the start. An engine stays until the end, so that its jobs can end.
    pub fn add_newcomers(&self) {
        let Some(Newcomers(find)) = &self.newcomers else {
            return;
        };
        for engine in find(self) {
            let mut engines = self.engines.write().unwrap_or_else(PoisonError::into_inner);
            if engines.iter().any(|known| known.name() == engine.name()) {
                continue;
            }
            if engine.is_remote() {
                let mut breakers = self.breakers.write().unwrap_or_else(PoisonError::into_inner);
                breakers.insert(engine.name().to_owned(), Arc::default());
            }
            engines.push(engine);
            self.added.send_replace(engines.len());
        }
    }

    /// Changes whenever an engine was added.
    pub fn added(&self) -> watch::Receiver<usize> {
        self.added.subscribe()
    }

    /// Adds the callbacks that the engines were created with.
    pub fn with_callbacks(self, callbacks: Arc<Callbacks>) -> Self {
        Self { callbacks, ..self }
    }

    /// Adds the programs that engines start.
    pub fn with_programs(self, programs: Option<Programs>) -> Self {
        Self { programs, ..self }
    }

    /// The programs that engines start, if there are such engines.
    pub fn programs(&self) -> Option<&Programs> {
        self.programs.as_ref().filter(|programs| !programs.is_empty())
    }

    /// Adds what examines results where weights for it are on this machine.
    pub fn with_safety(self, safety: Safety) -> Self {
        Self {
            safety: Some(Arc::new(safety)),
            ..self
        }
    }

    /// The safety check of what an engine will make of a job: nothing without weights for it, or where neither the
    /// policy nor the request wants it.
    pub fn safety_check(&self, engine: &dyn Engine, job: &mut Job) -> Option<SafetyCheck> {
        let safety = self.safety.as_ref()?;
        safety.check_of(self.present.for_task(safety::TASK)?, engine, job)
    }

    /// Whether [`safety_check`](Self::safety_check) examines the result of a job with these parameters.
    pub fn examines_result(&self, params: &Map<String, Value>) -> bool {
        let safety = self.safety.as_ref();
        safety.is_some_and(|safety| safety.is_wanted(params) && self.present.for_task(safety::TASK).is_some())
    }

    /// Adds what writes and reads marks in pictures.
    pub fn with_marking(self, marking: Marking) -> Self {
        Self {
            marking: Some(Arc::new(marking)),
            ..self
        }
    }

    /// Returns the engines that write and read marks in pictures, if the program has them.
    pub fn marking(&self) -> Option<&Marking> {
        self.marking.as_deref()
    }

    /// Adds what signs files and reads signatures.
    pub fn with_credentials(self, credentials: Credentials) -> Self {
        Self {
            credentials: Some(Arc::new(credentials)),
            ..self
        }
    }

    /// Returns the program that signs files and reads signatures, if it is installed.
    pub fn credentials(&self) -> Option<&Credentials> {
        self.credentials.as_deref()
    }

    /// Ends the processes of the safety check and of the marks.
    pub async fn close_safety(&self) {
        if let Some(safety) = &self.safety {
            safety.close().await;
        }
        if let Some(marking) = &self.marking {
            marking.close().await;
        }
    }

    pub fn callbacks(&self) -> &Arc<Callbacks> {
        &self.callbacks
    }

    /// Says which weights serve models by themselves from now on, for all clones.
    pub fn set_weights(&self, serving: Vec<Serving>) {
        self.present.set(serving);
    }

    /// Whether weights of this name serve models here.
    pub fn has_weights(&self, name: &str) -> bool {
        self.present.has(name)
    }

    /// The breaker of an external engine.
    pub fn breaker(&self, engine: &str) -> Option<Arc<Breaker>> {
        let breakers = self.breakers.read().unwrap_or_else(PoisonError::into_inner);
        breakers.get(engine).cloned()
    }

    /// The targets of a model, best first; empty if no engine can serve it.
    ///
    /// `catalog_routes` are the engines and tasks in the model's file; engines that this installation lacks are
    /// skipped. Weights on this machine come before them. An operator's route replaces them all, even if its engine
    /// cannot serve the model: the operator chose that engine.
    pub fn for_model(&self, slug: &str, kind: MediaKind, catalog_routes: &[(&str, &str)]) -> Vec<Target> {
        let mut routes: Vec<(&str, &str, RouteOptions)> = self
            .configured
            .iter()
            .filter(|route| matches(&route.model, slug))
            .map(|route| {
                let task = task_for(&route.engine, kind, catalog_routes);
                let mut options = route.options();
                let target = route.target.as_deref();
                options.weights = target.and_then(|target| self.present.named(&route.engine, target));
                (route.engine.as_str(), task, options)
            })
            .collect();
        let present = self.present.of(slug);
        if routes.is_empty() {
            routes.extend(present.iter().map(|serving| {
                let options = RouteOptions {
                    target: Some(serving.weights.name.clone()),
                    weights: Some(Arc::clone(&serving.weights)),
                    body: serving.body.clone(),
                    ..RouteOptions::default()
                };
                (serving.engine.as_str(), serving.task.as_str(), options)
            }));
            routes.extend(
                catalog_routes
                    .iter()
                    .map(|(engine, task)| (*engine, *task, RouteOptions::default())),
            );
        }
        let mut targets: Vec<Target> = Vec::with_capacity(routes.len());
        for (name, task, options) in routes {
            let Some(engine) = self.engine(name).filter(|engine| engine.serves(task, kind)) else {
                continue;
            };
            if !targets
                .iter()
                .any(|target| target.engine.name() == name && target.task == task)
            {
                targets.push(Target {
                    breaker: self.breaker(name),
                    engine,
                    task: task.to_owned(),
                    options,
                });
            }
        }
        targets
    }
}

impl fmt::Debug for Routes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engines = self.engines();
        let engines: Vec<_> = engines.iter().map(|engine| engine.name()).collect();
        f.debug_struct("Routes")
            .field("engines", &engines)
            .field("configured", &self.configured)
            .finish_non_exhaustive()
    }
}

/// The task of an operator's route: the catalog's for that engine, else the catalog's first, else, for a model
/// without routes, the model's kind of output.
fn task_for<'a>(engine: &str, kind: MediaKind, catalog_routes: &[(&'a str, &'a str)]) -> &'a str {
    let same_engine = catalog_routes.iter().find(|(name, _)| *name == engine);
    same_engine
        .or(catalog_routes.first())
        .map_or(kind.as_str(), |(_, task)| task)
}

/// Whether a pattern, in which `*` stands for any text, matches the whole of `slug`.
pub fn matches(pattern: &str, slug: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = slug.strip_prefix(first) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    // Matching each part at its first occurrence leaves the most text for the parts after it.
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests;
