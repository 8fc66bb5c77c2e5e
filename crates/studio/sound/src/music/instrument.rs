//! The instruments that a song can ask for: their names, their uses, and their place in a mix.

use self::Instrument as I;

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

/// The properties of an instrument.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    pub name: &'static str,
    /// Words that name it or its family, besides its name.
    pub words: &'static [&'static str],
    /// Its General MIDI program, counted from 0.
    pub program: u8,
    /// The lowest and highest key that sound good, as MIDI numbers.
    pub range: (f32, f32),
    /// Gain in the mix in dB.
    pub gain: f32,
    /// Share sent to the room.
    pub room: f32,
    /// The part is cut below this frequency, in Hz.
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
    /// All instruments.
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

    pub fn facts(self) -> Facts {
        FACTS[self as usize].1
    }

    /// Whether a lower-case text names it, by its name or by a word of its family.
    pub fn is_named_in(self, text: &str) -> bool {
        let facts = self.facts();
        super::words::holds(text, facts.name)
            || facts.words.iter().any(|word| super::words::holds(text, word))
    }
}

const GUITAR: (f32, f32) = (40.0, 88.0);
const BASS: (f32, f32) = (28.0, 55.0);
const SYNTH: (f32, f32) = (36.0, 96.0);

/// One row per instrument, in the order of [`Instrument::ALL`].
#[rustfmt::skip]
static FACTS: [(I, Facts); Instrument::ALL.len()] = [
    (I::Piano, facts("piano", &["grand piano", "pianos", "keys", "keyboard"], 0, (28.0, 100.0), 0.0, 0.16, 60.0)),
    (I::ElectricPiano, facts(
        "electric piano", &["rhodes", "wurlitzer", "epiano", "e-piano", "keys"], 4, (36.0, 92.0), -1.0, 0.14, 90.0,
    )),
    (I::Organ, facts("organ", &["hammond", "organs"], 16, (36.0, 96.0), -5.0, 0.16, 120.0)),
    (I::Harpsichord, facts("harpsichord", &["cembalo", "clavichord"], 6, (36.0, 90.0), -4.0, 0.2, 80.0)),
    (I::Accordion, facts("accordion", &["bandoneon", "concertina", "musette"], 21, (48.0, 88.0), -5.0, 0.14, 150.0)),
    (I::AcousticGuitar, facts(
        "acoustic guitar", &["steel guitar", "guitar", "guitars", "ukulele"], 25, GUITAR, 1.0, 0.12, 110.0,
    )),
    (I::NylonGuitar, facts(
        "nylon guitar", &["classical guitar", "spanish guitar", "guitar", "guitars"], 24, GUITAR, 2.0, 0.15, 90.0,
    )),
    (I::CleanGuitar, facts(
        "clean electric guitar", &["electric guitar", "guitar", "guitars", "telecaster", "stratocaster"], 27, GUITAR,
        0.0, 0.12, 120.0,
    )),
    (I::OverdrivenGuitar, facts(
        "overdriven guitar", &["electric guitar", "guitar", "guitars", "overdrive", "overdriven"], 29, GUITAR, -7.0,
        0.1, 100.0,
    )),
    (I::DistortedGuitar, facts(
        "distorted guitar", &["electric guitar", "guitar", "guitars", "distortion", "distorted"], 30, GUITAR, -7.0,
        0.08, 80.0,
    )),
    (I::Banjo, facts("banjo", &["banjos"], 105, (48.0, 88.0), -2.0, 0.1, 150.0)),
    (I::Mandolin, facts("mandolin", &["mandolins", "bouzouki"], 25, (55.0, 91.0), -2.0, 0.12, 180.0)),
    (I::Harp, facts("harp", &["harps", "lyre", "kora"], 46, (36.0, 96.0), 0.0, 0.28, 80.0)),
    (I::UprightBass, facts(
        "upright bass", &["double bass", "contrabass", "acoustic bass", "bass"], 32, BASS, 2.0, 0.06, 35.0,
    )),
    (I::ElectricBass, facts("electric bass", &["bass guitar", "bass"], 33, BASS, 1.0, 0.02, 35.0)),
    (I::SynthBass, facts("synth bass", &["bass", "synth", "synths", "synthesizer"], 38, BASS, -2.0, 0.02, 30.0)),
    (I::SubBass, facts("sub bass", &["808", "808s", "bass", "sub"], 39, (28.0, 52.0), 0.0, 0.0, 24.0)),
    (I::AcidBass, facts("acid bass", &["303", "acid", "bass", "synth", "synths"], 38, (30.0, 64.0), -4.0, 0.05, 35.0)),
    (I::ReeseBass, facts("reese bass", &["reese", "wobble", "bass", "synth", "synths"], 39, BASS, -4.0, 0.02, 30.0)),
    (I::Strings, facts(
        "strings", &["string section", "string ensemble", "orchestra", "violins"], 48, (36.0, 96.0), -3.0, 0.32, 90.0,
    )),
    (I::Pizzicato, facts("pizzicato strings", &["pizzicato", "strings"], 45, (40.0, 90.0), 0.0, 0.28, 80.0)),
    (I::Violin, facts("violin", &["fiddle", "viola", "solo violin"], 40, (55.0, 96.0), -5.0, 0.22, 180.0)),
    (I::Cello, facts("cello", &["cellos", "violoncello"], 42, (36.0, 76.0), -3.0, 0.25, 60.0)),
    (I::Brass, facts(
        "brass", &["horns", "horn section", "trombone", "trombones", "french horn"], 61, (40.0, 84.0), -4.0, 0.2,
        100.0,
    )),
    (I::Trumpet, facts("trumpet", &["trumpets", "cornet", "flugelhorn"], 56, (54.0, 86.0), -5.0, 0.2, 150.0)),
    (I::Saxophone, facts(
        "saxophone", &["sax", "saxophones", "tenor sax", "alto sax"], 66, (48.0, 80.0), -4.0, 0.18, 120.0,
    )),
    (I::Clarinet, facts("clarinet", &["clarinets", "oboe", "woodwinds"], 71, (50.0, 90.0), -4.0, 0.2, 120.0)),
    (I::Flute, facts(
        "flute", &["flutes", "pan flute", "recorder", "woodwinds", "shakuhachi"], 73, (60.0, 96.0), -4.0, 0.25, 200.0,
    )),
    (I::Whistle, facts("tin whistle", &["whistle", "penny whistle", "whistling"], 78, (67.0, 98.0), -8.0, 0.22, 300.0)),
    (I::Bagpipes, facts("bagpipes", &["bagpipe", "pipes", "uilleann pipes"], 109, (50.0, 84.0), -9.0, 0.18, 150.0)),
    (I::Choir, facts(
        "choir", &["choirs", "chorus singers", "choral", "gospel choir"], 52, (45.0, 84.0), -4.0, 0.34, 120.0,
    )),
    (I::WarmPad, facts("warm pad", &["pad", "pads", "synth", "synths", "synthesizer"], 89, SYNTH, -5.0, 0.3, 110.0)),
    (I::GlassPad, facts("glass pad", &["pad", "pads", "synth", "synths", "bell pad"], 92, SYNTH, -6.0, 0.36, 150.0)),
    (I::Supersaw, facts(
        "supersaw", &["saws", "synth", "synths", "synthesizer", "saw synth"], 90, SYNTH, -7.0, 0.2, 140.0,
    )),
    (I::SynthPluck, facts(
        "synth pluck", &["pluck", "plucks", "synth", "synths", "synthesizer"], 81, SYNTH, -4.0, 0.2, 150.0,
    )),
    (I::SynthLead, facts(
        "synth lead", &["synth", "synths", "synthesizer", "moog"], 81, (48.0, 96.0), -6.0, 0.16, 180.0,
    )),
    (I::SquareLead, facts(
        "square lead", &["square wave", "8-bit lead", "synth", "synths"], 80, (48.0, 96.0), -9.0, 0.04, 150.0,
    )),
    (I::TriangleBass, facts(
        "triangle bass", &["triangle wave", "8-bit bass", "bass"], 38, (28.0, 60.0), -1.0, 0.0, 30.0,
    )),
    (I::ChipPulse, facts(
        "pulse arpeggio", &["pulse wave", "8-bit arpeggio", "synth", "synths"], 80, SYNTH, -11.0, 0.04, 150.0,
    )),
    (I::Vibraphone, facts("vibraphone", &["vibes", "vibraphones"], 11, (48.0, 90.0), -2.0, 0.2, 120.0)),
    (I::Marimba, facts("marimba", &["xylophone", "kalimba", "balafon"], 12, (45.0, 91.0), 0.0, 0.16, 100.0)),
    (I::Glockenspiel, facts("glockenspiel", &["glock", "celesta", "chimes"], 9, (72.0, 103.0), -8.0, 0.25, 300.0)),
    (I::MusicBox, facts("music box", &["toy piano"], 10, (60.0, 96.0), -4.0, 0.22, 200.0)),
    (I::Bells, facts("bells", &["bell", "tubular bells", "church bells"], 14, (48.0, 90.0), -7.0, 0.35, 120.0)),
    (I::SteelDrum, facts(
        "steel drum", &["steel drums", "steelpan", "steel pan"], 114, (48.0, 86.0), -3.0, 0.18, 150.0,
    )),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instrument_has_its_own_row() {
        assert_eq!(FACTS.map(|row| row.0), Instrument::ALL);
        for (index, instrument) in Instrument::ALL.into_iter().enumerate() {
            assert_eq!(instrument as usize, index);
        }
    }
}
