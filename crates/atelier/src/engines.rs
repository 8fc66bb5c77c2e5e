//! The engines and routes that a configuration asks for, made and put in order.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::Arc,
};

use atelier_engines::{
    ComfyEngine, ComfyOptions, DraftEngine, DraftOptions, EchoEngine, Endpoint, Engine, HttpEngine,
    HttpOptions, JoinedEngine, Marking, Routes, http::Template,
};

use crate::{
    config::{ComfyConfig, Config, EngineConfig, EngineKind, HttpConfig},
    credentials,
    endpoints::{Shared, endpoint},
    failure::Failure,
    onnx, processes,
    profiles::profile,
    serving, studio,
    workflows::graphs,
};

/// `host` is the program, and its arguments, that become a child process of the embedded engines.
pub(crate) fn routes(config: &Config, host: (PathBuf, Vec<OsString>)) -> Result<Routes, Failure> {
    let (program, mut args) = host;
    let own_program = program.clone();
    let marking = marking(config, &own_program, args.clone());
    if let Some(path) = &config.draft_soundfont {
        args.extend(["--soundfont".into(), path.into()]);
    }
    let draft = Arc::new(DraftEngine::new(DraftOptions {
        program,
        args,
        tasks: studio::draft_tasks(),
        weights: studio::built_in(),
        concurrency: config.concurrency,
        memory_limit_bytes: config.draft_memory_bytes,
        output_limit_bytes: config.draft_output_bytes,
        idle_timeout: config.draft_idle,
    }));
    let shared = Shared {
        callbacks: Arc::default(),
        rewriter: studio::can_rewrite().then(|| Arc::clone(&draft)),
    };
    let weights = onnx::weights_engine(config, &own_program);
    let mut engines: Vec<Arc<dyn Engine>> = vec![Arc::new(EchoEngine)];
    if config.draft {
        engines.insert(0, draft);
    }
    engines.extend(weights.map(|engine| Arc::new(engine) as Arc<dyn Engine>));
    let processes = processes::processes(config, &own_program, &shared)?;
    for engine in &config.engines {
        engines.push(match &engine.kind {
            EngineKind::Http(http) => Arc::new(http_engine(config, engine, http, &shared)?),
            EngineKind::Comfy(comfy) => Arc::new(comfy_engine(config, engine, comfy)?),
            EngineKind::Onnx(onnx) => Arc::new(onnx::engine(config, engine, onnx, &own_program)),
            EngineKind::Remote => Arc::new(JoinedEngine::new(&engine.name)),
            EngineKind::Process(_) => continue,
        });
    }
    engines.extend(processes.engines);
    let wrong = |why: String| Failure::Failed {
        code: "configuration",
        message: format!("{}: {why}", config.origin("routes")),
    };
    let runs_graphs = |name: &str| {
        let mut engines = config.engines.iter();
        engines.any(|engine| {
            engine.name == name
                && match &engine.kind {
                    EngineKind::Comfy(_) => true,
                    EngineKind::Process(process) => processes::runs_graphs(process),
                    EngineKind::Http(_) | EngineKind::Onnx(_) | EngineKind::Remote => false,
                }
        })
    };
    let configured = config.engines.iter();
    let remote: Vec<_> = configured
        .filter(|engine| engine.kind == EngineKind::Remote)
        .map(|engine| engine.name.as_str())
        .collect();
    for route in config
        .routes
        .iter()
        .filter(|route| remote.contains(&route.engine.as_str()))
    {
        if route.target.is_some() || route.workflow.is_some() || route.body.is_some() {
            return Err(wrong(format!(
                "the route of `{}`: a route to an engine of the kind `remote` has only `model` and `engine`; the \
                 routes of the workers have the rest",
                route.model
            )));
        }
    }
    // A graph that is laid over another is read where the engine is made.
    for route in config.routes.iter().filter(|route| !runs_graphs(&route.engine)) {
        if route.workflow.is_some() {
            let why = "only engines of the kind or profile `comfyui` run workflows";
            return Err(wrong(format!(
                "the `workflow` of the route of `{}`: {why}",
                route.model
            )));
        }
        let body = route
            .body
            .clone()
            .map(serde_json::from_value::<Template>)
            .transpose();
        body.map_err(|error| wrong(format!("the `body` of the route of `{}`: {error}", route.model)))?;
    }
    let routes = Routes::new(engines, config.routes.clone()).map_err(|error| wrong(error.to_string()))?;
    routes.set_weights(serving::serving(config)?);
    let routes = match onnx::safety(config, &own_program) {
        Some(safety) => routes.with_safety(safety),
        None => routes,
    };
    let routes = marking.into_iter().fold(routes, Routes::with_marking);
    let credentials = credentials::credentials(config, &own_program)?;
    let routes = credentials.into_iter().fold(routes, Routes::with_credentials);
    let routes = routes.with_callbacks(shared.callbacks);
    let routes = routes.with_newcomers(processes.pulled.newcomers());
    Ok(routes.with_programs(Some(processes.programs)))
}

/// Pictures that are marked at the same time.
const MARKERS: usize = 2;

/// Returns the engines that write and read marks in pictures, if the program has the embedded engines.
pub(crate) fn marking(config: &Config, program: &Path, args: Vec<OsString>) -> Option<Marking> {
    let tasks = studio::marking_tasks();
    let hosts = DraftOptions {
        program: program.to_owned(),
        args,
        tasks,
        weights: Vec::new(),
        concurrency: MARKERS,
        memory_limit_bytes: config.draft_memory_bytes,
        output_limit_bytes: config.draft_output_bytes,
        idle_timeout: config.draft_idle,
    };
    (!hosts.tasks.is_empty()).then(|| Marking::new(hosts))
}

fn http_engine(
    config: &Config,
    engine: &EngineConfig,
    http: &HttpConfig,
    shared: &Shared,
) -> Result<HttpEngine, Failure> {
    let wrong = |why: String| Failure::Failed {
        code: "configuration",
        message: format!(
            "{}: the engine `{}`: {why}",
            config.origin("engines"),
            engine.name
        ),
    };
    let profile = profile(config, &http.profile).map_err(wrong)?;
    let url = match (&http.url, &profile.url) {
        (Some(url), _) => url.clone(),
        (None, Some(url)) => url.parse().map_err(|_| {
            let url = Endpoint::masked_url(url);
            wrong(format!(
                "the `url` of its profile must be an http or https URL (got `{url}`)"
            ))
        })?,
        (None, None) => return Err(wrong("its profile has no `url`; set `url` here".to_owned())),
    };
    let options = HttpOptions {
        endpoint: endpoint(config, engine, url, http.key.clone(), http.requests_per_minute),
        profile,
        callbacks: Arc::clone(&shared.callbacks),
        rewriter: shared.rewriter.clone(),
    };
    HttpEngine::new(options).map_err(|error| wrong(error.to_string()))
}

/// A server that runs graphs, with those that its routes name. A mistake in one of them is an error at start.
fn comfy_engine(config: &Config, engine: &EngineConfig, comfy: &ComfyConfig) -> Result<ComfyEngine, Failure> {
    let graphs = graphs(config, engine)?;
    let (url, key) = (comfy.url.clone(), comfy.key.clone());
    let options = ComfyOptions {
        endpoint: endpoint(config, engine, url, key, comfy.requests_per_minute),
        graphs,
    };
    ComfyEngine::new(options).map_err(|error| Failure::Failed {
        code: "configuration",
        message: format!(
            "{}: the engine `{}`: {error}",
            config.origin("engines"),
            engine.name
        ),
    })
}
