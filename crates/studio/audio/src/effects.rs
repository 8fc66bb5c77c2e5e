//! Sounds from words: the task `sound-effects`, and helpers that other audio tasks share.

use atelier_sound::{
    file::{Audio, DecodeError, Format, Tags, decode_measured, encode, loudness},
    scape::{Heard, Scape, from_words, render},
};
use serde_json::{Map, Value, json};

use super::{number, seed, share, text};
use atelier_protocol::{ENGINE, Error, Input, Request, Response};

/// Sample rate, and bit rate.
pub(super) const RATE: u32 = 44_100;
pub(super) const KBPS: u32 = 256;
/// Loudness of a stand-alone sound in LUFS: louder than the soundtrack of a film.
pub(super) const LOUDNESS: f64 = -18.0;
/// Default and maximum duration, in seconds.
const SECONDS: f64 = 10.0;
const LONGEST: f64 = 120.0;
/// Seconds of the blend between repainted and unchanged sound.
const BLEND: f32 = 0.05;
/// The longest title, in letters of the prompt.
const TITLE: usize = 60;

/// Makes a sound. The parameters are those of the model `stable-audio-3-sfx`.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let prompt = prompt(request)?;
    let seconds = seconds(request, SECONDS, LONGEST)?;
    let source = request.inputs_of("audio_url").next();
    progress(0.05);
    let (audio, heard) = match source {
        None => {
            let heard = heard(request, prompt, seconds);
            (render(&heard.scape, RATE), heard)
        }
        Some(input) => changed(request, input, prompt, seconds)?,
    };
    progress(0.8);
    let mut metadata = told(&heard);
    metadata.insert(
        "without_effect".to_owned(),
        json!(without_effect(
            request,
            &[
                "prompt",
                "negative_prompt",
                "duration",
                "strength",
                "inpaint_start",
                "inpaint_end",
                "seed"
            ]
        )),
    );
    write(request, &audio, prompt, metadata, progress)
}

/// The prompt, trimmed.
fn prompt(request: &Request) -> Result<&str, Error> {
    match text(request, "prompt") {
        "" => Err(Error::InvalidInput(
            "`prompt` is empty; describe a sound, such as \"rain on a window\"".to_owned(),
        )),
        prompt => Ok(prompt),
    }
}

/// The requested duration.
pub(super) fn seconds(request: &Request, default: f64, most: f64) -> Result<f64, Error> {
    match number(request, "duration") {
        None => Ok(default),
        Some(value) if (0.5..=most).contains(&value) => Ok(value),
        Some(value) => Err(Error::InvalidInput(format!(
            "`duration` must be between 0.5 and {most} seconds (got {value})"
        ))),
    }
}

/// Builds a scape from the prompt, without the sounds that the negative prompt names.
pub(super) fn heard(request: &Request, prompt: &str, seconds: f64) -> Heard {
    let mut heard =
        from_words(prompt, seconds as f32, seed(request)).without(text(request, "negative_prompt"));
    heard.scape.loudness = LOUDNESS;
    heard
}

