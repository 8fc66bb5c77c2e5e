//! Pulled weights that stable-diffusion.cpp's server runs: each is an engine of the kind `process` of its own, with the
//! pulled program, if the service finds both when it starts.

use std::{
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
    time::Duration,
};

use atelier_engines::Job;
use atelier_weights::{Entry, Installed, Kind, Store};
use serde_json::Value;

use crate::{
    config::{DEVICE, EngineConfig, EngineKind, ProcessConfig},
    studio,
};

mod body;

/// What an entry's `runtime` says, the name of the program, and its profile for pictures.
pub(crate) const RUNTIME: &str = "sd-server";
/// Its profile for films.
const FILM_PROFILE: &str = "sd-server-video";
/// The tasks that the profiles can ask for.
const PICTURE: &str = "image";
const FILM: &str = "video";
/// The runtime of weights that the program runs, with each task.
const PROGRAMS: [(&str, &str); 2] = [(RUNTIME, PICTURE), (RUNTIME, FILM)];
/// The device of programs that are not for the CPU.
const GPU: &str = "gpu";
/// With this the program ends if it finds no graphics card, instead of using the CPU.
const ON_GPU: [&str; 2] = ["--backend", "gpu"];
/// With these the weights stay in the main memory, and the work takes less of the card's.
const OFFLOADED: [&str; 3] = ["--offload-to-cpu", "--vae-tiling", "--diffusion-fa"];
/// The variable with the folders of libraries.
const LIBRARIES: &str = "LD_LIBRARY_PATH";
/// How long weights may take to load from a slow disk.
const START: Duration = Duration::from_mins(10);
const IDLE: Duration = Duration::from_mins(5);

/// The options of the program by the role of a file.
const OPTIONS: [(&str, &str); 13] = [
    ("model", "--model"),
    ("diffusion_model", "--diffusion-model"),
    ("high_noise_diffusion_model", "--high-noise-diffusion-model"),
    ("vae", "--vae"),
    (AUDIO_VAE, "--audio-vae"),
    ("taesd", "--taesd"),
    ("clip_l", "--clip_l"),
    ("clip_g", "--clip_g"),
    ("clip_vision", "--clip_vision"),
    ("t5xxl", "--t5xxl"),
    ("llm", "--llm"),
    ("llm_vision", "--llm_vision"),
    ("embeddings_connectors", "--embeddings-connectors"),
];

/// The part that makes the sound of films, and the setting that leaves it out.
const AUDIO_VAE: &str = "audio_vae";
const SOUND: &str = "sound";

/// The setting with what the program must know of the model.
const MODEL_ARGS: &str = "model_args";

/// Changes of the weights, which have a folder instead of an option.
const LORA: &str = "lora";
const LORA_FOLDER: &str = "--lora-model-dir";

/// The pulled program.
struct Program {
    file: PathBuf,
    device: &'static str,
    /// Of all its files.
    digests: Vec<String>,
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

/// Whether a pulled program can run an entry's weights here.
pub(crate) fn runs(entry: &Entry, store: &Store) -> bool {
    entry.runtime.as_deref() == Some(RUNTIME) && store.installed().is_ok_and(|all| program(&all).is_some())
}

/// The device of the pulled program that runs an entry's weights here; `None` if there is none.
pub(crate) fn device(entry: &Entry, store: &Store) -> Option<&'static str> {
    let installed = store.installed().ok()?;
    (entry.runtime.as_deref() == Some(RUNTIME))
        .then(|| program(&installed))
        .flatten()
        .map(|program| program.device)
}

/// The first task of an entry that can be asked for.
pub(crate) fn task(entry: &Entry) -> Option<&str> {
    let mut tasks = entry.serves.iter().map(|serves| serves.task.as_str());
    tasks.find(|task| can(task))
}

/// Adds to a probe what a model of the catalog would: the addresses of its pictures, and a film's length in seconds
/// for its frames.
pub(crate) fn complete(entry: &Entry, job: &mut Job) {
    if let Some(frames) = job.params.remove("frames").and_then(|frames| frames.as_f64()) {
        job.params
            .insert("duration".to_owned(), body::seconds(entry, frames).into());
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

/// The runtime of weights that the program runs, with each task that can be asked for.
pub(crate) fn programs() -> &'static [(&'static str, &'static str)] {
    if can(FILM) { &PROGRAMS } else { &PROGRAMS[..1] }
}

/// The name of the engine for an entry.
pub(crate) fn engine_name(entry: &Entry) -> String {
    format!("{RUNTIME}-{}", entry.name)
}

/// Whether an entry's task can be asked for.
pub(crate) fn can(task: &str) -> bool {
    match task {
        PICTURE => true,
        // The program's films are rewritten by the embedded engines.
        FILM => studio::can_rewrite(),
        _ => false,
    }
}

/// The profile for an entry's weights, which make either pictures or films: what their first task is.
pub(crate) fn profile(entry: &Entry) -> &'static str {
    if task(entry) == Some(FILM) {
        FILM_PROFILE
    } else {
        RUNTIME
    }
}

