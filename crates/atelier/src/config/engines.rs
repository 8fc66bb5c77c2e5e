//! The configured engines: the table `engines`.

use std::{collections::BTreeMap, fmt, fs, path::PathBuf};

use atelier_engines::Endpoint;
use figment::value::Value;
use serde::Deserialize;
use url::Url;

use super::{
    environment::Environment,
    read::{Read, Refused},
};

mod process;

pub(super) use process::passed;
pub use process::{DEVICE, ProcessConfig};

/// The names of the embedded engines.
const TAKEN: [&str; 3] = ["draft", "echo", "weights"];
/// The default number of requests in progress: waiting for another server costs little.
const CONCURRENCY: usize = 100;
/// The default memory limit of a process with a model.
const MEMORY_MB: u32 = 4_096;

/// A configured engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineConfig {
    /// The name that routes use.
    pub name: String,
    /// How many jobs it runs at the same time.
    pub concurrency: usize,
    pub kind: EngineKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineKind {
    Http(HttpConfig),
    Comfy(ComfyConfig),
    Onnx(OnnxConfig),
    Process(ProcessConfig),
    /// Remote workers run its jobs.
    Remote,
}

/// Trained models that run on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnnxConfig {
    pub run: RuntimeConfig,
    /// The folder of models; by default `models` in the data folder.
    pub models: Option<PathBuf>,
    /// The memory limit of one process.
    pub memory_bytes: u64,
}

/// The runtime of graphs, and its device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeConfig {
    /// `auto`, `rten` or `onnxruntime`.
    pub runtime: String,
    /// The shared library of ONNX Runtime; without it, the runtime in the program runs the graphs.
    pub library: Option<PathBuf>,
    /// A library that lets ONNX Runtime use a GPU.
    pub provider: Option<PathBuf>,
    /// `auto`, `cpu` or `gpu`.
    pub device: String,
}

impl RuntimeConfig {
    /// Why these settings contradict each other, if they do.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        let is_rten = self.runtime == "rten";
        if is_rten && self.library.is_some() {
            return Some("`library` is ONNX Runtime's; with `runtime = \"rten\"` it is not used");
        }
        if is_rten && self.provider.is_some() {
            return Some("`provider` is for ONNX Runtime; with `runtime = \"rten\"` it is not used");
        }
        if is_rten && self.device == "gpu" {
            return Some(
                "`device = \"gpu\"` requires ONNX Runtime with a GPU provider: rten runs on the CPU only",
            );
        }
        None
    }

    /// Whether ONNX Runtime is required, and its library is not named.
    pub fn lacks_library(&self) -> Option<&'static str> {
        if self.library.is_some() {
            return None;
        }
        match (self.runtime.as_str(), self.device.as_str(), &self.provider) {
            ("onnxruntime", ..) => Some("`runtime = \"onnxruntime\"`"),
            (_, "gpu", _) => Some("`device = \"gpu\"`"),
            (_, _, Some(_)) => Some("`provider`"),
            _ => None,
        }
    }
}

/// An external engine.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpConfig {
    /// A built-in profile, or a file in the folder `profiles` of the data folder.
    pub profile: String,
    /// `None` means the profile's URL.
    pub url: Option<Url>,
    pub key: Option<String>,
    pub requests_per_minute: Option<u32>,
}

/// A ComfyUI server.
#[derive(Clone, PartialEq, Eq)]
pub struct ComfyConfig {
    pub url: Url,
    pub key: Option<String>,
    pub requests_per_minute: Option<u32>,
}

impl fmt::Debug for ComfyConfig {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ComfyConfig")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for HttpConfig {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpConfig")
            .field("profile", &self.profile)
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    kind: String,
    profile: Option<String>,
    url: Option<String>,
    key_env: Option<String>,
    key_file: Option<String>,
    concurrency: Option<usize>,
    requests_per_minute: Option<u32>,
    runtime: Option<String>,
    library: Option<PathBuf>,
    provider: Option<PathBuf>,
    models: Option<PathBuf>,
    memory_mb: Option<Memory>,
    command: Option<Vec<String>>,
    folder: Option<PathBuf>,
    environment: Option<BTreeMap<String, String>>,
    device: Option<String>,
    beside_others: Option<bool>,
    kill_to_cancel: Option<bool>,
    start_seconds: Option<f64>,
    idle_seconds: Option<f64>,
    health: Option<String>,
    memory_limit_mb: Option<u32>,
    open_files: Option<u32>,
    network: Option<String>,
}

/// An amount of memory in MiB, or one for each device.
#[derive(Deserialize, Clone)]
#[serde(untagged)]
enum Memory {
    One(u32),
    Each(BTreeMap<String, u32>),
}

