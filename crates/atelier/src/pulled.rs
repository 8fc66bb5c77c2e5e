//! Pulled weights that a pulled program runs: each is an engine of the kind `process` of its own, if the service finds
//! both.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use atelier_engines::Job;
use atelier_weights::{Entry, Installed, Kind, Store};
use serde_json::Value;

use crate::config::{DEVICE, EngineConfig, EngineKind, ProcessConfig};

mod ace;
mod loader;
mod sd;

/// The runtimes of weights that pulled programs run, each with a task. Films come last, because some builds of this
/// program cannot make them.
const PROGRAMS: [(&str, &str); 3] = [
    (sd::RUNTIME, sd::PICTURE),
    (ace::RUNTIME, ace::MUSIC),
    (sd::RUNTIME, sd::FILM),
];
/// The device of programs that are not for the CPU.
const GPU: &str = "gpu";
/// The variable with the folders of libraries.
const LIBRARIES: &str = "LD_LIBRARY_PATH";
/// Where the drivers of NVIDIA and Mesa keep compiled shaders, without which the first job of each start takes longer.
const SHADERS: [&str; 2] = ["__GL_SHADER_DISK_CACHE_PATH", "MESA_SHADER_CACHE_DIR"];
/// The folder for them in the data folder, unless the service's own variables say otherwise.
pub(crate) const SHADER_FOLDER: &str = "shaders";
/// How long weights may take to load from a slow disk.
const START: Duration = Duration::from_mins(10);
const IDLE: Duration = Duration::from_mins(5);

/// The programs that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Runner {
    /// stable-diffusion.cpp's server.
    Sd,
    /// acestep.cpp's server.
    Ace,
}

impl Runner {
    fn of(entry: &Entry) -> Option<Self> {
        match entry.runtime.as_deref()? {
            sd::RUNTIME => Some(Self::Sd),
            ace::RUNTIME => Some(Self::Ace),
            _ => None,
        }
    }

    /// The name of the program's file.
    fn file(self) -> &'static str {
        match self {
            Self::Sd => sd::RUNTIME,
            Self::Ace => ace::FILE,
        }
    }

    /// The program in a runtime.
    fn find(self, runtime: &Installed) -> Option<PathBuf> {
        let is_program = |name: &str| {
            Path::new(name)
                .file_name()
                .is_some_and(|name| name == self.file())
        };
        let file = runtime.files.iter().find(|file| is_program(&file.name))?;
        Some(runtime.folder.join(&file.name))
    }

    /// The profile for a task, if it can be asked for.
    fn profile(self, task: &str) -> Option<&'static str> {
        match self {
            Self::Sd => sd::profile(task),
            Self::Ace => ace::profile(task),
        }
    }
}

/// The pulled program.
struct Program<'a> {
    file: PathBuf,
    device: &'static str,
    installed: &'a Installed,
}

/// An engine for weights.
pub(crate) struct Found {
    pub(crate) engine: EngineConfig,
    /// The same for a graphics card that does not hold all weights at a time, if its program can do that.
    offloaded: Option<EngineConfig>,
    /// The digests of its program and of its weights: another version has others.
    pub(crate) version: Vec<String>,
}

impl Found {
    /// The libraries that its program lacks on this machine, if it is known to lack some.
    pub(crate) fn lacks(&self) -> Option<String> {
        let EngineKind::Process(process) = &self.engine.kind else {
            return None;
        };
        let program = process.command.first()?;
        loader::lacks(Path::new(program), process.environment.get(LIBRARIES)?)
    }

    /// Keeps the weights in the main memory if they do not fit on their card. `budget` is the memory of a device.
    pub(crate) fn fit(&mut self, budget: impl Fn(&str) -> Option<u64>) {
        let EngineKind::Process(process) = &self.engine.kind else {
            return;
        };
        let fits = |(device, needs): (&String, &u64)| budget(device).is_none_or(|has| *needs <= has);
        if !process.memory.iter().all(fits)
            && let Some(offloaded) = self.offloaded.take()
        {
            tracing::info!(
                engine = self.engine.name,
                "its weights stay in the main memory: its card is too small"
            );
            self.engine = offloaded;
        }
    }
}

/// Whether only a program can run an entry's weights, and this one knows it.
pub(crate) fn needs_program(entry: &Entry) -> bool {
    Runner::of(entry).is_some()
}

