//! Speech by trained voices: the task `speech` with Kokoro's or Piper's weights from the folder of models. The helper
//! program turns the text into phones, a network turns each sentence into sound.
//!
//! A language or a voice that the weights do not have is [`Error::Failed`]: the next route may have it.

use std::{
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use atelier_audio::speech as task;
use atelier_protocol::{Error, Request, Response};
use atelier_sound::{
    file::Tags,
    speech::{Script, Sound, Speech, Spelling, spell},
};
use serde_json::{Value, json};

mod folder;
mod join;
mod kokoro;
mod piper;
mod times;
mod voices;

pub use folder::check;
use folder::{Family, Folder};
use join::{Joined, Spoken};

/// The runtime that an entry of the index names.
pub const RUNTIME: &str = "speech";

/// The output of a graph that tells the frames of each token; the rewrite `durations` makes it.
const DURATIONS: &str = "durations";

/// The model that was used last.
static LOADED: Mutex<Option<Loaded>> = Mutex::new(None);

#[derive(Debug)]
struct Loaded {
    folder: PathBuf,
    title: String,
    license: Option<String>,
    model: Model,
}

#[derive(Debug)]
enum Model {
    Kokoro(Box<kokoro::Kokoro>),
    Piper(Box<piper::Piper>),
}

/// How one request is to be spoken: what the weights were asked for, in their terms.
#[derive(Debug, Clone, PartialEq)]
struct Manner {
    /// The weights' own name of the voice.
    voice: String,
    /// The helper's name of the language.
    language: &'static str,
    /// The weights' name of the language, such as `en-gb`.
    told: String,
    /// 2 is twice as fast.
    speed: f32,
    /// Piper's shares of chance, if they were given.
    noise: Option<f32>,
    noise_of_lengths: Option<f32>,
    speaker: Option<i64>,
}

/// Runs a request with the weights in `models`/`target`.
pub fn run(
    models: &Path,
    target: &str,
    request: &Request,
    progress: &mut dyn FnMut(f32),
) -> Result<Response, Error> {
    run_with(&task::helper(), models, target, request, progress)
}

/// The same with the helper program at this path.
pub fn run_with(
    helper: &Path,
    models: &Path,
    target: &str,
    request: &Request,
    progress: &mut dyn FnMut(f32),
) -> Result<Response, Error> {
    let text = task::text_of(&request.params)?;
    let normalization = task::normalization(&request.params)?;
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let loaded = loaded_from(&mut loaded, models, target)?;
    let (manner, heeded) = loaded.model.manner(request, text)?;
    let script = Script {
        text,
        language: manner.language,
        normalization,
        helper,
    };
    let spelled = spell(&script).map_err(|error| Error::Failed(error.to_string()))?;
    if spelled.is_empty() {
        return Err(Error::InvalidInput(
            "`text` cannot be spoken: it needs at least one letter or digit".to_owned(),
        ));
    }
    progress(0.1);
    let rate = loaded.model.rate();
    let (speech, is_timed) = read(&mut loaded.model, &manner, spelled, rate, progress)?;
    let Response { files, mut metadata } = task::write(request, text, rate, &speech, |title| {
        Tags::trained(title, &loaded.title, loaded.license.as_deref())
    })?;
    let facts = [
        ("voice", json!(manner.voice)),
        ("language", json!(manner.told)),
        ("weights", json!(loaded.title)),
        ("runtime", json!("rten")),
        ("device", json!("cpu")),
        ("without_effect", json!(without_effect(request, heeded))),
    ];
    metadata.extend(facts.map(|(name, value)| (name.to_owned(), value)));
    if let Some(license) = &loaded.license {
        metadata.insert("weights_license".to_owned(), json!(license));
    }
    let asked = asked_speed(request);
    if (asked - manner.speed).abs() > f32::EPSILON {
        let spoken = manner.speed;
        let note = format!("speed {asked}: these weights are not clear at it, and spoke at {spoken}");
        metadata.insert("not_done".to_owned(), json!([note]));
    }
    if files.len() > 1 {
        let times = if is_timed { "network" } else { "estimated" };
        metadata.insert("word_times".to_owned(), json!(times));
    }
    progress(1.0);
    Ok(Response { files, metadata })
}

/// Speaks sentence by sentence and joins them. Also returns whether the network told the times of the words.
fn read(
    model: &mut Model,
    manner: &Manner,
    spelled: Vec<Spelling>,
    rate: u32,
    progress: &mut dyn FnMut(f32),
) -> Result<(Speech, bool), Error> {
    let mut joined = Joined::new(rate, manner.speed);
    let count = spelled.len();
    for (index, line) in spelled.into_iter().enumerate() {
        let parts = join::parts(line, model.longest(), |sound| model.cost(manner, sound));
        for part in &parts {
            let spoken = model.speak(manner, part).map_err(Error::Failed)?;
            joined.add(spoken, part);
        }
        progress(0.1 + 0.8 * (index + 1) as f32 / count as f32);
    }
    Ok(joined.finish())
}

/// The model in a folder, loaded unless it was used last.
fn loaded_from<'a>(
    loaded: &'a mut Option<Loaded>,
    models: &Path,
    target: &str,
) -> Result<&'a mut Loaded, Error> {
    let path = models.join(target);
    if loaded.as_ref().is_none_or(|loaded| loaded.folder != path) {
        *loaded = None;
        let folder = Folder::read(&path).map_err(Error::Failed)?;
        let model = match &folder.family {
            Family::Kokoro(_) => {
                kokoro::Kokoro::load(models, &folder).map(|model| Model::Kokoro(Box::new(model)))
            }
            Family::Piper(_) => piper::Piper::load(&folder).map(|model| Model::Piper(Box::new(model))),
        };
        *loaded = Some(Loaded {
            folder: path,
            title: folder.title,
            license: folder.license,
            model: model.map_err(Error::Failed)?,
        });
    }
    loaded
        .as_mut()
        .ok_or_else(|| Error::Failed("the model could not be loaded".to_owned()))
}

