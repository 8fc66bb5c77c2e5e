//! Notes, modes and chords.

/// A scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Major,
    Minor,
    Dorian,
    Mixolydian,
    Phrygian,
    Lydian,
    HarmonicMinor,
}

impl Mode {
    pub fn name(self) -> &'static str {
        match self {
            Self::Major => "major",
            Self::Minor => "minor",
            Self::Dorian => "dorian",
            Self::Mixolydian => "mixolydian",
            Self::Phrygian => "phrygian",
            Self::Lydian => "lydian",
            Self::HarmonicMinor => "harmonic minor",
        }
    }

    /// Semitones above the tonic.
    pub fn steps(self) -> [i32; 7] {
        match self {
            Self::Major => [0, 2, 4, 5, 7, 9, 11],
            Self::Minor => [0, 2, 3, 5, 7, 8, 10],
            Self::Dorian => [0, 2, 3, 5, 7, 9, 10],
            Self::Mixolydian => [0, 2, 4, 5, 7, 9, 10],
            Self::Phrygian => [0, 1, 3, 5, 7, 8, 10],
            Self::Lydian => [0, 2, 4, 6, 7, 9, 11],
            Self::HarmonicMinor => [0, 2, 3, 5, 7, 8, 11],
        }
    }

    /// Whether its third is minor.
    pub fn is_minor(self) -> bool {
        self.steps()[2] == 3
    }
}

/// A tonic and a mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// 0 is C.
    pub tonic: i32,
    pub mode: Mode,
}

const SHARPS: [&str; 12] = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];

impl Key {
    pub fn name(self) -> String {
        format!(
            "{} {}",
            SHARPS[self.tonic.rem_euclid(12) as usize],
            self.mode.name()
        )
    }

    /// Whether a pitch belongs to it.
    pub fn holds(self, pitch: i32) -> bool {
        self.mode.steps().contains(&(pitch - self.tonic).rem_euclid(12))
    }

    /// The nearest pitch in the key; the lower one if two are equally near.
    pub fn nearest(self, pitch: i32) -> i32 {
        (0..12)
            .flat_map(|off| [pitch - off, pitch + off])
            .find(|pitch| self.holds(*pitch))
            .unwrap_or(pitch)
    }
}

/// The name of a note, such as `F#`.
pub fn note_name(class: i32) -> &'static str {
    SHARPS[class.rem_euclid(12) as usize]
}

/// A chord within a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chord {
    /// Pitch class of the root.
    pub root: i32,
    /// Semitones above the root, ascending.
    pub tones: Vec<i32>,
    /// As written, such as `bVII`.
    pub written: String,
}

impl Chord {
    /// Reads a chord such as `ii7`, `bVII`, `Imaj7`, `V7` or `i5`. Degrees are those of the tonic's major scale;
    /// lower-case numerals are minor chords. Returns `None` if the text is not a chord.
    pub fn read(text: &str, tonic: i32) -> Option<Self> {
        let (shift, rest) = match text.strip_prefix('b') {
            Some(rest) => (-1, rest),
            None => match text.strip_prefix('#') {
                Some(rest) => (1, rest),
                None => (0, text),
            },
        };
        let numeral: String = rest.chars().take_while(|c| "IViv".contains(*c)).collect();
        let degree = match numeral.to_uppercase().as_str() {
            "I" => 0,
            "II" => 2,
            "III" => 4,
            "IV" => 5,
            "V" => 7,
            "VI" => 9,
            "VII" => 11,
            _ => return None,
        };
        let minor = numeral.chars().all(char::is_lowercase);
        let third = if minor { 3 } else { 4 };
        let seventh = 10;
        let tones = match &rest[numeral.len()..] {
            "" => vec![0, third, 7],
            "5" => vec![0, 7],
            "6" => vec![0, third, 7, 9],
            "7" => vec![0, third, 7, seventh],
            "9" => vec![0, third, 7, seventh, 14],
            "13" => vec![0, third, seventh, 14, 21],
            "maj7" => vec![0, third, 7, 11],
            "maj9" => vec![0, third, 7, 11, 14],
            "add9" => vec![0, third, 7, 14],
            "sus2" => vec![0, 2, 7],
            "sus4" => vec![0, 5, 7],
            "dim" => vec![0, 3, 6],
            "m7b5" => vec![0, 3, 6, 10],
            "dim7" => vec![0, 3, 6, 9],
            _ => return None,
        };
        Some(Self {
            root: (tonic + degree + shift).rem_euclid(12),
            tones,
            written: text.to_owned(),
        })
    }

