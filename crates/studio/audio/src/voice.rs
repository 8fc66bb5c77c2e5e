//! Voices of recordings: the tasks `voice-conversion` and `voice-clone`.

use atelier_sound::{
    convert::{Change, Portrait, convert, portrait},
    file::{Audio, Format, Tags, decode_measured, encode, loudness},
    speech::{self, Normalization, Reading, Voice},
};
use serde_json::{Map, Value, json};

use super::{effects::without_effect, number, seed, speech as reading, text};
use atelier_protocol::{ENGINE, Error, Input, Request, Response};

/// EBU R 128 loudness and true peak of spoken results, and their bit rate, mono.
const LOUDNESS: f64 = -16.0;
const CEILING: f64 = -1.0;
const KBPS: u32 = 128;
/// The voice used if the request names none, and the sentence that it is measured on.
const BUILT_IN: &str = "Wren";
const SAMPLE: &str =
    "Please call me when the boat comes in. We waited by the harbor all morning, and the sea was quiet.";
/// Longest recording, in seconds.
const LONGEST: f64 = 300.0;
/// Longer pauses are shortened to this length if requested, in seconds.
const PAUSE: f32 = 0.18;

/// Says a recording again in another voice. The parameters are those of the model `chatterbox-voice-conversion`.
pub fn converted(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let input = given(request, "audio_url")
        .ok_or_else(|| Error::InvalidInput("`audio_url` is missing; it must be a recording".to_owned()))?;
    let recording = heard(input)?;
    progress(0.1);
    let sample = given(request, "voice_sample_url").or_else(|| given(request, "reference_audio_url"));
    let (voice, whose) = match sample {
        Some(sample) => (measured(sample)?, "reference"),
        None => (built_in()?, BUILT_IN),
    };
    progress(0.35);
    let (audio, change) = convert(&recording, &voice, 1.0).ok_or_else(|| no_speech(&input.parameter))?;
    progress(0.85);
    let mut metadata = told(&change);
    metadata.insert("voice".to_owned(), json!(whose));
    write(request, &audio, None, metadata, progress)
}

/// Reads a text in the built-in voice most similar to a recording, moved towards it. The parameters are those of the
/// models for voice cloning.
pub fn cloned(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let words = match text(request, "text") {
        "" => text(request, "prompt"),
        words => words,
    };
    if words.is_empty() {
        return Err(Error::InvalidInput(
            "`text` is empty; it must be the words to speak".to_owned(),
        ));
    }
    let language = reading::language(&request.params, words)?;
    let speed = number(request, "speed").unwrap_or(1.0);
    if !(0.25..=4.0).contains(&speed) {
        return Err(Error::InvalidInput(format!(
            "`speed` must be between 0.25 and 4 (got {speed})"
        )));
    }
    let input = given(request, "voice_sample_url")
        .or_else(|| given(request, "audio_url"))
        .ok_or_else(|| {
            Error::InvalidInput("`audio_url` is missing; it must be a recording of the voice".to_owned())
        })?;
    let voice = measured(input)?;
    progress(0.15);
    let nearest = nearest(&voice);
    let spoken = read(request, words, language, nearest, &mut |done| {
        progress(0.15 + 0.5 * done);
    })?;
    let (mut audio, change) = convert(&spoken, &voice, speed as f32)
        .ok_or_else(|| Error::Failed("the spoken text has no measurable voice".to_owned()))?;
    progress(0.85);
    if super::flag(request, "remove_silence") {
        audio.channels = audio
            .channels
            .iter()
            .map(|row| without_pauses(row, audio.rate))
            .collect();
    }
    loudness::normalise(&mut audio, LOUDNESS, CEILING);
    let mut metadata = told(&change);
    metadata.insert("nearest_voice".to_owned(), json!(nearest.name));
    metadata.insert("language".to_owned(), json!(language));
    let heeded = [
        "text",
        "prompt",
        "language_code",
        "speed",
        "remove_silence",
        "seed",
    ];
    metadata.insert(
        "without_effect".to_owned(),
        json!(without_effect(request, &heeded)),
    );
    write(request, &audio, Some(reading::title(words)), metadata, progress)
}

fn read(
    request: &Request,
    words: &str,
    language: &str,
    voice: &'static Voice,
    progress: &mut dyn FnMut(f32),
) -> Result<Audio, Error> {
    let reading = Reading {
        text: words,
        voice,
        stability: 0.5,
        normalization: Normalization::Auto,
        language,
        helper: &reading::helper(),
        seed: seed(request),
    };
    Ok(Audio::mono(
        speech::RATE,
        reading::read(&reading, progress)?.samples,
    ))
}

