//! Dubs a recording with other words: the task `dubbing`. Nothing here understands or translates speech. Phrases are
//! found in the recording and said again: at the same times, as loud, in a similar voice, and over the original
//! background. The words come from the request. If it gives none, numbers are counted in the target language; `words`
//! in the metadata says which.

mod cast;
mod language;
#[cfg(test)]
mod tests;

use atelier_sound::{
    convert::convert,
    dsp::limiter,
    dub::{Parted, Phrase, RATE, part},
    file::{Audio, Format, Tags, decode_measured, encode},
    speech::{self, Normalization, Reading, language_of},
};
use serde_json::{Map, Value, json};

use super::effects::without_effect;
use super::{flag, number, seed, speech as reading, text, voice};
use atelier_protocol::{ENGINE, Error, Input, Request, Response};
use cast::{Speaker, cast};

/// The longest recording, in seconds.
const LONGEST: f64 = 300.0;
/// The most that speech is sped up and slowed down to fit its phrase.
const FASTEST: f32 = 1.7;
const SLOWEST: f32 = 0.72;
/// Seconds that a number takes, and the number after which counting starts again.
const A_NUMBER: f32 = 0.62;
const COUNTED: usize = 20;
/// Peak level of the result; full scale is 1.
const CEILING: f32 = 0.9;
const KBPS: u32 = 128;

/// Runs the task on an audio file.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let input = request
        .inputs_of("audio_url")
        .next()
        .ok_or_else(|| Error::InvalidInput("`audio_url` is missing; it must be a recording".to_owned()))?;
    let code = text(request, "target_language");
    if code.is_empty() {
        return Err(Error::InvalidInput(
            "`target_language` is missing; it must be a code such as `de`".to_owned(),
        ));
    }
    let language = language::spoken("target_language", code)?;
    let speakers = number(request, "num_speakers").unwrap_or(0.0);
    if !(0.0..=32.0).contains(&speakers) {
        return Err(Error::InvalidInput(format!(
            "`num_speakers` must be between 0 and 32 (got {speakers})"
        )));
    }
    let recording = cut(heard(input)?, request)?;
    progress(0.05);
    let words = Words {
        given: String::new(),
        language,
        speakers: speakers as usize,
        background: !flag(request, "drop_background_audio"),
        seed: seed(request),
    };
    let (audio, mut metadata) = dub(&recording, &input.parameter, &words, &mut |done| {
        progress(0.05 + 0.85 * done);
    })?;
    let format = Format::compressed(KBPS);
    let path = request.out.join(format!("dubbed.{}", format.extension()));
    encode(&path, &audio, format, &Tags::generated(None))
        .map_err(|error| Error::Failed(error.to_string()))?;
    let heeded = [
        "audio_url",
        "target_language",
        "num_speakers",
        "start_time",
        "end_time",
        "drop_background_audio",
        "seed",
    ];
    metadata.insert(
        "without_effect".to_owned(),
        json!(without_effect(request, &heeded)),
    );
    progress(1.0);
    Ok(Response {
        files: vec![path],
        metadata,
    })
}

/// The words to say.
#[derive(Debug)]
pub struct Words {
    /// The words. If empty, numbers are counted.
    pub given: String,
    pub language: &'static str,
    /// Number of speakers; 0 detects it.
    pub speakers: usize,
    /// Whether to keep the sound behind the voices.
    pub background: bool,
    pub seed: u64,
}

impl Words {
    /// The words of a prompt: the text in quotation marks, or after "says:", or the whole prompt.
    pub fn of_prompt(prompt: &str, seed: u64) -> Self {
        let given = said_in(prompt);
        Self {
            language: language_of(&given),
            given,
            speakers: 0,
            background: true,
            seed,
        }
    }
}

