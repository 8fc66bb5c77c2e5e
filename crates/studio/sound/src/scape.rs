//! Soundscapes by synthesis: wind, water, animals, people, machines and things, placed in space and time.
//!
//! A [`Scape`] is a list of [`Source`]s that sound on (their gain, place and distance may move) and of [`Event`]s that
//! happen at a moment. It is put together by hand, or from words ([`from_words`], [`from_facts`]), and [`render`]ed
//! as a whole. The same scape gives the same samples.
//!
//! ```
//! use atelier_sound::scape::{Event, Sound, from_facts, render};
//!
//! let mut heard = from_facts(&["beach", "storm", "night"], 4.0, 7);
//! heard.scape.events.push(Event::new(2.5, Sound::Thunder).pan(-0.4));
//! let audio = render(&heard.scape, 44_100);
//! assert_eq!((audio.channels.len(), audio.frames()), (2, 4 * 44_100));
//! ```

mod animals;
mod birds;
mod effects;
mod machines;
mod make;
mod objects;
mod people;
mod render;
mod sound;
#[cfg(test)]
mod tests;
mod vehicles;
mod voice;
mod water;
mod weather;
mod words;

pub use render::{LOUDNESS, render};
pub use sound::Sound;
pub use words::{Heard, from_facts, from_words};

/// The longest that is rendered, in seconds; more is cut off.
pub const LONGEST: f32 = 120.0;

/// What is to be heard.
#[derive(Debug, Clone, PartialEq)]
pub struct Scape {
    pub seconds: f32,
    /// Where all chance comes from.
    pub seed: u64,
    pub sources: Vec<Source>,
    pub events: Vec<Event>,
    pub room: Room,
    /// Integrated loudness of the whole in LUFS, with true peaks below −1 dBTP.
    pub loudness: f64,
}

impl Scape {
    /// Silence in the open, to be filled.
    pub fn new(seconds: f32, seed: u64) -> Self {
        Self {
            seconds,
            seed,
            sources: Vec::new(),
            events: Vec::new(),
            room: Room::Outdoors,
            loudness: LOUDNESS,
        }
    }
}

/// Something that goes on for the whole time. What is a single thing by nature (a bark, a bell) is repeated as it
/// usually is.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    pub sound: Sound,
    /// 0 is silent, 1 is as loud as it usually is beside other sounds.
    pub gain: Curve,
    /// −1 is left, 1 is right. What surrounds the listener (rain, a crowd) is shifted and made narrower by it.
    pub pan: Curve,
    /// 1 is here; at 2 it is half as loud, and it loses its treble and gains room with distance. A distance that changes
    /// bends the pitch as motion does; one unit is 5 m.
    pub distance: Curve,
}

impl Source {
    /// Here, in the middle, as loud as usual.
    pub fn new(sound: Sound) -> Self {
        Self {
            sound,
            gain: Curve::flat(1.0),
            pan: Curve::flat(0.0),
            distance: Curve::flat(1.0),
        }
    }

    pub fn gain(mut self, gain: impl Into<Curve>) -> Self {
        self.gain = gain.into();
        self
    }

    pub fn pan(mut self, pan: impl Into<Curve>) -> Self {
        self.pan = pan.into();
        self
    }

    pub fn distance(mut self, distance: impl Into<Curve>) -> Self {
        self.distance = distance.into();
        self
    }
}

/// Something that happens once. What goes on by nature (wind, a car) comes as a swell of a few seconds that is loudest
/// at the time given. An event with a number that is none is left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// Seconds from the beginning.
    pub at: f32,
    pub sound: Sound,
    /// 1 is as loud as it usually is.
    pub strength: f32,
    /// −1 is left, 1 is right.
    pub pan: f32,
    /// As that of a source.
    pub distance: f32,
}

impl Event {
    /// Here, in the middle, as loud as usual.
    pub fn new(at: f32, sound: Sound) -> Self {
        Self {
            at,
            sound,
            strength: 1.0,
            pan: 0.0,
            distance: 1.0,
        }
    }

    pub fn strength(mut self, strength: f32) -> Self {
        self.strength = strength;
        self
    }

    pub fn pan(mut self, pan: f32) -> Self {
        self.pan = pan;
        self
    }

    pub fn distance(mut self, distance: f32) -> Self {
        self.distance = distance;
        self
    }
}

/// What answers the sounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    Outdoors,
    Room,
    Hall,
    Cave,
}

/// A value over time: points of seconds and value, joined by lines, held at both ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve(Vec<(f32, f32)>);

impl Curve {
    pub fn flat(value: f32) -> Self {
        Self::points(&[(0.0, value)])
    }

    /// Points are put in the order of their times; what is no number is left out. Without any, the value is 0.
    pub fn points(points: &[(f32, f32)]) -> Self {
        let mut points: Vec<(f32, f32)> = points
            .iter()
            .copied()
            .filter(|(time, value)| time.is_finite() && value.is_finite())
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self(points)
    }

    pub fn at(&self, time: f32) -> f32 {
        let right = self.0.partition_point(|point| point.0 <= time);
        match (
            right.checked_sub(1).and_then(|left| self.0.get(left)),
            self.0.get(right),
        ) {
            (Some(a), Some(b)) => a.1 + (b.1 - a.1) * (time - a.0) / (b.0 - a.0).max(1e-6),
            (Some(point), None) | (None, Some(point)) => point.1,
            (None, None) => 0.0,
        }
    }

    fn is_flat(&self) -> bool {
        self.0.windows(2).all(|pair| (pair[0].1 - pair[1].1).abs() < 1e-6)
    }
}

impl From<f32> for Curve {
    fn from(value: f32) -> Self {
        Self::flat(value)
    }
}

impl From<&[(f32, f32)]> for Curve {
    fn from(points: &[(f32, f32)]) -> Self {
        Self::points(points)
    }
}
