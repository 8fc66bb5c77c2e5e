//! A throat model: a pulse train with breath through moving formants. Animals and crowds use it.

use std::f32::consts::TAU;

use super::make::{along, samples};
use crate::{chance::Rng, dsp::filter::Sweep};

/// One cry. Curves are points of (fraction of its time, value).
#[derive(Debug, Clone, Copy)]
pub(super) struct Cry<'a> {
    pub(super) seconds: f32,
    /// Hz.
    pub(super) pitch: &'a [(f32, f32)],
    /// Each formant's curve in Hz, and its level.
    pub(super) formants: &'a [(&'a [(f32, f32)], f32)],
    pub(super) level: &'a [(f32, f32)],
    /// The share of noise, 0 to 1.
    pub(super) breath: f32,
    /// How uneven the pulses are, 0 to 1; uneven pulses growl.
    pub(super) rough: f32,
    /// The formants' quality.
    pub(super) q: f32,
}

impl Cry<'_> {
    /// Renders the cry.
    pub(super) fn sound(&self, rng: &mut Rng, rate: f32) -> Vec<f32> {
        let count = samples(self.seconds, rate).max(1);
        let mut filters = vec![(Sweep::default(), 0.0_f32); self.formants.len()];
        let mut phase = 0.0_f32;
        let mut stress = 1.0;
        let mut bend = 1.0;
        let (mut pitch, mut level) = (0.0, 0.0);
        let k = 1.0 / self.q;
        (0..count)
            .map(|at| {
                if at % 16 == 0 {
                    let part = at as f32 / count as f32;
                    pitch = along(self.pitch, part);
                    level = along(self.level, part);
                    for ((_, g), (curve, _)) in filters.iter_mut().zip(self.formants) {
                        *g = Sweep::g(along(curve, part), rate);
                    }
                }
                phase += pitch * bend / rate;
                if phase >= 1.0 {
                    phase -= 1.0;
                    stress = 1.0 - self.rough * rng.unit();
                    bend = 1.0 + 0.25 * self.rough * rng.bipolar();
                }
                // The derivative of a glottal pulse that opens slowly and closes fast (Rosenberg 1971).
                let open = 0.6;
                let pulse = if phase < open {
                    (TAU * phase / (2.0 * open)).sin() * 0.4
                } else {
                    -1.4 * ((1.0 - phase) / (1.0 - open)).powi(3)
                };
                let breath = rng.bipolar() * (0.4 + 0.6 * (1.0 - phase));
                let x = (pulse * (1.0 - self.breath) + breath * self.breath) * stress;
                let mut y = 0.0;
                for ((filter, g), (_, weight)) in filters.iter_mut().zip(self.formants) {
                    y += filter.next(x, *g, k).1 * k * weight;
                }
                y * level
            })
            .collect()
    }
}
