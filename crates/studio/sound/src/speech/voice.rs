//! The 21 voices.

use atelier_flite::Speaker;

use super::vocoder::Frame;

/// A speaking voice. Pitch and formants are absolute targets, whatever speaker is underneath.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Voice {
    pub name: &'static str,
    pub(super) speaker: Speaker,
    /// Median pitch, in Hz.
    pub(super) pitch: f32,
    /// How much the pitch varies, relative to the speaker.
    pub(super) range: f32,
    /// How long words take, relative to the speaker.
    pub(super) stretch: f32,
    /// Formants relative to the speaker; below 1 is a longer vocal tract.
    pub(super) tract: f32,
    /// dB added at 8 kHz, relative to 500 Hz.
    pub(super) brightness: f32,
    /// How much of the periodic sound becomes breath, 0 to 1.
    pub(super) breath: f32,
    /// How uneven the pitch periods are, as a fraction of the pitch.
    pub(super) roughness: f32,
}

impl Voice {
    /// In alphabetical order.
    pub const ALL: [Self; 21] = [
        Self::new("Amara", Speaker::Slt, [205.0, 1.2, 0.9, 1.05, 4.0, 0.0, 0.0]),
        Self::new("Björn", Speaker::Rms, [76.0, 0.8, 1.12, 0.92, -2.0, 0.1, 0.01]),
        Self::new("Chiara", Speaker::Slt, [186.0, 1.4, 0.97, 0.97, -1.0, 0.0, 0.0]),
        Self::new("Dmitri", Speaker::Rms, [86.0, 0.8, 1.0, 0.96, 1.0, 0.0, 0.0]),
        Self::new("Elif", Speaker::Slt, [218.0, 0.95, 1.02, 1.02, 0.0, 0.25, 0.0]),
        Self::new("Farid", Speaker::Awb, [146.0, 1.3, 0.95, 1.04, 3.0, 0.0, 0.0]),
        Self::new("Greta", Speaker::Slt, [158.0, 1.0, 1.1, 0.91, 1.0, 0.15, 0.012]),
        Self::new("Haruki", Speaker::Rms, [106.0, 0.6, 1.04, 1.0, -2.0, 0.15, 0.0]),
        Self::new("Ingrid", Speaker::Slt, [176.0, 0.7, 1.0, 1.02, 4.0, 0.0, 0.0]),
        Self::new("Joaquim", Speaker::Awb, [98.0, 0.9, 1.18, 0.94, -2.0, 0.3, 0.015]),
        Self::new("Kavya", Speaker::Slt, [196.0, 1.15, 1.0, 0.95, -3.0, 0.0, 0.0]),
        Self::new("Liam", Speaker::Rms, [124.0, 1.4, 0.94, 1.06, 2.0, 0.0, 0.0]),
        Self::new("Mei", Speaker::Slt, [234.0, 1.0, 1.04, 1.07, 0.0, 0.15, 0.0]),
        Self::new("Nneka", Speaker::Slt, [146.0, 1.1, 1.14, 0.89, -1.0, 0.0, 0.0]),
        Self::new("Omar", Speaker::Rms, [94.0, 1.0, 1.05, 0.92, -3.0, 0.0, 0.0]),
        Self::new("Paloma", Speaker::Slt, [164.0, 0.9, 1.05, 0.94, -4.0, 0.1, 0.0]),
        Self::new("Quentin", Speaker::Awb, [120.0, 0.9, 1.0, 1.01, 4.0, 0.0, 0.0]),
        Self::new("Rosalind", Speaker::Slt, [168.0, 0.95, 1.12, 0.97, 2.0, 0.0, 0.0]),
        Self::new("Santiago", Speaker::Awb, [132.0, 1.25, 0.97, 0.97, 1.0, 0.0, 0.0]),
        Self::new("Tala", Speaker::Slt, [200.0, 0.8, 1.08, 1.0, -1.0, 0.4, 0.0]),
        Self::new("Wren", Speaker::Slt, [174.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]),
    ];

    const fn new(name: &'static str, speaker: Speaker, traits: [f32; 7]) -> Self {
        let [pitch, range, stretch, tract, brightness, breath, roughness] = traits;
        Self {
            name,
            speaker,
            pitch,
            range,
            stretch,
            tract,
            brightness,
            breath,
            roughness,
        }
    }

    /// The median pitch, in Hz.
    pub fn pitch(&self) -> f32 {
        self.pitch
    }

    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|voice| voice.name == name)
    }

    /// The factor on the formants of the helper program's speaker, who is male.
    pub(super) fn tract_abroad(&self) -> f32 {
        self.tract
            * match self.speaker {
                Speaker::Slt => 1.17,
                Speaker::Rms => 1.0,
                Speaker::Awb => 1.03,
            }
    }

    /// Turns frames of the speaker's speech into this voice. A `stability` of 0 is lively, 1 is even. `mean` is the
    /// speaker's median pitch in Hz, `tract` the factor on formants. `chance` returns numbers from −1 to 1.
    pub(super) fn apply(
        &self,
        frames: &mut [Frame],
        mean: f32,
        tract: f32,
        stability: f32,
        chance: &mut dyn FnMut() -> f32,
    ) {
        let liveliness = if stability < 0.5 {
            1.8_f32.powf(1.0 - 2.0 * stability)
        } else {
            0.3_f32.powf(2.0 * stability - 1.0)
        };
        // A lively voice starts each sentence at a different point.
        let begin = chance() * 0.05 * (1.0 - stability);
        let mut rough = 0.0;
        for frame in frames {
            if frame.f0 > 0.0 {
                let away = ((frame.f0 / mean).ln() * self.range * liveliness).clamp(-0.7, 0.7);
                rough = 0.5 * rough + chance() * self.roughness;
                frame.f0 = self.pitch * (away + begin + rough).exp();
            }
            frame.warp(tract);
            if self.brightness.abs() > 0.0 {
                frame
                    .tilt(|frequency| self.brightness * (frequency.max(500.0) / 500.0).log2().min(4.0) / 4.0);
            }
            for (band, strength) in frame.strengths.iter_mut().enumerate() {
                *strength *= 1.0 - self.breath * (0.25 + 0.75 * band as f32 / 4.0);
            }
        }
    }
}
