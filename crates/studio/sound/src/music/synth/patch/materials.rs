//! The materials of instruments: resonances of bodies, modulated pairs and modes, and the usual ways to sound them.

use super::{Analog, Modes, PLAIN, Pair, Pluck, Sound, Struck};

pub(super) const GUITAR_BODY: &[(f32, f32, f32)] = &[
    (105.0, 2.0, 4.0),
    (210.0, 2.5, 3.0),
    (420.0, 2.0, -2.0),
    (3_200.0, 1.0, 3.0),
];
pub(super) const FIDDLE_BODY: &[(f32, f32, f32)] = &[
    (290.0, 3.0, 5.0),
    (480.0, 3.0, 4.0),
    (1_100.0, 1.5, -4.0),
    (2_600.0, 1.6, 6.0),
    (6_000.0, 0.7, -8.0),
];
pub(super) const CELLO_BODY: &[(f32, f32, f32)] = &[
    (110.0, 2.0, 4.0),
    (220.0, 3.0, 3.0),
    (600.0, 1.5, -2.0),
    (1_500.0, 1.4, 3.0),
    (4_500.0, 0.7, -9.0),
];
pub(super) const SECTION_BODY: &[(f32, f32, f32)] = &[
    (300.0, 1.2, 2.0),
    (1_100.0, 1.0, -3.0),
    (2_800.0, 1.2, 2.5),
    (7_000.0, 0.7, -6.0),
];
pub(super) const HORN_BODY: &[(f32, f32, f32)] =
    &[(550.0, 1.0, 2.5), (1_300.0, 1.2, 3.0), (5_500.0, 0.7, -7.0)];
pub(super) const SAX_BODY: &[(f32, f32, f32)] = &[
    (480.0, 1.5, 4.0),
    (1_150.0, 2.0, 5.0),
    (2_700.0, 1.5, 3.0),
    (5_000.0, 0.7, -6.0),
];
pub(super) const BASS_BODY: &[(f32, f32, f32)] = &[(95.0, 1.2, 4.0), (700.0, 1.0, 2.0), (250.0, 1.0, -2.0)];
pub(super) const BANJO_BODY: &[(f32, f32, f32)] = &[
    (320.0, 2.0, 4.0),
    (700.0, 2.5, 6.0),
    (2_400.0, 1.4, 4.0),
    (150.0, 1.0, -6.0),
];
pub(super) const REED_BODY: &[(f32, f32, f32)] =
    &[(700.0, 1.0, 3.0), (1_800.0, 1.4, 3.0), (5_000.0, 0.7, -6.0)];

pub(super) const TINES: &[Pair] = &[
    Pair {
        carrier: 1.0,
        modulator: 1.0,
        index: 1.5,
        index_decay: 0.35,
        level: 0.75,
        decay: 1.3,
        pan: -0.15,
    },
    Pair {
        carrier: 1.001,
        modulator: 14.0,
        index: 0.55,
        index_decay: 0.09,
        level: 0.5,
        decay: 1.0,
        pan: 0.15,
    },
];
pub(super) const TOLL: &[Pair] = &[
    Pair {
        carrier: 1.0,
        modulator: 3.51,
        index: 2.4,
        index_decay: 0.9,
        level: 0.6,
        decay: 1.8,
        pan: -0.2,
    },
    Pair {
        carrier: 2.0,
        modulator: 2.76,
        index: 1.2,
        index_decay: 0.4,
        level: 0.3,
        decay: 0.9,
        pan: 0.25,
    },
    Pair {
        carrier: 0.5,
        modulator: 1.0,
        index: 0.3,
        index_decay: 1.0,
        level: 0.25,
        decay: 2.4,
        pan: 0.0,
    },
];
pub(super) const GLASS: &[Pair] = &[
    Pair {
        carrier: 1.0,
        modulator: 2.0,
        index: 0.9,
        index_decay: 3.0,
        level: 0.4,
        decay: 9.0,
        pan: -0.3,
    },
    Pair {
        carrier: 1.003,
        modulator: 3.0,
        index: 0.5,
        index_decay: 4.0,
        level: 0.35,
        decay: 9.0,
        pan: 0.3,
    },
    Pair {
        carrier: 2.0,
        modulator: 5.0,
        index: 0.5,
        index_decay: 0.6,
        level: 0.14,
        decay: 3.0,
        pan: 0.0,
    },
];

pub(super) const BARS: Modes = Modes::Table(&[(1.0, 1.0), (3.93, 0.28), (9.6, 0.12)]);
pub(super) const VIBES: Modes = Modes::Table(&[(1.0, 1.0), (4.0, 0.25), (10.2, 0.05)]);
pub(super) const GLOCK: Modes = Modes::Table(&[(1.0, 1.0), (2.76, 0.4), (5.4, 0.2), (8.9, 0.1)]);
pub(super) const COMB: Modes =
    Modes::Table(&[(1.0, 1.0), (2.0, 0.3), (3.01, 0.22), (5.95, 0.25), (9.1, 0.08)]);
pub(super) const PAN: Modes = Modes::Table(&[(1.0, 1.0), (2.0, 0.7), (2.99, 0.28), (4.01, 0.22), (5.2, 0.1)]);

pub(super) const fn struck(modes: Modes, decay: f32, damping: f32, hard: f32, release: f32) -> Sound {
    Sound::Struck(Struck {
        modes,
        decay,
        damping,
        hard,
        release,
        tremolo: 0.0,
        knock: 0.04,
    })
}

pub(super) const fn plucked(decay: f32, bright: f32, dull: f32, place: f32, release: f32) -> Sound {
    Sound::Plucked(Pluck {
        decay,
        bright,
        dull,
        place,
        release,
    })
}

pub(super) const fn section(unison: usize, attack: f32, release: f32, cutoff: f32) -> Analog {
    Analog {
        unison,
        detune: 14.0,
        spread: 0.8,
        noise: 0.015,
        cutoff,
        damping: 1.6,
        envelope: [attack, 0.5, 0.9, release],
        vibrato: 9.0,
        ..PLAIN
    }
}
