//! A film from a request, at the size, rate and length that its task works with.

use std::sync::mpsc::Receiver;

use atelier_film::{Facts, I420, Limits, Rate, Reader};

use super::fit::{Crop, Fit};
use super::source::{self, Timeline};
use super::{Form, plan, refused};
use atelier_protocol::{Error, Input, Request};

/// An input film.
pub(super) struct Given {
    pub(super) film: Reader,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) timeline: Timeline,
    input: Input,
}

/// The limits of length and rate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Most {
    pub(super) seconds: f64,
    pub(super) frames: u64,
    /// The highest frame rate; faster films are halved.
    pub(super) rate: f64,
}

impl Given {
    /// Opens the film that a parameter names. `size` maps the film's own size to the working size.
    pub(super) fn open(
        request: &Request,
        parameter: &str,
        most: Most,
        size: impl FnOnce(&Facts) -> Result<(u32, u32), Error>,
    ) -> Result<Self, Error> {
        let input = request
            .inputs_of(parameter)
            .next()
            .ok_or_else(|| Error::InvalidInput(format!("`{parameter}` is missing; a video is required")))?;
        let film = Reader::open(&input.path, &Limits::measured(input.seconds))
            .map_err(|error| named(parameter, refused(error)))?;
        let facts = *film.facts();
        let (width, height) = size(&facts)?;
        let rate = plan::rate(&facts, most.rate);
        let frames = (facts.seconds.min(most.seconds) * per_second(rate)).round() as u64;
        Ok(Self {
            film,
            width: width as usize,
            height: height as usize,
            timeline: Timeline {
                from: 0.0,
                speed: 1.0,
                reverse: false,
                rate,
                frames: frames.clamp(1, most.frames.max(1)),
            },
            input: input.clone(),
        })
    }

    pub(super) fn path(&self) -> &std::path::Path {
        &self.input.path
    }

    pub(super) fn form(&self) -> Form {
        Form {
            width: self.width as u32,
            height: self.height as u32,
            rate: self.timeline.rate,
            frames: self.timeline.frames,
        }
    }

    /// The film's frames, cropped to their centre if the shape differs.
    pub(super) fn frames(self) -> Receiver<Result<I420, atelier_film::Error>> {
        let fit = covering(&self.film, (self.width, self.height));
        source::frames(self.film, self.timeline, fit)
    }
}

/// The conversion of a film's frames to a size, cropped to their centre if the shape differs.
pub(super) fn covering(film: &Reader, size: (usize, usize)) -> Fit {
    let from = (film.facts().width as usize, film.facts().height as usize);
    let ratio = size.0 as f64 / size.1 as f64;
    let crop = Crop::middle((from.0 as f64, from.1 as f64), ratio);
    Fit::new(from, crop, size, false)
}

pub(super) fn per_second(rate: Rate) -> f64 {
    f64::from(rate.frames) / f64::from(rate.seconds)
}

/// An error that names its field.
pub(super) fn named(parameter: &str, error: Error) -> Error {
    match error {
        Error::InvalidInput(message) if !message.contains('`') => {
            Error::InvalidInput(format!("`{parameter}`: {message}"))
        }
        error => error,
    }
}

/// The working sizes of a film in its own shape: its own size, as far as it can be encoded, within a number of
/// pixels.
pub(super) fn own_size(facts: &Facts, most: f64) -> (u32, u32) {
    let (w, h) = (f64::from(facts.width), f64::from(facts.height));
    let k = (most / (w * h)).sqrt().min(1.0).max(64.0 / w.min(h));
    let even = |side: f64| ((side * k / 2.0).round() as u32 * 2).clamp(64, 3_840);
    (even(w), even(h))
}