/// The voice with the nearest pitch.
pub(super) fn nearest(portrait: &Portrait) -> &'static Voice {
    let away = |voice: &Voice| (voice.pitch() / portrait.pitch).ln().abs();
    Voice::ALL
        .iter()
        .min_by(|a, b| away(a).total_cmp(&away(b)))
        .unwrap_or(&Voice::ALL[0])
}

fn built_in() -> Result<Portrait, Error> {
    let voice = Voice::named(BUILT_IN).unwrap_or(&Voice::ALL[0]);
    let reading = Reading {
        text: SAMPLE,
        voice,
        stability: 0.5,
        normalization: Normalization::Auto,
        language: "en",
        helper: &reading::helper(),
        seed: 1,
    };
    let spoken = reading::read(&reading, &mut |_| {})?;
    portrait(&Audio::mono(speech::RATE, spoken.samples))
        .ok_or_else(|| Error::Failed("the built-in voice could not be measured".to_owned()))
}

fn given<'a>(request: &'a Request, name: &'a str) -> Option<&'a Input> {
    request.inputs_of(name).next()
}

fn measured(input: &Input) -> Result<Portrait, Error> {
    portrait(&heard(input)?).ok_or_else(|| no_speech(&input.parameter))
}

fn heard(input: &Input) -> Result<Audio, Error> {
    let audio =
        decode_measured(&input.path, input.seconds).map_err(|error| {
            match super::effects::refused(error) {
                Error::InvalidInput(message) => {
                    Error::InvalidInput(message.replacen("audio_url", &input.parameter, 1))
                }
                error => error,
            }
        })?;
    if audio.seconds() > LONGEST {
        return Err(Error::InvalidInput(format!(
            "`{}` must be at most {LONGEST} s long (got {:.0} s)",
            input.parameter,
            audio.seconds()
        )));
    }
    Ok(audio)
}

fn no_speech(parameter: &str) -> Error {
    Error::InvalidInput(format!(
        "no measurable voice found in `{parameter}`; \
         it must be a recording with at least a third of a second of voiced speech"
    ))
}

fn told(change: &Change) -> Map<String, Value> {
    let mut metadata = Map::new();
    let rounded = |value: f32, to: f64| (f64::from(value) * to).round() / to;
    metadata.insert("engine".to_owned(), json!(ENGINE));
    metadata.insert(
        "pitch_hz".to_owned(),
        json!({ "before": rounded(change.from, 10.0), "after": rounded(change.to, 10.0) }),
    );
    metadata.insert("formants".to_owned(), json!(rounded(change.formants, 1_000.0)));
    metadata
}

/// Shortens the pauses.
fn without_pauses(samples: &[f32], rate: u32) -> Vec<f32> {
    let step = (rate / 100).max(1) as usize;
    let peak = samples.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
    let most = (PAUSE * 100.0) as usize;
    let mut quiet = 0;
    let mut out = Vec::with_capacity(samples.len());
    for part in samples.chunks(step) {
        let loud = part.iter().any(|x| x.abs() > 0.01 * peak);
        quiet = if loud { 0 } else { quiet + 1 };
        if quiet <= most {
            out.extend_from_slice(part);
        }
    }
    out
}

