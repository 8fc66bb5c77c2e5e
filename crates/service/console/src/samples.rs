//! Samples of the embedded engine for each model of the catalog, and of each of its voices: small files that
//! `scripts/samples` makes. Their path contains a hash of the file, so that browsers can cache them forever.

use std::{collections::HashMap, sync::LazyLock};

use axum::{
    extract::Path,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::assets::CACHE;

/// The path of samples, before the hash.
pub(crate) const PATH: &str = "/account/samples";

static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/samples.rs"));

/// The list of the samples.
const LIST: &str = include_str!("../samples/samples.json");

/// A sample result of a model, or a sample of a voice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sample {
    /// The address of the file.
    pub url: String,
    /// `image`, `video` or `audio`. That of a video is one of its frames.
    pub kind: String,
    /// The words of the request, or what happened to the picture or the sound.
    pub told: String,
    /// Whether they are the words of the request.
    pub is_words: bool,
    /// The name of the voice; empty for the sample of a model.
    pub voice: String,
}

impl Sample {
    pub(crate) fn is_sound(&self) -> bool {
        self.kind == "audio"
    }
}

/// The samples by the slugs of the models: that of the model first, then those of its voices.
static SAMPLES: LazyLock<HashMap<String, Vec<Sample>>> = LazyLock::new(|| {
    let listed: Vec<Value> = serde_json::from_str(LIST).unwrap_or_default();
    let mut samples: HashMap<String, Vec<Sample>> = HashMap::new();
    for entry in &listed {
        let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
        let file = text("file");
        let Some((_, bytes)) = FILES.iter().find(|(name, _)| *name == file) else {
            continue;
        };
        samples.entry(text("slug")).or_default().push(Sample {
            url: format!("{PATH}/{}/{file}", version(bytes)),
            kind: text("kind"),
            told: text("told"),
            is_words: entry["words"] == true,
            voice: text("voice"),
        });
    }
    samples
});

fn version(bytes: &[u8]) -> String {
    hex::encode(&Sha256::digest(bytes)[..6])
}

/// Returns a sample of the embedded engine for a model.
pub(crate) fn of(slug: &str) -> Option<&'static Sample> {
    SAMPLES.get(slug)?.iter().find(|sample| sample.voice.is_empty())
}

/// How the voices of a model sound.
pub(crate) fn voices(slug: &str) -> Vec<&'static Sample> {
    let samples = SAMPLES.get(slug).into_iter().flatten();
    samples.filter(|sample| !sample.voice.is_empty()).collect()
}

/// Returns the file with this name. The path of another version gets the current file, which must not be cached.
pub(crate) async fn get(Path((hash, name)): Path<(String, String)>, headers: HeaderMap) -> Response {
    let Some((name, bytes)) = FILES.iter().find(|(file, _)| *file == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let media_type = if is_picture(name) {
        "image/webp"
    } else {
        "audio/mpeg"
    };
    let cache = if hash == version(bytes) { CACHE } else { "no-store" };
    let mut response = part(bytes, headers.get(header::RANGE));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    response
}

/// Whether a file is a picture. The others are sounds.
fn is_picture(name: &str) -> bool {
    matches!(name.rsplit_once('.'), Some((_, "webp")))
}

/// The bytes that are asked for. Some browsers play no sound from a server without ranges.
fn part(bytes: &'static [u8], range: Option<&HeaderValue>) -> Response {
    let range = range.and_then(|range| range.to_str().ok()?.strip_prefix("bytes=")?.split_once('-'));
    let last = bytes.len().saturating_sub(1);
    let asked = range.and_then(|(first, end)| {
        let first: usize = first.parse().ok()?;
        let end = if end.is_empty() { last } else { end.parse().ok()? };
        (first <= end && first <= last).then(|| (first, end.min(last)))
    });
    let Some((first, end)) = asked else {
        return bytes.into_response();
    };
    let told = format!("bytes {first}-{end}/{}", bytes.len());
    let content_range = [(header::CONTENT_RANGE, told)];
    (StatusCode::PARTIAL_CONTENT, content_range, &bytes[first..=end]).into_response()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use atelier_media::probe::probe_reader;

    use super::*;

    /// The width and height of all pictures, as the pages say.
    const SIZE: (u32, u32) = (320, 240);

    #[test]
    fn every_model_of_the_catalog_has_a_small_sample_of_its_kind_with_words() {
        let catalog = atelier_catalog::Catalog::builtin().unwrap();
        let mut missing = Vec::new();
        for model in catalog.iter() {
            let Some(sample) = of(&model.slug) else {
                missing.push(model.slug.clone());
                continue;
            };
            let kind = match model.model_type.as_str() {
                "tool" => "image",
                kind => kind,
            };
            assert_eq!(sample.kind, kind, "{}", model.slug);
            assert!(sample.told.len() > 5, "{sample:?}");
        }
        assert_eq!(missing, [""; 0], "make them with `just samples`");
        let total: usize = FILES.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(total <= 1_000_000, "all files have {total} bytes");
    }

    #[test]
    fn each_voice_of_the_embedded_engine_has_a_preview() {
        let catalog = atelier_catalog::Catalog::builtin().unwrap();
        let model = catalog.get("tts-v3").unwrap();
        let options = model.parameter("voice").unwrap().options.iter().flatten();
        let all: Vec<&str> = options.filter_map(Value::as_str).collect();
        let names: Vec<&str> = voices("tts-v3")
            .iter()
            .map(|sample| sample.voice.as_str())
            .collect();
        assert_eq!((names.len(), names), (21, all));
    }

    #[test]
    fn every_file_is_what_its_name_says_and_is_listed() {
        let listed: Vec<&Sample> = SAMPLES.values().flatten().collect();
        assert_eq!(listed.len(), FILES.len());
        for (name, bytes) in FILES {
            let most = if is_picture(name) { 12 } else { 16 };
            assert!(bytes.len() <= most << 10, "{name} has {} bytes", bytes.len());
            let facts = probe_reader(Cursor::new(bytes)).unwrap();
            if is_picture(name) {
                let told = (facts.media_type.mime(), facts.width, facts.height);
                assert_eq!(told, ("image/webp", Some(SIZE.0), Some(SIZE.1)), "{name}");
            } else {
                assert_eq!(facts.media_type.mime(), "audio/mpeg", "{name}");
                let seconds = facts.duration.unwrap();
                assert!((0.8..=4.2).contains(&seconds), "{name} lasts {seconds} s");
            }
        }
    }
}
