//! Sample rate conversion without delay, with a tabulated windowed sinc (Smith 1984).

use std::f64::consts::PI;

/// Zero crossings of the kernel on each side.
const CROSSINGS: usize = 16;
/// Table entries between two zero crossings.
const STEPS: usize = 256;

/// Converts a sound to another rate. Its length is rounded up.
pub(super) fn resample(samples: &[f32], from: u32, to: u32) -> Vec<f32> {
    if from == to || samples.is_empty() {
        return samples.to_vec();
    }
    let ratio = f64::from(to) / f64::from(from);
    // If the rate falls, frequencies above its limit are filtered out.
    let cutoff = ratio.min(1.0) * 0.97;
    let table = kernel();
    let reach = CROSSINGS as f64 / cutoff;
    let length = (samples.len() as f64 * ratio).ceil() as usize;
    (0..length)
        .map(|at| {
            let center = at as f64 / ratio;
            let first = ((center - reach).ceil().max(0.0) as usize).min(samples.len() - 1);
            let last = ((center + reach).floor() as usize).clamp(first, samples.len() - 1);
            let mut sum = 0.0;
            for (index, sample) in samples[first..=last].iter().enumerate() {
                let x = ((first + index) as f64 - center).abs() * cutoff * STEPS as f64;
                let (whole, part) = (x as usize, x.fract() as f32);
                if let [here, next] = table[whole.min(table.len() - 2)..][..2] {
                    sum += sample * (here + (next - here) * part);
                }
            }
            sum * cutoff as f32
        })
        .collect()
}

/// Half of a sinc with a Blackman window.
fn kernel() -> Vec<f32> {
    (0..=CROSSINGS * STEPS + 1)
        .map(|at| {
            let x = at as f64 / STEPS as f64;
            let place = (x / CROSSINGS as f64).min(1.0);
            let window = 0.42 + 0.5 * (PI * place).cos() + 0.08 * (2.0 * PI * place).cos();
            let sinc = if at == 0 { 1.0 } else { (PI * x).sin() / (PI * x) };
            (sinc * window) as f32
        })
        .collect()
}
