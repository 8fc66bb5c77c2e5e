//! The programs that engines of the kind `process` start, made of the configuration: devices and their memory,
//! commands, and the engines that speak to them.

mod devices;
mod memory;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use atelier_engines::{
    ComfyEngine, ComfyOptions, Connect, Connection, Engine, HttpEngine, HttpOptions, HttpProbe, Newcomers,
    ProcessEngine, ProcessOptions,
};
use atelier_processes::{
    Description, Limits, Needs, Network, Program, Programs, Rules, Setup, check_isolation,
};

use crate::{
    config::{Config, DEVICE, EngineConfig, EngineKind, ProcessConfig},
    endpoints::{Shared, endpoint},
    failure::Failure,
    profiles::profile,
    pulled::{self, Found},
    weights,
    workflows::graphs,
};
use devices::{Drivers, add_devices, budget, choose, devices};

/// The profile of ComfyUI servers, which have an engine of their own.
const COMFYUI: &str = "comfyui";

/// All programs, and the engines that use them.
pub(crate) struct Processes {
    pub(crate) programs: Programs,
    pub(crate) engines: Vec<Arc<dyn Engine>>,
    pub(crate) pulled: Pulled,
}

/// Whether an engine runs graphs, which its routes name.
pub(crate) fn runs_graphs(process: &ProcessConfig) -> bool {
    process.profile == COMFYUI
}

