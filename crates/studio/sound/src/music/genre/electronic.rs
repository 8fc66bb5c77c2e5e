//! Electronic genres.

use super::{BassLine as B, Figure as F, Finish, Genre, grooves as g, harmony, layer, room};
use crate::music::{instrument::Instrument as I, synth::drums::Kit, theory::Mode as M};

#[rustfmt::skip]
pub(super) const GENRES: &[Genre] = &[
    Genre {
        name: "ambient",
        words: &[
            "drone", "meditation", "meditative", "new age", "soundscape", "atmospheric", "spa", "sleep",
            "space music",
        ],
        tempo: (56.0, 72.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (90.0, 150.0),
        harmonies: &[
            harmony(M::Lydian, "Imaj9 | Imaj9 | II | II", "Imaj9 | vi7 | II | Iadd9", "vi7 | vi7 | II | II"),
            harmony(
                M::Dorian, "i9 | i9 | IVadd9 | IVadd9", "bVIImaj7 | IVadd9 | i9 | i9", "bIIImaj7 | IVadd9 | i9 | i9",
            ),
        ],
        kit: None, groove: g::NONE, lift: g::NONE, bass: B::Long, basses: &[I::SubBass, I::Cello],
        layers: &[
            layer(F::Held, &[I::WarmPad, I::GlassPad], 0.0), layer(F::Held, &[I::Choir, I::Strings], 0.5),
            layer(F::Arpeggio, &[I::Harp, I::Bells, I::ElectricPiano], 0.35),
        ],
        leads: &[I::GlassPad, I::Piano, I::Flute], density: 0.4, human: 0.02,
        finish: Finish {
            room: room(5.5, 1.6, 0.04, 5_000.0), duck: 0.0, drive: 0.7, bright: -1.0, low: 0.0, echo: 0.4,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "lo-fi", words: &["lofi", "lo fi", "chillhop", "study beats", "chill beats", "chill"],
        tempo: (72.0, 88.0), beats: 4, swing: 0.0, swing16: 0.07, seconds: (80.0, 120.0),
        harmonies: &[
            harmony(M::Major, "IVmaj7 | iii7 | ii7 | Imaj7", "IVmaj7 | V7 | iii7 | vi7", "ii7 | V7 | Imaj7 | vi7"),
            harmony(
                M::Dorian, "i9 | IV9 | bVIImaj7 | bIIImaj7", "bVImaj7 | v7 | i9 | i9", "iv7 | bVII7 | bIIImaj7 | i7",
            ),
        ],
        kit: Some(Kit::Dusty), groove: g::DUSTY, lift: g::DUSTY_LIFT, bass: B::Syncopated,
        basses: &[I::ElectricBass, I::UprightBass],
        layers: &[
            layer(F::Charleston, &[I::ElectricPiano, I::Piano], 0.0),
            layer(F::Picked, &[I::NylonGuitar, I::CleanGuitar], 0.45), layer(F::Held, &[I::WarmPad], 0.3),
        ],
        leads: &[I::ElectricPiano, I::Vibraphone, I::Saxophone, I::MusicBox], density: 1.1, human: 0.014,
        finish: Finish {
            room: room(1.1, 0.6, 0.01, 3_500.0), duck: 0.3, drive: 1.5, bright: -3.0, low: 1.5, echo: 0.2,
            dull: 9_500.0,
        },
    },
    Genre {
        name: "house", words: &["deep house", "club", "dance", "edm", "electro"],
        tempo: (120.0, 128.0), beats: 4, swing: 0.0, swing16: 0.03, seconds: (75.0, 130.0),
        harmonies: &[
            harmony(M::Minor, "i7 | bVImaj7 | bIIImaj7 | bVII", "bVImaj7 | bVII | i7 | v7", "iv7 | iv7 | v7 | v7"),
            harmony(M::Major, "vi7 | IVmaj7 | I | V", "IVmaj7 | V | vi7 | Imaj7", "ii7 | ii7 | IV | V"),
        ],
        kit: Some(Kit::Dance), groove: g::HOUSE, lift: g::HOUSE_LIFT, bass: B::Offbeat, basses: &[I::SynthBass],
        layers: &[
            layer(F::Stabs, &[I::Piano, I::Organ, I::ElectricPiano], 0.25),
            layer(F::Held, &[I::WarmPad, I::Strings], 0.4), layer(F::FastArpeggio, &[I::SynthPluck], 0.6),
        ],
        leads: &[I::SynthLead, I::SynthPluck, I::Saxophone], density: 1.3, human: 0.003,
        finish: Finish {
            room: room(1.6, 0.9, 0.015, 6_000.0), duck: 0.55, drive: 1.3, bright: 1.0, low: 2.0, echo: 0.25,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "techno", words: &["minimal", "industrial", "acid", "rave", "warehouse"],
        tempo: (126.0, 138.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (75.0, 130.0),
        harmonies: &[harmony(M::Phrygian, "i | i | i | bII", "i | i | bII | i", "bVI | bVI | bVII | bVII"), harmony(
            M::Minor, "i | i | i | i", "i | i | bVI | bVII", "iv | iv | i | i",
        )],
        kit: Some(Kit::Dance), groove: g::TECHNO, lift: g::TECHNO_LIFT, bass: B::Acid,
        basses: &[I::AcidBass, I::SynthBass],
        layers: &[
            layer(F::Stabs, &[I::SynthPluck], 0.3), layer(F::Held, &[I::WarmPad, I::GlassPad], 0.5),
            layer(F::FastArpeggio, &[I::SynthPluck, I::SynthLead], 0.7),
        ],
        leads: &[I::SynthLead, I::SynthPluck], density: 1.0, human: 0.0,
        finish: Finish {
            room: room(2.0, 1.1, 0.01, 5_000.0), duck: 0.6, drive: 1.9, bright: 0.0, low: 2.5, echo: 0.35,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "trance", words: &["psytrance", "uplifting trance", "eurodance", "euphoric", "hands up"],
        tempo: (132.0, 142.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (80.0, 140.0),
        harmonies: &[
            harmony(M::Minor, "i | bVI | bIII | bVII", "bVI | bVII | i | bIII", "iv | bVI | bVII | v"),
            harmony(M::Major, "vi | IV | I | V", "I | V | vi | IV", "ii | IV | V | V"),
        ],
        kit: Some(Kit::Dance), groove: g::TRANCE, lift: g::TRANCE_LIFT, bass: B::Sixteenths, basses: &[I::SynthBass],
        layers: &[
            layer(F::Held, &[I::Supersaw], 0.55), layer(F::FastArpeggio, &[I::SynthPluck], 0.2),
            layer(F::Held, &[I::WarmPad, I::Choir], 0.0),
        ],
        leads: &[I::Supersaw, I::SynthLead], density: 1.6, human: 0.0,
        finish: Finish {
            room: room(2.6, 1.3, 0.02, 7_000.0), duck: 0.65, drive: 1.4, bright: 1.5, low: 1.5, echo: 0.4,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "drum and bass", words: &["drum & bass", "dnb", "d&b", "drum n bass", "jungle", "liquid", "breakcore"],
        tempo: (170.0, 176.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (75.0, 130.0),
        harmonies: &[
            harmony(M::Minor, "i7 | i7 | bVImaj7 | bVII", "bVImaj7 | bVII | i7 | i7", "iv7 | iv7 | bVImaj7 | v7"),
            harmony(M::Dorian, "i9 | i9 | IV9 | IV9", "bVII | IV | i7 | i7", "bIIImaj7 | IV | i7 | i7"),
        ],
        kit: Some(Kit::Acoustic), groove: g::BREAKBEAT, lift: g::BREAKBEAT_LIFT, bass: B::Long, basses: &[I::ReeseBass],
        layers: &[
            layer(F::Held, &[I::WarmPad, I::GlassPad], 0.0), layer(F::Stabs, &[I::ElectricPiano, I::Piano], 0.35),
            layer(F::FastArpeggio, &[I::SynthPluck, I::Bells], 0.6),
        ],
        leads: &[I::SynthLead, I::Vibraphone, I::Flute], density: 0.9, human: 0.003,
        finish: Finish {
            room: room(2.2, 1.2, 0.02, 6_500.0), duck: 0.35, drive: 1.7, bright: 1.5, low: 2.5, echo: 0.3,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "dubstep", words: &["brostep", "wobble", "bass music", "future bass"],
        tempo: (138.0, 142.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (75.0, 120.0),
        harmonies: &[harmony(M::Minor, "i | bVI | bIII | bVII", "i | i | bVI | bVII", "iv | bVI | i | v"), harmony(
            M::Phrygian, "i | bII | i | bII", "i | i | bII | bVII", "bVI | bVII | bII | i",
        )],
        kit: Some(Kit::Rock), groove: g::HALFTIME, lift: g::HALFTIME_LIFT, bass: B::Syncopated,
        basses: &[I::ReeseBass, I::AcidBass],
        layers: &[
            layer(F::Held, &[I::WarmPad, I::Choir], 0.0), layer(F::Stabs, &[I::Supersaw], 0.6),
            layer(F::Arpeggio, &[I::SynthPluck, I::MusicBox], 0.2),
        ],
        leads: &[I::SynthLead, I::Supersaw], density: 1.0, human: 0.0,
        finish: Finish {
            room: room(2.2, 1.2, 0.02, 6_000.0), duck: 0.45, drive: 2.1, bright: 1.5, low: 3.0, echo: 0.3,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "synthwave",
        words: &[
            "retrowave", "outrun", "80s", "eighties", "new wave", "vaporwave", "cyberpunk", "retro", "synthpop",
            "synth-pop",
        ],
        tempo: (92.0, 114.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (80.0, 130.0),
        harmonies: &[harmony(M::Minor, "i | bVI | bIII | bVII", "bVI | bVII | i | i", "iv | v | bVI | bVII"), harmony(
            M::Major, "I | vi | IV | V", "IV | V | vi | I", "ii | IV | V | V",
        )],
        kit: Some(Kit::Rock), groove: g::SYNTHWAVE, lift: g::SYNTHWAVE_LIFT, bass: B::Sixteenths,
        basses: &[I::SynthBass],
        layers: &[
            layer(F::Held, &[I::WarmPad, I::Supersaw], 0.0), layer(F::Arpeggio, &[I::SynthPluck], 0.3),
            layer(F::Stabs, &[I::Brass, I::Supersaw], 0.7),
        ],
        leads: &[I::SynthLead, I::Saxophone, I::OverdrivenGuitar], density: 1.2, human: 0.002,
        finish: Finish {
            room: room(2.4, 1.2, 0.02, 6_000.0), duck: 0.3, drive: 1.4, bright: 1.0, low: 1.0, echo: 0.35,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "hip hop", words: &["hip-hop", "hiphop", "rap", "boom bap", "freestyle"],
        tempo: (84.0, 96.0), beats: 4, swing: 0.0, swing16: 0.05, seconds: (75.0, 130.0),
        harmonies: &[
            harmony(M::Minor, "i7 | i7 | bVImaj7 | v7", "i7 | bVImaj7 | bIIImaj7 | bVII", "iv7 | v7 | i7 | i7"),
            harmony(M::Dorian, "i7 | IV7 | i7 | IV7", "bVII | IV | i7 | i7", "bIIImaj7 | ii7 | i7 | i7"),
        ],
        kit: Some(Kit::Dusty), groove: g::BOOM_BAP, lift: g::BOOM_BAP_LIFT, bass: B::Syncopated,
        basses: &[I::ElectricBass, I::SubBass],
        layers: &[
            layer(F::Riff, &[I::Piano, I::ElectricPiano, I::Harp, I::Pizzicato], 0.0),
            layer(F::Held, &[I::Strings, I::WarmPad], 0.4), layer(F::Stabs, &[I::Brass, I::Organ], 0.7),
        ],
        leads: &[I::Flute, I::Vibraphone, I::Trumpet], density: 1.0, human: 0.008,
        finish: Finish {
            room: room(1.0, 0.6, 0.008, 4_500.0), duck: 0.2, drive: 1.7, bright: 0.0, low: 2.5, echo: 0.15,
            dull: 16_000.0,
        },
    },
    Genre {
        name: "trap", words: &["drill", "phonk", "cloud rap"],
        tempo: (132.0, 148.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (75.0, 120.0),
        harmonies: &[harmony(M::Minor, "i | i | bVI | bVI", "i | bVI | v | v", "iv | iv | i | i"), harmony(
            M::HarmonicMinor, "i | i | iv | V", "i | bVI | iv | V", "bVI | bVI | V | V",
        )],
        kit: Some(Kit::Deep), groove: g::TRAP, lift: g::TRAP_LIFT, bass: B::Syncopated, basses: &[I::SubBass],
        layers: &[layer(F::Riff, &[I::Bells, I::Piano, I::MusicBox, I::Marimba], 0.0), layer(
            F::Held, &[I::Choir, I::WarmPad, I::Strings], 0.4,
        )],
        leads: &[I::SquareLead, I::Flute, I::Bells], density: 0.9, human: 0.0,
        finish: Finish {
            room: room(1.8, 1.0, 0.02, 5_000.0), duck: 0.25, drive: 2.0, bright: 1.5, low: 3.5, echo: 0.25,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "chiptune", words: &["8-bit", "8 bit", "8bit", "chip tune", "video game", "arcade", "game boy", "nes"],
        tempo: (132.0, 156.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (60.0, 100.0),
        harmonies: &[harmony(M::Major, "I | V | vi | IV", "IV | V | I | vi", "bVI | bVII | I | I"), harmony(
            M::Minor, "i | bVII | bVI | bVII", "bVI | bVII | i | i", "iv | bVII | bIII | V",
        )],
        kit: Some(Kit::Chip), groove: g::CHIP, lift: g::CHIP_LIFT, bass: B::Octaves, basses: &[I::TriangleBass],
        layers: &[layer(F::FastArpeggio, &[I::ChipPulse], 0.0), layer(F::Arpeggio, &[I::SquareLead], 0.7)],
        leads: &[I::SquareLead], density: 2.0, human: 0.0,
        finish: Finish {
            room: room(0.4, 0.3, 0.0, 6_000.0), duck: 0.0, drive: 1.0, bright: 0.0, low: 0.0, echo: 0.18,
            dull: 14_000.0,
        },
    },
];
