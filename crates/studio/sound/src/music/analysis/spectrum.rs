//! Short-time spectra.

use std::{f32::consts::TAU, sync::Arc};

use atelier_fft::{Complex, Fft};

/// Spectra of one size with a Hann window.
pub(super) struct Spectrum {
    fft: Arc<dyn Fft<f32>>,
    window: Vec<f32>,
    buffer: Vec<Complex<f32>>,
}

impl Spectrum {
    pub(super) fn new(size: usize) -> Self {
        Self {
            fft: atelier_fft::forward(size),
            window: (0..size)
                .map(|at| 0.5 - 0.5 * (TAU * at as f32 / size as f32).cos())
                .collect(),
            buffer: vec![Complex::default(); size],
        }
    }

    /// Magnitudes of the lower half of the spectrum from a position on. Samples beyond the end are silence.
    pub(super) fn magnitudes(&mut self, samples: &[f32], start: usize) -> impl Iterator<Item = f32> + '_ {
        for (at, (slot, window)) in self.buffer.iter_mut().zip(&self.window).enumerate() {
            *slot = Complex::new(window * samples.get(start + at).copied().unwrap_or(0.0), 0.0);
        }
        self.fft.process(&mut self.buffer);
        self.buffer[..self.buffer.len() / 2].iter().map(|bin| bin.norm())
    }
}
