//! Acoustic genres.

use super::{BassLine as B, Figure as F, Finish, Genre, grooves as g, harmony, layer, room};
use crate::music::{instrument::Instrument as I, synth::drums::Kit, theory::Mode as M};

#[rustfmt::skip]
pub(super) const GENRES: &[Genre] = &[
    Genre {
        name: "jazz", words: &["bebop", "cool jazz", "smoky", "jazzy", "lounge", "jazz club", "noir"],
        tempo: (104.0, 144.0), beats: 4, swing: 0.15, swing16: 0.0, seconds: (80.0, 130.0),
        harmonies: &[
            harmony(
                M::Major, "Imaj7 | vi7 | ii7 | V7", "ii7 | V7 | Imaj7 | VI7", "IVmaj7 | bVII7 | iii7 VI7 | ii7 V7",
            ),
            harmony(
                M::Dorian, "i7 | iv7 | ii7 V7 | i7", "bVImaj7 | V7 | i7 | i7", "iv7 | bVII7 | bIIImaj7 | iim7b5 V7",
            ),
        ],
        kit: Some(Kit::Jazz), groove: g::SWING, lift: g::SWING_LIFT, bass: B::Walking, basses: &[I::UprightBass],
        layers: &[layer(F::Charleston, &[I::Piano, I::CleanGuitar], 0.0), layer(F::Held, &[I::Vibraphone], 0.8)],
        leads: &[I::Saxophone, I::Trumpet, I::Vibraphone, I::Clarinet], density: 1.6, human: 0.014,
        finish: Finish {
            room: room(1.1, 0.7, 0.012, 4_800.0), duck: 0.0, drive: 0.9, bright: -0.5, low: 0.5, echo: 0.0,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "swing",
        words: &["big band", "swing band", "jive", "dixieland", "ragtime", "1930s", "1940s", "electro swing"],
        tempo: (140.0, 172.0), beats: 4, swing: 0.145, swing16: 0.0, seconds: (70.0, 120.0),
        harmonies: &[harmony(M::Major, "I6 | vi7 | ii7 | V7", "I6 | I7 | IV6 | V7", "III7 | VI7 | II7 | V7"), harmony(
            M::Minor, "i6 | iv7 | i6 | V7", "i6 | VI7 | iim7b5 | V7", "iv7 | iv7 | i6 | V7",
        )],
        kit: Some(Kit::Jazz), groove: g::SWING, lift: g::SWING_LIFT, bass: B::Walking, basses: &[I::UprightBass],
        layers: &[
            layer(F::Quarters, &[I::AcousticGuitar], 0.0), layer(F::Stabs, &[I::Brass], 0.3),
            layer(F::Charleston, &[I::Piano], 0.2),
        ],
        leads: &[I::Clarinet, I::Trumpet, I::Saxophone], density: 1.5, human: 0.01,
        finish: Finish {
            room: room(1.3, 0.9, 0.015, 5_500.0), duck: 0.0, drive: 1.2, bright: 0.0, low: 0.0, echo: 0.0,
            dull: 16_000.0,
        },
    },
    Genre {
        name: "bossa nova", words: &["bossa", "brazilian", "rio", "samba cancao", "beach jazz"],
        tempo: (116.0, 136.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (80.0, 130.0),
        harmonies: &[
            harmony(M::Major, "Imaj7 | II9 | ii7 | V7", "IVmaj7 | iv7 | iii7 | VI7", "ii7 | bVII7 | Imaj7 | V7"),
            harmony(
                M::Minor, "i7 | iim7b5 V7 | i7 | i7", "iv7 | bVII7 | bIIImaj7 | bVImaj7", "iim7b5 | V7 | i7 | i7",
            ),
        ],
        kit: Some(Kit::Jazz), groove: g::BOSSA, lift: g::BOSSA, bass: B::Bossa, basses: &[I::UprightBass],
        layers: &[
            layer(F::Bossa, &[I::NylonGuitar], 0.0), layer(F::Held, &[I::Strings], 0.55),
            layer(F::Charleston, &[I::ElectricPiano, I::Piano], 0.4),
        ],
        leads: &[I::Flute, I::Saxophone, I::NylonGuitar], density: 1.1, human: 0.01,
        finish: Finish {
            room: room(1.4, 0.8, 0.015, 5_000.0), duck: 0.0, drive: 0.9, bright: 0.0, low: 0.0, echo: 0.0,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "country",
        words: &["bluegrass", "honky tonk", "nashville", "western", "cowboy", "hillbilly", "americana"],
        tempo: (104.0, 132.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (80.0, 130.0),
        harmonies: &[
            harmony(M::Major, "I | I | IV | I", "IV | I | V | I", "vi | IV | I | V"),
            harmony(M::Mixolydian, "I | IV | I | V", "I | bVII | IV | I", "IV | IV | V | V"),
            harmony(M::Minor, "i | bVII | bVI | v", "bVI | bVII | i | i", "iv | iv | bVII | v"),
        ],
        kit: Some(Kit::Acoustic), groove: g::TRAIN, lift: g::TRAIN_LIFT, bass: B::RootFifth,
        basses: &[I::UprightBass, I::ElectricBass],
        layers: &[
            layer(F::Strum, &[I::AcousticGuitar], 0.0), layer(F::Picked, &[I::Banjo], 0.4),
            layer(F::Offbeat, &[I::CleanGuitar, I::Mandolin], 0.6),
        ],
        leads: &[I::Violin, I::CleanGuitar, I::Banjo], density: 1.5, human: 0.009,
        finish: Finish {
            room: room(1.0, 0.6, 0.01, 5_800.0), duck: 0.0, drive: 1.2, bright: 1.0, low: 0.0, echo: 0.08,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "folk",
        words: &[
            "acoustic", "singer-songwriter", "singer songwriter", "campfire", "ballad", "lullaby", "indie folk",
            "unplugged", "sea shanty", "shanty",
        ],
        tempo: (80.0, 112.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (80.0, 140.0),
        harmonies: &[
            harmony(M::Major, "I | IV | I | V", "vi | IV | I | V", "ii | IV | I | V"),
            harmony(M::Dorian, "i | bVII | i | IV", "bIII | bVII | i | i", "IV | IV | i | bVII"),
            harmony(M::Minor, "i | bVII | bVI | bVII", "bIII | bVII | i | v", "bVI | bVI | bVII | bVII"),
        ],
        kit: Some(Kit::Acoustic), groove: g::FOLK, lift: g::FOLK_LIFT, bass: B::RootFifth, basses: &[I::UprightBass],
        layers: &[
            layer(F::Picked, &[I::AcousticGuitar, I::NylonGuitar], 0.0), layer(F::Strum, &[I::AcousticGuitar], 0.55),
            layer(F::Held, &[I::Strings, I::Accordion], 0.6),
        ],
        leads: &[I::Violin, I::Flute, I::Mandolin, I::AcousticGuitar], density: 1.2, human: 0.012,
        finish: Finish {
            room: room(1.2, 0.7, 0.012, 5_500.0), duck: 0.0, drive: 0.9, bright: 0.5, low: 0.0, echo: 0.0,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "celtic",
        words: &["irish", "scottish", "gaelic", "jig", "reel", "medieval", "fantasy", "tavern", "highland"],
        tempo: (104.0, 124.0), beats: 4, swing: 0.0, swing16: 0.03, seconds: (70.0, 120.0),
        harmonies: &[
            harmony(M::Dorian, "i | bVII | i | bVII", "bIII | bVII | i | bVII", "IV | i | bVII | i"),
            harmony(M::Mixolydian, "I | I | bVII | I", "IV | I | bVII | I", "I | bVII | IV | bVII"),
            harmony(M::Major, "I | IV | I | V", "I | V | IV | V", "vi | IV | V | V"),
        ],
        kit: Some(Kit::Acoustic), groove: g::BODHRAN, lift: g::BODHRAN_LIFT, bass: B::Roots,
        basses: &[I::UprightBass, I::Cello],
        layers: &[
            layer(F::Strum, &[I::AcousticGuitar, I::Mandolin], 0.3), layer(F::Arpeggio, &[I::Harp], 0.0),
            layer(F::Held, &[I::Bagpipes, I::Accordion], 0.75),
        ],
        leads: &[I::Whistle, I::Violin, I::Flute], density: 2.0, human: 0.008,
        finish: Finish {
            room: room(1.9, 1.1, 0.02, 5_800.0), duck: 0.0, drive: 0.9, bright: 0.5, low: 0.0, echo: 0.0,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "waltz", words: &["viennese", "ballroom", "three-four", "3/4", "valse", "carousel", "musette"],
        tempo: (132.0, 168.0), beats: 3, swing: 0.0, swing16: 0.0, seconds: (70.0, 120.0),
        harmonies: &[
            harmony(
                M::Major, "I | I | V7 | V7 | V7 | V7 | I | I", "IV | IV | I | I | V7 | V7 | I | I",
                "vi | vi | ii | ii | V7 | V7 | I | V7",
            ),
            harmony(
                M::HarmonicMinor, "i | i | iv | iv | V7 | V7 | i | i", "bVI | bVI | i | i | V7 | V7 | i | i",
                "iv | iv | i | i | II7 | II7 | V7 | V7",
            ),
        ],
        kit: Some(Kit::Orchestral), groove: g::WALTZ, lift: g::WALTZ_LIFT, bass: B::Waltz,
        basses: &[I::Cello, I::UprightBass],
        layers: &[
            layer(F::Waltz, &[I::Strings, I::Accordion, I::Piano], 0.0), layer(F::Held, &[I::Brass], 0.75),
            layer(F::Arpeggio, &[I::Harp], 0.5),
        ],
        leads: &[I::Violin, I::Clarinet, I::Accordion], density: 1.0, human: 0.012,
        finish: Finish {
            room: room(2.0, 1.2, 0.025, 5_500.0), duck: 0.0, drive: 0.8, bright: 0.0, low: 0.0, echo: 0.0,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "classical piano",
        words: &[
            "piano solo", "solo piano", "sonata", "nocturne", "etude", "prelude", "romantic piano", "piano piece",
            "classical",
        ],
        tempo: (66.0, 96.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (75.0, 130.0),
        harmonies: &[
            harmony(
                M::Major, "I | V7 | I | IV | I | ii7 V7 | I | I", "vi | iii | IV | I | ii | V7 | I | I",
                "iv | bVII7 | bIII | bVI | iim7b5 | V7 | i | V7",
            ),
            harmony(
                M::HarmonicMinor, "i | V7 | i | iv | i | iim7b5 V7 | i | i",
                "bVI | bIII | iv | i | iim7b5 | V7 | i | i", "iv | bVII7 | bIII | bVI | iim7b5 | V7 | i | V7",
            ),
        ],
        kit: None, groove: g::NONE, lift: g::NONE, bass: B::None, basses: &[I::Piano],
        layers: &[layer(F::Alberti, &[I::Piano], 0.0)],
        leads: &[I::Piano], density: 1.3, human: 0.016,
        finish: Finish {
            room: room(2.0, 1.1, 0.02, 5_200.0), duck: 0.0, drive: 0.6, bright: 0.0, low: 0.0, echo: 0.0,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "orchestral",
        words: &["symphony", "symphonic", "orchestra", "baroque", "concerto", "chamber", "string quartet", "opera"],
        tempo: (84.0, 116.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (80.0, 140.0),
        harmonies: &[
            harmony(
                M::Major, "I | V | vi | iii | IV | I | ii | V", "IV | V | iii | vi | ii | V | I | I",
                "bVI | bVII | I | I | bVI | iv | V | V",
            ),
            harmony(
                M::HarmonicMinor, "i | V | i | bVII | bIII | bVII | i | V", "bVI | bVII | i | i | iv | V | i | i",
                "iv | iv | bII | bII | V | V | i | V",
            ),
        ],
        kit: Some(Kit::Orchestral), groove: g::NONE, lift: g::MARCH, bass: B::Roots, basses: &[I::Cello],
        layers: &[
            layer(F::Held, &[I::Strings], 0.0), layer(F::Arpeggio, &[I::Pizzicato, I::Harp], 0.3),
            layer(F::Held, &[I::Brass], 0.65), layer(F::Held, &[I::Choir], 0.85),
        ],
        leads: &[I::Violin, I::Flute, I::Clarinet, I::Trumpet], density: 1.2, human: 0.016,
        finish: Finish {
            room: room(2.8, 1.6, 0.035, 5_500.0), duck: 0.0, drive: 0.7, bright: 0.0, low: 0.0, echo: 0.0,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "film score",
        words: &[
            "cinematic", "film", "movie", "soundtrack", "trailer", "epic", "score", "adventure", "heroic", "suspense",
            "action", "battle",
        ],
        tempo: (88.0, 124.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (80.0, 130.0),
        harmonies: &[
            harmony(M::Minor, "i | bVI | bIII | bVII", "i | bVI | iv | bVII", "bVI | bVI | bVII | bVII"),
            harmony(M::Dorian, "i | bIII | bVII | IV", "bVI | bVII | i | IV", "bIII | bVII | i | i"),
            harmony(M::Lydian, "I | II | I | II", "I | vi | II | V", "bVI | bVII | I | I"),
        ],
        kit: Some(Kit::Orchestral), groove: g::CINEMATIC, lift: g::CINEMATIC_LIFT, bass: B::Eighths,
        basses: &[I::Cello],
        layers: &[
            layer(F::Chug, &[I::Strings], 0.3), layer(F::Held, &[I::Strings, I::WarmPad], 0.0),
            layer(F::Held, &[I::Brass], 0.55), layer(F::Held, &[I::Choir], 0.7),
        ],
        leads: &[I::Brass, I::Violin, I::Cello], density: 0.8, human: 0.012,
        finish: Finish {
            room: room(3.2, 1.7, 0.035, 5_200.0), duck: 0.0, drive: 1.2, bright: 0.5, low: 1.5, echo: 0.05,
            dull: 20_000.0,
        },
    },
    Genre {
        name: "march", words: &["military", "parade", "brass band", "fanfare", "national anthem"],
        tempo: (108.0, 120.0), beats: 4, swing: 0.0, swing16: 0.0, seconds: (60.0, 110.0),
        harmonies: &[
            harmony(
                M::Major, "I | I | V7 | I | IV | I | V7 | I", "IV | I | V7 | I | IV | I | II7 V7 | I",
                "vi | iii | IV | I | ii | vi | II7 | V7",
            ),
            harmony(
                M::Minor, "i | i | V7 | i | iv | i | V7 | i", "bVI | bIII | V7 | i | iv | i | V7 | i",
                "bIII | bVII | i | i | iv | iv | V7 | V7",
            ),
        ],
        kit: Some(Kit::Orchestral), groove: g::MARCH, lift: g::MARCH_LIFT, bass: B::RootFifth, basses: &[I::Brass],
        layers: &[layer(F::Offbeat, &[I::Brass], 0.0), layer(F::Held, &[I::Clarinet], 0.5)],
        leads: &[I::Trumpet, I::Flute, I::Clarinet], density: 1.5, human: 0.008,
        finish: Finish {
            room: room(1.7, 1.3, 0.02, 6_000.0), duck: 0.0, drive: 1.0, bright: 0.5, low: 0.0, echo: 0.0,
            dull: 20_000.0,
        },
    },
];