/// Whether a pulled program can run an entry's weights here.
pub(crate) fn runs(entry: &Entry, store: &Store) -> bool {
    device(entry, store).is_some()
}

/// The device of the pulled program that runs an entry's weights here; `None` if there is none.
pub(crate) fn device(entry: &Entry, store: &Store) -> Option<&'static str> {
    let (runner, installed) = (Runner::of(entry)?, store.installed().ok()?);
    program(runner, &installed).map(|program| program.device)
}

/// The first task of an entry that can be asked for.
pub(crate) fn task(entry: &Entry) -> Option<&str> {
    let runner = Runner::of(entry)?;
    let mut tasks = entry.serves.iter().map(|serves| serves.task.as_str());
    tasks.find(|task| runner.profile(task).is_some())
}

/// Adds to a probe what a model of the catalog would: the addresses of its pictures, and a film's length in seconds
/// for its frames.
pub(crate) fn complete(entry: &Entry, job: &mut Job) {
    if let Some(frames) = job.params.remove("frames").and_then(|frames| frames.as_f64()) {
        job.params
            .insert("duration".to_owned(), sd::seconds(entry, frames).into());
    }
    for name in job.inputs.iter().map(|input| input.parameter.clone()) {
        let address = format!("file:{name}");
        let address = if name.ends_with('s') {
            Value::from(vec![address])
        } else {
            address.into()
        };
        job.params.entry(name).or_insert(address);
    }
}

/// The runtimes of weights that pulled programs run, with each task that can be asked for.
pub(crate) fn programs() -> &'static [(&'static str, &'static str)] {
    if sd::profile(sd::FILM).is_some() {
        &PROGRAMS
    } else {
        &PROGRAMS[..2]
    }
}

/// The name of the engine for an entry.
pub(crate) fn engine_name(entry: &Entry) -> String {
    format!("{}-{}", entry.runtime.as_deref().unwrap_or_default(), entry.name)
}

/// The profile for an entry's weights, which have one task: their first.
pub(crate) fn profile(entry: &Entry) -> Option<&'static str> {
    Runner::of(entry)?.profile(task(entry)?)
}

/// Returns the changes of the entry's settings to requests for a task; `None` if no program runs its weights.
pub(crate) fn body(entry: &Entry, task: &str) -> Option<Value> {
    Some(match Runner::of(entry)? {
        Runner::Sd => sd::body(entry, task),
        Runner::Ace => ace::body(entry),
    })
}

/// The engines for the weights in the store. Weights with a file that the program has no option for, or without a part
/// that they use, have none. `passed` are the variables that programs get.
pub(crate) fn engines(store: &Store, passed: &BTreeMap<String, String>) -> Vec<Found> {
    let Ok(all) = store.installed() else {
        return Vec::new();
    };
    let models = all.iter().filter(|model| model.entry.kind == Kind::Model);
    models.filter_map(|model| engine(model, &all, passed)).collect()
}

fn engine(model: &Installed, all: &[Installed], passed: &BTreeMap<String, String>) -> Option<Found> {
    let entry = &model.entry;
    let (runner, profile) = (Runner::of(entry)?, profile(entry)?);
    let program = program(runner, all)?;
    let mut sources = vec![model];
    for name in &entry.uses {
        sources.push(all.iter().find(|part| part.entry.name == *name)?);
    }
    let mut environment = environment(&program.file, passed);
    if program.device == GPU {
        for variable in SHADERS {
            let folder = || format!("{{data}}/{SHADER_FOLDER}");
            environment.entry(variable.to_owned()).or_insert_with(folder);
        }
    }
    let (arguments, offloaded, health) = match runner {
        Runner::Sd => {
            let runtime = &program.installed.entry.name;
            let arguments = sd::arguments(entry, &sources, runtime, program.device == GPU)?;
            (arguments, Some(sd::OFFLOADED), None)
        }
        Runner::Ace => {
            environment.extend(ace::variable(&program.installed.entry));
            (ace::arguments(entry, model)?, None, Some(ace::HEALTH.to_owned()))
        }
    };
    let mut command = vec![program.file.display().to_string()];
    command.extend(arguments);
    let memory = memory(entry, program.device, &sources);
    let mut version: Vec<_> = digests(program.installed).collect();
    version.extend(sources.iter().flat_map(|source| digests(source)));
    let process = ProcessConfig {
        profile: profile.to_owned(),
        command,
        // stable-diffusion.cpp's server looks for weights in its folder and below, for each job.
        folder: program.file.parent().map(Path::to_owned),
        environment,
        device: program.device.to_owned(),
        memory: memory.whole,
        beside_others: false,
        // Some builds cancel only what waits.
        kill_to_cancel: Some(true),
        start_deadline: START,
        idle: Some(IDLE),
        health,
        memory_limit_bytes: None,
        open_files: None,
        network: None,
    };
    let engine = |process| EngineConfig {
        name: engine_name(entry),
        concurrency: 1,
        kind: EngineKind::Process(process),
    };
    let offloaded = offloaded.zip(memory.offloaded).map(|(arguments, memory)| {
        let mut process = process.clone();
        process.command.extend(arguments.map(str::to_owned));
        engine(ProcessConfig { memory, ..process })
    });
    Some(Found {
        engine: engine(process),
        offloaded,
        version,
    })
}

