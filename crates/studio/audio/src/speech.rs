//! Reads a text aloud, with word times if requested: the task `speech`.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
};

use atelier_sound::{
    file::{Audio, Format, Tags, encode, loudness},
    speech::{
        HELPER, LANGUAGES, Normalization, RATE, Reading, SpeakError, Speech, Voice, language_of, speak,
    },
};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::likeness;
use atelier_protocol::{Error, Request, Response};

/// EBU R 128 loudness and true peak of the result.
const LOUDNESS: f64 = -16.0;
const CEILING: f64 = -1.0;
/// Bit rate of the MP3, mono.
const KBPS: u32 = 128;
/// The longest title, in letters of the text.
const TITLE: usize = 60;

/// The JSON file of word times.
#[derive(Debug, Serialize)]
struct Timestamps<'a> {
    words: Vec<Timed<'a>>,
}

/// Times in seconds, and offsets into the text in Unicode scalar values.
#[derive(Debug, Serialize)]
struct Timed<'a> {
    word: &'a str,
    start: f64,
    end: f64,
    from: usize,
    to: usize,
}

/// Runs the request.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    speak_with(&helper(), request, progress)
}

/// The path of the program that speaks languages other than English. It is installed beside this one.
pub fn helper() -> PathBuf {
    std::env::current_exe().unwrap_or_default().with_file_name(HELPER)
}

fn speak_with(helper: &Path, request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let params = &request.params;
    let text = text_of(params)?;
    let language = language(params, text)?;
    let voice_name = string(params, "voice").unwrap_or("Wren");
    let voice = likeness::voice(voice_name).ok_or_else(|| unknown_voice(voice_name))?;
    let reading = Reading {
        text,
        voice,
        stability: params
            .get("stability")
            .and_then(Value::as_f64)
            .unwrap_or(0.5)
            .clamp(0.0, 1.0) as f32,
        normalization: normalization(params)?,
        language,
        helper,
        seed: request.seed,
    };
    let speech = read(&reading, progress)?;
    let mut response = write(request, text, RATE, &speech, Tags::generated)?;
    progress(1.0);
    let facts = [("voice", json!(voice.name)), ("language", json!(language))];
    response
        .metadata
        .extend(facts.map(|(name, value)| (name.to_owned(), value)));
    Ok(response)
}

/// Writes the sound at the usual loudness, and the times of the words if the request asks for them. `tags` makes the
/// tags from the title. The metadata of the response has the length and the loudness.
pub fn write(
    request: &Request,
    text: &str,
    rate: u32,
    speech: &Speech,
    tags: impl FnOnce(Option<String>) -> Tags,
) -> Result<Response, Error> {
    let mut audio = Audio::mono(rate, speech.samples.clone());
    let loudness = loudness::normalise(&mut audio, LOUDNESS, CEILING);
    let format = Format::compressed(KBPS);
    let path = request.out.join(format!("speech.{}", format.extension()));
    encode(&path, &audio, format, &tags(Some(title(text))))
        .map_err(|error| Error::Failed(error.to_string()))?;
    let mut files = vec![path];
    let params = &request.params;
    if params.get("timestamps").and_then(Value::as_bool).unwrap_or(false) {
        let path = request.out.join("timestamps.json");
        write_timestamps(&path, speech)?;
        files.push(path);
    }
    let facts = [
        ("loudness_lufs", (10.0 * loudness).round() / 10.0),
        ("duration_seconds", (100.0 * audio.seconds()).round() / 100.0),
    ];
    let metadata = facts.map(|(name, value)| (name.to_owned(), json!(value)));
    Ok(Response {
        files,
        metadata: metadata.into_iter().collect(),
    })
}

