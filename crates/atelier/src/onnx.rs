//! Engines that run ONNX graphs in child processes of this program: those of the operator, and the one for pulled
//! weights.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::Arc,
};

use atelier_engines::{DraftOptions, OnnxEngine, Route, Safety};

use crate::{
    config::{Config, EngineConfig, OnnxConfig, RuntimeConfig},
    serving, studio,
    weights::{self, EngineLeases},
};

/// The most processes that examine results at a time.
const SAFETY_PROCESSES: usize = 2;

/// The engine that runs pulled weights, if the program has a runtime for them.
pub(crate) fn weights_engine(config: &Config, program: &Path) -> Option<OnnxEngine> {
    let onnx = pulled(config);
    let hosts = hosts(config, &onnx, 1, program);
    let health = health_of_weights(&onnx.run);
    if let Err(why) = &health {
        tracing::warn!(why, "pulled weights do not run");
    }
    let leases = leases(config, serving::ENGINE);
    (!hosts.tasks.is_empty()).then(|| OnnxEngine::new(serving::ENGINE.to_owned(), hosts, leases, health))
}

/// Returns the engine that examines results by pulled weights, if the program has a runtime for them.
pub(crate) fn safety(config: &Config, program: &Path) -> Option<Safety> {
    let hosts = hosts(config, &pulled(config), SAFETY_PROCESSES, program);
    (!hosts.tasks.is_empty()).then(|| Safety::new(hosts, config.safety))
}

/// How pulled weights run.
fn pulled(config: &Config) -> OnnxConfig {
    let mut run = config.models.run.clone();
    if run.runtime != "rten" && run.library.is_none() {
        run.library = weights::runtime_library(config);
    }
    OnnxConfig {
        run,
        models: None,
        memory_bytes: config.models.memory_bytes,
    }
}

fn health_of_weights(run: &RuntimeConfig) -> Result<String, String> {
    if let Some(what) = run.lacks_library() {
        let target = atelier_weights::this_target();
        return Err(format!(
            "{what} in `[models]` requires ONNX Runtime: name its shared library in `models.library`, or pull \
             `onnxruntime-{target}` and start again"
        ));
    }
    let named = [&run.library, &run.provider];
    if let Some(missing) = named.into_iter().flatten().find(|path| !path.is_file()) {
        return Err(format!("the library {} does not exist", missing.display()));
    }
    Ok(run.library.as_ref().map_or_else(
        || "the runtime in the program".to_owned(),
        |library| library.display().to_string(),
    ))
}

/// The operator's ONNX models, in child processes of this program. A fault of theirs does not prevent the start:
/// jobs go to the next route.
pub(crate) fn engine(
    config: &Config,
    engine: &EngineConfig,
    onnx: &OnnxConfig,
    program: &Path,
) -> OnnxEngine {
    let models = folder(config, onnx);
    let hosts = hosts(config, onnx, engine.concurrency, program);
    let asked = config.routes.iter().filter(|route| route.engine == engine.name);
    let health = health_of_models(&onnx.run, &models, asked);
    if let Err(why) = &health {
        tracing::warn!(
            engine = engine.name,
            why,
            "an engine cannot serve all of its routes"
        );
    }
    let leases = leases(config, &engine.name);
    OnnxEngine::new(engine.name.clone(), hosts, leases, health)
}

fn leases(config: &Config, engine: &str) -> Arc<EngineLeases> {
    Arc::new(EngineLeases {
        store: weights::store(config),
        engine: engine.to_owned(),
    })
}

fn health_of_models<'a>(
    run: &RuntimeConfig,
    models: &Path,
    routes: impl Iterator<Item = &'a Route>,
) -> Result<String, String> {
    let named = [&run.library, &run.provider];
    if let Some(missing) = named.into_iter().flatten().find(|path| !path.is_file()) {
        return Err(format!("the library {} does not exist", missing.display()));
    }
    let mut found = Vec::new();
    for route in routes {
        let target = route.target.as_deref();
        let target = target.ok_or_else(|| format!("the route of `{}` has no `target`", route.model))?;
        studio::check_model(&models.join(target))?;
        found.push(target);
    }
    let library = run.library.as_ref();
    let runtime = library.map_or_else(|| "rten".to_owned(), |library| library.display().to_string());
    Ok(format!("{runtime} with {}", found.join(", ")))
}

fn folder(config: &Config, onnx: &OnnxConfig) -> PathBuf {
    onnx.models
        .clone()
        .unwrap_or_else(|| weights::store(config).root().to_owned())
}

/// How the child processes start, and what they run.
fn hosts(config: &Config, onnx: &OnnxConfig, concurrency: usize, program: &Path) -> DraftOptions {
    let mut args: Vec<OsString> = vec![
        "onnx-host".into(),
        "--runtime".into(),
        onnx.run.runtime.clone().into(),
        "--device".into(),
        onnx.run.device.clone().into(),
    ];
    args.extend(["--models".into(), folder(config, onnx).into_os_string()]);
    if let Some(library) = &onnx.run.library {
        args.extend(["--library".into(), library.clone().into_os_string()]);
    }
    if let Some(provider) = &onnx.run.provider {
        args.extend(["--provider".into(), provider.clone().into_os_string()]);
    }
    DraftOptions {
        program: program.to_owned(),
        args,
        tasks: studio::onnx_tasks(),
        weights: Vec::new(),
        concurrency,
        memory_limit_bytes: onnx.memory_bytes,
        output_limit_bytes: config.draft_output_bytes,
        idle_timeout: config.draft_idle,
    }
}
