//! Piper: phones become numbers by the table beside the graph.

use std::{collections::HashMap, fs, ops::Range};

use atelier_networks::{Network, Tensor};
use atelier_protocol::{Error, Request};
use atelier_sound::speech::{Sound, Spelling};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    DURATIONS, Manner,
    folder::{self, Family, Folder},
    join::Spoken,
    speed, string, times, voices,
};

/// The most letters of phones of one run. The network takes more; its memory grows with them.
pub(crate) const LONGEST: usize = 500;

/// The parameters that have an effect.
pub(crate) const HEEDED: &[&str] = &[
    "voice",
    "language_code",
    "speed",
    "speaker_id",
    "noise_scale",
    "noise_w_scale",
];

/// The file beside the graph.
#[derive(Debug, Deserialize)]
struct Config {
    phoneme_id_map: HashMap<String, Vec<i64>>,
    #[serde(default = "one")]
    num_speakers: i64,
    #[serde(default)]
    phoneme_type: Option<String>,
    espeak: Espeak,
}

#[derive(Debug, Deserialize)]
struct Espeak {
    voice: String,
}

const fn one() -> i64 {
    1
}

/// Weights in memory.
#[derive(Debug)]
pub(crate) struct Piper {
    pub(crate) rate: u32,
    settings: folder::Piper,
    config: Config,
    language: &'static str,
    network: Network,
    /// Whether the graph tells the frames of each number.
    has_durations: bool,
}

impl Piper {
    pub(crate) fn load(folder: &Folder) -> Result<Self, String> {
        let Family::Piper(settings) = &folder.family else {
            return Err("the weights are not Piper's".to_owned());
        };
        let path = folder.file("config")?;
        let wrong = |why: String| format!("{}: {why}", path.display());
        let bytes = fs::read(&path).map_err(|error| wrong(error.to_string()))?;
        let config: Config = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        if config
            .phoneme_type
            .as_deref()
            .is_some_and(|kind| kind != "espeak")
        {
            let kind = config.phoneme_type.unwrap_or_default();
            return Err(wrong(format!("`phoneme_type` must be espeak (got {kind:?})")));
        }
        let language = voices::helper_language(&config.espeak.voice)
            .ok_or_else(|| wrong(format!("unknown language {:?}", config.espeak.voice)))?;
        let network = Network::from_file(&folder.file("graph")?).map_err(|error| error.to_string())?;
        Ok(Self {
            rate: settings.sample_rate,
            settings: settings.clone(),
            config,
            language,
            has_durations: network.outputs().iter().any(|name| name == DURATIONS),
            network,
        })
    }

    pub(crate) fn manner(&self, request: &Request, text: &str) -> Result<Manner, Error> {
        let asked = string(request, "voice");
        let language = string(request, "language_code");
        voices::piper(&self.settings, asked, language, text).map_err(Error::Failed)?;
        let number = |name: &str| Some(request.params.get(name)?.as_f64()? as f32);
        let speaker = request.params.get("speaker_id").and_then(Value::as_i64);
        if let Some(speaker) = speaker.filter(|speaker| *speaker >= self.config.num_speakers) {
            let count = self.config.num_speakers;
            return Err(Error::InvalidInput(format!(
                "`speaker_id` must be below {count}, the number of speakers of this voice (got {speaker})"
            )));
        }
        Ok(Manner {
            voice: self.settings.voice.clone(),
            language: self.language,
            told: self.settings.language.clone(),
            speed: speed(request, 0.25..=4.0),
            noise: number("noise_scale"),
            noise_of_lengths: number("noise_w_scale"),
            speaker,
        })
    }

    /// How many letters a sound has.
    pub(crate) fn cost(sound: &Sound) -> usize {
        letters(sound).len()
    }

