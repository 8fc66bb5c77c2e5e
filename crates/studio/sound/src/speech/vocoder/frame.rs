//! The parameters of the vocoder at one moment.

use super::BIN_WIDTH;

/// Seconds from one frame to the next.
pub(crate) const SHIFT: f32 = 0.005;
/// Bins of an envelope, from 0 Hz to half the sample rate.
pub(crate) const BINS: usize = 513;
/// Voicing bands: 0–1, 1–2, 2–4, 4–6 and 6–8 kHz; the last one extends upwards.
pub(crate) const BANDS: usize = 5;

/// Centres of the bands in Hz. Their strength is interpolated between them.
const CENTRES: [f32; BANDS] = [500.0, 1_500.0, 3_000.0, 5_000.0, 7_000.0];

#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// In Hz; 0 if unvoiced.
    pub(crate) f0: f32,
    /// Natural logarithm of the amplitude, per bin.
    pub(crate) envelope: [f32; BINS],
    /// How much of each band is periodic, 0 to 1.
    pub(crate) strengths: [f32; BANDS],
}

impl Frame {
    pub(crate) const SILENCE: Self = Self {
        f0: 0.0,
        envelope: [-12.0; BINS],
        strengths: [0.0; BANDS],
    };

    /// Interpolates between `self` (0) and `next` (1). Pitch does not glide between voiced and unvoiced frames.
    pub(crate) fn between(&self, next: &Self, part: f32) -> Self {
        let mut frame = self.clone();
        for (value, other) in frame.envelope.iter_mut().zip(&next.envelope) {
            *value += (other - *value) * part;
        }
        for (value, other) in frame.strengths.iter_mut().zip(next.strengths) {
            *value += (other - *value) * part;
        }
        frame.f0 = match (self.f0 > 0.0, next.f0 > 0.0) {
            (true, true) => self.f0 * (next.f0 / self.f0).powf(part),
            _ if part < 0.5 => self.f0,
            _ => next.f0,
        };
        frame
    }

    /// The frame at a fractional index. Both ends are held.
    pub(crate) fn at(frames: &[Self], place: f32) -> Self {
        let last = frames.len().saturating_sub(1);
        let place = place.clamp(0.0, last as f32);
        let left = place as usize;
        match (frames.get(left), frames.get(left + 1)) {
            (Some(frame), Some(next)) => frame.between(next, place - left as f32),
            (Some(frame), None) => frame.clone(),
            _ => Self::SILENCE,
        }
    }

    /// Moves all formants. A `ratio` above 1 is a shorter vocal tract.
    pub(crate) fn warp(&mut self, ratio: f32) {
        let source = self.envelope;
        for (bin, value) in self.envelope.iter_mut().enumerate() {
            *value = read(&source, bin as f32 / ratio);
        }
    }

    /// Adds to the level, in dB, depending on the frequency in Hz.
    pub(crate) fn tilt(&mut self, decibels: impl Fn(f32) -> f32) {
        for (bin, value) in self.envelope.iter_mut().enumerate() {
            *value += decibels(bin as f32 * BIN_WIDTH) * NEPERS;
        }
    }

    /// The level as a power, independent of the pitch.
    pub(crate) fn power(&self) -> f32 {
        self.envelope.iter().map(|value| (2.0 * value).exp()).sum::<f32>() / BINS as f32
    }

    /// The periodic share of each bin, 0 to 1.
    pub(crate) fn strength_at(&self, bin: usize) -> f32 {
        let frequency = bin as f32 * BIN_WIDTH;
        let right = CENTRES.partition_point(|&centre| centre <= frequency);
        if right == 0 {
            return self.strengths[0];
        }
        if right == BANDS {
            // Voices lose their harmonics above the known bands.
            let fade = ((frequency - CENTRES[BANDS - 1]) / 5_000.0).min(1.0);
            return self.strengths[BANDS - 1] * (1.0 - fade);
        }
        let (low, high) = (CENTRES[right - 1], CENTRES[right]);
        let part = (frequency - low) / (high - low);
        self.strengths[right - 1] + (self.strengths[right] - self.strengths[right - 1]) * part
    }
}

/// One decibel in nepers.
pub(crate) const NEPERS: f32 = std::f32::consts::LN_10 / 20.0;

/// An envelope at a fractional bin.
fn read(envelope: &[f32; BINS], place: f32) -> f32 {
    let left = place as usize;
    if left + 1 >= BINS {
        return envelope[BINS - 1];
    }
    let part = place - left as f32;
    envelope[left] + (envelope[left + 1] - envelope[left]) * part
}