/// A recording with a new sound in its place, in whole or in part, mixed according to `strength`.
fn changed(request: &Request, input: &Input, prompt: &str, seconds: f64) -> Result<(Audio, Heard), Error> {
    let strength = share(request, "strength")?.unwrap_or(1.0);
    let mut audio = decode_measured(&input.path, input.seconds).map_err(refused)?;
    audio.channels.truncate(2);
    if audio.seconds() > LONGEST {
        return Err(Error::InvalidInput(format!(
            "`audio_url` must be at most {LONGEST} s long (got {:.1} s)",
            audio.seconds()
        )));
    }
    let painted = number(request, "inpaint_start").is_some();
    if !painted {
        // A recording that is changed as a whole gets the requested duration.
        let frames = (seconds * f64::from(audio.rate)) as usize;
        for channel in &mut audio.channels {
            channel.resize(frames, 0.0);
        }
    }
    let length = audio.seconds();
    let start = number(request, "inpaint_start").unwrap_or(0.0);
    let end = number(request, "inpaint_end").unwrap_or(length).min(length);
    if start < 0.0 || start >= end {
        return Err(Error::InvalidInput(format!(
            "`inpaint_start` must be at least 0 and before the end of the repainted part at {end:.2} s (got {start})"
        )));
    }
    let mut heard = heard(request, prompt, end - start);
    let was = loudness::integrated(&audio);
    if was > -70.0 {
        heard.scape.loudness = was;
    }
    let new = render(&heard.scape, audio.rate);
    // An equal-power mix of the original and the new sound.
    let (take, keep) = (0.5 * std::f32::consts::PI * strength).sin_cos();
    let first = (start * f64::from(audio.rate)) as usize;
    let blend = BLEND * audio.rate as f32;
    let mono = new.downmix();
    let stereo = audio.channels.len() == 2;
    for (index, channel) in audio.channels.iter_mut().enumerate() {
        let fresh = if stereo { &new.channels[index] } else { &mono };
        let count = fresh.len();
        for (at, (to, x)) in channel.iter_mut().skip(first).zip(fresh).enumerate() {
            let edge = if painted {
                ((at.min(count - at) as f32) / blend).min(1.0)
            } else {
                1.0
            };
            *to = *to * (1.0 + (keep - 1.0) * edge) + x * take * edge;
        }
    }
    Ok((audio, heard))
}

/// Metadata: what was understood from the words.
pub(super) fn told(heard: &Heard) -> Map<String, Value> {
    let mut metadata = Map::new();
    metadata.insert("engine".to_owned(), json!(ENGINE));
    metadata.insert("understood".to_owned(), json!(heard.understood));
    metadata.insert("unknown".to_owned(), json!(heard.unknown));
    metadata.insert("sounds".to_owned(), sounds(&heard.scape));
    metadata
}

/// Metadata: the sounds, and the times of events.
fn sounds(scape: &Scape) -> Value {
    let rounded = |at: f32| (100.0 * f64::from(at)).round() / 100.0;
    let sources = scape
        .sources
        .iter()
        .map(|source| json!({ "sound": source.sound.name() }));
    let events = scape
        .events
        .iter()
        .map(|event| json!({ "sound": event.sound.name(), "at": rounded(event.at) }));
    sources.chain(events).collect()
}

/// Parameters of the request that have no effect here.
pub(super) fn without_effect(request: &Request, heeded: &[&str]) -> Vec<String> {
    request
        .params
        .iter()
        .filter(|(name, value)| {
            !heeded.contains(&name.as_str())
                && !name.ends_with("_url")
                && !name.ends_with("_urls")
                && !value.is_null()
        })
        .map(|(name, _)| name.clone())
        .collect()
}

/// Writes the file, and returns its length and loudness.
pub(super) fn write(
    request: &Request,
    audio: &Audio,
    title: &str,
    mut metadata: Map<String, Value>,
    progress: &mut dyn FnMut(f32),
) -> Result<Response, Error> {
    let fits = [32_000, 44_100, 48_000].contains(&audio.rate);
    let format = if fits {
        Format::compressed(KBPS)
    } else {
        Format::Wav(atelier_sound::file::Depth::Bits24)
    };
    let path = request.out.join(format!("sound.{}", format.extension()));
    let title: String = title
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(TITLE)
        .collect();
    encode(
        &path,
        audio,
        format,
        &Tags::generated(Some(title).filter(|title| !title.is_empty())),
    )
    .map_err(|error| Error::Failed(error.to_string()))?;
    progress(1.0);
    metadata.insert(
        "duration_seconds".to_owned(),
        json!((100.0 * audio.seconds()).round() / 100.0),
    );
    metadata.insert(
        "loudness_lufs".to_owned(),
        json!((10.0 * loudness::integrated(audio)).round() / 10.0),
    );
    Ok(Response {
        files: vec![path],
        metadata,
    })
}

