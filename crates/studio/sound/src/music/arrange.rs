//! Arrangement: what drums, bass and accompaniment play to a progression.

pub mod bass;
pub mod drums;
pub mod figures;

use super::{form::Section, score::Note, theory::Chord};

/// The arranger's knowledge of one bar.
#[derive(Debug, Clone, Copy)]
pub struct Bar<'a> {
    /// Its first beat, counted from the start of the piece.
    pub start: f64,
    pub beats: usize,
    pub chords: &'a [Chord],
    /// The first chord of the next bar.
    pub next: &'a Chord,
    /// Counted from the start of its section.
    pub index: usize,
    pub section: &'a Section,
}

impl Bar<'_> {
    /// The chord at a beat of the bar.
    pub fn chord(&self, beat: f64) -> &Chord {
        let place = beat / self.beats as f64 * self.chords.len() as f64;
        &self.chords[((place + 1e-6) as usize).min(self.chords.len() - 1)]
    }

    /// Whether it is the last bar of its section.
    pub fn is_last(&self) -> bool {
        self.index + 1 == self.section.bars
    }

    /// A note at a beat of the bar.
    pub fn note(&self, beat: f64, beats: f64, pitch: i32, velocity: f32) -> Note {
        Note {
            beat: self.start + beat,
            beats,
            pitch,
            velocity,
        }
    }
}
