//! A written piece: sections, chords, notes, hits and words, in beats.

use super::{
    form::Section,
    genre::Finish,
    instrument::Instrument,
    synth::drums::{Kit, Piece},
    theory::{Chord, Key},
};

/// The role of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Bass,
    Harmony,
    Lead,
}

/// One note.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Note {
    /// Beats from the start.
    pub beat: f64,
    /// How long it is held, in beats.
    pub beats: f64,
    /// As a MIDI number.
    pub pitch: i32,
    /// 0 to 1.
    pub velocity: f32,
}

/// The part of one instrument.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub role: Role,
    pub instrument: Instrument,
    pub notes: Vec<Note>,
    /// −1 (left) to 1 (right).
    pub pan: f32,
    /// dB, added to the instrument's own gain.
    pub gain: f32,
    /// Share sent to the echo.
    pub echo: f32,
}

/// One hit of a drum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    pub beat: f64,
    pub piece: Piece,
    pub velocity: f32,
}

/// One syllable and its note.
#[derive(Debug, Clone, PartialEq)]
pub struct Sung {
    /// Line of the lyrics, counted from 0.
    pub line: usize,
    /// Word of the line.
    pub word: usize,
    /// Syllable of the word.
    pub syllable: usize,
    pub note: Note,
}

/// A voice and what it sings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Song {
    /// Lines as they are sung, word for word, with repeats.
    pub lines: Vec<String>,
    pub notes: Vec<Sung>,
    pub female: bool,
    /// Selects one of the voices of that gender.
    pub singer: u64,
    /// dB, added to the voice's own gain.
    pub gain: f32,
    /// Whether a second voice joins in thirds in the chorus.
    pub doubled: bool,
    /// Share sent to the echo.
    pub echo: f32,
}

/// A piece.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    pub bpm: f64,
    /// Beats per bar.
    pub beats: usize,
    pub key: Key,
    pub sections: Vec<Section>,
    /// Chords of each bar, evenly spaced.
    pub chords: Vec<Vec<Chord>>,
    pub kit: Option<Kit>,
    pub hits: Vec<Hit>,
    pub parts: Vec<Part>,
    pub song: Option<Song>,
    pub seed: u64,
}

impl Score {
    /// Length of the whole piece, in beats.
    pub fn length(&self) -> f64 {
        (self.chords.len() * self.beats) as f64
    }

    /// Seconds from the start.
    pub fn time(&self, beat: f64) -> f64 {
        beat * 60.0 / self.bpm
    }

    /// Seconds until the last bar line. Sound rings on after it.
    pub fn seconds(&self) -> f64 {
        self.time(self.length())
    }

    /// The chord at a beat.
    pub fn chord_at(&self, beat: f64) -> &Chord {
        chord_at(&self.chords, self.beats, beat)
    }
}

/// The chord at a beat, given the chords of all bars. There must be at least one.
pub fn chord_at(chords: &[Vec<Chord>], beats: usize, beat: f64) -> &Chord {
    let bar = ((beat / beats as f64) as usize).min(chords.len() - 1);
    let within = (beat - (bar * beats) as f64) / beats as f64;
    let row = &chords[bar];
    &row[((within * row.len() as f64 + 1e-6) as usize).min(row.len() - 1)]
}

/// How a piece is performed, apart from its notes.
#[derive(Debug, Clone, Copy)]
pub struct Production {
    pub finish: Finish,
    /// Width of the stereo image: 0 is mono, 1 is as played.
    pub width: f32,
    /// Human unevenness, in seconds.
    pub human: f32,
    /// How late every other eighth is, in beats, and every other sixteenth.
    pub swing: f32,
    pub swing16: f32,
}

impl Production {
    /// Returns the time at which a beat falls with swing.
    pub fn swung(&self, beat: f64) -> f64 {
        let bend = |x: f64, period: f64, late: f64| {
            let start = (x / period).floor() * period;
            let place = x - start;
            let half = period / 2.0;
            if place < half {
                start + place * (half + late) / half
            } else {
                start + half + late + (place - half) * (half - late) / half
            }
        };
        bend(
            bend(beat, 1.0, f64::from(self.swing)),
            0.5,
            f64::from(self.swing16),
        )
    }
}