/// The libraries that the program of a runtime lacks on this machine, if it is known to lack some. `passed` are the
/// variables that programs get.
pub(crate) fn lacks(runtime: &Installed, passed: &BTreeMap<String, String>) -> Option<String> {
    let file = [Runner::Sd, Runner::Ace]
        .iter()
        .find_map(|runner| runner.find(runtime))?;
    loader::lacks(&file, environment(&file, passed).get(LIBRARIES)?)
}

/// The same for the program that runs an entry's weights here.
pub(crate) fn lacks_for(entry: &Entry, store: &Store, passed: &BTreeMap<String, String>) -> Option<String> {
    let installed = store.installed().ok()?;
    lacks(program(Runner::of(entry)?, &installed)?.installed, passed)
}

/// The memory that a program holds, in bytes by device.
struct Memory {
    whole: BTreeMap<String, u64>,
    /// If the weights stay in the main memory, and each part is on the card only while it works.
    offloaded: Option<BTreeMap<String, u64>>,
}

fn memory(entry: &Entry, device: &str, sources: &[&Installed]) -> Memory {
    let all: u64 = sources.iter().map(|source| source.bytes()).sum();
    let stated = |mb: u64| (mb > 0).then_some(mb * 1_000_000);
    // Without a statement: the weights, and half as much for the work.
    let whole = stated(entry.needs.memory_mb).unwrap_or(all + all / 2).max(all);
    let parts = sources.iter().flat_map(|source| &source.files);
    let largest = parts.map(|file| file.pin.size).max().unwrap_or_default();
    let on_card = stated(entry.needs.vram_mb).filter(|_| device == GPU);
    Memory {
        whole: BTreeMap::from([(device.to_owned(), whole)]),
        offloaded: on_card
            .map(|stated| BTreeMap::from([(GPU.to_owned(), stated.max(largest)), (DEVICE.to_owned(), all)])),
    }
}

/// Returns the environment that the service passes on, with the program's own libraries first.
fn environment(program: &Path, passed: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut environment = passed.clone();
    let path = || "/usr/local/bin:/usr/bin:/bin".to_owned();
    environment.entry("PATH".to_owned()).or_insert_with(path);
    let folder = program.parent().unwrap_or(Path::new("/")).display().to_string();
    let libraries = environment.entry(LIBRARIES.to_owned()).or_default();
    *libraries = if libraries.is_empty() {
        folder
    } else {
        format!("{folder}:{libraries}")
    };
    environment
}

fn digests(installed: &Installed) -> impl Iterator<Item = String> {
    installed.files.iter().map(|file| file.pin.sha256.clone())
}

/// The program among what was pulled. One for a graphics card comes first: whoever pulls it wants it.
fn program(runner: Runner, all: &[Installed]) -> Option<Program<'_>> {
    let runtimes = all
        .iter()
        .filter(|installed| installed.entry.kind == Kind::Runtime);
    let found = runtimes.filter_map(|installed| {
        let is_for_cpu = installed.entry.name.contains("-cpu-");
        Some(Program {
            file: runner.find(installed)?,
            device: if is_for_cpu { DEVICE } else { GPU },
            installed,
        })
    });
    found.min_by_key(|program| program.device == DEVICE)
}
