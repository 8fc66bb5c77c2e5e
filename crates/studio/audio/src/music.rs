//! Songs and instrumentals: the task `music`.

use atelier_sound::{
    file::{Audio, Format, Tags, encode, loudness},
    music::{
        Order, Profile, compose,
        compose::Composition,
        perform,
        plan::{Gender, PROFILES},
        synth::drums::Kit,
    },
};
use serde_json::{Map, Value, json};

use super::{flag, number, seed, settings, share, text};
use atelier_protocol::{Error, Request, Response};

/// Bit rate of the file.
const KBPS: u32 = 320;
/// The shortest and longest piece, in seconds.
const SECONDS: (f64, f64) = (5.0, 180.0);
/// Fade at the end of a piece that is cut to its requested length, in seconds.
const FADE: f64 = 1.5;

/// Makes a piece of music. The parameters are those of the model `music-gen`, plus two: `duration` limits the length
/// in seconds, and `lyrics` are the words of a song.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let order = order(request)?;
    let piece = compose(&order);
    progress(0.02);
    let mut audio = perform(&piece.score, &piece.production, &settings(), &mut |done| {
        progress(0.02 + 0.8 * done);
    })
    .map_err(|error| Error::Failed(error.to_string()))?;
    if let Some(seconds) = number(request, "duration") {
        cut(&mut audio, seconds);
    }
    let format = Format::compressed(KBPS);
    let path = request.out.join(format!("music.{}", format.extension()));
    encode(&path, &audio, format, &Tags::generated(Some(piece.title.clone())))
        .map_err(|error| Error::Failed(error.to_string()))?;
    progress(1.0);
    let mut metadata = told(&piece);
    metadata.insert(
        "loudness_lufs".to_owned(),
        json!((10.0 * loudness::integrated(&audio)).round() / 10.0),
    );
    metadata.insert(
        "duration_seconds".to_owned(),
        json!((100.0 * audio.seconds()).round() / 100.0),
    );
    metadata.insert("model_version".to_owned(), json!(order.profile.name));
    Ok(Response {
        files: vec![path],
        metadata,
    })
}

/// The order for a request.
fn order(request: &Request) -> Result<Order, Error> {
    let (prompt, lyrics) = (text(request, "prompt"), text(request, "lyrics"));
    if prompt.is_empty() {
        return Err(Error::InvalidInput(
            "`prompt` is empty; it must be a song idea or, in custom mode, the lyrics".to_owned(),
        ));
    }
    let custom = flag(request, "custom_mode");
    let mut order = Order::new(prompt, seed(request));
    text(request, "style").clone_into(&mut order.style);
    text(request, "title").clone_into(&mut order.title);
    text(request, "negative_tags").clone_into(&mut order.negative);
    order.instrumental = flag(request, "make_instrumental");
    order.lyrics = (custom && !order.instrumental)
        .then_some(prompt)
        .or(Some(lyrics).filter(|lyrics| !lyrics.is_empty()))
        .map(ToOwned::to_owned);
    order.gender = match text(request, "vocal_gender") {
        "female" => Some(Gender::Female),
        "male" => Some(Gender::Male),
        _ => None,
    };
    let version = text(request, "model_version");
    if !version.is_empty() {
        order.profile = Profile::named(version).ok_or_else(|| {
            let known = PROFILES.map(|profile| profile.name).join(", ");
            Error::InvalidInput(format!(
                "unknown `model_version` {version:?}; known versions: {known}"
            ))
        })?;
    }
    order.style_weight = share(request, "style_weight")?.unwrap_or(order.style_weight);
    order.weirdness = share(request, "weirdness_constraint")?.unwrap_or(order.weirdness);
    order.audio_weight = share(request, "audio_weight")?.unwrap_or(order.audio_weight);
    order.persona = Some(text(request, "persona_id"))
        .filter(|id| custom && !id.is_empty())
        .map(ToOwned::to_owned);
    order.seconds = number(request, "duration").map(|seconds| seconds.clamp(SECONDS.0, SECONDS.1));
    Ok(order)
}

/// Cuts a piece to a length, with a fade at its new end.
fn cut(audio: &mut Audio, seconds: f64) {
    let frames = (seconds * f64::from(audio.rate)).round() as usize;
    if frames >= audio.frames() {
        return;
    }
    let fade = ((FADE.min(seconds / 4.0)) * f64::from(audio.rate)) as usize;
    for channel in &mut audio.channels {
        channel.truncate(frames);
        for (at, sample) in channel.iter_mut().rev().take(fade).enumerate() {
            *sample *= at as f32 / fade as f32;
        }
    }
}

