//! Engines of the kind `process`: programs that the service starts.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use atelier_processes::Network;

use super::{Memory, Written, only};
use crate::config::{
    environment::Environment,
    read::{Read, Refused},
};

/// The device of programs that name none.
pub const DEVICE: &str = "cpu";
/// How long a program may take until it is ready, in seconds. Large weights on a slow disk take minutes.
const START_SECONDS: f64 = 600.0;
/// How long an idle program stays in memory, in seconds.
const IDLE_SECONDS: f64 = 300.0;
/// The longest of these times, in seconds.
const LONGEST: f64 = 604_800.0;
/// Variables of the service that programs get too. They say where things are, which drivers and cards to use, and are
/// no secrets.
const PASSED: [&str; 26] = [
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_DATA_DIRS",
    "XDG_RUNTIME_DIR",
    "VK_DRIVER_FILES",
    "VK_ADD_DRIVER_FILES",
    "VK_ICD_FILENAMES",
    "VK_LAYER_PATH",
    "GGML_VK_VISIBLE_DEVICES",
    "CUDA_VISIBLE_DEVICES",
    "NVIDIA_VISIBLE_DEVICES",
    "NVIDIA_DRIVER_CAPABILITIES",
    "HIP_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES",
    "HSA_OVERRIDE_GFX_VERSION",
    "__GL_SHADER_DISK_CACHE_PATH",
    "MESA_SHADER_CACHE_DIR",
];

/// A program that the service starts for its jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessConfig {
    /// The interface that it speaks: `comfyui`, or a profile.
    pub profile: String,
    /// The program and its arguments, with placeholders.
    pub command: Vec<String>,
    pub folder: Option<PathBuf>,
    /// Its whole environment, with placeholders.
    pub environment: BTreeMap<String, String>,
    pub device: String,
    /// In bytes, by device. `device` is one of them.
    pub memory: BTreeMap<String, u64>,
    /// Whether its jobs may run while those of other programs do, on the same device.
    pub beside_others: bool,
    /// Whether cancelled jobs end by killing the program; `None`: only if its profile cannot cancel.
    pub kill_to_cancel: Option<bool>,
    pub start_deadline: Duration,
    /// `None`: it stays until others need its memory.
    pub idle: Option<Duration>,
    /// A path that answers with success when the program is ready.
    pub health: Option<String>,
    pub memory_limit_bytes: Option<u64>,
    pub open_files: Option<u64>,
    /// `None`: nothing, if the system can keep it from the program.
    pub network: Option<Network>,
}

/// The settings that other kinds of engines do not have, and whether each is set.
pub(super) fn settings(written: &Written) -> [(&'static str, bool); 12] {
    [
        ("command", written.command.is_some()),
        ("folder", written.folder.is_some()),
        ("environment", written.environment.is_some()),
        ("device", written.device.is_some()),
        ("beside_others", written.beside_others.is_some()),
        ("kill_to_cancel", written.kill_to_cancel.is_some()),
        ("start_seconds", written.start_seconds.is_some()),
        ("idle_seconds", written.idle_seconds.is_some()),
        ("health", written.health.is_some()),
        ("memory_limit_mb", written.memory_limit_mb.is_some()),
        ("open_files", written.open_files.is_some()),
        ("network", written.network.is_some()),
    ]
}

pub(super) fn read(
    written: &Written,
    environment: &Environment,
    refused: &dyn Fn(String) -> Refused,
) -> Read<ProcessConfig> {
    let others = [
        ("url", written.url.is_some()),
        ("key_env", written.key_env.is_some()),
        ("key_file", written.key_file.is_some()),
        ("requests_per_minute", written.requests_per_minute.is_some()),
        ("runtime", written.runtime.is_some()),
        ("library", written.library.is_some()),
        ("provider", written.provider.is_some()),
        ("models", written.models.is_some()),
    ];
    only("process", &others, refused)?;
    let required = |name: &str, what: &str| refused(format!("`{name}` is required: {what}"));
    let profile = written.profile.clone();
    let profile = profile.ok_or_else(|| required("profile", "the interface that the program speaks"))?;
    let command = written.command.clone().unwrap_or_default();
    if command.is_empty() {
        return Err(required("command", "the program and its arguments, as a list"));
    }
    let fixed = written.environment.clone().unwrap_or_default();
    let is_place = |text: &String| text.contains("{port}") || text.contains("{socket}");
    if !command.iter().chain(fixed.values()).any(is_place) {
        return Err(refused(
            "`command` or `environment` must contain `{port}` or `{socket}`: the port or the Unix socket that the \
             program listens on"
                .to_owned(),
        ));
    }
    let network = match written.network.as_deref() {
        None | Some("host") => Network::Host,
        Some("none") => Network::None,
        Some(other) => {
            return Err(refused(format!(
                "`network` must be `host` or `none` (got `{other}`)"
            )));
        }
    };
    let device = written.device.clone().unwrap_or_else(|| DEVICE.to_owned());
    let memory = memory(written, &device, refused)?;
    let mut passed = passed(environment);
    passed.extend(fixed);
    let idle = seconds("idle_seconds", written.idle_seconds, IDLE_SECONDS, refused)?;
    Ok(ProcessConfig {
        profile,
        command,
        folder: written.folder.clone(),
        environment: passed,
        device,
        memory,
        beside_others: written.beside_others.unwrap_or(false),
        kill_to_cancel: written.kill_to_cancel,
        start_deadline: seconds("start_seconds", written.start_seconds, START_SECONDS, refused)?,
        idle: (!idle.is_zero()).then_some(idle),
        health: written.health.clone(),
        memory_limit_bytes: written.memory_limit_mb.map(|mib| u64::from(mib) << 20),
        open_files: written.open_files.map(u64::from),
        network: Some(network),
    })
}

/// The variables of the service that programs get too.
pub(in crate::config) fn passed(environment: &Environment) -> BTreeMap<String, String> {
    let passed = PASSED
        .iter()
        .filter_map(|name| Some((*name, environment.variable(name)?)));
    passed
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// Returns the memory that the program holds of each device, in bytes.
fn memory(
    written: &Written,
    device: &str,
    refused: &dyn Fn(String) -> Refused,
) -> Read<BTreeMap<String, u64>> {
    let bytes = |mib: u32| u64::from(mib) << 20;
    let mut memory = match &written.memory_mb {
        Some(Memory::One(mib)) => BTreeMap::from([(device.to_owned(), bytes(*mib))]),
        Some(Memory::Each(each)) => each
            .iter()
            .map(|(device, mib)| (device.clone(), bytes(*mib)))
            .collect(),
        None => {
            return Err(refused(format!(
                "`memory_mb` is required: the memory that the program holds on `{device}`, in MiB"
            )));
        }
    };
    memory.entry(device.to_owned()).or_insert(0);
    Ok(memory)
}

fn seconds(
    name: &str,
    written: Option<f64>,
    default: f64,
    refused: &dyn Fn(String) -> Refused,
) -> Read<Duration> {
    let seconds = written.unwrap_or(default);
    if (0.0..=LONGEST).contains(&seconds) {
        return Ok(Duration::from_secs_f64(seconds));
    }
    Err(refused(format!(
        "`{name}` must be between 0 and {LONGEST} (got {seconds})"
    )))
}
