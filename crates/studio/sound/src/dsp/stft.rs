//! Short-time Fourier transform and its inverse. Hann windows overlap by three quarters, so that unchanged spectra
//! give back the original samples.

use std::{f32::consts::TAU, sync::Arc};

use atelier_fft::{Complex, ComplexToReal, RealToComplex, real_forward, real_inverse};

/// Transforms of one size.
pub struct Stft {
    size: usize,
    hop: usize,
    window: Vec<f32>,
    forward: Arc<dyn RealToComplex<f32>>,
    inverse: Arc<dyn ComplexToReal<f32>>,
}

impl std::fmt::Debug for Stft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stft")
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

/// One frame's spectrum, from 0 Hz to half the rate.
pub type Frame = Vec<Complex<f32>>;

impl Stft {
    /// `size` must be a power of two, at least 16.
    pub fn new(size: usize) -> Self {
        Self {
            size,
            hop: size / 4,
            window: (0..size)
                .map(|at| 0.5 - 0.5 * (TAU * at as f32 / size as f32).cos())
                .collect(),
            forward: real_forward(size),
            inverse: real_inverse(size),
        }
    }

    /// Samples between two frames.
    pub fn hop(&self) -> usize {
        self.hop
    }

    /// Values per frame.
    pub fn bins(&self) -> usize {
        self.size / 2 + 1
    }

    /// The frames of a signal. Every sample is in four of them.
    pub fn frames(&self, samples: &[f32]) -> Vec<Frame> {
        let count = (samples.len() + self.size).div_ceil(self.hop);
        let mut input = self.forward.make_input_vec();
        (0..count)
            .map(|index| {
                let start = (index * self.hop) as i64 - (self.size - self.hop) as i64;
                for (at, (to, window)) in input.iter_mut().zip(&self.window).enumerate() {
                    let place = usize::try_from(start + at as i64).ok();
                    *to = window * place.and_then(|place| samples.get(place)).copied().unwrap_or(0.0);
                }
                let mut frame = self.forward.make_output_vec();
                // The lengths come from the plan, so this cannot fail.
                let _ = self.forward.process(&mut input, &mut frame);
                frame
            })
            .collect()
    }

    /// The first `length` samples of the signal of these frames. Overwrites the frames.
    pub fn samples(&self, frames: &mut [Frame], length: usize) -> Vec<f32> {
        let mut out = vec![0.0; length];
        let mut row = self.inverse.make_output_vec();
        // Four overlapping squared Hann windows sum to 1.5.
        let scale = 1.0 / (1.5 * self.size as f32);
        for (index, frame) in frames.iter_mut().enumerate() {
            if let (Some(first), bins) = (frame.first().copied(), frame.len()) {
                frame[0] = Complex::new(first.re, 0.0);
                frame[bins - 1].im = 0.0;
            }
            let _ = self.inverse.process(frame, &mut row);
            let start = (index * self.hop) as i64 - (self.size - self.hop) as i64;
            for (at, (x, window)) in row.iter().zip(&self.window).enumerate() {
                let place = usize::try_from(start + at as i64).ok();
                if let Some(to) = place.and_then(|place| out.get_mut(place)) {
                    *to += x * window * scale;
                }
            }
        }
        out
    }

    /// Multiplies the spectrum by a gain that is constant in time.
    pub fn filter(&self, samples: &[f32], gain: &[f32]) -> Vec<f32> {
        let mut frames = self.frames(samples);
        for frame in &mut frames {
            for (bin, gain) in frame.iter_mut().zip(gain) {
                *bin *= gain;
            }
        }
        self.samples(&mut frames, samples.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unchanged_spectra_give_the_original_samples() {
        let samples: Vec<f32> = (0..5_001).map(|at| ((at * at) as f32 * 0.001).sin()).collect();
        let stft = Stft::new(512);
        let back = stft.samples(&mut stft.frames(&samples), samples.len());
        for (a, b) in samples.iter().zip(&back) {
            assert!((a - b).abs() < 1e-5);
        }
    }
}
