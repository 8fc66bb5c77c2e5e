//! When each note is sung, and at which pitch.

use super::SingError;

/// One note of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Note {
    /// Seconds from the beginning of the song.
    pub start: f32,
    /// In seconds.
    pub duration: f32,
    /// MIDI note number: 69 is A4 at 440 Hz; fractions are allowed.
    pub pitch: f32,
    /// Loudness, 0 to 1.
    pub velocity: f32,
    /// Whether it continues the syllable of the previous note (a melisma).
    pub tied: bool,
}

impl Note {
    /// A note with its own syllable, at medium loudness.
    pub const fn new(start: f32, duration: f32, pitch: f32) -> Self {
        Self {
            start,
            duration,
            pitch,
            velocity: 0.75,
            tied: false,
        }
    }

    pub(super) fn end(&self) -> f32 {
        self.start + self.duration
    }

    /// The frequency in Hz.
    pub(super) fn frequency(&self) -> f32 {
        440.0 * ((self.pitch - 69.0) / 12.0).exp2()
    }
}

/// A line of lyrics with its notes, in ascending order of `start`. The number of notes that are not `tied` must equal
/// the number of syllables that [`super::syllables`] finds in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub text: String,
    pub notes: Vec<Note>,
}

impl Line {
    /// Checks that each note can be sung, and that none begins before the previous one.
    pub(super) fn check(&self) -> Result<(), SingError> {
        let mut before = 0.0;
        for (index, note) in self.notes.iter().enumerate() {
            let reason = if !(0.0..=3_600.0).contains(&note.start) {
                "it must start within 0 to 3,600 seconds"
            } else if note.start < before {
                "it starts before the previous note"
            } else if !(0.02..=60.0).contains(&note.duration) {
                "it must last 0.02 to 60 seconds"
            } else if !(24.0..=96.0).contains(&note.pitch) {
                "its pitch must be 24 to 96"
            } else if index == 0 && note.tied {
                "the first note cannot be tied"
            } else {
                before = note.start;
                continue;
            };
            return Err(SingError::Note {
                text: self.text.clone(),
                note: index,
                reason,
            });
        }
        Ok(())
    }
}
