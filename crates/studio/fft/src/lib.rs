//! Fourier transforms of `f32` samples.
//!
//! `rustfft` is generic over the number, so every crate that plans a transform compiles all of them again, which takes
//! half a minute each time. They are compiled once, here.

use std::sync::Arc;

use realfft::RealFftPlanner;
use rustfft::FftPlanner;

pub use realfft::{ComplexToReal, RealToComplex};
pub use rustfft::{Fft, num_complex::Complex};

/// From `length` samples to `length / 2 + 1` bins.
pub fn real_forward(length: usize) -> Arc<dyn RealToComplex<f32>> {
    RealFftPlanner::new().plan_fft_forward(length)
}

/// From `length / 2 + 1` bins to `length` samples, which are `length` times as large as they were.
pub fn real_inverse(length: usize) -> Arc<dyn ComplexToReal<f32>> {
    RealFftPlanner::new().plan_fft_inverse(length)
}

/// From `length` complex values to as many bins.
pub fn forward(length: usize) -> Arc<dyn Fft<f32>> {
    FftPlanner::new().plan_fft_forward(length)
}
