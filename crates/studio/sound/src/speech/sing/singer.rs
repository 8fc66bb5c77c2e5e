//! The singers.

use atelier_flite::Speaker;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Gender {
    Female,
    Male,
}

/// One of six singers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Singer {
    pub name: &'static str,
    pub gender: Gender,
    /// The lowest and highest note at which this voice sounds good, as MIDI numbers.
    pub range: (f32, f32),
    pub(super) speaker: Speaker,
    /// Factor on the speaker's formants.
    pub(super) warp: f32,
    /// dB added at 8 kHz, relative to 500 Hz.
    pub(super) brightness: f32,
    /// How much of the periodic sound becomes breath, 0 to 1.
    pub(super) breath: f32,
    /// Rate and depth of the vibrato, in Hz and cents.
    pub(super) vibrato: (f32, f32),
}

impl Singer {
    /// Three women and three men.
    pub const ALL: [Self; 6] = [
        Self::new(
            "mezzo",
            Gender::Female,
            (57.0, 76.0),
            Speaker::Slt,
            1.0,
            2.0,
            0.05,
            (5.6, 30.0),
        ),
        Self::new(
            "alto",
            Gender::Female,
            (53.0, 72.0),
            Speaker::Slt,
            0.94,
            0.0,
            0.2,
            (5.1, 22.0),
        ),
        Self::new(
            "soprano",
            Gender::Female,
            (60.0, 81.0),
            Speaker::Slt,
            1.06,
            3.0,
            0.0,
            (5.9, 36.0),
        ),
        Self::new(
            "baritone",
            Gender::Male,
            (45.0, 65.0),
            Speaker::Rms,
            1.02,
            2.0,
            0.05,
            (5.3, 28.0),
        ),
        Self::new(
            "tenor",
            Gender::Male,
            (48.0, 69.0),
            Speaker::Awb,
            1.04,
            3.0,
            0.0,
            (5.7, 32.0),
        ),
        Self::new(
            "bass",
            Gender::Male,
            (40.0, 60.0),
            Speaker::Rms,
            0.93,
            0.0,
            0.1,
            (4.9, 22.0),
        ),
    ];

    #[expect(clippy::too_many_arguments, reason = "a row of the table above")]
    const fn new(
        name: &'static str,
        gender: Gender,
        range: (f32, f32),
        speaker: Speaker,
        warp: f32,
        brightness: f32,
        breath: f32,
        vibrato: (f32, f32),
    ) -> Self {
        Self {
            name,
            gender,
            range,
            speaker,
            warp,
            brightness,
            breath,
            vibrato,
        }
    }

    /// One of the three singers of a gender. Higher numbers start again.
    pub fn of(gender: Gender, number: usize) -> Self {
        let first = match gender {
            Gender::Female => 0,
            Gender::Male => 3,
        };
        Self::ALL[first + number % 3]
    }
}