pub(super) fn engines(environment: &Environment) -> impl Fn(&Value) -> Read<Vec<EngineConfig>> + '_ {
    move |value| {
        let written: BTreeMap<String, Value> = value.deserialize().map_err(|_| Refused::NotAllowed)?;
        written
            .into_iter()
            .map(|(name, value)| engine(name, &value, environment))
            .collect()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDevice {
    memory_mb: u32,
}

/// The memory of each device, in bytes.
pub(super) fn devices(value: &Value) -> Read<BTreeMap<String, u64>> {
    let written: BTreeMap<String, WrittenDevice> = value.deserialize().map_err(|_| Refused::NotAllowed)?;
    let bytes = |device: WrittenDevice| u64::from(device.memory_mb) << 20;
    Ok(written
        .into_iter()
        .map(|(name, device)| (name, bytes(device)))
        .collect())
}

fn engine(name: String, value: &Value, environment: &Environment) -> Read<EngineConfig> {
    let refused = |why: String| Refused::Because(format!("the engine `{name}`: {why}"));
    if TAKEN.contains(&name.as_str()) {
        return Err(refused(
            "this is the name of an embedded engine; choose another name".to_owned(),
        ));
    }
    let written: Written = value
        .deserialize()
        .map_err(|error: figment::Error| refused(error.kind.to_string()))?;
    let (kind, least) = match written.kind.as_str() {
        "http" => (
            EngineKind::Http(http(&written, environment, &refused)?),
            CONCURRENCY,
        ),
        "comfyui" => (EngineKind::Comfy(comfyui(&written, environment, &refused)?), 1),
        "onnx" => (EngineKind::Onnx(onnx(&written, &refused)?), 1),
        "process" => (
            EngineKind::Process(process::read(&written, environment, &refused)?),
            1,
        ),
        "remote" => (remote(&written, &refused)?, 1),
        other => {
            return Err(refused(format!(
                "`kind` must be `http`, `comfyui`, `onnx`, `process` or `remote` (got `{other}`)"
            )));
        }
    };
    let concurrency = written.concurrency.unwrap_or(least);
    if !(1..=10_000).contains(&concurrency) {
        return Err(refused(format!(
            "`concurrency` must be between 1 and 10000 (got {concurrency})"
        )));
    }
    Ok(EngineConfig {
        name,
        concurrency,
        kind,
    })
}

/// Refuses settings of other kinds of engines.
fn only(kind: &str, others: &[(&str, bool)], refused: &dyn Fn(String) -> Refused) -> Read<()> {
    match others.iter().find(|(_, is_set)| *is_set) {
        None => Ok(()),
        Some((name, _)) => Err(refused(format!(
            "engines of the kind `{kind}` do not have the setting `{name}`"
        ))),
    }
}

/// The values that `runtime` and `device` allow. The first is the default.
pub(super) const RUNTIMES: [&str; 3] = ["auto", "rten", "onnxruntime"];
pub(super) const DEVICES: [&str; 3] = ["auto", "cpu", "gpu"];

fn onnx(written: &Written, refused: &dyn Fn(String) -> Refused) -> Read<OnnxConfig> {
    let others = [
        ("profile", written.profile.is_some()),
        ("url", written.url.is_some()),
        ("requests_per_minute", written.requests_per_minute.is_some()),
    ];
    only("onnx", &others, refused)?;
    let of_programs = process::settings(written);
    let of_programs = of_programs.into_iter().filter(|(name, _)| *name != "device");
    only("onnx", &of_programs.collect::<Vec<_>>(), refused)?;
    let one_of = |key: &str, allowed: [&str; 3], value: &Option<String>| {
        let value = value.as_deref().unwrap_or(allowed[0]);
        if allowed.contains(&value) {
            return Ok(value.to_owned());
        }
        let [first, second, third] = allowed;
        Err(refused(format!(
            "`{key}` must be `{first}`, `{second}` or `{third}` (got `{value}`)"
        )))
    };
    let run = RuntimeConfig {
        runtime: one_of("runtime", RUNTIMES, &written.runtime)?,
        library: written.library.clone(),
        provider: written.provider.clone(),
        device: one_of("device", DEVICES, &written.device)?,
    };
    if let Some(why) = run.contradiction() {
        return Err(refused(why.to_owned()));
    }
    if let Some(what) = run.lacks_library() {
        return Err(refused(format!(
            "{what} requires `library`: the shared library of ONNX Runtime, such as /usr/lib/libonnxruntime.so"
        )));
    }
    let memory_mb = match &written.memory_mb {
        None => MEMORY_MB,
        Some(Memory::One(memory_mb)) => *memory_mb,
        Some(Memory::Each(_)) => return Err(refused("`memory_mb` must be a number of MiB".to_owned())),
    };
    Ok(OnnxConfig {
        run,
        models: written.models.clone(),
        memory_bytes: u64::from(memory_mb) << 20,
    })
}

/// The workers say everything else.
fn remote(written: &Written, refused: &dyn Fn(String) -> Refused) -> Read<EngineKind> {
    let others = [
        ("profile", written.profile.is_some()),
        ("url", written.url.is_some()),
        ("key_env", written.key_env.is_some()),
        ("key_file", written.key_file.is_some()),
        ("concurrency", written.concurrency.is_some()),
        ("requests_per_minute", written.requests_per_minute.is_some()),
        ("runtime", written.runtime.is_some()),
        ("library", written.library.is_some()),
        ("provider", written.provider.is_some()),
        ("models", written.models.is_some()),
        ("memory_mb", written.memory_mb.is_some()),
    ];
    only("remote", &others, refused)?;
    only("remote", &process::settings(written), refused)?;
    Ok(EngineKind::Remote)
}

fn http(
    written: &Written,
    environment: &Environment,
    refused: &dyn Fn(String) -> Refused,
) -> Read<HttpConfig> {
    let others = [
        ("runtime", written.runtime.is_some()),
        ("library", written.library.is_some()),
        ("provider", written.provider.is_some()),
        ("models", written.models.is_some()),
        ("memory_mb", written.memory_mb.is_some()),
    ];
    only("http", &others, refused)?;
    only("http", &process::settings(written), refused)?;
    let profile = written
        .profile
        .clone()
        .ok_or_else(|| refused("`profile` is required: the name of the engine's interface".to_owned()))?;
    Ok(HttpConfig {
        profile,
        url: url(written, refused)?,
        key: key(written, environment, refused)?,
        requests_per_minute: requests_per_minute(written, refused)?,
    })
}

fn comfyui(
    written: &Written,
    environment: &Environment,
    refused: &dyn Fn(String) -> Refused,
) -> Read<ComfyConfig> {
    let others = [
        ("profile", written.profile.is_some()),
        ("runtime", written.runtime.is_some()),
        ("library", written.library.is_some()),
        ("provider", written.provider.is_some()),
        ("models", written.models.is_some()),
        ("memory_mb", written.memory_mb.is_some()),
    ];
    only("comfyui", &others, refused)?;
    only("comfyui", &process::settings(written), refused)?;
    let url = url(written, refused)?
        .ok_or_else(|| refused("`url` is required: the server, such as http://10.0.0.5:8188".to_owned()))?;
    Ok(ComfyConfig {
        url,
        key: key(written, environment, refused)?,
        requests_per_minute: requests_per_minute(written, refused)?,
    })
}

fn url(written: &Written, refused: &dyn Fn(String) -> Refused) -> Read<Option<Url>> {
    let Some(text) = &written.url else { return Ok(None) };
    let masked = Endpoint::masked_url(text);
    match Url::parse(text) {
        Ok(url) if !url.username().is_empty() || url.password().is_some() => Err(refused(format!(
            "`url` must not contain a user name or password (got {masked}); use `key_env` or `key_file`"
        ))),
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(Some(url)),
        _ => Err(refused(format!(
            "`url` must be an http or https URL (got `{masked}`)"
        ))),
    }
}

fn key(
    written: &Written,
    environment: &Environment,
    refused: &dyn Fn(String) -> Refused,
) -> Read<Option<String>> {
    match (&written.key_env, &written.key_file) {
        (None, None) => Ok(None),
        (Some(variable), None) => {
            let key = environment.variable(variable).filter(|key| !key.is_empty());
            let key = key.ok_or_else(|| refused(format!("`key_env`: the variable {variable} is not set")))?;
            Ok(Some(key.to_owned()))
        }
        (None, Some(file)) => {
            let key =
                fs::read_to_string(file).map_err(|error| refused(format!("`key_file` {file}: {error}")))?;
            Ok(Some(key.trim().to_owned()))
        }
        (Some(_), Some(_)) => Err(refused("set either `key_env` or `key_file`, not both".to_owned())),
    }
}

fn requests_per_minute(written: &Written, refused: &dyn Fn(String) -> Refused) -> Read<Option<u32>> {
    if written.requests_per_minute == Some(0) {
        return Err(refused(
            "`requests_per_minute` must be at least 1 (got 0)".to_owned(),
        ));
    }
    Ok(written.requests_per_minute)
}
