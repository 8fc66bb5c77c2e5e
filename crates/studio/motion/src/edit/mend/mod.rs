//! `video-inpaint`: removes something from a film. The background comes from frames that show it, along the motion
//! of the surroundings; what no frame shows is painted once, as `inpaint` does, and propagated. Outside the mask
//! nothing changes.

mod masks;
mod paint;
#[cfg(test)]
mod tests;
mod trace;

use atelier_film::{I420, Picture};
use serde_json::{Map, Value, json};

use super::given::{Given, Most};
use super::sound::Track;
use crate::{About, Film, refused, size};
use atelier_protocol::{Error, Request, Response};
use atelier_retouch::encode::SourceType;
pub(super) use masks::dilated;
use paint::Paint;

/// The limits of the input: the model's own bounds.
const MOST: Most = Most {
    seconds: 10.0,
    frames: 197,
    rate: 30.6,
};
/// The most pixels of a frame, whatever is requested: all frames are in memory at once.
const PIXELS: u32 = 768 * 432;
/// Fields that have an effect; others of a request change nothing.
const HEARD: [&str; 8] = [
    "video_url",
    "mask_url",
    "prompt",
    "size",
    "width",
    "height",
    "resolution",
    "seed",
];

/// The task. Parameters are those of the model `void-video-inpaint`.
pub(crate) fn run(request: &Request, progress: &mut dyn FnMut(f32)) -> Result<Response, Error> {
    let given = Given::open(request, "video_url", MOST, |facts| {
        let own = f64::from(facts.width) / f64::from(facts.height);
        let (width, height) = size::asked(&request.params, Some(own))?;
        if width * height > PIXELS {
            return Err(Error::InvalidInput(format!(
                "`size` must have at most as many pixels as 768x432 (got {width}x{height})"
            )));
        }
        Ok((width, height))
    })?;
    let (form, timeline) = (given.form(), given.timeline);
    let (track, heard) = Track::of(given.path(), &given.film, &timeline, false, false);
    let seed = request.params.get("seed").and_then(Value::as_u64);
    let seed = seed.unwrap_or(request.seed);
    let frames: Vec<I420> = given
        .frames()
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(refused)?;
    progress(0.05);
    let (masks, whose) = masks::of(request, &frames, timeline)?;
    progress(0.1);
    let paint = Paint::new(&frames, masks, seed, &mut |done| progress(0.1 + 0.7 * done))?;

    let words = request.params.get("prompt").and_then(Value::as_str);
    let about = About {
        prompt: words.unwrap_or_default(),
        source: SourceType::Composite,
    };
    let mut film = Film::create(&request.out, form, track.setting(), about, 0.8, progress)?;
    if let Track::Made(samples) = track {
        film.samples(&samples)?;
    }
    for (number, frame) in frames.iter().enumerate() {
        let mended = paint.frame(number, frame);
        film.frame(Picture::I420(mended.planes()))?;
    }
    let mut metadata = Map::new();
    metadata.insert("setting".into(), json!("something taken out of a video"));
    metadata.insert("seed".into(), json!(seed));
    metadata.insert("mask".into(), json!(whose));
    metadata.insert("seen_elsewhere".into(), json!(paint.seen_elsewhere()));
    metadata.insert("sound".into(), json!(heard));
    let note = "words: what is behind comes from the video itself; shadows and reflections go with what the mask shows";
    metadata.insert("not_done".into(), json!([note]));
    film.finish(request, &HEARD, metadata)
}
