//! `dubbing` of a film: its picture, with the words of its sound replaced.

use atelier_film::{Picture, Sound};
use serde_json::{Value, json};

use super::given::{Given, Most};
use super::sound::stereo;
use crate::{About, Film, SAMPLES_A_SECOND, refused, size};
use atelier_audio::dubbing::{Words, dub, heard};
use atelier_protocol::{Error, Request, Response};
use atelier_retouch::encode::SourceType;

/// The longest film that is worked on, in seconds, and its highest frame rate.
const LONGEST: f64 = 20.0;
const FASTEST: f64 = 30.6;
/// Fields that have an effect; others of a request change nothing.
const HEARD: [&str; 7] = [
    "prompt",
    "video_url",
    "size",
    "width",
    "height",
    "resolution",
    "seed",
];

/// The task. Parameters are those of the model `ltx-2-3-dubit`.
pub fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let prompt = request.params.get("prompt").and_then(Value::as_str);
    let prompt = prompt.unwrap_or_default().trim();
    let most = Most {
        seconds: LONGEST,
        frames: u64::MAX,
        rate: FASTEST,
    };
    let given = Given::open(request, "video_url", most, |facts| {
        let own = f64::from(facts.width) / f64::from(facts.height);
        size::asked(&request.params, Some(own))
    })?;
    let none = || Error::InvalidInput("`video_url` has no sound; a video with speech is required".into());
    if !given.film.facts().has_sound {
        return Err(none());
    }
    let input = request.inputs_of("video_url").next().ok_or_else(none)?;
    let mut recording = heard(input)?;
    let seconds = given.timeline.seconds();
    for channel in &mut recording.channels {
        channel.truncate((seconds * f64::from(recording.rate)) as usize);
    }
    let seed = request.params.get("seed").and_then(Value::as_u64);
    let words = Words::of_prompt(prompt, seed.unwrap_or(request.seed));
    let (audio, mut metadata) = dub(&recording, "video_url", &words, &mut |done| progress(0.5 * done))?;
    let about = About {
        prompt,
        source: SourceType::CompositeSynthetic,
    };
    let sound = Sound::Stereo {
        rate: SAMPLES_A_SECOND,
    };
    let mut film = Film::create(&request.out, given.form(), Some(sound), about, 0.5, progress)?;
    film.samples(&stereo(&audio, 0.0, seconds, 1.0, false))?;
    for frame in given.frames() {
        let frame = frame.map_err(refused)?;
        film.frame(Picture::I420(frame.planes()))?;
    }
    metadata.insert("setting".into(), json!("a video in other words"));
    film.finish(request, &HEARD, metadata)
}

#[cfg(test)]
mod tests;