/// Speaks on all cores and reports progress from whichever finishes.
pub(super) fn read(reading: &Reading<'_>, progress: &mut dyn FnMut(f32)) -> Result<Speech, Error> {
    let (sender, receiver) = std::sync::mpsc::channel::<f32>();
    let sender = Mutex::new(sender);
    let spoken = std::thread::scope(|scope| {
        let speaker = scope.spawn(move || {
            speak(reading, &|done| {
                if let Ok(sender) = sender.lock() {
                    // Nobody receives progress once the request is cancelled.
                    let _ = sender.send(done);
                }
            })
        });
        let mut most = 0.0_f32;
        for done in receiver {
            most = most.max(done * 0.9);
            progress(most);
        }
        speaker.join()
    });
    match spoken {
        Ok(Ok(speech)) => Ok(speech),
        Ok(Err(error)) => Err(refused(&error)),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn refused(error: &SpeakError) -> Error {
    match error {
        SpeakError::Nothing => {
            Error::InvalidInput("`text` cannot be spoken: it needs at least one letter or digit".to_owned())
        }
        other @ (SpeakError::Flite(_) | SpeakError::Helper(_)) => Error::Failed(other.to_string()),
    }
}

/// The text of a request.
pub fn text_of(params: &Map<String, Value>) -> Result<&str, Error> {
    string(params, "text").ok_or_else(|| Error::InvalidInput("`text` is missing".to_owned()))
}

/// How a request wants numbers and abbreviations read.
pub fn normalization(params: &Map<String, Value>) -> Result<Normalization, Error> {
    match string(params, "apply_text_normalization") {
        None | Some("auto") => Ok(Normalization::Auto),
        Some("on") => Ok(Normalization::On),
        Some("off") => Ok(Normalization::Off),
        Some(other) => Err(Error::InvalidInput(format!(
            "`apply_text_normalization` must be auto, on or off (got {other:?})"
        ))),
    }
}

/// The requested language, or the language of the text.
pub(super) fn language(params: &Map<String, Value>, text: &str) -> Result<&'static str, Error> {
    let asked = string(params, "language_code").filter(|asked| !asked.is_empty());
    let Some(asked) = asked.and_then(likeness::language) else {
        return Ok(language_of(text));
    };
    let found = LANGUAGES.iter().find(|code| **code == asked);
    found.copied().ok_or_else(|| {
        Error::InvalidInput(format!(
            "unsupported `language_code` {asked:?}; supported languages: {}",
            LANGUAGES.join(", ")
        ))
    })
}

fn unknown_voice(name: &str) -> Error {
    let names: Vec<&str> = Voice::ALL.iter().map(|voice| voice.name).collect();
    Error::InvalidInput(format!(
        "unknown `voice` {name:?}; known voices: {}",
        names.join(", ")
    ))
}

fn string<'a>(params: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    params.get(name).and_then(Value::as_str)
}

/// The beginning of the text, up to its last whole word.
pub(super) fn title(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= TITLE {
        return line;
    }
    let cut: String = line.chars().take(TITLE).collect();
    let whole = cut.rsplit_once(' ').map_or(cut.as_str(), |(whole, _)| whole);
    format!("{whole} \u{2026}")
}

