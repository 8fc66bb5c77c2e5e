//! Separates a song into stems: the task `stems`.

use atelier_sound::{
    dsp::resample::resample,
    file::{Audio, Depth, Format, Tags, decode_measured, encode, loudness},
    stems::separate,
};
use serde_json::{Map, Value, json};

use super::{
    effects::{refused, without_effect},
    number, text,
};
use atelier_protocol::{ENGINE, Error, Request, Response};

/// The stems, in the order of the files.
const PARTS: [&str; 4] = ["vocals", "drums", "bass", "other"];
/// Accepted bit rates of MP3, in kbit/s.
const KBPS: (f64, f64) = (64.0, 320.0);

/// Separates a song. The parameters are those of the model `demucs-v4`; stems that only that model knows are refused.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let input = request
        .inputs_of("audio_url")
        .next()
        .ok_or_else(|| Error::InvalidInput("`audio_url` is missing; it must be a song".to_owned()))?;
    let wanted = wanted(request)?;
    let alone = alone(request)?;
    let format = format(request)?;
    let song = decode_measured(&input.path, input.seconds).map_err(refused)?;
    progress(0.1);
    let stems = separate(&song, &mut |done| progress(0.1 + 0.75 * done));
    drop(song);
    let mut parts: Vec<(String, Audio)> = PARTS
        .iter()
        .map(|name| (*name).to_owned())
        .zip([stems.vocals, stems.drums, stems.bass, stems.other])
        .collect();
    if let Some(name) = alone {
        parts = two(parts, name);
    } else {
        parts.retain(|(name, _)| wanted.contains(&name.as_str()));
    }
    let mut files = Vec::new();
    let mut told = Vec::new();
    for (name, mut audio) in parts {
        let (format, rate) = fitting(format, &audio);
        if rate != audio.rate {
            audio.channels = audio
                .channels
                .iter()
                .map(|row| resample(row, audio.rate, rate))
                .collect();
            audio.rate = rate;
        }
        let path = request.out.join(format!("{name}.{}", format.extension()));
        encode(&path, &audio, format, &Tags::generated(Some(name.clone())))
            .map_err(|error| Error::Failed(error.to_string()))?;
        told.push(
            json!({ "stem": name, "loudness_lufs": (10.0 * loudness::integrated(&audio)).round() / 10.0 }),
        );
        files.push(path);
    }
    progress(1.0);
    let mut metadata = Map::new();
    metadata.insert("engine".to_owned(), json!(ENGINE));
    metadata.insert("stems".to_owned(), json!(told));
    let heeded = ["stems", "two_stems", "output_format", "mp3_bitrate"];
    metadata.insert(
        "without_effect".to_owned(),
        json!(without_effect(request, &heeded)),
    );
    Ok(Response { files, metadata })
}

/// The requested stems; all by default.
fn wanted(request: &Request) -> Result<Vec<&'static str>, Error> {
    let Some(asked) = request
        .params
        .get("stems")
        .and_then(Value::as_array)
        .filter(|list| !list.is_empty())
    else {
        return Ok(PARTS.to_vec());
    };
    asked
        .iter()
        .map(|value| {
            PARTS
                .into_iter()
                .find(|name| value.as_str() == Some(name))
                .ok_or_else(|| unknown("stems", value))
        })
        .collect()
}

/// The one stem that is requested together with the rest as one file.
fn alone(request: &Request) -> Result<Option<&'static str>, Error> {
    let asked = text(request, "two_stems");
    if asked.is_empty() {
        return Ok(None);
    }
    PARTS[..3]
        .iter()
        .find(|name| **name == asked)
        .map(|name| Some(*name))
        .ok_or_else(|| unknown("two_stems", &json!(asked)))
}

fn unknown(name: &str, value: &Value) -> Error {
    Error::InvalidInput(format!(
        "`{name}` contains {value}; the draft engine supports only {}",
        PARTS.join(", ")
    ))
}

fn format(request: &Request) -> Result<Format, Error> {
    if text(request, "output_format") != "mp3" {
        return Ok(Format::Wav(Depth::Bits16));
    }
    let kbps = number(request, "mp3_bitrate").unwrap_or(KBPS.1);
    if !(KBPS.0..=KBPS.1).contains(&kbps) {
        return Err(Error::InvalidInput(format!(
            "`mp3_bitrate` must be between {} and {} (got {kbps})",
            KBPS.0, KBPS.1
        )));
    }
    Ok(Format::compressed(kbps as u32))
}

