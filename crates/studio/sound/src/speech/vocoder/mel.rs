//! Mel-cepstra as envelopes: ln|H(ω)| = Σ c(m) cos(m β(ω)), where β is the frequency warping of a first-order all-pass
//! filter (Tokuda, Kobayashi and Imai 1995).

use atelier_flite::COEFFICIENTS;

use super::{BIN_WIDTH, BINS};

/// Slope of a voice above the bandwidth of its recordings, in nepers per Hz: 3 dB per kHz.
const FALL: f32 = 3.0 * super::frame::NEPERS / 1_000.0;

/// The cosines of one warping, for all bins within the recordings' bandwidth.
#[derive(Debug)]
pub(crate) struct MelTable {
    rows: Vec<[f32; COEFFICIENTS]>,
}

impl MelTable {
    /// `alpha` is the all-pass constant at the recordings' `rate`.
    pub(crate) fn new(alpha: f32, rate: u32) -> Self {
        let nyquist = rate as f32 / 2.0;
        let bins = ((nyquist * 0.97 / BIN_WIDTH) as usize).min(BINS);
        let row = |bin: usize| {
            let omega = std::f32::consts::PI * bin as f32 * BIN_WIDTH / nyquist;
            let warped = omega + 2.0 * (alpha * omega.sin()).atan2(1.0 - alpha * omega.cos());
            std::array::from_fn(|m| (m as f32 * warped).cos())
        };
        Self {
            rows: (0..bins).map(row).collect(),
        }
    }

    /// The envelope, with formants sharpened by `beta` at equal power, and a slope above the recordings' bandwidth.
    pub(crate) fn envelope(&self, cepstrum: &[f32; COEFFICIENTS], beta: f32) -> [f32; BINS] {
        let mut envelope = [0.0; BINS];
        let (mut plain_power, mut sharp_power) = (0.0_f64, 0.0_f64);
        for (row, value) in self.rows.iter().zip(&mut envelope) {
            let detail: f32 = row[2..].iter().zip(&cepstrum[2..]).map(|(a, b)| a * b).sum();
            let plain = cepstrum[0] + cepstrum[1] * row[1] + detail;
            *value = plain + beta * detail;
            plain_power += f64::from(2.0 * plain).exp();
            sharp_power += f64::from(2.0 * *value).exp();
        }
        let level = ((plain_power / sharp_power).ln() / 2.0) as f32;
        for value in &mut envelope[..self.rows.len()] {
            *value += level;
        }
        let edge = self.rows.len();
        // The last coefficients ripple at the edge, so the extension starts from the mean of the last half kHz.
        let tail = &envelope[edge - 12..edge];
        let hold = tail.iter().sum::<f32>() / tail.len() as f32;
        for (step, value) in envelope[edge..].iter_mut().enumerate() {
            *value = hold - FALL * step as f32 * BIN_WIDTH;
        }
        envelope
    }
}
