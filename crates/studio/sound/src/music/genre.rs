//! Genres and their ingredients. The tables are common musical knowledge (tempos, grooves, changes, ensembles), not
//! copies of any one piece.

mod acoustic;
mod band;
mod electronic;
mod grooves;

use super::{
    instrument::Instrument,
    synth::drums::{Kit, Piece},
    theory::Mode,
};
use crate::dsp::reverb::Room;

/// Hits of one bar, per piece: one character per sixteenth, `X` loud, `x` normal, `o` soft.
pub type Groove = &'static [(Piece, &'static str)];

/// The pattern of the bass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BassLine {
    None,
    Roots,
    Eighths,
    Offbeat,
    Octaves,
    Walking,
    RootFifth,
    Syncopated,
    Long,
    Dub,
    Bossa,
    Sixteenths,
    Gallop,
    Waltz,
    Tumbao,
    Acid,
}

/// How an accompanying instrument plays the chords.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    Held,
    Quarters,
    Strum,
    Picked,
    Skank,
    Scratch,
    Charleston,
    Bossa,
    Stabs,
    Chug,
    Power,
    Arpeggio,
    FastArpeggio,
    Waltz,
    Alberti,
    Ballad,
    Montuno,
    Riff,
    Offbeat,
}

/// A part of the ensemble besides drums, bass and melody.
#[derive(Debug, Clone, Copy)]
pub struct Layer {
    pub figure: Figure,
    /// One of these plays it.
    pub choices: &'static [Instrument],
    /// It joins in sections with at least this energy, 0 to 1.
    pub from: f32,
}

/// Chord progressions for each kind of section, in the notation of [`super::theory::progression`].
#[derive(Debug, Clone, Copy)]
pub struct Harmony {
    pub mode: Mode,
    pub verse: &'static str,
    pub chorus: &'static str,
    pub bridge: &'static str,
}

/// The master settings.
#[derive(Debug, Clone, Copy)]
pub struct Finish {
    pub room: Room,
    /// How far the kick ducks the other parts, 0 to 1.
    pub duck: f32,
    /// Saturation of the mix; 1 is hardly any.
    pub drive: f32,
    /// dB above 6 kHz.
    pub bright: f32,
    /// dB below 110 Hz.
    pub low: f32,
    /// Share of echo on melodies.
    pub echo: f32,
    /// Everything above this frequency in Hz is removed, as on old records.
    pub dull: f32,
}

/// A genre.
#[derive(Debug, Clone, Copy)]
pub struct Genre {
    pub name: &'static str,
    /// Words that name it, besides its name.
    pub words: &'static [&'static str],
    /// Slowest and fastest, in beats per minute.
    pub tempo: (f32, f32),
    pub beats: usize,
    /// How late every other eighth is, as a fraction of a beat. 1/6 is a triplet.
    pub swing: f32,
    /// The same for every other sixteenth.
    pub swing16: f32,
    /// Shortest and longest, in seconds.
    pub seconds: (f32, f32),
    pub harmonies: &'static [Harmony],
    pub kit: Option<Kit>,
    pub groove: Groove,
    /// The groove of sections with high energy.
    pub lift: Groove,
    pub bass: BassLine,
    pub basses: &'static [Instrument],
    pub layers: &'static [Layer],
    /// Instruments that play the melody if nobody sings.
    pub leads: &'static [Instrument],
    /// Notes of the melody per beat.
    pub density: f32,
    /// Human unevenness, in seconds.
    pub human: f32,
    pub finish: Finish,
}

/// All genres.
pub fn all() -> impl Iterator<Item = &'static Genre> {
    electronic::GENRES
        .iter()
        .chain(band::GENRES)
        .chain(acoustic::GENRES)
}

/// The genre of a name.
pub fn named(name: &str) -> Option<&'static Genre> {
    all().find(|genre| genre.name == name)
}

const fn room(decay: f32, size: f32, delay: f32, damping: f32) -> Room {
    Room {
        decay,
        size,
        delay,
        damping,
        low_cut: 180.0,
    }
}

const fn layer(figure: Figure, choices: &'static [Instrument], from: f32) -> Layer {
    Layer {
        figure,
        choices,
        from,
    }
}

const fn harmony(mode: Mode, verse: &'static str, chorus: &'static str, bridge: &'static str) -> Harmony {
    Harmony {
        mode,
        verse,
        chorus,
        bridge,
    }
}

/// Progressions for moods that a genre has none for.
pub const COMMON: &[Harmony] = &[
    harmony(
        Mode::Major,
        "I | V | vi | IV",
        "IV | V | I | vi",
        "ii | V | iii | IV",
    ),
    harmony(
        Mode::Minor,
        "i | bVI | bIII | bVII",
        "bVI | bVII | i | i",
        "iv | bVI | i | v",
    ),
];

/// The genre used if every other one was refused.
pub static FALLBACK: &Genre = &band::GENRES[0];
