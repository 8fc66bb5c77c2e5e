//! What is sung when, and how high.

use super::SingError;

/// One note of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Note {
    /// Seconds from the beginning of the song.
    pub start: f32,
    /// Seconds.
    pub duration: f32,
    /// MIDI note number: 69 is A4 at 440 Hz; fractions are allowed.
    pub pitch: f32,
    /// How loud, 0 to 1.
    pub velocity: f32,
    /// Goes on with the syllable of the note before (a melisma).
    pub tied: bool,
}

impl Note {
    /// A note of its own syllable, at a middling loudness.
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

    /// Hz.
    pub(super) fn frequency(&self) -> f32 {
        440.0 * ((self.pitch - 69.0) / 12.0).exp2()
    }
}

/// A line of lyrics with its score: as many notes that are not `tied` as [`super::syllables`] finds in the text,
/// in ascending order of `start`.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub text: String,
    pub notes: Vec<Note>,
}

impl Line {
    /// Whether each note can be sung, and none begins before the one before it.
    pub(super) fn check(&self) -> Result<(), SingError> {
        let mut before = 0.0;
        for (index, note) in self.notes.iter().enumerate() {
            let reason = if !(0.0..=3_600.0).contains(&note.start) {
                "it must start within 0 to 3,600 seconds"
            } else if note.start < before {
                "it starts before the note before it"
            } else if !(0.02..=60.0).contains(&note.duration) {
                "it must last 0.02 to 60 seconds"
            } else if !(24.0..=96.0).contains(&note.pitch) {
                "its pitch must be 24 to 96"
            } else if index == 0 && note.tied {
                "the first cannot be tied"
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
