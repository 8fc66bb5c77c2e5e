//! The plan of an edit: size, shape, length and speed, from the request's fields, its words and the source.

use atelier_film::{Facts, I420, Limits, Rate, Reader};
use serde_json::{Value, json};
use std::sync::mpsc::Receiver;

use super::fit::{Crop, Fit};
use super::order::{Order, Part};
use super::refused;
use super::source::{self, Timeline};
use crate::size;
use atelier_protocol::{Error, Request};
use atelier_retouch::decode;

/// The longest edit in seconds, whatever its source's length.
const LONGEST: f64 = 15.0;
/// The highest frame rate of an edit, with a margin for inexact rates.
const FASTEST: f64 = 30.6;
/// The ratio that models send by default: it keeps a film's own shape.
const USUAL: &str = "16:9";
/// Common frame rates. Others are rounded.
const RATES: [(u32, u32); 3] = [(24_000, 1_001), (30_000, 1_001), (25, 1)];

#[derive(Debug)]
pub(super) struct Plan {
    pub(super) width: usize,
    pub(super) height: usize,
    /// The source's size and the visible part of it.
    from: (usize, usize),
    crop: Crop,
    mirror: bool,
    pub(super) timeline: Timeline,
    pub(super) seed: u64,
    /// The changes to these, in words.
    pub(super) told: Vec<String>,
}

impl Plan {
    pub(super) fn new(request: &Request, order: &Order, facts: &Facts) -> Result<Self, Error> {
        let mut told = Vec::new();
        let from = (facts.width as usize, facts.height as usize);
        let own = f64::from(facts.width) / f64::from(facts.height);
        let mut params = request.params.clone();
        params.remove("size");
        let named = params.get("aspect_ratio").and_then(Value::as_str);
        if named == Some(USUAL) || order.ratio.is_some() {
            params.remove("aspect_ratio");
        }
        // Without a resolution a film keeps its size, as far as that can be encoded.
        let short = facts.width.min(facts.height).clamp(128, 1_080) / 2 * 2;
        params
            .entry("resolution")
            .or_insert_with(|| json!(format!("{short}p")));
        let (width, height) = size::asked(&params, Some(order.ratio.unwrap_or(own)))?;
        let (width, height) = (width as usize, height as usize);
        let ratio = width as f64 / height as f64;
        if (ratio / own - 1.0).abs() > 0.01 {
            told.push(format!("cropped to {ratio:.2}:1"));
        }
        if order.mirror {
            told.push("mirrored".into());
        }
        let crop = Crop::middle((from.0 as f64, from.1 as f64), ratio);
        let seed = params.get("seed").and_then(Value::as_u64).unwrap_or(request.seed);
        Ok(Self {
            width,
            height,
            from,
            crop,
            mirror: order.mirror,
            timeline: timeline(request, order, facts, &mut told)?,
            seed,
            told,
        })
    }

    /// The conversion from the source's frames to a size.
    pub(super) fn fit(&self, size: (usize, usize)) -> Fit {
        Fit::new(self.from, self.crop, size, self.mirror)
    }

    /// The edit's size, smaller if it has more pixels than this.
    pub(super) fn within(&self, pixels: usize) -> (usize, usize) {
        let k = (pixels as f64 / (self.width * self.height) as f64)
            .sqrt()
            .min(1.0);
        let even = |length: usize| ((length as f64 * k / 2.0).round() as usize * 2).max(16);
        (even(self.width), even(self.height))
    }

    /// The mask of the request, at a size and at the edit's times.
    pub(super) fn mask(&self, request: &Request, size: (usize, usize)) -> Result<Option<Mask>, Error> {
        let ratio = self.width as f64 / self.height as f64;
        mask_of(request, size, ratio, self.timeline, self.mirror)
    }
}

/// The mask of a request, cropped to its centre in the shape of `ratio`, at a size and at a film's times.
pub(super) fn mask_of(
    request: &Request,
    size: (usize, usize),
    ratio: f64,
    timeline: Timeline,
    mirror: bool,
) -> Result<Option<Mask>, Error> {
    let Some(input) = request.inputs_of("mask_url").next() else {
        return Ok(None);
    };
    let way = |width: usize, height: usize| {
        let crop = Crop::middle((width as f64, height as f64), ratio);
        Fit::new((width, height), crop, size, mirror)
    };
    if input.media_type.starts_with("image/") {
        let picture = decode::read(&input.path)?;
        let (width, height) = (picture.width / 2 * 2, picture.height / 2 * 2);
        if width.min(height) < 2 {
            return Err(Error::InvalidInput(
                "`mask_url` is a picture of a single pixel's width".into(),
            ));
        }
        let mut frame = I420::new(width, height);
        for y in 0..height {
            for x in 0..width {
                let [r, g, b, a] = picture.pixel(x, y).map(u32::from);
                let white = (r * 54 + g * 183 + b * 19) / 256 * a / 255;
                frame.data[y * width + x] = (16 + white * 219 / 255) as u8;
            }
        }
        return Ok(Some(Mask::Still(way(width, height).apply(&frame))));
    }
    let film = Reader::open(&input.path, &Limits::measured(input.seconds)).map_err(refused)?;
    let facts = *film.facts();
    let fit = way(facts.width as usize, facts.height as usize);
    Ok(Some(Mask::Film(source::frames(film, timeline, fit), None)))
}

