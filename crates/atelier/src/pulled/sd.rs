//! stable-diffusion.cpp's server: pictures and films.

use std::collections::HashSet;

use atelier_weights::{Entry, Installed};
use serde_json::Value;

use crate::studio;

mod body;

pub(super) use body::seconds;

/// The value of an entry's `runtime`, the name of the program, and its profile for pictures.
pub(super) const RUNTIME: &str = "sd-server";
/// Its profile for films.
const FILM_PROFILE: &str = "sd-server-video";
/// The tasks that the profiles can ask for.
pub(super) const PICTURE: &str = "image";
pub(super) const FILM: &str = "video";
/// With this the program ends if it finds no graphics card, instead of using the CPU.
const ON_CARD: [&str; 2] = ["--backend", "gpu"];
/// With this the memory for attention grows with the number of pixels and frames, and not with its square.
const FLASH_ATTENTION: &str = "--diffusion-fa";
/// With this a decoder takes less than half of the memory. On the CPU it takes a quarter longer, with Vulkan it was no
/// slower, and CUDA has no fast way.
const DIRECT_CONVOLUTION: &str = "--vae-conv-direct";
const VULKAN: &str = "-vulkan-";
/// With these the weights stay in the main memory, and the work takes less of the card's.
pub(super) const OFFLOADED: [&str; 2] = ["--offload-to-cpu", "--vae-tiling"];

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

/// The profile for a task, if it can be asked for.
pub(super) fn profile(task: &str) -> Option<&'static str> {
    match task {
        PICTURE => Some(RUNTIME),
        // The program's films are rewritten by the embedded engines.
        FILM => studio::can_rewrite().then_some(FILM_PROFILE),
        _ => None,
    }
}

/// Returns the changes of the entry's settings to requests for a task.
pub(super) fn body(entry: &Entry, task: &str) -> Value {
    body::body(entry, task == FILM)
}

/// The arguments of the program in `runtime` for weights with the parts that they use; `None` if it has no option for a
/// file.
pub(super) fn arguments(
    entry: &Entry,
    sources: &[&Installed],
    runtime: &str,
    is_on_card: bool,
) -> Option<Vec<String>> {
    let mut arguments: Vec<String> = ["--listen-ip", "127.0.0.1", "--listen-port", "{port}"]
        .map(str::to_owned)
        .into();
    if let Some(args) = entry.settings.get(MODEL_ARGS).and_then(|args| args.as_str()) {
        arguments.extend(["--model-args".to_owned(), args.to_owned()]);
    }
    let is_silent = entry.settings.get(SOUND).and_then(Value::as_bool) == Some(false);
    let mut given = HashSet::new();
    for source in sources {
        for file in &source.files {
            if file.role == LORA {
                // Requests name its files.
                if given.insert(&LORA_FOLDER) {
                    arguments.extend([LORA_FOLDER.to_owned(), source.folder.display().to_string()]);
                }
                continue;
            }
            if is_silent && file.role == AUDIO_VAE {
                continue;
            }
            let (_, option) = OPTIONS.iter().find(|(role, _)| *role == file.role)?;
            if given.insert(option) {
                arguments.push((*option).to_owned());
                arguments.push(source.folder.join(&file.name).display().to_string());
            }
        }
    }
    if is_on_card {
        arguments.extend(ON_CARD.map(str::to_owned));
    }
    let is_film = entry.serves.iter().any(|serves| serves.task == FILM);
    if is_on_card || is_film {
        arguments.push(FLASH_ATTENTION.to_owned());
    }
    if runtime.contains(VULKAN) || (is_film && !is_on_card) {
        arguments.push(DIRECT_CONVOLUTION.to_owned());
    }
    Some(arguments)
}
