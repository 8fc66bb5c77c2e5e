//! Replaces a section of a track with new music: the task `music-section`.

use std::path::Path;

use atelier_sound::{
    file::{Audio, DecodeError, Depth, Format, Tags, decode_measured, encode},
    music::section::{Replacement, replace},
};
#[cfg(test)]
use serde_json::Value;
use serde_json::json;

use super::{music::told, number, seed, settings, text};
use atelier_protocol::{Error, Input, Request, Response};

/// Bit rate of the file.
const KBPS: u32 = 320;
/// How far `end_seconds` may be beyond the end of the source, in seconds: clients round their measurements.
const ROUNDED: f64 = 0.05;

/// Replaces a section. The parameters are those of the model `music-replace-section`.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let input = request
        .inputs_of("audio_url")
        .next()
        .ok_or_else(|| Error::InvalidInput("`audio_url` is missing; it must be a track".to_owned()))?;
    let prompt = text(request, "prompt");
    if prompt.is_empty() {
        return Err(Error::InvalidInput(
            "`prompt` is empty; it must be lyrics or a musical description".to_owned(),
        ));
    }
    let source = decode_measured(&input.path, input.seconds).map_err(refused)?;
    progress(0.15);
    let (start, end) = times(request, source.seconds())?;
    let replacement = Replacement {
        start,
        end,
        prompt: prompt.to_owned(),
        style: text(request, "style").to_owned(),
        seed: seed(request),
    };
    let (audio, report) = replace(&source, &replacement, &settings(), &mut |done| {
        progress(0.15 + 0.6 * done);
    })
    .map_err(|error| Error::Failed(error.to_string()))?;
    drop(source);
    let format = format(input, &audio);
    let path = request.out.join(format!("section.{}", format.extension()));
    encode(&path, &audio, format, &Tags::generated(None))
        .map_err(|error| Error::Failed(error.to_string()))?;
    progress(1.0);
    let mut metadata = told(&report.composition);
    for name in ["form", "title"] {
        metadata.remove(name);
    }
    let rounded = |value: f64| json!((1_000.0 * value).round() / 1_000.0);
    for (name, value) in [
        ("start_seconds", rounded(start)),
        ("end_seconds", rounded(end)),
        ("fade_in_seconds", rounded(report.fades.0)),
        ("fade_out_seconds", rounded(report.fades.1)),
        ("pulse_clarity", rounded(report.clarity)),
        ("loudness_lufs", rounded(report.loudness)),
        ("duration_seconds", rounded(audio.seconds())),
    ] {
        metadata.insert(name.to_owned(), value);
    }
    Ok(Response {
        files: vec![path],
        metadata,
    })
}

/// Start and end, checked against the length of the track.
fn times(request: &Request, duration: f64) -> Result<(f64, f64), Error> {
    let read = |name: &str| {
        number(request, name).ok_or_else(|| {
            Error::InvalidInput(format!("`{name}` is missing; it must be a number of seconds"))
        })
    };
    let (start, end) = (read("start_seconds")?, read("end_seconds")?);
    if start < 0.0 || start >= duration {
        return Err(Error::InvalidInput(format!(
            "`start_seconds` must be at least 0 and below the track's {duration:.2} s (got {start})"
        )));
    }
    if end <= start || end > duration + ROUNDED {
        return Err(Error::InvalidInput(format!(
            "`end_seconds` must be above {start} and at most the track's {duration:.2} s (got {end})"
        )));
    }
    Ok((start, end.min(duration)))
}

/// A lossless source stays lossless, and so does audio that MP3 does not support.
fn format(input: &Input, audio: &Audio) -> Format {
    let lossless = ["wav", "flac", "aiff"]
        .iter()
        .any(|kind| input.media_type.contains(kind))
        || is_wav(&input.path);
    let fits = audio.channels.len() <= 2 && [32_000, 44_100, 48_000].contains(&audio.rate);
    if lossless || !fits {
        Format::Wav(Depth::Bits24)
    } else {
        Format::compressed(KBPS)
    }
}

fn is_wav(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "wav" || end == "flac")
}

/// The sender can fix a file that cannot be decoded, but not a disk that cannot be read.
fn refused(error: DecodeError) -> Error {
    match error {
        DecodeError::Io(error) => error.into(),
        error => Error::InvalidInput(format!("`audio_url`: {error}")),
    }
}

/// A test request with one input.
#[cfg(test)]
fn request(out: &Path, source: &Path, params: &Value) -> Request {
    Request {
        task: "music-section".to_owned(),
        params: params.as_object().cloned().unwrap_or_default(),
        inputs: vec![Input {
            parameter: "audio_url".to_owned(),
            path: source.to_owned(),
            media_type: "audio/wav".to_owned(),
            seconds: None,
        }],
        seed: 3,
        out: out.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use atelier_sound::file::decode;

    use super::*;

    #[test]
    fn outside_the_section_samples_equal_those_of_the_source() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("source.wav");
        let tone = |pitch: f32| -> Vec<f32> {
            (0..32_000 * 8)
                .map(|at| 0.3 * (std::f32::consts::TAU * pitch * at as f32 / 32_000.0).sin())
                .collect()
        };
        let audio = Audio::stereo(32_000, tone(220.0), tone(277.18));
        encode(&path, &audio, Format::Wav(Depth::Bits24), &Tags::generated(None)).unwrap();
        let source = decode(&path).unwrap();
        let params = json!({
            "audio_url": "x", "start_seconds": 3, "end_seconds": 5.5,
            "prompt": "solo piano", "style": "classical piano",
        });
        let response = crate::run(&request(folder.path(), &path, &params), &mut |_| {}).unwrap();
        let result = decode(&response.files[0]).unwrap();
        assert_eq!(
            (result.rate, result.channels.len(), result.frames()),
            (source.rate, 2, source.frames())
        );
        for (new, old) in result.channels.iter().zip(&source.channels) {
            assert_eq!(new[..96_000], old[..96_000]);
            assert_eq!(new[176_000..], old[176_000..]);
            assert_ne!(new[110_000..160_000], old[110_000..160_000]);
        }
        assert_eq!(response.metadata["genre"], json!("classical piano"));
    }

    #[test]
    fn hostile_sources_and_times_beyond_the_track_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("noise.mp3");
        std::fs::write(&path, [b"ID3".as_slice(), &[0x5a; 4_000]].concat()).unwrap();
        let params = json!({ "start_seconds": 0, "end_seconds": 1, "prompt": "x" });
        let error = crate::run(&request(folder.path(), &path, &params), &mut |_| {}).unwrap_err();
        assert!(
            matches!(&error, Error::InvalidInput(message) if message.contains("audio_url")),
            "{error}"
        );
        let path = folder.path().join("short.wav");
        encode(
            &path,
            &Audio::mono(8_000, vec![0.1; 16_000]),
            Format::Wav(Depth::Bits16),
            &Tags::generated(None),
        )
        .unwrap();
        let params = json!({ "start_seconds": 1, "end_seconds": 9, "prompt": "x" });
        let error = crate::run(&request(folder.path(), &path, &params), &mut |_| {}).unwrap_err();
        assert!(
            matches!(&error, Error::InvalidInput(message)
                if message.contains("end_seconds") && message.contains("2.00")),
            "{error}"
        );
    }
}