    /// Pitch classes.
    pub fn classes(&self) -> Vec<i32> {
        self.tones
            .iter()
            .map(|tone| (self.root + tone).rem_euclid(12))
            .collect()
    }

    pub fn holds(&self, pitch: i32) -> bool {
        self.tones
            .iter()
            .any(|tone| (self.root + tone - pitch).rem_euclid(12) == 0)
    }

    /// The root within an octave from `lowest`.
    pub fn root_from(&self, lowest: i32) -> i32 {
        lowest + (self.root - lowest).rem_euclid(12)
    }

    /// The chord as a name, such as `Am7`.
    pub fn name(&self) -> String {
        let kind = match self.tones.as_slice() {
            [0, 4, 7] => "",
            [0, 3, 7] => "m",
            [0, 7] => "5",
            [0, 4, 7, 10] => "7",
            [0, 3, 7, 10] => "m7",
            [0, 4, 7, 11] => "maj7",
            [0, 3, 6] => "dim",
            [0, 3, 6, 10] => "m7b5",
            [0, 3, 6, 9] => "dim7",
            [0, 4, 7, 9] => "6",
            [0, 3, 7, 9] => "m6",
            [0, 4, 7, 10, 14] => "9",
            [0, 3, 7, 10, 14] => "m9",
            [0, 4, 7, 11, 14] => "maj9",
            [0, 4, 7, 14] => "add9",
            [0, 3, 7, 14] => "madd9",
            [0, 2, 7] => "sus2",
            [0, 5, 7] => "sus4",
            [0, 4, 10, 14, 21] => "13",
            _ => "alt",
        };
        format!("{}{kind}", note_name(self.root))
    }
}

/// Chords of a progression such as `I | V vi | IV`: bars separated by `|`, each with one or two chords.
pub fn progression(text: &str, tonic: i32) -> Vec<Vec<Chord>> {
    text.split('|')
        .map(|bar| {
            bar.split_whitespace()
                .filter_map(|chord| Chord::read(chord, tonic))
                .collect::<Vec<_>>()
        })
        .filter(|bar| !bar.is_empty())
        .collect()
}

/// Voices a chord within a range so that its voices move as little as possible from the previous ones (Tymoczko 2006:
/// least total motion), with no two on the same pitch.
pub fn lead(chord: &Chord, before: &[i32], low: i32, high: i32, voices: usize) -> Vec<i32> {
    let classes = chord.classes();
    let middle = low.midpoint(high);
    // The fifth can be omitted.
    let mut wanted: Vec<i32> = classes.clone();
    if wanted.len() > voices {
        let fifth = (chord.root + 7).rem_euclid(12);
        wanted.retain(|class| *class != fifth);
        wanted.truncate(voices.max(1));
    }
    let mut best: Option<(i32, Vec<i32>)> = None;
    // Every inversion, at every octave that fits.
    for inversion in 0..wanted.len() {
        for base in low..low + 12 {
            if base.rem_euclid(12) != wanted[inversion] {
                continue;
            }
            let mut pitches = vec![base];
            for step in 1..wanted.len() {
                let last = pitches[pitches.len() - 1];
                let class = wanted[(inversion + step) % wanted.len()];
                pitches.push(last + 1 + (class - last - 1).rem_euclid(12));
            }
            if pitches[pitches.len() - 1] > high + 3 {
                continue;
            }
            let motion: i32 = pitches
                .iter()
                .map(|pitch| {
                    before
                        .iter()
                        .map(|old| (old - pitch).abs())
                        .min()
                        .unwrap_or((pitch - middle).abs())
                })
                .sum();
            let center = pitches.iter().sum::<i32>() / pitches.len() as i32;
            let cost = 2 * motion + (center - middle).abs();
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, pitches));
            }
        }
    }
    best.map_or_else(
        || {
            wanted
                .iter()
                .map(|class| low + (class - low).rem_euclid(12))
                .collect()
        },
        |(_, pitches)| pitches,
    )
}
