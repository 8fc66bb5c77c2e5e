//! Sample rate conversion without delay, with a windowed sinc (Smith 1984) for each place between two samples.

use std::f64::consts::PI;

/// Zero crossings of the kernel on each side.
const CROSSINGS: f64 = 16.0;

/// Converts a sound to another rate. Its length is rounded up.
pub(super) fn resample(samples: &[f32], from: u32, to: u32) -> Vec<f32> {
    if from == to || samples.is_empty() {
        return samples.to_vec();
    }
    let common = common(from, to);
    let (step, phases) = ((from / common) as usize, (to / common) as usize);
    let length = (samples.len() * phases).div_ceil(step);
    // If the rate falls, frequencies above its limit are filtered out.
    let cutoff = (phases as f64 / step as f64).min(1.0) * 0.97;
    let reach = (CROSSINGS / cutoff).ceil() as usize;
    let kernels: Vec<Vec<f32>> = (0..phases.min(length))
        .map(|phase| kernel((phase * step % phases) as f64 / phases as f64, cutoff, reach))
        .collect();
    let mut padded = vec![0.0; reach];
    padded.extend(samples);
    padded.resize(samples.len() + 2 * reach + 1, 0.0);
    (0..length)
        .map(|at| {
            let near = &padded[at * step / phases..];
            let kernel = &kernels[at % phases];
            kernel
                .iter()
                .zip(near)
                .map(|(weight, sample)| weight * sample)
                .sum()
        })
        .collect()
}

/// The weights of the samples from `reach` before the last one to `reach` after it, for the place `part` of a sample
/// after it: a sinc with a Blackman window.
fn kernel(part: f64, cutoff: f64, reach: usize) -> Vec<f32> {
    let distances = (0..=2 * reach).map(|at| (at as f64 - reach as f64 - part) * cutoff);
    let weights = distances.map(|x| {
        let place = (x / CROSSINGS).abs().min(1.0);
        let window = 0.42 + 0.5 * (PI * place).cos() + 0.08 * (2.0 * PI * place).cos();
        let sinc = if x.abs() < 1e-9 {
            1.0
        } else {
            (PI * x).sin() / (PI * x)
        };
        (sinc * window * cutoff) as f32
    });
    weights.collect()
}

/// The greatest common divisor.
fn common(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_keeps_its_place_and_its_level_at_any_rate() {
        let tone = |rate: u32| (0..rate / 2).map(move |at| (at as f32 / rate as f32 * 6_283.0).sin());
        let sound: Vec<f32> = tone(16_000).collect();
        for rate in [11_025, 22_050, 44_100, 96_000] {
            let other = resample(&sound, 16_000, rate);
            assert_eq!(other.len(), (rate as usize).div_ceil(2));
            let middle = other.iter().zip(tone(rate)).skip(500).take(4_000);
            let most = middle.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(most < 0.01, "{most} at {rate} Hz");
        }
    }
}
