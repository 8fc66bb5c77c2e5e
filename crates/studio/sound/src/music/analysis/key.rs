//! The key of a recording: compares its pitch classes with the profiles of major and minor keys (Krumhansl and Kessler
//! 1982).

use super::spectrum::Spectrum;
use crate::{
    dsp::resample::resample,
    music::theory::{Key, Mode},
};

const MAJOR: [f64; 12] = [
    6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88,
];
const MINOR: [f64; 12] = [
    6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17,
];
/// The sample rate of the analysis.
const RATE: u32 = 11_025;
const SIZE: usize = 4_096;

/// The strength of each pitch class from C; they sum to 1. Silence gives zeros.
pub fn profile(samples: &[f32], rate: u32) -> [f64; 12] {
    let low = resample(samples, rate, RATE);
    let mut spectrum = Spectrum::new(SIZE);
    let mut classes = [0.0; 12];
    for start in (0..low.len().saturating_sub(SIZE / 2)).step_by(SIZE / 2) {
        let magnitudes: Vec<f32> = spectrum.magnitudes(&low, start).collect();
        for bin in 2..magnitudes.len() - 1 {
            let hz = bin as f64 * f64::from(RATE) / SIZE as f64;
            let here = magnitudes[bin];
            // Only spectral peaks are tones.
            if !(65.0..2_000.0).contains(&hz) || here < magnitudes[bin - 1] || here < magnitudes[bin + 1] {
                continue;
            }
            let (before, after) = (f64::from(magnitudes[bin - 1]), f64::from(magnitudes[bin + 1]));
            let bend = 0.5 * (before - after) / (before - 2.0 * f64::from(here) + after).min(-1e-9);
            let exact = (bin as f64 + bend) * f64::from(RATE) / SIZE as f64;
            let pitch = 69.0 + 12.0 * (exact / 440.0).log2();
            let class = pitch.round() as i32;
            let fit = 1.0 - 2.0 * (pitch - pitch.round()).abs();
            classes[class.rem_euclid(12) as usize] += f64::from(here).sqrt() * fit;
        }
    }
    let sum: f64 = classes.iter().sum();
    if sum > 0.0 {
        classes.map(|class| class / sum)
    } else {
        classes
    }
}

/// The most likely key, or `None` if there are no tones.
pub fn key(samples: &[f32], rate: u32) -> Option<Key> {
    let classes = profile(samples, rate);
    if classes.iter().all(|class| *class == 0.0) {
        return None;
    }
    let keys = (0..12).flat_map(|tonic| [(tonic, Mode::Major, &MAJOR), (tonic, Mode::Minor, &MINOR)]);
    keys.map(|(tonic, mode, profile)| {
        (
            correlation(&classes, profile, tonic as usize),
            Key { tonic, mode },
        )
    })
    .max_by(|a, b| a.0.total_cmp(&b.0))
    .map(|(_, key)| key)
}

fn correlation(classes: &[f64; 12], profile: &[f64; 12], tonic: usize) -> f64 {
    let mean = |values: &[f64; 12]| values.iter().sum::<f64>() / 12.0;
    let (a, b) = (mean(classes), mean(profile));
    let (mut both, mut left, mut right) = (0.0, 0.0, 0.0);
    for degree in 0..12 {
        let x = classes[(tonic + degree) % 12] - a;
        let y = profile[degree] - b;
        both += x * y;
        left += x * x;
        right += y * y;
    }
    both / (left * right).sqrt().max(1e-12)
}