/// Metadata of a piece.
pub(super) fn told(piece: &Composition) -> Map<String, Value> {
    let score = &piece.score;
    let time = |bar: usize| (100.0 * score.time((bar * score.beats) as f64)).round() / 100.0;
    let form: Vec<Value> = score
        .sections
        .iter()
        .map(|section| {
            let (start, end) = (time(section.bar), time(section.bar + section.bars));
            json!({ "section": section.kind.name(), "start": start, "end": end })
        })
        .collect();
    let mut instruments: Vec<&str> = score.parts.iter().map(|part| part.instrument.name()).collect();
    instruments.extend(score.kit.map(Kit::name));
    instruments.dedup();
    let mut seen = Vec::new();
    instruments.retain(|name| {
        !seen.contains(name) && {
            seen.push(*name);
            true
        }
    });
    let mut metadata = Map::new();
    let mut put = |name: &str, value: Value| metadata.insert(name.to_owned(), value);
    put("title", json!(piece.title));
    put("genre", json!(piece.plan.genre.name));
    if let Some(mood) = piece.plan.mood {
        put("mood", json!(mood));
    }
    put("tempo_bpm", json!((100.0 * score.bpm).round() / 100.0));
    put("key", json!(score.key.name()));
    put("metre", json!(format!("{}/4", score.beats)));
    put("form", json!(form));
    put("instruments", json!(instruments));
    put("understood", json!(piece.plan.understood));
    if let Some(song) = &score.song {
        put("vocals", json!(if song.female { "female" } else { "male" }));
        put("lyrics", json!(song.lines.join("\n")));
    }
    metadata
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use atelier_sound::file::decode;

    use super::*;

    fn request(out: &std::path::Path, params: &Value) -> Request {
        Request {
            task: "music".to_owned(),
            params: params.as_object().unwrap().clone(),
            inputs: Vec::new(),
            seed: 5,
            out: out.to_owned(),
        }
    }

    fn made(params: &Value) -> (Response, Vec<u8>, f64) {
        let folder = tempfile::tempdir().unwrap();
        let response = crate::run(&request(folder.path(), params), &mut |_| {}).unwrap();
        let bytes = std::fs::read(&response.files[0]).unwrap();
        let seconds = decode(&response.files[0]).unwrap().seconds();
        (response, bytes, seconds)
    }

    #[test]
    fn custom_lyrics_are_sung_word_for_word_and_the_metadata_is_complete() {
        let lyrics = "[Verse]\nThe harbor sleeps tonight\nI keep the little light\n\
                      [Chorus]\nShine, shine on me\nShine across the sea";
        let params = json!({
            "prompt": lyrics, "custom_mode": true, "style": "folk, 100 bpm, in G major",
            "title": "Harbor", "duration": 15, "model_version": "v4",
        });
        let (response, bytes, seconds) = made(&params);
        let told = &response.metadata;
        let sung = lyrics
            .lines()
            .filter(|line| !line.starts_with('['))
            .collect::<Vec<_>>()
            .join("\n");
        assert_eq!(told["lyrics"], json!(sung));
        assert_eq!(
            (&told["genre"], &told["tempo_bpm"], &told["key"], &told["title"]),
            (&json!("folk"), &json!(100.0), &json!("G major"), &json!("Harbor"))
        );
        assert!(
            (told["loudness_lufs"].as_f64().unwrap() + 14.0).abs() < 1.0,
            "{told:?}"
        );
        let sections: BTreeSet<&str> = told["form"]
            .as_array()
            .unwrap()
            .iter()
            .map(|part| part["section"].as_str().unwrap())
            .collect();
        assert!(sections.contains("verse") && sections.contains("chorus"));
        assert!((told["duration_seconds"].as_f64().unwrap() - seconds).abs() < 0.05);
        assert!(bytes.windows(6).any(|window| window == b"Harbor"));
        assert_eq!(
            made(&params).1,
            bytes,
            "the same request and seed give the same bytes"
        );
    }

    #[test]
    fn errors_name_values_out_of_range() {
        let folder = tempfile::tempdir().unwrap();
        for (name, value) in [
            ("style_weight", json!(2)),
            ("model_version", json!("v9")),
            ("prompt", json!("  ")),
        ] {
            let mut params = json!({ "prompt": "a song" });
            params[name] = value;
            let error = crate::run(&request(folder.path(), &params), &mut |_| {}).unwrap_err();
            assert!(
                matches!(&error, Error::InvalidInput(message) if message.contains(name)),
                "{error}"
            );
        }
    }
}
