//! The synthesis of each instrument, and the processing of its summed notes.

use super::{
    analog::{Analog, PLAIN, Wave},
    blown::Blown,
    fm::{Pair, Stack},
    pluck::Pluck,
    struck::{Modes, Struck},
};
use crate::music::instrument::{Instrument, Instrument as I};

mod materials;

use materials::{
    BANJO_BODY, BARS, BASS_BODY, CELLO_BODY, COMB, FIDDLE_BODY, GLASS, GLOCK, GUITAR_BODY, HORN_BODY, PAN,
    REED_BODY, SAX_BODY, SECTION_BODY, TINES, TOLL, VIBES, plucked, section, struck,
};

/// How one note is made.
#[derive(Debug, Clone, Copy)]
pub enum Sound {
    Plucked(Pluck),
    Struck(Struck),
    Analog(Analog),
    Fm(Stack),
    Blown(Blown),
}

/// Processing of the sum of all notes.
#[derive(Debug, Clone, Copy)]
pub enum Finish {
    Plain,
    /// Resonances of a body: Hz, quality, dB.
    Body(&'static [(f32, f32, f32)]),
    /// An amplifier with its cabinet, and its gain.
    Amplifier(f32),
    /// A mouth singing "ah".
    Vowel,
    /// A rotating loudspeaker.
    Rotary,
    Chorus(f32),
    /// Saturation.
    Warm(f32),
}

/// A whole instrument.
#[derive(Debug, Clone, Copy)]
pub struct Patch {
    pub sound: Sound,
    pub finish: Finish,
}

/// The patch of an instrument.
pub fn patch(instrument: Instrument) -> Patch {
    let (_, sound, finish) = PATCHES[instrument as usize];
    Patch { sound, finish }
}

/// One row per instrument, in the order of [`Instrument::ALL`].
#[rustfmt::skip]
static PATCHES: [(I, Sound, Finish); Instrument::ALL.len()] = [
    (
        I::Piano,
        Sound::Struck(Struck {
            modes: Modes::String { stiffness: 0.000_45 }, decay: 7.0, damping: 0.16, hard: 0.62, release: 0.22,
            tremolo: 0.0, knock: 0.09,
        }),
        Finish::Plain,
    ),
    (I::ElectricPiano, Sound::Fm(Stack { pairs: TINES, release: 0.25, attack: 0.001 }), Finish::Chorus(0.35)),
    (
        I::Organ,
        Sound::Blown(Blown {
            harmonics: &[0.8, 0.75, 0.55, 0.4, 0.0, 0.22, 0.0, 0.25], open: 0.0, breath: 0.006, vibrato: 0.0,
            attack: 0.008, release: 0.06, scoop: 0.0,
        }),
        Finish::Rotary,
    ),
    (I::Harpsichord, plucked(2.4, 1.0, 0.05, 0.08, 0.12), Finish::Body(GUITAR_BODY)),
    (
        I::Accordion,
        Sound::Analog(Analog {
            wave: Wave::Pulse(0.32), unison: 3, detune: 9.0, spread: 0.4, cutoff: 2_600.0, damping: 1.2,
            envelope: [0.05, 0.3, 0.95, 0.09], ..PLAIN
        }),
        Finish::Body(REED_BODY),
    ),
    (I::AcousticGuitar, plucked(3.0, 0.75, 0.11, 0.16, 0.25), Finish::Body(GUITAR_BODY)),
    (I::NylonGuitar, plucked(2.2, 0.34, 0.24, 0.24, 0.2), Finish::Body(GUITAR_BODY)),
    (I::CleanGuitar, plucked(3.4, 0.6, 0.14, 0.2, 0.15), Finish::Chorus(0.25)),
    (I::OverdrivenGuitar, plucked(5.5, 0.6, 0.1, 0.18, 0.1), Finish::Amplifier(7.0)),
    (I::DistortedGuitar, plucked(7.0, 0.7, 0.07, 0.14, 0.07), Finish::Amplifier(22.0)),
    (I::Banjo, plucked(0.9, 1.0, 0.12, 0.1, 0.2), Finish::Body(BANJO_BODY)),
    (I::Mandolin, plucked(1.5, 0.95, 0.09, 0.12, 0.2), Finish::Body(GUITAR_BODY)),
    (I::Harp, plucked(3.6, 0.4, 0.14, 0.35, 0.9), Finish::Body(GUITAR_BODY)),
    (I::UprightBass, plucked(1.7, 0.16, 0.36, 0.22, 0.12), Finish::Body(BASS_BODY)),
    (I::ElectricBass, plucked(3.2, 0.28, 0.26, 0.14, 0.07), Finish::Warm(1.6)),
    (
        I::SynthBass,
        Sound::Analog(Analog {
            unison: 2, detune: 5.0, sub: 0.8, cutoff: 420.0, sweep: 2.4, sweep_decay: 0.12, damping: 0.8,
            envelope: [0.003, 0.25, 0.7, 0.05], ..PLAIN
        }),
        Finish::Warm(1.4),
    ),
    (
        I::SubBass,
        Sound::Analog(Analog {
            wave: Wave::Sine, cutoff: 2_000.0, envelope: [0.003, 1.2, 0.55, 0.12], drop: (9.0, 0.025), ..PLAIN
        }),
        Finish::Warm(3.2),
    ),
    (
        I::AcidBass,
        Sound::Analog(Analog {
            cutoff: 330.0, sweep: 3.6, sweep_decay: 0.11, damping: 0.16, envelope: [0.002, 0.2, 0.6, 0.03], ..PLAIN
        }),
        Finish::Warm(2.4),
    ),
    (
        I::ReeseBass,
        Sound::Analog(Analog {
            unison: 3, detune: 24.0, sub: 0.9, cutoff: 620.0, sweep: 0.8, sweep_decay: 0.5, damping: 0.7,
            envelope: [0.006, 0.5, 0.9, 0.06], ..PLAIN
        }),
        Finish::Warm(2.0),
    ),
    (I::Strings, Sound::Analog(section(6, 0.14, 0.3, 3_000.0)), Finish::Body(SECTION_BODY)),
    (I::Pizzicato, plucked(0.6, 0.45, 0.22, 0.3, 0.25), Finish::Body(SECTION_BODY)),
    (
        I::Violin,
        Sound::Analog(Analog {
            cutoff: 4_200.0, damping: 1.3, noise: 0.02, envelope: [0.06, 0.4, 0.9, 0.12], vibrato: 16.0, ..PLAIN
        }),
        Finish::Body(FIDDLE_BODY),
    ),
    (
        I::Cello,
        Sound::Analog(Analog {
            cutoff: 2_600.0, damping: 1.4, noise: 0.025, envelope: [0.09, 0.5, 0.9, 0.2], vibrato: 13.0, ..PLAIN
        }),
        Finish::Body(CELLO_BODY),
    ),
    (
        I::Brass,
        Sound::Analog(Analog {
            unison: 4, detune: 7.0, spread: 0.6, cutoff: 2_300.0, damping: 1.2, envelope: [0.05, 0.25, 0.85, 0.1],
            vibrato: 4.0, brassy: 0.85, drop: (-0.4, 0.03), ..PLAIN
        }),
        Finish::Body(HORN_BODY),
    ),
    (
        I::Trumpet,
        Sound::Analog(Analog {
            cutoff: 3_000.0, damping: 1.1, noise: 0.008, envelope: [0.035, 0.2, 0.88, 0.07], vibrato: 9.0,
            brassy: 0.8, drop: (-0.3, 0.025), ..PLAIN
        }),
        Finish::Body(HORN_BODY),
    ),
    (
        I::Saxophone,
        Sound::Blown(Blown {
            harmonics: &[0.75, 0.8, 0.62, 0.55, 0.42, 0.33, 0.26, 0.2, 0.16, 0.12, 0.1, 0.08, 0.06, 0.05], open: 0.16,
            breath: 0.035, vibrato: 16.0, attack: 0.045, release: 0.08, scoop: 0.45,
        }),
        Finish::Body(SAX_BODY),
    ),
    (
        I::Clarinet,
        Sound::Blown(Blown {
            harmonics: &[1.0, 0.05, 0.65, 0.06, 0.38, 0.1, 0.2, 0.1, 0.1, 0.05, 0.05], open: 0.18, breath: 0.012,
            vibrato: 5.0, attack: 0.05, release: 0.08, scoop: 0.1,
        }),
        Finish::Plain,
    ),
    (
        I::Flute,
        Sound::Blown(Blown {
            harmonics: &[1.0, 0.42, 0.16, 0.07, 0.03], open: 0.35, breath: 0.06, vibrato: 13.0, attack: 0.06,
            release: 0.1, scoop: 0.1,
        }),
        Finish::Plain,
    ),
    (
        I::Whistle,
        Sound::Blown(Blown {
            harmonics: &[1.0, 0.2, 0.1, 0.03], open: 0.3, breath: 0.035, vibrato: 9.0, attack: 0.025, release: 0.05,
            scoop: 0.25,
        }),
        Finish::Plain,
    ),
    (
        I::Bagpipes,
        Sound::Analog(Analog {
            wave: Wave::Pulse(0.14), unison: 2, detune: 4.0, cutoff: 4_500.0, damping: 1.0,
            envelope: [0.015, 0.2, 1.0, 0.03], ..PLAIN
        }),
        Finish::Body(REED_BODY),
    ),
    (
        I::Choir,
        Sound::Analog(Analog {
            unison: 6, detune: 17.0, spread: 0.9, noise: 0.05, cutoff: 3_800.0, damping: 1.6,
            envelope: [0.2, 0.5, 0.95, 0.4], vibrato: 20.0, ..PLAIN
        }),
        Finish::Vowel,
    ),
    (
        I::WarmPad,
        Sound::Analog(Analog {
            unison: 5, detune: 13.0, spread: 0.9, cutoff: 900.0, sweep: 0.7, sweep_decay: 1.4, damping: 1.3,
            envelope: [0.35, 0.8, 0.85, 0.7], ..PLAIN
        }),
        Finish::Chorus(0.3),
    ),
    (I::GlassPad, Sound::Fm(Stack { pairs: GLASS, release: 1.2, attack: 0.3 }), Finish::Chorus(0.4)),
    (
        I::Supersaw,
        Sound::Analog(Analog {
            unison: 7, detune: 24.0, spread: 1.0, cutoff: 5_200.0, damping: 1.3, envelope: [0.012, 0.6, 0.85, 0.18],
            ..PLAIN
        }),
        Finish::Plain,
    ),
    (
        I::SynthPluck,
        Sound::Analog(Analog {
            unison: 3, detune: 9.0, spread: 0.7, cutoff: 700.0, sweep: 3.2, sweep_decay: 0.09, damping: 0.9,
            envelope: [0.002, 0.18, 0.12, 0.16], ..PLAIN
        }),
        Finish::Plain,
    ),
    (
        I::SynthLead,
        Sound::Analog(Analog {
            unison: 3, detune: 10.0, spread: 0.3, cutoff: 2_600.0, sweep: 0.9, sweep_decay: 0.25, damping: 0.8,
            envelope: [0.008, 0.3, 0.85, 0.1], vibrato: 14.0, ..PLAIN
        }),
        Finish::Warm(1.2),
    ),
    (
        I::SquareLead,
        Sound::Analog(Analog {
            wave: Wave::Pulse(0.5), cutoff: 14_000.0, damping: 1.6, envelope: [0.001, 0.2, 0.75, 0.02], vibrato: 10.0,
            ..PLAIN
        }),
        Finish::Plain,
    ),
    (
        I::TriangleBass,
        Sound::Analog(Analog {
            wave: Wave::Triangle, cutoff: 12_000.0, damping: 1.6, envelope: [0.001, 0.4, 0.95, 0.015], ..PLAIN
        }),
        Finish::Plain,
    ),
    (
        I::ChipPulse,
        Sound::Analog(Analog {
            wave: Wave::Pulse(0.25), cutoff: 12_000.0, damping: 1.6, envelope: [0.001, 0.09, 0.35, 0.02], ..PLAIN
        }),
        Finish::Plain,
    ),
    (
        I::Vibraphone,
        Sound::Struck(Struck {
            modes: VIBES, decay: 5.0, damping: 1.6, hard: 0.4, release: 0.4, tremolo: 0.22, knock: 0.02,
        }),
        Finish::Plain,
    ),
    (I::Marimba, struck(BARS, 1.1, 2.2, 0.35, 0.5), Finish::Plain),
    (I::Glockenspiel, struck(GLOCK, 6.0, 0.7, 0.9, 1.2), Finish::Plain),
    (I::MusicBox, struck(COMB, 2.6, 0.6, 0.85, 1.2), Finish::Plain),
    (I::Bells, Sound::Fm(Stack { pairs: TOLL, release: 1.6, attack: 0.001 }), Finish::Plain),
    (I::SteelDrum, struck(PAN, 1.3, 0.5, 0.7, 0.4), Finish::Chorus(0.15)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instrument_has_its_own_row() {
        assert_eq!(PATCHES.map(|row| row.0), Instrument::ALL);
    }
}