/// Dubs a recording. Returns audio of the same length, and the metadata. `parameter` is the recording's field.
pub fn dub(
    recording: &Audio,
    parameter: &str,
    words: &Words,
    progress: &mut dyn FnMut(f32),
) -> Result<(Audio, Map<String, Value>), Error> {
    let Parted {
        mut background,
        voice,
        phrases,
    } = part(recording, &mut |done| progress(0.4 * done));
    let (speakers, who) = cast(&voice, &phrases, words.speakers, voice::nearest);
    if speakers.is_empty() || phrases.is_empty() {
        return Err(Error::InvalidInput(format!(
            "no clear speech found in `{parameter}`; it must be a recording in which somebody speaks"
        )));
    }
    progress(0.45);
    let length = background.frames();
    if !words.background {
        for channel in &mut background.channels {
            channel.fill(0.0);
        }
    }
    let texts = texts(words, &phrases);
    let mut free = 0;
    let mut told = Vec::new();
    let mut left_out = false;
    for (index, (phrase, text)) in phrases.iter().zip(&texts).enumerate() {
        progress(0.45 + 0.5 * index as f32 / phrases.len() as f32);
        let speaker = &speakers[who[index]];
        if text.is_empty() {
            continue;
        }
        let samples = said(text, words, speaker, *phrase)?;
        let start = ((phrase.start * RATE as f32) as usize).max(free);
        let room = length.saturating_sub(start);
        left_out |= samples.len() > room;
        let samples = &samples[..samples.len().min(room)];
        let gain = loudness_of(&voice, *phrase) / level(samples).max(1e-6);
        for channel in &mut background.channels {
            for (to, from) in channel[start..].iter_mut().zip(samples) {
                *to += gain * from;
            }
        }
        free = start + samples.len();
        told.push(json!({
            "start": rounded(start), "end": rounded(free), "text": text,
            "voice": speaker.voice.name, "speaker": who[index] + 1,
        }));
    }
    limiter::limit(&mut background.channels, background.rate, CEILING);
    let mut metadata = Map::new();
    metadata.insert("engine".to_owned(), json!(ENGINE));
    metadata.insert("language".to_owned(), json!(words.language));
    let whose = if words.given.is_empty() {
        "numbers counted: this engine does not understand or translate speech"
    } else {
        "those of the request"
    };
    metadata.insert("words".to_owned(), json!(whose));
    metadata.insert("phrases".to_owned(), json!(told));
    metadata.insert("speakers".to_owned(), json!(speakers.len()));
    metadata.insert("duration_seconds".to_owned(), json!(rounded(length)));
    if left_out {
        metadata.insert(
            "not_done".to_owned(),
            json!(["words: there was no time left for the last ones"]),
        );
    }
    progress(1.0);
    Ok((background, metadata))
}

/// Decodes an input recording.
pub fn heard(input: &Input) -> Result<Audio, Error> {
    let named = |message: String| message.replacen("audio_url", &input.parameter, 1);
    let audio =
        decode_measured(&input.path, input.seconds).map_err(|error| {
            match super::effects::refused(error) {
                Error::InvalidInput(message) => Error::InvalidInput(named(message)),
                error => error,
            }
        })?;
    if audio.seconds() > LONGEST + 0.5 {
        return Err(Error::InvalidInput(format!(
            "`{}` must be at most {LONGEST} s long (got {:.0} s)",
            input.parameter,
            audio.seconds()
        )));
    }
    Ok(audio)
}

/// Cuts a recording to the requested part.
fn cut(mut audio: Audio, request: &Request) -> Result<Audio, Error> {
    let length = audio.seconds();
    let start = number(request, "start_time").unwrap_or(0.0).max(0.0);
    let end = number(request, "end_time").unwrap_or(length).min(length);
    if start >= end {
        return Err(Error::InvalidInput(format!(
            "`start_time` must be before the end of the recording at {end:.1} s (got {start})"
        )));
    }
    let at = |time: f64| (time * f64::from(audio.rate)) as usize;
    let (from, to) = (at(start), at(end));
    for channel in &mut audio.channels {
        channel.truncate(to);
        channel.drain(..from.min(channel.len()));
    }
    Ok(audio)
}

/// Returns the words of each phrase: a share of the words in proportion to its length, or as many numbers as fit.
fn texts(words: &Words, phrases: &[Phrase]) -> Vec<String> {
    if words.given.is_empty() {
        let mut next = 0;
        return phrases
            .iter()
            .map(|phrase| {
                let count = ((phrase.seconds() / A_NUMBER).round() as usize).max(1);
                let numbers: Vec<String> = (next..next + count)
                    .map(|at| (at % COUNTED + 1).to_string())
                    .collect();
                next += count;
                numbers.join(", ")
            })
            .collect();
    }
    // Scripts without spaces are split between characters.
    let spaced = words.given.contains(char::is_whitespace);
    let parts: Vec<String> = if spaced {
        words.given.split_whitespace().map(str::to_owned).collect()
    } else {
        words.given.chars().map(String::from).collect()
    };
    let length = |part: &String| part.chars().count() as f32 + 1.0;
    let all: f32 = parts.iter().map(length).sum();
    let seconds: f32 = phrases.iter().map(Phrase::seconds).sum();
    let (mut at, mut gone, mut until) = (0, 0.0, 0.0);
    phrases
        .iter()
        .enumerate()
        .map(|(index, phrase)| {
            until += all * phrase.seconds() / seconds;
            let from = at;
            while at < parts.len() && (index + 1 == phrases.len() || gone + 0.5 * length(&parts[at]) <= until)
            {
                gone += length(&parts[at]);
                at += 1;
            }
            parts[from..at].join(if spaced { " " } else { "" })
        })
        .collect()
}

