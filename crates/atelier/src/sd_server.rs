//! Pulled weights that stable-diffusion.cpp's server runs: each is an engine of the kind `process` of its own, with the
//! pulled program, if the service finds both when it starts.

use std::{
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
    time::Duration,
};

use atelier_weights::{Entry, Installed, Kind, Store};
use serde_json::{Value, json};

use crate::config::{DEVICE, EngineConfig, EngineKind, ProcessConfig};

/// What an entry's `runtime` says, the name of the program, and the profile that it speaks.
pub(crate) const RUNTIME: &str = "sd-server";
/// The task that the profile can ask for.
const TASK: &str = "image";
/// The device of programs that are not for the CPU.
const GPU: &str = "gpu";
/// How long weights may take to load from a slow disk.
const START: Duration = Duration::from_mins(10);
const IDLE: Duration = Duration::from_mins(5);

/// The side of a square picture, and what sides are multiples of, if the entry does not say.
const SIDE: f64 = 1024.0;
const STEP: f64 = 16.0;
/// Width to height, for models that let users choose a ratio and no size.
const RATIOS: [(f64, f64); 15] = [
    (1.0, 1.0),
    (16.0, 9.0),
    (9.0, 16.0),
    (4.0, 3.0),
    (3.0, 4.0),
    (3.0, 2.0),
    (2.0, 3.0),
    (21.0, 9.0),
    (9.0, 21.0),
    (5.0, 4.0),
    (4.0, 5.0),
    (2.0, 1.0),
    (1.0, 2.0),
    (3.0, 1.0),
    (1.0, 3.0),
];

/// The options of the program by the role of a file.
const OPTIONS: [(&str, &str); 11] = [
    ("model", "--model"),
    ("diffusion_model", "--diffusion-model"),
    ("vae", "--vae"),
    ("taesd", "--taesd"),
    ("clip_l", "--clip_l"),
    ("clip_g", "--clip_g"),
    ("clip_vision", "--clip_vision"),
    ("t5xxl", "--t5xxl"),
    ("llm", "--llm"),
    ("llm_vision", "--llm_vision"),
    ("lora", "--lora-model-dir"),
];

/// The pulled program.
struct Program {
    file: PathBuf,
    device: &'static str,
}

/// Whether a pulled program can run an entry's weights here.
pub(crate) fn runs(entry: &Entry, store: &Store) -> bool {
    entry.runtime.as_deref() == Some(RUNTIME) && store.installed().is_ok_and(|all| program(&all).is_some())
}

/// The name of the engine for an entry.
pub(crate) fn engine_name(entry: &Entry) -> String {
    format!("{RUNTIME}-{}", entry.name)
}

/// Whether an entry's task can be asked for.
pub(crate) fn can(task: &str) -> bool {
    task == TASK
}

/// What the entry's settings change in requests.
pub(crate) fn body(entry: &Entry) -> Value {
    let setting = |name: &str| {
        entry
            .settings
            .get(name)
            .and_then(|value| serde_json::to_value(value).ok())
    };
    let mut sampling = serde_json::Map::new();
    if let Some(steps) = setting("steps") {
        sampling.insert(
            "sample_steps".to_owned(),
            json!({ "from": "steps", "default": steps }),
        );
    }
    for name in ["sample_method", "flow_shift"] {
        if let Some(value) = setting(name) {
            sampling.insert(name.to_owned(), value);
        }
    }
    if let Some(scale) = setting("cfg_scale") {
        let from = json!({ "from": ["guidance", "guidance_scale"], "default": scale });
        sampling.insert("guidance".to_owned(), json!({ "txt_cfg": from }));
    }
    let mut body = serde_json::Map::new();
    body.insert("sample_params".to_owned(), Value::Object(sampling));
    let number = |name: &str| setting(name).and_then(|value| value.as_f64());
    let step = number("multiple_of").unwrap_or(STEP);
    let area = number("width").unwrap_or(SIDE) * number("height").unwrap_or(SIDE);
    for side in ["width", "height"] {
        let of_ratio = RATIOS.map(|(across, down)| {
            let (own, other) = if side == "width" {
                (across, down)
            } else {
                (down, across)
            };
            let length = ((area * own / other).sqrt() / step).round() * step;
            (format!("{across}:{down}"), json!(length as u64))
        });
        let from = json!({
            "from": [format!("${side}"), "aspect_ratio"],
            "map": of_ratio.into_iter().collect::<serde_json::Map<_, _>>(),
            "default": number(side).unwrap_or(SIDE) as u64,
            "step": step,
        });
        body.insert(side.to_owned(), from);
    }
    Value::Object(body)
}

/// The engines for the weights in the store. Weights with a file that the program has no option for, or without a part
/// that they use, have none.
pub(crate) fn engines(store: &Store) -> Vec<EngineConfig> {
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
    models.filter_map(|model| engine(model, &all, &program)).collect()
}

fn engine(model: &Installed, all: &[Installed], program: &Program) -> Option<EngineConfig> {
    let entry = &model.entry;
    let mut command = vec![program.file.display().to_string()];
    command.extend(["--listen-ip", "127.0.0.1", "--listen-port", "{port}"].map(str::to_owned));
    let mut sources = vec![model];
    for name in &entry.uses {
        sources.push(all.iter().find(|part| part.entry.name == *name)?);
    }
    let mut given = HashSet::new();
    for source in &sources {
        for file in &source.files {
            let (_, option) = OPTIONS.iter().find(|(role, _)| *role == file.role)?;
            if given.insert(option) {
                command.push((*option).to_owned());
                command.push(source.folder.join(&file.name).display().to_string());
            }
        }
    }
    let bytes: u64 = sources.iter().map(|source| source.bytes()).sum();
    let stated = |mb: u64| (mb > 0).then_some(mb * 1_000_000);
    let needs = match program.device {
        DEVICE => stated(entry.needs.memory_mb),
        _ => stated(entry.needs.vram_mb).or_else(|| stated(entry.needs.memory_mb)),
    };
    // Without a statement: the weights, and half as much for the work.
    let memory = needs.unwrap_or(bytes + bytes / 2);
    let folder = program.file.parent().unwrap_or(Path::new("/"));
    let environment = [
        ("PATH", "/usr/local/bin:/usr/bin:/bin".to_owned()),
        ("LD_LIBRARY_PATH", folder.display().to_string()),
    ];
    Some(EngineConfig {
        name: engine_name(entry),
        concurrency: 1,
        kind: EngineKind::Process(ProcessConfig {
            profile: RUNTIME.to_owned(),
            command,
            folder: None,
            environment: environment.map(|(name, value)| (name.to_owned(), value)).into(),
            device: program.device.to_owned(),
            memory: BTreeMap::from([(program.device.to_owned(), memory)]),
            beside_others: false,
            // Some builds cancel only what waits.
            kill_to_cancel: Some(true),
            start_deadline: START,
            idle: Some(IDLE),
            health: None,
            memory_limit_bytes: None,
            open_files: None,
            network: None,
        }),
    })
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
                device: if is_for_cpu { DEVICE } else { GPU },
            });
        }
    }
    found.sort_by_key(|program| program.device == DEVICE);
    found.into_iter().next()
}