fn write(
    request: &Request,
    audio: &Audio,
    title: Option<String>,
    mut metadata: Map<String, Value>,
    progress: &mut dyn FnMut(f32),
) -> Result<Response, Error> {
    let format = Format::compressed(KBPS);
    let path = request.out.join(format!("speech.{}", format.extension()));
    encode(&path, audio, format, &Tags::generated(title))
        .map_err(|error| Error::Failed(error.to_string()))?;
    progress(1.0);
    metadata.insert(
        "duration_seconds".to_owned(),
        json!((100.0 * audio.seconds()).round() / 100.0),
    );
    Ok(Response {
        files: vec![path],
        metadata,
    })
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use atelier_sound::file::{Depth, decode};

    use super::*;

    fn spoken(folder: &Path, words: &str, voice: &str) -> PathBuf {
        let reading = Reading {
            text: words,
            voice: Voice::named(voice).unwrap(),
            stability: 0.5,
            normalization: Normalization::Auto,
            language: "en",
            helper: &reading::helper(),
            seed: 2,
        };
        let samples = reading::read(&reading, &mut |_| {}).unwrap().samples;
        let path = folder.join(format!("{voice}.wav"));
        let audio = Audio::mono(speech::RATE, samples);
        encode(&path, &audio, Format::Wav(Depth::Bits16), &Tags::generated(None)).unwrap();
        path
    }

    fn request(task: &str, out: &Path, params: &Value, inputs: &[(&str, &Path)]) -> Request {
        let input = |(parameter, path): &(&str, &Path)| Input {
            parameter: (*parameter).to_owned(),
            path: (*path).to_owned(),
            media_type: "audio/wav".to_owned(),
            seconds: None,
        };
        Request {
            task: task.to_owned(),
            params: params.as_object().cloned().unwrap_or_default(),
            inputs: inputs.iter().map(input).collect(),
            seed: 1,
            out: out.to_owned(),
        }
    }

    fn pitch(path: &Path) -> f32 {
        portrait(&decode(path).unwrap()).unwrap().pitch
    }

    #[test]
    fn a_recording_is_said_again_at_the_pitch_of_the_reference_or_of_the_built_in_voice() {
        let folder = tempfile::tempdir().unwrap();
        let man = spoken(
            folder.path(),
            "The boat leaves at noon, and it never waits.",
            "Omar",
        );
        let woman = spoken(folder.path(), "We should go home before the rain begins.", "Mei");
        let inputs = [
            ("audio_url", man.as_path()),
            ("reference_audio_url", woman.as_path()),
        ];
        let response = crate::run(
            &request("voice-conversion", folder.path(), &json!({}), &inputs),
            &mut |_| {},
        )
        .unwrap();
        assert!((pitch(&response.files[0]) / pitch(&woman)).ln().abs() < 0.07);
        let length = |path: &Path| decode(path).unwrap().seconds();
        assert!((length(&response.files[0]) - length(&man)).abs() < 0.12);
        let response = crate::run(
            &request("voice-conversion", folder.path(), &json!({}), &inputs[..1]),
            &mut |_| {},
        )
        .unwrap();
        assert_eq!(response.metadata["voice"], json!(BUILT_IN));
        let expected = Voice::named(BUILT_IN).unwrap().pitch();
        assert!((pitch(&response.files[0]) / expected).ln().abs() < 0.12);
    }

    #[test]
    fn a_text_is_spoken_at_the_pitch_of_the_recording_and_as_fast_as_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let sample = spoken(
            folder.path(),
            "The boat leaves at noon, and it never waits.",
            "Björn",
        );
        let inputs = [("audio_url", sample.as_path())];
        let made = |params: &Value| {
            let response = crate::run(
                &request("voice-clone", folder.path(), params, &inputs),
                &mut |_| {},
            )
            .unwrap();
            let seconds = decode(&response.files[0]).unwrap().seconds();
            (response, seconds)
        };
        let words = "Nobody expected the letter that came on Sunday.";
        let (response, slow) = made(&json!({ "text": words, "emotion_strength": 1 }));
        assert!((pitch(&response.files[0]) / pitch(&sample)).ln().abs() < 0.08);
        assert_eq!(response.metadata["without_effect"], json!(["emotion_strength"]));
        let (_, fast) = made(&json!({ "text": words, "speed": 2 }));
        assert!((slow / fast - 2.0).abs() < 0.15, "{slow} s and {fast} s");
    }

    #[test]
    fn errors_name_invalid_parameters() {
        let folder = tempfile::tempdir().unwrap();
        let silence = folder.path().join("silence.wav");
        let audio = Audio::mono(16_000, vec![0.0; 32_000]);
        encode(
            &silence,
            &audio,
            Format::Wav(Depth::Bits16),
            &Tags::generated(None),
        )
        .unwrap();
        let inputs = [("audio_url", silence.as_path())];
        for (name, task, params) in [
            ("audio_url", "voice-conversion", json!({})),
            ("audio_url", "voice-clone", json!({ "text": "Hello" })),
            ("text", "voice-clone", json!({ "text": " " })),
            ("speed", "voice-clone", json!({ "text": "Hello", "speed": 9 })),
            (
                "language_code",
                "voice-clone",
                json!({ "text": "Hello", "language_code": "xx" }),
            ),
        ] {
            let error = crate::run(&request(task, folder.path(), &params, &inputs), &mut |_| {}).unwrap_err();
            assert!(
                matches!(&error, Error::InvalidInput(message) if message.contains(name)),
                "{name}: {error}"
            );
        }
    }
}
