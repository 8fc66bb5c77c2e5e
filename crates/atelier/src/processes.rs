//! The programs that engines of the kind `process` start, made of the configuration: devices and their memory,
//! commands, and the engines that speak to them.

mod devices;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use atelier_engines::{
    ComfyEngine, ComfyOptions, Connect, Connection, Engine, HttpEngine, HttpOptions, HttpProbe,
    ProcessEngine, ProcessOptions, http::Callbacks,
};
use atelier_processes::{
    Description, Device, Limits, Needs, Network, Programs, Rules, Setup, check_isolation,
};

use crate::{
    config::{Config, EngineConfig, EngineKind, ProcessConfig},
    engines::{endpoint, graphs, profile},
    failure::Failure,
    sd_server, weights,
};
use devices::{Drivers, add_devices, choose, devices};

/// The profile of ComfyUI servers, which have an engine of their own.
const COMFYUI: &str = "comfyui";

/// All programs, and the engines that use them.
pub(crate) struct Processes {
    pub(crate) programs: Option<Programs>,
    pub(crate) engines: Vec<Arc<dyn Engine>>,
}

/// Whether an engine runs graphs, which its routes name.
pub(crate) fn runs_graphs(process: &ProcessConfig) -> bool {
    process.profile == COMFYUI
}

/// `program` is the file of this program, which becomes the guard of each. Nothing is started yet.
pub(crate) fn processes(
    config: &Config,
    program: &Path,
    callbacks: &Arc<Callbacks>,
) -> Result<Processes, Failure> {
    let process = |engine: &EngineConfig| match &engine.kind {
        EngineKind::Process(process) => Some((engine.clone(), process.clone())),
        _ => None,
    };
    let mut configured: Vec<_> = config.engines.iter().filter_map(process).collect();
    let mut drivers = Drivers::default();
    for (engine, process) in &mut configured {
        choose(config, &engine.name, process, &mut drivers);
    }
    let mut devices = devices(config, &configured, &mut drivers)?;
    for pulled in sd_server::engines(&weights::store(config)) {
        let is_taken = config.engines.iter().any(|engine| engine.name == pulled.name);
        let Some((engine, process)) = process(&pulled).filter(|_| !is_taken) else {
            continue;
        };
        if add_devices(config, &process, &mut devices, &mut drivers) {
            configured.push((engine, process));
        } else {
            let name = engine.name;
            let device = process.device;
            tracing::warn!(
                name,
                device,
                "weights are not served: the memory of their device is unknown"
            );
        }
    }
    if configured.is_empty() {
        return Ok(Processes {
            programs: None,
            engines: Vec::new(),
        });
    }
    let guard = guard_program(program)?;
    let mut descriptions = Vec::new();
    let mut connections = Vec::new();
    let mut isolation = None;
    for (engine, process) in &configured {
        let connection = connection(config, engine, process, callbacks)?;
        let mut description = description(config, engine, process, &devices, &connection);
        description.network = network(config, engine, process, &guard, &mut isolation)?;
        descriptions.push(description);
        connections.push(connection);
    }
    let programs = Programs::new(Setup {
        guard,
        devices,
        programs: descriptions,
        rules: Rules::default(),
        history: Some(config.data.join("processes")),
        sockets: config.data.join("processes").join("sockets"),
    });
    let mut engines: Vec<Arc<dyn Engine>> = Vec::new();
    for ((engine, process), connection) in configured.iter().zip(connections) {
        let Some(program) = programs.program(&engine.name) else {
            continue;
        };
        if let Some(why) = program.state().too_large {
            let is_pulled = !config.engines.iter().any(|other| other.name == engine.name);
            let is_fixed = config.devices.contains_key(&why.device) && !is_pulled;
            if is_fixed {
                return Err(wrong(config, engine, &why.to_string()));
            }
            tracing::error!(engine = engine.name, %why, "an engine cannot run now: its program does not fit");
        }
        let shares = |other: &&ProcessConfig| {
            other
                .memory
                .keys()
                .any(|device| process.memory.contains_key(device))
        };
        let sharing = configured.iter().map(|(_, other)| other).filter(shares).count();
        let is_single = engine.concurrency == 1;
        engines.push(Arc::new(ProcessEngine::new(ProcessOptions {
            name: engine.name.clone(),
            program,
            // The next job is at hand when one ends. Otherwise another program could take the room meanwhile.
            concurrency: engine.concurrency + usize::from(sharing > 1),
            kill_to_cancel: process.kill_to_cancel.unwrap_or(is_single && !connection.cancels),
            kills_unnamed: is_single && process.kill_to_cancel.is_none(),
            connection: connection.connection,
        })));
    }
    Ok(Processes {
        programs: Some(programs),
        engines,
    })
}

