//! The instruments that a song can ask for: their names, what they are good for, and where they sit in a mix.

use super::synth::patch::{Patch, patch};

/// A pitched instrument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Instrument {
    Piano,
    ElectricPiano,
    Organ,
    Harpsichord,
    Accordion,
    AcousticGuitar,
    NylonGuitar,
    CleanGuitar,
    OverdrivenGuitar,
    DistortedGuitar,
    Banjo,
    Mandolin,
    Harp,
    UprightBass,
    ElectricBass,
    SynthBass,
    SubBass,
    AcidBass,
    ReeseBass,
    Strings,
    Pizzicato,
    Violin,
    Cello,
    Brass,
    Trumpet,
    Saxophone,
    Clarinet,
    Flute,
    Whistle,
    Bagpipes,
    Choir,
    WarmPad,
    GlassPad,
    Supersaw,
    SynthPluck,
    SynthLead,
    SquareLead,
    TriangleBass,
    ChipPulse,
    Vibraphone,
    Marimba,
    Glockenspiel,
    MusicBox,
    Bells,
    SteelDrum,
}

/// What is known of an instrument.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    pub name: &'static str,
    /// Words that name it or a family of it, apart from its name.
    pub words: &'static [&'static str],
    /// Its program in General MIDI, counted from 0.
    pub program: u8,
    /// The lowest and highest key that sound well, as MIDI numbers.
    pub range: (f32, f32),
    /// Gain in the mix in dB.
    pub gain: f32,
    /// Share sent to the room.
    pub room: f32,
    /// Below this, in Hz, others sound.
    pub low_cut: f32,
}

const fn facts(
    name: &'static str,
    words: &'static [&'static str],
    program: u8,
    range: (f32, f32),
    gain: f32,
    room: f32,
    low_cut: f32,
) -> Facts {
    Facts {
        name,
        words,
        program,
        range,
        gain,
        room,
        low_cut,
    }
}

impl Instrument {
    /// All of them.
    pub const ALL: [Self; 45] = [
        Self::Piano,
        Self::ElectricPiano,
        Self::Organ,
        Self::Harpsichord,
        Self::Accordion,
        Self::AcousticGuitar,
        Self::NylonGuitar,
        Self::CleanGuitar,
        Self::OverdrivenGuitar,
        Self::DistortedGuitar,
        Self::Banjo,
        Self::Mandolin,
        Self::Harp,
        Self::UprightBass,
        Self::ElectricBass,
        Self::SynthBass,
        Self::SubBass,
        Self::AcidBass,
        Self::ReeseBass,
        Self::Strings,
        Self::Pizzicato,
        Self::Violin,
        Self::Cello,
        Self::Brass,
        Self::Trumpet,
        Self::Saxophone,
        Self::Clarinet,
        Self::Flute,
        Self::Whistle,
        Self::Bagpipes,
        Self::Choir,
        Self::WarmPad,
        Self::GlassPad,
        Self::Supersaw,
        Self::SynthPluck,
        Self::SynthLead,
        Self::SquareLead,
        Self::TriangleBass,
        Self::ChipPulse,
        Self::Vibraphone,
        Self::Marimba,
        Self::Glockenspiel,
        Self::MusicBox,
        Self::Bells,
        Self::SteelDrum,
    ];

    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// How it sounds.
    pub fn patch(self) -> Patch {
        patch(self)
    }

