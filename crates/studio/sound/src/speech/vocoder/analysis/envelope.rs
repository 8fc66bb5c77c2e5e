//! The spectral envelope by CheapTrick (Morise 2015), and how periodic each band is: the similarity of its spectra one
//! period apart.

use std::sync::Arc;

use atelier_fft::{Complex, ComplexToReal, RealToComplex, real_forward, real_inverse};

use super::super::{
    BIN_WIDTH, BINS, Frame,
    frame::{BANDS, NEPERS},
};

/// Length of the transforms.
const LENGTH: usize = 2_048;
/// Analysis pitch for unvoiced sound, in Hz.
const UNVOICED: f32 = 220.0;
/// Compensates for the smoothing of formants (Morise 2015).
const SHARPER: (f32, f32) = (1.18, -0.09);
/// Slope of a voice above the sound's own bandwidth, in nepers per Hz: 3 dB per kHz.
const FALL: f32 = 3.0 * NEPERS / 1_000.0;
/// The smallest amplitude, in nepers: silence.
const FLOOR: f32 = -14.0;
/// Edges of the voicing bands, in Hz.
const EDGES: [f32; BANDS + 1] = [0.0, 1_000.0, 2_000.0, 4_000.0, 6_000.0, 8_000.0];
/// Width in Hz of the parts of a band that are compared. Wider parts would need a pitch exact to the phase.
const PIECE: f32 = 500.0;

pub(super) struct Analyser {
    rate: f32,
    forward: Arc<dyn RealToComplex<f32>>,
    inverse: Arc<dyn ComplexToReal<f32>>,
    input: Vec<f32>,
    spectrum: Vec<Complex<f32>>,
    other: Vec<Complex<f32>>,
}

impl Analyser {
    pub(super) fn new(rate: u32) -> Self {
        let forward = real_forward(LENGTH);
        Self {
            rate: rate as f32,
            inverse: real_inverse(LENGTH),
            input: forward.make_input_vec(),
            spectrum: forward.make_output_vec(),
            other: forward.make_output_vec(),
            forward,
        }
    }

    /// The frame around a sample. `f0` is 0 if it is unvoiced.
    pub(super) fn frame(&mut self, samples: &[f32], centre: usize, f0: f32) -> Frame {
        let pitch = if f0 > 0.0 { f0 } else { UNVOICED };
        let envelope = self.envelope(samples, centre, pitch);
        let strengths = if f0 > 0.0 {
            self.strengths(samples, centre, f0)
        } else {
            [0.0; BANDS]
        };
        Frame {
            f0,
            envelope,
            strengths,
        }
    }

    /// Transforms `reach` samples on both sides of a position with a Hann window. Returns the sum of the squared
    /// window.
    fn transform(&mut self, samples: &[f32], centre: f32, reach: f32) -> f32 {
        self.input.fill(0.0);
        let first = (centre - reach).ceil() as i64;
        let last = (centre + reach).floor() as i64;
        let mut weight = 0.0;
        for (place, to) in (first..=last).zip(&mut self.input) {
            let window = 0.5 + 0.5 * (std::f32::consts::PI * (place as f32 - centre) / reach).cos();
            weight += window * window;
            let sample = usize::try_from(place).ok().and_then(|place| samples.get(place));
            *to = sample.copied().unwrap_or(0.0) * window;
        }
        // The lengths come from the plan, so this cannot fail.
        let _ = self.forward.process(&mut self.input, &mut self.spectrum);
        weight.max(1e-6)
    }

