//! The audio tasks, built on `atelier-sound`.

pub mod dubbing;
pub mod effects;
pub mod film;
pub mod likeness;
pub mod music;
pub mod section;
pub mod speech;
pub mod stems;
pub mod voice;

use std::{path::PathBuf, sync::OnceLock};

use atelier_protocol::{Error, Request, Task};
use serde_json::Value;

/// The tasks of this crate. `dubbing` of a film belongs to the crate that can read films.
pub const TASKS: &[Task] = &[
    ("music", music::run),
    ("music-section", section::run),
    ("speech", speech::run),
    ("sound-effects", effects::run),
    ("video-to-audio", film::run),
    ("stems", stems::run),
    ("voice-conversion", voice::converted),
    ("voice-clone", voice::cloned),
];

/// The SoundFont that this process plays music with.
static SOUNDFONT: OnceLock<PathBuf> = OnceLock::new();

/// Makes music play with a General MIDI SoundFont instead of the synthesis. Call it once, before the first request.
/// Later calls have no effect.
pub fn use_soundfont(path: PathBuf) {
    // The first SoundFont stays: a request must not sound different from the one before it.
    let _ = SOUNDFONT.set(path);
}

/// The music settings of this process.
pub fn settings() -> atelier_sound::music::Settings {
    atelier_sound::music::Settings {
        soundfont: SOUNDFONT.get().cloned(),
        loudness: None,
    }
}

/// A text parameter, trimmed; empty if it is missing.
fn text<'a>(request: &'a Request, name: &str) -> &'a str {
    request
        .params
        .get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .trim()
}

fn flag(request: &Request, name: &str) -> bool {
    request
        .params
        .get(name)
        .and_then(Value::as_bool)
        .unwrap_or_default()
}

/// A number, if it is present.
fn number(request: &Request, name: &str) -> Option<f64> {
    request.params.get(name).and_then(Value::as_f64)
}

/// A number from 0 to 1, if it is present.
fn share(request: &Request, name: &str) -> Result<Option<f32>, Error> {
    match number(request, name) {
        Some(value) if !(0.0..=1.0).contains(&value) => Err(Error::InvalidInput(format!(
            "`{name}` must be between 0 and 1 (got {value})"
        ))),
        value => Ok(value.map(|value| value as f32)),
    }
}

/// The seed of all random numbers.
fn seed(request: &Request) -> u64 {
    request
        .params
        .get("seed")
        .and_then(Value::as_u64)
        .unwrap_or(request.seed)
}

/// Runs a request with the tasks of this crate.
#[cfg(test)]
fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<atelier_protocol::Response, Error> {
    atelier_protocol::run(TASKS, request, progress)
}