/// The sender can fix a file that cannot be decoded, but not a disk that cannot be read.
pub(super) fn refused(error: DecodeError) -> Error {
    match error {
        DecodeError::Io(error) => error.into(),
        error => Error::InvalidInput(format!("`audio_url`: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use atelier_sound::file::{Depth, decode};

    use super::*;

    fn request(out: &Path, params: &Value, source: Option<&Path>) -> Request {
        let input = |path: &Path| Input {
            parameter: "audio_url".to_owned(),
            path: path.to_owned(),
            media_type: "audio/wav".to_owned(),
            seconds: None,
        };
        Request {
            task: "sound-effects".to_owned(),
            params: params.as_object().cloned().unwrap_or_default(),
            inputs: source.map(input).into_iter().collect(),
            seed: 5,
            out: out.to_owned(),
        }
    }

    #[test]
    fn a_sound_has_the_requested_length_and_reports_what_was_understood() {
        let folder = tempfile::tempdir().unwrap();
        let params = json!({
            "prompt": "a dog barks in the rain next to a quokka", "negative_prompt": "wind",
            "duration": 3, "steps": 8, "seed": 4,
        });
        let response = crate::run(&request(folder.path(), &params, None), &mut |_| {}).unwrap();
        let audio = decode(&response.files[0]).unwrap();
        assert!((audio.seconds() - 3.0).abs() < 0.06, "{}", audio.seconds());
        let told = &response.metadata;
        assert_eq!(told["understood"], json!(["dog", "rain"]));
        assert_eq!(told["unknown"], json!(["next", "quokka"]));
        assert_eq!(told["without_effect"], json!(["steps"]));
        assert!(
            (told["loudness_lufs"].as_f64().unwrap() - LOUDNESS).abs() < 1.5,
            "{told:?}"
        );
        let bytes = std::fs::read(&response.files[0]).unwrap();
        assert!(bytes.windows(12).any(|window| window == b"AI_GENERATED"));
        let again = crate::run(&request(folder.path(), &params, None), &mut |_| {}).unwrap();
        assert_eq!(std::fs::read(&again.files[0]).unwrap(), bytes);
    }

    #[test]
    fn outside_the_repainted_part_a_recording_is_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("source.wav");
        let tone: Vec<f32> = (0..22_050 * 4).map(|at| 0.2 * (at as f32 * 0.05).sin()).collect();
        let source = Audio::mono(22_050, tone);
        encode(&path, &source, Format::Wav(Depth::Bits24), &Tags::generated(None)).unwrap();
        let params = json!({ "prompt": "rain", "inpaint_start": 1, "inpaint_end": 2 });
        let response = crate::run(&request(folder.path(), &params, Some(&path)), &mut |_| {}).unwrap();
        let result = decode(&response.files[0]).unwrap();
        let source = decode(&path).unwrap();
        assert_eq!((result.rate, result.frames()), (source.rate, source.frames()));
        assert_eq!(result.channels[0][..22_050], source.channels[0][..22_050]);
        assert_eq!(result.channels[0][44_100..], source.channels[0][44_100..]);
        assert_ne!(
            result.channels[0][30_000..35_000],
            source.channels[0][30_000..35_000]
        );
        let params = json!({ "prompt": "rain", "strength": 0, "duration": 4 });
        let response = crate::run(&request(folder.path(), &params, Some(&path)), &mut |_| {}).unwrap();
        assert_eq!(decode(&response.files[0]).unwrap().channels, source.channels);
    }

    #[test]
    fn errors_name_invalid_parameters() {
        let folder = tempfile::tempdir().unwrap();
        let noise = folder.path().join("noise.mp3");
        std::fs::write(&noise, [0x55; 3_000]).unwrap();
        for (name, params, source) in [
            ("prompt", json!({ "prompt": "  " }), None),
            ("duration", json!({ "prompt": "rain", "duration": 900 }), None),
            ("audio_url", json!({ "prompt": "rain" }), Some(noise.as_path())),
        ] {
            let error = crate::run(&request(folder.path(), &params, source), &mut |_| {}).unwrap_err();
            assert!(
                matches!(&error, Error::InvalidInput(message) if message.contains(name)),
                "{error}"
            );
        }
    }
}