/// White where the edit is visible.
#[derive(Debug)]
pub(super) enum Mask {
    Still(I420),
    Film(Receiver<Result<I420, atelier_film::Error>>, Option<I420>),
}

impl Mask {
    /// The mask of the next frame; a film that has ended stands still.
    pub(super) fn next(&mut self) -> Result<I420, Error> {
        match self {
            Self::Still(frame) => Ok(frame.clone()),
            Self::Film(frames, last) => {
                match frames.recv() {
                    Ok(Ok(frame)) => *last = Some(frame),
                    Ok(Err(error)) if last.is_none() => return Err(refused(error)),
                    Ok(Err(_)) | Err(_) => {}
                }
                last.clone()
                    .ok_or_else(|| Error::InvalidInput("`mask_url` is a video without a frame".into()))
            }
        }
    }
}

fn timeline(
    request: &Request,
    order: &Order,
    facts: &Facts,
    told: &mut Vec<String>,
) -> Result<Timeline, Error> {
    let whole = facts.seconds;
    let (from, until) = match order.part {
        None => (0.0, whole),
        Some(Part::First(seconds)) => (0.0, seconds.min(whole)),
        Some(Part::Last(seconds)) => ((whole - seconds).max(0.0), whole),
        Some(Part::Between(from, until)) => (from, until.min(whole)),
    };
    if from >= whole {
        return Err(Error::InvalidInput(format!(
            "`prompt` asks for a part from {from} s on; the video is {whole:.2} s long"
        )));
    }
    if order.part.is_some() {
        told.push(format!("{from:.2} s to {until:.2} s of the source"));
    }
    // Models whose `duration` counts in edits have no `audio_setting`.
    let longest = if request.params.contains_key("audio_setting") {
        LONGEST
    } else {
        let asked = crate::order::number(request, "duration", (0.1, 120.0))?;
        asked.unwrap_or(LONGEST).min(LONGEST)
    };
    let seconds = ((until - from) / order.speed).min(longest);
    let rate = rate(facts, FASTEST);
    let frames = (seconds * f64::from(rate.frames) / f64::from(rate.seconds)).round() as u64;
    if (order.speed - 1.0).abs() > 1e-9 {
        told.push(format!("speed × {}", order.speed));
    }
    if order.reverse {
        told.push("backwards".into());
    }
    Ok(Timeline {
        from,
        speed: order.speed,
        reverse: order.reverse,
        rate,
        frames: frames.max(1),
    })
}

/// The source's own rate up to a limit, an integer fraction of what is faster, 24 for what is too slow.
pub(super) fn rate(facts: &Facts, most: f64) -> Rate {
    let mut own = facts.frames as f64 / facts.seconds.max(1e-3);
    while own > most {
        own /= 2.0;
    }
    if !(9.5..=most).contains(&own) {
        return Rate::whole(24);
    }
    let near =
        |(frames, seconds): (u32, u32)| (own * f64::from(seconds) / f64::from(frames) - 1.0).abs() < 4e-4;
    match RATES.into_iter().find(|rate| near(*rate)) {
        Some((frames, seconds)) => Rate { frames, seconds },
        None => Rate::whole(own.round() as u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_the_sources_up_to_thirty() {
        let of = |frames: u64, seconds: f64| {
            let facts = Facts {
                width: 64,
                height: 64,
                seconds,
                frames,
                foreign: false,
                has_sound: false,
            };
            let rate = rate(&facts, FASTEST);
            (rate.frames, rate.seconds)
        };
        assert_eq!(of(240, 10.0), (24, 1));
        assert_eq!(of(250, 10.0), (25, 1));
        assert_eq!(of(720, 30.03), (24_000, 1_001));
        assert_eq!(of(600, 10.0), (30, 1));
        assert_eq!(of(2_400, 10.0), (30, 1));
        assert_eq!(of(16, 1.0), (16, 1));
        assert_eq!(of(3, 10.0), (24, 1));
    }
}