/// MP3 supports some bit rates only, and two channels. Audio with more channels stays WAV.
fn fitting(format: Format, audio: &Audio) -> (Format, u32) {
    let wav = Format::Wav(Depth::Bits16);
    if format == wav || audio.channels.len() > 2 {
        return (wav, audio.rate);
    }
    let rate = match audio.rate {
        32_000 | 44_100 | 48_000 => audio.rate,
        rate if rate < 44_100 => 44_100,
        _ => 48_000,
    };
    (format, rate)
}

/// One stem, and the sum of the others.
fn two(parts: Vec<(String, Audio)>, name: &str) -> Vec<(String, Audio)> {
    let mut rest: Option<Audio> = None;
    let mut kept = Vec::new();
    for (part, audio) in parts {
        if part == name {
            kept.push((part, audio));
            continue;
        }
        match &mut rest {
            None => rest = Some(audio),
            Some(rest) => {
                for (to, from) in rest.channels.iter_mut().zip(&audio.channels) {
                    for (sum, x) in to.iter_mut().zip(from) {
                        *sum += x;
                    }
                }
            }
        }
    }
    kept.extend(rest.map(|rest| (format!("no_{name}"), rest)));
    kept
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use atelier_protocol::Input;
    use atelier_sound::file::decode;

    fn song(path: &Path) -> Audio {
        let row = |shift: f32| -> Vec<f32> {
            (0..32_000 * 2)
                .map(|at| {
                    let t = at as f32 / 32_000.0;
                    let beat = (-40.0 * (t % 0.5)).exp() * ((at * 7_919) as f32).sin();
                    0.2 * (400.0 * t + shift).sin() + 0.15 * (3_000.0 * t).sin() + 0.3 * beat
                })
                .collect()
        };
        let audio = Audio::stereo(32_000, row(0.0), row(0.3));
        encode(path, &audio, Format::Wav(Depth::Bits24), &Tags::generated(None)).unwrap();
        audio
    }

    fn made(folder: &Path, params: &Value) -> Result<Response, Error> {
        let path = folder.join("song.wav");
        let request = Request {
            task: "stems".to_owned(),
            params: params.as_object().cloned().unwrap_or_default(),
            inputs: vec![Input {
                parameter: "audio_url".to_owned(),
                path,
                media_type: "audio/wav".to_owned(),
                seconds: None,
            }],
            seed: 1,
            out: folder.to_owned(),
        };
        crate::run(&request, &mut |_| {})
    }

    #[test]
    fn the_files_of_all_stems_sum_to_the_song() {
        let folder = tempfile::tempdir().unwrap();
        let song = song(&folder.path().join("song.wav"));
        let response = made(folder.path(), &json!({ "separator": "htdemucs" })).unwrap();
        let names: Vec<&str> = response.metadata["stems"]
            .as_array()
            .unwrap()
            .iter()
            .map(|stem| stem["stem"].as_str().unwrap())
            .collect();
        assert_eq!(names, PARTS);
        let parts: Vec<Audio> = response.files.iter().map(|path| decode(path).unwrap()).collect();
        for at in (0..song.frames()).step_by(37) {
            let sum: f32 = parts.iter().map(|part| part.channels[1][at]).sum();
            assert!((sum - song.channels[1][at]).abs() < 4e-4, "{at}");
        }
        let two = made(
            folder.path(),
            &json!({ "two_stems": "drums", "output_format": "mp3", "mp3_bitrate": 192 }),
        )
        .unwrap();
        let names: Vec<_> = two
            .files
            .iter()
            .map(|path| path.file_stem().unwrap().to_str().unwrap())
            .collect();
        assert_eq!(names, ["drums", "no_drums"]);
    }

    #[test]
    fn stems_that_only_the_real_model_knows_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        song(&folder.path().join("song.wav"));
        let error = made(folder.path(), &json!({ "stems": ["piano"] })).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`stems` contains \"piano\"; the draft engine supports only vocals, drums, bass, other"
        );
        std::fs::write(folder.path().join("song.wav"), b"RIFF no song").unwrap();
        let error = made(folder.path(), &json!({})).unwrap_err();
        assert!(
            matches!(&error, Error::InvalidInput(message) if message.contains("audio_url")),
            "{error}"
        );
    }
}