    fn envelope(&mut self, samples: &[f32], centre: usize, f0: f32) -> [f32; BINS] {
        let weight = self.transform(samples, centre as f32, 1.5 * self.rate / f0);
        let width = self.rate / LENGTH as f32;
        let mut power: Vec<f32> = self
            .spectrum
            .iter()
            .map(|value| value.norm_sqr() / weight + 1e-12)
            .collect();
        // There is no harmonic below the pitch, so the spectrum above it is mirrored.
        let edge = (f0 / width) as usize;
        let mirrored: Vec<f32> = (0..=edge / 2)
            .map(|bin| power[bin].max(power[edge - bin]))
            .collect();
        power[..mirrored.len()].copy_from_slice(&mirrored);
        let smooth = smoothed(&power, 2.0 * f0 / 3.0 / width);
        for (value, power) in self.spectrum.iter_mut().zip(&smooth) {
            *value = Complex::new(power.ln(), 0.0);
        }
        let _ = self.inverse.process(&mut self.spectrum, &mut self.input);
        for (index, value) in self.input.iter_mut().enumerate() {
            let quefrency = index.min(LENGTH - index) as f32 / self.rate;
            let turn = std::f32::consts::PI * f0 * quefrency;
            let sinc = if index == 0 { 1.0 } else { turn.sin() / turn };
            let lifter = sinc * (SHARPER.0 + 2.0 * SHARPER.1 * (2.0 * turn).cos());
            *value *= lifter / LENGTH as f32;
        }
        let _ = self.forward.process(&mut self.input, &mut self.spectrum);
        self.spread(width)
    }

    /// Converts log power to log amplitude in the bins of the frames, and extends it above the sound's bandwidth.
    fn spread(&self, width: f32) -> [f32; BINS] {
        let step = BIN_WIDTH / width;
        let known = (((LENGTH / 2) as f32 / step * 0.95) as usize).min(BINS);
        let mut envelope = [FLOOR; BINS];
        for (bin, value) in envelope[..known].iter_mut().enumerate() {
            let place = (bin as f32 * step).round() as usize;
            *value = (0.5 * self.spectrum[place].re).max(FLOOR);
        }
        let hold = envelope[known - 12..known].iter().sum::<f32>() / 12.0;
        for (step, value) in envelope[known..].iter_mut().enumerate() {
            *value = hold - FALL * step as f32 * BIN_WIDTH;
        }
        envelope
    }

    fn strengths(&mut self, samples: &[f32], centre: usize, f0: f32) -> [f32; BANDS] {
        let period = self.rate / f0;
        self.transform(samples, centre as f32 - period / 2.0, 1.5 * period);
        std::mem::swap(&mut self.spectrum, &mut self.other);
        self.transform(samples, centre as f32 + period / 2.0, 1.5 * period);
        let width = self.rate / LENGTH as f32;
        let bin = |hz: f32| ((hz / width) as usize).min(LENGTH / 2);
        std::array::from_fn(|band| {
            let pieces = ((EDGES[band + 1] - EDGES[band]) / PIECE) as usize;
            let (mut common, mut all) = (0.0, 0.0);
            for piece in 0..pieces {
                let low = EDGES[band] + PIECE * piece as f32;
                let bins = bin(low)..bin(low + PIECE);
                let (mut cross, mut one, mut two) = (Complex::new(0.0, 0.0), 0.0, 0.0);
                for (a, b) in self.other[bins.clone()].iter().zip(&self.spectrum[bins]) {
                    cross += a * b.conj();
                    one += a.norm_sqr();
                    two += b.norm_sqr();
                }
                common += cross.norm();
                all += (one * two).sqrt();
            }
            // Pieces are short, so that even noise is slightly similar.
            ((common / all.max(1e-12) - 0.35) / 0.6).clamp(0.0, 1.0)
        })
    }
}

/// Means over `width` bins around each bin.
fn smoothed(power: &[f32], width: f32) -> Vec<f32> {
    let mut sums = Vec::with_capacity(power.len() + 1);
    let mut sum = 0.0_f64;
    sums.push(0.0);
    for value in power {
        sum += f64::from(*value);
        sums.push(sum);
    }
    // Sums up to a fractional position. A bin reaches half a bin to both sides.
    let up_to = |place: f32| {
        let place = place.clamp(0.0, power.len() as f32);
        let whole = (place as usize).min(power.len() - 1);
        sums[whole] + (sums[whole + 1] - sums[whole]) * f64::from(place - whole as f32)
    };
    (0..power.len())
        .map(|bin| {
            let middle = bin as f32 + 0.5;
            let (low, high) = (
                (middle - width / 2.0).max(0.0),
                (middle + width / 2.0).min(power.len() as f32),
            );
            ((up_to(high) - up_to(low)) / f64::from(high - low)).max(1e-12) as f32
        })
        .collect()
}
