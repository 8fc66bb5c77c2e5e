//! Soundscapes by synthesis: wind, water, animals, people, machines and things, placed in space and time.
//!
//! A [`Scape`] is a list of continuous [`Source`]s, whose gain, position and distance may change, and of [`Event`]s
//! that happen at one moment. Build it by hand or from words ([`from_words`], [`from_facts`]), then [`render`] it. The
//! same scape gives the same samples.
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
mod engines;
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

/// The longest rendered scape, in seconds. The rest is cut off.
pub const LONGEST: f32 = 120.0;

/// A soundscape.
#[derive(Debug, Clone, PartialEq)]
pub struct Scape {
    pub seconds: f32,
    /// Seeds all random numbers.
    pub seed: u64,
    pub sources: Vec<Source>,
    pub events: Vec<Event>,
    pub room: Room,
    /// Integrated loudness of the result in LUFS, with true peaks below −1 dBTP.
    pub loudness: f64,
}

impl Scape {
    /// Silence outdoors, to be filled.
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

/// A sound that lasts for the whole scape. A sound that is short by nature (a bark, a bell) is repeated.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    pub sound: Sound,
    /// 0 is silent; 1 is the usual level compared with other sounds.
    pub gain: Curve,
    /// −1 is left, 1 is right. Surrounding sounds (rain, a crowd) are shifted and narrowed.
    pub pan: Curve,
    /// 1 is near. At 2 the sound is half as loud; with distance it loses treble and gains reverb. A changing distance
    /// shifts the pitch as motion does. One unit is 5 m.
    pub distance: Curve,
}

impl Source {
    /// Near, in the centre, at the usual level.
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

/// A sound that happens once. A continuous sound (wind, a car) becomes a swell of a few seconds, loudest at the given
/// time. Events with a number that is not finite are ignored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// Seconds from the start of the scape.
    pub at: f32,
    pub sound: Sound,
    /// 1 is the usual level.
    pub strength: f32,
    /// −1 is left, 1 is right.
    pub pan: f32,
    /// Like the distance of a source.
    pub distance: f32,
}

impl Event {
    /// Near, in the centre, at the usual level.
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

/// The acoustic space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    Outdoors,
    Room,
    Hall,
    Cave,
}

/// A value over time: points of seconds and value, connected by lines and constant at both ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve(Vec<(f32, f32)>);

impl Curve {
    pub fn flat(value: f32) -> Self {
        Self::points(&[(0.0, value)])
    }

    /// Sorts the points by time and ignores those that are not finite. Without any, the value is 0.
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
