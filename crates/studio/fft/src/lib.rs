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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_forward_and_back_is_as_many_times_larger() {
        let mut samples: Vec<f32> = (0..480).map(|n| (n as f32 * 0.37).sin()).collect();
        let before = samples.clone();
        let mut bins = vec![Complex::default(); 241];
        real_forward(480)
            .process(&mut samples, &mut bins)
            .expect("the lengths fit");
        real_inverse(480)
            .process(&mut bins, &mut samples)
            .expect("the lengths fit");
        let worst = before
            .iter()
            .zip(&samples)
            .map(|(a, b)| (a - b / 480.0).abs())
            .fold(0.0, f32::max);
        assert!(worst < 1e-5, "{worst}");
    }

    #[test]
    fn a_turning_value_is_in_its_own_bin() {
        let turn = |n: usize| Complex::from_polar(1.0, std::f32::consts::TAU * 3.0 * n as f32 / 16.0);
        let mut values: Vec<Complex<f32>> = (0..16).map(turn).collect();
        forward(16).process(&mut values);
        for (bin, value) in values.iter().enumerate() {
            let expected = if bin == 3 { 16.0 } else { 0.0 };
            assert!((value.norm() - expected).abs() < 1e-4, "{bin}: {value}");
        }
    }
}
