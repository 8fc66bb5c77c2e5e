//! Pitch detection by YIN (de Cheveigné and Kawahara 2002): the lag at which a signal differs least from itself.

use std::sync::Arc;

use atelier_fft::{ComplexToReal, RealToComplex, real_forward, real_inverse};

/// YIN's threshold for voiced sound: a normalised difference below this.
const THRESHOLD: f32 = 0.12;

/// The pitch at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pitch {
    /// In Hz; 0 if nothing is periodic.
    pub(crate) f0: f32,
    /// 0 is periodic, 1 is not.
    pub(crate) aperiodicity: f32,
}

/// Finds pitches between `lowest` and `highest` Hz.
pub(crate) struct Yin {
    rate: f32,
    shortest: usize,
    longest: usize,
    forward: Arc<dyn RealToComplex<f32>>,
    inverse: Arc<dyn ComplexToReal<f32>>,
}

impl Yin {
    pub(crate) fn new(rate: u32, lowest: f32, highest: f32) -> Self {
        let longest = (rate as f32 / lowest) as usize + 1;
        let length = (3 * longest).next_power_of_two();
        Self {
            rate: rate as f32,
            shortest: (rate as f32 / highest) as usize,
            longest,
            forward: real_forward(length),
            inverse: real_inverse(length),
        }
    }

    /// The pitch around the sample `centre`.
    pub(crate) fn at(&self, samples: &[f32], centre: usize) -> Pitch {
        let silent = Pitch {
            f0: 0.0,
            aperiodicity: 1.0,
        };
        let window = self.longest;
        let first = centre.saturating_sub(window);
        let Some(segment) = samples.get(first..first + 2 * window) else {
            return silent;
        };
        let difference = self.difference(segment, window);
        let Some(lag) = self.best_lag(&difference) else {
            return silent;
        };
        let (lag, depth) = parabola(&difference, lag);
        Pitch {
            f0: self.rate / lag,
            aperiodicity: depth.clamp(0.0, 1.0),
        }
    }

    /// The cumulative mean normalised difference for lags 0 to `window`.
    fn difference(&self, segment: &[f32], window: usize) -> Vec<f32> {
        let mut whole = self.forward.make_input_vec();
        let mut part = self.forward.make_input_vec();
        whole[..2 * window].copy_from_slice(segment);
        part[..window].copy_from_slice(&segment[..window]);
        let mut spectrum = self.forward.make_output_vec();
        let mut other = self.forward.make_output_vec();
        // The lengths come from the plan, so none of these can fail.
        let _ = self.forward.process(&mut whole, &mut spectrum);
        let _ = self.forward.process(&mut part, &mut other);
        for (value, other) in spectrum.iter_mut().zip(&other) {
            *value *= other.conj();
        }
        spectrum[0].im = 0.0;
        if let Some(last) = spectrum.last_mut() {
            last.im = 0.0;
        }
        let scale = 1.0 / whole.len() as f32;
        let _ = self.inverse.process(&mut spectrum, &mut whole);
        let mut energies = vec![0.0_f64; 2 * window + 1];
        for (index, value) in segment.iter().enumerate() {
            energies[index + 1] = energies[index] + f64::from(value * value);
        }
        let mut sum = 0.0_f32;
        let mut difference = vec![1.0; window];
        for lag in 1..window {
            let here = energies[window] as f32;
            let there = (energies[lag + window] - energies[lag]) as f32;
            let raw = (here + there - 2.0 * whole[lag] * scale).max(0.0);
            sum += raw;
            difference[lag] = if sum > 1e-9 { raw * lag as f32 / sum } else { 1.0 };
        }
        difference
    }

    /// The bottom of the first dip below the threshold.
    fn best_lag(&self, difference: &[f32]) -> Option<usize> {
        let mut lag =
            (self.shortest..difference.len().saturating_sub(1)).find(|&lag| difference[lag] < THRESHOLD)?;
        while lag + 1 < difference.len() && difference[lag + 1] < difference[lag] {
            lag += 1;
        }
        Some(lag)
    }
}

/// The minimum of the parabola through three points: its lag and depth.
fn parabola(values: &[f32], middle: usize) -> (f32, f32) {
    let (Some(&left), Some(&right)) = (values.get(middle.wrapping_sub(1)), values.get(middle + 1)) else {
        return (middle as f32, values[middle]);
    };
    let bend = left - 2.0 * values[middle] + right;
    if bend.abs() < 1e-12 {
        return (middle as f32, values[middle]);
    }
    let shift = 0.5 * (left - right) / bend;
    (
        middle as f32 + shift,
        values[middle] - 0.25 * (left - right) * shift,
    )
}

/// Pitches in Hz, 0 if unvoiced, without jumps that no voice makes.
pub(crate) fn without_leaps(raw: &[f32]) -> Vec<f32> {
    raw.iter()
        .enumerate()
        .map(|(index, &here)| {
            let mut near = raw[index.saturating_sub(2)..(index + 3).min(raw.len())].to_vec();
            near.sort_by(f32::total_cmp);
            let middle = near[near.len() / 2];
            let leaps = here > 0.0 && middle > 0.0 && !(0.8..1.25).contains(&(here / middle));
            if leaps || (here > 0.0) != (middle > 0.0) {
                middle
            } else {
                here
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_has_its_pitch_and_noise_has_none() {
        let yin = Yin::new(22_050, 60.0, 500.0);
        for frequency in [70.0_f32, 98.0, 231.0, 440.0] {
            let samples: Vec<f32> = (0..4_000)
                .map(|n| {
                    let phase = std::f32::consts::TAU * frequency * n as f32 / 22_050.0;
                    phase.sin() + 0.5 * (2.0 * phase).sin() + 0.3 * (5.0 * phase).cos()
                })
                .collect();
            let found = yin.at(&samples, 2_000);
            assert!(
                (found.f0 / frequency - 1.0).abs() < 0.003,
                "{frequency} {found:?}"
            );
        }
        let noise = crate::chance::noise(1, 4_000);
        assert!(yin.at(&noise, 2_000).f0 <= 0.0);
        assert!(yin.at(&noise[..10], 5).f0 <= 0.0);
    }
}