fn write_timestamps(path: &Path, speech: &Speech) -> Result<(), Error> {
    let seconds = |time: f32| (f64::from(time) * 1_000.0).round() / 1_000.0;
    let words = speech.words.iter().map(|word| Timed {
        word: &word.word,
        start: seconds(word.start),
        end: seconds(word.end),
        from: word.from,
        to: word.to,
    });
    let timestamps = Timestamps {
        words: words.collect(),
    };
    let json = serde_json::to_vec(&timestamps).map_err(|error| Error::Failed(error.to_string()))?;
    Ok(fs::write(path, json)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(params: Value, out: PathBuf) -> Request {
        let Value::Object(params) = params else {
            unreachable!()
        };
        Request {
            task: "speech".to_owned(),
            params,
            inputs: vec![],
            seed: 9,
            out,
        }
    }

    #[test]
    fn a_text_becomes_a_sound_file_of_the_right_loudness_and_a_file_of_word_times() {
        let out = tempfile::tempdir().unwrap();
        let params = json!({
            "text": "Hello there, caf\u{e9}. How are you today?", "voice": "Omar", "timestamps": true,
        });
        let response = crate::run(&request(params, out.path().to_owned()), &mut |_| {}).unwrap();
        assert_eq!(response.files.len(), 2);
        let audio = atelier_sound::file::decode(&response.files[0]).unwrap();
        assert_eq!(audio.rate, 44_100);
        assert!((loudness::integrated(&audio) - LOUDNESS).abs() < 1.0);
        assert!(loudness::true_peak(&audio) < 0.0);
        let told = |name: &str| response.metadata[name].as_f64().unwrap();
        assert!((told("duration_seconds") - audio.seconds()).abs() < 0.1);
        assert!((told("loudness_lufs") - LOUDNESS).abs() < 1.0);
        let times: Value = serde_json::from_slice(&fs::read(&response.files[1]).unwrap()).unwrap();
        let words = times["words"].as_array().unwrap();
        assert_eq!(words.len(), 7);
        assert_eq!(
            (&words[2]["word"], &words[2]["from"], &words[2]["to"]),
            (&json!("caf\u{e9}"), &json!(13), &json!(17))
        );
        assert!(words[6]["end"].as_f64().unwrap() < audio.seconds());
    }

    #[test]
    fn a_text_without_words_is_invalid_input() {
        let out = tempfile::tempdir().unwrap();
        let error = crate::run(
            &request(json!({ "text": "?!" }), out.path().to_owned()),
            &mut |_| {},
        )
        .unwrap_err();
        assert!(
            matches!(error, Error::InvalidInput(message) if message.starts_with("`text` cannot be spoken"))
        );
    }

    #[test]
    fn an_unknown_language_is_refused_with_the_list_of_supported_ones() {
        let out = tempfile::tempdir().unwrap();
        let params = json!({ "text": "Guten Tag", "language_code": "xx" });
        let error = crate::run(&request(params, out.path().to_owned()), &mut |_| {}).unwrap_err();
        assert!(
            matches!(&error, Error::InvalidInput(message)
                if message.starts_with("unsupported `language_code` \"xx\"; supported languages: af, am, an, ")
                    && message.ends_with(", zh")),
            "{error}"
        );
    }

    #[test]
    fn the_language_is_the_requested_one_or_the_texts_own_or_english() {
        let language = |params: Value, text| language(params.as_object().unwrap(), text).unwrap();
        let german = "Heute scheint die Sonne, und alle Kinder spielen drau\u{df}en.";
        assert_eq!(language(json!({}), german), "de");
        assert_eq!(language(json!({ "language_code": "en" }), german), "en");
        assert_eq!(language(json!({ "language_code": "" }), "Hello"), "en");
    }

    #[test]
    fn other_languages_need_the_helper_and_its_absence_is_reported() {
        let out = tempfile::tempdir().unwrap();
        let params = json!({ "text": "Guten Tag, wie geht es?", "language_code": "de", "timestamps": true });
        let request = request(params, out.path().to_owned());
        let missing = speak_with(Path::new("/nowhere/atelier-espeak"), &request, &mut |_| {}).unwrap_err();
        assert!(
            matches!(&missing, Error::Failed(message) if message.contains("not found at /nowhere/atelier-espeak")),
            "{missing}"
        );
        let Some(helper) = atelier_found::built("atelier-espeak") else {
            return;
        };
        let response = speak_with(&helper, &request, &mut |_| {}).unwrap();
        assert_eq!(response.metadata["language"], "de");
        let audio = atelier_sound::file::decode(&response.files[0]).unwrap();
        assert!((loudness::integrated(&audio) - LOUDNESS).abs() < 1.0);
        let times: Value = serde_json::from_slice(&fs::read(&response.files[1]).unwrap()).unwrap();
        assert_eq!(times["words"].as_array().unwrap().len(), 5);
    }

    #[test]
    fn a_long_text_has_a_short_title() {
        assert_eq!(title("Short \n one"), "Short one");
        assert!(title(&"word ".repeat(100)).chars().count() <= TITLE + 2);
    }
}
