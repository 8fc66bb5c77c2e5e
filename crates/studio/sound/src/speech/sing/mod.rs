//! Singing: from words and notes to sound.
//!
//! ```
//! use atelier_sound::speech::{Gender, Line, Note, Singer, sing, syllables};
//!
//! let words = syllables("hello world").unwrap();
//! let count: usize = words.iter().map(|word| word.syllables.len()).sum();
//! assert_eq!(count, 3);
//! let notes = (0..3).map(|index| Note::new(0.5 + 0.5 * index as f32, 0.5, 62.0 + 2.0 * index as f32));
//! let line = Line { text: "hello world".to_owned(), notes: notes.collect() };
//! let samples = sing(Singer::of(Gender::Female, 0), &[line], 7).unwrap();
//! let seconds = samples.len() as f32 / 44_100.0;
//! assert!((1.8..2.4).contains(&seconds), "{seconds}");
//! ```

mod score;
mod singer;
mod syllables;
mod timing;
mod voice;

pub use score::{Line, Note};
pub use singer::{Gender, Singer};
pub use syllables::{LyricSyllable, LyricWord, syllables};

use super::vocoder::{RATE, synthesize};

/// Why something cannot be sung.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SingError {
    #[error("the line {text:?} has {expected} syllables, but its score has {found} notes that begin one")]
    Syllables {
        text: String,
        expected: usize,
        found: usize,
    },
    #[error("note {note} of the line {text:?} cannot be sung: {reason}")]
    Note {
        text: String,
        note: usize,
        reason: &'static str,
    },
    #[error(transparent)]
    Flite(#[from] atelier_flite::Error),
}

/// Sings lines to their notes. Returns mono samples at 44.1 kHz, from time 0 to a moment after the last note, at about
/// −20 dBFS RMS while the voice sounds. The vowel of each syllable begins with its note. Its consonants come earlier,
/// so leave 0.2 s before the first note. Lines may be in any order and may overlap.
///
/// The same seed gives the same samples; another seed gives another take (vibrato, pitch drift, breath).
pub fn sing(singer: Singer, lines: &[Line], seed: u64) -> Result<Vec<f32>, SingError> {
    let mut out: Vec<f32> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if line.notes.is_empty() {
            continue;
        }
        let seed = seed
            .wrapping_add(index as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let take = voice::take(singer, line, seed)?;
        let samples = synthesize(&take.frames, seed);
        let first = (take.start * RATE as f32) as usize;
        let end = first + samples.len();
        if out.len() < end {
            out.resize(end, 0.0);
        }
        for (to, value) in out[first..].iter_mut().zip(&samples) {
            *to += value;
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests;
