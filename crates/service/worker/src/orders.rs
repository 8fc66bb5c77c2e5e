//! The job for an engine, made from the request.

use atelier_app::System;
use atelier_catalog::{InputUrl, Model};
use atelier_domain::{Failure, FailureCode, Generation, GenerationId, Noted};
use atelier_engines::{Asked, Input, Job, RouteOptions};
use atelier_media::Scratch;
use serde_json::{Map, Value};

use crate::{
    OUR_FAULT_DELAY,
    inputs::{Fetching, gather},
};

/// A job without its input files.
#[derive(Debug)]
pub(crate) struct Described<'a> {
    generation: &'a Generation,
    model: &'a Model,
    pub(crate) task: String,
    pub(crate) params: Map<String, Value>,
    pub(crate) asked: Vec<Asked>,
    options: RouteOptions,
    pub(crate) resume: Option<String>,
    /// Whether another engine can run it.
    pub(crate) has_alternative: bool,
    pub(crate) urls: Vec<InputUrl>,
}

/// Describes a job for the engine that claimed it.
pub(crate) fn describe<'a>(
    system: &'a System,
    generation: &'a Generation,
    engine: &str,
) -> Result<Described<'a>, Failure> {
    let app = system.app();
    let model = app.catalog().get(&generation.model).ok_or_else(|| {
        Failure::fail(
            FailureCode::GenerationFailed,
            "the model was removed from the catalog",
        )
    })?;
    let targets = app.targets(&generation.model);
    let mut serving = targets.iter();
    let target = serving
        .find(|target| target.engine.name() == engine)
        .ok_or_else(served_elsewhere)?;
    Ok(Described {
        generation,
        model,
        task: target.task.clone(),
        params: model.by_role(&generation.params),
        asked: asked(model, &generation.params),
        options: target.options.clone(),
        resume: resumable(generation, engine),
        has_alternative: targets.len() > 1,
        urls: model.inputs(&generation.params),
    })
}

/// The failure of a job whose engine no longer serves its model.
pub(crate) fn served_elsewhere() -> Failure {
    let message = "another engine serves the model now";
    Failure::retry(FailureCode::GenerationFailed, message, OUR_FAULT_DELAY)
}

impl Described<'_> {
    /// Fetches and checks the input files. They get the standard names of their parameters.
    pub(crate) async fn inputs(&self, fetching: &Fetching, scratch: &Scratch) -> Result<Vec<Input>, Failure> {
        let mut inputs = gather(fetching, self.model, self.generation, &self.urls, scratch).await?;
        for input in &mut inputs {
            if let Some(parameter) = self.model.parameter(&input.parameter) {
                parameter.standard_name().clone_into(&mut input.parameter);
            }
        }
        Ok(inputs)
    }

    /// Lets the engine's provider open inputs that are private media by their links.
    pub(crate) async fn link_inputs(&mut self, system: &System) -> Result<(), Failure> {
        if self.urls.is_empty() {
            return Ok(());
        }
        let params = system.engine_params(self.generation).await.map_err(|error| {
            tracing::error!(%error, "the links to the inputs of a job could not be made");
            let message = "the links to the inputs could not be made";
            Failure::retry(FailureCode::GenerationFailed, message, OUR_FAULT_DELAY)
        })?;
        self.params = self.model.by_role(&params);
        Ok(())
    }

    pub(crate) fn job(self, inputs: Vec<Input>, scratch: Scratch) -> Job {
        Job {
            id: self.generation.id,
            attempt: self.generation.attempt,
            model: self.generation.model.clone(),
            task: self.task,
            kind: self.generation.kind,
            params: self.params,
            asked: self.asked,
            inputs,
            seed: seed(self.generation.id),
            options: self.options,
            resume: self.resume,
            scratch,
        }
    }
}

/// Returns the request's own fields with a value, and whether it is the model's default.
fn asked(model: &Model, params: &Map<String, Value>) -> Vec<Asked> {
    let parameters = model.parameters.iter();
    let asked = parameters.filter_map(|parameter| {
        let value = params.get(&parameter.name).filter(|value| !value.is_null())?;
        Some(Asked {
            name: parameter.name.clone(),
            standard: parameter.standard_name().to_owned(),
            is_chosen: parameter.default.as_ref() != Some(value),
        })
    });
    asked.collect()
}

/// The request of an earlier attempt of this engine, which its provider may still be working on.
fn resumable(generation: &Generation, engine: &str) -> Option<String> {
    let noted: Noted = serde_json::from_str(generation.request.as_deref()?).ok()?;
    (noted.engine == engine).then_some(noted.request)
}

/// The seed of a generation: the random bits of its id.
pub(crate) fn seed(id: GenerationId) -> u64 {
    id.0.as_u64_pair().1
}