/// `program` is the file of this program, which becomes the guard of each. Nothing is started yet.
pub(crate) fn processes(config: &Config, program: &Path, shared: &Shared) -> Result<Processes, Failure> {
    let mut configured: Vec<_> = config.engines.iter().filter_map(process_of).collect();
    let mut drivers = Drivers::default();
    for (engine, process) in &mut configured {
        choose(config, &engine.name, process, &mut drivers);
    }
    let devices = devices(config, &configured, &mut drivers)?;
    let guard = guard_program(program)?;
    let mut descriptions = Vec::new();
    let mut connections = Vec::new();
    let mut isolation = None;
    for (engine, process) in &configured {
        let connection = connection(config, engine, process, shared)?;
        let place = |name: &str| devices.iter().position(|device| device.name == name);
        let mut description = description(config, engine, process, &place, &connection);
        description.network = network(config, engine, process, &guard, &mut isolation)?;
        descriptions.push(description);
        connections.push(connection);
    }
    let programs = Programs::new(Setup {
        guard: guard.clone(),
        devices,
        programs: descriptions,
        rules: Rules {
            turn: config.turn,
            ..Rules::default()
        },
        history: Some(config.data.join("processes")),
        sockets: config.data.join("processes").join("sockets"),
    });
    let mut engines: Vec<Arc<dyn Engine>> = Vec::new();
    for ((engine, process), connection) in configured.iter().zip(connections) {
        let Some(program) = programs.program(&engine.name) else {
            continue;
        };
        if let Some(why) = program.state().too_large {
            if config.devices.contains_key(&why.device) {
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
        engines.push(Arc::new(engine_of(
            engine,
            process,
            program,
            connection,
            sharing > 1,
        )));
    }
    let pulled = Pulled {
        config: Arc::new(config.clone()),
        shared: shared.clone(),
        programs: programs.clone(),
        guard,
        drivers: Arc::new(Mutex::new(drivers)),
        isolation: Arc::new(Mutex::new(isolation)),
        added: Arc::default(),
    };
    let taken = |name: &str| config.engines.iter().any(|engine| engine.name == name);
    engines.extend(pulled.find(&taken));
    Ok(Processes {
        programs,
        engines,
        pulled,
    })
}

fn process_of(engine: &EngineConfig) -> Option<(EngineConfig, ProcessConfig)> {
    match &engine.kind {
        EngineKind::Process(process) => Some((engine.clone(), process.clone())),
        _ => None,
    }
}

fn engine_of(
    engine: &EngineConfig,
    process: &ProcessConfig,
    program: Program,
    connected: Connected,
    shares: bool,
) -> ProcessEngine {
    let is_single = engine.concurrency == 1;
    ProcessEngine::new(ProcessOptions {
        name: engine.name.clone(),
        program,
        // The next job is at hand when one ends. Otherwise another program could take the room meanwhile.
        concurrency: engine.concurrency + usize::from(shares),
        kill_to_cancel: process.kill_to_cancel.unwrap_or(is_single && !connected.cancels),
        kills_unnamed: is_single && process.kill_to_cancel.is_none(),
        connection: connected.connection,
    })
}

/// Makes the engines of pulled weights, at the start and whenever weights come.
#[derive(Clone)]
pub(crate) struct Pulled {
    config: Arc<Config>,
    shared: Shared,
    programs: Programs,
    guard: PathBuf,
    drivers: Arc<Mutex<Drivers>>,
    /// Whether programs can be kept from the network, once tried.
    isolation: Arc<Mutex<Option<Result<(), String>>>>,
    /// The engines that it has made, by name.
    added: Arc<Mutex<HashMap<String, Found>>>,
}

impl Pulled {
    /// For a service that follows the weights on this machine.
    pub(crate) fn newcomers(self) -> Newcomers {
        Newcomers(Arc::new(move |routes| {
            self.find(&|name| routes.engine(name).is_some())
        }))
    }

    /// The engines for weights that are here and that have none yet. Programs of weights that are gone are stopped.
    fn find(&self, is_known: &dyn Fn(&str) -> bool) -> Vec<Arc<dyn Engine>> {
        let mut added = self.added.lock().unwrap_or_else(PoisonError::into_inner);
        let here = pulled::engines(&weights::store(&self.config), &self.config.models.passed);
        for gone in added
            .keys()
            .filter(|name| !here.iter().any(|found| found.engine.name == **name))
        {
            if let Some(program) = self.programs.program(gone) {
                program.unload();
            }
        }
        let mut new: Vec<Arc<dyn Engine>> = Vec::new();
        for mut found in here {
            found.fit(|device| self.budget(device));
            let (engine, earlier) = (&found.engine, added.get(&found.engine.name));
            let Some((_, process)) = process_of(engine) else {
                continue;
            };
            let is_same = |earlier: &Found| earlier.engine == *engine && earlier.version == found.version;
            if earlier.is_some_and(is_same) || earlier.is_none() && is_known(&engine.name) {
                continue;
            }
            let made = if let Some(lacks) = found.lacks() {
                Err(Failure::new(format!("their program lacks {lacks}")))
            } else if earlier.is_some() {
                self.described(engine, &process).map(|(description, _)| {
                    tracing::info!(engine = engine.name, "its program or its weights have changed");
                    self.programs.renew(description);
                })
            } else {
                let made = self.engine(engine, &process);
                made.map(|made| new.push(Arc::new(made)))
            };
            match made {
                Ok(()) => drop(added.insert(engine.name.clone(), found)),
                Err(why) => tracing::error!(name = engine.name, %why, "weights are not served"),
            }
        }
        new
    }

    /// The memory of a device, which stays what it was when it was first used.
    fn budget(&self, name: &str) -> Option<u64> {
        let known = self.programs.devices();
        let known = known.iter().find(|device| device.name == name);
        known.map(|device| device.budget).or_else(|| {
            let mut drivers = self.drivers.lock().unwrap_or_else(PoisonError::into_inner);
            budget(&self.config, name, &mut drivers)
        })
    }

    /// The program of an engine, on devices that are known from now on.
    fn described(
        &self,
        engine: &EngineConfig,
        process: &ProcessConfig,
    ) -> Result<(Description, Connected), Failure> {
        let connection = connection(&self.config, engine, process, &self.shared)?;
        if process.device != DEVICE {
            let folder = self.config.data.join(pulled::SHADER_FOLDER);
            if let Err(error) = std::fs::create_dir_all(&folder) {
                tracing::warn!(%error, folder = %folder.display(), "compiled shaders are not kept");
            }
        }
        let mut drivers = self.drivers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut needed = Vec::new();
        if !add_devices(&self.config, process, &mut needed, &mut drivers) {
            return Err(Failure::new("the memory of their device is unknown"));
        }
        for device in needed {
            self.programs.device(device);
        }
        let place = |name: &str| {
            self.programs
                .devices()
                .iter()
                .position(|device| device.name == name)
        };
        let mut description = description(&self.config, engine, process, &place, &connection);
        let mut isolation = self.isolation.lock().unwrap_or_else(PoisonError::into_inner);
        description.network = network(&self.config, engine, process, &self.guard, &mut isolation)?;
        Ok((description, connection))
    }

    fn engine(&self, engine: &EngineConfig, process: &ProcessConfig) -> Result<ProcessEngine, Failure> {
        let (description, connection) = self.described(engine, process)?;
        let program = self.programs.add(description);
        if let Some(why) = program.state().too_large {
            tracing::error!(engine = engine.name, %why, "an engine cannot run now: its program does not fit");
        }
        // Others may come.
        Ok(engine_of(engine, process, program, connection, true))
    }
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
    shared: &Shared,
) -> Result<Connected, Failure> {
    let wrong = |why: String| wrong(config, engine, &why);
    let (config, name) = (Arc::new(config.clone()), engine.clone());
    let mut output = None;
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
        output.clone_from(&profile.program);
        let (cancels, shared) = (profile.cancel.is_some(), shared.clone());
        let connect: Connect = Box::new(move |url| {
            let made = HttpEngine::new(HttpOptions {
                endpoint: endpoint(&config, &name, url, None, None),
                profile: profile.clone(),
                callbacks: Arc::clone(&shared.callbacks),
                rewriter: shared.rewriter.clone(),
            });
            made.map(|engine| Arc::new(engine) as Arc<dyn Engine>)
                .map_err(|error| error.to_string())
        });
        (connect, cancels)
    };
    let connection = Connection::new(connect, process.health.clone()).map_err(wrong)?;
    Ok(Connected {
        connection: Arc::new(connection.with_output(output, process.device != DEVICE)),
        cancels,
    })
}

fn description(
    config: &Config,
    engine: &EngineConfig,
    process: &ProcessConfig,
    place: &dyn Fn(&str) -> Option<usize>,
    connected: &Connected,
) -> Description {
    let filled = |text: &String| {
        let text = text.replace("{data}", &config.data.display().to_string());
        text.replace("{models}", &weights::store(config).root().display().to_string())
    };
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

/// Returns the network that a program can reach. Whether the system can take the network from programs is tried once,
/// in `known`.
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