    pub(crate) fn speak(&mut self, manner: &Manner, line: &Spelling) -> Result<Spoken, String> {
        let (ids, ranges) = ids(&self.config.phoneme_id_map, line);
        let count = ids.len();
        let scales = vec![
            manner.noise.unwrap_or(self.settings.noise_scale),
            self.settings.length_scale / manner.speed,
            manner.noise_of_lengths.unwrap_or(self.settings.noise_w),
        ];
        let mut inputs = vec![
            ("input", Tensor::i64(&[1, count], ids)),
            ("input_lengths", Tensor::i64(&[1], vec![count as i64])),
            ("scales", Tensor::f32(&[3], scales)),
        ];
        if self.config.num_speakers > 1 {
            inputs.push(("sid", Tensor::i64(&[1], vec![manner.speaker.unwrap_or(0)])));
        }
        let mut outputs = vec!["output"];
        outputs.extend(self.has_durations.then_some(DURATIONS));
        let made = self.network.run(inputs, &outputs);
        let mut made = made
            .map_err(|error| error.to_string())?
            .into_iter()
            .map(Tensor::into_f32);
        let samples = made.next().unwrap_or_default();
        let seconds = samples.len() as f32 / self.rate as f32;
        let spans = made
            .next()
            .and_then(|frames| times::spans(&frames, &ranges, count, seconds));
        Ok(Spoken { samples, spans })
    }
}

/// `^`, the letters of the phones, `$`, with `_` between them, and which of them each sound has. Letters that the table
/// lacks are left out.
fn ids(table: &HashMap<String, Vec<i64>>, line: &Spelling) -> (Vec<i64>, Vec<Range<usize>>) {
    let of = |letter: char| table.get(letter.encode_utf8(&mut [0; 4]) as &str);
    let pad = of('_').map(Vec::as_slice).unwrap_or_default();
    let mut ids = of('^').cloned().unwrap_or_default();
    ids.extend(pad);
    let mut ranges = Vec::with_capacity(line.sounds.len());
    for (sound, _) in &line.sounds {
        let begin = ids.len();
        for found in letters(sound).into_iter().filter_map(of) {
            ids.extend(found);
            ids.extend(pad);
        }
        ranges.push(begin..ids.len());
    }
    ids.extend(of('$').into_iter().flatten());
    (ids, ranges)
}

fn letters(sound: &Sound) -> Vec<char> {
    match sound {
        Sound::Space => vec![' '],
        Sound::Mark(mark) => vec![*mark],
        Sound::Phone(phone) => phone.chars().flat_map(decomposed).collect(),
    }
}

/// A letter without its accent, and the accent. Of the letters of phones, only these are ever written as one.
fn decomposed(letter: char) -> impl Iterator<Item = char> {
    let (letter, accent) = match letter {
        'ã' => ('a', Some('\u{303}')),
        'õ' => ('o', Some('\u{303}')),
        'ũ' => ('u', Some('\u{303}')),
        'ĩ' => ('i', Some('\u{303}')),
        'ẽ' => ('e', Some('\u{303}')),
        'ä' => ('a', Some('\u{308}')),
        'ç' => ('c', Some('\u{327}')),
        _ => (letter, None),
    };
    std::iter::once(letter).chain(accent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phones_become_numbers_between_pads() {
        let letters = ["_", "^", "$", " ", ",", "h", "ə", "ˈ", "c", "\u{327}"];
        let table = letters
            .iter()
            .zip(0..)
            .map(|(letter, id)| ((*letter).to_owned(), vec![id]))
            .collect();
        let phone = |phone: &str| (Sound::Phone(phone.to_owned()), Some(0));
        let line = Spelling {
            sounds: vec![
                phone("h"),
                phone("ˈə"),
                (Sound::Mark(','), None),
                (Sound::Space, None),
                phone("ç"),
            ],
            words: Vec::new(),
            pause: 0.0,
        };
        let (ids, ranges) = ids(&table, &line);
        assert_eq!(ids, [1, 0, 5, 0, 7, 0, 6, 0, 4, 0, 3, 0, 8, 0, 9, 0, 2]);
        assert_eq!(ranges, [2..4, 4..8, 8..10, 10..12, 12..16]);
    }
}