    #[rustfmt::skip]
    pub fn facts(self) -> Facts {
        let guitar = (40.0, 88.0);
        let bass = (28.0, 55.0);
        let synth = (36.0, 96.0);
        match self {
            Self::Piano => facts("piano", &["grand piano", "pianos", "keys", "keyboard"], 0, (28.0, 100.0), 0.0, 0.16, 60.0),
            Self::ElectricPiano => facts("electric piano", &["rhodes", "wurlitzer", "epiano", "e-piano", "keys"], 4, (36.0, 92.0), -1.0, 0.14, 90.0),
            Self::Organ => facts("organ", &["hammond", "organs"], 16, (36.0, 96.0), -5.0, 0.16, 120.0),
            Self::Harpsichord => facts("harpsichord", &["cembalo", "clavichord"], 6, (36.0, 90.0), -4.0, 0.2, 80.0),
            Self::Accordion => facts("accordion", &["bandoneon", "concertina", "musette"], 21, (48.0, 88.0), -5.0, 0.14, 150.0),
            Self::AcousticGuitar => facts("acoustic guitar", &["steel guitar", "guitar", "guitars", "ukulele"], 25, guitar, 1.0, 0.12, 110.0),
            Self::NylonGuitar => facts("nylon guitar", &["classical guitar", "spanish guitar", "guitar", "guitars"], 24, guitar, 2.0, 0.15, 90.0),
            Self::CleanGuitar => facts("clean electric guitar", &["electric guitar", "guitar", "guitars", "telecaster", "stratocaster"], 27, guitar, 0.0, 0.12, 120.0),
            Self::OverdrivenGuitar => facts("overdriven guitar", &["electric guitar", "guitar", "guitars", "overdrive", "overdriven"], 29, guitar, -7.0, 0.1, 100.0),
            Self::DistortedGuitar => facts("distorted guitar", &["electric guitar", "guitar", "guitars", "distortion", "distorted"], 30, guitar, -7.0, 0.08, 80.0),
            Self::Banjo => facts("banjo", &["banjos"], 105, (48.0, 88.0), -2.0, 0.1, 150.0),
            Self::Mandolin => facts("mandolin", &["mandolins", "bouzouki"], 25, (55.0, 91.0), -2.0, 0.12, 180.0),
            Self::Harp => facts("harp", &["harps", "lyre", "kora"], 46, (36.0, 96.0), 0.0, 0.28, 80.0),
            Self::UprightBass => facts("upright bass", &["double bass", "contrabass", "acoustic bass", "bass"], 32, bass, 2.0, 0.06, 35.0),
            Self::ElectricBass => facts("electric bass", &["bass guitar", "bass"], 33, bass, 1.0, 0.02, 35.0),
            Self::SynthBass => facts("synth bass", &["bass", "synth", "synths", "synthesizer"], 38, bass, -2.0, 0.02, 30.0),
            Self::SubBass => facts("sub bass", &["808", "808s", "bass", "sub"], 39, (28.0, 52.0), 0.0, 0.0, 24.0),
            Self::AcidBass => facts("acid bass", &["303", "acid", "bass", "synth", "synths"], 38, (30.0, 64.0), -4.0, 0.05, 35.0),
            Self::ReeseBass => facts("reese bass", &["reese", "wobble", "bass", "synth", "synths"], 39, bass, -4.0, 0.02, 30.0),
            Self::Strings => facts("strings", &["string section", "string ensemble", "orchestra", "violins"], 48, (36.0, 96.0), -3.0, 0.32, 90.0),
            Self::Pizzicato => facts("pizzicato strings", &["pizzicato", "strings"], 45, (40.0, 90.0), 0.0, 0.28, 80.0),
            Self::Violin => facts("violin", &["fiddle", "viola", "solo violin"], 40, (55.0, 96.0), -5.0, 0.22, 180.0),
            Self::Cello => facts("cello", &["cellos", "violoncello"], 42, (36.0, 76.0), -3.0, 0.25, 60.0),
            Self::Brass => facts("brass", &["horns", "horn section", "trombone", "trombones", "french horn"], 61, (40.0, 84.0), -4.0, 0.2, 100.0),
            Self::Trumpet => facts("trumpet", &["trumpets", "cornet", "flugelhorn"], 56, (54.0, 86.0), -5.0, 0.2, 150.0),
            Self::Saxophone => facts("saxophone", &["sax", "saxophones", "tenor sax", "alto sax"], 66, (48.0, 80.0), -4.0, 0.18, 120.0),
            Self::Clarinet => facts("clarinet", &["clarinets", "oboe", "woodwinds"], 71, (50.0, 90.0), -4.0, 0.2, 120.0),
            Self::Flute => facts("flute", &["flutes", "pan flute", "recorder", "woodwinds", "shakuhachi"], 73, (60.0, 96.0), -4.0, 0.25, 200.0),
            Self::Whistle => facts("tin whistle", &["whistle", "penny whistle", "whistling"], 78, (67.0, 98.0), -8.0, 0.22, 300.0),
            Self::Bagpipes => facts("bagpipes", &["bagpipe", "pipes", "uilleann pipes"], 109, (50.0, 84.0), -9.0, 0.18, 150.0),
            Self::Choir => facts("choir", &["choirs", "chorus singers", "choral", "gospel choir"], 52, (45.0, 84.0), -4.0, 0.34, 120.0),
            Self::WarmPad => facts("warm pad", &["pad", "pads", "synth", "synths", "synthesizer"], 89, synth, -5.0, 0.3, 110.0),
            Self::GlassPad => facts("glass pad", &["pad", "pads", "synth", "synths", "bell pad"], 92, synth, -6.0, 0.36, 150.0),
            Self::Supersaw => facts("supersaw", &["saws", "synth", "synths", "synthesizer", "saw synth"], 90, synth, -7.0, 0.2, 140.0),
            Self::SynthPluck => facts("synth pluck", &["pluck", "plucks", "synth", "synths", "synthesizer"], 81, synth, -4.0, 0.2, 150.0),
            Self::SynthLead => facts("synth lead", &["synth", "synths", "synthesizer", "moog"], 81, (48.0, 96.0), -6.0, 0.16, 180.0),
            Self::SquareLead => facts("square lead", &["square wave", "8-bit lead", "synth", "synths"], 80, (48.0, 96.0), -9.0, 0.04, 150.0),
            Self::TriangleBass => facts("triangle bass", &["triangle wave", "8-bit bass", "bass"], 38, (28.0, 60.0), -1.0, 0.0, 30.0),
            Self::ChipPulse => facts("pulse arpeggio", &["pulse wave", "8-bit arpeggio", "synth", "synths"], 80, synth, -11.0, 0.04, 150.0),
            Self::Vibraphone => facts("vibraphone", &["vibes", "vibraphones"], 11, (48.0, 90.0), -2.0, 0.2, 120.0),
            Self::Marimba => facts("marimba", &["xylophone", "kalimba", "balafon"], 12, (45.0, 91.0), 0.0, 0.16, 100.0),
            Self::Glockenspiel => facts("glockenspiel", &["glock", "celesta", "chimes"], 9, (72.0, 103.0), -8.0, 0.25, 300.0),
            Self::MusicBox => facts("music box", &["toy piano"], 10, (60.0, 96.0), -4.0, 0.22, 200.0),
            Self::Bells => facts("bells", &["bell", "tubular bells", "church bells"], 14, (48.0, 90.0), -7.0, 0.35, 120.0),
            Self::SteelDrum => facts("steel drum", &["steel drums", "steelpan", "steel pan"], 114, (48.0, 86.0), -3.0, 0.18, 150.0),
        }
    }

    /// Whether a text in small letters names it: by name, or by a word of its family.
    pub fn is_named_in(self, text: &str) -> bool {
        let facts = self.facts();
        super::words::holds(text, facts.name)
            || facts.words.iter().any(|word| super::words::holds(text, word))
    }
}