impl Model {
    /// Samples per second.
    fn rate(&self) -> u32 {
        match self {
            Self::Kokoro(kokoro) => kokoro.rate,
            Self::Piper(piper) => piper.rate,
        }
    }

    /// Returns the share of the longest run that a sound takes.
    fn cost(&self, manner: &Manner, sound: &Sound) -> usize {
        match self {
            Self::Kokoro(kokoro) => kokoro.cost(manner.language, sound),
            Self::Piper(_) => piper::Piper::cost(sound),
        }
    }

    /// The most of one run, in what `cost` counts.
    fn longest(&self) -> usize {
        match self {
            Self::Kokoro(_) => kokoro::LONGEST,
            Self::Piper(_) => piper::LONGEST,
        }
    }

    /// How to speak a request, and the parameters that this took into account.
    fn manner(&self, request: &Request, text: &str) -> Result<(Manner, &'static [&'static str]), Error> {
        match self {
            Self::Kokoro(kokoro) => Ok((kokoro.manner(request, text)?, kokoro::HEEDED)),
            Self::Piper(piper) => Ok((piper.manner(request, text)?, piper::HEEDED)),
        }
    }

    fn speak(&mut self, manner: &Manner, line: &Spelling) -> Result<Spoken, String> {
        match self {
            Self::Kokoro(kokoro) => kokoro.speak(manner, line),
            Self::Piper(piper) => piper.speak(manner, line),
        }
    }
}

/// The speed that a request asks for, if the weights speak clearly at it; else the nearest at which they do.
fn speed(request: &Request, clear: RangeInclusive<f32>) -> f32 {
    asked_speed(request).clamp(*clear.start(), *clear.end())
}

fn asked_speed(request: &Request) -> f32 {
    let asked = request.params.get("speed").and_then(Value::as_f64);
    asked.unwrap_or(1.0) as f32
}

fn string<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    let value = request.params.get(name).and_then(Value::as_str)?;
    Some(value.trim()).filter(|value| !value.is_empty())
}

/// The parameters that nothing here took into account, beside the engine's own.
fn without_effect(request: &Request, heeded: &[&str]) -> Vec<String> {
    // The text also has the standard name of its role.
    const ALWAYS: [&str; 4] = ["text", "prompt", "timestamps", "apply_text_normalization"];
    let ignored = request.params.iter().filter(|(name, value)| {
        let name = name.as_str();
        !value.is_null() && !name.starts_with('$') && !ALWAYS.contains(&name) && !heeded.contains(&name)
    });
    // The file is an MP3, whichever format is the default.
    let ignored = ignored.filter(|(name, value)| *name != "output_format" || value.as_str() != Some("mp3"));
    ignored.map(|(name, _)| name.clone()).collect()
}

#[cfg(test)]
mod tests;