/// What the entry's settings change in requests for a task.
pub(crate) fn body(entry: &Entry, task: &str) -> Value {
    body::body(entry, task == FILM)
}

/// The engines for the weights in the store. Weights with a file that the program has no option for, or without a part
/// that they use, have none. `passed` are the variables that programs get.
pub(crate) fn engines(store: &Store, passed: &BTreeMap<String, String>) -> Vec<Found> {
    let Ok(all) = store.installed() else {
        return Vec::new();
    };
    let Some(program) = program(&all) else {
        return Vec::new();
    };
    let is_ours = |model: &&Installed| {
        model.entry.runtime.as_deref() == Some(RUNTIME)
            && model.entry.serves.iter().any(|serves| can(&serves.task))
    };
    let models = all.iter().filter(is_ours);
    models
        .filter_map(|model| engine(model, &all, &program, passed))
        .collect()
}

fn engine(
    model: &Installed,
    all: &[Installed],
    program: &Program,
    passed: &BTreeMap<String, String>,
) -> Option<Found> {
    let entry = &model.entry;
    let mut command = vec![program.file.display().to_string()];
    command.extend(["--listen-ip", "127.0.0.1", "--listen-port", "{port}"].map(str::to_owned));
    let mut sources = vec![model];
    for name in &entry.uses {
        sources.push(all.iter().find(|part| part.entry.name == *name)?);
    }
    if let Some(args) = entry.settings.get(MODEL_ARGS).and_then(|args| args.as_str()) {
        command.extend(["--model-args".to_owned(), args.to_owned()]);
    }
    let is_silent = entry.settings.get(SOUND).and_then(Value::as_bool) == Some(false);
    let mut given = HashSet::new();
    for source in &sources {
        for file in &source.files {
            if file.role == LORA {
                // Requests name its files.
                if given.insert(&LORA_FOLDER) {
                    command.extend([LORA_FOLDER.to_owned(), source.folder.display().to_string()]);
                }
                continue;
            }
            if is_silent && file.role == AUDIO_VAE {
                continue;
            }
            let (_, option) = OPTIONS.iter().find(|(role, _)| *role == file.role)?;
            if given.insert(option) {
                command.push((*option).to_owned());
                command.push(source.folder.join(&file.name).display().to_string());
            }
        }
    }
    let memory = memory(entry, program.device, &sources);
    if program.device == GPU {
        command.extend(ON_GPU.map(str::to_owned));
    }
    let mut version = program.digests.clone();
    version.extend(sources.iter().flat_map(|source| digests(source)));
    let process = ProcessConfig {
        profile: profile(entry).to_owned(),
        command,
        folder: None,
        environment: environment(&program.file, passed),
        device: program.device.to_owned(),
        memory: memory.whole,
        beside_others: false,
        // Some builds cancel only what waits.
        kill_to_cancel: Some(true),
        start_deadline: START,
        idle: Some(IDLE),
        health: None,
        memory_limit_bytes: None,
        open_files: None,
        network: None,
    };
    let engine = |process| EngineConfig {
        name: engine_name(entry),
        concurrency: 1,
        kind: EngineKind::Process(process),
    };
    let offloaded = memory.offloaded.map(|memory| {
        let mut process = process.clone();
        process.command.extend(OFFLOADED.map(str::to_owned));
        engine(ProcessConfig { memory, ..process })
    });
    Some(Found {
        engine: engine(process),
        offloaded,
        version,
    })
}

/// What a program holds, in bytes by device.
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

/// What the service passes on, with the program's own libraries first.
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
fn program(all: &[Installed]) -> Option<Program> {
    let mut found: Vec<Program> = Vec::new();
    for runtime in all
        .iter()
        .filter(|installed| installed.entry.kind == Kind::Runtime)
    {
        let is_program = |name: &str| Path::new(name).file_name().is_some_and(|name| name == RUNTIME);
        if let Some(file) = runtime.files.iter().find(|file| is_program(&file.name)) {
            let is_for_cpu = runtime.entry.name.contains("-cpu-");
            found.push(Program {
                file: runtime.folder.join(&file.name),
                digests: digests(runtime).collect(),
                device: if is_for_cpu { DEVICE } else { GPU },
            });
        }
    }
    found.sort_by_key(|program| program.device == DEVICE);
    found.into_iter().next()
}
