//! The sound of an edit: the source's own stream, untouched if possible, or its samples, adapted to the picture.

use std::path::Path;

use atelier_film::{Reader, Sound};
use atelier_sound::dsp::resample::resample;
use atelier_sound::file::{Audio, decode};

use super::source::Timeline;

/// The sample rate of newly encoded sound.
const RATE: u32 = 48_000;
/// Speed changes up to this count as none.
const SAME: f64 = 1e-9;

/// The treatment of the sound.
#[derive(Debug)]
pub(super) enum Track {
    /// There is none, or none is requested.
    None,
    /// The source's packets.
    Kept(Sound),
    /// Left and right, interleaved.
    Made(Vec<f32>),
}

impl Track {
    /// `origin` keeps the source's sound as it is, whatever the picture does. Otherwise it follows the picture: cut
    /// with it, faster and higher or slower and lower with it like a tape, reversed with it, removed if words mute it.
    pub(super) fn of(
        path: &Path,
        film: &Reader,
        timeline: &Timeline,
        origin: bool,
        mute: bool,
    ) -> (Self, &'static str) {
        if !film.facts().has_sound {
            return (Self::None, "none: the source has no sound");
        }
        if mute && !origin {
            return (Self::None, "none: muted");
        }
        let plain = (timeline.speed - 1.0).abs() < SAME && !timeline.reverse;
        let whole = timeline.from < 1e-6;
        if origin || (plain && whole) {
            // Damage to the sound alone must not lose the picture.
            if let Ok(Some(coded)) = film.coded_sound(timeline.seconds()) {
                return (Self::Kept(Sound::Coded(coded)), "the source's own stream");
            }
        }
        let Ok(audio) = decode(path) else {
            return (Self::None, "none: the source's sound cannot be decoded");
        };
        if origin {
            return (
                Self::Made(stereo(&audio, 0.0, timeline.seconds(), 1.0, false)),
                "the source's own, coded anew",
            );
        }
        let samples = stereo(
            &audio,
            timeline.from,
            timeline.seconds(),
            timeline.speed,
            timeline.reverse,
        );
        (Self::Made(samples), "the source's, made to go with the picture")
    }

    /// The sound format of the film.
    pub(super) fn setting(&self) -> Option<Sound> {
        match self {
            Self::None => None,
            Self::Kept(sound) => Some(sound.clone()),
            Self::Made(_) => Some(Sound::Stereo { rate: RATE }),
        }
    }
}

/// This many seconds of a sound at a speed, from a time in it, padded with silence.
pub(crate) fn stereo(audio: &Audio, from: f64, seconds: f64, speed: f64, reverse: bool) -> Vec<f32> {
    let start = (from * f64::from(audio.rate)) as usize;
    let length = (seconds * speed * f64::from(audio.rate)).ceil() as usize;
    let channel = |c: usize| {
        let all = audio.channels.get(c).or(audio.channels.first());
        let all = all.map_or(&[][..], Vec::as_slice);
        let mut part = all[start.min(all.len())..(start + length).min(all.len())].to_vec();
        part.resize(length, 0.0);
        if reverse {
            part.reverse();
        }
        // A tape that runs faster gives the samples in less time.
        let heard = (f64::from(audio.rate) * speed).round().max(1.0) as u32;
        resample(&part, heard, RATE)
    };
    let (left, right) = (channel(0), channel(1));
    left.into_iter().zip(right).flat_map(<[f32; 2]>::from).collect()
}