/// A phrase said by a speaker at [`RATE`], sped up or slowed down to the phrase's length as far as possible.
fn said(text: &str, words: &Words, speaker: &Speaker, phrase: Phrase) -> Result<Vec<f32>, Error> {
    let reading = Reading {
        text,
        voice: speaker.voice,
        stability: 0.5,
        normalization: Normalization::Auto,
        language: words.language,
        helper: &reading::helper(),
        seed: words.seed,
    };
    let spoken = match reading::read(&reading, &mut |_| {}) {
        Ok(spoken) => trimmed(&spoken.samples),
        // A share of the words may consist of punctuation only.
        Err(Error::InvalidInput(_)) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let natural = spoken.len() as f32 / speech::RATE as f32;
    let speed = (natural / phrase.seconds().max(0.1)).clamp(SLOWEST, FASTEST);
    let spoken = Audio::mono(speech::RATE, spoken);
    // A word too short to be measured is left as it is.
    let moved = convert(&spoken, &speaker.portrait, speed).map_or(spoken, |(moved, _)| moved);
    Ok(trimmed(&moved.channels[0]))
}

/// Samples without leading and trailing silence.
fn trimmed(samples: &[f32]) -> Vec<f32> {
    let peak = samples.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
    let loud = |x: &f32| x.abs() > 0.01 * peak;
    let first = samples.iter().position(loud).unwrap_or(0);
    let last = samples.iter().rposition(loud).map_or(0, |last| last + 1);
    samples[first.min(last)..last].to_vec()
}

fn loudness_of(voice: &Audio, phrase: Phrase) -> f32 {
    let samples = &voice.channels[0];
    let at = |time: f32| ((time * RATE as f32) as usize).min(samples.len());
    level(&samples[at(phrase.start)..at(phrase.end)])
}

/// The level of the louder half of speech, so that pauses do not count.
fn level(samples: &[f32]) -> f32 {
    let mut powers: Vec<f32> = samples
        .chunks(RATE as usize / 50)
        .map(|part| part.iter().map(|x| x * x).sum::<f32>() / part.len() as f32)
        .collect();
    powers.sort_by(f32::total_cmp);
    let loud = &powers[powers.len() / 2..];
    (loud.iter().sum::<f32>() / loud.len().max(1) as f32).sqrt()
}

fn rounded(frames: usize) -> f64 {
    (100.0 * frames as f64 / f64::from(RATE)).round() / 100.0
}

/// The words that a prompt has somebody say.
fn said_in(prompt: &str) -> String {
    let mut quoted = Vec::new();
    let mut rest = prompt;
    while let Some(open) = rest.find(['"', '\u{201c}', '\u{201e}', '\u{ab}']) {
        let mark = rest[open..].chars().next().unwrap_or('"');
        let inner = &rest[open + mark.len_utf8()..];
        let Some(close) = inner.find(['"', '\u{201d}', '\u{201c}', '\u{bb}']) else {
            break;
        };
        quoted.push(inner[..close].trim());
        let mark = inner[close..].chars().next().unwrap_or('"');
        rest = &inner[close + mark.len_utf8()..];
    }
    if !quoted.is_empty() {
        return quoted.join(" ");
    }
    let lower = prompt.to_lowercase();
    let after = ["says:", "say:", "saying:", "speaks:", "said:"]
        .iter()
        .filter_map(|verb| lower.find(verb).map(|at| at + verb.len()))
        .min()
        // In some languages, lower case changes the length.
        .filter(|at| lower.len() == prompt.len() && prompt.is_char_boundary(*at));
    prompt[after.unwrap_or(0)..].trim().to_owned()
}
