//! The programs that engines of the kind `process` start, made of the configuration: devices and their memory,
//! commands, and the engines that speak to them.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use atelier_engines::{
    ComfyEngine, ComfyOptions, Connect, Connection, Engine, HttpEngine, HttpOptions, HttpProbe,
    ProcessEngine, ProcessOptions, http::Callbacks,
};
use atelier_processes::{Description, Device, Limits, Needs, Programs, Rules, Setup};

use crate::{
    config::{Config, DEVICE, EngineConfig, EngineKind, ProcessConfig},
    engines::{endpoint, graphs, profile},
    failure::Failure,
    sd_server, weights,
};

/// The profile of ComfyUI servers, which have an engine of their own.
const COMFYUI: &str = "comfyui";
/// The share of the free memory that programs on the CPU may use if nothing else is configured.
const SHARE: (u64, u64) = (9, 10);
/// How long a driver may take to answer.
const DRIVER: Duration = Duration::from_secs(10);

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
    let mut devices = devices(config, &configured)?;
    let mut cards = None;
    for pulled in sd_server::engines(&weights::store(config)) {
        let is_taken = config.engines.iter().any(|engine| engine.name == pulled.name);
        let Some((engine, process)) = process(&pulled).filter(|_| !is_taken) else {
            continue;
        };
        if add_devices(config, &process, &mut devices, &mut cards) {
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
    let mut descriptions = Vec::new();
    let mut connections = Vec::new();
    for (engine, process) in &configured {
        let connection = connection(config, engine, process, callbacks)?;
        descriptions.push(description(config, engine, process, &devices, &connection));
        connections.push(connection);
    }
    let programs = Programs::new(Setup {
        guard: guard_program(program)?,
        devices,
        programs: descriptions,
        rules: Rules::default(),
        history: Some(config.data.join("processes")),
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
        probe: Box::new(HttpProbe(Arc::clone(&connected.connection))),
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

/// The devices that configured programs use, each with its memory.
fn devices(config: &Config, configured: &[(EngineConfig, ProcessConfig)]) -> Result<Vec<Device>, Failure> {
    let (mut devices, mut cards) = (Vec::new(), None);
    for (_, process) in configured {
        if !add_devices(config, process, &mut devices, &mut cards) {
            let is_unknown = |name: &&String| !devices.iter().any(|known: &Device| known.name == **name);
            let name = process.memory.keys().find(is_unknown).unwrap_or(&process.device);
            return Err(Failure::Failed {
                code: "configuration",
                message: format!(
                    "{}: the memory of the device `{name}` is unknown; set `memory_mb` in [devices.{name}]",
                    config.origin("devices")
                ),
            });
        }
    }
    Ok(devices)
}

/// Adds the devices of a program. Returns false if the memory of one is unknown. `known` are the cards, once asked.
fn add_devices(
    config: &Config,
    process: &ProcessConfig,
    devices: &mut Vec<Device>,
    known: &mut Option<BTreeMap<String, u64>>,
) -> bool {
    for name in process.memory.keys() {
        if devices.iter().any(|device| device.name == *name) {
            continue;
        }
        let budget = match config.devices.get(name) {
            Some(budget) => Some(*budget),
            None if name == DEVICE => free_memory("/proc/meminfo").map(|free| free / SHARE.1 * SHARE.0),
            None => {
                let cards = known.get_or_insert_with(|| cards(Path::new("nvidia-smi")));
                cards.get(name).copied()
            }
        };
        let Some(budget) = budget else { return false };
        devices.push(Device {
            name: name.clone(),
            budget,
        });
    }
    true
}

/// The memory that programs can get without swapping, in bytes.
fn free_memory(file: &str) -> Option<u64> {
    let facts = fs::read_to_string(file).ok()?;
    let line = facts
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// NVIDIA's cards and their free memory, as their driver says in a process of its own: a broken driver may hang or
/// crash. `gpu` is the first card.
fn cards(program: &Path) -> BTreeMap<String, u64> {
    let child = Command::new(program)
        .args(["--query-gpu=memory.free", "--format=csv,noheader,nounits"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(child) = child else {
        return BTreeMap::new();
    };
    let (answer, answered) = mpsc::channel();
    thread::spawn(move || answer.send(child.wait_with_output()));
    let Ok(Ok(output)) = answered.recv_timeout(DRIVER) else {
        tracing::error!("nvidia-smi did not answer: the memory of graphics cards is unknown");
        return BTreeMap::new();
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let mut cards = BTreeMap::new();
    for (at, line) in text.lines().enumerate() {
        let Ok(mib) = line.trim().parse::<u64>() else {
            continue;
        };
        let first = (at == 0).then(|| "gpu".to_owned());
        let names = [Some(format!("gpu{at}")), Some(format!("cuda{at}")), first];
        cards.extend(names.into_iter().flatten().map(|name| (name, mib << 20)));
    }
    cards
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn the_free_memory_of_the_machine_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("meminfo");
        fs::write(&file, "MemTotal:       24538000 kB\nMemAvailable:   1000 kB\n").unwrap();
        assert_eq!(free_memory(file.to_str().unwrap()), Some(1_024_000));
        assert!(free_memory("/proc/meminfo").is_none_or(|free| free > 1 << 20));
        assert_eq!(free_memory("/no/such/file"), None);
    }

    #[test]
    fn cards_have_the_memory_that_their_driver_says_and_none_if_there_is_no_driver() {
        assert_eq!(cards(Path::new("/no/such/nvidia-smi")), BTreeMap::new());
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("nvidia-smi");
        fs::write(
            &program,
            "#!/bin/sh\n[ \"$1\" = --query-gpu=memory.free ] && printf '24000\\n8000\\n'\n",
        )
        .unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let (large, small) = (24_000 << 20, 8_000 << 20);
        let expected = [
            ("cuda0", large),
            ("cuda1", small),
            ("gpu", large),
            ("gpu0", large),
            ("gpu1", small),
        ];
        let expected = expected.map(|(name, bytes)| (name.to_owned(), bytes));
        assert_eq!(cards(&program), BTreeMap::from(expected));
    }
}
