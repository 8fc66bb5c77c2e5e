//! Band genres.

use super::{BassLine as B, Figure as F, Finish, Genre, grooves as g, harmony, layer, room};
use crate::music::{instrument::Instrument as I, synth::drums::Kit, theory::Mode as M};

#[rustfmt::skip]
pub(super) const GENRES: &[Genre] = &[
    Genre {
        name: "pop", words: &["pop song", "radio", "mainstream", "k-pop", "j-pop", "catchy", "teen pop", "indie pop"],
        tempo: (96.0, 120.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (80.0, 150.0),
        harmonies: &[
            harmony(M::Major, "I | V | vi | IV", "IV | V | I | vi", "ii | vi | IV | V"),
            harmony(M::Major, "vi | IV | I | V", "I | V | IV | IV", "ii | iii | IV | V"),
            harmony(M::Minor, "i | bVI | bIII | bVII", "bVI | bVII | i | bIII", "iv | bVI | bVII | bVII"),
        ],
        kit: Some(Kit::Acoustic), groove: g::POP, lift: g::POP_LIFT, bass: B::Eighths,
        basses: &[I::ElectricBass, I::SynthBass],
        layers: &[
            layer(F::Ballad, &[I::Piano], 0.0), layer(F::Strum, &[I::AcousticGuitar, I::CleanGuitar], 0.4),
            layer(F::Held, &[I::WarmPad, I::Strings], 0.5), layer(F::FastArpeggio, &[I::SynthPluck], 0.75),
        ],
        leads: &[I::SynthLead, I::Piano, I::CleanGuitar], density: 1.4, human: 0.006,
        finish: Finish {
            room: room(1.6, 0.9, 0.02, 6_500.0), duck: 0.2, drive: 1.3, bright: 1.5, low: 1.0, echo: 0.2,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "rock",
        words: &[
            "rock and roll", "rock & roll", "rock n roll", "hard rock", "indie rock", "alternative", "grunge",
            "garage", "anthem", "power ballad",
        ],
        tempo: (112.0, 136.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (80.0, 150.0),
        harmonies: &[
            harmony(M::Mixolydian, "I | bVII | IV | I", "I | V | IV | IV", "vi | IV | bVII | V"),
            harmony(M::Minor, "i | bVII | bVI | bVII", "bVI | bVII | i | i", "iv | iv | bVI | bVII"),
            harmony(M::Major, "I | IV | V | IV", "I | V | vi | IV", "ii | IV | V | V"),
        ],
        kit: Some(Kit::Rock), groove: g::ROCK, lift: g::ROCK_LIFT, bass: B::Eighths, basses: &[I::ElectricBass],
        layers: &[
            layer(F::Power, &[I::OverdrivenGuitar], 0.0),
            layer(F::Chug, &[I::OverdrivenGuitar, I::DistortedGuitar], 0.5), layer(F::Held, &[I::Organ], 0.7),
        ],
        leads: &[I::OverdrivenGuitar, I::DistortedGuitar], density: 1.4, human: 0.008,
        finish: Finish {
            room: room(1.2, 0.8, 0.012, 5_500.0), duck: 0.0, drive: 1.7, bright: 0.5, low: 1.0, echo: 0.15,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "metal",
        words: &["heavy metal", "thrash", "death metal", "metalcore", "djent", "black metal", "doom", "brutal"],
        tempo: (140.0, 176.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (75.0, 140.0),
        harmonies: &[
            harmony(M::Phrygian, "i5 | i5 | bII5 | i5", "i5 | bVI5 | bVII5 | i5", "bII5 | bII5 | i5 | bVII5"),
            harmony(M::Minor, "i5 | i5 | bVI5 | bVII5", "i5 | bIII5 | bVI5 | bVII5", "iv5 | bVI5 | v5 | v5"),
        ],
        kit: Some(Kit::Metal), groove: g::METAL, lift: g::METAL_LIFT, bass: B::Gallop, basses: &[I::ElectricBass],
        layers: &[layer(F::Chug, &[I::DistortedGuitar], 0.0), layer(F::Power, &[I::DistortedGuitar], 0.35)],
        leads: &[I::DistortedGuitar], density: 2.0, human: 0.004,
        finish: Finish {
            room: room(0.9, 0.6, 0.008, 5_000.0), duck: 0.0, drive: 2.2, bright: 1.5, low: 1.5, echo: 0.12,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "punk", words: &["punk rock", "pop punk", "hardcore", "skate punk", "ska punk"],
        tempo: (164.0, 192.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (60.0, 100.0),
        harmonies: &[harmony(M::Major, "I5 | IV5 | V5 | IV5", "I5 | V5 | vi5 | IV5", "vi5 | IV5 | V5 | V5"), harmony(
            M::Minor, "i5 | bVII5 | bVI5 | bVII5", "bVI5 | bVII5 | i5 | bIII5", "iv5 | iv5 | bVII5 | bVII5",
        )],
        kit: Some(Kit::Rock), groove: g::PUNK, lift: g::PUNK_LIFT, bass: B::Eighths, basses: &[I::ElectricBass],
        layers: &[layer(F::Chug, &[I::DistortedGuitar], 0.0), layer(F::Power, &[I::OverdrivenGuitar], 0.5)],
        leads: &[I::OverdrivenGuitar], density: 1.7, human: 0.008,
        finish: Finish {
            room: room(0.7, 0.5, 0.006, 5_500.0), duck: 0.0, drive: 2.1, bright: 1.0, low: 0.5, echo: 0.06,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "blues", words: &["delta blues", "rhythm and blues", "chicago blues", "bluesy", "12-bar"],
        tempo: (84.0, 116.0), beats: 4, swing: 0.155, swing16: 0.0, seconds: (80.0, 130.0),
        harmonies: &[
            harmony(
                M::Mixolydian, "I7 | IV7 | I7 | I7 | IV7 | IV7 | I7 | I7 | V7 | IV7 | I7 | V7",
                "I7 | IV7 | I7 | I7 | IV7 | IV7 | I7 | I7 | V7 | IV7 | I7 | V7", "IV7 | IV7 | I7 | I7",
            ),
            harmony(
                M::Dorian, "i7 | iv7 | i7 | i7 | iv7 | iv7 | i7 | i7 | bVI7 | V7 | i7 | V7",
                "i7 | iv7 | i7 | i7 | iv7 | iv7 | i7 | i7 | bVI7 | V7 | i7 | V7", "iv7 | iv7 | i7 | i7",
            ),
        ],
        kit: Some(Kit::Acoustic), groove: g::SHUFFLE, lift: g::SHUFFLE_LIFT, bass: B::Walking,
        basses: &[I::ElectricBass, I::UprightBass],
        layers: &[
            layer(F::Quarters, &[I::CleanGuitar, I::Piano], 0.0), layer(F::Held, &[I::Organ], 0.45),
            layer(F::Stabs, &[I::Brass], 0.8),
        ],
        leads: &[I::OverdrivenGuitar, I::Saxophone, I::CleanGuitar], density: 1.3, human: 0.012,
        finish: Finish {
            room: room(1.0, 0.7, 0.012, 4_800.0), duck: 0.0, drive: 1.4, bright: 0.0, low: 0.5, echo: 0.1,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "reggae", words: &["dub", "ska", "roots", "dancehall", "rastafari", "island"],
        tempo: (70.0, 84.0), beats: 4, swing: 0.0, swing16: 0.06, seconds: (80.0, 130.0),
        harmonies: &[harmony(M::Major, "I | I | IV | V", "I | IV | I | V", "ii | ii | V | V"), harmony(
            M::Minor, "i | i | iv | iv", "i | bVII | bVI | bVII", "bVI | bVI | v | v",
        )],
        kit: Some(Kit::Acoustic), groove: g::REGGAE, lift: g::REGGAE_LIFT, bass: B::Dub, basses: &[I::ElectricBass],
        layers: &[
            layer(F::Skank, &[I::CleanGuitar, I::Piano], 0.0), layer(F::Offbeat, &[I::Organ], 0.3),
            layer(F::Stabs, &[I::Brass], 0.7),
        ],
        leads: &[I::Trumpet, I::Saxophone, I::Clarinet], density: 1.0, human: 0.009,
        finish: Finish {
            room: room(1.8, 0.9, 0.02, 4_200.0), duck: 0.0, drive: 1.3, bright: -0.5, low: 3.0, echo: 0.4,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "funk", words: &["funky", "p-funk", "groove", "slap bass"],
        tempo: (98.0, 114.0), beats: 4, swing: 0.0, swing16: 0.03, seconds: (75.0, 130.0),
        harmonies: &[
            harmony(M::Dorian, "i7 | i7 | IV9 | IV9", "i7 | IV9 | i7 | IV9", "bVII | IV | bIII | IV"),
            harmony(M::Mixolydian, "I9 | I9 | IV9 | I9", "IV9 | IV9 | I9 | I9", "bVII | IV | I9 | V7"),
        ],
        kit: Some(Kit::Acoustic), groove: g::FUNK, lift: g::FUNK_LIFT, bass: B::Syncopated, basses: &[I::ElectricBass],
        layers: &[
            layer(F::Scratch, &[I::CleanGuitar], 0.0), layer(F::Stabs, &[I::Brass], 0.45),
            layer(F::Charleston, &[I::ElectricPiano, I::Organ], 0.25),
        ],
        leads: &[I::Saxophone, I::Trumpet, I::SynthLead], density: 1.7, human: 0.006,
        finish: Finish {
            room: room(0.8, 0.5, 0.008, 5_500.0), duck: 0.0, drive: 1.5, bright: 1.0, low: 1.5, echo: 0.08,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "soul", words: &["r&b", "rnb", "motown", "neo soul", "neo-soul", "smooth", "slow jam"],
        tempo: (72.0, 104.0), beats: 4, swing: 0.0, swing16: 0.04, seconds: (80.0, 140.0),
        harmonies: &[
            harmony(M::Major, "Imaj7 | iii7 | vi7 | V7", "IVmaj7 | V7 | iii7 | vi7", "ii7 | V7 | Imaj7 | vi7"),
            harmony(M::Dorian, "i9 | IV9 | i9 | IV9", "bVImaj7 | v7 | i9 | i9", "iv7 | bVII9 | bIIImaj7 | V7"),
        ],
        kit: Some(Kit::Acoustic), groove: g::SOUL, lift: g::SOUL_LIFT, bass: B::Syncopated, basses: &[I::ElectricBass],
        layers: &[
            layer(F::Charleston, &[I::ElectricPiano, I::Piano], 0.0), layer(F::Scratch, &[I::CleanGuitar], 0.4),
            layer(F::Held, &[I::Strings, I::Organ], 0.5), layer(F::Stabs, &[I::Brass], 0.75),
        ],
        leads: &[I::Saxophone, I::ElectricPiano, I::Trumpet], density: 1.2, human: 0.011,
        finish: Finish {
            room: room(1.3, 0.8, 0.015, 5_200.0), duck: 0.0, drive: 1.3, bright: 0.5, low: 1.0, echo: 0.12,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "disco", words: &["nu disco", "70s", "seventies", "boogie"],
        tempo: (114.0, 124.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (80.0, 140.0),
        harmonies: &[
            harmony(M::Minor, "i7 | iv7 | bVII | bIIImaj7", "bVImaj7 | bVII | i7 | i7", "iv7 | v7 | bVImaj7 | bVII"),
            harmony(M::Major, "vi7 | ii7 | V | I", "IVmaj7 | V | vi7 | I", "ii7 | ii7 | V | V"),
        ],
        kit: Some(Kit::Acoustic), groove: g::DISCO, lift: g::DISCO_LIFT, bass: B::Octaves, basses: &[I::ElectricBass],
        layers: &[
            layer(F::Scratch, &[I::CleanGuitar], 0.0), layer(F::Held, &[I::Strings], 0.35),
            layer(F::Stabs, &[I::Brass], 0.65), layer(F::Charleston, &[I::ElectricPiano, I::Piano], 0.2),
        ],
        leads: &[I::Strings, I::Trumpet, I::SynthLead], density: 1.4, human: 0.005,
        finish: Finish {
            room: room(1.4, 0.9, 0.015, 6_200.0), duck: 0.15, drive: 1.4, bright: 1.0, low: 1.5, echo: 0.12,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "gospel", words: &["spiritual", "worship", "hymn", "church", "praise"],
        tempo: (72.0, 108.0), beats: 4, swing: 0.08, swing16: 0.0, seconds: (80.0, 140.0),
        harmonies: &[harmony(M::Major, "I | IV | I | V7", "IV | V7 | I | vi7", "ii7 | II7 | V7 | V7"), harmony(
            M::Minor, "i | iv | i | V7", "bVI | bVII | i | i", "iv | bVI | V7 | V7",
        )],
        kit: Some(Kit::Acoustic), groove: g::GOSPEL, lift: g::GOSPEL_LIFT, bass: B::Walking, basses: &[I::ElectricBass],
        layers: &[
            layer(F::Ballad, &[I::Piano], 0.0), layer(F::Held, &[I::Organ], 0.0), layer(F::Held, &[I::Choir], 0.5),
        ],
        leads: &[I::Organ, I::Piano, I::Saxophone], density: 1.1, human: 0.012,
        finish: Finish {
            room: room(2.2, 1.2, 0.025, 5_500.0), duck: 0.0, drive: 1.2, bright: 0.5, low: 0.5, echo: 0.08,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "latin", words: &["salsa", "merengue", "mambo", "cumbia", "cuban", "reggaeton", "tropical", "samba"],
        tempo: (92.0, 108.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (75.0, 130.0),
        harmonies: &[harmony(M::HarmonicMinor, "i | iv | V7 | i", "iv | i | V7 | i", "bVI | bVI | V7 | V7"), harmony(
            M::Major, "I | IV | V7 | IV", "I | vi | ii7 | V7", "IV | IV | V7 | V7",
        )],
        kit: Some(Kit::Acoustic), groove: g::SALSA, lift: g::SALSA_LIFT, bass: B::Tumbao,
        basses: &[I::UprightBass, I::ElectricBass],
        layers: &[
            layer(F::Montuno, &[I::Piano], 0.0), layer(F::Stabs, &[I::Brass], 0.5),
            layer(F::Strum, &[I::NylonGuitar], 0.35),
        ],
        leads: &[I::Trumpet, I::Flute, I::SteelDrum], density: 1.7, human: 0.006,
        finish: Finish {
            room: room(1.0, 0.7, 0.01, 6_000.0), duck: 0.0, drive: 1.3, bright: 1.0, low: 0.5, echo: 0.06,
            dull: 20_000.0,
        },
    },
];
