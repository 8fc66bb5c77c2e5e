//! The devices that programs compute on, and the memory that they have.

use std::{
    collections::BTreeMap,
    path::Path,
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use atelier_processes::Device;

use super::memory;
use crate::{
    config::{Config, DEVICE, EngineConfig, ProcessConfig},
    failure::Failure,
};

/// The share of the free memory that programs on the CPU may use if nothing else is configured.
const SHARE: (u64, u64) = (9, 10);
/// The device that is decided at the start.
const AUTO: &str = "auto";
/// The prefix of the names of graphics cards, in the order of the driver.
const GPU: &str = "gpu";
/// The prefix of the names of Vulkan's devices.
const VULKAN: &str = "vulkan";
/// How long a driver may take to answer.
const DRIVER: Duration = Duration::from_secs(10);

/// The devices that configured programs use, each with its memory.
pub(super) fn devices(
    config: &Config,
    configured: &[(EngineConfig, ProcessConfig)],
    drivers: &mut Drivers,
) -> Result<Vec<Device>, Failure> {
    let mut devices = Vec::new();
    for (_, process) in configured {
        if !add_devices(config, process, &mut devices, drivers) {
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
    let asked = devices
        .iter()
        .filter(|device| !config.devices.contains_key(&device.name));
    let mut cards: BTreeMap<u32, &str> = BTreeMap::new();
    for device in asked {
        let Some(number) = card_number(&device.name) else {
            continue;
        };
        if let Some(other) = cards.insert(number, &device.name) {
            let name = &device.name;
            return Err(Failure::Failed {
                code: "configuration",
                message: format!(
                    "{}: `{other}` and `{name}` are the same card; use one of these names for all programs",
                    config.origin("engines")
                ),
            });
        }
    }
    Ok(devices)
}

/// The place of a card in the list of its driver.
fn card_number(name: &str) -> Option<u32> {
    let number = name.strip_prefix(GPU).or(name.strip_prefix("cuda"))?;
    if number.is_empty() {
        Some(0)
    } else {
        number.parse().ok()
    }
}

/// Replaces the device `auto` of a program.
pub(super) fn choose(config: &Config, engine: &str, process: &mut ProcessConfig, drivers: &mut Drivers) {
    if process.device != AUTO {
        return;
    }
    let needs = process.memory.remove(AUTO).unwrap_or_default();
    let device = first_with(needs, &config.devices, || drivers.nvidia());
    tracing::info!(engine, device, "chose the device of a program");
    *process.memory.entry(device.clone()).or_default() += needs;
    process.device = device;
}

/// The first card with this much memory, or else the CPU. Cards are those of the configuration, or else those that
/// their driver knows.
fn first_with<'a>(
    needs: u64,
    configured: &'a BTreeMap<String, u64>,
    known: impl FnOnce() -> &'a BTreeMap<String, u64>,
) -> String {
    let fits = |(_, has): &(&String, &u64)| **has >= needs;
    let mut own = configured.iter().filter(|(name, _)| *name != DEVICE).peekable();
    let card = if own.peek().is_some() {
        own.find(fits)
    } else {
        known()
            .iter()
            .filter(|(name, _)| name.starts_with(GPU))
            .find(fits)
    };
    card.map_or(DEVICE, |(name, _)| name).to_owned()
}

/// Adds the devices of a program. Returns false if the memory of one is unknown.
pub(super) fn add_devices(
    config: &Config,
    process: &ProcessConfig,
    devices: &mut Vec<Device>,
    drivers: &mut Drivers,
) -> bool {
    for name in process.memory.keys() {
        if devices.iter().any(|device| device.name == *name) {
            continue;
        }
        let Some(budget) = budget(config, name, drivers) else {
            return false;
        };
        devices.push(Device {
            name: name.clone(),
            budget,
        });
    }
    true
}

/// The memory of a device that programs may use; `None` if nobody knows it.
pub(super) fn budget(config: &Config, name: &str, drivers: &mut Drivers) -> Option<u64> {
    match config.devices.get(name) {
        Some(budget) => Some(*budget),
        None if name == DEVICE => memory::free(Path::new("/")).map(|free| free / SHARE.1 * SHARE.0),
        None if name.starts_with(VULKAN) => drivers.vulkan().get(name).copied(),
        None => drivers.nvidia().get(name).copied(),
    }
}

/// The answers of drivers, each asked at most once.
#[derive(Debug, Default)]
pub(super) struct Drivers {
    nvidia: Option<BTreeMap<String, u64>>,
    vulkan: Option<BTreeMap<String, u64>>,
}

impl Drivers {
    /// NVIDIA's cards and their free memory. `gpu` is the first card.
    fn nvidia(&mut self) -> &BTreeMap<String, u64> {
        self.nvidia.get_or_insert_with(|| cards(Path::new("nvidia-smi")))
    }

    /// The devices of Vulkan and their memory: `vulkan0`, …
    fn vulkan(&mut self) -> &BTreeMap<String, u64> {
        let ask = || answer(Path::new("vulkaninfo"), &[]).map_or_else(BTreeMap::new, |text| heaps(&text));
        self.vulkan.get_or_insert_with(ask)
    }
}

/// Returns the answer of a driver's program. It runs in a process of its own: a broken driver may hang or crash.
fn answer(program: &Path, arguments: &[&str]) -> Option<String> {
    let child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let (said, heard) = mpsc::channel();
    thread::spawn(move || said.send(child.wait_with_output()));
    let Ok(Ok(output)) = heard.recv_timeout(DRIVER) else {
        let program = program.display();
        tracing::error!(%program, "a driver did not answer: the memory of its devices is unknown");
        return None;
    };
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn cards(program: &Path) -> BTreeMap<String, u64> {
    let arguments = ["--query-gpu=memory.free", "--format=csv,noheader,nounits"];
    let text = answer(program, &arguments).unwrap_or_default();
    let mut cards = BTreeMap::new();
    for (at, line) in text.lines().enumerate() {
        let Ok(mib) = line.trim().parse::<u64>() else {
            continue;
        };
        let first = (at == 0).then(|| GPU.to_owned());
        let names = [Some(format!("gpu{at}")), Some(format!("cuda{at}")), first];
        cards.extend(names.into_iter().flatten().map(|name| (name, mib << 20)));
    }
    cards
}

/// The largest heap of each device's own memory in the output of `vulkaninfo`.
fn heaps(text: &str) -> BTreeMap<String, u64> {
    let mut heaps: BTreeMap<String, u64> = BTreeMap::new();
    let (mut device, mut size) = (None, None);
    for line in text.lines() {
        let number = line.strip_prefix("GPU").and_then(|rest| rest.strip_suffix(':'));
        if let Some(number) = number.and_then(|number| number.parse::<u32>().ok()) {
            (device, size) = (Some(format!("{VULKAN}{number}")), None);
        } else if let Some(rest) = line.trim().strip_prefix("size ") {
            let bytes = rest.trim_start_matches([' ', '=']).split_whitespace().next();
            size = bytes.and_then(|bytes| bytes.parse::<u64>().ok());
        } else if line.contains("MEMORY_HEAP_DEVICE_LOCAL_BIT")
            && let (Some(device), Some(size)) = (&device, size.take())
        {
            let largest = heaps.entry(device.clone()).or_default();
            *largest = size.max(*largest);
        }
    }
    heaps
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    use super::*;

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

    #[test]
    fn the_automatic_device_is_the_first_card_with_enough_memory_or_the_cpu() {
        let memory = |list: &[(&str, u64)]| -> BTreeMap<String, u64> {
            list.iter()
                .map(|(name, gib)| ((*name).to_owned(), gib << 30))
                .collect()
        };
        let cards = [("cuda0", 8), ("gpu", 8), ("gpu0", 8), ("cuda1", 24), ("gpu1", 24)];
        let chosen = |gib: u64, configured: &[(&str, u64)], cards: &[(&str, u64)]| {
            let (configured, cards) = (memory(configured), memory(cards));
            first_with(gib << 30, &configured, || &cards)
        };
        assert_eq!(chosen(6, &[], &cards), "gpu");
        assert_eq!(chosen(20, &[], &cards), "gpu1");
        assert_eq!(chosen(40, &[], &cards), "cpu", "no card has that much");
        assert_eq!(chosen(6, &[], &[]), "cpu");
        // Configured cards replace the detected ones.
        assert_eq!(chosen(6, &[("cpu", 30), ("vulkan0", 16)], &cards), "vulkan0");
        assert_eq!(chosen(20, &[("vulkan0", 16)], &cards), "cpu");
    }

    #[test]
    fn a_card_has_several_names() {
        let numbers = ["gpu", "gpu0", "cuda0", "cuda1", "cuda", "vulkan0", "gpux"].map(card_number);
        assert_eq!(numbers, [Some(0), Some(0), Some(0), Some(1), Some(0), None, None]);
    }

    #[test]
    fn devices_of_vulkan_have_their_largest_heap_of_their_own_memory() {
        let text = "GPU0:\n\tdeviceName = A\nmemoryHeaps: count = 2\n\
            \tmemoryHeaps[0]:\n\t\tsize   = 2147483648 (0x80000000) (2.00 GiB)\n\t\tflags: count = 1\n\
            \t\t\tMEMORY_HEAP_DEVICE_LOCAL_BIT\n\
            \tmemoryHeaps[1]:\n\t\tsize   = 8589934592 (0x200000000) (8.00 GiB)\n\t\tflags:\n\t\t\tNone\n\
            GPU1:\n\tmemoryHeaps[0]:\n\t\tsize   = 1024 (0x400)\n\t\t\tMEMORY_HEAP_DEVICE_LOCAL_BIT\n";
        let expected = [("vulkan0".to_owned(), 2 << 30), ("vulkan1".to_owned(), 1_024)];
        assert_eq!(heaps(text), expected.into());
        assert_eq!(heaps("Cannot create a Vulkan instance"), BTreeMap::new());
    }
}