/// A connection, and whether requests through it can be cancelled.
struct Connected {
    connection: Arc<Connection>,
    cancels: bool,
}

fn connection(
    config: &Config,
    engine: &EngineConfig,
    process: &ProcessConfig,
    callbacks: &Arc<Callbacks>,
) -> Result<Connected, Failure> {
    let wrong = |why: String| wrong(config, engine, &why);
    let (config, name) = (Arc::new(config.clone()), engine.clone());
    let (connect, cancels): (Connect, bool) = if runs_graphs(process) {
        let graphs = graphs(&config, engine)?;
        let connect: Connect = Box::new(move |url| {
            let endpoint = endpoint(&config, &name, url, None, None);
            let graphs = graphs.clone();
            let made = ComfyEngine::new(ComfyOptions { endpoint, graphs });
            made.map(|engine| Arc::new(engine) as Arc<dyn Engine>)
                .map_err(|error| error.to_string())
        });
        (connect, true)
    } else {
        let profile = profile(&config, &process.profile).map_err(wrong)?;
        let (cancels, callbacks) = (profile.cancel.is_some(), Arc::clone(callbacks));
        let connect: Connect = Box::new(move |url| {
            let made = HttpEngine::new(HttpOptions {
                endpoint: endpoint(&config, &name, url, None, None),
                profile: profile.clone(),
                callbacks: Arc::clone(&callbacks),
            });
            made.map(|engine| Arc::new(engine) as Arc<dyn Engine>)
                .map_err(|error| error.to_string())
        });
        (connect, cancels)
    };
    let connection = Connection::new(connect, process.health.clone()).map_err(wrong)?;
    Ok(Connected {
        connection: Arc::new(connection),
        cancels,
    })
}

fn description(
    config: &Config,
    engine: &EngineConfig,
    process: &ProcessConfig,
    devices: &[Device],
    connected: &Connected,
) -> Description {
    let filled = |text: &String| {
        let text = text.replace("{data}", &config.data.display().to_string());
        text.replace("{models}", &weights::store(config).root().display().to_string())
    };
    let place = |name: &String| devices.iter().position(|device| device.name == *name);
    let memory = process.memory.iter();
    let environment = process.environment.iter();
    Description {
        name: engine.name.clone(),
        command: process.command.iter().map(filled).collect(),
        folder: process.folder.clone(),
        environment: environment
            .map(|(name, value)| (name.clone(), filled(value)))
            .collect(),
        device: process.device.clone(),
        needs: Needs {
            memory: memory
                .filter_map(|(name, bytes)| Some((place(name)?, *bytes)))
                .collect(),
            jobs: engine.concurrency,
            alone: !process.beside_others,
            idle: process.idle,
        },
        start_deadline: process.start_deadline,
        limits: Limits {
            memory_bytes: process.memory_limit_bytes,
            files: process.open_files,
        },
        network: process.network.unwrap_or_default(),
        probe: Box::new(HttpProbe(Arc::clone(&connected.connection))),
    }
}

/// What a program reaches. Whether the system can take the network from programs is tried once, in `known`.
fn network(
    config: &Config,
    engine: &EngineConfig,
    process: &ProcessConfig,
    guard: &Path,
    known: &mut Option<Result<(), String>>,
) -> Result<Network, Failure> {
    if process.network == Some(Network::Host) {
        return Ok(Network::Host);
    }
    match known.get_or_insert_with(|| check_isolation(guard)) {
        Ok(()) => Ok(Network::None),
        Err(why) if process.network.is_some() => {
            let why = format!("`network = \"none\"` is not possible here: {why}");
            Err(wrong(config, engine, &why))
        }
        Err(why) => {
            tracing::info!(
                engine = engine.name,
                why,
                "a pulled program can reach the network"
            );
            Ok(Network::Host)
        }
    }
}

/// The file of this program. Commands that only list engines do not name it.
fn guard_program(program: &Path) -> Result<PathBuf, Failure> {
    if !program.as_os_str().is_empty() {
        return Ok(program.to_owned());
    }
    std::env::current_exe()
        .map_err(|error| Failure::new(format!("cannot find the file of this program: {error}")))
}

fn wrong(config: &Config, engine: &EngineConfig, why: &str) -> Failure {
    Failure::Failed {
        code: "configuration",
        message: format!(
            "{}: the engine `{}`: {why}",
            config.origin("engines"),
            engine.name
        ),
    }
}
